//! `gtm render`: one run of a renderer outside a job, in the sandbox and with the limits that jobs have.
//!
//! Nothing is stored: no job, no evidence, no charge. The document goes to the renderer as it is, so what a
//! renderer refuses, it refuses here too.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::str::FromStr;
use std::sync::Arc;

use gtm_domain::Digest;
use gtm_domain::document::template::asset as asset_name;
use gtm_runtime::{Artifact, Asset, CallLabels, LogLevel, PluginKind, RenderCall, RenderOutcome};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use super::plugin_name::PluginName;
use super::plugin_settings::SettingOptions;
use crate::failure::Failure;
use crate::installation::Installation;
use crate::output::{Output, fields, note, table};

/// The largest file that is read. Documents and assets of jobs are smaller.
const MAX_BYTES: u64 = 64 << 20;

/// What to render, and where the files go.
#[derive(Debug, clap::Args)]
pub struct Render {
    /// The renderer's key, and its version if it is not to be the newest
    #[arg(long, value_name = "KEY[@VERSION]", value_parser = renderer_name)]
    renderer: PluginName,
    /// File with the document, as JSON of the model gtm.doc/1
    #[arg(long, value_name = "FILE")]
    document: PathBuf,
    /// A file that the renderer may read under this name: a logo, an image, a font; may be repeated
    #[arg(long = "asset", value_name = "NAME=FILE")]
    assets: Vec<AssetFile>,
    /// An organization's own PPTX or DOCX, whose look the file has; checked as `gtm template add` does
    #[arg(long, value_name = "FILE")]
    template: Option<PathBuf>,
    /// Settings of the renderer
    #[command(flatten)]
    settings: SettingOptions,
    /// Where the files go, replacing those of the same name; made if it is absent
    #[arg(long, value_name = "DIR", default_value = ".")]
    output: PathBuf,
}

fn renderer_name(text: &str) -> Result<PluginName, String> {
    PluginName::read(text, "render-pdf")
}

/// An asset's name and the file with its content.
#[derive(Debug, Clone, PartialEq, Eq)]
struct AssetFile {
    name: String,
    path: PathBuf,
}

impl FromStr for AssetFile {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.split_once('=') {
            Some((name, path)) if !name.is_empty() && !path.is_empty() => Ok(Self {
                name: name.to_owned(),
                path: path.into(),
            }),
            _ => Err("expected NAME=FILE, such as logo=company.svg".to_owned()),
        }
    }
}

/// Renders the document, writes the files and prints what the renderer answered.
///
/// # Errors
/// If a file cannot be read or written, there is no such renderer, or it makes no files.
pub async fn run(
    command: Render,
    installation: &Installation,
    output: Output,
) -> Result<(), Failure> {
    let document = document(&command.document)?;
    let mut assets = assets(&command.assets)?;
    assets.extend(
        command
            .template
            .as_deref()
            .map(template)
            .transpose()?
            .flatten(),
    );
    let runtime = installation.start_runtime().await?;
    let plugin = command.renderer.find(
        runtime.catalog(),
        (PluginKind::DocumentRenderer, "renderer"),
        ": give its folder with --catalog",
    )?;
    let settings = command.settings.read(&plugin.manifest)?;
    let outcome = runtime
        .render(RenderCall {
            plugin: Arc::clone(&plugin),
            document,
            settings,
            assets,
            started_at: installation.clock.now(),
            // The limits of manifest and host are shorter.
            deadline: runtime.limits().wall,
            cancel: CancellationToken::new(),
            span_fields: CallLabels::default(),
        })
        .await;
    for line in &outcome.logs {
        note(&format!("{}: {}", level(line.level), line.message));
    }
    let (answer, files) = finished(&outcome)?;
    let files = write(&command.output, files)?;
    let value = json!({
        "renderer": {
            "key": plugin.key,
            "version": plugin.version.to_string(),
            "component_digest": plugin.digest,
            "component_bytes": plugin.size_bytes,
        },
        "answer": answer,
        "files": files,
        "wall_ms": outcome.resources.wall_ms,
        "cpu_ms": outcome.resources.cpu_ms,
        "peak_memory_bytes": outcome.resources.peak_memory_bytes,
    });
    output.print(&value, || for_people(&value))
}

fn document(path: &Path) -> Result<Value, Failure> {
    let bytes = read(path)?;
    serde_json::from_slice(&bytes)
        .map_err(|error| Failure::new(format!("{} is not JSON: {error}", path.display())))
}

fn assets(files: &[AssetFile]) -> Result<BTreeMap<String, Asset>, Failure> {
    let mut assets = BTreeMap::new();
    for file in files {
        let media_type = media_type(&file.path)?.to_owned();
        let bytes = read(&file.path)?.into();
        let asset = Asset { media_type, bytes };
        if assets.insert(file.name.clone(), asset).is_some() {
            return Err(Failure::new(format!("two assets are named {}", file.name)));
        }
    }
    Ok(assets)
}

/// A template as the asset that renderers of its format read.
fn template(path: &Path) -> Result<Option<(String, Asset)>, Failure> {
    let (format, bytes) = super::template::checked(path)?;
    let asset = Asset {
        media_type: format.media_type().to_owned(),
        bytes: bytes.into(),
    };
    Ok(asset_name(format).map(|name| (name.to_owned(), asset)))
}

