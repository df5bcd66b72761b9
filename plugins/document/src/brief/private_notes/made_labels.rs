//! Private labels that nobody can list, since their words can be put together in many ways: `Quick note for our sales team`,
//! `Bitte nicht an den Kunden weitergeben`.

use std::ops::Range;

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    ADDRESSING, CONFIDANTS, CUSTOMERS, DESTINATIONS, EXCLUSIVES, EXHIBITS, IMPERATIVE_NEGATIONS,
    INCLUDING, INTO_PLACES, MENTIONS, NEGATIONS, NOTE_FILLERS, NOTE_WORDS, OUTSIDERS,
    PRICE_HEADINGS, PRIVATE_LABELS, PRIVATE_MATTERS, PUTTING, REMINDERS, SHARING, SUMMARIES,
    TELLING, TEXTS, THINGS_MENTIONED,
};
use gtm_lexicon::{Phrase, Phrases, split};

use super::super::mentions::plain_words;
use super::super::{document_names, line_kinds};
use super::clauses::{is_colon, parts_clauses};
use super::made_tasks::is_task_with_somebody;
use super::{colleagues, left_out};

/// Longest label, in words.
const LABEL_WORDS: usize = 9;
/// Most words between a negation and the verb that it forbids.
const GAP_WORDS: usize = 7;
/// Longest label that keeps something out of a document, and fewest words of what that is, in words.
const KEPT_OUT_WORDS: usize = 5;
const TOLD_WORDS: usize = 6;
/// Longest negation that may also deny a noun, in letters: `no`.
const DETERMINER_LETTERS: usize = 2;

/// Whether words only say that a note is for whoever writes: each of them is one of a note, of a confidant, or says nothing of
/// its own. `Note for your team` is none.
fn is_made_label(words: &[&str]) -> bool {
    addresses_confidants(words, true)
}

/// Whether words say that a part is for whoever writes alone. `Notes for the sales team` may be the heading of a part that a
/// reader is to have.
fn is_exclusive(words: &[&str]) -> bool {
    addresses_confidants(words, false)
}

fn addresses_confidants(words: &[&str], notes_count: bool) -> bool {
    // `Confidential staff notes` may be what is sold.
    let is_exclusive = |word: &str| {
        EXCLUSIVES.has_word(word)
            || notes_count && (PRIVATE_LABELS.has_word(word) || NOTE_WORDS.has_word(word))
    };
    let is_confidant = |word: &str| CONFIDANTS.has_word(word) || PRIVATE_LABELS.has_word(word);
    (2..=LABEL_WORDS).contains(&words.len())
        && words.iter().any(|word| is_confidant(word))
        && words.iter().any(|word| is_exclusive(word))
        && says_nothing_else(words)
}

/// Whether all words are those of a note's label.
fn says_nothing_else(words: &[&str]) -> bool {
    let known = |at: usize| {
        let rest = words.get(at..).unwrap_or_default();
        let lists = [
            &CONFIDANTS,
            &EXCLUSIVES,
            &NOTE_WORDS,
            &NOTE_FILLERS,
            &PRIVATE_LABELS,
            &PRIVATE_MATTERS,
        ];
        let phrases = lists.iter().flat_map(|list| list.at_start(rest));
        phrases.map(<[_]>::len).max()
    };
    let mut at = 0;
    while at < words.len() {
        match known(at) {
            Some(length) => at += length,
            None => return false,
        }
    }
    true
}

/// Whether a label forbids to hand on what stands behind it: `Do not forward`, `À ne pas transmettre au client`. What a company
/// says of itself promises something: `What we never share`.
fn forbids_sharing(words: &[&str]) -> bool {
    words.len() <= LABEL_WORDS
        && !words.iter().any(|word| WE.has_word(word))
        && forbidden_places(words, &NEGATIONS, &SHARING)
            .next()
            .is_some()
}

/// Whether a sentence orders to keep something from its reader, with words between the negation and the verb: `Please don't send
/// this version to the client`, `Diese Zahl nicht an den Kunden weitergeben`.
pub fn keeps_from_readers(sentence: &str) -> bool {
    sentence.split(parts_clauses).any(|clause| {
        let words = plain_words(clause);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        if forbids_telling(&words) {
            return true;
        }
        let outsiders = CUSTOMERS.places(&words).chain(OUTSIDERS.places(&words));
        let Some(last_outsider) = outsiders.map(|(at, _)| at).max() else {
            return false;
        };
        let promised_from = words.iter().position(|word| WE.has_word(word));
        forbidden_places(&words, &IMPERATIVE_NEGATIONS, &SHARING).any(|(place, _)| {
            // `Our filters do not show …` states something; an order begins so, or ends with its verb.
            let orders = place.start == 0 || place.end == words.len();
            let promised = promised_from.is_some_and(|we| we <= place.start);
            orders && place.start < last_outsider && !promised
        })
    })
}

