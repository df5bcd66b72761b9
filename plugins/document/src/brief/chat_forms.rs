//! By what forms a conversation is known, and what of it is for nobody else: whoever writes in a chat leaves out verbs, and nobody
//! can list the words.
//!
//! Danger: a plan of a day has times and names, too, and an interview asks and answers. So messages follow one another within
//! minutes, or somebody asks somebody familiar for a document.

use std::collections::{BTreeMap, BTreeSet};

use gtm_lexicon::documents::{CASES, CLAUSE_OPENINGS, NEGATIONS, SOMEBODY};
use gtm_lexicon::names::GIVEN_NAMES;
use gtm_lexicon::prose::{FAMILIAR, I};
use gtm_lexicon::{fold, is_currency_code, split};
use gtm_page_text::primary_language;

use super::price_lines::has_money;
use super::{document_names, stamps};

/// Fewest messages that are known by their times, and longest time between most of them, in minutes.
const FEWEST_TIMED: usize = 3;
const LONGEST_PAUSE: u32 = 4;
/// Fewest messages without times, how many of the first may ask for a document, and most people who talk.
const FEWEST_UNTIMED: usize = 4;
const FIRST: usize = 3;
const MOST_SPEAKERS: usize = 4;
/// Longest reply that says nothing of its own, in words, and fewest signs of a talk.
const REPLY_WORDS: usize = 3;
const FEWEST_SIGNS: usize = 2;
/// Longest message that names no more than a document, in words.
const ORDER_WORDS: usize = 6;
/// Longest article or preposition before a figure, in letters.
const ARTICLE_LETTERS: usize = 4;
/// How far into a sentence a condition may begin it: `well if he moans, 200`.
const CONDITION_REACH: usize = 1;

/// The line with which a message begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Head<'t> {
    pub speaker: &'t str,
    pub said: &'t str,
    pub is_timed: bool,
}

/// Whether messages of several people follow one another within minutes. The parts of a plan take longer.
pub fn follow_at_once(lines: &[&str], heads: &BTreeMap<usize, Head<'_>>) -> bool {
    let speakers: BTreeSet<&str> = heads.values().map(|head| head.speaker).collect();
    let times = heads
        .keys()
        .filter_map(|at| stamps::minute_of(lines.get(*at)?));
    let times: Vec<u32> = times.collect();
    let pauses = times.windows(2).filter_map(|pair| match pair {
        [first, next] => next.checked_sub(*first),
        _ => None,
    });
    let short = pauses.filter(|pause| *pause <= LONGEST_PAUSE).count();
    heads.len() >= FEWEST_TIMED
        && (2..heads.len()).contains(&speakers.len())
        && 2 * short >= heads.len() - 1
}

/// Whether somebody asks somebody familiar for a document, and the others reply as people do in a talk.
pub fn ask_and_answer(heads: &BTreeMap<usize, Head<'_>>, language: &str) -> bool {
    let speakers: BTreeSet<&str> = heads.values().map(|head| head.speaker).collect();
    let given = |name: &&str| {
        let folded = fold(name);
        split(&folded)
            .first()
            .is_some_and(|first| GIVEN_NAMES.contains(first))
    };
    let asks = heads
        .values()
        .take(FIRST)
        .any(|head| asks_for_a_document(head.said, language));
    let is_sign = |head: &&Head<'_>| {
        let words = head.said.split_whitespace().count();
        let replies = words <= REPLY_WORDS && !head.said.contains(char::is_numeric);
        replies || head.said.ends_with(['?', '？']) || is_familiar(head.said, language)
    };
    let signs = heads.values().filter(is_sign).count();
    heads.len() >= FEWEST_UNTIMED
        && (2..=MOST_SPEAKERS).contains(&speakers.len())
        && asks
        && signs >= FEWEST_SIGNS
        && (speakers.iter().any(given) || signs > FEWEST_SIGNS)
}

