//! Reads a checkout of RustSec's database: one Markdown file per advisory, whose first code block is TOML.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context as _, Result, bail};
use serde::Deserialize;

use super::Locked;
use super::snapshot::{Advisory, Snapshot, Source};
use crate::process::capture;

const REPOSITORY: &str = "https://github.com/rustsec/advisory-db";

/// The advisories of all locked crates. Advisories that `before` took from another source stay until the
/// database has them.
pub fn snapshot(checkout: &Path, locked: &[Locked], before: Option<Snapshot>) -> Result<Snapshot> {
    let folder = checkout.join("crates");
    if !folder.is_dir() {
        bail!(
            "{} is no checkout of {REPOSITORY}: it has no folder crates",
            checkout.display()
        );
    }
    let crates: BTreeSet<String> = locked.iter().map(|one| one.name.clone()).collect();
    let mut advisories = Vec::new();
    for name in &crates {
        let Ok(entries) = folder.join(name).read_dir() else {
            continue;
        };
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|extension| extension == "md") {
                let text = fs::read_to_string(&path)?;
                advisories.extend(
                    parse(&text).with_context(|| format!("cannot read {}", path.display()))?,
                );
            }
        }
    }
    let earlier = before.map(|before| before.advisories).unwrap_or_default();
    let elsewhere = earlier.into_iter().filter(|one| {
        let known = advisories.iter().any(|known| known.id == one.id);
        one.source.is_some() && !known && crates.contains(&one.package)
    });
    advisories.extend(elsewhere.collect::<Vec<_>>());
    advisories.sort_by(|a, b| (&a.package, &a.id).cmp(&(&b.package, &b.id)));
    Ok(Snapshot {
        database: state(checkout)?,
        crates,
        advisories,
    })
}

fn state(checkout: &Path) -> Result<Source> {
    let ask = |format: &str| {
        let mut git = Command::new("git");
        git.current_dir(checkout)
            .args(["log", "-1", "--date=format-local:%Y-%m-%d"])
            .arg(format!("--format={format}"))
            .env("TZ", "UTC");
        capture(&mut git)
    };
    Ok(Source {
        repository: REPOSITORY.to_owned(),
        commit: ask("%H")?,
        date: ask("%cd")?,
    })
}

/// The advisory in a file; `None` if it was withdrawn.
fn parse(text: &str) -> Result<Option<Advisory>> {
    #[derive(Deserialize)]
    struct File {
        advisory: About,
        versions: Versions,
    }
    #[derive(Deserialize)]
    struct About {
        id: String,
        package: String,
        date: String,
        informational: Option<String>,
        withdrawn: Option<toml::Value>,
    }
    #[derive(Deserialize)]
    struct Versions {
        patched: Vec<String>,
        #[serde(default)]
        unaffected: Vec<String>,
    }
    let (_, rest) = text.split_once("```toml").context("it has no TOML")?;
    let (front, rest) = rest.split_once("```").context("its TOML does not end")?;
    let file: File = toml::from_str(front)?;
    let title = rest
        .lines()
        .find_map(|line| line.strip_prefix("# "))
        .context("it has no title")?;
    let advisory = Advisory {
        id: file.advisory.id,
        package: file.advisory.package,
        date: file.advisory.date,
        title: title.trim().to_owned(),
        informational: file.advisory.informational,
        patched: file.versions.patched,
        unaffected: file.versions.unaffected,
        source: None,
    };
    advisory.check()?;
    Ok(file.advisory.withdrawn.is_none().then_some(advisory))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    const TEXT: &str = "```toml\n[advisory]\nid = \"RUSTSEC-2020-0001\"\npackage = \"holed\"\n\
        date = \"2020-01-02\"\nurl = \"https://example.org\"\n\n[versions]\npatched = [\">= 1.2.3\"]\n\
        unaffected = [\"< 1.0.0\"]\n```\n\n# A hole \n\nText.\n";

    #[test]
    fn what_a_comparison_needs_is_taken() {
        let taken = parse(TEXT).unwrap().unwrap();
        assert_eq!(
            (taken.id.as_str(), taken.package.as_str()),
            ("RUSTSEC-2020-0001", "holed")
        );
        assert_eq!(
            (taken.date.as_str(), taken.title.as_str()),
            ("2020-01-02", "A hole")
        );
        assert_eq!(taken.patched, [">= 1.2.3"]);
        assert_eq!(taken.unaffected, ["< 1.0.0"]);
    }

    #[test]
    fn what_was_withdrawn_is_left_out_and_what_is_broken_is_told() {
        let withdrawn = TEXT.replace("url =", "withdrawn = \"2021-01-01\"\nurl =");
        assert!(parse(&withdrawn).unwrap().is_none());
        for broken in [
            TEXT.replace("```toml", "```"),
            TEXT.replace("# A hole", "A hole"),
            TEXT.replace(">= 1.2.3", "newer"),
            TEXT.replace("patched", "mended"),
        ] {
            assert!(parse(&broken).is_err(), "{broken}");
        }
    }
}
