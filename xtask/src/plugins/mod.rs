//! `cargo xtask plugins`: builds a signed catalog, which a host loads, from the plug-in crates.
//!
//! `discover` finds the plug-ins, `inputs` says whether anything changed, `compile` calls the compiler that
//! `toolchain` has found, `own_workspace` does so for plug-ins that are workspaces of their own, `component` makes components, `provenance` completes manifests, `signing` signs
//! them, `package` writes the packages.

mod compile;
mod component;
mod discover;
mod host_rules;
mod inputs;
pub mod own_workspace;
mod package;
mod provenance;
mod result_schemas;
mod signing;
mod toolchain;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use compile::Settings;
use component::Component;
use discover::{Entry, Source};
use package::Package;
use provenance::Provenance;
pub use signing::{PUBLIC_KEY, Publisher};
use toolchain::Toolchain;

use crate::workspace::Workspace;

/// Compile every plug-in and connector to a signed package in the catalog.
///
/// Each crate under connectors/ and plugins/ with a manifest.json beside its Cargo.toml is compiled for
/// wasm32-unknown-unknown, turned into a component, and written with its completed manifest, signature and
/// provenance to <catalog>/<kind>/<key>/<version>/. Unchanged plug-ins are not built again. Without
/// --release, one call of the compiler builds all plug-ins of a kind and optimizes little. A crate that is a workspace
/// of its own, such as plugins/render-pdf, is built in a cache below the user's cache folder (or GTM_COMPONENT_CACHE),
/// which takes many minutes once. Manifests in
/// connectors/catalog/ have no crate: they are signed and written as they are, and the catalog lists their
/// providers without being able to run them. Where gtm is built, its reader checks each manifest at the end.
#[derive(clap::Args)]
pub struct Args {
    /// Where to write the packages [default: catalog, or fixture-catalog with --fixtures, in
    /// cargo's target directory; with --release in its folder release]
    #[arg(long, value_name = "DIR")]
    catalog: Option<PathBuf>,
    /// Build only the plug-in with this key; may be given more than once
    #[arg(long, value_name = "KEY")]
    only: Vec<String>,
    /// Build the fixture plug-ins under tests/fixtures/ instead
    #[arg(long)]
    fixtures: bool,
    /// Build packages for others to install: smaller and faster, each compiled by itself
    #[arg(long)]
    release: bool,
}

/// What packages are built for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// For this checkout's own host and tests. A package changes whenever its sources do.
    Development,
    /// For others to install. A published package never changes.
    Release,
    /// To measure what a release would contain, even while the sources change from run to run.
    Benchmark,
}

impl Purpose {
    fn settings(self) -> Settings {
        match self {
            Self::Development => Settings::Development,
            Self::Release | Self::Benchmark => Settings::Release,
        }
    }
}

/// What was built, for the table.
pub struct Built {
    key: String,
    kind: String,
    version: String,
    /// Size and digest of the component; `None` for a catalog entry without one.
    component: Option<(usize, String)>,
    cached: bool,
}

/// Runs the command and prints the table.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    let purpose = if args.release {
        Purpose::Release
    } else {
        Purpose::Development
    };
    let default = if args.fixtures {
        workspace.fixture_catalog(purpose)
    } else {
        workspace.catalog(purpose)
    };
    let catalog = args.catalog.clone().unwrap_or(default);
    let toolchain = || Toolchain::find(&workspace);
    let built = build(
        &workspace,
        &catalog,
        purpose,
        &toolchain,
        args.fixtures,
        &args.only,
    )?;
    print!("{}", table(&built));
    host_rules::check(&workspace, &catalog, purpose, &built)
}

/// Installs a compiler for plug-ins where there is none, if that is possible.
pub fn install_compiler(workspace: &Workspace) -> Result<()> {
    Toolchain::find(workspace).map(drop)
}

/// Builds the product's plug-ins into their catalog.
pub fn build_product(workspace: &Workspace, purpose: Purpose) -> Result<Vec<Built>> {
    let toolchain = || Toolchain::find(workspace);
    let catalog = workspace.catalog(purpose);
    build(workspace, &catalog, purpose, &toolchain, false, &[])
}

