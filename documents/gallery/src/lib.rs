//! The gallery: documents with real content, four themes, the pictures that the documents name, and hostile documents.
//!
//! Nothing here renders or checks. `cargo xtask gallery` and `cargo xtask documents` do.
#![forbid(unsafe_code)]

pub mod hostile;
mod themes;

use serde_json::Value;

pub use themes::{THEMES, Theme};

/// A document without a theme.
#[derive(Debug, Clone, Copy)]
pub struct Sample {
    /// What it is and its language, such as `deck-de`; the name of its file.
    pub name: &'static str,
    /// The document type, as `meta.document_type` has it.
    pub document_type: &'static str,
    /// Formats in which somebody would ask for it.
    pub formats: &'static [&'static str],
    json: &'static str,
}

/// The documents: each type, each block and each kind of chart is in one of them.
pub const SAMPLES: &[Sample] = &[
    Sample {
        name: "proposal-en",
        document_type: "proposal",
        formats: &["docx", "pdf", "pptx"],
        json: include_str!("../documents/proposal-en.json"),
    },
    Sample {
        name: "playbook-en",
        document_type: "playbook",
        formats: &["docx", "pdf", "pptx"],
        json: include_str!("../documents/playbook-en.json"),
    },
    Sample {
        name: "deck-de",
        document_type: "deck",
        formats: &["pptx", "pdf"],
        json: include_str!("../documents/deck-de.json"),
    },
    Sample {
        name: "deck-ar",
        document_type: "deck",
        formats: &["pptx", "pdf"],
        json: include_str!("../documents/deck-ar.json"),
    },
    Sample {
        name: "gtm-strategy-ja",
        document_type: "gtm_strategy",
        formats: &["docx", "pdf", "pptx"],
        json: include_str!("../documents/gtm-strategy-ja.json"),
    },
    Sample {
        name: "report-de",
        document_type: "report",
        formats: &["docx", "pdf"],
        json: include_str!("../documents/report-de.json"),
    },
    Sample {
        name: "one-pager-ar",
        document_type: "one_pager",
        formats: &["docx", "pdf", "pptx"],
        json: include_str!("../documents/one-pager-ar.json"),
    },
    Sample {
        name: "offer-en",
        document_type: "proposal",
        formats: &["docx", "pdf", "pptx"],
        json: include_str!("../documents/offer-en.json"),
    },
    Sample {
        name: "note-de",
        document_type: "report",
        formats: &["docx", "pdf"],
        json: include_str!("../documents/note-de.json"),
    },
    Sample {
        name: "letter-ja",
        document_type: "one_pager",
        formats: &["docx", "pdf"],
        json: include_str!("../documents/letter-ja.json"),
    },
    Sample {
        name: "letter-en",
        document_type: "proposal",
        formats: &["docx", "pdf"],
        json: include_str!("../documents/letter-en.json"),
    },
    Sample {
        name: "letter-ar",
        document_type: "one_pager",
        formats: &["docx", "pdf"],
        json: include_str!("../documents/letter-ar.json"),
    },
];

/// A file that a document names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Asset {
    /// The name in the document.
    pub name: String,
    /// How a file with this content ends, without the dot: `png`, `svg`, `json`.
    pub extension: &'static str,
    pub bytes: Vec<u8>,
}

impl Asset {
    fn new(name: &str, extension: &'static str, bytes: impl Into<Vec<u8>>) -> Self {
        Self {
            name: name.to_owned(),
            extension,
            bytes: bytes.into(),
        }
    }
}

impl Sample {
    /// The document as a renderer gets it.
    ///
    /// # Panics
    /// Never: a test reads each document with each theme.
    #[must_use]
    #[expect(clippy::expect_used, reason = "compiled in, and read by a test")]
    pub fn document(&self, theme: &Theme) -> Value {
        let mut document: Value =
            serde_json::from_str(self.json).expect("a committed document is JSON");
        if let Some(members) = document.as_object_mut() {
            members.insert("theme".to_owned(), theme.value());
        }
        document
    }

    /// What the document names, what its theme names, and a manifest of evidence as the host attaches it.
    #[must_use]
    pub fn assets(&self, theme: &Theme) -> Vec<Asset> {
        vec![
            Asset::new(
                "picture",
                "png",
                include_bytes!("../assets/picture.png").as_slice(),
            ),
            Asset::new(themes::LOGO, "svg", theme.logo()),
            Asset::new(
                "evidence-manifest.json",
                "json",
                include_bytes!("../assets/evidence-manifest.json").as_slice(),
            ),
        ]
    }
}
