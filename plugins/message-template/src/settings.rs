//! The binding's settings; `manifest.json` publishes the same limits as a schema.

use gtm_site_research::failure::Failure;
use gtm_site_research::settings;
use gtm_writing::task::ModelUse;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the model gets.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    /// Characters of the model call's messages in total.
    pub model_context_chars: usize,
    /// Tokens that the model may write in one call.
    pub max_output_tokens: u64,
    /// Absent means the provider's default.
    pub temperature: Option<f64>,
    /// Rounds of writing, counted by the host.
    pub attempts: u32,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            model_context_chars: 30_000,
            max_output_tokens: 4_000,
            temperature: None,
            attempts: 3,
        }
    }
}

impl Settings {
    /// Reads the settings and keeps them within the manifest's limits.
    ///
    /// # Errors
    /// `backend_error` for invalid settings, although the host has checked them before.
    pub fn read(settings: Value) -> Result<Self, Failure> {
        let mut read: Self = settings::read(settings)?;
        read.model_context_chars = read.model_context_chars.clamp(12_000, 400_000);
        read.max_output_tokens = read.max_output_tokens.clamp(256, 32_000);
        Ok(read)
    }

    /// How the model is called.
    #[must_use]
    pub const fn model(&self) -> ModelUse {
        ModelUse {
            context_chars: self.model_context_chars,
            max_output_tokens: self.max_output_tokens,
            temperature: self.temperature,
            critique: false,
        }
    }
}
