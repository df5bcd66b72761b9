//! Measures how a text is written.

mod japanese;
mod language;
mod measure;

use serde::{Deserialize, Serialize};

pub use measure::measure;

/// The grammatical person in which the company speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Person {
    /// "We".
    FirstPlural,
    /// "I".
    FirstSingular,
    /// The company's name.
    Third,
}

/// How headings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadlineCase {
    Sentence,
    /// With words capitalized.
    Title,
}

/// Measures of a text. A measure is `None` if there is too little text, or if it would be a guess in the
/// text's language.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prose {
    /// Number of sentences of running text.
    pub sentences: u32,
    /// Mean number of words per sentence, to one decimal.
    pub mean_sentence_words: Option<f64>,
    /// 1 (like talking to a friend) to 5 (like a contract).
    pub formality: Option<u8>,
    /// The grammatical person in which the company speaks.
    pub person: Option<Person>,
    /// The locale whose spelling the text follows, for example `en-GB`.
    pub spelling_locale: Option<String>,
    /// Whether words are contracted ("we're").
    pub contractions: Option<bool>,
    /// Whether a comma precedes the last "and" of a list.
    pub oxford_comma: Option<bool>,
    pub emoji: Option<bool>,
    /// Whether sentences end in exclamation marks.
    pub exclamation_marks: Option<bool>,
    pub headline_case: Option<HeadlineCase>,
}
