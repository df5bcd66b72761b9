//! From a document to the bytes of a file.

use std::fmt;

use gtm_ooxml::package::{Package, PackageError};
use gtm_ooxml::template::TemplateError;

use crate::compose::{Page, plan};
use crate::context::{Context, Output};
use crate::diagnostics::{Code, Diagnostic, Diagnostics};
use crate::draw::draw;
use crate::media::{Media, ReadAsset};
use crate::parts;

/// Asset that holds the evidence manifest.
const EVIDENCE: &str = "evidence-manifest.json";
/// A file, and what is to be known about it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rendered {
    pub bytes: Vec<u8>,
    pub pages: usize,
    pub diagnostics: Vec<Diagnostic>,
}

/// Why there is no file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RenderError {
    /// It would be larger than an archive can be.
    Package(PackageError),
    /// The organization's template cannot be built on.
    Template(TemplateError),
}

impl fmt::Display for RenderError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Package(error) => error.fmt(f),
            Self::Template(error) => error.fmt(f),
        }
    }
}
impl std::error::Error for RenderError {}

impl From<PackageError> for RenderError {
    fn from(error: PackageError) -> Self {
        Self::Package(error)
    }
}

impl From<TemplateError> for RenderError {
    fn from(error: TemplateError) -> Self {
        Self::Template(error)
    }
}

/// Draws all slides on layouts of our own. `adapt` may change a slide after it is planned.
pub fn draft(
    context: &Context<'_>,
    read: ReadAsset<'_>,
    adapt: &mut dyn FnMut(&mut Page<'_>),
) -> Result<Rendered, PackageError> {
    let document = context.document;
    let mut output = Output {
        package: Package::new(),
        diagnostics: Diagnostics::default(),
        media: Media::new(read),
        charts: 0,
        slides: Vec::new(),
        layouts: std::collections::BTreeMap::new(),
        notes_master: None,
    };
    for requirement in document.theme.requirements() {
        if !requirement.is_met() {
            let message = format!(
                "The colour {} has too little contrast on {}.",
                requirement.role, requirement.against
            );
            let pointer = format!("/theme/{}", requirement.role);
            output.diagnostics.add(Code::Contrast, &pointer, message);
        }
    }
    let part = parts::begin(&mut output)?;
    let master = parts::add_master(context, &mut output)?;
    let mut pages = plan(context, &mut output.diagnostics);
    pages.iter_mut().for_each(adapt);
    for page in &pages {
        draw(context, &mut output, page)?;
    }
    let evidence = read(EVIDENCE);
    let presentation = parts::Presentation { part, master };
    parts::finish(context, &mut output, &presentation, evidence.as_deref())?;
    Ok(Rendered {
        bytes: output.package.write()?,
        pages: pages.len(),
        diagnostics: output.diagnostics.into_list(),
    })
}
