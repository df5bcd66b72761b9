//! `gtm plugin approve`, `diff` and `transfer`: the operator decides what a plug-in may do and who its
//! publisher is, after seeing what that means.

use std::fmt;
use std::io::{self, BufRead as _, IsTerminal as _};
use std::path::Path;
use std::str::FromStr;

use gtm_domain::plugin::{PluginKey, PluginRecords};
use gtm_engine::catalog::records;
use gtm_runtime::catalog::admission::{approved_manifests, version_before};
use gtm_runtime::manifest::difference::{Difference, Effect, differences};
use gtm_runtime::manifest::{fits_member, parse_manifest};
use gtm_runtime::{Catalog, Listed, ListedOnly, Manifest, PluginKind};
use serde_json::json;

use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, note, table};

/// A plug-in on the command line, `KIND/KEY`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PluginName {
    kind: PluginKind,
    key: String,
}

impl FromStr for PluginName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let form = || {
            format!(
                "expected KIND/KEY, such as connector/web-fetch, with one of the kinds {}",
                PluginKind::ALL.map(PluginKind::key).join(", ")
            )
        };
        let (kind, key) = text.split_once('/').ok_or_else(form)?;
        let kind = PluginKind::from_key(kind).ok_or_else(form)?;
        if !fits_member("key", key) {
            return Err(form());
        }
        Ok(Self {
            kind,
            key: key.to_owned(),
        })
    }
}

impl fmt::Display for PluginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.kind, self.key)
    }
}

impl PluginName {
    fn stored(&self) -> PluginKey {
        PluginKey {
            kind: self.kind.key().to_owned(),
            key: self.key.clone(),
        }
    }
}

/// Parses a publisher. Danger: a name that no manifest can contain would lock the plug-in for everybody.
///
/// # Errors
/// If no manifest can contain the name.
pub fn parse_publisher(text: &str) -> Result<String, String> {
    if fits_member("publisher", text) {
        Ok(text.to_owned())
    } else {
        Err("expected a reverse-domain name in lower-case letters, such as com.example".to_owned())
    }
}

/// A version on the command line: `KIND/KEY@VERSION`, or the path of a manifest.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum VersionName {
    /// A version that the catalog has or had.
    Known(PluginName, String),
    /// A manifest that need not be installed.
    File(String),
}

impl FromStr for VersionName {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        if Path::new(text).extension().is_some_and(|ext| ext == "json") {
            return Ok(Self::File(text.to_owned()));
        }
        let (plugin, version) = text
            .split_once('@')
            .ok_or("expected KIND/KEY@VERSION, or the path of a manifest.json")?;
        Ok(Self::Known(plugin.parse()?, version.to_owned()))
    }
}

impl fmt::Display for VersionName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Known(plugin, version) => write!(f, "{plugin}@{version}"),
            Self::File(path) => f.write_str(path),
        }
    }
}

