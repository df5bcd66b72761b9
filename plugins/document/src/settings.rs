//! The binding's settings; `manifest.json` publishes the same limits as a schema.

use std::collections::BTreeMap;

use gtm_site_research::failure::Failure;
use gtm_site_research::reading::Reach;
use gtm_site_research::settings;
use gtm_writing::settings::SharedSettings;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// How far research goes and what the model gets. The language is that of the document; without one, it is the brief's.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Settings {
    #[serde(flatten)]
    pub shared: SharedSettings,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            shared: SharedSettings {
                max_pages: 8,
                max_page_bytes: 2_000_000,
                ..SharedSettings::default()
            },
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
        read.shared = read.shared.within_limits(8_000)?;
        Ok(read)
    }

    /// How far reading goes, and where it begins for sites that are not at `https://<domain>/`.
    #[must_use]
    pub fn reach(&self, start_urls: &BTreeMap<String, String>) -> Reach {
        self.shared.reach(0, start_urls)
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
            Settings::read(json!({"max_pages": 400}))
                .unwrap()
                .shared
                .max_pages,
            30
        );
        assert!(Settings::read(json!({"max_page": 4})).is_err());
        assert!(Settings::read(json!({"language": "not a tag"})).is_err());
    }
}
