//! A revision of a message template (annex A4.3, with review in place of approval: it was read by a person,
//! not released for sending).

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::characters::clean;
use super::placeholder::{ValueKind, ValueSource};
use super::rubric::Rubric;
use super::structure::Structure;
use crate::canonical::NotCanonical;
use crate::fixed::Zero;
use crate::{
    Digest, JobId, MessageTemplateRevisionId, OfferId, ProjectId, Timestamp, canonical_digest,
};

/// How the text is to be written, and its limits.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TemplateOptions {
    /// `consultative`, `direct` or `technical`.
    pub tone: String,
    /// BCP 47 tag for dates and spelling.
    pub locale: String,
    /// Most words from greeting to sign-off.
    #[schema(minimum = 20, maximum = 400)]
    pub max_words: u32,
    /// Most links.
    #[schema(minimum = 0, maximum = 5)]
    pub max_links: u32,
    /// What the text must not claim.
    pub forbidden_claims: Vec<String>,
}

impl TemplateOptions {
    /// Most words where the request says nothing.
    pub const DEFAULT_MAX_WORDS: u32 = 120;
    /// Most links where the request says nothing.
    pub const DEFAULT_MAX_LINKS: u32 = 1;
    /// The tone where the request says nothing.
    pub const DEFAULT_TONE: &'static str = "consultative";
}

/// What a template sells.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct TemplateOffer {
    /// The approved offer; null where a summary stands for it.
    #[schema(value_type = Option<String>, required, pattern = "^offr_[0-9a-hjkmnp-tv-z]{26}$")]
    pub offer_id: Option<OfferId>,
    /// The caller's own summary; null where an offer is named.
    #[schema(required)]
    pub summary: Option<String>,
    /// Hash of the offer's revision, or of the summary's UTF-8 text.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub offer_hash: Digest,
}

/// How a revision came to be.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum RevisionOrigin {
    /// A job wrote it.
    Generated,
    /// A person wrote or read it, and the request says who.
    Reviewed,
}

/// A placeholder that a structure uses, with what its value must be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Variable {
    /// Name of the placeholder.
    pub name: String,
    /// Form of its value.
    #[serde(rename = "type")]
    #[schema(inline)]
    pub kind: ValueKind,
    /// Most code points of its value.
    pub max_length: usize,
    /// Whether the template cannot be filled without it.
    pub required: bool,
    /// Where its value comes from.
    #[schema(inline)]
    pub source: ValueSource,
}

impl Variable {
    /// Whether the value is not too long, as the renderer counts. Its form is the renderer's to judge.
    #[must_use]
    pub fn holds(&self, value: &str) -> bool {
        clean(value).trim().chars().count() <= self.max_length
    }
}

/// Who read the structure, and what they say about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Review {
    /// The person.
    #[schema(max_length = 200)]
    pub reviewed_by: String,
    /// When.
    #[schema(value_type = String, format = DateTime)]
    pub reviewed_at: Timestamp,
    /// What the person says.
    #[schema(max_length = 1000)]
    pub statement: String,
    /// Hash over the three members above and the `template_hash`.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub review_hash: Digest,
}

/// What a revision says, before it has an identity. The store numbers it within its template key.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct NewRevision {
    pub template_key: String,
    pub name: String,
    pub origin: RevisionOrigin,
    pub language: String,
    pub audience: String,
    pub objective: String,
    pub offer: TemplateOffer,
    pub desired_next_step: String,
    pub options: TemplateOptions,
    pub reason: Option<String>,
    pub structure: Structure,
    pub variables: Vec<Variable>,
    pub rubric: Option<Rubric>,
    pub template_hash: Digest,
    pub review: Option<Review>,
    pub placeholder_catalog_version: String,
}

