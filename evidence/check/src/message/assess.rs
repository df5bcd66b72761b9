//! The deterministic checks of the rubric, in its order.

use std::ops::Range;

use gtm_domain::message::{BlockKind, Placeholder, RubricCheck, RubricKey};
use serde_json::{Value, json};
use unicode_segmentation::UnicodeSegmentation as _;

use super::bare_addresses::bare_addresses;
use super::facts::{ApprovedTexts, Form, facts};
use super::hard_failures::{forbidden_in, hard_failures, links, mean_words};
use super::numbers::Approved;
use super::passage::Source;
use super::reading_grade::{self, FEWEST_WORDS};
use super::stems::{Stems, bare};
use super::template::{Line, Place, Template};
use super::value_lengths::ValueLength;
use super::vocabulary::Vocabulary;
use super::wording::{found, has_false_prefix, opens_urgently, quoted, superlatives, urgency};
use super::{Assessment, DraftToScore};

/// Most words of a sentence on average.
const MEAN_SENTENCE: f64 = 20.0;
/// Highest grade of English.
const READING_GRADE: f64 = 9.0;
/// Most code points of a subject with long values.
const SUBJECT_CHARS: usize = 50;
/// Most words of a paragraph.
const BLOCK_WORDS: f64 = 45.0;
/// The share of the wished step's words that a literal ask must have, in percent.
const SAME_STEP: usize = 50;
/// Most findings that a check names.
const NAMED: usize = 5;

