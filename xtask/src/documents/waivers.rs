//! Faults that are known: reported, but they don't fail the run. Each has its reason in the file.

use std::fs;
use std::path::Path;

use anyhow::{Context as _, Result, ensure};
use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    waiver: Vec<Waiver>,
}

/// A known fault.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Waiver {
    tool: String,
    /// Only in files of this format.
    format: String,
    /// Only in this fixture.
    #[serde(default)]
    fixture: Option<String>,
    /// Part of the fault's text.
    says: String,
    /// Why it may stay.
    reason: String,
}

/// The waivers of `tests/documents/waivers.toml`.
pub struct Waivers(Vec<Waiver>);

impl Waivers {
    /// Reads the file.
    pub fn read(path: &Path) -> Result<Self> {
        let text =
            fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
        Self::parse(&text).with_context(|| format!("cannot read {}", path.display()))
    }

    fn parse(text: &str) -> Result<Self> {
        let file: File = toml::from_str(text)?;
        for waiver in &file.waiver {
            ensure!(
                !waiver.says.trim().is_empty() && waiver.reason.split_whitespace().count() > 3,
                "a waiver for {} says neither what nor why",
                waiver.tool
            );
        }
        Ok(Self(file.waiver))
    }

    /// Why this fault may stay, if it may.
    pub fn reason(&self, fixture: &str, format: &str, tool: &str, fault: &str) -> Option<&str> {
        (self.0.iter())
            .find(|waiver| {
                waiver.tool == tool
                    && waiver.format == format
                    && waiver.fixture.as_deref().is_none_or(|only| only == fixture)
                    && fault.contains(&waiver.says)
            })
            .map(|waiver| waiver.reason.as_str())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_waiver_covers_one_fault_of_one_tool() {
        let waivers = Waivers::parse(
            "[[waiver]]\ntool = \"lint\"\nformat = \"pptx\"\nsays = \"slide9\"\nreason = \"It is known to be harmless.\"",
        )
        .unwrap();
        let reason = |format, tool, fault| waivers.reason("any", format, tool, fault);
        assert!(reason("pptx", "lint", "no slide9 here").is_some());
        assert!(reason("docx", "lint", "no slide9 here").is_none());
        assert!(reason("pptx", "openpyxl", "no slide9 here").is_none());
        assert!(reason("pptx", "lint", "no slide8 here").is_none());
    }

    #[test]
    fn a_waiver_without_a_reason_is_refused() {
        let text =
            "[[waiver]]\ntool = \"lint\"\nformat = \"pptx\"\nsays = \"slide9\"\nreason = \"later\"";
        assert!(Waivers::parse(text).is_err());
        assert!(Waivers::parse("").is_ok());
    }
}
