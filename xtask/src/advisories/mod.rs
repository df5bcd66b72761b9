//! `cargo xtask advisories`: compares the crates of the lock files with a checked-in snapshot of RustSec's
//! advisories, so that CI finds vulnerable crates without a network.

mod database;
mod snapshot;

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use cargo_metadata::semver::Version;
use jiff::civil::Date;
use serde::Deserialize;

use crate::workspace::Workspace;
use snapshot::{Advisory, Snapshot};

const SNAPSHOT: &str = "advisories/snapshot.json";
const WAIVERS: &str = "advisories/waivers.toml";
/// The lock file of the product, and those of the parts built separately.
const LOCK_FILES: [&str; 4] = [
    "Cargo.lock",
    "fuzz/Cargo.lock",
    "fuzz/components/Cargo.lock",
    "plugins/render-pdf/Cargo.lock",
];
/// The command warns about an older snapshot. CI with a network compares with the database itself every day.
const STALE_AFTER_DAYS: i64 = 7;

/// Compare the lock files with the snapshot of RustSec's advisories.
///
/// Fails on an advisory that affects a locked version and is not waived with a reason in
/// advisories/waivers.toml, and on a waiver that affects nothing. Prints the snapshot's age, and the crates
/// that it does not cover because they were not locked when it was made.
#[derive(clap::Args)]
pub struct Args {
    /// First update the snapshot from this checkout of github.com/rustsec/advisory-db
    #[arg(long, value_name = "DIR")]
    update: Option<PathBuf>,
}

/// Updates the snapshot if asked, then compares.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    let locked = all_locked_crates(&workspace.root)?;
    let path = workspace.root.join(SNAPSHOT);
    if let Some(checkout) = &args.update {
        let before = if path.exists() {
            Some(Snapshot::read(&path)?)
        } else {
            None
        };
        database::snapshot(checkout, &locked, before)?.write(&path)?;
    }
    let snapshot = Snapshot::read(&path)?;
    let waivers = read_waivers(&workspace.root.join(WAIVERS))?;
    tell_of(&snapshot, &locked)?;
    let findings = compare(&snapshot.advisories, &locked, &waivers);
    for line in &findings.told {
        println!("{line}");
    }
    if !findings.faults.is_empty() {
        bail!("{}", findings.faults.join("\n"));
    }
    println!("advisories: none that is not waived");
    Ok(())
}

/// A crate of a lock file.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
struct Locked {
    name: String,
    version: Version,
    /// `None` for the workspace's own crates.
    source: Option<String>,
}

/// The crates of all lock files, each version once.
fn all_locked_crates(root: &Path) -> Result<Vec<Locked>> {
    let mut all = BTreeSet::new();
    for file in LOCK_FILES {
        all.extend(locked_crates(&root.join(file))?);
    }
    Ok(all.into_iter().collect())
}

fn locked_crates(path: &Path) -> Result<Vec<Locked>> {
    #[derive(Deserialize)]
    struct Lock {
        package: Vec<Locked>,
    }
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let lock: Lock =
        toml::from_str(&text).with_context(|| format!("cannot parse {}", path.display()))?;
    let foreign = lock.package.into_iter().filter(|one| one.source.is_some());
    Ok(foreign.collect())
}

/// An advisory that affects a locked crate and is accepted.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Waiver {
    id: String,
    /// Why the advisory does no harm here.
    reason: String,
}

fn read_waivers(path: &Path) -> Result<Vec<Waiver>> {
    #[derive(Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Waivers {
        #[serde(default)]
        waiver: Vec<Waiver>,
    }
    let text =
        fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let waivers: Waivers =
        toml::from_str(&text).with_context(|| format!("cannot parse {}", path.display()))?;
    Ok(waivers.waiver)
}

#[expect(
    clippy::disallowed_methods,
    reason = "how old a snapshot is depends on the day it is looked at"
)]
fn today() -> Date {
    jiff::Timestamp::now()
        .to_zoned(jiff::tz::TimeZone::UTC)
        .date()
}

fn tell_of(snapshot: &Snapshot, locked: &[Locked]) -> Result<()> {
    let made: Date = snapshot
        .database
        .date
        .parse()
        .with_context(|| format!("{SNAPSHOT}: the date is no date"))?;
    let days = i64::from((today() - made).get_days());
    println!(
        "advisories: snapshot of {} ({days} days old), {} advisories of {} crates",
        snapshot.database.date,
        snapshot.advisories.len(),
        snapshot.crates.len()
    );
    if days > STALE_AFTER_DAYS {
        println!(
            "advisories: WARNING: the snapshot is {days} days old; with a checkout of \
             github.com/rustsec/advisory-db run: cargo xtask advisories --update DIR"
        );
    }
    let unknown = snapshot.not_covered(locked);
    if !unknown.is_empty() {
        println!(
            "advisories: WARNING: not covered by the snapshot: {}",
            unknown.join(", ")
        );
    }
    Ok(())
}

/// Outcome of a comparison.
#[derive(Debug, Default)]
struct Findings {
    /// Waived hits.
    told: Vec<String>,
    /// Problems that fail the check.
    faults: Vec<String>,
}

