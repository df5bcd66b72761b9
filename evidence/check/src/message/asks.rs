//! What a message asks of its reader. A sentence asks if it has a question mark, if a clause of it begins with words such
//! as `reply` or `let me know`, if it has words such as `please`, or if the value of `next_step.ask` stands in it. It asks
//! twice if a second such clause is joined to the first: `reply or book a call`. A notice on how to get no more messages
//! asks nothing.
//!
//! In what says who writes, words such as `book` ask wherever they stand, but only if more than a title or a name follows:
//! a book editor and the Call Centre ask nothing, `Book a call` does.

use std::ops::Range;

use gtm_domain::message::Placeholder;
use gtm_domain::message::characters::is_question_mark;
use gtm_lexicon::messages::{APPOINTMENTS, CONDITIONS, READINESS};
use gtm_lexicon::roles::SMALL_WORDS;
use gtm_lexicon::segments;

use super::notices::notices;
use super::passage::{Passage, Source, Word, places};
use super::said_by::is_signing;
use super::vocabulary::Vocabulary;

/// A sentence that asks, and how often.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Ask {
    /// Bytes of the passage.
    pub sentence: Range<usize>,
    pub times: usize,
}

/// Most words between what leaves a talk to the reader and the talk, and from words that the writer has time.
const FROM_CONDITION: usize = 4;
const FROM_READINESS: usize = 8;
/// Most softening words that are skipped before what asks.
const MOST_SOFTENERS: usize = 3;

/// The sentences of a passage that ask, among the parts that are read.
pub(super) fn asks(
    passage: &Passage,
    sentences: &[Range<usize>],
    vocabulary: &Vocabulary,
    reads: impl Fn(Source) -> bool + Copy,
) -> Vec<Ask> {
    let reads = |source: Source| reads(source) || source == ASK;
    let signs = |source: Source| is_signing(source) && reads(source);
    let words = passage.words(reads);
    let notices = notices(passage, &words, vocabulary);
    let (signed, own): (Vec<_>, Vec<_>) = marked(&words, vocabulary.ask_phrases)
        .into_iter()
        .partition(|mark| passage.source_at(mark.start).is_some_and(signs));
    let offers = offers(&words, vocabulary);
    let letter = passage.blanked(|source| reads(source) && !is_signing(source));
    let signature = passage.blanked(signs);
    let is_question = |text: &str, sentence: &Range<usize>| {
        let text = text.get(sentence.clone());
        text.is_some_and(|text| text.contains(is_question_mark))
    };
    let found = sentences.iter().filter_map(|sentence| {
        if any_within(&notices, sentence) {
            return None;
        }
        let first = words.partition_point(|word| word.range.end <= sentence.start);
        let end = words.partition_point(|word| word.range.start < sentence.end);
        let within = words.get(first..end).unwrap_or_default();
        let given = passage
            .values_in(sentence)
            .filter(|value| *value == Placeholder::NextStepAsk)
            .count();
        let clauses = clauses(passage, sentence, within, vocabulary);
        let asks = is_question(&letter, sentence)
            || any_within(&own, sentence)
            || (given == 0 && offers.iter().any(|offer| sentence.contains(&offer.start)));
        let first = given.max(clauses.own).max(usize::from(asks));
        // Who signs asks for something else than the letter, even within its sentences.
        let asks = is_question(&signature, sentence) || any_within(&signed, sentence);
        let first = first + clauses.signed.max(usize::from(asks));
        // A conjunction joins only to what asks: `installed and read` does not.
        (first > 0).then(|| Ask {
            sentence: sentence.clone(),
            times: first + clauses.joined,
        })
    });
    found.collect()
}

/// Where a writer offers a talk: `if a call is easier`, `I am around for a demo`. A product may be about calls, so one is
/// offered only with words that leave it to the reader, or that say that the writer has time.
fn offers(words: &[Word], vocabulary: &Vocabulary) -> Vec<Range<usize>> {
    let language = vocabulary.language.as_str();
    let ready = marked(words, READINESS.of(language));
    let conditions = marked(words, CONDITIONS.of(language));
    let appointments = marked(words, APPOINTMENTS.of(language));
    let near = |one: &Range<usize>, other: &Range<usize>, most: usize| {
        let from = words.partition_point(|word| word.range.start < one.end);
        let to = words.partition_point(|word| word.range.start < other.start);
        one.end <= other.start && to.saturating_sub(from) <= most
    };
    let mut offers = appointments;
    offers.retain(|talk| {
        (conditions.iter()).any(|condition| near(condition, talk, FROM_CONDITION))
            || ready.iter().any(|ready| near(ready, talk, FROM_READINESS))
    });
    offers
}

