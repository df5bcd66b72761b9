//! `gtm plugin …`.

use std::path::PathBuf;

use clap::Subcommand;
use gtm_runtime::manifest::parse_manifest;
use gtm_runtime::{
    Catalog, Listed, ListedOnly, Manifest, Plugin as Loaded, PluginKind, RefusedPackage,
    SignatureStatus,
};
use serde_json::{Value, json};

use super::plugin_consent::{self, PluginName, VersionName};
use super::plugin_settings;
use crate::configuration::layers::FILL_CATALOG;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, note, or_dash, table};

/// Commands on the plug-ins of the catalog.
#[derive(Debug, Subcommand)]
pub enum Plugin {
    /// List all plug-ins: which are loaded, which are only listed, and which were refused and why
    ///
    /// Reads the packages and compiles nothing. The first start of a host compiles each component once, and refuses one
    /// that cannot run; --check does the same now.
    #[command(after_help = "Examples:\n  gtm plugin list\n  gtm plugin list --check")]
    List {
        /// Compile every component first, and fail, with exit code 1, if a package was refused: for scripts
        #[arg(long)]
        check: bool,
    },
    /// Check manifests by the rules with which a host loads them, without an installation
    ///
    /// Fails, with exit code 1, if one breaks a rule, and names the file and what is wrong where.
    #[command(
        after_help = "Example:\n  gtm plugin check target/catalog/connector/weather/1.0.0/manifest.json"
    )]
    Check {
        /// Manifests of packages, as they are in a catalog
        #[arg(value_name = "FILE", required = true)]
        files: Vec<PathBuf>,
    },
    /// Show a plug-in with its manifest, whether it runs or is listed only
    #[command(after_help = "Example:\n  gtm plugin show web-fetch --kind connector")]
    Show {
        /// The plug-in's key
        key: String,
        /// The plug-in's kind, needed if plug-ins of several kinds have this key: connector, generation_backend, document_renderer
        /// or evaluator
        #[arg(long, value_parser = parse_kind)]
        kind: Option<PluginKind>,
        /// The plug-in's version; by default the newest
        #[arg(long = "plugin-version", value_name = "VERSION")]
        version: Option<String>,
    },
    /// Approve a pending version, after showing what more it may do than the one before it
    ///
    /// A version that reaches other hosts, applies credentials in another way, asks for grants or
    /// credentials, or has higher limits is pending: nothing of it runs and nothing moves to it. Approving
    /// moves nothing either; connections and bindings stay at their versions. A running host takes it up
    /// at its next start. Until you consent, nothing of the version is remembered.
    #[command(after_help = "Examples:
  gtm plugin approve connector/weather 1.1.0
  gtm plugin approve connector/weather 1.1.0 --yes")]
    Approve {
        /// Kind and key of the plug-in
        #[arg(value_name = "KIND/KEY")]
        plugin: PluginName,
        /// The version to approve
        version: String,
        /// Proceed without asking for confirmation
        #[arg(long)]
        yes: bool,
    },
    /// Show what one version may do that another may not, and what breaks
    ///
    /// Versions that are no longer in the catalog are compared as they were.
    #[command(after_help = "Examples:
  gtm plugin diff connector/weather@1.0.0 connector/weather@1.1.0
  gtm plugin diff connector/weather@1.0.0 /tmp/weather/manifest.json")]
    Diff {
        /// Version to compare with, or the path of a manifest.json
        #[arg(value_name = "KIND/KEY@VERSION")]
        old: VersionName,
        /// Version that is compared, or the path of a manifest.json
        #[arg(value_name = "KIND/KEY@VERSION")]
        new: VersionName,
    },
    /// Give a plug-in to another publisher, whose versions are loaded from then on
    ///
    /// A plug-in belongs to the publisher that brought it first; versions of others are refused. The
    /// configuration must trust the publisher for this plug-in too. A running host takes it up at its next
    /// start.
    #[command(after_help = "Example:\n  gtm plugin transfer connector/weather com.example.new")]
    Transfer {
        /// Kind and key of the plug-in
        #[arg(value_name = "KIND/KEY")]
        plugin: PluginName,
        /// The new publisher, as its manifests name it
        #[arg(value_parser = plugin_consent::parse_publisher)]
        publisher: String,
        /// Proceed without asking for confirmation
        #[arg(long)]
        yes: bool,
    },
}

