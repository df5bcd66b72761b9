//! Sentences of a brief that ask for a document, and name what it is and for whom.

use std::ops::Range;

use gtm_lexicon::company::WE;
use gtm_lexicon::documents::{
    ABSENT_READERS, ADDRESSING, CASE_STUDIES, LETTERS, NEEDS, ORDER_ENDS, ORDERS, PLEAS, PROPOSALS,
    RECIPIENT_LABELS, RECIPIENTS, WANTING,
};
use gtm_lexicon::names::{PARTICLES, WEEKDAYS};
use gtm_lexicon::trade::{ARTICLES, INDEFINITE_ARTICLES};
use gtm_lexicon::{Phrases, fold, split};

use super::openings::opens;
use super::{document_names, forms, wishes};

/// Longest order without a verb, and longest beginning before one, in words.
const FRAGMENT_WORDS: usize = 16;
const BEGINNING_WORDS: usize = 5;
/// Longest sentence that only names a document and its reader, in words.
const NAME_WORDS: usize = 10;
/// Longest name of somebody who wants a document, and most words between that and the document: `wants by Friday a proposal`.
const WANTER_WORDS: usize = 6;
const WANTED_REACH: usize = 4;
/// How many words behind a need a document may stand whose length is told: `we need for Northwind (Leeds) by Friday a proposal`.
const NEED_REACH: usize = 12;

/// Whether a sentence asks for a document: `Write a proposal`, and `Deck for Northwind, 8 slides`.
pub fn is_order(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let mut kinds = document_names::of_any().chain([&LETTERS]);
    let names_first = kinds.any(|kind| kind.open(&words));
    asks(sentence) || (names_first && words.len() <= FRAGMENT_WORDS && wishes::has_count(&words))
}

/// Whether a sentence asks for a document with a verb: `Write a proposal`, `quick one - can you build me a deck`.
pub fn asks(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    asks_behind_a_beginning(sentence)
        || asks_with_a_verb_behind(sentence)
        || reader_named_first(sentence).is_some()
        || needs_a_length(&words)
        || sentence.split([',', ';', '–', '—']).skip(1).any(pleads)
        || (opens(&ORDERS, sentence) && document_names::of_any().any(|kind| kind.any_in(&words)))
}

/// How many words may stand before what a document is called: an article, and behind it an adjective or two.
fn reach_of(words: &[&str]) -> usize {
    let article = words.first().is_some_and(|word| {
        INDEFINITE_ARTICLES.contains(word) || wishes::number_of(word) == Some(1)
    });
    if article { 3 } else { 0 }
}

/// Whether a clause without a subject orders a document with a verb behind it: `Ein Angebot für Tannach erstellen`. `Angebote
/// erstellen wir` says what somebody does.
fn asks_with_a_verb_behind(sentence: &str) -> bool {
    let clause = sentence.split([',', ';', ':', '.']).next();
    let folded = fold(clause.unwrap_or_default());
    let words = split(&folded);
    let ends = |word: Option<&&str>| word.is_some_and(|word| ORDER_ENDS.has_word(word));
    let named = (0..=reach_of(&words)).any(|at| {
        let rest = words.get(at..).unwrap_or_default();
        let kinds = document_names::of_types().flat_map(|kind| kind.at_start(rest));
        kinds.map(<[_]>::len).any(|length| {
            // `Ein Angebot schreiben kostet Zeit` orders nothing.
            let for_somebody = rest.get(length + 1);
            let goes_on = for_somebody.is_some_and(|word| RECIPIENTS.any_has(word));
            ends(rest.last()) || goes_on && ends(rest.get(length))
        })
    });
    named && words.len() <= FRAGMENT_WORDS && !WE.any_in(&words)
}

/// Which words of a sentence name for whom a document is before it names the document: `Für Tannach brauchen wir ein Angebot`
/// and `Tannach wants a proposal`.
pub fn reader_named_first(sentence: &str) -> Option<Range<usize>> {
    let folded = fold(sentence);
    let words = split(&folded);
    named_before_a_need(sentence, &words).or_else(|| named_as_wanting(sentence, &words))
}