/// How often what says who writes asks in a line.
pub(super) fn asks_of_signing(line: &Passage, vocabulary: &Vocabulary) -> usize {
    let mut signature = line.clone();
    for part in &mut signature.parts {
        if !is_signing(part.source) {
            part.source = Source::Added;
        }
    }
    let asks = asks(&signature, &signature.sentences(), vocabulary, is_signing);
    asks.iter().map(|ask| ask.times).sum()
}

/// The part in which the request says what is asked.
const ASK: Source = Source::Value(Placeholder::NextStepAsk);

fn marked(words: &[Word], phrases: Option<&'static gtm_lexicon::Phrases>) -> Vec<Range<usize>> {
    phrases
        .map(|phrases| places(words, phrases))
        .unwrap_or_default()
}

fn any_within(marks: &[Range<usize>], sentence: &Range<usize>) -> bool {
    let first = marks.partition_point(|mark| mark.start < sentence.start);
    marks
        .get(first)
        .is_some_and(|mark| mark.start < sentence.end)
}

/// How many clauses of a sentence begin with words that ask.
#[derive(Default)]
struct Clauses {
    /// Those behind a mark.
    own: usize,
    /// Those behind a conjunction.
    joined: usize,
    /// Those in what says who writes.
    signed: usize,
}

fn clauses(
    passage: &Passage,
    sentence: &Range<usize>,
    words: &[Word],
    vocabulary: &Vocabulary,
) -> Clauses {
    let mut found = Clauses::default();
    let Some(openings) = vocabulary.ask_openings else {
        return found;
    };
    let joints = segments::JOINTS.of(&vocabulary.language);
    let bare: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    // The word with which the last clause asked: softening words may lead to it from two sides.
    let mut last = None;
    for (at, word) in words.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|before| words.get(before));
        let from = before.map_or(sentence.start, |before| before.range.end);
        let between = passage.text.get(from..word.range.start).unwrap_or_default();
        let part = passage.parts.get(passage.part_at(word.range.start));
        let signs = part.is_some_and(|part| is_signing(part.source));
        let stands_alone = part.is_some_and(|part| {
            (signs || part.source == Source::Label) && part.range.start >= from
        });
        let begins = before.is_none() || stands_alone || parts_clauses(between);
        // Titles have no marks: `Head of metering book a call`. `Point of contact` begins nothing.
        // `Of` is Dutch for `or`, and no joint of a title there either.
        let amid = signs
            && before.is_none_or(|before| {
                let joins = before.folded.len() > 2 && joints.contains(&before.folded);
                joins || !SMALL_WORDS.contains(&before.folded)
            });
        let joint = joints.contains(&word.folded);
        // `Or book a call.` joins to nothing in its sentence.
        let follows_joint = at > 1 && before.is_some_and(|before| joints.contains(&before.folded));
        let begins = begins || (at == 1 && before.is_some_and(|it| joints.contains(&it.folded)));
        if joint || !(begins || amid || (follows_joint && !signs)) {
            continue;
        }
        let rest = bare.get(at..).unwrap_or_default();
        let asking = softened(rest, vocabulary);
        let place = bare.len() - asking.len();
        let longest = openings.at_start(asking).map(<[_]>::len).max();
        let asks = longest.is_some_and(|length| {
            let clause = words.get(place..).unwrap_or_default();
            !signs || is_no_title(passage, clause, length, begins, vocabulary)
        });
        if asks && last != Some(place) {
            last = Some(place);
            match (signs, follows_joint) {
                (true, _) => found.signed += 1,
                (false, true) => found.joined += 1,
                (false, false) => found.own += 1,
            }
        }
    }
    found
}

/// The words without those that soften what follows.
fn softened<'w, 'b>(words: &'b [&'w str], vocabulary: &Vocabulary) -> &'b [&'w str] {
    let mut rest = words;
    for _ in 0..MOST_SOFTENERS {
        let softener = vocabulary
            .ask_softeners
            .and_then(|softeners| softeners.at_start(rest).map(<[_]>::len).max());
        match softener.and_then(|length| rest.get(length..)) {
            Some(behind) => rest = behind,
            None => break,
        }
    }
    rest
}

/// Fewest digits of a telephone number.
const OF_TELEPHONE: usize = 6;

/// Most words of a request that are looked at.
const LONGEST_REQUEST: usize = 12;

