//! Private labels that nobody can list, since their words can be put together in many ways: `Quick note for our sales team`,
//! `Bitte nicht an den Kunden weitergeben`.

use gtm_lexicon::Phrases;
use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    CONFIDANTS, CUSTOMERS, EXCLUSIVES, MENTIONS, NEGATIONS, NOTE_FILLERS, NOTE_WORDS, OUTSIDERS,
    PRIVATE_LABELS, PRIVATE_MATTERS, REMINDERS, SHARING, TELLING, THINGS_MENTIONED,
};

use super::super::mentions::plain_words;

/// Longest label, in words.
const LABEL_WORDS: usize = 9;
/// Most words between a negation and the verb that it forbids.
const GAP_WORDS: usize = 7;
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
    let is_exclusive = |word: &str| {
        EXCLUSIVES.has_word(word)
            || PRIVATE_LABELS.has_word(word)
            || notes_count && NOTE_WORDS.has_word(word)
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
        && forbidden_places(words, &SHARING).next().is_some()
}

/// Whether a sentence orders to keep something from its reader, with words between the negation and the verb: `Please don't send
/// this version to the client`, `Diese Zahl nicht an den Kunden weitergeben`.
pub fn keeps_from_readers(sentence: &str) -> bool {
    let parts = |c: char| {
        matches!(
            c,
            ',' | ';' | ':' | '–' | '—' | '(' | ')' | '：' | '，' | '、'
        )
    };
    sentence.split(parts).any(|clause| {
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
        forbidden_places(&words, &SHARING).any(|(from, to)| {
            // `Our filters do not show …` states something; an order begins so, or ends with its verb.
            let orders = from == 0 || to == words.len();
            orders && from < last_outsider && promised_from.is_none_or(|we| we > from)
        })
    })
}

/// Whether a clause orders to keep silent: `Do not under any circumstances mention the fire`. Only such an order begins with the
/// negation; what a company does not tell, it does not tell the reader either: `We don't talk about the fire`.
fn forbids_telling(words: &[&str]) -> bool {
    // `Don't forget to mention …`
    !REMINDERS.open(words)
        && !MENTIONS.open(words)
        && !THINGS_MENTIONED.open(words)
        && forbidden_places(words, &TELLING).any(|(from, _)| {
            from == 0 || from == 1 && words.first().is_some_and(|word| WE.has_word(word))
        })
}

/// From where to where a negation and the verb of sharing that it forbids stand
/// among words.
fn forbidden_places<'w>(
    words: &'w [&'w str],
    verbs: &'static Phrases,
) -> impl Iterator<Item = (usize, usize)> + 'w {
    NEGATIONS.places(words).flat_map(move |(from, negation)| {
        let begin = from + negation.len();
        // `No costs to pass on to customers` denies the costs.
        let short = negation.iter().all(|word| word.len() <= DETERMINER_LETTERS);
        let most = if short { 2 } else { GAP_WORDS };
        let gap = words
            .get(begin..words.len().min(begin + most))
            .unwrap_or_default();
        verbs
            .places(gap)
            .map(move |(at, verb)| (from, begin + at + verb.len()))
    })
}

/// Whether a sentence has a figure and says that it is private: `Our internal cost is £2.10`, `Internally we calculate with £3`.
pub fn tells_private_figure(sentence: &str) -> bool {
    let words = plain_words(sentence);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    sentence.contains(char::is_numeric)
        && (0..words.len()).any(|at| {
            let (first, rest) = (words.get(at), words.get(at + 1..).unwrap_or_default());
            let is_confidential = first.is_some_and(|word| PRIVATE_LABELS.has_word(word));
            // `we calculate` behind an adverb
            is_confidential && (PRIVATE_MATTERS.open(rest) || WE.open(rest))
        })
}

/// Whether a text is a label as [`is_made_label`] and [`forbids_sharing`] know them.
pub fn is_made(text: &str) -> bool {
    let words = plain_words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    is_made_label(&words) || forbids_sharing(&words)
}

/// Whether a heading says that what stands below it is for whoever writes alone.
pub fn is_made_heading(text: &str) -> bool {
    let words = plain_words(text);
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    is_exclusive(&words) || forbids_sharing(&words)
}
