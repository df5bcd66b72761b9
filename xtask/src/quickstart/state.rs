//! What an earlier quickstart created in a data directory, so that the next one uses it again.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::model::Model;

/// IDs of what was created, and the key's secret; only its owner may read the file.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct State {
    pub organization: Option<String>,
    pub project: Option<String>,
    /// The API key's secret.
    pub key: Option<String>,
    /// Whether the organization was granted credit.
    pub credit_granted: bool,
    /// Id of the web-fetch connection.
    pub web_connection: Option<String>,
    /// Settings of the playbook backend as last bound.
    pub backend_settings: Option<Value>,
    /// Settings of the brand backend as last bound.
    pub brand_settings: Option<Value>,
    /// Settings of the document backend as last bound.
    pub document_settings: Option<Value>,
    /// Keys of the renderers that are bound.
    pub renderers: Vec<String>,
    /// Whether the policy of messages is on the allow-list.
    #[serde(default)]
    pub policy_allowed: bool,
    /// Ids of brands that have a guideline, by the domain of their site.
    pub brands: BTreeMap<String, String>,
    /// The model as last bound.
    pub model: Option<Model>,
    /// Id of the connection to the model's server.
    pub model_connection: Option<String>,
    /// The API's port.
    pub port: Option<u16>,
    /// The sample site's port.
    pub site_port: Option<u16>,
}

impl State {
    /// The file that holds the state of this data directory.
    pub fn path(data: &Path) -> PathBuf {
        data.join("quickstart.json")
    }

    /// Reads the state of this data directory; a missing file is an empty state.
    pub fn load(data: &Path) -> Result<Self> {
        let path = Self::path(data);
        if !path.exists() {
            return Ok(Self::default());
        }
        let text =
            fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text)
            .with_context(|| format!("{} is broken; remove it to start anew", path.display()))
    }

    /// Writes the state atomically.
    pub fn save(&self, data: &Path) -> Result<()> {
        let path = Self::path(data);
        // Only its owner can read a temporary file, and the final file keeps those permissions.
        let mut file = tempfile::NamedTempFile::new_in(data)
            .with_context(|| format!("cannot write in {}", data.display()))?;
        file.write_all(&serde_json::to_vec_pretty(self)?)?;
        file.persist(&path)
            .with_context(|| format!("cannot write {}", path.display()))?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    #[test]
    fn the_state_comes_back_and_only_its_owner_reads_it() {
        let data = tempfile::tempdir().unwrap();
        assert!(State::load(data.path()).unwrap().key.is_none());
        let state = State {
            key: Some("secret".into()),
            ..State::default()
        };
        state.save(data.path()).unwrap();
        let again = State::load(data.path()).unwrap();
        assert_eq!(again.key.as_deref(), Some("secret"));
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt as _;
            let mode = fs::metadata(State::path(data.path()))
                .unwrap()
                .permissions()
                .mode();
            assert_eq!(mode & 0o777, 0o600);
        }
    }
}
