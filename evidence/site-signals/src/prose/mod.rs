//! How a text is written, measured.

mod language;
mod measure;

use serde::{Deserialize, Serialize};

pub use measure::measure;

/// Who speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Person {
    /// "We".
    FirstPlural,
    /// "I".
    FirstSingular,
    /// The company by its name.
    Third,
}

/// How headings are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadlineCase {
    /// Like a sentence.
    Sentence,
    /// With capitals at the beginning of words.
    Title,
}

/// Measures of a text. What there is too little text for, or what would be a guess in its
/// language, is `None`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct Prose {
    /// Sentences of running text.
    pub sentences: u32,
    /// Words of a sentence in the mean, to one decimal.
    pub mean_sentence_words: Option<f64>,
    /// 1 (like talking to a friend) to 5 (like a contract).
    pub formality: Option<u8>,
    /// Who speaks.
    pub person: Option<Person>,
    /// The locale whose spelling it follows, for example `en-GB`.
    pub spelling_locale: Option<String>,
    /// Whether words are contracted ("we're").
    pub contractions: Option<bool>,
    /// Whether a comma stands before the last "and" of a list.
    pub oxford_comma: Option<bool>,
    /// Whether emoji occur.
    pub emoji: Option<bool>,
    /// Whether sentences end in exclamation marks.
    pub exclamation_marks: Option<bool>,
    /// How headings are written.
    pub headline_case: Option<HeadlineCase>,
}
