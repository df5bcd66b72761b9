//! What a reader of the file should know, each with the place in the document that it is about.

use gtm_document_model::diagnostics;
use serde::Serialize;

/// The kind of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// Something has less room than it wants.
    Overflow,
    /// Something is not in the file.
    DroppedBlock,
    /// A picture cannot be shown; its alternative text stands in its place.
    ImageUnusable,
    /// Colours that do not stand out from each other enough.
    Contrast,
    /// The evidence manifest could not be embedded.
    EvidenceUnusable,
    /// Something of the organization's template was not taken over.
    Template,
}

/// One thing that did not go as the document has it.
pub type Diagnostic = diagnostics::Diagnostic<Code>;
/// The diagnostics of a file.
pub type Diagnostics = diagnostics::Diagnostics<Code>;