/// Whether a sentence asks somebody familiar for a document: `¿me preparas una presentación?`, `tu me fais un devis`.
pub fn asks_for_a_document(sentence: &str, language: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let kinds = document_names::of_types_and_letters();
    let first = kinds
        .filter_map(|kind| kind.places(&words).next())
        .map(|(at, _)| at)
        .min();
    // `offerte, max 2 kantjes`
    let is_short = first.is_some_and(|at| at <= 1) && words.len() <= ORDER_WORDS;
    first.is_some()
        && (is_short && !has_money(sentence)
            || is_familiar(sentence, language)
            || has(sentence, &I, language)
            || sentence.trim_end().ends_with(['?', '？']))
}

/// Whether a sentence calls somebody by a familiar word. English has none, and its list has other words of friends.
fn is_familiar(sentence: &str, language: &str) -> bool {
    primary_language(language) != "en" && has(sentence, &FAMILIAR, language)
}

fn has(sentence: &str, list: &gtm_lexicon::ByLanguage, language: &str) -> bool {
    let list = list.of(primary_language(language));
    let mut printed = sentence.split(|c: char| !c.is_alphabetic() && c != '\'');
    printed.any(|word| !word.is_empty() && list.contains(&word.to_lowercase()))
}

/// Whether a sentence says what a figure may become: its figures name nothing that they count, or it says what somebody may do:
/// `3 % wenn er jammert`, `un 5, ni un céntimo más`.
pub fn weighs_a_figure(sentence: &str, language: &str) -> bool {
    if !sentence.contains(char::is_numeric) {
        return false;
    }
    let folded = fold(sentence);
    let words = split(&folded);
    let cases = CASES.of(primary_language(language));
    let condition = words.iter().position(|word| cases.contains(word));
    condition.is_some_and(|at| at <= CONDITION_REACH || has(sentence, &SOMEBODY, language))
        || counts_nothing(sentence, opens_with(sentence, &SOMEBODY, language))
}

fn opens_with(sentence: &str, list: &gtm_lexicon::ByLanguage, language: &str) -> bool {
    let first = split(sentence).first().map(|word| word.to_lowercase());
    first.is_some_and(|word| list.of(primary_language(language)).contains(word.as_str()))
}

/// Whether no figure of a sentence stands beside what it counts. Who speaks `of_somebody` names nothing: `he wanted 58 first`.
fn counts_nothing(sentence: &str, of_somebody: bool) -> bool {
    let words: Vec<&str> = sentence.split_whitespace().collect();
    let is_bare = |(at, word): (usize, &&str)| {
        let only_digits = word
            .trim_end_matches(|c: char| c.is_ascii_punctuation())
            .chars()
            .all(|c| c.is_ascii_digit() || matches!(c, '.' | ','));
        let ends = word.ends_with([',', ';', '.', '!']) || at + 1 == words.len();
        // `gate 3`, `KW 18` and `Halle 2` name something.
        let before = at.checked_sub(1).and_then(|at| Some((at, words.get(at)?)));
        let named = before.is_some_and(|(at, word)| {
            word.chars().count() > ARTICLE_LETTERS || at > 0 && word.starts_with(char::is_uppercase)
        });
        only_digits && ends && (of_somebody || !named)
    };
    let mut figures = words
        .iter()
        .enumerate()
        .filter(|(_, word)| word.contains(char::is_numeric))
        .peekable();
    figures.peek().is_some()
        && !has_money(sentence)
        && !words.iter().any(|word| is_currency_code(word))
        && figures.all(is_bare)
}

/// Where what a sentence states ends, and an aside begins: `3.480 euros con montaje, y de ahí no pases`.
pub fn end_of_content(sentence: &str, language: &str) -> usize {
    let mut begin = 0;
    let mut told = false;
    for (at, sign) in sentence.match_indices([',', ';', '–', '—']) {
        let clause = sentence.get(begin..at).unwrap_or_default();
        if told && is_aside(clause, language) {
            return begin;
        }
        told |= clause.contains(char::is_numeric);
        // `3,480` is one figure.
        let behind = sentence.get(at + sign.len()..).unwrap_or_default();
        if behind.starts_with(char::is_whitespace) {
            begin = at;
        }
    }
    match told && is_aside(sentence.get(begin..).unwrap_or_default(), language) {
        true => begin,
        false => sentence.len(),
    }
}

