//! Renders documents as the product does: with the renderers of this checkout, through `gtm render`.
//!
//! For `cargo xtask gallery`, which shows the files, and `cargo xtask documents`, which checks them.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context as _, Result, bail};
use gtm_document_gallery::Asset;
use serde_json::Value;

use crate::plugins::{self, Publisher, Purpose};
use crate::process::capture;
use crate::quickstart::host::Installation;
use crate::quickstart::setup;
use crate::workspace::Workspace;

/// The formats, and the keys of their renderers.
pub const FORMATS: [(&str, &str); 3] = [
    ("pptx", "render-pptx"),
    ("docx", "render-docx"),
    ("pdf", "render-pdf"),
];

/// The renderers of this checkout, ready to run.
pub struct Renderers {
    installation: Installation,
    catalog: PathBuf,
    /// Keys of the renderers that are there, by format.
    there: BTreeMap<&'static str, &'static str>,
    fonts: Vec<(String, PathBuf)>,
}

/// A rendered file, and what rendering took.
#[derive(Debug)]
pub struct Rendered {
    pub file: PathBuf,
    pub pages: Option<u64>,
    pub bytes: u64,
    pub wall_ms: u64,
    pub peak_memory_bytes: u64,
    pub diagnostics: Vec<Value>,
}

/// Why there is no file.
#[derive(Debug)]
pub struct Refusal {
    /// Such as `invalid_document`; empty if the program itself failed.
    pub code: String,
    pub message: String,
}

impl Renderers {
    /// Builds the host and its renderers, and sets up an installation for them below `folder`. To measure them, they
    /// and the host are built as for a release.
    pub fn prepare(workspace: &Workspace, folder: &Path, purpose: Purpose) -> Result<Self> {
        let catalog = folder.join("catalog");
        let keys = plugins::build_renderers(workspace, &catalog, purpose)?;
        let there = (FORMATS.into_iter())
            .filter(|(_, renderer)| keys.iter().any(|key| key == renderer))
            .collect();
        let data = folder.join("data");
        fs::create_dir_all(&data).with_context(|| format!("cannot make {}", data.display()))?;
        let installation = match purpose {
            Purpose::Development => Installation::build(workspace, data)?,
            Purpose::Release | Purpose::Benchmark => Installation::build_release(workspace, data)?,
        };
        let publisher = Publisher::load_or_create(&workspace.publisher())?;
        setup::write_config(workspace, &installation, &publisher, &[])?;
        Ok(Self {
            installation,
            catalog,
            there,
            fonts: east_asian_font().into_iter().collect(),
        })
    }

    /// Whether there is a renderer of this format.
    pub fn can(&self, format: &str) -> bool {
        self.there.contains_key(format)
    }

    /// Whether fonts for Chinese, Japanese and Korean were found on this machine.
    pub fn has_east_asian_font(&self) -> bool {
        !self.fonts.is_empty()
    }