fn read(path: &Path) -> Result<Vec<u8>, Failure> {
    let cannot = |error| Failure::new(format!("cannot read {}: {error}", path.display()));
    let mut bytes = Vec::new();
    let file = File::open(path).map_err(cannot)?;
    (file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(cannot)?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Failure::new(format!(
            "{} has more than {MAX_BYTES} bytes",
            path.display()
        )));
    }
    Ok(bytes)
}

/// The media types of what renderers read, by how the file's name ends.
const MEDIA_TYPES: [(&str, &str); 10] = [
    ("png", "image/png"),
    ("jpg", "image/jpeg"),
    ("jpeg", "image/jpeg"),
    ("svg", "image/svg+xml"),
    ("ttf", "font/ttf"),
    ("otf", "font/otf"),
    ("ttc", "font/collection"),
    ("json", "application/json"),
    (
        "pptx",
        "application/vnd.openxmlformats-officedocument.presentationml.presentation",
    ),
    (
        "docx",
        "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
    ),
];

fn media_type(path: &Path) -> Result<&'static str, Failure> {
    let end = path.extension().and_then(|end| end.to_str()).unwrap_or("");
    let known = MEDIA_TYPES
        .iter()
        .find(|(name, _)| end.eq_ignore_ascii_case(name));
    known.map(|(_, media_type)| *media_type).ok_or_else(|| {
        Failure::new(format!(
            "the media type of the asset {} is not known",
            path.display()
        ))
        .hint(format!(
            "its name must end with one of {}",
            MEDIA_TYPES.map(|(name, _)| name).join(", ")
        ))
    })
}

/// The answer and the files of a run that succeeded.
fn finished(outcome: &RenderOutcome) -> Result<(&Value, &[Artifact]), Failure> {
    match &outcome.result {
        Ok(answer) => Ok((answer, &outcome.artifacts)),
        Err(error) => {
            let failure = error.clone().into_failure();
            let told = Failure::new(format!("{}: {}", failure.code, failure.message));
            Err(match failure.detail {
                Some(detail) => told.hint(detail.to_string()),
                None => told,
            })
        }
    }
}

fn write(folder: &Path, files: &[Artifact]) -> Result<Vec<Value>, Failure> {
    let cannot =
        |path: &Path, error| Failure::new(format!("cannot write {}: {error}", path.display()));
    fs::create_dir_all(folder).map_err(|error| cannot(folder, error))?;
    let mut written = Vec::new();
    for file in files {
        let path = folder.join(&file.filename);
        fs::write(&path, &file.bytes).map_err(|error| cannot(&path, error))?;
        written.push(json!({
            "path": path.display().to_string(),
            "media_type": file.media_type,
            "size_bytes": file.bytes.len(),
            "digest": Digest::of(&file.bytes),
        }));
    }
    Ok(written)
}

const fn level(level: LogLevel) -> &'static str {
    match level {
        LogLevel::Debug => "debug",
        LogLevel::Info => "info",
        LogLevel::Warn => "warn",
        LogLevel::Error => "error",
    }
}

/// The outcome's figures, its files, and what the renderer says about places in the document.
fn for_people(value: &Value) -> String {
    let shown = |pointer: &str| match value.pointer(pointer) {
        Some(Value::String(text)) => text.clone(),
        Some(other) => other.to_string(),
        None => "-".to_owned(),
    };
    let mut text = fields(&[
        ("renderer", shown("/renderer/key")),
        ("version", shown("/renderer/version")),
        ("pages", shown("/answer/pages")),
        ("wall time", format!("{} ms", shown("/wall_ms"))),
        ("CPU time", format!("{} ms", shown("/cpu_ms"))),
        (
            "peak memory",
            format!("{} bytes", shown("/peak_memory_bytes")),
        ),
    ]);
    let rows = |pointer: &str, members: [&str; 3]| -> Vec<Vec<String>> {
        let list = value.pointer(pointer).and_then(Value::as_array);
        let cell = |row: &Value, member: &str| match &row[member] {
            Value::String(text) => text.clone(),
            other => other.to_string(),
        };
        list.into_iter()
            .flatten()
            .map(|row| members.iter().map(|member| cell(row, member)).collect())
            .collect()
    };
    let files = rows("/files", ["path", "size_bytes", "media_type"]);
    text.push_str(&format!(
        "\n\n{}",
        table(&["FILE", "BYTES", "MEDIA TYPE"], &files)
    ));
    let diagnostics = rows("/answer/diagnostics", ["code", "pointer", "message"]);
    if !diagnostics.is_empty() {
        text.push_str(&format!(
            "\n{}",
            table(&["DIAGNOSTIC", "WHERE", "WHAT"], &diagnostics)
        ));
    }
    text
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn an_asset_has_a_name_a_file_and_a_known_type() {
        let asset: AssetFile = "fonts/a=b=c.TTF".parse().unwrap();
        assert_eq!(
            (asset.name.as_str(), asset.path.as_path()),
            ("fonts/a", Path::new("b=c.TTF"))
        );
        assert_eq!(media_type(&asset.path).unwrap(), "font/ttf");
        for wrong in ["logo", "=a.png", "logo="] {
            assert!(wrong.parse::<AssetFile>().is_err(), "{wrong}");
        }
        assert!(media_type(Path::new("logo.gif")).is_err());
        assert!(media_type(Path::new("logo")).is_err());
    }
}