/// Whether words that begin with an opening of this length are a request and no title, name or address: an object is
/// near (`book a`, `call me`), they speak of reader or writer, a telephone number follows, or they are nothing but an
/// opening of several words.
fn is_no_title(
    passage: &Passage,
    words: &[Word],
    length: usize,
    begins: bool,
    vocabulary: &Vocabulary,
) -> bool {
    let mut end = words.first().map_or(0, |word| word.range.start);
    let clause = words.iter().take(LONGEST_REQUEST).take_while(|word| {
        let between = passage.text.get(end..word.range.start);
        end = word.range.end;
        let signs = passage.source_at(word.range.start).is_some_and(is_signing);
        signs && !between.is_some_and(parts_clauses)
    });
    let clause: Vec<&Word> = clause.collect();
    let behind = clause.get(1..).unwrap_or_default();
    let printed = behind
        .iter()
        .filter_map(|word| passage.text.get(word.range.clone()));
    let digits = behind.iter().flat_map(|word| word.folded.chars());
    let mut near = behind.iter().take(length);
    let has_object = vocabulary
        .ask_objects
        .is_some_and(|objects| near.any(|word| objects.has_word(&word.folded)));
    has_object
        || vocabulary.speaks_of_persons(printed)
        || digits.filter(char::is_ascii_digit).count() >= OF_TELEPHONE
        || (begins && length > 1 && clause.len() == length)
}

/// Whether what stands between two words ends a clause. A hyphen does if blanks are around it.
fn parts_clauses(between: &str) -> bool {
    let is_mark = |c: char| {
        matches!(
            c,
            ',' | ';'
                | ':'
                | '–'
                | '—'
                | '―'
                | '('
                | '['
                | '…'
                | '•'
                | '·'
                | '¡'
                | '|'
                | '/'
                | '>'
                | '»'
                | '→'
                | '*'
                | '、'
                | '，'
                | '；'
                | '：'
                | '（'
                | '｜'
        )
    };
    between.contains(is_mark)
        || (between.contains('-') && between.starts_with(' ') && between.ends_with(' '))
}

#[cfg(test)]
mod tests {
    use gtm_domain::message::Inline;

    use super::*;

    fn count(language: &str, inlines: &[Inline]) -> usize {
        let passage = Passage::of_inlines(inlines);
        let sentences = passage.sentences();
        let vocabulary = Vocabulary::of(language);
        let found = asks(&passage, &sentences, &vocabulary, Source::is_own);
        found.iter().map(|ask| ask.times).sum()
    }

    fn text(v: &str) -> Inline {
        Inline::Text { v: v.to_owned() }
    }

    #[test]
    fn asks_are_counted() {
        for (language, asked, times) in [
            ("en", "Would Tuesday or Wednesday suit you?", 1),
            ("en", "Reply with a date.", 1),
            ("en", "If so, just reply with a date.", 1),
            ("en", "Please let me know.", 1),
            ("en", "Reply with a date or book a call.", 2),
            ("en", "Would Tuesday suit you, or book a slot here?", 2),
            ("en", "Reply today? Call me.", 2),
            ("en", "The meters are installed, read and billed.", 0),
            ("en", "I am around all week if a call is easier.", 1),
            // When the writer has time is no request and no pressure.
            ("en", "I am around all week.", 0),
            ("de", "Ich bin die ganze Woche da.", 0),
            ("en", "Happy to walk you through it on a call.", 1),
            ("en", "If the gate is closed, drivers wait.", 0),
            ("en", "Calls are logged by the minute.", 0),
            ("en", "Reply to unsubscribe.", 0),
            ("de", "Passt Ihnen Dienstag?", 1),
            ("de", "Antworten Sie kurz oder rufen Sie mich an.", 2),
            ("de", "Wenn Ihnen ein Telefonat lieber ist, bin ich da.", 1),
            ("fr", "Si un appel vous convient mieux, je suis là.", 1),
            ("es", "Si prefiere una llamada, estoy libre.", 1),
            ("de", "So lesen Sie Zähler aus der Ferne ab.", 0),
            ("fr", "Répondez-moi ou réservez un créneau.", 2),
            ("fr", "Merci de me répondre.", 1),
            ("es", "¿Le viene bien el martes?", 1),
            ("es", "Responda a este correo o llámeme.", 2),
        ] {
            assert_eq!(count(language, &[text(asked)]), times, "{asked}");
        }
    }

    #[test]
    fn the_given_ask_counts_once_in_its_sentence() {
        let ask = Inline::Var {
            name: "next_step.ask".to_owned(),
        };
        assert_eq!(count("en", std::slice::from_ref(&ask)), 1);
        assert_eq!(count("en", &[text("Tell me: "), ask.clone(), text("?")]), 1);
        assert_eq!(count("en", &[ask.clone(), text(" "), ask.clone()]), 2);
        assert_eq!(count("en", &[ask, text(" Or book a call.")]), 2);
    }

    #[test]
    fn the_words_of_a_link_may_ask() {
        let link = Inline::Link {
            href: gtm_domain::message::Href::Https("https://a.example/".to_owned()),
            label: "book a slot".to_owned(),
        };
        assert_eq!(
            count("en", &[text("You will find it here: "), link.clone()]),
            1
        );
        assert_eq!(
            count("en", &[text("Does it suit you? You may also "), link]),
            2
        );
    }
}
