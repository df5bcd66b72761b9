//! The deterministic checks of the rubric, in its order. Here: how they are put together and how findings are named;
//! the checks themselves have a file for each subject.

mod call;
mod clarity;
mod grounds;
mod sizes;
mod trust;

use std::ops::Range;

use gtm_domain::message::{RubricCheck, RubricKey};
use serde_json::json;

use super::facts::{ApprovedTexts, Fact};
use super::hard_failures::hard_failures;
use super::numbers::Approved;
use super::readings::other_readings;
use super::template::{Line, Template};
use super::vocabulary::{Vocabulary, language_of};
use super::wording::quoted;
use super::{Assessment, DraftToScore};
use crate::forbidden::ForbiddenClaims;

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

/// Measures a draft by everything that the host can tell without a model. Each check reads it by the words of its tag's
/// language, and of those in which a draft in a language without lists may be written.
#[must_use]
pub fn assess(draft: &DraftToScore<'_>) -> Assessment {
    let vocabulary = Vocabulary::of(draft.language);
    let template = Template::of(draft.structure, &vocabulary);
    let grounds = Grounds {
        approved: Approved::beside_words_of(
            (draft.approved_texts.iter().map(String::as_str)).chain([draft.desired_next_step]),
        ),
        texts: ApprovedTexts::of(draft.approved_texts.iter().map(String::as_str)).naming([
            draft.audience,
            draft.objective,
            draft.desired_next_step,
        ]),
    };
    let others = other_readings(draft.structure, &template, &vocabulary);
    // No language changes what a line claims.
    let of_request = draft.options.forbidden_claims.as_slice();
    let forbidden = ForbiddenClaims::of(&[of_request, draft.forbidden_claims]);
    let lines = template.lines.iter();
    let claims = lines.map(|line| forbidden.made_in(&line.passage.text).collect());
    let claims: Vec<Vec<&str>> = claims.collect();
    let reader = Reader {
        draft,
        grounds: &grounds,
        template: &template,
        claims: &claims,
        vocabulary: &vocabulary,
    };
    let (mut checks, mut value_is_founded) = reader.read();
    for other in &others {
        let reader = Reader {
            template: &other.template,
            vocabulary: &other.vocabulary,
            ..reader
        };
        let (others, is_founded) = reader.read();
        for (check, found) in checks.iter_mut().zip(others) {
            // What presses or praises does so in any language; the rest is read in that of the whole.
            let counts = other.is_of_the_whole || check.key == RubricKey::HonestWording.as_str();
            if counts && found.points < check.points {
                *check = found;
            }
        }
        value_is_founded &= !other.is_of_the_whole || is_founded;
    }
    Assessment {
        checks,
        hard_failures: hard_failures(
            draft,
            (&template, &claims, &forbidden),
            (&vocabulary, &others),
            &grounds.approved,
            &grounds.texts,
        ),
        value_is_founded,
    }
}

/// What a draft may rest on.
struct Grounds {
    approved: Approved,
    texts: ApprovedTexts,
}

#[derive(Clone, Copy)]
struct Reader<'r> {
    draft: &'r DraftToScore<'r>,
    grounds: &'r Grounds,
    template: &'r Template,
    /// The forbidden claims that each line makes.
    claims: &'r [Vec<&'r str>],
    vocabulary: &'r Vocabulary,
}

/// Something that a check found: where, and what stands there.
struct Finding {
    pointer: String,
    written: String,
}

impl Reader<'_> {
    /// The checks, and whether what is claimed of the offer rests on something.
    fn read(&self) -> (Vec<RubricCheck>, bool) {
        let stated = self.stated();
        (self.checks(&stated), self.value_is_founded(&stated))
    }

    fn checks(&self, stated: &[(&Line, Vec<Fact>)]) -> Vec<RubricCheck> {
        vec![
            self.role_or_segment(),
            self.evidence_hook(),
            self.no_generic_opener(),
            self.anchored_facts(stated),
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
