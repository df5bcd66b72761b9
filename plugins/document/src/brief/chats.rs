//! Briefs that are a conversation of colleagues, copied from a chat: `[09:12] Dan: lead w/ the cranes, they lost 19 days`.
//!
//! Danger: most of a conversation is for nobody but those who have it. So who speaks and when is left out, and of what they say
//! only what tells something stays: questions, asides and what somebody says of himself are private, orders are directions.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    CHAT_ASIDES, CHAT_ORDERS, CHAT_QUESTIONS, GREETINGS, HELLOS, HESITATIONS, HINTS, LIMITS,
    NEGATIONS, NOTICES, ORDERS, POLITENESS,
};
use gtm_lexicon::foundations::AND;
use gtm_lexicon::prose::I;
use gtm_lexicon::sentences::ABBREVIATIONS;
use gtm_lexicon::{fold, is_month, split};
use gtm_page_text::primary_language;

use super::chat_forms::Head;
use super::line_kinds::{is_direction_label, is_sentence, item_of};
use super::openings::opens;
use super::stamps::{self, is_stamp, without_stamp};
use super::verdicts::{Place, Verdict};
use super::{
    chat_forms, corrections, mentions, one_line, opening_orders, private_notes, retractions,
    slide_mark,
};
use crate::capital::capital;

/// Fewest messages with a time, and without one.
const FEWEST_TIMED: usize = 2;
const FEWEST_UNTIMED: usize = 3;
/// How many of them must say what only colleagues say, with a time and without one.
const ASIDES_TIMED: usize = 1;
const ASIDES_UNTIMED: usize = 2;
/// Longest name of a speaker, in words and in characters.
const NAME_WORDS: usize = 5;
const NAME_CHARS: usize = 40;
/// Fewest words that tell something without a figure.
const LEAST_WORDS: usize = 4;

/// What a conversation says.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Chat {
    /// What stands before it, and what it tells.
    pub text: String,
    pub directions: Vec<String>,
    pub withheld: Vec<String>,
}

impl Chat {
    /// The conversation of a text, if it is one.
    pub fn of(text: &str, language: &str) -> Option<Self> {
        let lines: Vec<&str> = text.lines().collect();
        let heads = heads(&lines, language)?;
        let (first, _) = heads.first_key_value()?;
        let mut chat = Self::default();
        for line in lines.iter().take(*first) {
            chat.text.push_str(line);
            chat.text.push('\n');
        }
        let names: BTreeSet<String> = heads
            .values()
            .filter_map(|head| first_word(head.speaker))
            .collect();
        for (at, line) in lines.iter().enumerate().skip(*first) {
            let (said, begins) = match heads.get(&at) {
                Some(head) => (head.said, true),
                None => (*line, line.trim().is_empty()),
            };
            if begins {
                chat.text.push('\n');
            }
            chat.take(said, &names, language);
        }
        Some(chat)
    }

    fn take(&mut self, line: &str, names: &BTreeSet<String>, language: &str) {
        let bare = line.trim();
        // The time of a message whose speaker goes on.
        if is_stamp(bare) {
            return;
        }
        // The rows of a table tell something, whatever stands in them.
        if bare.starts_with('|') || bare.contains('\t') {
            self.text.push_str(&format!("{}\n", line.trim_matches(' ')));
            return;
        }
        let (mark, said) = match item_of(bare) {
            Some(said) => ("- ", said),
            None => ("", bare),
        };
        let mut kept: Vec<&str> = Vec::new();
        for sentence in sentences(said) {
            // What is taken back goes with what takes it back, further on.
            let corrects = retractions::retracts(sentence) || corrections::opens(sentence);
            if corrects || mentions::asks(sentence) {
                kept.push(sentence);
                continue;
            }
            let end = chat_forms::end_of_content(sentence, language);
            let (sentence, aside) = sentence.split_at(end);
            let aside = aside.trim_matches(|c: char| !c.is_alphanumeric());
            if is_order(sentence, language) {
                self.directions.push(one_line(sentence));
            } else if is_private(sentence, names, language) {
                self.withheld.push(one_line(sentence));
            } else {
                kept.push(sentence);
            }
            self.withheld
                .extend((!aside.is_empty()).then(|| one_line(aside)));
        }
        if !kept.is_empty() {
            let said: Vec<String> = kept.into_iter().map(|it| as_sentence(it, mark)).collect();
            self.text.push_str(&format!("{mark}{}\n", said.join(" ")));
        }
    }
}

