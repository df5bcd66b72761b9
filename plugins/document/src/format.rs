//! Formats of files.

use serde::Deserialize;

/// A file format that a renderer makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    Docx,
    Pdf,
    Pptx,
}

impl Format {
    /// The name in requests and drafts.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Docx => "docx",
            Self::Pdf => "pdf",
            Self::Pptx => "pptx",
        }
    }

    /// The name for people.
    #[must_use]
    pub const fn title(self) -> &'static str {
        match self {
            Self::Docx => "Word",
            Self::Pdf => "PDF",
            Self::Pptx => "PowerPoint",
        }
    }
}
