//! The parts of a guideline beside its facts: derived rules, who may do what with it, and the research
//! behind it (annex A2, `applications`, `governance`, `research`).

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::openapi::schema::Array;
use utoipa::openapi::{RefOr, Schema};
use utoipa::{PartialSchema, ToSchema};

use super::claim::Claim;
use super::declaration::{Declared, Placed, sections, text};
use super::field_rule::FieldRule;
use super::words::{ReviewStatus, Surface};
use crate::evidence::{Source, Unknown};
use crate::fixed::False;
use crate::{JobId, Timestamp};

/// Minimum contrast of readable text against its background: WCAG 2.2, success criterion 1.4.3, level AA.
pub const MIN_CONTRAST_RATIO: f64 = 4.5;

/// Rules for use. They carry no evidence of their own: each lists the pointers from which it is derived.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Applications {
    /// What to do on which surface.
    #[schema(inline)]
    pub rules: Vec<Rule>,
    /// Texts of the guideline, placed on a surface.
    #[schema(inline)]
    pub examples: Vec<Example>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Stable name, unique in the guideline.
    pub key: String,
    #[schema(inline)]
    pub surface: Surface,
    pub rule: String,
    /// RFC 6901 pointers into the guideline.
    pub derived_from: Vec<String>,
}

/// A text of the guideline as it may appear on a surface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Example {
    #[schema(inline)]
    pub surface: Surface,
    /// The text, verbatim from the guideline.
    pub text: String,
    /// RFC 6901 pointers into the guideline.
    pub derived_from: Vec<String>,
}

sections! {
    /// What limits the guideline's use: review, legal lines, trademarks, topics to avoid.
    Governance at "/governance" {
        /// A person's review of this revision. A review makes a revision of its own.
        review: Review,
        /// Lines that the law requires the company to add to its texts.
        required_legal_lines: Vec<Claim<String>> = text(1000).rule(FieldRule::Quoted),
        /// How the company wants its trademarks to be used.
        trademark_usage: Vec<Claim<String>> = text(1000).rule(FieldRule::Quoted),
        /// Topics to avoid.
        restricted_topics: Vec<Claim<String>>,
        accessibility: Accessibility,
        /// What a guideline never allows.
        authority: Authority,
        /// What each revision changed, oldest first.
        change_log: Vec<Change>,
    }
}

/// Parts that the host derives.
macro_rules! derived {
    ($($kind:ty),+) => {$(
        impl Placed for $kind {
            fn schema(_: &Declared) -> RefOr<Schema> {
                <Self as PartialSchema>::schema()
            }
        }
    )+};
}
derived!(Review, Accessibility, Authority);
impl Placed for Vec<Change> {
    fn schema(_: &Declared) -> RefOr<Schema> {
        Array::new(Change::schema()).into()
    }
}

/// A person's review of a revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Review {
    #[schema(inline)]
    pub status: ReviewStatus,
    #[schema(required)]
    pub reviewed_by: Option<String>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub reviewed_at: Option<Timestamp>,
    #[schema(required)]
    pub note: Option<String>,
}

impl Default for Review {
    fn default() -> Self {
        Self {
            status: ReviewStatus::Unreviewed,
            reviewed_by: None,
            reviewed_at: None,
            note: None,
        }
    }
}

/// Pairs of the company's own styles that are hard to read.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Accessibility {
    /// The least contrast of readable text: WCAG 2.2, success criterion 1.4.3, level AA.
    pub min_contrast_ratio: f64,
    /// Pairs below that ratio, as the site's own styles combine them.
    #[schema(inline)]
    pub failing_pairs: Vec<FailingPair>,
}

impl Default for Accessibility {
    fn default() -> Self {
        Self {
            min_contrast_ratio: MIN_CONTRAST_RATIO,
            failing_pairs: Vec::new(),
        }
    }
}

/// A text colour and a background whose contrast is too low.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct FailingPair {
    /// `#rrggbb` of the text.
    pub foreground: String,
    /// `#rrggbb` of the background.
    pub background: String,
    /// Contrast ratio of WCAG 2.2, 1 to 21, with two decimals.
    pub ratio: f64,
}

/// No guideline authorizes anyone to publish, to write to people or to change a CRM.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Authority {
    #[schema(inline)]
    pub publish: False,
    #[schema(inline)]
    pub outreach: False,
    #[schema(inline)]
    pub crm_write: False,
}

/// What one revision changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Change {
    #[schema(minimum = 1)]
    pub revision: u64,
    /// The job that made it.
    #[schema(value_type = String)]
    pub job_id: JobId,
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// RFC 6901 pointers to what is new or different; the list's pointer where an element is gone.
    pub changed_pointers: Vec<String>,
}

/// The research behind the guideline: its sources, conflicts, gaps and age.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Research {
    /// First start of the job.
    #[schema(value_type = String, format = DateTime)]
    pub started_at: Timestamp,
    /// End of the job's last exchange with a provider.
    #[schema(value_type = String, format = DateTime)]
    pub finished_at: Timestamp,
    /// The sources that claims cite.
    pub sources: Vec<Source>,
    /// Fields without a value and the reason; also lists from which an element was left out.
    #[schema(inline)]
    pub unknowns: Vec<Unknown>,
    /// Fields on which sources disagree.
    #[schema(inline)]
    pub conflicts: Vec<Conflict>,
    /// Known fields by section.
    #[schema(inline)]
    pub coverage: Vec<Coverage>,
    /// Age of the sources.
    #[schema(inline)]
    pub freshness: Freshness,
}

/// A field on which sources disagree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// RFC 6901 pointer of the field.
    pub pointer: String,
    /// Two or more different values, each with verified sources.
    #[schema(inline)]
    pub candidates: Vec<Candidate>,
}

/// One of several values of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The value, of the field's shape.
    pub value: Value,
    /// Sources that state it.
    pub source_ids: Vec<String>,
}

// [`super::fields::FIELDS`] defines what counts as a field.
/// How much of a section is known.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// The section's key.
    pub section: String,
    /// Number of its fields.
    pub fields: u64,
    /// Number of its fields that have a value.
    pub known: u64,
}

/// Age of the sources; null without sources.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct Freshness {
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub oldest_retrieved_at: Option<Timestamp>,
    #[schema(value_type = Option<String>, format = DateTime, required)]
    pub newest_retrieved_at: Option<Timestamp>,
}

impl Freshness {
    /// The age of these sources.
    #[must_use]
    pub fn of(sources: &[Source]) -> Self {
        Self {
            oldest_retrieved_at: sources.iter().map(|s| s.retrieved_at).min(),
            newest_retrieved_at: sources.iter().map(|s| s.retrieved_at).max(),
        }
    }
}