/// A stored, immutable revision.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = MessageTemplateRevision)]
pub struct TemplateRevision {
    /// The revision's id.
    #[schema(value_type = String, pattern = "^mtr_[0-9a-hjkmnp-tv-z]{26}$")]
    pub id: MessageTemplateRevisionId,
    /// The project that owns it.
    #[schema(value_type = String)]
    pub project_id: ProjectId,
    /// Names the template; its revisions are numbered.
    pub template_key: String,
    /// From 1, without gaps.
    #[schema(minimum = 1)]
    pub revision: u64,
    /// The revision before it.
    #[schema(value_type = Option<String>, required)]
    pub previous_revision_id: Option<MessageTemplateRevisionId>,
    /// Name for people.
    pub name: String,
    /// Always `DRAFT_READY`: nothing else is saved.
    #[schema(pattern = "^DRAFT_READY$")]
    pub status: &'static str,
    /// How it came to be.
    #[schema(inline)]
    pub origin: RevisionOrigin,
    /// BCP 47 tag of its text.
    pub language: String,
    /// Whom it is written for.
    pub audience: String,
    /// What it is meant to achieve.
    pub objective: String,
    /// What it sells.
    pub offer: TemplateOffer,
    /// What the recipient is asked to do.
    pub desired_next_step: String,
    /// How it is written.
    pub options: TemplateOptions,
    /// Why it was made, in the caller's words.
    #[schema(required)]
    pub reason: Option<String>,
    /// The text.
    pub structure: Structure,
    /// Every placeholder that the structure uses.
    pub variables: Vec<Variable>,
    /// Its score; null for a reviewed revision, which is held to the hard failures alone.
    #[schema(required)]
    pub rubric: Option<Rubric>,
    /// Hash over language, options, structure, variables and placeholder catalog version.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub template_hash: Digest,
    /// Who read it; null for a generated revision.
    #[schema(required)]
    pub review: Option<Review>,
    /// The job that wrote it.
    #[schema(value_type = Option<String>, required)]
    pub job_id: Option<JobId>,
    /// When it was stored.
    #[schema(value_type = String, format = DateTime)]
    pub created_at: Timestamp,
    /// The list of placeholders that it was made for.
    pub placeholder_catalog_version: String,
    /// Nothing is ever enqueued.
    #[schema(inline)]
    pub messages_enqueued: Zero,
    /// Nothing is ever sent.
    #[schema(inline)]
    pub messages_sent: Zero,
}

/// The status of every stored revision.
pub const DRAFT_READY: &str = "DRAFT_READY";

impl NewRevision {
    /// The revision with its identity.
    #[must_use]
    pub fn stored(
        self,
        id: MessageTemplateRevisionId,
        project: ProjectId,
        (revision, previous): (u64, Option<MessageTemplateRevisionId>),
        job: Option<JobId>,
        created_at: Timestamp,
    ) -> TemplateRevision {
        TemplateRevision {
            id,
            project_id: project,
            template_key: self.template_key,
            revision,
            previous_revision_id: previous,
            name: self.name,
            status: DRAFT_READY,
            origin: self.origin,
            language: self.language,
            audience: self.audience,
            objective: self.objective,
            offer: self.offer,
            desired_next_step: self.desired_next_step,
            options: self.options,
            reason: self.reason,
            structure: self.structure,
            variables: self.variables,
            rubric: self.rubric,
            template_hash: self.template_hash,
            review: self.review,
            job_id: job,
            created_at,
            placeholder_catalog_version: self.placeholder_catalog_version,
            messages_enqueued: Zero,
            messages_sent: Zero,
        }
    }
}

/// The hash that identifies what a template says (annex A4.3).
///
/// # Errors
/// Never for a structure that was read from JSON.
pub fn template_hash(
    language: &str,
    options: &TemplateOptions,
    structure: &Structure,
    variables: &[Variable],
    placeholder_catalog_version: &str,
) -> Result<Digest, NotCanonical> {
    #[derive(Serialize)]
    struct Hashed<'h> {
        language: &'h str,
        options: &'h TemplateOptions,
        structure: &'h Structure,
        variables: &'h [Variable],
        placeholder_catalog_version: &'h str,
    }
    let hashed = Hashed {
        language,
        options,
        structure,
        variables,
        placeholder_catalog_version,
    };
    canonical_digest(&hashed).map_err(|e| NotCanonical::new("message template", &e))
}

impl Review {
    /// A review of the template with this hash.
    ///
    /// # Errors
    /// Never for texts; serializing to JSON can fail in general.
    pub fn of(
        reviewed_by: String,
        reviewed_at: Timestamp,
        statement: String,
        template_hash: Digest,
    ) -> Result<Self, NotCanonical> {
        let hashed = serde_json::json!({
            "reviewed_by": reviewed_by,
            "reviewed_at": reviewed_at,
            "statement": statement,
            "template_hash": template_hash,
        });
        let review_hash = canonical_digest(&hashed).map_err(|e| NotCanonical::new("review", &e))?;
        Ok(Self {
            reviewed_by,
            reviewed_at,
            statement,
            review_hash,
        })
    }
}
