//! The binding's settings; `manifest.json` publishes the same limits as a schema.

use std::collections::BTreeMap;

use gtm_site_research::failure::Failure;
use gtm_site_research::reading::Reach;
use gtm_site_research::settings;
use gtm_writing::task::ModelUse;
use serde::Deserialize;
use serde_json::Value;

/// How far research goes, and how the model is called.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Settings {
    /// Most pages of the brand's own site to read, including the home page.
    pub max_pages: usize,
    /// Most pages of other sites to read when a search is bound.
    pub max_search_pages: usize,
    /// Most images to fetch as logos.
    pub max_logos: usize,
    /// Most bytes of one page or image; the connector truncates a longer page.
    pub max_page_bytes: u64,
    /// Most characters of all messages of one model call together.
    pub model_context_chars: usize,
    /// Most tokens that the model may write in one call.
    pub max_output_tokens: u64,
    /// Temperature for the model; if absent, the provider chooses.
    pub temperature: Option<f64>,
    /// Whether the model reads its claims a second time, as a critic.
    pub critique: bool,
    /// `Accept-Language` header for page requests; if absent, the site chooses.
    pub accept_language: Option<String>,
    /// Language in which the model writes, a BCP 47 tag; the site's own if absent.
    pub language: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            max_pages: 15,
            max_search_pages: 3,
            max_logos: 4,
            max_page_bytes: 1_500_000,
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
    /// Reads the settings and clamps them to the manifest's limits.
    ///
    /// # Errors
    /// `backend_error` for invalid settings; the host normally rejects them earlier.
    pub fn read(settings: Value) -> Result<Self, Failure> {
        let mut read: Self = settings::read(settings)?;
        read.max_pages = read.max_pages.clamp(1, 30);
        read.max_search_pages = read.max_search_pages.min(5);
        read.max_logos = read.max_logos.min(8);
        read.max_page_bytes = read.max_page_bytes.clamp(10_000, 5_000_000);
        read.model_context_chars = read.model_context_chars.clamp(2_500, 400_000);
        read.max_output_tokens = read.max_output_tokens.clamp(64, 32_000);
        read.language = settings::language(read.language)?;
        Ok(read)
    }

    /// How far reading goes, and where it starts for sites that don't start at `https://<domain>/`.
    pub fn reach(&self, start_urls: &BTreeMap<String, String>) -> Reach {
        Reach {
            max_pages: self.max_pages,
            max_search_pages: self.max_search_pages,
            max_page_bytes: self.max_page_bytes,
            start_urls: start_urls.clone(),
            accept_language: self.accept_language.clone(),
        }
    }

    /// The language of the prose for a site in `language`.
    pub fn prose_language<'a>(&'a self, language: &'a str) -> &'a str {
        self.language.as_deref().unwrap_or(language)
    }

    /// How to call the model.
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
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use serde_json::json;

    use super::*;

    #[test]
    fn settings_have_defaults_and_refuse_misspellings() {
        assert_eq!(Settings::read(json!({})).unwrap(), Settings::default());
        assert_eq!(Settings::read(Value::Null).unwrap().max_pages, 15);
        assert_eq!(
            Settings::read(json!({"max_pages": 400})).unwrap().max_pages,
            30
        );
        assert!(Settings::read(json!({"max_page": 4})).is_err());
    }
}