/// A sentence as others begin and end: in a chat nobody minds, and a line without an end would look like a heading.
fn as_sentence(said: &str, mark: &str) -> String {
    // `and 240 a month`: what it goes on with was said by another.
    let joined = said.split_once(' ');
    let said = match joined {
        Some((first, rest)) if AND.contains(fold(first).as_str()) => rest.trim_start(),
        _ => said,
    };
    let said = capital(said);
    match is_sentence(&said) || !mark.is_empty() {
        true => said,
        false => format!("{}.", said.trim_end_matches([',', ';', '-'])),
    }
}

fn is_order(sentence: &str, language: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    // `sent as pdf pls`
    let polite = words.last().is_some_and(|word| {
        HINTS.has_word(word) && POLITENESS.has_word(word) && !sentence.contains(char::is_numeric)
    });
    polite
        || chat_forms::asks_for_a_document(sentence, language)
        || Verdict::of(sentence, language, Place::Beginning).is_order()
        || CHAT_ORDERS.open(&words)
        || opens(&HINTS, sentence)
        || opens(&ORDERS, sentence)
}

fn is_private(sentence: &str, names: &BTreeSet<String>, language: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let own = I.of(primary_language(language));
    let first = words.first().copied().unwrap_or_default();
    let calls = names.contains(first);
    // `livraison mi-avril`
    let timed = words.iter().any(|word| is_month(word)) && !NEGATIONS.any_in(&words);
    let tells = sentence.contains(char::is_numeric) || timed;
    // What states nothing is said to whoever else is in the conversation.
    let offers = words.len() >= LEAST_WORDS && WE.any_in(&words);
    // `Machen wir alles aus einer Hand.` is no question.
    let says_so = sentence.trim_end().ends_with(['.', '!', '。', '！']);
    sentence.trim_end().ends_with(['?', '？'])
        || CHAT_ASIDES.any_in(&words)
        || (!tells && !says_so && CHAT_QUESTIONS.open(&words))
        || calls
        || sentence.contains('@')
        || opening_orders::tells_an_attitude(sentence)
        || words.iter().any(|word| own.contains(word))
        || !tells && !offers
        || chat_forms::weighs_a_figure(sentence, language)
        || (!tells && (HELLOS.open(&words) || GREETINGS.open(&words)))
}

/// The sentences of a message. In a hurry nobody begins one with a capital.
fn sentences(said: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut begin = 0;
    for (at, c) in said.char_indices() {
        let ends = matches!(c, '.' | '!' | '?' | '…' | '。' | '！' | '？');
        let behind = said.get(at + c.len_utf8()..).unwrap_or_default();
        let apart = behind.starts_with(char::is_whitespace) || matches!(c, '。' | '！' | '？');
        let goes_on = behind
            .trim_start()
            .starts_with(|c: char| c.is_ascii_digit());
        let last = said
            .get(begin..at)
            .and_then(|said| said.split_whitespace().last());
        let is_abbreviation = c == '.' && last.is_some_and(is_abbreviated);
        if ends && apart && !goes_on && !is_abbreviation {
            found.extend(said.get(begin..at + c.len_utf8()));
            begin = at + c.len_utf8();
        }
    }
    found.extend(said.get(begin..));
    let said = found.into_iter().map(str::trim);
    said.filter(|sentence| sentence.chars().any(char::is_alphanumeric))
        .collect()
}

fn first_word(name: &str) -> Option<String> {
    let folded = fold(name);
    split(&folded).first().map(|word| (*word).to_owned())
}

/// Whether a full stop behind a word ends no sentence. `2 pages max.` and `No.` do end there.
fn is_abbreviated(word: &str) -> bool {
    let word = word.to_lowercase();
    ABBREVIATIONS.contains(word.as_str()) && !LIMITS.has_word(&word) && !HESITATIONS.has_word(&word)
}

