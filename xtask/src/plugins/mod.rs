//! `cargo xtask plugins`: from plug-in crates to a signed catalog that a host loads.
//!
//! `discover` finds them, `inputs` tells whether anything changed, `toolchain` compiles,
//! `component` makes components, `provenance` completes manifests, `signing` signs, `package`
//! writes.

mod component;
mod discover;
mod inputs;
mod package;
mod provenance;
mod signing;
mod toolchain;

use std::fs;
use std::io::BufReader;
use std::path::{Path, PathBuf};
use std::process::Stdio;

use anyhow::{Context as _, Result, bail};
use cargo_metadata::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use component::Component;
use discover::{Entry, Source};
use package::Package;
use provenance::Provenance;
pub use signing::{PUBLIC_KEY, Publisher};
use toolchain::Toolchain;

use crate::workspace::Workspace;

/// Compile every plug-in and connector to a signed package in the catalog.
///
/// Each crate under connectors/ and plugins/ with a manifest.json beside its Cargo.toml is compiled
/// for wasm32-unknown-unknown, made a component, and written with its completed manifest, signature
/// and provenance to <catalog>/<kind>/<key>/<version>/. What has not changed is not built again.
/// Manifests in connectors/catalog/ have no crate: they are signed and written as they are, and the
/// catalog lists their providers without being able to run them.
#[derive(clap::Args)]
pub struct Args {
    /// Where to write the packages [default: catalog, or fixture-catalog with --fixtures, in
    /// cargo's target directory]
    #[arg(long, value_name = "DIR")]
    catalog: Option<PathBuf>,
    /// Build only the plug-in with this key; may be given more than once
    #[arg(long, value_name = "KEY")]
    only: Vec<String>,
    /// Build the fixture plug-ins under tests/fixtures/ instead
    #[arg(long)]
    fixtures: bool,
}

/// What was built, for the table.
pub struct Built {
    key: String,
    kind: String,
    version: String,
    /// Size and digest of the component; none for an entry of the catalog alone.
    component: Option<(usize, String)>,
    cached: bool,
}

/// Runs the command and prints the table.
pub fn run(args: &Args) -> Result<()> {
    let workspace = Workspace::load()?;
    let default = if args.fixtures {
        workspace.fixture_catalog()
    } else {
        workspace.catalog()
    };
    let catalog = args.catalog.clone().unwrap_or(default);
    let built = build(&workspace, &catalog, args.fixtures, &args.only)?;
    print!("{}", table(&built));
    Ok(())
}

/// Builds the product's plug-ins into the default catalog.
pub fn build_product(workspace: &Workspace) -> Result<Vec<Built>> {
    build(workspace, &workspace.catalog(), false, &[])
}

/// Builds the fixture plug-ins into their own catalog.
pub fn build_fixtures(workspace: &Workspace) -> Result<Vec<Built>> {
    build(workspace, &workspace.fixture_catalog(), true, &[])
}

fn build(
    workspace: &Workspace,
    catalog: &Path,
    fixtures: bool,
    only: &[String],
) -> Result<Vec<Built>> {
    let mut sources = discover::discover(workspace, fixtures)?;
    let mut entries = if fixtures {
        Vec::new()
    } else {
        discover::entries(workspace, &sources)?
    };
    let known: Vec<&str> = (sources.iter().map(|source| source.key.as_str()))
        .chain(entries.iter().map(|entry| entry.key.as_str()))
        .collect();
    if let Some(unknown) = only.iter().find(|key| !known.contains(&key.as_str())) {
        bail!("no plug-in `{unknown}`; there are: {}", known.join(", "));
    }
    if !only.is_empty() {
        sources.retain(|source| only.contains(&source.key));
        entries.retain(|entry| only.contains(&entry.key));
    }
    fs::create_dir_all(catalog).with_context(|| format!("cannot make {}", catalog.display()))?;
    let publisher = Publisher::load_or_create(&workspace.publisher())?;
    let toolchain = if sources.is_empty() {
        None
    } else {
        Some(Toolchain::find(workspace)?)
    };
    let mut built = Vec::new();
    if let Some(toolchain) = &toolchain {
        for source in &sources {
            let one = build_one(workspace, catalog, &publisher, toolchain, source)
                .with_context(|| format!("plug-in `{}` cannot be built", source.key))?;
            built.push(one);
        }
    }
    provenance::complete_entries(
        workspace,
        &workspace.root.join(discover::ENTRIES),
        &mut entries,
    );
    for entry in entries {
        built.push(write_entry(catalog, &publisher, entry)?);
    }
    if fixtures && only.is_empty() {
        // Tests load the whole fixture catalog, so a fixture that was renamed must not stay.
        let keep: Vec<_> = built
            .iter()
            .map(|it| (it.kind.as_str(), it.key.as_str(), it.version.as_str()))
            .collect();
        package::remove_others(catalog, &keep)?;
    }
    Ok(built)
}

