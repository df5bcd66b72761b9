//! The binding's settings; `manifest.json` publishes the same limits as a schema.

use std::collections::BTreeMap;

use gtm_site_research::failure::Failure;
use gtm_site_research::reading::Reach;
use gtm_site_research::settings;
use gtm_writing::settings::SharedSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far research goes, and how the model is called.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    #[serde(flatten)]
    pub shared: SharedSettings,
    /// Most pages of other sites to read when a search is bound.
    pub max_search_pages: usize,
    /// Most images to fetch as logos.
    pub max_logos: usize,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            shared: SharedSettings::default(),
            max_search_pages: 3,
            max_logos: 4,
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
        read.shared = read.shared.within_limits(2_500)?;
        read.max_search_pages = read.max_search_pages.min(5);
        read.max_logos = read.max_logos.min(8);
        Ok(read)
    }

    /// How far reading goes, and where it begins for sites that are not at `https://<domain>/`.
    #[must_use]
    pub fn reach(&self, start_urls: &BTreeMap<String, String>) -> Reach {
        self.shared.reach(self.max_search_pages, start_urls)
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
        assert_eq!(Settings::read(Value::Null).unwrap().shared.max_pages, 15);
        assert_eq!(
            Settings::read(json!({"max_pages": 400}))
                .unwrap()
                .shared
                .max_pages,
            30
        );
        assert!(Settings::read(json!({"max_page": 4})).is_err());
    }
}
