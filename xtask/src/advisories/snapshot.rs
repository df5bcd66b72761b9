//! The snapshot: the part of each advisory that a comparison needs, and its title.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use cargo_metadata::semver::VersionReq;
use serde::{Deserialize, Serialize};

use super::Locked;

/// The advisories of some crates, as a database had them at one moment.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// The database that they come from.
    pub database: Source,
    /// Crates that were looked up, with or without advisories.
    pub crates: BTreeSet<String>,
    /// Sorted by crate and ID.
    pub advisories: Vec<Advisory>,
}

/// A state of the database.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    pub repository: String,
    pub commit: String,
    /// Day of the commit.
    pub date: String,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advisory {
    /// `RUSTSEC-…`.
    pub id: String,
    pub package: String,
    /// Day of publication.
    pub date: String,
    pub title: String,
    /// `unmaintained`, `unsound` or `notice`; absent for a vulnerability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub informational: Option<String>,
    /// Version ranges that contain the fix.
    pub patched: Vec<String>,
    /// Version ranges that were never affected.
    pub unaffected: Vec<String>,
    /// Where the advisory was read, if not in the database because it is newer than the state above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Snapshot {
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("cannot parse {}", path.display()))
    }

    /// Writes the snapshot in a form where changing one advisory changes only a few lines.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
    }

    /// Locked crates that were not locked when the snapshot was made.
    pub fn not_covered(&self, locked: &[Locked]) -> Vec<String> {
        let names: BTreeSet<&str> = locked.iter().map(|one| one.name.as_str()).collect();
        let unknown = names
            .into_iter()
            .filter(|name| !self.crates.contains(*name));
        unknown.map(str::to_owned).collect()
    }
}

impl Advisory {
    /// Fails if a version range is invalid.
    pub fn check(&self) -> Result<()> {
        for range in self.patched.iter().chain(&self.unaffected) {
            range
                .parse::<VersionReq>()
                .with_context(|| format!("{}: {range}", self.id))?;
        }
        Ok(())
    }

    /// Whether the advisory affects this crate. An unreadable range excludes no version.
    pub(super) fn concerns(&self, locked: &Locked) -> bool {
        let within = |range: &String| {
            range
                .parse::<VersionReq>()
                .is_ok_and(|range| range.matches(&locked.version))
        };
        self.package == locked.name && !self.patched.iter().chain(&self.unaffected).any(within)
    }

    /// The versions that contain the fix, for messages.
    pub fn mended_in(&self) -> String {
        if self.patched.is_empty() {
            "no version".to_owned()
        } else {
            self.patched.join(" or ")
        }
    }
}
