//! How a draft reads: its sentences and its words.

use gtm_domain::message::{RubricCheck, RubricKey};
use serde_json::json;
use unicode_segmentation::UnicodeSegmentation as _;

use super::super::passage::{Source, found};
use super::super::reading_grade::{self, FEWEST_WORDS};

use super::{Reader, counted, findings, rounded};

/// Most words of a sentence on average.
pub(in super::super) const MEAN_SENTENCE: f64 = 20.0;
/// Highest grade of English.
pub(in super::super) const READING_GRADE: f64 = 9.0;

impl Reader<'_> {
    /// Words of a sentence on average; none if there is no sentence.
    fn mean_sentence(&self) -> Option<f64> {
        let language = &self.vocabulary.language;
        let lengths: Vec<f64> = self
            .template
            .content()
            .flat_map(|(_, line)| line.sentence_words(language))
            .collect();
        #[allow(clippy::cast_precision_loss, reason = "a message has few sentences")]
        let count = lengths.len() as f64;
        (!lengths.is_empty()).then(|| lengths.iter().sum::<f64>() / count)
    }

    pub(super) fn sentence_length(&self) -> RubricCheck {
        let mean = self.mean_sentence();
        RubricKey::SentenceLength.decided(
            mean.is_some_and(|mean| mean <= MEAN_SENTENCE),
            Some(mean.map_or_else(|| json!("no sentence"), |mean| json!(rounded(mean)))),
            Some(json!(MEAN_SENTENCE)),
            || "Write shorter sentences.".to_owned(),
        )
    }

    pub(super) fn no_jargon(&self) -> RubricCheck {
        let Some(jargon) = self.vocabulary.jargon else {
            return self.not_looked_for(RubricKey::NoJargon);
        };
        let hits = self
            .template
            .own()
            .flat_map(|line| findings(line, found(&line.words, Some(jargon))));
        counted(RubricKey::NoJargon, hits.collect(), "is jargon")
    }

    pub(super) fn reading_grade(&self) -> RubricCheck {
        let key = RubricKey::ReadingGrade;
        let passed = |observed: String| key.decided(true, Some(json!(observed)), None, String::new);
        if self.vocabulary.language != "en" {
            return passed(format!("not measured for “{}”", self.vocabulary.language));
        }
        let Some(mean) = self.mean_sentence() else {
            return passed("no sentence to measure".to_owned());
        };
        let texts: Vec<String> = self
            .template
            .content()
            .map(|(_, line)| line.passage.blanked(Source::is_own))
            .collect();
        let words = texts.iter().flat_map(|text| text.unicode_words());
        match reading_grade::grade(words, mean) {
            None => passed(format!("fewer than {FEWEST_WORDS} words of its own")),
            Some(grade) => key.decided(
                rounded(grade) <= READING_GRADE,
                Some(json!(rounded(grade))),
                Some(json!(READING_GRADE)),
                || "Use shorter words and sentences.".to_owned(),
            ),
        }
    }
}
