//! What a brief says to the colleague whom it greets: `(Rui, check this with Zé)`, `-- Lucy - can you add the dates?`, `Bea, put a
//! picture here if you find one.`
//!
//! Danger: the colleague may be part of what is offered: `Lucy: project lead`, `Lucy, Head of Sites`. So something must be said to
//! the one who is called.

use std::ops::Range;

use gtm_lexicon::{fold, split};

use super::greetings::Greeting;
use super::letters::is_salutation;
use super::private_notes::{BRACKETS, closings, is_postscript};
use super::{line_kinds, one_line};
use crate::runs::{apart, sentences_of};

/// Longest greeting, and most words before a name that is called.
const CALL_WORDS: usize = 3;
/// Fewest words of what is said to somebody, unless it is a sentence.
const SAID_WORDS: usize = 4;
/// Signs behind the name of who is called.
const CALLS: [char; 7] = [',', '،', '、', '，', ':', '：', '?'];
/// Signs before an aside.
const DASHES: [&str; 4] = ["--", "—", "–", " - "];

/// The colleagues whom a note greets, and the lines around it. Folded.
pub fn greeted(frame: &[String], greeting: Option<&Greeting>) -> Vec<String> {
    let greets = |line: &&String| is_salutation(line) || line.ends_with([',', '،', '!']);
    let framed = frame
        .iter()
        .filter(greets)
        .filter(|line| line.split_whitespace().count() <= CALL_WORDS)
        .filter_map(|line| split(line).into_iter().next_back())
        .filter(|name| !name.starts_with(char::is_lowercase));
    framed
        .map(fold)
        .chain(
            greeting
                .into_iter()
                .flat_map(|greeting| greeting.names.clone()),
        )
        .collect()
}

/// A note without what is said to the colleagues whom it greets, and this.
pub fn without(note: &str, names: &[String], language: &str) -> (String, Vec<String>) {
    if names.is_empty() {
        return (note.to_owned(), Vec::new());
    }
    let mut told = Vec::new();
    let mut kept = String::with_capacity(note.len());
    // A postscript to a colleague goes on to the next blank line.
    let mut in_postscript = false;
    for line in note.split_inclusive('\n') {
        let (text, end) = match line.strip_suffix('\n') {
            Some(text) => (text, "\n"),
            None => (line, ""),
        };
        in_postscript = !text.trim().is_empty()
            && (in_postscript || is_postscript(text) && calls_anywhere(text, names));
        let places = match in_postscript {
            true => std::iter::once(0..text.len()).collect(),
            false => places_in(text, names, language),
        };
        let mut from = 0;
        for place in places {
            told.extend(text.get(place.clone()).map(one_line));
            kept.push_str(text.get(from..place.start).unwrap_or_default());
            from = place.end;
        }
        kept.push_str(text.get(from..).unwrap_or_default());
        kept.push_str(end);
    }
    (kept, told)
}

/// Where a line calls one of them, in order and apart.
fn places_in(line: &str, names: &[String], language: &str) -> Vec<Range<usize>> {
    let mut found: Vec<Range<usize>> = Vec::new();
    for (begin, end) in BRACKETS {
        for (from, behind) in closings(line, (begin, end)) {
            let Some(from) = from else { continue };
            let inner = from + begin.len_utf8()..behind - end.len_utf8();
            let calls = |it: &str| begins_call(it, names, 1) || calls_early(it, names);
            if line.get(inner).is_some_and(calls) {
                let before = line.get(..from).unwrap_or_default();
                found.push(before.trim_end_matches(' ').len()..behind);
            }
        }
    }
    // A row of a table ends with its cell.
    if line.trim_start().starts_with('|') || line_kinds::is_heading(line) {
        return apart(found);
    }
    for dash in DASHES {
        for (at, sign) in line.match_indices(dash) {
            let rest = line.get(at + sign.len()..).unwrap_or_default();
            let before = line.get(..at).unwrap_or_default().trim_end();
            if !before.is_empty() && begins_call(rest, names, 1) {
                found.push(before.len()..line.len());
            }
        }
    }
    for place in sentences_of(line, language) {
        let sentence = line.get(place.clone()).unwrap_or_default().trim();
        if begins_call(sentence, names, SAID_WORDS) || calls_within(sentence, names) {
            found.push(place);
        }
    }
    apart(found)
}

/// Whether a text begins with the name of who is called, and says at least so many words to him.
fn begins_call(text: &str, names: &[String], least: usize) -> bool {
    let text = text.trim_start_matches(|c: char| !c.is_alphanumeric());
    let Some(name) = split(text).first().copied() else {
        return false;
    };
    let Some(rest) = text.strip_prefix(name) else {
        return false;
    };
    let rest = rest.trim_start();
    let said = rest.strip_prefix(CALLS).or_else(|| {
        DASHES
            .iter()
            .find_map(|dash| rest.strip_prefix(dash.trim()))
    });
    names.contains(&fold(name)) && said.is_some_and(|said| is_said(said.trim(), least))
}

