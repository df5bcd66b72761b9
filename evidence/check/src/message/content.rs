//! The ten content checks of a message to one prospect, and what the parts of its body rest on. Here: how they are put
//! together, and those that count; the others have a file each.

mod anchors;
mod asked;
mod claimed;
mod claims;
mod hits;
mod hooks;
mod language;
mod links;

use std::ops::Range;

use gtm_domain::message::Placeholder;
use gtm_domain::message::compliance::{CheckKey, CheckOutcome, ContentCheck};
use serde_json::json;

use self::claimed::Claimed;
use self::hits::{Hit, result};
use super::asks::{Ask, asks, asks_of_signing};
use super::facts::{ApprovedTexts, Fact, facts};
use super::filled::{Filled, Paragraph};
use super::passage::{Part, Passage, Source, count_words};
use super::said_by::{is_signing, is_worded};
use super::template::{has_content, is_message, is_of_value};
use super::text_language::also_read_in;
use super::vocabulary::Vocabulary;
use super::{CheckedMessage, MessageToCheck};

/// Most words of a paragraph. Templates are held to 45 with values of usual length; a prospect's may be longer.
const BLOCK_WORDS: usize = 60;
/// Most code points of a subject. Templates are held to 50 with long values.
const SUBJECT_CHARS: usize = 70;

/// Checks the whole text of a message. Spans and anchors are places in the body, in code points.
#[must_use]
pub fn content_checks(message: &MessageToCheck<'_>) -> CheckedMessage {
    let vocabulary = Vocabulary::of(message.language);
    let filled = Filled::of(message.message, message.text_begins_at, &vocabulary);
    // No language changes what a line claims.
    let claimed = Claimed::of(message, &filled);
    let (mut checks, anchors) = checked(message, &claimed, &filled, &vocabulary);
    let own = own_words(&filled);
    for other in also_read_in(&own, &vocabulary) {
        let others = Vocabulary::of(other.code);
        let filled = Filled::of(message.message, message.text_begins_at, &others);
        let (found, _) = checked(message, &claimed, &filled, &others);
        for (check, found) in checks.iter_mut().zip(found) {
            let counts = match check.check {
                CheckKey::ProhibitedLanguage | CheckKey::OptOutFinal => true,
                // A hook is compared word by word, in the language of the message.
                CheckKey::EvidenceAnchors => false,
                _ => other.is_of_the_whole,
            };
            if counts && is_failed(&found) && !is_failed(check) {
                *check = found;
            }
        }
    }
    (checks, anchors)
}

const fn is_failed(check: &ContentCheck) -> bool {
    matches!(check.outcome, CheckOutcome::Failed)
}

/// What the template's author wrote, from subject to call.
fn own_words(filled: &Filled) -> Vec<String> {
    let content = filled.paragraphs.iter().filter(|it| has_content(it.kind));
    let passages = content.map(|paragraph| &paragraph.passage);
    std::iter::once(&filled.subject)
        .chain(passages)
        .map(|passage| passage.blanked(Source::is_own))
        .collect()
}

/// The checks by the words of one language.
fn checked(
    message: &MessageToCheck<'_>,
    claimed: &Claimed,
    filled: &Filled,
    vocabulary: &Vocabulary,
) -> CheckedMessage {
    let texts = ApprovedTexts::of(message.offer.texts.iter().map(String::as_str))
        .naming(message.values.values().map(String::as_str))
        .naming(message.recipient.iter().copied())
        .naming([message.desired_next_step])
        .quoting(message.evidence.iter().map(|record| record.excerpt));
    let shown_first = shown_first(filled).map(|(pointer, line)| {
        let sentences = line.sentences();
        let asks = asks(line, &sentences, vocabulary, is_worded);
        let of = facts(line, (&sentences, &asks), &texts, vocabulary, false);
        (pointer, line, of)
    });
    let mut stated = Vec::new();
    for paragraph in filled.paragraphs.iter().filter(|it| is_message(it.kind)) {
        let of = facts(
            &paragraph.passage,
            (&paragraph.sentences, &paragraph.asks),
            &texts,
            vocabulary,
            is_of_value(paragraph.kind),
        );
        stated.extend(of.into_iter().map(|fact| (paragraph, fact)));
    }
    let reader = Reader {
        given: message,
        claimed,
        filled,
        vocabulary,
        stated,
        stated_first: shown_first,
        texts,
    };
    (reader.checks(), reader.anchors())
}