/// Builds what a quickstart needs into the product's catalog: the plug-ins that only documents need are left
/// out but for those with one of these keys. Without cargo's progress, for a thread beside another build.
pub fn build_for_quickstart(workspace: &Workspace, documents: &[&str]) -> Result<Vec<Built>> {
    let sources = discover::discover(workspace, false)?;
    let entries = discover::entries(workspace, &sources)?;
    let known = |key: &&str| sources.iter().any(|source| source.key == **key);
    if let Some(missing) = documents.iter().find(|key| !known(key)) {
        bail!("this checkout has no plug-in `{missing}`");
    }
    let needed =
        |source: &&Source| !source.only_for_documents() || documents.contains(&source.key.as_str());
    let only: Vec<String> = (sources.iter().filter(needed).map(|source| &source.key))
        .chain(entries.iter().map(|entry| &entry.key))
        .cloned()
        .collect();
    let toolchain = || Ok(Toolchain::find(workspace)?.quietly());
    let purpose = Purpose::Development;
    let catalog = workspace.catalog(purpose);
    build(workspace, &catalog, purpose, &toolchain, false, &only)
}

/// Builds the renderers alone into this catalog, and returns their keys.
pub fn build_renderers(
    workspace: &Workspace,
    catalog: &Path,
    purpose: Purpose,
) -> Result<Vec<String>> {
    let keys: Vec<String> = (discover::discover(workspace, false)?.into_iter())
        .filter(|source| source.kind == "document_renderer")
        .map(|source| source.key)
        .collect();
    // Without a name, everything would be built.
    if !keys.is_empty() {
        let toolchain = || Toolchain::find(workspace);
        build(workspace, catalog, purpose, &toolchain, false, &keys)?;
    }
    Ok(keys)
}

/// Builds the fixture plug-ins into their catalog.
pub fn build_fixtures(workspace: &Workspace, purpose: Purpose) -> Result<Vec<Built>> {
    build(
        workspace,
        &workspace.fixture_catalog(purpose),
        purpose,
        &|| Toolchain::find(workspace),
        true,
        &[],
    )
}

fn build(
    workspace: &Workspace,
    catalog: &Path,
    purpose: Purpose,
    toolchain: &dyn Fn() -> Result<Toolchain>,
    fixtures: bool,
    only: &[String],
) -> Result<Vec<Built>> {
    let product = discover::discover(workspace, false)?;
    let fixture_sources = if fixtures {
        discover::discover(workspace, true)?
    } else {
        Vec::new()
    };
    let mut sources: Vec<&Source> = if fixtures { &fixture_sources } else { &product }
        .iter()
        .collect();
    let mut entries = if fixtures {
        Vec::new()
    } else {
        discover::entries(workspace, &product)?
    };
    let known: Vec<&str> = (sources.iter().map(|source| source.key.as_str()))
        .chain(entries.iter().map(|entry| entry.key.as_str()))
        .collect();
    if let Some(unknown) = only.iter().find(|key| !known.contains(&key.as_str())) {
        bail!("{}", discover::unknown(unknown, known, fixtures));
    }
    if !only.is_empty() {
        sources.retain(|source| only.contains(&source.key));
        entries.retain(|entry| only.contains(&entry.key));
    }
    fs::create_dir_all(catalog).with_context(|| format!("cannot make {}", catalog.display()))?;
    let publisher = Publisher::load_or_create(&workspace.publisher())?;
    let mut built = Vec::new();
    if !sources.is_empty() {
        let all: Vec<&Source> = product.iter().chain(&fixture_sources).collect();
        let toolchain = toolchain()?;
        for made in components(workspace, &toolchain, purpose.settings(), &sources, &all)? {
            built.push(write_package(
                workspace, catalog, &publisher, purpose, &toolchain, made,
            )?);
        }
    }
    provenance::complete_entries(workspace, &mut entries);
    for entry in entries {
        built.push(write_entry(catalog, &publisher, purpose, entry)?);
    }
    if fixtures && only.is_empty() {
        // Tests load the whole fixture catalog, so packages of renamed fixtures must go.
        let keep: Vec<_> = built
            .iter()
            .map(|it| (it.kind.as_str(), it.key.as_str(), it.version.as_str()))
            .collect();
        package::remove_others(catalog, &keep)?;
    }
    Ok(built)
}

