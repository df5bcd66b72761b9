//! What pages number or tick off: steps, reasons, stages.

use gtm_lexicon::with_ascii_digits;
use gtm_site_research::evidence::Passage;
use gtm_site_research::page::BlockKind;
use gtm_site_research::words;

/// Most words of a label that numbers a step: `Step 1 of`.
const LONGEST_LABEL: usize = 3;

/// What stands below numbers from one on, without headings or a list: a name, perhaps with a text about it.
pub fn numbered<'a>(body: &[&'a Passage]) -> Vec<(&'a Passage, Option<&'a Passage>)> {
    let is_number = |at: usize| {
        let passage = body.get(at)?;
        let is_label = words::count(&passage.text) <= LONGEST_LABEL;
        place_of(passage).filter(|_| is_label)
    };
    let mut found = Vec::new();
    for at in 0..body.len() {
        let next = u32::try_from(found.len() + 1).ok();
        if is_number(at).is_none() || is_number(at) != next {
            continue;
        }
        let Some(name) = body.get(at + 1).filter(|_| is_number(at + 1).is_none()) else {
            break;
        };
        let is_text = |text: &&&Passage| words::count(&text.text) > words::count(&name.text);
        let text = body.get(at + 2).filter(is_text).copied();
        found.push((*name, text));
    }
    if found.len() > 1 { found } else { Vec::new() }
}

/// The signs that stand before the items of a list without markup.
const TICKS: [char; 6] = ['✓', '✔', '☑', '✅', '•', '▪'];
/// Fewest such items of a list.
const LEAST_TICKED: usize = 3;

/// The lines in a row that a tick makes the items of a list, each with its text behind the tick.
pub fn ticked<'a>(body: &[&'a Passage]) -> Vec<(&'a Passage, &'a str)> {
    let behind = |passage: &&'a Passage| {
        let text = passage
            .text
            .trim_start_matches('\u{fe0f}')
            .strip_prefix(TICKS)?;
        let text = text.trim_start_matches(['\u{fe0f}', ' ', '\u{a0}']);
        (!text.is_empty()).then_some((*passage, text))
    };
    let rows = body.iter().map(behind).skip_while(Option::is_none);
    let row: Vec<_> = rows.map_while(|line| line).collect();
    if row.len() < LEAST_TICKED {
        return Vec::new();
    }
    row
}

/// Whether a text begins with a number that stands apart, as those of steps and counters do, rather than one that is part
/// of a word: `5-Achs-Fräsen`, `3D printing`.
pub fn begins_with_number(text: &str) -> bool {
    let rest = text.trim_start_matches(char::is_numeric);
    let in_word = rest.trim_start_matches(['-', '‐', '‑']);
    rest.len() < text.len() && !in_word.starts_with(char::is_alphabetic)
}

/// The place in an order that a heading begins with, or that a label is: `02`, `Step 3`, `STEP4`.
pub fn place_of(passage: &Passage) -> Option<u32> {
    let is_label = words::count(&passage.text) <= LONGEST_LABEL;
    if passage.kind != BlockKind::Heading && !is_label {
        return None;
    }
    let text = with_ascii_digits(passage.text.trim());
    let parse = |digits: &str| (1..=2).contains(&digits.len()).then(|| digits.parse().ok());
    let length = text.chars().take_while(char::is_ascii_digit).count();
    let (digits, rest) = text.split_at_checked(length)?;
    let is_mark = |c: char| c.is_whitespace() || ".):/|-–—．、）".contains(c);
    if !digits.is_empty() {
        return parse(digits)
            .filter(|_| rest.is_empty() || rest.starts_with(is_mark))
            .flatten();
    }
    let stem = text.trim_end_matches(|c: char| c.is_ascii_digit());
    let digits = text.get(stem.len()..)?;
    parse(digits).filter(|_| is_label).flatten()
}

/// A text without the place in an order that it begins with: `Milling` of `01 Milling` or `2. Milling`.
pub fn without_place(text: &str) -> &str {
    let rest = text.trim_start_matches(char::is_numeric);
    let marks = |c: char| c.is_whitespace() || ".):/|-–—·．、）".contains(c);
    rest.trim_start_matches(marks)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_no_part_of_a_text() {
        for text in [
            "01 Milling",
            "2. Milling",
            "03 — Milling",
            "4) Milling",
            "Milling",
        ] {
            assert_eq!(without_place(text), "Milling");
        }
    }

    #[test]
    fn numbers_of_words_are_told_from_those_of_steps() {
        for text in ["5-Achs-CNC-Fräsen", "3D-Druck", "Fräsen", "24h-Dienst"] {
            assert!(!begins_with_number(text), "{text}");
        }
        for text in [
            "12 sectors",
            "3. Schritt",
            "2) Plan",
            "24/7 support",
            "40+ halls",
            "7",
        ] {
            assert!(begins_with_number(text), "{text}");
        }
    }
}
