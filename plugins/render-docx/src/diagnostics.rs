//! What whoever sends the file should know, each with the place in the document that it is about.

use serde::Serialize;

/// At most so many; the rest would only repeat them.
const MOST: usize = 200;

/// One thing that did not go as the document has it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Diagnostic {
    pub code: Code,
    /// RFC 6901 pointer into the document.
    pub pointer: String,
    /// A sentence for people.
    pub message: String,
}

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
    /// The evidence manifest could not be embedded.
    EvidenceUnusable,
    /// Something of the organization's template was not taken over.
    Template,
}

/// The diagnostics of a file.
#[derive(Debug, Clone, Default)]
pub struct Diagnostics(Vec<Diagnostic>);

impl Diagnostics {
    pub fn add(&mut self, code: Code, pointer: &str, message: impl Into<String>) {
        let is_known = |known: &Diagnostic| known.code == code && known.pointer == pointer;
        if self.0.len() < MOST && !self.0.iter().any(is_known) {
            self.0.push(Diagnostic {
                code,
                pointer: pointer.to_owned(),
                message: message.into(),
            });
        }
    }

    #[must_use]
    pub fn into_list(self) -> Vec<Diagnostic> {
        self.0
    }
}