/// Measures a draft by everything that the host can tell without a model.
#[must_use]
pub fn assess(draft: &DraftToScore<'_>) -> Assessment {
    let vocabulary = Vocabulary::of(draft.language);
    let template = Template::of(draft.structure, &vocabulary);
    let numbers = draft.approved_numbers.iter().map(String::as_str);
    let reader = Reader {
        draft,
        approved: Approved::of(numbers.chain([draft.desired_next_step])),
        texts: ApprovedTexts::of(draft.approved_texts.iter().map(String::as_str)),
        template: &template,
        vocabulary: &vocabulary,
    };
    Assessment {
        checks: reader.checks(),
        hard_failures: hard_failures(draft, &template, &vocabulary, &reader.approved),
    }
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

    fn role_or_segment(&self) -> RubricCheck {
        let bound = [Placeholder::RecipientRole, Placeholder::CompanyIndustry];
        let bound = bound.into_iter().find(|value| {
            let mut values = self.template.own().flat_map(|line| line.passage.values());
            values.any(|it| it == *value)
        });
        let audience = Stems::of_text(self.draft.audience);
        let named = || {
            let own = self.template.own().flat_map(|line| &line.words);
            own.map(|word| word.folded.as_str())
                .find(|word| super::stems::carries_subject(word) && audience.has(word))
        };
        let observed = match bound {
            Some(value) => Some(value.name().to_owned()),
            None => named().map(str::to_owned),
        };
        RubricKey::RoleOrSegment.decided(
            observed.is_some(),
            Some(observed.map_or_else(|| json!("none"), Value::String)),
            Some(json!("a placeholder or a word of the audience")),
            || {
                "Name the recipient's role or kind of company in a word of the audience, or use {{recipient.role}} or \
                 {{company.industry}}."
                    .to_owned()
            },
        )
    }

    fn evidence_hook(&self) -> RubricCheck {
        let has = self.template.has_value(Placeholder::EvidenceHook);
        let observed = if has { "evidence.hook" } else { "none" };
        RubricKey::EvidenceHook.decided(
            has,
            Some(json!(observed)),
            Some(json!("evidence.hook")),
            || "Say why this recipient is written to: a block evidence_hook with {{evidence.hook}}.".to_owned(),
        )
    }

    fn no_generic_opener(&self) -> RubricCheck {
        let Some(phrases) = self.vocabulary.generic_openers else {
            return self.not_looked_for(RubricKey::NoGenericOpener);
        };
        let greeting = |line: &&Line| {
            matches!(
                line.place,
                Place::Subject
                    | Place::Preview
                    | Place::Block(BlockKind::Greeting)
                    | Place::Fallback(BlockKind::Greeting)
            )
        };
        let first = self.template.content().map(|(_, line)| line).next();
        let openings = self.template.own().filter(greeting).chain(first);
        let found = openings.flat_map(|line| findings(line, found(&line.words, Some(phrases))));
        counted(
            RubricKey::NoGenericOpener,
            found.collect(),
            "opens with what anybody could write to anybody",
        )
    }

    fn anchored_facts(&self) -> RubricCheck {
        let mut loose = Vec::new();
        let mut of_reader = false;
        for line in self.template.own() {
            // A subject or a preview is no sentence, but may state a fact as well.
            let mut found = facts(
                &line.passage,
                &line.sentences,
                &line.asks,
                &self.texts,
                self.vocabulary,
            );
            found.retain(|fact| fact.rests_on.is_none());
            of_reader |= found.iter().any(|fact| fact.form == Form::Observation);
            let ranges = found.into_iter().map(|fact| fact.sentence).collect();
            loose.extend(findings(line, ranges));
        }
        let advice = match of_reader {
            true => {
                "states a fact that rests on no placeholder and no approved text; what it says of the recipient needs {{evidence.hook}}"
            }
            false => "states a fact that rests on no placeholder and no approved text",
        };
        counted(RubricKey::AnchoredFacts, loose, advice)
    }

    fn approved_numbers(&self) -> RubricCheck {
        let missing = self.template.lines.iter().flat_map(|line| {
            let ranges = self
                .approved
                .missing_in(&line.passage, self.vocabulary, Source::is_own);
            findings(line, ranges)
        });
        counted(
            RubricKey::ApprovedNumbers,
            missing.collect(),
            "is a number that nobody approved",
        )
    }

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

    fn sentence_length(&self) -> RubricCheck {
        let mean = self.mean_sentence();
        RubricKey::SentenceLength.decided(
            mean.is_some_and(|mean| mean <= MEAN_SENTENCE),
            Some(mean.map_or_else(|| json!("no sentence"), |mean| json!(rounded(mean)))),
            Some(json!(MEAN_SENTENCE)),
            || "Write shorter sentences.".to_owned(),
        )
    }

    fn no_jargon(&self) -> RubricCheck {
        let Some(jargon) = self.vocabulary.jargon else {
            return self.not_looked_for(RubricKey::NoJargon);
        };
        let hits = self
            .template
            .own()
            .flat_map(|line| findings(line, found(&line.words, Some(jargon))));
        counted(RubricKey::NoJargon, hits.collect(), "is jargon")
    }

    fn reading_grade(&self) -> RubricCheck {
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

    fn value_before_ask(&self) -> RubricCheck {
        let says_value = |kind: BlockKind, line: &Line| {
            matches!(kind, BlockKind::Value | BlockKind::Proof)
                || line.passage.values().any(|value| {
                    matches!(
                        value,
                        Placeholder::OfferValueProposition | Placeholder::OfferProofPoint
                    )
                })
        };
        let blocks: Vec<(BlockKind, &Line)> = self.template.message().collect();
        let value = blocks
            .iter()
            .position(|(kind, line)| says_value(*kind, line));
        let ask = blocks
            .iter()
            .position(|(kind, line)| *kind == BlockKind::Cta || !line.asks.is_empty());
        let passed = match (value, ask) {
            (Some(value), Some(ask)) => value < ask,
            (Some(_), None) => true,
            (None, _) => false,
        };
        let observed = match (value, passed) {
            (None, _) => "no value",
            (_, true) => "value first",
            (_, false) => "ask first",
        };
        RubricKey::ValueBeforeAsk.decided(
            passed,
            Some(json!(observed)),
            Some(json!("value first")),
            || {
                "Say what the recipient gains, in a block value or proof, before anything is asked."
                    .to_owned()
            },
        )
    }

    fn you_to_we(&self) -> RubricCheck {
        let texts: Vec<String> = self
            .template
            .message()
            .map(|(_, line)| line.passage.blanked(Source::is_own))
            .collect();
        let words = texts.iter().flat_map(|text| text.unicode_words());
        let Some((you, we)) = self.vocabulary.you_and_we(words) else {
            return self.not_looked_for(RubricKey::YouToWe);
        };
        // The recipient's own name and company speak of him as `you` does.
        let values = self
            .template
            .message()
            .flat_map(|(_, line)| line.passage.values());
        let (mut of_reader, mut of_sender) = (0, 0);
        for value in values {
            match value {
                Placeholder::RecipientRole
                | Placeholder::RecipientFullName
                | Placeholder::CompanyName
                | Placeholder::CompanyIndustry
                | Placeholder::CompanyLocation
                | Placeholder::EvidenceHook => of_reader += 1,
                Placeholder::SenderOrganization => of_sender += 1,
                _ => {}
            }
        }
        let (you, we) = (you + of_reader, we + of_sender);
        RubricKey::YouToWe.decided(
            you >= we,
            Some(json!(format!("{you}:{we}"))),
            Some(json!("1:1")),
            || "Speak of the recipient at least as often as of yourself.".to_owned(),
        )
    }

    fn single_ask(&self) -> RubricCheck {
        let times = |line: &Line| line.asks.iter().map(|ask| ask.times).sum::<usize>();
        let lines = || self.template.lines.iter();
        let blocks = || lines().filter(|line| matches!(line.place, Place::Block(_)));
        let asks: usize = blocks().map(times).sum();
        // A block that asks twice in the place of one that asks once.
        let fallbacks = lines().filter(|line| matches!(line.place, Place::Fallback(_)));
        let most = fallbacks.map(times).max().unwrap_or(0).max(asks);
        let key = RubricKey::SingleAsk;
        let missing = self.vocabulary.ask_openings.is_none();
        let observed = match missing {
            true => json!(format!(
                "{most}, of which no list for “{}” knows requests",
                self.vocabulary.language
            )),
            false => json!(most),
        };
        key.decided(
            asks == 1 && most == 1,
            Some(observed),
            Some(json!(1)),
            || {
                let asking = blocks().flat_map(|line| {
                    let sentences = line.asks.iter().map(|ask| ask.sentence.clone());
                    findings(line, sentences.collect())
                });
                let asking: Vec<Finding> = asking.collect();
                match asking.is_empty() {
                    true => "Ask for one thing.".to_owned(),
                    false => format!("Ask for one thing; these ask: {}.", named(&asking)),
                }
            },
        )
    }

    fn desired_next_step(&self) -> RubricCheck {
        let key = RubricKey::DesiredNextStep;
        let limit = Some(json!(
            "next_step.ask, or half of the words of the desired next step"
        ));
        let mut cta = self
            .template
            .message()
            .filter(|(kind, _)| *kind == BlockKind::Cta);
        let Some((_, line)) = cta.next() else {
            return key.decided(false, Some(json!("no cta")), limit, || {
                "Ask in a block cta.".to_owned()
            });
        };
        let asks: usize = line.asks.iter().map(|ask| ask.times).sum();
        if line
            .passage
            .values()
            .any(|value| value == Placeholder::NextStepAsk)
        {
            return key.decided(asks <= 1, Some(json!("next_step.ask")), limit, || {
                "Let {{next_step.ask}} alone ask.".to_owned()
            });
        }
        let step = gtm_lexicon::fold(self.draft.desired_next_step);
        let step = gtm_lexicon::split(&step);
        let said = Stems::of(bare(&line.words));
        let (all, covered) = said.covered(step);
        let observed = match all {
            0 => json!("the desired next step has no words to compare"),
            _ => json!(format!("{covered} of {all} words")),
        };
        key.decided(
            covered * 100 >= all * SAME_STEP,
            Some(observed),
            limit,
            || "Ask for the desired next step: use {{next_step.ask}}, or its words.".to_owned(),
        )
    }

    fn identity_variables(&self) -> RubricCheck {
        let wanted = [
            Placeholder::SenderFullName,
            Placeholder::SenderOrganization,
            Placeholder::CompliancePostalIdentity,
            Placeholder::ComplianceOptOut,
        ];
        let blocks = || {
            let lines = self.template.lines.iter();
            lines.filter(|line| matches!(line.place, Place::Block(_)))
        };
        let has =
            |value: Placeholder| blocks().any(|line| line.passage.values().any(|it| it == value));
        let mut missing: Vec<String> = wanted
            .into_iter()
            .filter(|value| !has(*value))
            .map(|value| format!("{{{{{}}}}}", value.name()))
            .collect();
        let notices: Vec<Finding> = self
            .template
            .lines
            .iter()
            .flat_map(|line| findings(line, found(&line.words, self.vocabulary.opt_out_phrases)))
            .collect();
        let passed = missing.is_empty() && notices.is_empty();
        let observed = wanted.len() - missing.len();
        RubricKey::IdentityVariables.decided(
            passed,
            Some(json!(observed)),
            Some(json!(wanted.len())),
            || {
                if !notices.is_empty() {
                    missing.push(format!(
                        "no other notice on how to object than {{{{compliance.opt_out}}}} (found: {})",
                        named(&notices)
                    ));
                }
                format!("Missing: {}.", missing.join(", "))
            },
        )
    }

    fn honest_wording(&self) -> RubricCheck {
        let mut hits = Vec::new();
        for line in &self.template.lines {
            let mut ranges = urgency(&line.words, self.vocabulary);
            ranges.extend(superlatives(&line.words, self.vocabulary));
            hits.extend(findings(line, ranges));
            let text = &line.passage.text;
            let pretends = line.place == Place::Subject
                && (has_false_prefix(text) || opens_urgently(text, &line.words, self.vocabulary));
            if pretends || forbidden_in(self.draft, line).is_some() {
                hits.push(Finding {
                    pointer: line.pointer_to(0),
                    written: quoted(&line.passage, &(0..text.len())),
                });
            }
        }
        if hits.is_empty() && self.vocabulary.superlatives.is_none() {
            return self.not_looked_for(RubricKey::HonestWording);
        }
        counted(
            RubricKey::HonestWording,
            hits,
            "presses, pretends, praises without proof or is forbidden",
        )
    }

    fn subject_length(&self) -> RubricCheck {
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
        RubricKey::SubjectLength.decided(
            chars <= SUBJECT_CHARS,
            Some(json!(chars)),
            Some(json!(SUBJECT_CHARS)),
            || "Shorten the subject; long values count, too.".to_owned(),
        )
    }

    fn block_length(&self) -> RubricCheck {
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

    fn word_limit(&self) -> RubricCheck {
        let words = mean_words(self.template, self.vocabulary);
        let most = self.draft.options.max_words;
        RubricKey::WordLimit.decided(words <= most, Some(json!(words)), Some(json!(most)), || {
            "Shorten the message; values of usual length count, too.".to_owned()
        })
    }

    fn link_limit(&self) -> RubricCheck {
        let links = links(self.draft.structure).len();
        let most = usize::try_from(self.draft.options.max_links).unwrap_or(usize::MAX);
        let bare = self.template.lines.iter().flat_map(|line| {
            let bare = bare_addresses(&line.passage, |_, source| !source.is_own());
            findings(line, bare)
        });
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
