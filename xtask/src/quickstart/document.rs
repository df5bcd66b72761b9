//! `--document`: binds what a document needs, researches the company as a brand, and saves the files.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, bail};
use serde_json::{Value, json};

use super::Run;
use super::api::Client;
use super::host::Installation;
use super::report;
use super::setup::{bind_backend, project_of};
use super::state::State;

/// Where documents are created.
pub const PATH: &str = "/v1/documents";
/// Catalog key of the backend.
const BACKEND: &str = "document";
/// A brief of the sample company, for an offer to one of its prospects.
const SAMPLE_BRIEF: &str = "samples/proposal-brief.md";

/// A format of documents.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Format {
    Pptx,
    Docx,
    Pdf,
}

impl Format {
    const fn key(self) -> &'static str {
        match self {
            Self::Pptx => "pptx",
            Self::Docx => "docx",
            Self::Pdf => "pdf",
        }
    }

    /// Catalog key of its renderer.
    const fn renderer(self) -> &'static str {
        match self {
            Self::Pptx => "render-pptx",
            Self::Docx => "render-docx",
            Self::Pdf => "render-pdf",
        }
    }
}

/// The plug-ins that a document of this format needs, besides those of a playbook.
pub fn plugins(format: Option<Format>) -> Vec<&'static str> {
    format.map_or_else(Vec::new, |format| vec![BACKEND, format.renderer()])
}

/// Binds the backend and the format's renderer, unless they are bound.
pub fn ensure_bound(
    installation: &Installation,
    state: &mut State,
    format: Format,
    start_urls: &Value,
) -> Result<()> {
    let project = project_of(state)?;
    let settings = json!({ "start_urls": start_urls });
    if state.document_settings.as_ref() != Some(&settings) {
        bind_backend(installation, &project, "documents", BACKEND, &settings)?;
        state.document_settings = Some(settings);
        state.save(&installation.data)?;
    }
    let renderer = format.renderer();
    if !state.renderers.iter().any(|bound| bound == renderer) {
        installation.admin(&[
            "binding",
            "create",
            "--project",
            &project,
            "--role",
            &format!("render.{}", format.key()),
            "--renderer",
            renderer,
            "--newest-version",
        ])?;
        state.renderers.push(renderer.to_owned());
        state.save(&installation.data)?;
    }
    Ok(())
}

/// Researches the company as a brand and waits for its guideline, unless an earlier run did. Returns the brand's id.
///
/// It is no default brand: a later playbook about this company would be written as if the company sold to itself.
pub fn ensure_brand(
    run: &mut Run<'_>,
    installation: &Installation,
    state: &mut State,
    domain: &str,
) -> Result<String> {
    if let Some(brand) = state.brands.get(domain) {
        let known = run.client.get(&format!("/v1/brands/{brand}"))?;
        if known.status == 200 && known.body["guideline_available"] == true {
            return Ok(brand.clone());
        }
    }
    let input = json!({ "website_url": format!("https://{domain}/") });
    let job = run.job("/v1/brands", &input)?;
    if job["status"] != "succeeded" {
        bail!(
            "no guideline for {domain}: {}",
            report::render_failure(&job)
        );
    }
    let brand = job["result"]["brand_profile_id"].as_str();
    let brand = brand.context("a brand job without its brand")?.to_owned();
    state.brands.insert(domain.to_owned(), brand.clone());
    state.save(&installation.data)?;
    Ok(brand)
}

/// The input of the documents job.
pub fn input(root: &Path, format: Format, brief: Option<&Path>, brand: &str) -> Result<Value> {
    let sample = root.join(SAMPLE_BRIEF);
    let path = brief.unwrap_or(&sample);
    let brief = fs::read(path).with_context(|| format!("cannot read {}", path.display()))?;
    let brief = String::from_utf8(brief).ok().with_context(|| {
        format!(
            "cannot read {}: it is no text in UTF-8; open it in an editor and save it with the encoding UTF-8",
            path.display()
        )
    })?;
    Ok(json!({ "brief": brief, "format": format.key(), "brand": brand }))
}

/// Downloads the files of a documents job into the data directory and returns where they are.
pub fn save(client: &Client, data: &Path, job: &Value) -> Result<Vec<PathBuf>> {
    let id = job["id"].as_str().context("a job without id")?;
    let folder = data.join("documents").join(id);
    fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let files = job["result"]["files"].as_array().into_iter().flatten();
    files
        .map(|file| {
            let file_id = file["file_id"].as_str().context("a file without id")?;
            let bytes = client.download(&format!("{PATH}/{id}/files/{file_id}"))?;
            let name = file["filename"].as_str().unwrap_or(file_id);
            // A name with a folder in it is none that the API gives.
            let name = Path::new(name).file_name().context("a file without name")?;
            let path = folder.join(name);
            fs::write(&path, bytes).with_context(|| format!("cannot write {}", path.display()))?;
            Ok(path)
        })
        .collect()
}
