//! The snapshot: of each advisory what a comparison needs, and the title.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result};
use cargo_metadata::semver::VersionReq;
use serde::{Deserialize, Serialize};

use super::Locked;

/// The advisories of some crates as a database had them at one moment.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Snapshot {
    /// Where they come from.
    pub database: Source,
    /// Crates that were looked up, with or without advisories.
    pub crates: BTreeSet<String>,
    /// Sorted by crate and id.
    pub advisories: Vec<Advisory>,
}

/// A state of the database.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// Repository.
    pub repository: String,
    /// Commit.
    pub commit: String,
    /// Day of that commit.
    pub date: String,
}

/// One advisory.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Advisory {
    /// `RUSTSEC-…`.
    pub id: String,
    /// Crate.
    pub package: String,
    /// Day.
    pub date: String,
    /// One line.
    pub title: String,
    /// `unmaintained`, `unsound` or `notice` if it is no vulnerability.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub informational: Option<String>,
    /// Ranges of versions that are mended.
    pub patched: Vec<String>,
    /// Ranges of versions that never were concerned.
    pub unaffected: Vec<String>,
    /// Where it was read, if not in the database: it is newer than the state above.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub source: Option<String>,
}

impl Snapshot {
    /// Reads a snapshot.
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        serde_json::from_str(&text).with_context(|| format!("cannot parse {}", path.display()))
    }

    /// Writes it, so that a change of one advisory is a change of few lines.
    pub fn write(&self, path: &Path) -> Result<()> {
        let text = serde_json::to_string_pretty(self)?;
        fs::write(path, text + "\n").with_context(|| format!("cannot write {}", path.display()))
    }

    /// Crates that are locked, and were not when the snapshot was made.
    pub fn not_covered(&self, locked: &[Locked]) -> Vec<String> {
        let names: BTreeSet<&str> = locked.iter().map(|one| one.name.as_str()).collect();
        let unknown = names
            .into_iter()
            .filter(|name| !self.crates.contains(*name));
        unknown.map(str::to_owned).collect()
    }
}

impl Advisory {
    /// Whether its ranges can be read.
    pub fn check(&self) -> Result<()> {
        for range in self.patched.iter().chain(&self.unaffected) {
            range
                .parse::<VersionReq>()
                .with_context(|| format!("{}: {range}", self.id))?;
        }
        Ok(())
    }

    /// Whether it concerns this crate. A range that cannot be read excuses nothing.
    pub(super) fn concerns(&self, locked: &Locked) -> bool {
        let within = |range: &String| {
            range
                .parse::<VersionReq>()
                .is_ok_and(|range| range.matches(&locked.version))
        };
        self.package == locked.name && !self.patched.iter().chain(&self.unaffected).any(within)
    }

    /// The versions to go to.
    pub fn mended_in(&self) -> String {
        if self.patched.is_empty() {
            "no version".to_owned()
        } else {
            self.patched.join(" or ")
        }
    }
}