/// Whether what stands in a bracket calls one of them without a sign: `Manu tu me confirmes ?`, `ó Zeca, vê lá`. `Kees de Wit` and
/// `with Manu` name somebody.
fn calls_early(inner: &str, names: &[String]) -> bool {
    let words = split(inner);
    let at = words
        .iter()
        .take(CALL_WORDS)
        .position(|word| names.contains(&fold(word)) && !word.starts_with(char::is_lowercase));
    at.is_some_and(|at| {
        let next = words
            .get(at + 1)
            .is_some_and(|word| word.starts_with(char::is_lowercase));
        at <= 1 && next && words.len() > CALL_WORDS
    })
}

/// Whether words behind a name say something to whom it calls: `Head of Sites` and `3 days` do not.
fn is_said(said: &str, least: usize) -> bool {
    let is_sentence = line_kinds::is_sentence(said);
    let titled = said.starts_with(char::is_uppercase);
    let least = match said.starts_with(char::is_numeric) {
        true => SAID_WORDS,
        false => least,
    };
    let is_unspaced = said.chars().any(gtm_writing::excerpts::is_unspaced);
    is_sentence || is_unspaced || !titled && said.split_whitespace().count() >= least
}

/// `Oh and Priya, please …`, `…, Priya?`
fn calls_within(sentence: &str, names: &[String]) -> bool {
    let mut from = 0;
    split(sentence).into_iter().any(|word| {
        let Some(at) = sentence.get(from..).and_then(|rest| rest.find(word)) else {
            return false;
        };
        let begin = from + at;
        from = begin + word.len();
        let before = sentence.get(..begin).unwrap_or_default().trim_end();
        let behind = sentence.get(from..).unwrap_or_default();
        let leads = before.split_whitespace().count() <= CALL_WORDS
            && before.contains(char::is_alphanumeric);
        (leads && behind.starts_with([',', '،'])
            || before.ends_with([',', '،']) && behind.chars().count() <= 1)
            && !word.starts_with(char::is_lowercase)
            && names.contains(&fold(word))
    })
}

fn calls_anywhere(text: &str, names: &[String]) -> bool {
    let folded = fold(text);
    let words = split(&folded);
    words
        .iter()
        .any(|word| names.iter().any(|name| name == word))
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn what_is_said_to_the_colleague_who_is_greeted_is_not_printed() {
        for (language, brief) in [
            (
                "en",
                "Morning Lucy,\n\nneed a proposal for Vela.\n\n## A\n\nWe mend 40 gates. -- Lucy - wanna add the 61?",
            ),
            (
                "en",
                "hey tom need a deck for Vela\n\n## A\n\n- We mend 40 gates.\n- (tom: 61 is rounded up)",
            ),
            (
                "de",
                "Moin Jonas,\n\nmach bitte ein Angebot für Vela.\n\n## A\n\nWir richten 40 Tore (Jonas, guckst du die 61 nach).",
            ),
            (
                "fr",
                "Salut Karim,\n\ntu me ponds une offre pour Vela ?\n\n## A\n\nNous réparons 40 portes. Karim, vérifie les 61 stp.",
            ),
            (
                "es",
                "Buenas Iván, hazme una oferta para Vela.\n\n## A\n\nReparamos 40 puertas. [Iván, mírate lo de las 61]",
            ),
            (
                "it",
                "Ciao Bea, mi butti giù un'offerta per Vela?\n\n## A\n\nRipariamo 40 cancelli. Bea, qui mettici le 61 foto.",
            ),
            (
                "nl",
                "Hoi Sjoerd,\n\nwil je hier een offerte van maken?\n\n## A\n\nWij repareren 40 poorten. (Sjoerd: kloppen die 61)",
            ),
            (
                "pt",
                "Olá Rui, preciso de uma proposta para a Vela.\n\n## A\n\nReparamos 40 portões. (Rui, confirma-me os 61)",
            ),
            (
                "ja",
                "佐藤さん、Vela様向けの提案書をお願いします。\n\n## A\n\n門扉を40か所直します。（佐藤さん、61は見といて）",
            ),
            (
                "ar",
                "مرحبا سامي، جهز لي عرضا لشركة فيلا.\n\n## A\n\nنصلح 40 بوابة. (سامي، راجع 61)",
            ),
        ] {
            let read = Brief::read(brief, language);
            let text = read.text();
            assert!(
                text.contains("40") && !text.contains("61"),
                "{brief}: {text}"
            );
            let told = [read.directions, read.withheld].concat().join(" ");
            assert!(told.contains("61"), "{told}");
        }
    }

    #[test]
    fn a_colleague_may_be_part_of_what_is_offered() {
        for line in [
            "Lucy: 3 days",
            "Lucy, Head of Sites",
            "Lucy Marsh, your contact, visits you.",
        ] {
            let brief = format!(
                "Morning Lucy,\n\nneed a proposal for Vela.\n\n## A\n\n- We mend 40 gates.\n- {line}"
            );
            let text = Brief::read(&brief, "en").text();
            assert!(text.contains(line), "{line}: {text}");
        }
    }
}
