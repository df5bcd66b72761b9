//! The rubric: seven dimensions, 100 points (annex A6). Points of a check are all or nothing for what the
//! host reads itself, and up to the maximum for what a judge decides. What the checks look at is read by
//! `evidence/check`; here is how points add up and when a draft passes.

mod keys;
mod score;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Digest;

pub use keys::RubricKey;

pub const RUBRIC_VERSION: &str = "1";
/// Points that a draft needs.
pub const THRESHOLD: u32 = 80;
/// Points that a judge must give of its [`JUDGED_POINTS`], so that no draft passes on form alone.
pub const JUDGED_FLOOR: u32 = 8;
/// Points in the judge's hands.
pub const JUDGED_POINTS: u32 = 19;

/// A dimension of the rubric.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, ToSchema,
)]
#[serde(rename_all = "snake_case")]
pub enum DimensionKey {
    Relevance,
    Evidence,
    Clarity,
    RecipientValue,
    Cta,
    Trust,
    MobileReadability,
}

/// Who decides a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum CheckMethod {
    /// The host, the same way each time.
    Deterministic,
    /// The judge plug-in.
    Judged,
}

impl DimensionKey {
    /// All dimensions in the order in which they are reported.
    pub const ALL: [Self; 7] = [
        Self::Relevance,
        Self::Evidence,
        Self::Clarity,
        Self::RecipientValue,
        Self::Cta,
        Self::Trust,
        Self::MobileReadability,
    ];

    /// The value of `key`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Relevance => "relevance",
            Self::Evidence => "evidence",
            Self::Clarity => "clarity",
            Self::RecipientValue => "recipient_value",
            Self::Cta => "cta",
            Self::Trust => "trust",
            Self::MobileReadability => "mobile_readability",
        }
    }

    /// Points possible: those of its checks.
    #[must_use]
    pub const fn points(self) -> u32 {
        match self {
            Self::Relevance | Self::Evidence => 20,
            Self::Clarity | Self::RecipientValue => 15,
            Self::Cta | Self::Trust | Self::MobileReadability => 10,
        }
    }

    /// Points below which a draft fails, whatever its total.
    #[must_use]
    pub const fn floor(self) -> u32 {
        match self {
            Self::Relevance => 10,
            Self::Evidence => 12,
            Self::Clarity | Self::RecipientValue => 8,
            Self::Cta | Self::Trust => 6,
            Self::MobileReadability => 5,
        }
    }
}

/// The result of one check.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct RubricCheck {
    /// Such as `cta.single_ask`.
    pub key: String,
    #[schema(inline)]
    pub dimension: DimensionKey,
    /// Who decided.
    #[schema(inline)]
    pub method: CheckMethod,
    /// Points given.
    pub points: u32,
    /// Points possible.
    pub max: u32,
    /// What was found: a number or a text; null where there is nothing to show.
    #[schema(required)]
    pub observed: Option<serde_json::Value>,
    /// What it was compared with.
    #[schema(required)]
    pub limit: Option<serde_json::Value>,
    /// What to change; null if all points were given.
    #[schema(required)]
    pub message: Option<String>,
}

/// The score of one dimension.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct DimensionScore {
    #[schema(inline)]
    pub key: DimensionKey,
    pub score: u32,
    pub max: u32,
    /// Points below which a draft fails, whatever its total.
    pub floor: u32,
}

/// Something that fails a draft whatever its points.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct HardFailure {
    /// `forbidden_claim`, `unapproved_number`, `too_many_words`, `too_many_links`, `false_prefix` or
    /// `false_urgency`.
    pub code: String,
    /// Where it stands: an RFC 6901 pointer into the structure.
    pub pointer: String,
    /// What is wrong, in one sentence.
    pub message: String,
}

/// What fails a draft whatever its points.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HardFailureKind {
    /// It says what the request or the offer forbids.
    ForbiddenClaim,
    /// It has a number that nobody approved.
    UnapprovedNumber,
    /// It has more than `max_words` words, values counted with their mean length.
    TooManyWords,
    /// It has more than `max_links` links.
    TooManyLinks,
    /// Its subject pretends to be a reply or a forwarded message.
    FalsePrefix,
    /// It presses with a time limit or a shortage that nothing bears out.
    FalseUrgency,
}

impl HardFailureKind {
    /// All kinds.
    pub const ALL: [Self; 6] = [
        Self::ForbiddenClaim,
        Self::UnapprovedNumber,
        Self::TooManyWords,
        Self::TooManyLinks,
        Self::FalsePrefix,
        Self::FalseUrgency,
    ];

    /// The value of `code`.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::ForbiddenClaim => "forbidden_claim",
            Self::UnapprovedNumber => "unapproved_number",
            Self::TooManyWords => "too_many_words",
            Self::TooManyLinks => "too_many_links",
            Self::FalsePrefix => "false_prefix",
            Self::FalseUrgency => "false_urgency",
        }
    }
}

impl HardFailure {
    /// A failure of this kind at this place.
    #[must_use]
    pub fn new(kind: HardFailureKind, pointer: String, message: String) -> Self {
        Self {
            code: kind.as_str().to_owned(),
            pointer,
            message,
        }
    }
}

/// The plug-in that judged.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Judge {
    pub key: String,
    pub version: String,
    /// Digest of its component.
    #[schema(value_type = String, pattern = "^sha256:[0-9a-f]{64}$")]
    pub digest: Digest,
}

/// A scored draft.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Rubric {
    /// Rises when a check or its points change.
    pub rubric_version: String,
    /// Points that a draft needs.
    pub threshold: u32,
    /// Points of this draft.
    #[schema(maximum = 100)]
    pub total: u32,
    /// Whether it passed: enough points, every floor met, enough judged points, and no hard failure.
    pub passed: bool,
    /// All seven.
    pub dimensions: Vec<DimensionScore>,
    /// Every check of every dimension.
    pub checks: Vec<RubricCheck>,
    /// What fails it whatever its points.
    pub hard_failures: Vec<HardFailure>,
    /// Drafts that were written, this one included.
    #[schema(minimum = 1)]
    pub attempts: u32,
    /// Who gave the judged points.
    #[schema(required)]
    pub judge: Option<Judge>,
}
