//! The formats of files.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// The format of a file.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DocumentFormat {
    /// Slides, for PowerPoint and others.
    Pptx,
    /// A text, for Word and others.
    Docx,
    /// Pages, for reading.
    Pdf,
}

impl DocumentFormat {
    pub const ALL: [Self; 3] = [Self::Pptx, Self::Docx, Self::Pdf];

    /// The value of `format`, which is also how a file's name ends.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pptx => "pptx",
            Self::Docx => "docx",
            Self::Pdf => "pdf",
        }
    }

    /// The media type of such files.
    #[must_use]
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Pptx => {
                "application/vnd.openxmlformats-officedocument.presentationml.presentation"
            }
            Self::Docx => "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
            Self::Pdf => "application/pdf",
        }
    }

    /// The format whose files have this media type.
    #[must_use]
    pub fn of_media_type(media_type: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|format| format.media_type() == media_type)
    }

    /// The name under which operators bind the renderer.
    #[must_use]
    pub const fn renderer_role(self) -> &'static str {
        match self {
            Self::Pptx => "render.pptx",
            Self::Docx => "render.docx",
            Self::Pdf => "render.pdf",
        }
    }
}