fn parse_kind(text: &str) -> Result<PluginKind, String> {
    PluginKind::from_key(text).ok_or_else(|| {
        format!(
            "expected one of {}",
            PluginKind::ALL.map(PluginKind::key).join(", ")
        )
    })
}

/// Runs a command.
///
/// # Errors
/// If the runtime does not start, or there is no such plug-in.
pub async fn run(
    command: Plugin,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let (key, kind, version) = match command {
        Plugin::Approve {
            plugin,
            version,
            yes,
        } => return plugin_consent::approve(&plugin, &version, yes, installation, output).await,
        Plugin::Diff { old, new } => {
            return plugin_consent::diff(&old, &new, installation, output).await;
        }
        Plugin::Transfer {
            plugin,
            publisher,
            yes,
        } => {
            return plugin_consent::transfer(&plugin, &publisher, yes, installation, output).await;
        }
        Plugin::Check { files } => return check(&files, output),
        Plugin::List { check } => {
            installation.effective.check_catalog_dirs()?;
            let runtime = if check {
                installation.start_compiled_runtime().await?
            } else {
                installation.start_runtime().await?
            };
            list(runtime.catalog(), output)?;
            tell_of_uncompiled(runtime.catalog());
            for dir in installation.effective.unfilled_catalog_dirs() {
                note(&format!(
                    "warning: the catalog folder {} does not exist; nothing is loaded from it\nhint: {FILL_CATALOG}",
                    dir.display()
                ));
            }
            return told(runtime.catalog().refused().len(), check);
        }
        Plugin::Show { key, kind, version } => (key, kind, version),
    };
    show(
        installation.start_runtime().await?.catalog(),
        &key,
        kind,
        version.as_deref(),
        output,
    )
}

/// Says on standard error that the first start of a host takes longer, and may find what a list does not.
fn tell_of_uncompiled(catalog: &Catalog) {
    let waiting = catalog
        .plugins()
        .iter()
        .filter(|plugin| !plugin.is_compiled());
    let what = match waiting.count() {
        0 => return,
        1 => "1 component is".to_owned(),
        count => format!("{count} components are"),
    };
    note(&format!(
        "note: {what} not compiled yet: the first start of a host does it once, a large one takes minutes, and one that cannot \
         run is refused then; --check does it now"
    ));
}

/// Says on standard error that packages were refused: the list may be long, or go into a file. The list itself was made,
/// so that is a failure only for whoever asks whether the catalog is sound.
fn told(refused: usize, is_checked: bool) -> Result<(), Failure> {
    let what = match refused {
        0 => return Ok(()),
        1 => "1 package was refused".to_owned(),
        count => format!("{count} packages were refused"),
    };
    if is_checked {
        return Err(Failure::new(what).hint("the list says which, and why"));
    }
    note(&format!("warning: {what}; --check makes that a failure"));
    Ok(())
}

/// Checks manifests as they are.
///
/// # Errors
/// If one cannot be read or breaks a rule.
pub fn check(files: &[PathBuf], output: Output) -> Result<(), Failure> {
    let checked = files.iter().map(|file| {
        let name = file.display().to_string();
        let read = std::fs::read(file).map_err(|error| ("unreadable", error.to_string()));
        let fault = read.and_then(|text| match parse_manifest(&text) {
            Ok(_) => Ok(()),
            Err(error) => Err((error.code, error.reason)),
        });
        (name, fault.err())
    });
    let checked: Vec<_> = checked.collect();
    let value = json!({
        "manifests": checked.iter().map(|(file, fault)| json!({
            "file": file,
            "code": fault.as_ref().map(|(code, _)| code),
            "reason": fault.as_ref().map(|(_, reason)| reason),
        })).collect::<Vec<_>>(),
    });
    output.print(&value, || {
        let cells = |(file, fault): &(String, Option<(&str, String)>)| {
            let (code, reason) = match fault {
                Some((code, reason)) => (*code, reason.clone()),
                None => ("sound", "-".to_owned()),
            };
            vec![file.clone(), code.to_owned(), reason]
        };
        let rows: Vec<_> = checked.iter().map(cells).collect();
        table(&["FILE", "CODE", "REASON"], &rows)
    })?;
    let broken: Vec<_> = checked
        .iter()
        .filter(|(_, fault)| fault.is_some())
        .collect();
    match broken.len() {
        0 => Ok(()),
        count => Err(Failure::new(format!(
            "{count} of {} manifests break a rule of the host",
            checked.len()
        ))),
    }
}