/// Where a document stands shortly behind words, with its article: `by Friday a proposal`. The place behind its name.
fn wanted_document(
    behind: &[&str],
    kinds: impl Iterator<Item = &'static Phrases> + Clone,
) -> Option<usize> {
    (0..=WANTED_REACH).find_map(|skipped| {
        let rest = behind.get(skipped..).unwrap_or_default();
        (1..=reach_of(rest)).find_map(|at| {
            let rest = rest.get(at..).unwrap_or_default();
            let lengths = kinds.clone().flat_map(|kind| kind.at_start(rest));
            let longest = lengths.map(<[_]>::len).max()?;
            Some(skipped + at + longest)
        })
    })
}

/// `As discussed we need for Northwind by Friday a proposal, 3 pages`: what stands before a need is no matter where the length of the
/// document is told.
fn needs_a_length(words: &[&str]) -> bool {
    wishes::has_count(words)
        && NEEDS.places(words).any(|(at, need)| {
            let behind = words.get(at + need.len()..).unwrap_or_default();
            (0..NEED_REACH).any(|skipped| {
                let rest = behind.get(skipped..).unwrap_or_default();
                wanted_document(rest, document_names::of_types()).is_some()
            })
        })
}

/// `…, pls make a proposal out of it`: a clause with a plea. `…, please sign the proposal` asks for none.
fn pleads(clause: &str) -> bool {
    let folded = fold(clause);
    let words = split(&folded);
    let to_the_reader = split(clause).iter().any(|word| ADDRESSING.any_has(word));
    PLEAS.open(&words)
        && opens(&ORDERS, clause)
        && wanted_document(&words, document_names::of_types()).is_some()
        && !to_the_reader
}

/// `For a quote we need your meter list` names no reader, and asks for no document.
fn named_before_a_need(sentence: &str, words: &[&str]) -> Option<Range<usize>> {
    let first = words.first()?;
    let (needed, phrase) = NEEDS.places(words).next()?;
    let named = words.get(1..needed)?;
    let behind = words.get(needed + phrase.len()..)?;
    let printed = split(sentence);
    let has_name = printed
        .get(1..needed)?
        .iter()
        .any(|word| word.starts_with(|c: char| c.is_uppercase() || !c.is_ascii()));
    let asks = RECIPIENTS.any_has(first)
        && has_name
        && !document_names::of_any().any(|kind| kind.any_in(named))
        && wanted_document(behind, document_names::of_any()).is_some();
    asks.then_some(1..needed)
}

/// Only of what is sold: a report may be what somebody wants at work. And only behind a name: what customers want is content.
fn named_as_wanting(sentence: &str, words: &[&str]) -> Option<Range<usize>> {
    let (wanted, phrase) = WANTING.places(words).next()?;
    let behind = words.get(wanted + phrase.len()..)?;
    let clause = sentence.split([',', ';', ':']).next().map(fold);
    let clause = clause.as_deref().map(split)?.len();
    // `Hollis wants a quote within an hour` is of quotes; a day is when the document is due.
    let wants_a_proposal =
        wanted_document(behind, std::iter::once(&PROPOSALS)).is_some_and(|end| {
            let end = wanted + phrase.len() + end;
            let more = words.get(end..clause.max(end)).unwrap_or_default();
            more.is_empty() || more.iter().any(|word| WEEKDAYS.contains(word))
        });
    let is_article = |word: &str| ARTICLES.iter().any(|(_, articles)| articles.contains(word));
    let from = usize::from(words.first().is_some_and(|word| is_article(word)));
    let printed = split(sentence);
    let named = printed.get(from..wanted).filter(|name| !name.is_empty())?;
    let is_name = named.iter().all(|word| {
        word.starts_with(char::is_uppercase) || PARTICLES.contains(fold(word).as_str())
    });
    let who = words.get(from..wanted)?;
    let is_anybody = [&RECIPIENT_LABELS, &ABSENT_READERS, &WE]
        .into_iter()
        .any(|names| names.any_in(who));
    (wants_a_proposal
        && is_name
        && !is_anybody
        && who.len() <= WANTER_WORDS
        && words.len() <= FRAGMENT_WORDS
        && !sentence.contains(['?', '？']))
    .then_some(from..wanted)
}