/// A plug-in's component, and the folders that it was built from.
struct Made<'a> {
    source: &'a Source,
    folders: Vec<PathBuf>,
    component: Component,
    cached: bool,
}

/// The components of these sources: stored ones where nothing has changed, newly compiled ones otherwise.
fn components<'a>(
    workspace: &Workspace,
    toolchain: &Toolchain,
    settings: Settings,
    sources: &[&'a Source],
    all: &[&Source],
) -> Result<Vec<Made<'a>>> {
    let kept = workspace
        .target
        .join("plugin-build")
        .join(settings.profile());
    let mut found = Vec::new();
    for source in sources {
        let folders = inputs::folders(workspace, source)?;
        let fingerprint = inputs::fingerprint(workspace, toolchain, source, &folders)?;
        let place = if source.own_workspace {
            own_workspace::place(&source.package, settings, &fingerprint)?
        } else {
            kept.join(&source.package)
        };
        let stored = stored_component(&place, &fingerprint);
        found.push((*source, folders, fingerprint, place, stored));
    }
    let changed: Vec<&Source> = (found.iter().filter(|(.., stored)| stored.is_none()))
        .map(|(source, ..)| *source)
        .filter(|source| !source.own_workspace)
        .collect();
    let members: Vec<&Source> = (all.iter().copied())
        .filter(|source| !source.own_workspace)
        .collect();
    let mut modules = compile::compile(workspace, toolchain, settings, &changed, &members)?;
    for (source, folders, .., stored) in &found {
        if source.own_workspace && stored.is_none() {
            modules.extend(own_workspace::compile(
                workspace, toolchain, settings, source, folders,
            )?);
        }
    }
    let mut made = Vec::new();
    for (source, folders, fingerprint, place, stored) in found {
        let cached = stored.is_some();
        let component = match stored {
            Some(component) => component,
            None => {
                let module = modules
                    .get(&source.id)
                    .with_context(|| format!("plug-in `{}` was not compiled", source.key))?;
                let component = component::componentize(module)
                    .with_context(|| format!("plug-in `{}` cannot be built", source.key))?;
                store_component(&place, &fingerprint, &component)?;
                if source.own_workspace {
                    own_workspace::remove_oldest(&place)?;
                }
                component
            }
        };
        made.push(Made {
            source,
            folders,
            component,
            cached,
        });
    }
    Ok(made)
}

fn write_package(
    workspace: &Workspace,
    catalog: &Path,
    publisher: &Publisher,
    purpose: Purpose,
    toolchain: &Toolchain,
    made: Made<'_>,
) -> Result<Built> {
    let Made {
        source,
        folders,
        component,
        cached,
    } = made;
    let digest_hex = hex::encode(Sha256::digest(&component.bytes));
    let provenance = Provenance::collect(
        workspace,
        source,
        &folders,
        purpose.settings(),
        &toolchain.description,
    );
    let manifest =
        provenance::complete_manifest(&source.manifest, &component, &digest_hex, &provenance);
    let written = Package {
        kind: &source.kind,
        key: &source.key,
        version: &source.version,
        manifest: &manifest,
        publisher,
        component: Some(&component.bytes),
    }
    .write(catalog, purpose)?;
    Ok(Built {
        key: source.key.clone(),
        kind: source.kind.clone(),
        version: source.version.clone(),
        component: Some((component.bytes.len(), digest_hex)),
        cached: cached && !written,
    })
}

fn write_entry(
    catalog: &Path,
    publisher: &Publisher,
    purpose: Purpose,
    entry: Entry,
) -> Result<Built> {
    let manifest = Value::Object(entry.manifest);
    let written = Package {
        kind: &entry.kind,
        key: &entry.key,
        version: &entry.version,
        manifest: &manifest,
        publisher,
        component: None,
    }
    .write(catalog, purpose)?;
    Ok(Built {
        key: entry.key,
        kind: entry.kind,
        version: entry.version,
        component: None,
        cached: !written,
    })
}

