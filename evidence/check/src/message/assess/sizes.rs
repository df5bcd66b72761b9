//! Sizes that a draft keeps to be read on a telephone.

use gtm_domain::message::{RubricCheck, RubricKey};
use serde_json::json;

use super::super::hard_failures::{bare_in_own_words, links, mean_words};
use super::super::passage::Source;
use super::super::value_lengths::ValueLength;
use super::{Finding, Reader, findings, named, rounded};

/// Most code points of a subject with long values.
pub(in super::super) const SUBJECT_CHARS: usize = 50;
/// Most words of a paragraph.
pub(in super::super) const BLOCK_WORDS: f64 = 45.0;

impl Reader<'_> {
    pub(super) fn subject_length(&self) -> RubricCheck {
        let subject = self.template.subject();
        let parts = subject.into_iter().flat_map(|line| {
            line.passage.parts.iter().map(|part| match part.source {
                Source::Value(value) => ValueLength::of(value, &self.vocabulary.language).p95_chars,
                _ => {
                    let text = line.passage.text.get(part.range.clone());
                    text.unwrap_or_default().chars().count()
                }
            })
        });
        let chars: usize = parts.sum();
        let values = subject.into_iter().flat_map(|line| line.passage.values());
        let reserved: Vec<String> = values
            .map(|value| {
                let chars = ValueLength::of(value, &self.vocabulary.language).p95_chars;
                format!("{{{{{}}}}} counts {chars}", value.name())
            })
            .collect();
        RubricKey::SubjectLength.decided(
            chars <= SUBJECT_CHARS,
            Some(json!(chars)),
            Some(json!(SUBJECT_CHARS)),
            || match reserved.is_empty() {
                true => "Shorten the subject at /subject.".to_owned(),
                false => format!(
                    "Shorten the words at /subject; long values are reserved room: {}.",
                    reserved.join(", ")
                ),
            },
        )
    }

    pub(super) fn block_length(&self) -> RubricCheck {
        let language = &self.vocabulary.language;
        let longest = self
            .template
            .message()
            .map(|(_, line)| (line.mean_words(language), line))
            .max_by(|(one, _), (other, _)| one.total_cmp(other));
        let words = longest.map_or(0.0, |(words, _)| words);
        RubricKey::BlockLength.decided(
            words <= BLOCK_WORDS,
            Some(json!(rounded(words))),
            Some(json!(BLOCK_WORDS)),
            || {
                let pointer = longest.map_or("", |(_, line)| line.pointer.as_str());
                format!("Shorten or split the paragraph at {pointer}.")
            },
        )
    }

    pub(super) fn word_limit(&self) -> RubricCheck {
        let words = mean_words(self.template, self.vocabulary);
        let most = self.draft.options.max_words;
        RubricKey::WordLimit.decided(words <= most, Some(json!(words)), Some(json!(most)), || {
            "Shorten the message; values of usual length count, too.".to_owned()
        })
    }

    pub(super) fn link_limit(&self) -> RubricCheck {
        let links = links(self.draft.structure).len();
        let most = usize::try_from(self.draft.options.max_links).unwrap_or(usize::MAX);
        let lines = self.template.lines.iter();
        let bare = lines.flat_map(|line| findings(line, bare_in_own_words(self.draft, line)));
        let bare: Vec<Finding> = bare.collect();
        let fits = links <= most && bare.is_empty();
        RubricKey::LinkLimit.decided(fits, Some(json!(links)), Some(json!(most)), || {
            match bare.is_empty() {
                true => "Remove links.".to_owned(),
                false => format!(
                    "Make links of these addresses, or remove them: {}.",
                    named(&bare)
                ),
            }
        })
    }
}
