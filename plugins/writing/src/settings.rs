//! What the binding of every backend says that reads sites and calls a model. Each has settings of its own beside these.

use std::collections::BTreeMap;

use gtm_site_research::failure::Failure;
use gtm_site_research::reading::Reach;
use gtm_site_research::settings;
use serde::{Deserialize, Serialize};

use crate::task::ModelUse;

/// How far research goes, and how the model is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SharedSettings {
    /// Most pages of a company's own site to read, including the home page.
    pub max_pages: usize,
    /// Most bytes of one page or file to read; the connector cuts a longer one.
    pub max_page_bytes: u64,
    /// Most characters of one model call's messages in total.
    pub model_context_chars: usize,
    /// Most tokens that the model may write in one call.
    pub max_output_tokens: u64,
    /// Absent means the provider's default.
    pub temperature: Option<f64>,
    /// Whether the model reads its claims a second time, as a critic.
    pub critique: bool,
    /// `Accept-Language` for page requests, to override the site's own choice.
    pub accept_language: Option<String>,
    /// Language in which the model writes, a BCP 47 tag; without one, that of what it writes from.
    pub language: Option<String>,
}

impl Default for SharedSettings {
    fn default() -> Self {
        Self {
            max_pages: 15,
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

impl SharedSettings {
    /// The same within the limits of the manifests, which differ in how little a model may get.
    ///
    /// # Errors
    /// `backend_error` if the language is no BCP 47 tag.
    pub fn within_limits(self, least_context_chars: usize) -> Result<Self, Failure> {
        Ok(Self {
            max_pages: self.max_pages.clamp(1, 30),
            max_page_bytes: self.max_page_bytes.clamp(10_000, 5_000_000),
            model_context_chars: self.model_context_chars.clamp(least_context_chars, 400_000),
            max_output_tokens: self.max_output_tokens.clamp(64, 32_000),
            language: settings::language(self.language)?,
            ..self
        })
    }

    /// How far reading goes, and where it begins for sites that are not at `https://<domain>/`.
    #[must_use]
    pub fn reach(&self, max_search_pages: usize, start_urls: &BTreeMap<String, String>) -> Reach {
        Reach {
            max_pages: self.max_pages,
            max_search_pages,
            max_page_bytes: self.max_page_bytes,
            start_urls: start_urls.clone(),
            accept_language: self.accept_language.clone(),
        }
    }

    /// The language of the prose about a site in `language`.
    #[must_use]
    pub fn prose_language<'a>(&'a self, language: &'a str) -> &'a str {
        self.language.as_deref().unwrap_or(language)
    }

    /// How to call the model.
    #[must_use]
    pub const fn model(&self) -> ModelUse {
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
    use super::*;

    #[test]
    fn settings_stay_within_the_limits() {
        let wide = SharedSettings {
            max_pages: 400,
            max_page_bytes: 1,
            model_context_chars: 1,
            language: Some("de_AT".to_owned()),
            ..SharedSettings::default()
        };
        let kept = wide.within_limits(2_500).unwrap();
        assert_eq!((kept.max_pages, kept.max_page_bytes), (30, 10_000));
        assert_eq!(kept.model().context_chars, 2_500);
        assert_eq!(kept.prose_language("fr"), "de-AT");
        assert_eq!(SharedSettings::default().prose_language("fr"), "fr");
        let wrong = SharedSettings {
            language: Some("not a tag".to_owned()),
            ..SharedSettings::default()
        };
        assert!(wrong.within_limits(2_500).is_err());
    }
}
