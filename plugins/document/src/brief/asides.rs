//! Words within what a brief says that speak to its writer: `… is an estimate – please say so`, `(no name!)`, `They think it's an
//! hour, but let's go with 35.`
//!
//! Danger: `please tell us by May` speaks to the reader. So words to the writer ask to say something, and to say it to nobody.

use std::ops::Range;

use gtm_document_model::block::{Block, Item};
use gtm_document_model::plain_text;
use gtm_document_model::text::Run;
use gtm_lexicon::documents::{
    ABSENT_READERS, IDENTITIES, NEGATIONS, PLEAS, SETTLING, TELLING, THEY, TO_US,
};
use gtm_lexicon::{fold, split};

use super::soft_breaks::SOFT_BREAK_CHAR;
use super::{Part, colleague_notes, making_notes, one_line, spoken_to};
use crate::runs::{apart, part_of, sentences_of, trimmed};

/// Longest words to the writer behind a dash, and longest bracket that forbids a name.
const TAIL_WORDS: usize = 18;
const BRACKET_WORDS: usize = 5;
/// How far into a sentence those stand of whom it speaks, in words.
const SUBJECT_REACH: usize = 3;
/// How far words to the writer are searched for their end, in characters.
const REACH: usize = 400;
const DASHES: [&str; 3] = [" – ", " — ", " - "];

/// The parts without words to the writer, and these.
pub fn parted(parts: Vec<Part>, language: &str) -> (Vec<Part>, Vec<String>) {
    without(parts, &|text| places_in(text, language))
}

/// The same for the parts of a letter, which speaks to its reader much like to a colleague: only what is said of the making of a
/// document goes.
pub fn parted_in_a_letter(parts: Vec<Part>, language: &str) -> (Vec<Part>, Vec<String>) {
    without(parts, &|text| {
        let mut sentences = sentences_of(text, language);
        sentences.retain(|place| {
            let said = text.get(place.clone()).unwrap_or_default();
            making_notes::is_one(&said.replace(SOFT_BREAK_CHAR, " "))
        });
        sentences
    })
}

/// The parts without what stands in the places of their texts.
fn without(
    parts: Vec<Part>,
    places: &dyn Fn(&str) -> Vec<Range<usize>>,
) -> (Vec<Part>, Vec<String>) {
    let mut told = Vec::new();
    let mut kept = Vec::with_capacity(parts.len());
    for part in parts {
        let Part::Block(mut block) = part else {
            kept.push(part);
            continue;
        };
        match &mut block {
            Block::Paragraph(paragraph) => clean(&mut paragraph.runs, places, &mut told),
            Block::Bullets(list) => items(&mut list.items, places, &mut told),
            _ => {}
        }
        let is_empty = match &block {
            Block::Paragraph(paragraph) => paragraph.runs.is_empty(),
            Block::Bullets(list) => list.items.is_empty(),
            _ => false,
        };
        if !is_empty {
            kept.push(Part::Block(block));
        }
    }
    (kept, told)
}

fn items(of: &mut Vec<Item>, places: &dyn Fn(&str) -> Vec<Range<usize>>, told: &mut Vec<String>) {
    for item in of.iter_mut() {
        clean(&mut item.runs, places, told);
        items(&mut item.items, places, told);
    }
    of.retain(|item| !item.runs.is_empty());
}

fn clean(runs: &mut Vec<Run>, places: &dyn Fn(&str) -> Vec<Range<usize>>, told: &mut Vec<String>) {
    let text = plain_text(runs);
    let places = places(&text);
    if places.is_empty() {
        return;
    }
    let mut kept = Vec::new();
    let mut from = 0;
    for place in &places {
        let said = text.get(place.clone()).unwrap_or_default();
        let said = one_line(&said.replace(SOFT_BREAK_CHAR, " "));
        told.push(said.trim_start_matches(['–', '—', '-', ' ']).to_owned());
        kept.push(from..place.start);
        from = place.end;
    }
    kept.push(from..text.len());
    *runs = trimmed(part_of(runs, &kept));
}

/// Where words to the writer stand, in order and apart.
fn places_in(text: &str, language: &str) -> Vec<Range<usize>> {
    let sentences = sentences_of(text, language);
    let mut after = false;
    let settled = sentences.into_iter().filter(|place| {
        let said = text.get(place.clone()).unwrap_or_default();
        let flat = said.replace(SOFT_BREAK_CHAR, " ");
        after = colleague_notes::is_one(&flat) || after && colleague_notes::goes_on(&flat);
        after || settles(said)
    });
    let within = brackets(text)
        .into_iter()
        .chain(colleague_notes::brackets(text));
    apart(settled.chain(within).chain(tails(text)).collect())
}

/// `They think it's closer to an hour, but let's go with 35.`
fn settles(sentence: &str) -> bool {
    let folded = fold(sentence);
    let words = split(&folded);
    let opening = words
        .get(..SUBJECT_REACH.min(words.len()))
        .unwrap_or_default();
    let of_others =
        opening.iter().any(|word| THEY.contains(word)) || ABSENT_READERS.any_in(opening);
    of_others && SETTLING.any_in(&words)
}