/// Whether a clause orders to keep silent: `Do not under any circumstances mention the fire`. Only such an order begins with the
/// negation; what a company does not tell, it does not tell the reader either: `We never mention the fire`. `Never write a
/// reading by hand again` sells something.
pub fn forbids_telling(words: &[&str]) -> bool {
    // `Don't forget to mention …`
    !REMINDERS.open(words)
        && !puts_elsewhere(words)
        && !MENTIONS.open(words)
        && !THINGS_MENTIONED.open(words)
        && (bans(words, &IMPERATIVE_NEGATIONS).next().is_some()
            || words.split_first().is_some_and(|(first, rest)| {
                WE.has_word(first) && bans(rest, &NEGATIONS).any(|verb| SHARING.are(verb))
            }))
}

/// Whether what is forbidden is to put something into anything but a text: `Do not include glass in the pallets`. Of a part of the
/// text, nothing but a document has any: `Do not include the fire in the summary`.
fn puts_elsewhere(words: &[&str]) -> bool {
    let mut bans = bans(words, &IMPERATIVE_NEGATIONS);
    let puts = bans.any(|verb| INCLUDING.are(verb) || PUTTING.are(verb));
    let of_a_text = DESTINATIONS.any_in(words)
        || [&TEXTS, &EXHIBITS, &SUMMARIES, &PRICE_HEADINGS]
            .into_iter()
            .any(|list| list.any_in(words))
        || document_names::of_any().any(|kind| kind.any_in(words));
    puts && INTO_PLACES.any_in(words) && !of_a_text
}

/// The verbs of telling that a negation at the beginning of words forbids.
fn bans<'w>(
    words: &'w [&'w str],
    negations: &'static Phrases,
) -> impl Iterator<Item = Phrase> + 'w {
    let places = forbidden_places(words, negations, &TELLING);
    places.filter_map(|(place, verb)| (place.start == 0).then_some(verb))
}

/// Where a negation and the verb that it forbids stand among words, and the verb.
fn forbidden_places<'w>(
    words: &'w [&'w str],
    negations: &'static Phrases,
    verbs: &'static Phrases,
) -> impl Iterator<Item = (Range<usize>, Phrase)> + 'w {
    negations.places(words).flat_map(move |(from, negation)| {
        let begin = from + negation.len();
        // `No costs to pass on to customers` denies the costs.
        let short = negation.iter().all(|word| word.len() <= DETERMINER_LETTERS);
        let most = if short { 2 } else { GAP_WORDS };
        let gap = words
            .get(begin..words.len().min(begin + most))
            .unwrap_or_default();
        verbs
            .places(gap)
            .map(move |(at, verb)| (from..begin + at + verb.len(), verb))
    })
}

/// `Niet in de offerte: de meters komen van een oude partij.` What a list behind such a label names is not offered, and a reader is
/// told so.
pub fn keeps_out_of_a_document(sentence: &str) -> bool {
    let Some((label, said)) = sentence.split_once(is_colon) else {
        return false;
    };
    let words = plain_words(label);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    let names = document_names::of_any().any(|kind| kind.any_in(&words));
    let tells = line_kinds::is_sentence(said) && said.split_whitespace().count() >= TOLD_WORDS;
    NEGATIONS.open(&words)
        && words.len() <= KEPT_OUT_WORDS
        && names
        && tells
        && !split(said).iter().any(|word| ADDRESSING.any_has(word))
}

/// Whether a sentence has a figure and says that it is private: `Our internal cost is £2.10`, `Internally we calculate with £3`.
pub fn tells_private_figure(sentence: &str) -> bool {
    let words = plain_words(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    sentence.contains(char::is_numeric)
        && (0..words.len()).any(|at| {
            let (first, rest) = (words.get(at), words.get(at + 1..).unwrap_or_default());
            let is_confidential = first.is_some_and(|word| PRIVATE_LABELS.has_word(word));
            let before = at.checked_sub(1).and_then(|before| words.get(before));
            // `coût interne`; `we calculate` behind an adverb
            let follows = before.is_some_and(|word| PRIVATE_MATTERS.has_word(word));
            is_confidential && (follows || PRIVATE_MATTERS.open(rest) || WE.open(rest))
        })
}

/// Whether a text is a label as [`is_made_label`], [`forbids_sharing`], [`left_out::is_label`], [`is_task_with_somebody`] and
/// [`colleagues::is_label`] know them.
pub fn is_made(text: &str) -> bool {
    let words = plain_words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    !names_a_country(text) && is_made_label(&words)
        || forbids_sharing(&words)
        || left_out::is_label(&words)
        || is_task_with_somebody(text)
        || colleagues::is_label(text)
}

/// Whether a heading says that what stands below it is for whoever writes alone.
pub fn is_made_heading(text: &str) -> bool {
    let words = plain_words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    !names_a_country(text) && is_exclusive(&words)
        || forbids_sharing(&words)
        || left_out::is_label(&words)
}

/// Whether `US` stands beside words in small letters, as in `US only`: then it is no confidant.
fn names_a_country(text: &str) -> bool {
    let mut words = text.split(|c: char| !c.is_alphabetic());
    text.contains(char::is_lowercase) && words.any(|word| word == "US")
}