/// Whether an account of one customer is the first document that a sentence names.
pub fn orders_a_case_study(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let first = |kind: &'static Phrases| kind.places(&words).next().map(|(at, _)| at);
    first(&CASE_STUDIES).is_some_and(|at| {
        document_names::of_others()
            .filter_map(first)
            .all(|other| at <= other)
    })
}

/// Whether a letter is the first document for which a sentence asks.
pub fn orders_a_letter(sentence: &str, language: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let first = |kind: &'static Phrases| kind.places(&words).next().map(|(at, _)| at);
    // `A letter on our proposal` is one, and a proposal from this letter is none.
    let is_first = first(&LETTERS).is_some_and(|at| {
        document_names::of_types()
            .filter_map(first)
            .all(|other| at < other)
    });
    is_first
        && (asks(sentence)
            || forms::are_named(sentence, language)
            || names_a_document(sentence, language))
}

/// Whether a sentence without a verb names a document and its reader: `A short deck for Northwind.`
pub fn names_a_document(sentence: &str, language: &str) -> bool {
    // `(à l'attention de Claire Besson, directrice qualité)` is told besides.
    let bare = without_brackets(sentence);
    let folded = fold(&bare);
    let words = split(&folded);
    let before = RECIPIENTS.of(gtm_page_text::primary_language(language));
    // `Sensors report to us` orders nothing.
    let named = (0..=reach_of(&words)).any(|at| {
        let rest = words.get(at..).unwrap_or_default();
        let goes_on = |length: usize| rest.get(length).is_some_and(|word| before.contains(word));
        let mut lengths = document_names::of_types().flat_map(|kind| kind.at_start(rest));
        lengths.any(|name| goes_on(name.len()))
            || LETTERS.at_start(rest).any(|name| {
                // `Letters to customers go out late` orders nothing.
                goes_on(name.len()) && is_named_behind(&bare, at + name.len())
            })
    });
    let numbers = words
        .iter()
        .any(|word| word.starts_with(|c: char| c.is_ascii_digit()));
    named && !numbers && words.len() <= NAME_WORDS && !WE.any_in(&words)
}

/// Whether a name stands behind the word at a place, perhaps behind its article.
fn is_named_behind(sentence: &str, at: usize) -> bool {
    let printed = split(sentence);
    let mut behind = printed.iter().skip(at + 1).take(2);
    !sentence.trim_end().ends_with('.')
        && behind.any(|word| word.starts_with(|c: char| c.is_uppercase() || !c.is_ascii()))
}

/// A sentence without what stands in round brackets.
fn without_brackets(sentence: &str) -> String {
    let mut depth = 0_usize;
    let mut kept = String::with_capacity(sentence.len());
    for c in sentence.chars() {
        match c {
            '(' | '（' => depth += 1,
            ')' | '）' => depth = depth.saturating_sub(1),
            _ if depth == 0 => kept.push(c),
            _ => {}
        }
    }
    kept
}

/// Whether a few words name the reader of a document and how long it is to be: `For the board, at most 3 pages.`
pub fn names_reader_and_size(sentence: &str, language: &str) -> bool {
    let before = RECIPIENTS.of(gtm_page_text::primary_language(language));
    let folded = fold(sentence);
    let words = split(&folded);
    let reader = words.first().is_some_and(|word| before.contains(word));
    let parted = sentence.rsplit_once([',', ';', '–']);
    let size = parted.is_some_and(|(_, size)| wishes::is_size(size.trim(), language, false));
    reader && size && words.len() <= FRAGMENT_WORDS
}

