//! What whoever sends the file should know, each with the place in the document that it is about.

use gtm_document_model::diagnostics;
use serde::Serialize;

/// The kind of a diagnostic.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// Something has less room than it wants.
    Overflow,
    /// No font has these characters; a replacement stands in their place.
    MissingGlyph,
    /// Another font stands in for the theme's.
    FontSubstituted,
    /// A font of the operator's cannot be used.
    FontUnusable,
    /// A picture cannot be shown; its alternative text stands in its place.
    ImageUnusable,
}

/// One thing that did not go as the document has it.
pub type Diagnostic = diagnostics::Diagnostic<Code>;
/// The diagnostics of a file.
pub type Diagnostics = diagnostics::Diagnostics<Code>;