    /// Renders one document into `<folder>/<name>.<format>`.
    ///
    /// # Errors
    /// If there is no such renderer, or a file cannot be written. That a document is refused is no error.
    pub fn render(
        &self,
        format: &str,
        folder: &Path,
        name: &str,
        document: &Value,
        assets: &[Asset],
    ) -> Result<Result<Rendered, Refusal>> {
        let key = (self.there.get(format))
            .with_context(|| format!("there is no renderer of {format}"))?;
        let input = folder.join("input").join(format!("{name}.{format}"));
        fs::create_dir_all(&input).with_context(|| format!("cannot make {}", input.display()))?;
        let path = input.join("document.json");
        fs::write(&path, document.to_string())
            .with_context(|| format!("cannot write {}", path.display()))?;
        let mut command = self.installation.command();
        command
            .args(["--json", "--catalog"])
            .arg(&self.catalog)
            .args(["render", "--renderer", key, "--document"])
            .arg(&path)
            .arg("--output")
            .arg(&input);
        for (index, asset) in assets.iter().enumerate() {
            let path = input.join(format!("asset-{index}.{}", asset.extension));
            fs::write(&path, &asset.bytes)
                .with_context(|| format!("cannot write {}", path.display()))?;
            let given = format!("{}={}", asset.name, path.display());
            command.args(["--asset", &given]);
        }
        if key == &"render-pdf" && is_east_asian(document) {
            for (name, path) in &self.fonts {
                command.args(["--asset", &format!("{name}={}", path.display())]);
            }
        }
        let output = command
            .stdin(Stdio::null())
            .output()
            .context("cannot start gtm")?;
        if !output.status.success() {
            return Ok(Err(refusal(&String::from_utf8_lossy(&output.stderr))));
        }
        let told: Value = serde_json::from_slice(&output.stdout)
            .context("`gtm render` printed something that is not JSON")?;
        let file = folder.join(format!("{name}.{format}"));
        rendered(&told, file).map(Ok)
    }
}

/// Moves the file to its place and reads what the run took.
fn rendered(told: &Value, file: PathBuf) -> Result<Rendered> {
    let files = told["files"].as_array().map_or(&[][..], Vec::as_slice);
    let [only] = files else {
        bail!("the renderer made {} files, not one", files.len());
    };
    let made = only["path"].as_str().unwrap_or_default();
    fs::rename(made, &file).with_context(|| format!("cannot move {made}"))?;
    let number = |value: &Value| value.as_u64().unwrap_or(0);
    Ok(Rendered {
        file,
        pages: told["answer"]["pages"].as_u64(),
        bytes: number(&only["size_bytes"]),
        wall_ms: number(&told["wall_ms"]),
        peak_memory_bytes: number(&told["peak_memory_bytes"]),
        diagnostics: told["answer"]["diagnostics"]
            .as_array()
            .cloned()
            .unwrap_or_default(),
    })
}

/// The last error on standard error: `error: code: message`.
fn refusal(stderr: &str) -> Refusal {
    let told = stderr
        .lines()
        .rev()
        .find_map(|line| line.strip_prefix("error: "))
        .unwrap_or(stderr);
    let is_code = |word: &str| {
        !word.is_empty()
            && (word.bytes())
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_' || byte.is_ascii_digit())
    };
    match told.split_once(": ") {
        Some((code, message)) if is_code(code) => Refusal {
            code: code.to_owned(),
            message: message.to_owned(),
        },
        _ => Refusal {
            code: String::new(),
            message: told.trim().to_owned(),
        },
    }
}

fn is_east_asian(document: &Value) -> bool {
    let language = document["meta"]["language"].as_str().unwrap_or_default();
    ["ja", "zh", "ko"]
        .iter()
        .any(|tag| language.starts_with(tag))
}

/// A font that the renderer of PDF does not bring along, because of its size, and an operator gives it.
pub fn east_asian_font() -> Option<(String, PathBuf)> {
    let told = capture(Command::new("fc-match").args([
        "--format",
        "%{family}\t%{file}",
        "Noto Sans CJK JP:lang=ja:style=Regular",
    ]))
    .ok()?;
    let (family, file) = told.split_once('\t')?;
    let end = Path::new(file).extension()?.to_str()?.to_owned();
    family
        .contains("CJK")
        .then(|| (format!("fonts/east-asian.{end}"), PathBuf::from(file)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_refusal_has_its_code() {
        let told = refusal("warn: a\nerror: invalid_document: /sections is empty\nhint: {}\n");
        assert_eq!(
            (told.code.as_str(), told.message.as_str()),
            ("invalid_document", "/sections is empty")
        );
        let told = refusal("error: cannot read a.json: no such file\n");
        assert_eq!(told.code, "");
        assert_eq!(told.message, "cannot read a.json: no such file");
        assert_eq!(refusal("killed").message, "killed");
    }
}