/// Whether a few words stand before what asks for a document: `quick one - can you build me a deck`.
fn asks_behind_a_beginning(sentence: &str) -> bool {
    let breaks = [" - ", " – ", " — ", ", ", ": ", "! "];
    let found = breaks
        .into_iter()
        .filter_map(|sign| sentence.split_once(sign));
    found
        .min_by_key(|(before, _)| before.len())
        .is_some_and(|(before, rest)| {
            let folded = fold(rest);
            let words = split(&folded);
            before.split_whitespace().count() <= BEGINNING_WORDS
                && opens(&ORDERS, rest)
                && document_names::of_any().any(|kind| kind.any_in(&words))
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_order_may_stand_far_behind_the_beginning_of_its_sentence() {
        for sentence in [
            "wie eben am Telefon besprochen brauchen wir für die Molkerei Tannach (Kempten) bis Freitag 12 Uhr ein Angebot als Word, max. 3 Seiten, bitte per Sie",
            "as discussed on the phone we need a proposal for Northwind, Word, 3 pages max, not too salesy.",
            "Hey – notes from the call w/ Northwind (Mon 9 Nov), pls make a proposal deck out of it, ppt, ~8 slides.",
        ] {
            assert!(is_order(sentence), "{sentence}");
        }
        for sentence in [
            "Two signed copies of the contract are attached, please sign the proposal.",
            "Der unterschriebene Vertrag liegt diesem Paket bei, bitte schicken Sie uns ein Angebot.",
            "As our tests show, drivers need a report within 3 hours.",
            "For 40 rooms we need 3 days.",
        ] {
            assert!(!is_order(sentence), "{sentence}");
        }
    }

    #[test]
    fn orders_are_told_in_several_languages() {
        for sentence in [
            "Write a two-page proposal for the CFO of Tarnbeck.",
            "Please prepare a short deck about our meters.",
            "Erstelle bitte ein Angebot für die Stadtwerke.",
            "Rédige une étude de cas pour notre site, en docx.",
            "Erstelle eine Fallstudie über das Sägewerk.",
            "Write a case study for our website, as docx.",
            "Haz una propuesta para la conservera.",
            "Hazme un caso de éxito para la web.",
            "Stell uns bitte ein Angebot für die Stadtwerke zusammen.",
            "Schreiben Sie einen Bericht über das erste Quartal.",
            "Rédigez une proposition commerciale pour le directeur financier.",
            "Redacte una propuesta para el director.",
            "御社向けの提案書を作成してください。",
            "اكتب عرضا تقديميا عن العدادات.",
            "Can someone make a deck for Northwind?",
            "Hi all, could anyone put together a proposal for Leeds?",
            "Is there any chance of a one-pager by Friday?",
            "Kann jemand ein Angebot für Tannach machen?",
            "Quelqu'un peut faire une proposition pour Kerhoz ?",
            "¿Alguien puede hacer una propuesta para Ardiela?",
            "Qualcuno può preparare una proposta per Vela?",
            "Kan iemand een voorstel voor De Korenaar maken?",
            "Alguém pode fazer uma proposta para a Lezíria?",
            "ミナト様向けの提案書を作成していただけますか。",
            "Für die Werke Tannach brauchen wir bis Freitag ein Angebot",
            "For Northwind we need a proposal by Friday",
            "Molkerei Tannhof will ein Angebot",
            "Der Tannhof möchte bis Freitag ein Angebot.",
            "Northwind wants a proposal, two pages",
            "La Biscuiterie Kerhoz souhaite une proposition.",
            "Conservas de Ardiela quiere una propuesta",
            "Vela vuole una proposta entro venerdì",
            "De Korenaar wil een voorstel",
            "A Lezíria quer uma proposta",
            "Fare una offerta per Vela, due pagine",
            "Faire une présentation pour Kerhoz",
            "Ein Angebot erstellen für Tannach",
            "Ein kurzes Angebot für Tannach erstellen, bitte als PDF",
            "Een voorstel maken voor De Korenaar",
            "Hacer una propuesta para Ardiela",
            "Fazer uma proposta para a Lezíria",
        ] {
            assert!(is_order(sentence), "{sentence}");
        }
        for sentence in [
            "Prepare the loading bays.",
            "We need a better way to read meters.",
            "Write to us.",
            "Who can see the readings?",
            "A customer who wants a quote waits two days.",
            "Der Kunde will ein Angebot innerhalb eines Tages.",
            "Northwind wants a report every Monday.",
            "Northwind wants fewer alarms.",
            "Wer will ein Angebot?",
            "Angebote schreiben kostet einen Meister 40 Minuten.",
            "Angebote schreiben in 4 Minuten",
            "Ein Angebot schreiben kostet einen Meister 40 Minuten.",
            "For a quote we need your meter list.",
            "Für ein Angebot brauchen wir Ihre Zählerliste.",
            "For each reading we need two pages of forms.",
            "Hollis wants a quote within an hour.",
            "Northwind needs a quote in two hours, not two days.",
        ] {
            assert!(!is_order(sentence), "{sentence}");
        }
    }
}
