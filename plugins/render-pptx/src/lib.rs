//! The renderer of presentations: a document becomes a PPTX file with a master, layouts, placeholders, native
//! tables and charts, notes and alternative texts.
//!
//! `compose` decides what stands on which slide, `blocks` knows how each kind of block looks, `slide` and
//! `parts` write it; `template` moves the slides into an organization's own file. The package, themes, charts and the width of text are `documents/ooxml`'s.
#![forbid(unsafe_code)]

mod blocks;
mod citations;
mod compose;
mod context;
mod diagnostics;
mod draw;
mod geometry;
mod labels;
mod layout;
mod look;
mod media;
mod parts;
mod render;
mod slide;
mod template;
mod text;

use gtm_document_model::Document;
use gtm_sdk::{DocumentRenderer, Failure, Value, artifacts, assets, json};

pub use diagnostics::{Code, Diagnostic};
pub use render::{RenderError, Rendered};

/// Asset that holds the organization's own template.
const TEMPLATE: &str = "template.pptx";

/// Renders a document. `read` gives the bytes of assets. With a template of the organization, the deck has its look.
///
/// # Errors
/// Where the file would be larger than an archive can be, or the template is refused.
pub fn render(
    document: &Document,
    read: &dyn Fn(&str) -> Option<Vec<u8>>,
) -> Result<Rendered, RenderError> {
    match read(TEMPLATE) {
        Some(template) => template::render(document, read, &template),
        None => Ok(render::draft(
            &context::Context::new(document),
            read,
            &mut |_| {},
        )?),
    }
}

pub struct PptxRenderer;

/// Name and media type of the file.
pub const FILE_NAME: &str = "document.pptx";
pub const MEDIA_TYPE: &str =
    "application/vnd.openxmlformats-officedocument.presentationml.presentation";

impl DocumentRenderer for PptxRenderer {
    fn render(document: Value) -> Result<Value, Failure> {
        let document = Document::from_value(document).map_err(|faults| {
            let message = "The document is not a valid gtm.doc/1.";
            Failure::invalid_input("invalid_document", message)
                .with_detail(json::json!({ "faults": faults }))
        })?;
        let read = |name: &str| assets::read(name).map(|asset| asset.bytes);
        let rendered = render(&document, &read).map_err(|error| match error {
            RenderError::Package(error) => {
                Failure::internal("package", format!("The file cannot be written: {error}."))
            }
            RenderError::Template(error) => {
                let message = format!("The organization's template is refused: {error}.");
                Failure::invalid_input("invalid_template", message)
            }
        })?;
        let mut writer = artifacts::create(FILE_NAME, MEDIA_TYPE)?;
        for chunk in rendered.bytes.chunks(1 << 20) {
            writer.write(chunk)?;
        }
        writer.finish()?;
        Ok(json::json!({ "pages": rendered.pages, "diagnostics": rendered.diagnostics }))
    }
}

gtm_sdk::document_renderer!(PptxRenderer);
