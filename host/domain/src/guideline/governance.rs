//! What is derived from a guideline's facts, who may do what with it, and the research behind it
//! (annex A2, `applications`, `governance`, `research`).

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::claim::Claim;
use super::declaration::{Placed, sections, text};
use super::field_rule::FieldRule;
use super::words::{ReviewStatus, Surface};
use crate::evidence::{Source, Unknown};
use crate::fixed::False;
use crate::{JobId, Timestamp};

/// Lowest contrast of text and ground that is readable: WCAG 2.2, success criterion 1.4.3, level AA.
pub const MIN_CONTRAST_RATIO: f64 = 4.5;

/// Rules for use. They carry no evidence of their own: each names the pointers that it derives from.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Applications {
    /// What to do on which surface.
    pub rules: Vec<Rule>,
    /// Texts of the guideline in place.
    pub examples: Vec<Example>,
}

/// A rule for one surface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rule {
    /// Stable name, unique in the guideline.
    pub key: String,
    /// Where it applies.
    pub surface: Surface,
    /// What to do.
    pub rule: String,
    /// RFC 6901 pointers into the guideline.
    pub derived_from: Vec<String>,
}

/// A text of the guideline as it may stand on a surface.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Example {
    /// Where.
    pub surface: Surface,
    /// The text, verbatim from the guideline.
    pub text: String,
    /// RFC 6901 pointers into the guideline.
    pub derived_from: Vec<String>,
}

sections! {
    /// Limits of use.
    Governance at "/governance" {
        /// What a person said of this revision.
        review: Review,
        /// Lines that the company puts under its texts by law.
        required_legal_lines: Vec<Claim<String>> = text(1000).rule(FieldRule::Quoted),
        /// How its marks are used.
        trademark_usage: Vec<Claim<String>> = text(1000).rule(FieldRule::Quoted),
        /// What is not to be spoken of.
        restricted_topics: Vec<Claim<String>>,
        /// Contrast.
        accessibility: Accessibility,
        /// What a guideline never allows (specification, general rule 4).
        authority: Authority,
        /// What each revision changed, oldest first.
        change_log: Vec<Change>,
    }
}
impl Placed for Review {}
impl Placed for Accessibility {}
impl Placed for Authority {}
impl Placed for Vec<Change> {}

/// What a person said of a revision.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A2)")]
pub struct Review {
    pub status: ReviewStatus,
    pub reviewed_by: Option<String>,
    pub reviewed_at: Option<Timestamp>,
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
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Accessibility {
    /// [`MIN_CONTRAST_RATIO`].
    pub min_contrast_ratio: f64,
    /// Pairs below it, as the site's styles put them together.
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

/// A text colour and a ground whose contrast is too low.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FailingPair {
    /// `#rrggbb` of the text.
    pub foreground: String,
    /// `#rrggbb` of the ground.
    pub background: String,
    /// Contrast ratio of WCAG 2.2, 1 to 21, with two decimals.
    pub ratio: f64,
}

/// No guideline gives the authority to publish, to write to people or to change a CRM.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A2)")]
pub struct Authority {
    pub publish: False,
    pub outreach: False,
    pub crm_write: False,
}

/// What one revision changed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    /// The revision.
    pub revision: u64,
    /// The job that made it.
    pub job_id: JobId,
    /// When.
    pub at: Timestamp,
    /// RFC 6901 pointers of what is new or different; the list's pointer where an element is gone.
    pub changed_pointers: Vec<String>,
}

/// How the facts were found.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Research {
    /// First start of the job.
    pub started_at: Timestamp,
    /// End of the job's last exchange with a provider.
    pub finished_at: Timestamp,
    /// What claims cite.
    pub sources: Vec<Source>,
    /// Fields without a value, and why; lists from which something was left out.
    pub unknowns: Vec<Unknown>,
    /// Fields on which sources disagree.
    pub conflicts: Vec<Conflict>,
    /// Known fields by section.
    pub coverage: Vec<Coverage>,
    /// Age of the sources.
    pub freshness: Freshness,
}

/// A field on which sources disagree.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Conflict {
    /// RFC 6901 pointer of the field.
    pub pointer: String,
    /// Two or more different values, each with verified sources.
    pub candidates: Vec<Candidate>,
}

/// One of several values of a field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Candidate {
    /// The value, of the field's shape.
    pub value: Value,
    /// Sources that state it.
    pub source_ids: Vec<String>,
}

/// How much of a section is known. What counts as a field is said at [`super::fields::FIELDS`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coverage {
    /// The section's key.
    pub section: String,
    /// Its fields.
    pub fields: u64,
    /// Those with a value.
    pub known: u64,
}

/// Age of the sources; null without any.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[allow(missing_docs, reason = "each name says the same as its key (annex A2)")]
pub struct Freshness {
    pub oldest_retrieved_at: Option<Timestamp>,
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
