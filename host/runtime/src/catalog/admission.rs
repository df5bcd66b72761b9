//! Which well-formed packages may be used, given what is remembered about the same plug-in: its publisher,
//! the bytes of each version, and what the operator consented to.

use std::collections::{BTreeMap, BTreeSet};

use gtm_domain::Digest;
use semver::Version;
use serde_json::Value;

use super::records::{CatalogRecords, PackageRecord};
use crate::manifest::difference::widens;
use crate::manifest::{Manifest, PluginKind};

/// A package whose files and signature are valid.
#[derive(Debug, Clone, Copy)]
pub struct Candidate<'p> {
    pub manifest: &'p Manifest,
    /// Digest of the manifest's RFC 8785 bytes.
    pub manifest_digest: Digest,
    /// Whether a trusted publisher signed it.
    pub signed: bool,
}

/// What happens to a package.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum PackageVerdict {
    /// It may be used.
    Admitted,
    /// It waits for the operator's consent.
    Pending,
    /// It is refused: code and reason.
    Refused(&'static str, String),
}

/// Judges all packages of a catalog; returns the verdicts in the same order.
///
/// With `changes_allowed`, a version may come back with other bytes and nothing waits for consent: a
/// plug-in's developer rebuilds one version all day. The publisher is checked even then.
#[must_use]
pub fn judge(
    candidates: &[Candidate<'_>],
    records: &CatalogRecords,
    changes_allowed: bool,
) -> Vec<PackageVerdict> {
    let mut verdicts = vec![PackageVerdict::Admitted; candidates.len()];
    let mut plugins: BTreeMap<(PluginKind, &str), Vec<usize>> = BTreeMap::new();
    for (index, candidate) in candidates.iter().enumerate() {
        let identity = (candidate.manifest.kind, candidate.manifest.key.as_str());
        plugins.entry(identity).or_default().push(index);
    }
    for ((kind, key), mut indices) in plugins {
        indices.sort_by_key(|index| &candidates[*index].manifest.manifest_version);
        let owner = records.publishers.get(&(kind, key.to_owned()));
        let newcomers: BTreeSet<&str> = indices
            .iter()
            .map(|index| &candidates[*index])
            .filter(|candidate| candidate.signed)
            .map(|candidate| candidate.manifest.publisher.as_str())
            .collect();
        let mut approved = approved_manifests(records, kind, key);
        for index in indices {
            let candidate = &candidates[index];
            let verdict = match whose(candidate, owner, &newcomers) {
                Err(verdict) => verdict,
                Ok(()) if changes_allowed => PackageVerdict::Admitted,
                Ok(()) => match record_of(records, candidate) {
                    Some(record) => as_recorded(candidate, record),
                    None => by_consent(candidate, &approved),
                },
            };
            if verdict == PackageVerdict::Admitted {
                let version = candidate.manifest.manifest_version.clone();
                approved.insert(version, Some(candidate.manifest.clone()));
            }
            verdicts[index] = verdict;
        }
    }
    verdicts
}

/// Whether the plug-in belongs to this publisher. An unsigned package belongs to nobody: it is here because
/// the configuration allows it, and it takes nothing from anybody.
fn whose(
    candidate: &Candidate<'_>,
    owner: Option<&String>,
    newcomers: &BTreeSet<&str>,
) -> Result<(), PackageVerdict> {
    let Manifest {
        kind,
        key,
        publisher,
        ..
    } = candidate.manifest;
    match owner {
        _ if !candidate.signed => Ok(()),
        Some(owner) if owner == publisher => Ok(()),
        Some(owner) => Err(PackageVerdict::Refused(
            "other_publisher",
            format!(
                "{kind}/{key} belongs to {owner}; `gtm plugin transfer {kind}/{key} {publisher}` would give it to {publisher}"
            ),
        )),
        None if newcomers.len() > 1 => Err(PackageVerdict::Refused(
            "contested_publisher",
            format!(
                "{} all provide {kind}/{key}; decide whose it is with `gtm plugin transfer {kind}/{key} PUBLISHER`",
                newcomers.iter().copied().collect::<Vec<_>>().join(" and ")
            ),
        )),
        None => Ok(()),
    }
}

fn record_of<'r>(
    records: &'r CatalogRecords,
    candidate: &Candidate<'_>,
) -> Option<&'r PackageRecord> {
    let manifest = candidate.manifest;
    let version = manifest.manifest_version.to_string();
    records.packages.iter().find(|record| {
        record.kind == manifest.kind && record.key == manifest.key && record.version == version
    })
}

/// Danger: whoever pinned a version must get what was pinned. So a version means one component and one
/// manifest for ever.
fn as_recorded(candidate: &Candidate<'_>, record: &PackageRecord) -> PackageVerdict {
    let component = candidate.manifest.component.as_ref().map(|c| c.digest);
    let told = |digest: Option<Digest>| digest.map_or("none".to_owned(), |d| d.to_string());
    if component != record.component {
        return PackageVerdict::Refused(
            "known_digest_differs",
            format!(
                "this version had the component {} before; a change needs a new version",
                told(record.component)
            ),
        );
    }
    if candidate.manifest_digest != record.manifest_digest {
        return PackageVerdict::Refused(
            "known_manifest_differs",
            format!(
                "this version had the manifest {} before; a change needs a new version",
                record.manifest_digest
            ),
        );
    }
    if record.approved {
        PackageVerdict::Admitted
    } else {
        PackageVerdict::Pending
    }
}

/// A new version may do what the approved version before it may. The first version of a plug-in may do what
/// its manifest says: the operator trusted its publisher with that.
fn by_consent(
    candidate: &Candidate<'_>,
    approved: &BTreeMap<Version, Option<Manifest>>,
) -> PackageVerdict {
    match version_before(&candidate.manifest.manifest_version, approved) {
        None => PackageVerdict::Admitted,
        Some(Some(held)) if !widens(held, candidate.manifest) => PackageVerdict::Admitted,
        // A manifest that is no longer readable may have allowed anything or nothing.
        Some(_) => PackageVerdict::Pending,
    }
}

/// The version to compare a new one with: the highest lower one, else the lowest of all.
#[must_use]
pub fn version_before<'m, M>(version: &Version, held: &'m BTreeMap<Version, M>) -> Option<&'m M> {
    held.range(..version)
        .next_back()
        .or_else(|| held.iter().next())
        .map(|(_, manifest)| manifest)
}

/// The approved versions of a plug-in, with those manifests that are still readable.
#[must_use]
pub fn approved_manifests(
    records: &CatalogRecords,
    kind: PluginKind,
    key: &str,
) -> BTreeMap<Version, Option<Manifest>> {
    let read = |manifest: &Value| serde_json::from_value(manifest.clone()).ok();
    records
        .packages
        .iter()
        .filter(|record| record.approved && record.kind == kind && record.key == key)
        .filter_map(|record| Some((record.version.parse().ok()?, read(&record.manifest))))
        .collect()
}
