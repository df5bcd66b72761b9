//! What jobs make, and the capabilities under which the API offers it.

use serde::{Deserialize, Serialize};

/// What a job makes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JobType {
    /// A sales playbook.
    Playbooks,
    /// A brand guideline revision.
    Brands,
    /// Files.
    Documents,
    /// A template revision or a prospect message.
    MessageTemplates,
    /// Candidates with retained evidence, which an operator imported or a connector found.
    Prospecting,
}

impl JobType {
    pub const ALL: [Self; 5] = [
        Self::Playbooks,
        Self::Brands,
        Self::Documents,
        Self::MessageTemplates,
        Self::Prospecting,
    ];

    /// The value of the job's `type`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Playbooks => "playbooks",
            Self::Brands => "brands",
            Self::Documents => "documents",
            Self::MessageTemplates => "message_templates",
            Self::Prospecting => "prospecting",
        }
    }

    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|t| t.as_str() == text)
    }

    /// Whether such jobs sell the offer that an operator bound for them. Those of other types sell what their request
    /// names, or nothing.
    #[must_use]
    pub const fn sells_offers(self) -> bool {
        matches!(self, Self::Playbooks)
    }

    /// The capability that offers such jobs; `None` for jobs that no caller creates, such as those of operators,
    /// which no organization is granted or denied.
    #[must_use]
    pub const fn capability(self) -> Option<Capability> {
        match self {
            Self::Playbooks => Some(Capability::PLAYBOOKS),
            Self::Brands => Some(Capability::BRANDS),
            Self::Documents => Some(Capability::DOCUMENTS),
            Self::MessageTemplates => Some(Capability::MESSAGE_TEMPLATES),
            Self::Prospecting => None,
        }
    }
}

/// A job type as the API offers it: granted or denied to an organization, and listed in the catalog of
/// capabilities.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Capability {
    job_type: JobType,
    name: &'static str,
    docs_slug: &'static str,
    description: &'static str,
}

impl Capability {
    /// Sales playbooks.
    pub const PLAYBOOKS: Self = Self {
        job_type: JobType::Playbooks,
        name: "Playbooks",
        docs_slug: "playbooks",
        description: "Generates a sales playbook for a target account: business summary and sales angles.",
    };
    /// Researched brand guidelines.
    pub const BRANDS: Self = Self {
        job_type: JobType::Brands,
        name: "Brands",
        docs_slug: "brands",
        description: "Turns a company name or website into a versioned brand guideline with evidence.",
    };
    /// PPTX, DOCX and PDF files.
    pub const DOCUMENTS: Self = Self {
        job_type: JobType::Documents,
        name: "Documents",
        docs_slug: "documents",
        description: "Turns a brief, a brand and an optional offer into PPTX, DOCX or PDF files.",
    };
    /// E-mail template revisions.
    pub const MESSAGE_TEMPLATES: Self = Self {
        job_type: JobType::MessageTemplates,
        name: "Message Templates",
        docs_slug: "message-templates",
        description: "Drafts e-mail template revisions and personalized messages for approval; sends nothing.",
    };

    /// All capabilities, in the order of [`JobType::ALL`].
    pub fn all() -> impl Iterator<Item = Self> {
        JobType::ALL.into_iter().filter_map(JobType::capability)
    }

    #[must_use]
    pub fn from_key(key: &str) -> Option<Self> {
        JobType::parse(key)?.capability()
    }

    #[must_use]
    pub const fn job_type(self) -> JobType {
        self.job_type
    }

    /// The key of the specification, used in bindings, usage and switches of organizations.
    #[must_use]
    pub const fn key(self) -> &'static str {
        self.job_type.as_str()
    }

    /// Name for people.
    #[must_use]
    pub const fn name(self) -> &'static str {
        self.name
    }

    /// The category of work. The specification defines one for playbooks; the others use the same.
    #[must_use]
    pub const fn category(self) -> &'static str {
        "Generation"
    }

    /// Stability of the capability (specification, What the service does).
    #[must_use]
    pub const fn status(self) -> &'static str {
        "ga"
    }

    /// What it makes, in one sentence (specification, What the service does).
    #[must_use]
    pub const fn description(self) -> &'static str {
        self.description
    }

    /// Last segment of its documentation URL.
    #[must_use]
    pub const fn docs_slug(self) -> &'static str {
        self.docs_slug
    }
}

impl Serialize for Capability {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.key())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_job_type_is_found_by_its_own_name() {
        for job_type in JobType::ALL {
            assert_eq!(JobType::parse(job_type.as_str()), Some(job_type));
            let written = serde_json::to_value(job_type).unwrap();
            assert_eq!(written, job_type.as_str(), "one name in rows and answers");
        }
        assert_eq!(JobType::parse("Playbooks"), None);
    }

    #[test]
    fn a_capability_is_the_job_type_that_it_offers() {
        for capability in Capability::all() {
            assert_eq!(Capability::from_key(capability.key()), Some(capability));
            assert_eq!(capability.job_type().capability(), Some(capability));
            let written = serde_json::to_value(capability).unwrap();
            assert_eq!(written, capability.key(), "as the audit log has it");
        }
    }
}