/// The lines with which messages begin. A plan of a day has times, too, and questions, answers and rows of labels have names
/// before a colon: so somebody must say what only colleagues say, and without times more than once, and somebody speak twice.
fn heads<'t>(lines: &[&'t str], language: &str) -> Option<BTreeMap<usize, Head<'t>>> {
    let all: BTreeMap<usize, Head<'t>> = lines
        .iter()
        .copied()
        .enumerate()
        .filter_map(|(at, line)| {
            let head = head_of(line)?;
            let below = lines.get(at + 1).copied().unwrap_or_default();
            let says = !head.said.is_empty()
                || !below.trim().is_empty() && head_of(below).is_none_or(|next| !next.is_timed);
            says.then_some((at, head))
        })
        .collect();
    let of = |is_timed: bool| -> BTreeMap<usize, Head<'t>> {
        let kept = all.iter().filter(|(_, head)| head.is_timed == is_timed);
        kept.map(|(at, head)| (*at, *head)).collect()
    };
    let timed = of(true);
    let talks = chat_forms::follow_at_once(lines, &timed)
        || chatting(lines, &timed, language) >= ASIDES_TIMED;
    if timed.len() >= FEWEST_TIMED && talks {
        return Some(timed);
    }
    let untimed = of(false);
    let is_chat = untimed.len() >= FEWEST_UNTIMED
        && repeats(&untimed)
        && (chatting(lines, &untimed, language) >= ASIDES_UNTIMED
            || chat_forms::ask_and_answer(&untimed, language));
    is_chat.then_some(untimed)
}

fn repeats(heads: &BTreeMap<usize, Head<'_>>) -> bool {
    let mut names: Vec<&str> = heads.values().map(|head| head.speaker).collect();
    let all = names.len();
    names.sort_unstable();
    names.dedup();
    names.len() < all && names.iter().all(|name| !name.is_empty())
}

/// How many of the messages say what only colleagues say. In an interview somebody may well say `we should`: such words count
/// only where the messages order a document.
fn chatting(lines: &[&str], heads: &BTreeMap<usize, Head<'_>>, language: &str) -> usize {
    let ends = heads.keys().skip(1).copied().chain([lines.len()]);
    let messages = heads.iter().zip(ends).map(|((at, head), end)| {
        let below = lines.get(at + 1..end).unwrap_or_default();
        let said = std::iter::once(head.said).chain(below.iter().copied());
        said.flat_map(sentences).collect::<Vec<&str>>()
    });
    let (mut sure, mut likely) = (0, 0);
    let mut ordered = false;
    for sentences in messages {
        let orders =
            |sentence: &&str| Verdict::of(sentence, language, Place::Beginning).orders_a_document();
        let talks = |sentence: &&str| is_aside(sentence) || retractions::retracts(sentence);
        let suggests = |sentence: &&str| CHAT_ORDERS.open(&split(&fold(sentence)));
        let orders = sentences.iter().any(orders);
        ordered |= orders;
        match () {
            () if orders || sentences.iter().any(talks) => sure += 1,
            () if sentences.iter().any(suggests) => likely += 1,
            () => {}
        }
    }
    sure + if ordered { likely } else { 0 }
}

/// Whether a sentence says what only colleagues say. One word that leaves a value open is none: `Owner: tbc`.
fn is_aside(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    CHAT_ASIDES
        .places(&words)
        .any(|(at, phrase)| match phrase.len() {
            1 => at == 0 && words.len() > 1,
            _ => words.len() > phrase.len(),
        })
}

fn head_of(line: &str) -> Option<Head<'_>> {
    let line = line.trim();
    let (rest, is_timed) = match without_stamp(line) {
        Some(rest) => (rest, true),
        None => (line, false),
    };
    // `Tom` is Portuguese for a tone; beside a time it is somebody.
    let names = |name: &str| is_name(name) && (is_timed || !is_direction_label(name));
    if let Some((name, said)) = stamps::between(line).filter(|(name, _)| is_name(name)) {
        return Some(Head {
            speaker: name,
            said,
            is_timed: true,
        });
    }
    let labeled = rest.split_once([':', '：']);
    let (speaker, said) = match labeled.filter(|(name, _)| names(name)) {
        Some((name, said)) => (name, said),
        // `Dan  9:12 AM` stands above what he says.
        None if is_timed && names(rest) => (rest, ""),
        None => return None,
    };
    Some(Head {
        speaker: speaker.trim(),
        said: said.trim(),
        is_timed,
    })
}

/// Whether words before a colon may name who speaks, and nothing that briefs say before a colon.
fn is_name(name: &str) -> bool {
    let name = name.trim();
    let words = name.split_whitespace().count();
    let folded = fold(name);
    (1..=NAME_WORDS).contains(&words)
        && name.chars().count() <= NAME_CHARS
        && name.starts_with(|c: char| {
            c.is_uppercase() || (c.is_alphabetic() && !c.is_lowercase()) || c == '@'
        })
        && name
            .chars()
            .all(|c| c.is_alphabetic() || matches!(c, ' ' | '.' | '-' | '\'' | '’' | '@' | '_'))
        && !NOTICES.are(&split(&folded))
        && !private_notes::is_label(name)
        && slide_mark(name).is_none()
}

#[cfg(test)]
mod tests;