/// Approves a version that may do more than the one before it.
///
/// # Errors
/// If it is not in the catalog, was refused, or the operator does not consent.
pub async fn approve(
    plugin: &PluginName,
    version: &str,
    yes: bool,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    let looked = installation.start_runtime().await?;
    let entry = pending(looked.catalog(), plugin, version)?;
    let stored = operator.plugin_records().await?;
    let mut approved = approved_manifests(&records(&stored), plugin.kind, &plugin.key);
    // A version in use that has not been recorded yet was not pending either.
    let in_use = looked.catalog().in_use(plugin.kind, &plugin.key);
    approved.extend(in_use.map(|(version, manifest)| (version.clone(), Some(manifest.clone()))));
    let before = version_before(&entry.version, &approved);
    let (found, against) = match before {
        Some(Some(before)) => (
            differences(before, &entry.manifest),
            Some(before.manifest_version.to_string()),
        ),
        // There is nothing to compare with, so the whole manifest is shown.
        _ => (Vec::new(), None),
    };
    let question = format!("Approve {plugin} {version}?");
    if !yes {
        let told = match &against {
            Some(against) => format!("{plugin} {against} -> {version}\n{}", listing(&found)),
            None => format!(
                "the version before {plugin} {version} can no longer be read; this is the whole manifest\n{:#}",
                entry.manifest_json
            ),
        };
        note(&told);
        confirm(&question)?;
    }
    // Danger: what is approved must be what was shown. Looking at the catalog records nothing, so it is
    // loaded again and compared.
    let recording = installation.start_recording_runtime().await?;
    if pending(recording.catalog(), plugin, version)?.manifest_digest != entry.manifest_digest {
        return Err(
            Failure::new(format!("{plugin} {version} changed after it was shown"))
                .hint("nothing was approved; review it again"),
        );
    }
    let (known, _) = operator.approve_plugin(&plugin.stored(), version).await?;
    let value = json!({
        "kind": plugin.kind.key(),
        "key": plugin.key,
        "version": version,
        "approved_at": known.approved_at,
        "compared_with": against,
        "differences": found,
    });
    output.print(&value, || {
        let list = match &against {
            _ if !yes => String::new(),
            Some(_) => format!("{}\n", listing(&found)),
            None => format!("the version before {plugin} {version} can no longer be read\n"),
        };
        format!("{list}{plugin} {version} is approved; a running host uses it after its next start")
    })
}

/// The version, if it waits for approval.
fn pending<'c>(
    catalog: &'c Catalog,
    plugin: &PluginName,
    version: &str,
) -> Result<&'c Listed, Failure> {
    let mut listed = catalog.listed().iter();
    listed
        .find(|entry| {
            entry.kind == plugin.kind
                && entry.key == plugin.key
                && entry.version.to_string() == version
                && entry.reason == ListedOnly::Pending
        })
        .ok_or_else(|| not_pending(catalog, plugin, version))
}

/// Why a version cannot be approved.
fn not_pending(catalog: &Catalog, plugin: &PluginName, version: &str) -> Failure {
    let loaded = catalog
        .find(plugin.kind, &plugin.key, Some(version))
        .is_some();
    let listed = catalog.listed().iter().any(|entry| {
        entry.kind == plugin.kind && entry.key == plugin.key && entry.version.to_string() == version
    });
    if loaded || listed {
        return Failure::new(format!("{plugin} {version} is not pending"))
            .hint("`gtm plugin list` shows the pending versions, and why they are pending");
    }
    refusal(catalog, plugin, version).unwrap_or_else(|| {
        Failure::new(format!("the catalog has no {plugin} {version}"))
            .hint("`gtm plugin list` shows all packages")
    })
}

/// The same, with the reason why the package of a version was refused.
fn refusal(catalog: &Catalog, plugin: &PluginName, version: &str) -> Option<Failure> {
    let package = catalog.refused().iter().find(|package| {
        package.kind == Some(plugin.kind)
            && package.key.as_deref() == Some(&*plugin.key)
            && package.version.as_deref() == Some(version)
    })?;
    Some(Failure::new(format!(
        "the package {} was refused ({}): {}",
        package.path.display(),
        package.code,
        package.reason
    )))
}

/// Shows the differences between two versions.
///
/// # Errors
/// If one of them cannot be found, or they belong to different plug-ins.
pub async fn diff(
    old: &VersionName,
    new: &VersionName,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let runtime = installation.start_runtime().await?;
    let stored = installation.operator().plugin_records().await?;
    let before = manifest(old, runtime.catalog(), &stored)?;
    let after = manifest(new, runtime.catalog(), &stored)?;
    if (before.kind, &before.key) != (after.kind, &after.key) {
        return Err(Failure::new(format!(
            "{old} and {new} are not versions of one plug-in"
        )));
    }
    let found = differences(&before, &after);
    let value = json!({
        "kind": after.kind.key(),
        "key": after.key,
        "old": before.manifest_version.to_string(),
        "new": after.manifest_version.to_string(),
        "widens": found.iter().any(|d| d.effect == Effect::Widens),
        "breaks": found.iter().any(|d| d.effect == Effect::Breaks),
        "differences": found,
    });
    output.print(&value, || listing(&found))
}

