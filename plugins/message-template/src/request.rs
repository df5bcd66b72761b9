//! What the host asks for: the caller's request, the offer, the placeholders, and in later rounds what failed.

use gtm_site_research::failure::{Failure, FailureKind};
use serde::Deserialize;
use serde_json::Value;

use crate::offer::Offer;
use crate::placeholders::Placeholder;

/// One round of writing.
#[derive(Debug, Clone, Deserialize)]
pub struct Request {
    /// The caller's request in its normalized form.
    pub input: Input,
    /// The approved offer; none where a summary stands for it.
    #[serde(default)]
    pub offer: Option<Offer>,
    /// All placeholders that a template may have.
    pub placeholders: Vec<Placeholder>,
    /// The host's limits.
    #[serde(default)]
    pub limits: Limits,
    /// Which round this is, from 1.
    #[serde(default = "first")]
    pub attempt: u32,
    /// The draft of the round before.
    #[serde(default)]
    pub previous: Option<Value>,
    /// What failed in it.
    #[serde(default)]
    pub faults: Vec<Fault>,
}

const fn first() -> u32 {
    1
}

/// What is read of the caller's request. Texts that it left out are null.
#[derive(Debug, Clone, Deserialize)]
pub struct Input {
    /// BCP 47 tag of the copy.
    pub language: String,
    /// Whom it is written for.
    #[serde(default)]
    pub audience: Option<String>,
    /// What it is meant to achieve.
    #[serde(default)]
    pub objective: Option<String>,
    /// The caller's own summary of the offer.
    #[serde(default)]
    pub offer_summary: Option<String>,
    /// What the recipient is asked to do.
    #[serde(default)]
    pub desired_next_step: Option<String>,
    /// How it is written.
    pub options: Options,
}

/// How the copy is written.
#[derive(Debug, Clone, Deserialize)]
pub struct Options {
    /// `consultative`, `direct` or `technical`.
    pub tone: Tone,
    /// BCP 47 tag for spelling and dates.
    pub locale: String,
    /// Most words from greeting to sign-off, with filled placeholders.
    pub max_words: u32,
    /// Most links.
    pub max_links: u32,
    /// What must not be claimed.
    #[serde(default)]
    pub forbidden_claims: Vec<String>,
}

/// How the copy sounds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Tone {
    Consultative,
    Direct,
    Technical,
}

/// The host's limits. One that is missing is that of annexes A4 and A6.
#[derive(Debug, Clone, Deserialize)]
#[serde(default)]
pub struct Limits {
    /// Most blocks of a template.
    pub max_blocks: u32,
    /// Most code points of a subject that a telephone shows, filled.
    pub subject_chars: u32,
    /// Most code points of one run of literal text.
    pub text_chars: u32,
    /// Most words of a block.
    pub block_words: u32,
    /// Most words of a sentence, on average.
    pub sentence_words: u32,
    /// Highest reading grade; none where it isn't measured.
    pub reading_grade: Option<u32>,
    /// Points that a draft needs.
    pub threshold: u32,
    /// Points that it needs of the judge.
    pub judged_floor: u32,
    /// What the points are given for.
    pub dimensions: Vec<Dimension>,
}

/// A dimension of the rubric.
#[derive(Debug, Clone, Deserialize)]
pub struct Dimension {
    /// Its name.
    pub key: String,
    pub points: u32,
    /// Fewest points that a draft needs in it.
    pub floor: u32,
    pub checks: Vec<Check>,
}

/// A check of the rubric.
#[derive(Debug, Clone, Deserialize)]
pub struct Check {
    /// Its name.
    pub key: String,
    pub points: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            max_blocks: 14,
            subject_chars: 50,
            text_chars: 600,
            block_words: 45,
            sentence_words: 20,
            reading_grade: None,
            threshold: 80,
            judged_floor: 8,
            dimensions: Vec::new(),
        }
    }
}

/// What failed in a draft.
#[derive(Debug, Clone, Deserialize)]
pub struct Fault {
    /// RFC 6901 pointer into the draft.
    pub pointer: String,
    /// Name of the rule.
    pub rule: String,
    /// What is wrong, in one sentence.
    pub message: String,
}

impl Request {
    /// Reads the task's input.
    ///
    /// # Errors
    /// `invalid_request` if it has an unexpected form.
    pub fn read(input: Value) -> Result<Self, Failure> {
        serde_json::from_value(input).map_err(|error| {
            Failure::new(
                FailureKind::InvalidInput,
                "invalid_request",
                format!("The task's input has an unexpected form: {error}."),
            )
        })
    }
}
