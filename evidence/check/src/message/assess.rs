//! The deterministic checks of the rubric, in its order. Here: how they are put together and how findings are named;
//! the checks themselves have a file for each subject.

mod call;
mod clarity;
mod grounds;
mod sizes;
mod trust;

use std::ops::Range;

use gtm_domain::message::{HardFailure, HardFailureKind, RubricCheck, RubricKey};
use serde_json::json;

use super::facts::ApprovedTexts;
use super::hard_failures::hard_failures;
use super::numbers::Approved;
use super::template::{Line, Template};
use super::vocabulary::{Vocabulary, language_of};
use super::wording::quoted;
use super::{Assessment, DraftToScore};

/// Most findings that a check names.
const NAMED: usize = 5;

/// What a draft is measured by, for whoever writes one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DraftLimits {
    /// Most code points of a subject with long values.
    pub subject_chars: usize,
    /// Most words of a block.
    pub block_words: f64,
    /// Most words of a sentence on average.
    pub sentence_words: f64,
    /// Highest reading grade; none in a language in which it isn't measured.
    pub reading_grade: Option<f64>,
}

/// The limits of drafts in the language of this BCP 47 tag.
#[must_use]
pub fn limits(tag: &str) -> DraftLimits {
    let english = language_of(tag) == "en";
    DraftLimits {
        subject_chars: sizes::SUBJECT_CHARS,
        block_words: sizes::BLOCK_WORDS,
        sentence_words: clarity::MEAN_SENTENCE,
        reading_grade: english.then_some(clarity::READING_GRADE),
    }
}

/// Measures a draft by everything that the host can tell without a model.
#[must_use]
pub fn assess(draft: &DraftToScore<'_>) -> Assessment {
    let vocabulary = Vocabulary::of(draft.language);
    let template = Template::of(draft.structure, &vocabulary);
    let reader = Reader {
        draft,
        approved: Approved::beside_words_of(
            (draft.approved_texts.iter().map(String::as_str)).chain([draft.desired_next_step]),
        ),
        texts: ApprovedTexts::of(draft.approved_texts.iter().map(String::as_str)).naming([
            draft.audience,
            draft.objective,
            draft.desired_next_step,
        ]),
        template: &template,
        vocabulary: &vocabulary,
    };
    let hard_failures = hard_failures(
        draft,
        &template,
        &vocabulary,
        &reader.approved,
        &reader.texts,
    );
    Assessment {
        checks: failed_by(reader.checks(), &hard_failures),
        hard_failures,
        value_is_founded: reader.value_is_founded(),
    }
}

/// The checks, of which those fail that belong to a hard failure. A check reads a draft in the language of its tag alone; a
/// hard failure may stand in the words of another one.
fn failed_by(checks: Vec<RubricCheck>, failures: &[HardFailure]) -> Vec<RubricCheck> {
    let fails = |kind: HardFailureKind| failures.iter().filter(move |it| it.code == kind.as_str());
    let failed = |check: RubricCheck| {
        let (key, kinds): (RubricKey, &[HardFailureKind]) = match check.key.as_str() {
            key if key == RubricKey::ApprovedNumbers.as_str() => (
                RubricKey::ApprovedNumbers,
                &[HardFailureKind::UnapprovedNumber],
            ),
            key if key == RubricKey::HonestWording.as_str() => (
                RubricKey::HonestWording,
                &[HardFailureKind::FalsePrefix, HardFailureKind::FalseUrgency],
            ),
            _ => return check,
        };
        let mut found = kinds.iter().flat_map(|kind| fails(*kind));
        match found.next().filter(|_| check.points > 0) {
            Some(first) => {
                let count = 1 + found.count();
                key.decided(false, Some(json!(count)), Some(json!(0)), || {
                    first.message.clone()
                })
            }
            None => check,
        }
    };
    checks.into_iter().map(failed).collect()
}

struct Reader<'r> {
    draft: &'r DraftToScore<'r>,
    template: &'r Template,
    vocabulary: &'r Vocabulary,
    approved: Approved,
    texts: ApprovedTexts,
}

/// Something that a check found: where, and what stands there.
struct Finding {
    pointer: String,
    written: String,
}

impl Reader<'_> {
    fn checks(&self) -> Vec<RubricCheck> {
        vec![
            self.role_or_segment(),
            self.evidence_hook(),
            self.no_generic_opener(),
            self.anchored_facts(),
            self.approved_numbers(),
            self.sentence_length(),
            self.no_jargon(),
            self.reading_grade(),
            self.value_before_ask(),
            self.you_to_we(),
            self.single_ask(),
            self.desired_next_step(),
            self.identity_variables(),
            self.honest_wording(),
            self.subject_length(),
            self.block_length(),
            self.word_limit(),
            self.link_limit(),
        ]
    }

    /// A language without a list fails nothing, and the result says that nothing was looked for.
    fn not_looked_for(&self, key: RubricKey) -> RubricCheck {
        let observed = format!("no list of words for “{}”", self.vocabulary.language);
        key.decided(true, Some(json!(observed)), None, String::new)
    }
}

fn findings(line: &Line, ranges: Vec<Range<usize>>) -> Vec<Finding> {
    let found = ranges.into_iter().map(|range| Finding {
        pointer: line.pointer_to(range.start),
        written: quoted(&line.passage, &range),
    });
    found.collect()
}

/// A check that passes if nothing was found.
fn counted(key: RubricKey, found: Vec<Finding>, what: &str) -> RubricCheck {
    key.decided(
        found.is_empty(),
        Some(json!(found.len())),
        Some(json!(0)),
        || format!("This {what}: {}.", named(&found)),
    )
}

fn named(found: &[Finding]) -> String {
    let named = found.iter().take(NAMED);
    let mut named: Vec<String> = named
        .map(|it| format!("“{}” at {}", it.written, it.pointer))
        .collect();
    if found.len() > NAMED {
        named.push(format!("and {} more", found.len() - NAMED));
    }
    named.join(", ")
}

/// One decimal.
fn rounded(value: f64) -> f64 {
    (value * 10.0).round() / 10.0
}