fn compare(advisories: &[Advisory], locked: &[Locked], waivers: &[Waiver]) -> Findings {
    let mut findings = Findings::default();
    let mut used = Vec::new();
    for (advisory, hit) in advisories.iter().flat_map(|advisory| {
        let concerned = locked.iter().filter(|one| advisory.concerns(one));
        concerned.map(move |one| (advisory, one))
    }) {
        let line = format!(
            "{} {} {}: {} (mended in: {})",
            advisory.id,
            hit.name,
            hit.version,
            advisory.title,
            advisory.mended_in()
        );
        match waivers.iter().find(|waiver| waiver.id == advisory.id) {
            Some(waiver) => {
                used.push(&waiver.id);
                findings
                    .told
                    .push(format!("waived: {line}: {}", waiver.reason));
            }
            None => findings.faults.push(line),
        }
    }
    for waiver in waivers {
        if !used.contains(&&waiver.id) {
            findings.faults.push(format!(
                "{} is waived in {WAIVERS}, but concerns nothing that is locked any more: remove it",
                waiver.id
            ));
        }
        if waiver.reason.trim().is_empty() {
            findings
                .faults
                .push(format!("{} is waived without a reason", waiver.id));
        }
    }
    findings
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    fn advisory(id: &str, patched: &[&str], unaffected: &[&str]) -> Advisory {
        let ranges = |list: &[&str]| list.iter().map(|r| (*r).to_owned()).collect();
        Advisory {
            id: id.to_owned(),
            package: "holed".to_owned(),
            date: "2026-01-01".to_owned(),
            title: "A hole".to_owned(),
            informational: None,
            patched: ranges(patched),
            unaffected: ranges(unaffected),
            source: None,
        }
    }

    fn locked(version: &str) -> Vec<Locked> {
        vec![Locked {
            name: "holed".to_owned(),
            version: version.parse().unwrap(),
            source: Some("registry".to_owned()),
        }]
    }

    fn faults(advisory: &Advisory, version: &str) -> usize {
        compare(std::slice::from_ref(advisory), &locked(version), &[])
            .faults
            .len()
    }

    #[test]
    fn a_version_is_concerned_that_is_neither_patched_nor_unaffected() {
        let ranges = advisory("R-1", &[">= 36.0.7, < 37.0.0", ">= 42.0.2"], &["< 5.0.0"]);
        for (version, expected) in [
            ("4.9.9", 0),
            ("5.0.0", 1),
            ("36.0.6", 1),
            ("36.0.7", 0),
            ("37.0.0", 1),
            ("42.0.1", 1),
            ("42.0.2", 0),
            ("99.0.0", 0),
        ] {
            assert_eq!(faults(&ranges, version), expected, "{version}");
        }
        assert_eq!(faults(&advisory("R-2", &[], &[]), "1.0.0"), 1, "unpatched");
    }

    #[test]
    fn other_crates_are_not_concerned() {
        let mut other = advisory("R-1", &[], &[]);
        other.package = "hole".to_owned();
        assert_eq!(faults(&other, "1.0.0"), 0);
    }

    #[test]
    fn a_waiver_needs_a_hit_and_a_reason() {
        let waiver = |id: &str, reason: &str| Waiver {
            id: id.to_owned(),
            reason: reason.to_owned(),
        };
        let all = [advisory("R-1", &[">= 2.0.0"], &[])];
        let judged = |version: &str, waivers: &[Waiver]| compare(&all, &locked(version), waivers);
        let accepted = judged("1.0.0", &[waiver("R-1", "nothing calls it")]);
        assert!(accepted.faults.is_empty(), "{accepted:?}");
        assert!(accepted.told[0].contains("nothing calls it"));
        assert_eq!(judged("1.0.0", &[waiver("R-1", " ")]).faults.len(), 1);
        assert_eq!(judged("1.0.0", &[waiver("R-2", "why")]).faults.len(), 2);
        assert_eq!(judged("2.0.0", &[waiver("R-1", "why")]).faults.len(), 1);
    }

    #[test]
    fn the_crates_of_every_lock_file_are_looked_at() {
        let root = Workspace::load().unwrap().root;
        let all = all_locked_crates(&root).unwrap();
        for file in LOCK_FILES {
            for one in locked_crates(&root.join(file)).unwrap() {
                assert!(all.contains(&one), "{file}: {} {}", one.name, one.version);
            }
        }
        // This crate generates random components for the fuzz tests; the product does not need it.
        assert!(all.iter().any(|one| one.name == "wasm-smith"));
    }

    #[test]
    fn the_snapshot_and_the_waivers_that_are_checked_in_can_be_read() {
        let root = Workspace::load().unwrap().root;
        let snapshot = Snapshot::read(&root.join(SNAPSHOT)).unwrap();
        assert!(!snapshot.advisories.is_empty());
        for advisory in &snapshot.advisories {
            advisory.check().unwrap();
        }
        read_waivers(&root.join(WAIVERS)).unwrap();
    }
}
