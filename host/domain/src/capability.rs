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
    /// Name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Playbooks => "Playbooks",
            Self::Brands => "Brands",
            Self::Documents => "Documents",
            Self::MessageTemplates => "Message Templates",
        }
    }
    /// What sort of work it is. The specification names one for playbooks; the others make something
    /// in the same way.
    #[must_use]
    pub const fn category(self) -> &'static str {
        "Generation"
    }
    /// Stability of the capability (specification, What the service does).
    #[must_use]
    pub const fn status(self) -> &'static str {
        "ga"
    }
    /// What it makes, in one sentence (ibid.).
    #[must_use]
    pub const fn description(self) -> &'static str {
        match self {
            Self::Playbooks => {
                "Generates a sales playbook for a target account: business summary and sales angles."
            }
            Self::Brands => {
                "Turns a company name or website into a versioned brand guideline with evidence."
            }
            Self::Documents => {
                "Turns a brief, a brand and an optional offer into PPTX, DOCX or PDF files."
            }
            Self::MessageTemplates => {
                "Drafts e-mail template revisions and personalized messages for approval; sends nothing."
            }
        }
    }
    /// Last part of the address of its documentation.
    #[must_use]
    pub const fn docs_slug(self) -> &'static str {
        match self {
            Self::Playbooks => "playbooks",
            Self::Brands => "brands",
            Self::Documents => "documents",
            Self::MessageTemplates => "message-templates",
        }
    }
    /// The capability of a key.
    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|c| c.key() == key)
    }
}