/// Whether a clause behind a figure says something to those who talk: it denies something, speaks of somebody or to somebody, or
/// says what to do in a case.
fn is_aside(clause: &str, language: &str) -> bool {
    let folded = fold(clause);
    let words = split(&folded);
    let opening = CLAUSE_OPENINGS.at_start(&words).map(<[_]>::len).max();
    let bare = words.get(opening.unwrap_or(0)..).unwrap_or_default();
    let speaks = [&SOMEBODY, &I]
        .iter()
        .any(|list| has(clause, list, language))
        || is_familiar(clause, language);
    let counts = clause.contains(char::is_numeric);
    let cases = CASES.of(primary_language(language));
    let in_case = bare.first().is_some_and(|word| cases.contains(word));
    // `£1.90 if she signs`
    let of_somebody = speaks && words.iter().any(|word| cases.contains(word));
    match counts {
        true => in_case || of_somebody,
        false => speaks || NEGATIONS.any_in(bare),
    }
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn conversations_are_known_by_their_form() {
        for (language, chat, kept) in [
            (
                "es",
                "[10:32] Ana: oye, lo de Vela lo necesitan ya\n[10:33] Leo: qué era\n[10:34] Ana: tienen 12 depósitos\n[10:35] Ana: el jefe está que muerde\n[10:36] Leo: menudo disgusto se llevó el padre\n[10:38] Ana: 3.480 euros con montaje, y de ahí no pases\n[10:39] Leo: bueno si se pone pesado le quitamos 61",
                "3.480 euros con montaje",
            ),
            (
                "es",
                "Marta: Oye Iván, ¿me preparas una presentación para Vela?\nIván: Claro, dime\nMarta: Son 34 farolas que se apagan solas\nMarta: el jefe está que trina\nIván: Vale\nMarta: Un 61, ni un céntimo más",
                "34 farolas",
            ),
            (
                "de",
                "Kathi, 08:40: Du, kannst mir a Angebot für Vela schreiben?\nSepp, 08:41: passt, was will er\nKathi, 08:42: 40 Stühle für die Terrass\nKathi, 08:43: der schaut auf jeden Cent\nKathi, 08:44: 61 % wenn er jammert",
                "40 Stühle",
            ),
            (
                "fr",
                "Zoé : coucou, tu me fais un devis pour Vela ?\nLuc : ouais balance\nZoé : 40 bornes, pose comprise\nZoé : le patron est radin\nLuc : lol\nLuc : je glisse qu'on équipe son voisin au 61 ?",
                "40 bornes, pose comprise",
            ),
            (
                "nl",
                "Sanne 09:14\nhoi Joris, maak iets moois voor Vela\nJoris 09:15\nyep\nSanne 09:16\nze hebben 3 ovens uit 1998\nSanne 09:17\ndie ouwe is gek op zijn ovens\nSanne 09:18\nhij wou eerst 61, niet intrappen",
                "3 ovens uit 1998",
            ),
            (
                "pt",
                "[14/05, 09:01] Nuno: bom dia, faz-me uma proposta para a Vela\n[14/05, 09:02] Eva: diga\n[14/05, 09:03] Nuno: eles têm 2 carrinhas\n[14/05, 09:04] Nuno: o velhote é teimoso\n[14/05, 09:05] Nuno: aluguer 390 €, se ele regatear desces 61 e mais nada",
                "2 carrinhas",
            ),
            (
                "it",
                "10:01 - Pia: mi butti giù un preventivo per Vela?\n10:02 - Ugo: ok\n10:02 - Pia: puliamo 14 uffici ogni notte\n10:03 - Pia: il capo è tirchio\n10:04 - Ugo: allora scendo a 61 se lui piange",
                "14 uffici ogni notte",
            ),
        ] {
            let read = Brief::read(chat, language);
            let text = read.text();
            assert!(text.contains(kept), "{chat}: {text} {:?}", read.withheld);
            for private in [
                "muerde", "disgusto", "pases", "61", "trina", "Cent", "radin", "gek", "velhote",
                "tirchio", "Vela",
            ] {
                assert!(!text.contains(private), "{private}: {text}");
            }
        }
    }
}