fn list(catalog: &Catalog, output: Output) -> Result<(), Failure> {
    let value = json!({
        "catalog_version": catalog.catalog_version(),
        "plugins": catalog.plugins().iter().map(|p| loaded(p)).collect::<Vec<_>>(),
        "listed": catalog.listed().iter().map(listed).collect::<Vec<_>>(),
        "refused": catalog.refused().iter().map(refused).collect::<Vec<_>>(),
    });
    output.print(&value, || {
        listing(
            catalog.plugins().iter().map(AsRef::as_ref),
            catalog.listed(),
            catalog.refused(),
        )
    })
}

fn show(
    catalog: &Catalog,
    key: &str,
    kind: Option<PluginKind>,
    version: Option<&str>,
    output: Output,
) -> Result<(), Failure> {
    let kinds = kind.map_or(PluginKind::ALL.to_vec(), |kind| vec![kind]);
    let found = kinds
        .iter()
        .find_map(|kind| catalog.find(*kind, key, version));
    if let Some(plugin) = found {
        let mut value = loaded(&plugin);
        value["manifest"] = plugin.manifest_json.clone();
        return output.print(&value, || {
            let digest = plugin.digest.to_string();
            let head = head(&value, &digest, "loaded");
            let settings = settings(&plugin.manifest);
            format!("{head}\n{settings}{:#}", plugin.manifest_json)
        });
    }
    let wanted = |v: &str| version.is_none_or(|version| version == v);
    // The catalog is sorted, so the newest version comes last.
    let found = catalog.listed().iter().rev().find(|entry| {
        kinds.contains(&entry.kind) && entry.key == key && wanted(&entry.version.to_string())
    });
    if let Some(entry) = found {
        let mut value = listed(entry);
        value["manifest"] = entry.manifest_json.clone();
        return output.print(&value, || {
                    let why = match entry.reason {
                        ListedOnly::NoComponent => "listed only: it has no component, nothing runs",
                        ListedOnly::Blocked => "listed only: blocked_digests names its component",
                        ListedOnly::Pending => {
                            "pending: it may do more than the version before it; `gtm plugin approve` shows what"
                        }
                    };
                    format!("{}\n{:#}", head(&value, "-", why), entry.manifest_json)
                });
    }
    let refused = catalog.refused().iter().find(|package| {
        package.kind.is_none_or(|kind| kinds.contains(&kind))
            && package.key.as_deref() == Some(key)
            && package.version.as_deref().is_none_or(wanted)
    });
    Err(match refused {
        Some(package) => Failure::new(format!(
            "the package {} was refused ({}): {}",
            package.path.display(),
            package.code,
            package.reason
        )),
        None => match version {
            Some(version) => Failure::absent("plugin", format!("{key} {version}")),
            None => Failure::absent("plugin", key),
        },
    })
}

/// The facts above a manifest, from the members of [`loaded`] and [`listed`].
fn head(value: &Value, digest: &str, state: &str) -> String {
    let member = |name: &str| value[name].as_str().unwrap_or("-").to_owned();
    fields(&[
        ("kind", member("kind")),
        ("key", member("key")),
        ("version", member("version")),
        ("publisher", member("publisher")),
        ("state", state.to_owned()),
        ("digest", digest.to_owned()),
        ("signed by", member("signature")),
    ])
}