/// Brackets that forbid to name somebody: `(no name!)`.
fn brackets(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for (at, open) in text.match_indices(['(', '（', '[']) {
        let inner = at + open.len();
        let Some(rest) = text.get(inner..) else {
            continue;
        };
        let is_end = |(_, c): &(usize, char)| matches!(c, ')' | '）' | ']');
        let Some((length, _)) = rest.char_indices().take(REACH).find(is_end) else {
            continue;
        };
        let said = rest.get(..length).unwrap_or_default();
        let folded = fold(said);
        let words = split(&folded);
        let forbids = (2..=BRACKET_WORDS).contains(&words.len())
            && NEGATIONS.open(&words)
            && words.last().is_some_and(|word| IDENTITIES.has_word(word));
        let close = rest.get(length..).and_then(|rest| rest.chars().next());
        if forbids && let Some(close) = close {
            let before = text.get(..at).unwrap_or_default();
            found.push(before.trim_end_matches(' ').len()..inner + length + close.len_utf8());
        }
    }
    found
}

/// Words behind a dash that ask to say something: up to the end of the bracket or of the sentence.
fn tails(text: &str) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    for dash in DASHES {
        let (mut opened, mut closed, mut counted) = (0_usize, 0_usize, 0);
        for (at, _) in text.match_indices(dash) {
            for c in text.get(counted..at).unwrap_or_default().chars() {
                opened += usize::from(c == '(');
                closed += usize::from(c == ')');
            }
            counted = at;
            let from = at + dash.len();
            let rest = text.get(from..).unwrap_or_default();
            let said = end_of_tail(rest, opened > closed).and_then(|end| rest.get(..end));
            if let Some(said) = said
                && asks_to_say(said)
            {
                found.push(at..from + said.len());
            }
        }
    }
    found
}

/// Where the words end with which a text begins: at the end of their bracket or of their sentence, if that is near.
fn end_of_tail(text: &str, is_within: bool) -> Option<usize> {
    let mut characters = text.char_indices();
    for (at, c) in characters.by_ref().take(REACH) {
        let ends = match c {
            ')' => is_within,
            // `0.20` goes on.
            '.' | '!' | '?' => {
                let behind = text.get(at + c.len_utf8()..).unwrap_or_default();
                !is_within && behind.chars().next().is_none_or(char::is_whitespace)
            }
            '。' | '\n' | SOFT_BREAK_CHAR => !is_within,
            _ => false,
        };
        if ends {
            return Some(at);
        }
    }
    characters.next().is_none().then_some(text.len())
}

fn asks_to_say(words: &str) -> bool {
    let is_word = |word: &&str| word.contains(char::is_alphanumeric);
    let count = words.split_whitespace().filter(is_word).count();
    // An address is for the reader.
    if !(1..=TAIL_WORDS).contains(&count) || words.contains('@') {
        return false;
    }
    let folded = fold(words);
    let split_words = split(&folded);
    (2..=TAIL_WORDS).contains(&split_words.len())
        && PLEAS.any_in(&split_words)
        && TELLING.any_in(&split_words)
        && !TO_US.any_in(&split_words)
        && !spoken_to::is_to_the_reader(words)
}

#[cfg(test)]
mod tests {
    use gtm_test_support::growth;

    use super::super::Brief;

    #[test]
    fn words_to_the_writer_leave_the_text_around_them() {
        for (language, said, kept) in [
            (
                "de",
                "Gerechnet mit 0,20 €. (Die Zahl für Halle 4 ist geschätzt – das bitte so schreiben, sonst fragen die nach.)",
                "Gerechnet mit 0,20 €. (Die Zahl für Halle 4 ist geschätzt)",
            ),
            (
                "en",
                "The figure for hall 4 is an estimate – please say so.",
                "The figure for hall 4 is an estimate.",
            ),
            (
                "en",
                "Each takes 20 minutes. They reckon it's 40, but let's go with 20.",
                "Each takes 20 minutes.",
            ),
            (
                "fr",
                "Chacune prend 20 minutes. Ils pensent 40, mais partons sur 20.",
                "Chacune prend 20 minutes.",
            ),
            (
                "es",
                "Lo dijo la jefa de taller (¡sin nombre!).",
                "Lo dijo la jefa de taller.",
            ),
            (
                "de",
                "Das sagt die Meisterin (kein Name!!).",
                "Das sagt die Meisterin.",
            ),
        ] {
            let brief = Brief::read(&format!("# A\n\n## B\n\n{said}"), language);
            assert_eq!(
                brief.text().lines().nth(2),
                Some(kept),
                "{:?}",
                brief.directions
            );
            assert!(!brief.directions.is_empty());
        }
    }

    #[test]
    fn words_to_the_writer_end_with_their_sentence() {
        let said = "The rate is low – please say it is 0.20 euros. It holds.";
        let brief = Brief::read(&format!("# A\n\n## B\n\n{said}"), "en");
        let text = brief.text();
        assert!(
            !text.contains("20 euros") && text.contains("It holds."),
            "{text}"
        );
        assert!(super::tails("Rates – please say so to jo@vela.example").is_empty());
    }

    #[test]
    fn hostile_paragraphs_are_searched_in_no_time() {
        growth::takes_at_most(20, || {
            for text in [
                " - ".repeat(16_000),
                "(".repeat(25_000),
                "( - a".repeat(10_000),
            ] {
                assert!(super::tails(&text).is_empty() && super::brackets(&text).is_empty());
            }
        });
    }

    #[test]
    fn words_to_the_reader_stay() {
        for (language, said) in [
            (
                "en",
                "The offer is valid until 4 May – please tell us by then.",
            ),
            ("en", "The fee is fixed (no deposit)."),
            ("en", "They found 20 leaks. Let's say goodbye to them."),
            (
                "de",
                "Das gilt bis 4. Mai – bitte sagen Sie uns vorher Bescheid.",
            ),
            ("fr", "Le prix est fixe (sans caution)."),
        ] {
            let brief = Brief::read(&format!("# A\n\n## B\n\n{said}"), language);
            assert!(brief.text().contains(said), "{}", brief.text());
        }
    }
}
