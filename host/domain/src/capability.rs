//! Product capabilities (what the API offers) and the names of provider capabilities.

use serde::{Deserialize, Serialize};

/// A capability that the API offers; its key is used in bindings, usage and jobs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProductCapability {
    /// Sales playbooks.
    Playbooks,
    /// Researched brand guidelines.
    Brands,
    /// PPTX, DOCX and PDF files.
    Documents,
    /// E-mail template revisions.
    MessageTemplates,
}

impl ProductCapability {
    /// All of them.
    pub const ALL: [Self; 4] = [
        Self::Playbooks,
        Self::Brands,
        Self::Documents,
        Self::MessageTemplates,
    ];

    /// The key of specification and bindings.
    #[must_use]
    pub const fn key(self) -> &'static str {
        match self {
            Self::Playbooks => "playbooks",
            Self::Brands => "brands",
            Self::Documents => "documents",
            Self::MessageTemplates => "message_templates",
        }
    }
    /// The capability of a key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.key() == key)
    }
}