/// The table of the settings, with a blank line behind it; nothing where there are none.
fn settings(manifest: &Manifest) -> String {
    let rows: Vec<_> = plugin_settings::described(manifest)
        .into_iter()
        .map(|setting| {
            vec![
                setting.name,
                setting.form,
                if setting.required { "yes" } else { "no" }.to_owned(),
                setting.description,
            ]
        })
        .collect();
    if rows.is_empty() {
        return String::new();
    }
    table(&["SETTING", "VALUE", "REQUIRED", "DESCRIPTION"], &rows) + "\n"
}

fn loaded(plugin: &Loaded) -> Value {
    json!({
        "kind": plugin.kind.key(),
        "key": plugin.key,
        "version": plugin.version.to_string(),
        "publisher": plugin.manifest.publisher,
        "name": plugin.manifest.name,
        "capabilities": plugin.manifest.capabilities,
        "component_digest": plugin.digest,
        "manifest_digest": plugin.manifest_digest,
        "size_bytes": plugin.size_bytes,
        "compiled": plugin.is_compiled(),
        "signature": signer(&plugin.signature),
    })
}

fn listed(entry: &Listed) -> Value {
    json!({
        "kind": entry.kind.key(),
        "key": entry.key,
        "version": entry.version.to_string(),
        "publisher": entry.manifest.publisher,
        "name": entry.manifest.name,
        "capabilities": entry.manifest.capabilities,
        "reason": reason(entry),
        "manifest_digest": entry.manifest_digest,
        "signature": signer(&entry.signature),
    })
}

fn reason(entry: &Listed) -> &'static str {
    match entry.reason {
        ListedOnly::NoComponent => "no_component",
        ListedOnly::Blocked => "blocked",
        ListedOnly::Pending => "pending",
    }
}

fn refused(package: &RefusedPackage) -> Value {
    json!({
        "path": package.path.display().to_string(),
        "kind": package.kind.map(PluginKind::key),
        "key": package.key,
        "version": package.version,
        "code": package.code,
        "reason": package.reason,
    })
}

fn signer(signature: &SignatureStatus) -> String {
    match signature {
        SignatureStatus::Trusted { key_id } => key_id.clone(),
        SignatureStatus::Unsigned => "unsigned".to_owned(),
    }
}

fn listing<'p>(
    plugins: impl Iterator<Item = &'p Loaded>,
    listed: &[Listed],
    refused: &[RefusedPackage],
) -> String {
    let rows: Vec<_> = plugins
        .map(|p| {
            vec![
                p.kind.to_string(),
                p.key.clone(),
                p.version.to_string(),
                p.manifest.capabilities.join(","),
                signer(&p.signature),
                p.digest.to_string(),
            ]
        })
        .collect();
    let mut out = format!(
        "loaded\n{}",
        table(
            &[
                "KIND",
                "KEY",
                "VERSION",
                "CAPABILITIES",
                "SIGNED BY",
                "DIGEST"
            ],
            &rows
        )
    );
    if !listed.is_empty() {
        let cells = |entry: &Listed| {
            vec![
                entry.kind.to_string(),
                entry.key.clone(),
                entry.version.to_string(),
                entry.manifest.capabilities.join(","),
                signer(&entry.signature),
                reason(entry).to_owned(),
            ]
        };
        let rows: Vec<_> = listed.iter().map(cells).collect();
        let headings = ["KIND", "KEY", "VERSION", "CAPABILITIES", "SIGNED BY", "WHY"];
        out.push_str(&format!("\nlisted only\n{}", table(&headings, &rows)));
    }
    if !refused.is_empty() {
        let cells = |p: &RefusedPackage| {
            vec![
                or_dash(p.kind),
                or_dash(p.key.clone()),
                or_dash(p.version.clone()),
                p.code.to_owned(),
                p.reason.clone(),
            ]
        };
        let rows: Vec<_> = refused.iter().map(cells).collect();
        out.push_str(&format!(
            "\nrefused\n{}",
            table(&["KIND", "KEY", "VERSION", "CODE", "REASON"], &rows)
        ));
    }
    out
}