/// A manifest: from the catalog, else as recorded when its version was seen.
fn manifest(
    name: &VersionName,
    catalog: &Catalog,
    stored: &PluginRecords,
) -> Result<Manifest, Failure> {
    let (plugin, version) = match name {
        VersionName::File(path) => {
            let text = std::fs::read(path)
                .map_err(|error| Failure::new(format!("{path} cannot be read: {error}")))?;
            let (manifest, _) = parse_manifest(&text)
                .map_err(|error| Failure::new(format!("{path} is not a manifest: {error}")))?;
            return Ok(manifest);
        }
        VersionName::Known(plugin, version) => (plugin, version),
    };
    if let Some(found) = catalog.find(plugin.kind, &plugin.key, Some(version)) {
        return Ok(found.manifest.clone());
    }
    let listed = catalog.listed().iter().find(|entry| {
        entry.kind == plugin.kind
            && entry.key == plugin.key
            && entry.version.to_string() == *version
    });
    if let Some(entry) = listed {
        return Ok(entry.manifest.clone());
    }
    let known = stored
        .packages
        .iter()
        .map(|known| &known.content)
        .find(|known| known.plugin == plugin.stored() && known.version == *version)
        .ok_or_else(|| {
            refusal(catalog, plugin, version).unwrap_or_else(|| {
                Failure::new(format!(
                    "{name} is not in the catalog and was never seen there"
                ))
                .hint("`gtm plugin list` shows all packages")
            })
        })?;
    serde_json::from_value(known.manifest.clone()).map_err(|error| {
        Failure::new(format!(
            "the manifest of {name} can no longer be read: {error}"
        ))
    })
}

/// Transfers a plug-in to a publisher.
///
/// # Errors
/// If the operator does not consent.
pub async fn transfer(
    plugin: &PluginName,
    publisher: &str,
    yes: bool,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let operator = installation.operator();
    let stored = operator.plugin_records().await?;
    let owner = stored
        .publishers
        .iter()
        .find(|known| known.plugin == plugin.stored())
        .map(|known| known.publisher.clone());
    if !yes && owner.as_deref() != Some(publisher) {
        note(&match &owner {
            Some(owner) => format!("{plugin} belongs to {owner}, whose versions will be refused"),
            None => format!("no publisher has provided {plugin} yet"),
        });
        confirm(&format!("Give {plugin} to {publisher}?"))?;
    }
    let (now, _) = operator
        .transfer_plugin(&plugin.stored(), publisher)
        .await?;
    let value = json!({
        "kind": plugin.kind.key(),
        "key": plugin.key,
        "publisher": now.publisher,
        "previous_publisher": owner.filter(|owner| owner != publisher),
        "since": now.since,
    });
    output.print(&value, || {
        format!("{plugin} now belongs to {publisher}; a running host takes it up at its next start")
    })
}

fn listing(found: &[Difference]) -> String {
    if found.is_empty() {
        return "no differences that matter".to_owned();
    }
    let cells = |difference: &Difference| {
        vec![
            difference.effect.to_string(),
            difference.member.to_owned(),
            difference.text.clone(),
        ]
    };
    let rows: Vec<_> = found.iter().map(cells).collect();
    table(&["EFFECT", "MEMBER", "WHAT"], &rows)
}

/// Asks on the terminal; without one, only `--yes` gives consent.
fn confirm(question: &str) -> Result<(), Failure> {
    let stdin = io::stdin();
    if !stdin.is_terminal() {
        return Err(Failure::new("there is no terminal to ask on")
            .hint("use --yes to consent without being asked"));
    }
    note(&format!("{question} [y/N]"));
    let mut answer = String::new();
    stdin.lock().read_line(&mut answer)?;
    match answer.trim() {
        "y" | "Y" | "yes" => Ok(()),
        _ => Err(Failure::new("nothing was changed")),
    }
}