/// Subject and preview text, which a mailbox shows before the message is opened, each with its pointer.
fn shown_first(filled: &Filled) -> [(&'static str, &Passage); 2] {
    [
        ("/subject", &filled.subject),
        ("/preview_text", &filled.preview),
    ]
}

struct Reader<'r> {
    given: &'r MessageToCheck<'r>,
    claimed: &'r Claimed,
    filled: &'r Filled,
    vocabulary: &'r Vocabulary,
    /// Sentences that state a fact in the template's own words.
    stated: Vec<(&'r Paragraph, Fact)>,
    /// What subject and preview text state so.
    stated_first: [(&'static str, &'r Passage, Vec<Fact>); 2],
    /// The offer's words.
    texts: ApprovedTexts,
}

impl<'r> Reader<'r> {
    fn checks(&self) -> Vec<ContentCheck> {
        CheckKey::ALL
            .into_iter()
            .map(|check| match check {
                CheckKey::EvidenceAnchors => self.evidence_anchors(),
                CheckKey::ApprovedValueAnchors => self.approved_value_anchors(),
                CheckKey::RecipientRelevance => self.recipient_relevance(),
                CheckKey::NumericClaims => self.numeric_claims(),
                CheckKey::WordLimit => self.word_limit(),
                CheckKey::LinkLimit => self.link_limit(),
                CheckKey::SingleCta => self.single_cta(),
                CheckKey::MobileStructure => self.mobile_structure(),
                CheckKey::ProhibitedLanguage => self.prohibited_language(),
                CheckKey::OptOutFinal => self.opt_out_final(),
            })
            .collect()
    }

    fn message(&self) -> impl Iterator<Item = &'r Paragraph> {
        let paragraphs = self.filled.paragraphs.iter();
        paragraphs.filter(|paragraph| is_message(paragraph.kind))
    }

    fn shown_first(&self) -> [(&'static str, &'r Passage); 2] {
        shown_first(self.filled)
    }

    /// The values of the whole text, with their words.
    fn values(&self) -> impl Iterator<Item = (&'r Paragraph, &'r Part, Placeholder, &'r str)> {
        self.filled.paragraphs.iter().flat_map(|paragraph| {
            paragraph
                .passage
                .parts
                .iter()
                .filter_map(move |part| match part.source {
                    Source::Value(placeholder) => {
                        let text = paragraph.passage.text.get(part.range.clone());
                        Some((paragraph, part, placeholder, text.unwrap_or_default()))
                    }
                    _ => None,
                })
        })
    }

    fn hits(&self, paragraph: &Paragraph, ranges: &[Range<usize>]) -> Vec<Hit> {
        let ranges = ranges.iter();
        ranges
            .map(|range| Hit::of(self.filled, paragraph, range))
            .collect()
    }

    fn recipient_relevance(&self) -> ContentCheck {
        let tells = |placeholder: &Placeholder| {
            matches!(
                placeholder,
                Placeholder::RecipientRole
                    | Placeholder::CompanyName
                    | Placeholder::CompanyIndustry
                    | Placeholder::CompanyLocation
                    | Placeholder::EvidenceHook
            )
        };
        let body = self
            .message()
            .flat_map(|paragraph| paragraph.passage.values());
        let count = body
            .chain(self.filled.subject.values())
            .filter(tells)
            .count();
        result(
            CheckKey::RecipientRelevance,
            count >= 1,
            json!(count),
            json!(1),
            Vec::new(),
        )
    }

    fn word_limit(&self) -> ContentCheck {
        let (words, most) = (
            self.given.message.counts.words,
            self.given.options.max_words,
        );
        let fits = u32::try_from(words).is_ok_and(|words| words <= most);
        result(
            CheckKey::WordLimit,
            fits,
            json!(words),
            json!(most),
            Vec::new(),
        )
    }

    fn single_cta(&self) -> ContentCheck {
        let (mut count, mut wished) = (0, Vec::new());
        let mut places = Vec::new();
        for paragraph in &self.filled.paragraphs {
            for ask in &paragraph.asks {
                if is_link_of_the_ask(&paragraph.passage, ask) {
                    continue;
                }
                count += ask.times;
                let asking = asking_part(&paragraph.passage, ask, self.vocabulary);
                let hit = Hit::of(self.filled, paragraph, &asking);
                match is_the_wished_ask(&paragraph.passage, ask) {
                    true => wished.push(hit),
                    false => places.push(hit),
                }
            }
        }
        // A subject may be a question, but not a request in the place of who signs.
        for (pointer, line) in self.shown_first() {
            let asked = asks_of_signing(line, self.vocabulary);
            count += asked;
            places.extend((asked > 0).then(|| Hit::of_whole_line(pointer, line)));
        }
        let passed = count == 1;
        // Beside another one, the wished ask is none that has to be mended.
        if places.is_empty() {
            places = wished;
        }
        if passed {
            places.clear();
        }
        result(CheckKey::SingleCta, passed, json!(count), json!(1), places)
    }

    fn mobile_structure(&self) -> ContentCheck {
        let subject = self.given.message.counts.subject_chars;
        let mut longest = 0;
        let mut places = Vec::new();
        for paragraph in self.message() {
            let words = count_words(&paragraph.passage.text);
            longest = longest.max(words);
            if words > BLOCK_WORDS {
                let whole = 0..paragraph.passage.text.len();
                places.push(Hit::of(self.filled, paragraph, &whole));
            }
        }
        if subject > SUBJECT_CHARS {
            places.push(Hit::of_whole_line("/subject", &self.filled.subject));
        }
        let show = |words: usize, chars: usize| {
            json!(format!(
                "{words} words a paragraph, {chars} characters of the subject"
            ))
        };
        result(
            CheckKey::MobileStructure,
            places.is_empty(),
            show(longest, subject),
            show(BLOCK_WORDS, SUBJECT_CHARS),
            places,
        )
    }
}