fn build_one(
    workspace: &Workspace,
    catalog: &Path,
    publisher: &Publisher,
    toolchain: &Toolchain,
    source: &Source,
) -> Result<Built> {
    let folders = inputs::folders(workspace, source)?;
    let fingerprint = inputs::fingerprint(workspace, toolchain, &folders)?;
    let store = workspace.target.join("plugin-build").join(&source.package);
    let (component, cached) = match stored_component(&store, &fingerprint) {
        Some(component) => (component, true),
        None => {
            eprintln!("building {} ({})", source.key, source.kind);
            let module = compile(workspace, toolchain, source)?;
            let component = component::componentize(&module)?;
            store_component(&store, &fingerprint, &component)?;
            (component, false)
        }
    };
    let digest_hex = hex::encode(Sha256::digest(&component.bytes));
    let provenance = Provenance::collect(workspace, source, &folders, &toolchain.description);
    let manifest =
        provenance::complete_manifest(&source.manifest, &component, &digest_hex, &provenance);
    let written = Package {
        kind: &source.kind,
        key: &source.key,
        version: &source.version,
        manifest: &manifest,
        signature: &publisher.sign(&manifest)?,
        component: Some((&provenance.statement(&digest_hex), &component.bytes)),
    }
    .write(catalog)?;
    Ok(Built {
        key: source.key.clone(),
        kind: source.kind.clone(),
        version: source.version.clone(),
        component: Some((component.bytes.len(), digest_hex)),
        cached: cached && !written,
    })
}

fn write_entry(catalog: &Path, publisher: &Publisher, entry: Entry) -> Result<Built> {
    let manifest = Value::Object(entry.manifest);
    let written = Package {
        kind: &entry.kind,
        key: &entry.key,
        version: &entry.version,
        manifest: &manifest,
        signature: &publisher.sign(&manifest)?,
        component: None,
    }
    .write(catalog)?;
    Ok(Built {
        key: entry.key,
        kind: entry.kind,
        version: entry.version,
        component: None,
        cached: !written,
    })
}

/// Compiles one plug-in by itself, so that no other plug-in's features reach it, and returns the
/// core module.
fn compile(workspace: &Workspace, toolchain: &Toolchain, source: &Source) -> Result<Vec<u8>> {
    let mut command = toolchain.build(workspace);
    command
        .args(["--package", &source.package])
        .arg("--message-format=json-render-diagnostics")
        .stdin(Stdio::null())
        .stdout(Stdio::piped());
    let mut child = command
        .spawn()
        .with_context(|| format!("cannot start {}", command.get_program().display()))?;
    let output = child.stdout.take().context("cargo's output is piped")?;
    let mut module = None;
    for message in Message::parse_stream(BufReader::new(output)) {
        if let Message::CompilerArtifact(artifact) =
            message.context("cannot read cargo's output")?
            && artifact.package_id == source.id
        {
            let wasm = artifact
                .filenames
                .into_iter()
                .find(|name| name.extension() == Some("wasm"));
            module = wasm.or(module);
        }
    }
    let status = child.wait().context("cannot wait for cargo")?;
    if !status.success() {
        bail!("the compiler refused it");
    }
    let module = module.context("cargo built no .wasm file")?;
    fs::read(&module).with_context(|| format!("cannot read {module}"))
}

/// What is kept of a build beside the component's bytes.
#[derive(Serialize, Deserialize)]
struct BuildRecord {
    fingerprint: String,
    digest_hex: String,
    world: String,
    host_imports: Vec<String>,
}

/// The component of an earlier build of the same inputs, if it is still whole.
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

/// The table of what is in the catalog now, one line a plug-in.
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