/// The facts stored with a component's bytes.
#[derive(Serialize, Deserialize)]
struct BuildRecord {
    fingerprint: String,
    digest_hex: String,
    world: String,
    host_imports: Vec<String>,
}

/// The component of an earlier build from the same inputs, if it is still intact.
fn stored_component(store: &Path, fingerprint: &str) -> Option<Component> {
    let text = fs::read_to_string(store.join("build.json")).ok()?;
    let record: BuildRecord = serde_json::from_str(&text).ok()?;
    let bytes = fs::read(store.join("component.wasm")).ok()?;
    let whole = record.fingerprint == fingerprint
        && record.digest_hex == hex::encode(Sha256::digest(&bytes));
    whole.then_some(Component {
        bytes,
        world: record.world,
        host_imports: record.host_imports,
    })
}

fn store_component(store: &Path, fingerprint: &str, component: &Component) -> Result<()> {
    let record = BuildRecord {
        fingerprint: fingerprint.to_owned(),
        digest_hex: hex::encode(Sha256::digest(&component.bytes)),
        world: component.world.clone(),
        host_imports: component.host_imports.clone(),
    };
    fs::create_dir_all(store)
        .and_then(|()| fs::write(store.join("component.wasm"), &component.bytes))
        .and_then(|()| {
            fs::write(
                store.join("build.json"),
                serde_json::json!(record).to_string(),
            )
        })
        .with_context(|| format!("cannot write in {}", store.display()))
}

/// The table of the catalog's current content, one line per plug-in.
pub fn table(built: &[Built]) -> String {
    let mut rows = vec![["KEY", "KIND", "VERSION", "SIZE", "DIGEST", ""].map(str::to_owned)];
    rows.extend(built.iter().map(|it| {
        [
            it.key.clone(),
            it.kind.clone(),
            it.version.clone(),
            match &it.component {
                Some((size, _)) => format!("{:.1} KiB", *size as f64 / 1024.0),
                None => "-".to_owned(),
            },
            match &it.component {
                Some((_, digest_hex)) => format!("sha256:{digest_hex}"),
                None => "listed only".to_owned(),
            },
            if it.cached { "cached" } else { "built" }.to_owned(),
        ]
    }));
    let width = |column: usize| rows.iter().map(|row| row[column].len()).max().unwrap_or(0);
    let widths: [usize; 6] = std::array::from_fn(width);
    rows.iter()
        .map(|row| {
            let cells: Vec<_> = row
                .iter()
                .zip(widths)
                .map(|(cell, width)| format!("{cell:width$}"))
                .collect();
            format!("{}\n", cells.join("  ").trim_end())
        })
        .collect()
}

/// The catalog's current content in one line, for readers who want no plug-ins but what they make.
pub fn in_a_line(built: &[Built]) -> String {
    let bytes: usize = built
        .iter()
        .filter_map(|it| it.component.as_ref())
        .map(|(size, _)| size)
        .sum();
    let fresh = built.iter().filter(|it| !it.cached).count();
    format!(
        "{} plug-ins are in the catalog, {:.1} MiB: {fresh} built now, {} as they were (`cargo xtask plugins` lists them)",
        built.len(),
        bytes as f64 / (1024.0 * 1024.0),
        built.len() - fresh,
    )
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;

    fn component() -> Component {
        Component {
            bytes: b"bytes".to_vec(),
            world: "gtm:plugin/evaluator@0.1.0".into(),
            host_imports: vec![],
        }
    }

    #[test]
    fn a_stored_component_is_used_only_for_the_same_inputs_and_only_whole() {
        let folder = tempfile::tempdir().unwrap();
        assert!(stored_component(folder.path(), "f1").is_none());
        store_component(folder.path(), "f1", &component()).unwrap();
        let found = stored_component(folder.path(), "f1").unwrap();
        assert_eq!(found.world, component().world);
        assert!(stored_component(folder.path(), "f2").is_none());
        fs::write(folder.path().join("component.wasm"), b"other").unwrap();
        assert!(stored_component(folder.path(), "f1").is_none());
    }
}