/// Whether a sentence asks for the next step with its value and for nothing else.
fn is_the_wished_ask(passage: &Passage, ask: &Ask) -> bool {
    let mut values = passage.values_in(&ask.sentence);
    ask.times == 1 && values.any(|value| value == Placeholder::NextStepAsk)
}

/// What of a sentence asks: of what says who writes, the value that does by itself; else the whole.
fn asking_part(passage: &Passage, ask: &Ask, vocabulary: &Vocabulary) -> Range<usize> {
    let parts = passage
        .parts
        .iter()
        .filter(|part| part.range.start < ask.sentence.end && part.range.end > ask.sentence.start);
    let mut signing = parts.filter(|part| is_signing(part.source));
    let asks = |part: &&Part| {
        let mut alone = Passage::default();
        let text = passage.text.get(part.range.clone());
        alone.push(text.unwrap_or_default(), part.source);
        asks_of_signing(&alone, vocabulary) > 0
    };
    let part = signing.find(asks);
    part.map_or_else(|| ask.sentence.clone(), |part| part.range.clone())
}

/// Whether a sentence is nothing but a link to the next step beside the value that asks for it: the link's words, and the
/// address that the renderer writes behind them.
fn is_link_of_the_ask(passage: &Passage, ask: &Ask) -> bool {
    let is_url = |part: &Part| part.source == Source::Value(Placeholder::NextStepUrl);
    let Some(address) = passage.parts.iter().position(is_url) else {
        return false;
    };
    let label = address.checked_sub(2).and_then(|at| passage.parts.get(at));
    let label = label.filter(|part| part.source == Source::Literal);
    let urls = passage.parts.iter().filter(|part| is_url(part)).count();
    let is_ask = |value: Placeholder| value == Placeholder::NextStepAsk;
    let mut within = passage.values_in(&ask.sentence);
    ask.times == 1
        && urls == 1
        && label.is_some_and(|label| ask.sentence.start >= label.range.start)
        && within.any(|value| value == Placeholder::NextStepUrl)
        && passage.values().any(is_ask)
        && !passage.values_in(&ask.sentence).any(is_ask)
}
