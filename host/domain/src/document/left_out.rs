//! What of a brief stands in no file of the result, and why.

use std::collections::BTreeSet;

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
    /// It is prose that stands below no heading of its own, or was for the writer in part, and no model writes.
    RunningProse,
}

impl LeftOutReason {
    /// The reason as a sentence.
    #[must_use]
    pub const fn in_words(self) -> &'static str {
        match self {
            Self::Confidential => "It was read as said in confidence.",
            Self::ToTheWriter => {
                "It speaks to whoever writes the document, or is the frame of a mail."
            }
            Self::RunningProse => {
                "Without a model, prose is printed only as whole paragraphs below a heading of its own."
            }
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
    /// What the part says, in the brief's own words: at most 4,000 characters of it.
    #[schema(max_length = 4000)]
    pub text: String,
}

/// What a brief says, read once for all the parts that a plug-in names.
#[derive(Debug)]
pub struct SaidInBrief<'b> {
    brief: &'b str,
    /// Its words with a blank before and behind each.
    words: String,
}

impl<'b> SaidInBrief<'b> {
    /// Reads a brief.
    #[must_use]
    pub fn of(brief: &'b str) -> Self {
        let words = words(brief);
        Self { brief, words }
    }

    /// A part of the brief, unless the brief does not say it.
    ///
    /// DANGER: a plug-in names the part. So each of its lines must stand in the brief as whole words in a row, with no sign
    /// that the brief does not have, and the lines in the brief's order: nothing new can be put together from its letters.
    #[must_use]
    pub fn left_out(&self, reason: LeftOutReason, text: &str) -> Option<LeftOutOfBrief> {
        let fits = text.chars().nth(MAX_LEFT_OUT_CHARS).is_none();
        if !fits || !text.contains(char::is_alphanumeric) || !self.says(text) {
            return None;
        }
        Some(LeftOutOfBrief {
            reason,
            message: reason.in_words().to_owned(),
            text: text.to_owned(),
        })
    }

    fn says(&self, text: &str) -> bool {
        let is_known =
            |c: char| c.is_alphanumeric() || " \n…".contains(c) || self.brief.contains(c);
        let signs: BTreeSet<char> = text.chars().collect();
        let mut rest = self.words.as_str();
        signs.into_iter().all(is_known)
            && text.lines().all(|line| {
                let line = words(line);
                let found = rest.find(&line);
                // The blank behind the line is the one before the next.
                let behind = found.and_then(|at| rest.get(at + line.len() - 1..));
                rest = behind.unwrap_or_default();
                behind.is_some()
            })
    }
}

/// The words of a text, with a blank before and behind each; one blank if it has none.
fn words(text: &str) -> String {
    let mut out = String::from(" ");
    let words = text.split(|c: char| !c.is_alphanumeric());
    for word in words.filter(|word| !word.is_empty()) {
        out.push_str(word);
        out.push(' ');
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_briefs_own_words_are_told() {
        let brief = "Hi Tom,\n\nthe *margin* is 40 %,\nso mind it. The rapist novel sells.";
        let said = SaidInBrief::of(brief);
        let reason = LeftOutReason::Confidential;
        let told = said.left_out(reason, "the margin is 40 %, so mind it.");
        assert_eq!(
            told.map(|it| it.message).as_deref(),
            Some("It was read as said in confidence.")
        );
        assert!(said.left_out(reason, "the margin\nmind it").is_some());
        for other in [
            "",
            "…",
            "Visit us at shop.example",
            // Letters and lines put together anew.
            "Therapist",
            "mind it\nthe margin",
            "so\nm\nt",
            "the margin is 40 €",
            "margin: 40",
        ] {
            assert_eq!(said.left_out(reason, other), None, "{other}");
        }
        let long = "a".repeat(MAX_LEFT_OUT_CHARS + 1);
        assert_eq!(SaidInBrief::of(&long).left_out(reason, &long), None);
    }
}
