//! The binding's settings; `manifest.json` publishes the same limits as a schema.

use std::collections::BTreeMap;

use gtm_site_research::failure::Failure;
use gtm_site_research::reading::Reach;
use gtm_site_research::settings;
use gtm_writing::task::ModelUse;
use serde::Deserialize;
use serde_json::Value;

/// How far research goes and what the model gets.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Pages of the target's own site to read, including the home page.
    pub max_pages: usize,
    /// Bytes of one page or reference document to read.
    pub max_page_bytes: u64,
    /// Characters of one model call's messages in total.
    pub model_context_chars: usize,
    /// Tokens that the model may write in one call.
    pub max_output_tokens: u64,
    /// Absent means the provider's default.
    pub temperature: Option<f64>,
    /// Whether the model reads its claims a second time, as a critic.
    pub critique: bool,
    /// `Accept-Language` for page requests, to override the site's own choice.
    pub accept_language: Option<String>,
    /// Language of the document, a BCP 47 tag; the brief's own if absent.
    pub language: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_pages: 8,
            max_page_bytes: 2_000_000,
            model_context_chars: 60_000,
            max_output_tokens: 8_000,
            temperature: None,
            critique: true,
            accept_language: None,
            language: None,
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
        read.max_pages = read.max_pages.clamp(1, 30);
        read.max_page_bytes = read.max_page_bytes.clamp(10_000, 5_000_000);
        read.model_context_chars = read.model_context_chars.clamp(8_000, 400_000);
        read.max_output_tokens = read.max_output_tokens.clamp(64, 32_000);
        read.language = settings::language(read.language)?;
        Ok(read)
    }

    /// How far reading goes, and where it begins for sites that are not at `https://<domain>/`.
    #[must_use]
    pub fn reach(&self, start_urls: &BTreeMap<String, String>) -> Reach {
        Reach {
            max_pages: self.max_pages,
            max_search_pages: 0,
            max_page_bytes: self.max_page_bytes,
            start_urls: start_urls.clone(),
            accept_language: self.accept_language.clone(),
        }
    }

    #[must_use]
    pub fn model(&self) -> ModelUse {
        ModelUse {
            context_chars: self.model_context_chars,
            max_output_tokens: self.max_output_tokens,
            temperature: self.temperature,
            critique: self.critique,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_have_defaults_and_refuse_misspellings() {
        assert_eq!(Settings::read(json!({})).unwrap(), Settings::default());
        assert_eq!(
            Settings::read(json!({"max_pages": 400})).unwrap().max_pages,
            30
        );
        assert!(Settings::read(json!({"max_page": 4})).is_err());
        assert!(Settings::read(json!({"language": "not a tag"})).is_err());
    }
}
