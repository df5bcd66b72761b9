//! Renders documents as DOCX: real styles made from the theme, numbered lists, native charts and tables, notes for
//! citations, and a table of contents that is filled when the file is opened.
//!
//! [`render`] makes the file from a document; the component around it reads assets and writes the artifact. Parts
//! that slides have too, such as charts and the theme, are `documents/ooxml`'s.
#![forbid(unsafe_code)]

mod body;
mod contents;
mod design;
mod diagnostics;
mod ink;
mod parts;
mod qr;
mod render;
mod template;

use gtm_document_model::Document;
use gtm_sdk::{DocumentRenderer, Failure, Value, artifacts, assets, json};

pub use body::Assets;
pub use diagnostics::{Code, Diagnostic};
pub use render::{RenderError, Rendered};

/// Media type of the file.
pub const MEDIA_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.wordprocessingml.document";
const MANIFEST: &str = "evidence-manifest.json";

/// The organization's own template.
const TEMPLATE: &str = "template.docx";

/// Renders a document. With a template of the organization, it has its look.
///
/// # Errors
/// Where the file would be larger than an archive can be, or the template is refused.
pub fn render(
    document: &Document,
    assets: &dyn Assets,
    manifest: Option<&[u8]>,
) -> Result<Rendered, RenderError> {
    match assets.read(TEMPLATE) {
        Some(bytes) => template::render(document, assets, manifest, &bytes),
        None => Ok(render::in_own_look(document, assets, manifest)?),
    }
}

/// The component.
pub struct DocxRenderer;

/// The assets of the call.
struct HostAssets;

impl Assets for HostAssets {
    fn read(&self, name: &str) -> Option<Vec<u8>> {
        assets::read(name).map(|asset| asset.bytes)
    }
}

impl DocumentRenderer for DocxRenderer {
    fn render(document: Value) -> Result<Value, Failure> {
        let document = Document::from_value(document).map_err(|faults| {
            let faults = faults.iter().map(|fault| {
                json::json!({"pointer": fault.pointer, "code": fault.code, "message": fault.message})
            });
            Failure::invalid_input("invalid_document", "The document breaks its schema.")
                .with_detail(json::json!({"faults": faults.collect::<Vec<_>>()}))
        })?;
        let manifest = HostAssets.read(MANIFEST);
        let rendered =
            render(&document, &HostAssets, manifest.as_deref()).map_err(|error| match error {
                RenderError::Package(error) => {
                    Failure::internal("render_failed", error.to_string())
                }
                RenderError::Template(error) => {
                    let message = format!("The organization's template is refused: {error}.");
                    Failure::invalid_input("invalid_template", message)
                }
            })?;
        let mut writer = artifacts::create("document.docx", MEDIA_TYPE)?;
        for piece in rendered.bytes.chunks(1 << 20) {
            writer.write(piece)?;
        }
        writer.finish()?;
        Ok(json::json!({"pages": rendered.pages, "diagnostics": rendered.diagnostics}))
    }
}

gtm_sdk::document_renderer!(DocxRenderer);
