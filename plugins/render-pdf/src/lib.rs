//! Renders documents as PDF: typeset pages or slides that are tagged (PDF/UA-1), can be archived (PDF/A-3a), and carry
//! their fonts and their evidence manifest.
//!
//! [`render`] makes the file from a document; the component around it reads assets and writes the artifact. How pages
//! look is in `template/`, in the typesetter's language.
#![forbid(unsafe_code)]

mod fonts;
mod glyphs;
mod render;
mod typeset;

use gtm_document_model::Document;
use gtm_ooxml::picture::Format;
use gtm_sdk::{DocumentRenderer, Failure, Value, artifacts, assets, json};

pub use gtm_typeset_input::{Assets, Code, Diagnostic};
pub use render::{RenderError, Rendered, render};
pub use typeset::Refusal;

/// Media type of the file.
pub const MEDIA_TYPE: &str = "application/pdf";
const MANIFEST: &str = "evidence-manifest.json";

/// The component.
pub struct PdfRenderer;

/// The assets of the call.
struct HostAssets;

impl Assets for HostAssets {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        assets::read(name).map(|asset| asset.bytes)
    }

    fn decodes(&self, bytes: &[u8], format: Format) -> bool {
        typeset::decodes(bytes, format)
    }
}

impl DocumentRenderer for PdfRenderer {
    fn render(document: Value) -> Result<Value, Failure> {
        let document = Document::from_value(document).map_err(|faults| {
            let faults = faults.iter().map(|fault| {
                json::json!({"pointer": fault.pointer, "code": fault.code, "message": fault.message})
            });
            Failure::invalid_input("invalid_document", "The document breaks its schema.")
                .with_detail(json::json!({"faults": faults.collect::<Vec<_>>()}))
        })?;
        let fonts = (assets::names().into_iter())
            .filter(|name| name.starts_with(fonts::PREFIX))
            .filter_map(|name| Some((name.clone(), assets::read(&name)?.bytes)))
            .collect();
        let manifest = HostAssets.read(MANIFEST);
        let rendered = render(&document, &HostAssets, fonts, manifest.as_deref())
            .map_err(|error| failure(&error))?;
        let mut writer = artifacts::create("document.pdf", MEDIA_TYPE)?;
        for piece in rendered.bytes.chunks(1 << 20) {
            writer.write(piece)?;
        }
        writer.finish()?;
        Ok(json::json!({"pages": rendered.pages, "diagnostics": rendered.diagnostics}))
    }
}

/// What the host tells of it: the reason is one that it knows.
fn failure(error: &RenderError) -> Failure {
    let told = error.to_string();
    match error {
        RenderError::MissingGlyphs => Failure::invalid_input("render_failed", told)
            .with_detail(json::json!({"reason": "missing_glyphs"})),
        RenderError::Refused(_) => Failure::internal("render_failed", told),
    }
}

gtm_sdk::document_renderer!(PdfRenderer);
