//! What of a brief stands in no file of the result, and why.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// Most parts of a brief that a result lists.
pub const MAX_LEFT_OUT: usize = 200;
/// Longest text of one, in characters.
pub const MAX_LEFT_OUT_CHARS: usize = 4_000;

/// Why a part of the brief was left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutReason {
    /// It is said in confidence.
    Confidential,
    /// It speaks to whoever writes the document.
    ToTheWriter,
}

impl LeftOutReason {
    /// The reason as a sentence.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Confidential => "It was read as said in confidence.",
            Self::ToTheWriter => "It speaks to whoever writes the document.",
        }
    }
}

/// A part of the brief that stands in no file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LeftOutOfBrief {
    #[schema(inline)]
    pub reason: LeftOutReason,
    /// The reason as a sentence for people.
    pub message: String,
    /// All that the part says, in the brief's own words.
    #[schema(max_length = 4000)]
    pub text: String,
}

impl LeftOutOfBrief {
    /// A part of a brief, unless the brief does not say it: no text of a plug-in's own reaches the result.
    #[must_use]
    pub fn of(brief: &str, reason: LeftOutReason, text: &str) -> Option<Self> {
        let signs =
            |text: &str| -> String { text.chars().filter(|c| c.is_alphanumeric()).collect() };
        let said = signs(brief);
        // Between the lines of a list stand its numbers.
        let is_said = text.lines().all(|line| said.contains(&signs(line)));
        let fits = text.chars().count() <= MAX_LEFT_OUT_CHARS;
        (fits && is_said && text.contains(char::is_alphanumeric)).then(|| Self {
            reason,
            message: reason.in_words().to_owned(),
            text: text.to_owned(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_briefs_own_words_are_told() {
        let brief = "Hi Tom,\n\nthe *margin* is 40 %,\nso mind it.";
        let reason = LeftOutReason::Confidential;
        let told = LeftOutOfBrief::of(brief, reason, "the margin is 40 %, so mind it.");
        assert_eq!(
            told.map(|it| it.message).as_deref(),
            Some("It was read as said in confidence.")
        );
        for other in ["", "…", "Visit us at shop.example"] {
            assert_eq!(LeftOutOfBrief::of(brief, reason, other), None, "{other}");
        }
        let long = "a".repeat(MAX_LEFT_OUT_CHARS + 1);
        assert_eq!(LeftOutOfBrief::of(&long, reason, &long), None);
    }
}
