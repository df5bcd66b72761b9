//! Lines that stand below one another: notes, one a line, and who signs a text.

use super::super::line_kinds::{begins_with_label, is_direction_label, is_full, is_sentence};
use super::super::{may_be_a_persons_name, signatures};
use super::SHORTEST_WRAPPED;

/// Most lines with which somebody signs a text, and words of each.
const SIGNED_LINES: usize = 4;
const SIGNED_WORDS: usize = 6;

/// Whether the last lines of a text name who signs it.
pub fn sign(lines: &[&str]) -> bool {
    let names = |line: &&&str| {
        let name = line.split(',').next().unwrap_or_default().trim();
        signatures::is_companys_name(name)
            || may_be_a_persons_name(name) && signatures::is_persons_name(name)
    };
    let is_part = |line: &&str| {
        line.split_whitespace().count() <= SIGNED_WORDS
            && !is_sentence(line)
            && !line.contains(|c: char| c.is_numeric() || matches!(c, ':' | '：'))
    };
    (2..=SIGNED_LINES).contains(&lines.len())
        && lines.iter().all(is_part)
        && lines.iter().filter(names).count() * 2 >= lines.len()
}

/// The lines with what goes on in the next: the text of a direction's label.
pub fn joined(lines: &[&str]) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for line in lines {
        let goes_on = line.trim_start().starts_with(char::is_lowercase)
            && found.last().is_some_and(|last| {
                last.split_once([':', '：'])
                    .is_some_and(|(label, _)| is_direction_label(label))
            });
        match found.last_mut().filter(|_| goes_on) {
            Some(last) => {
                last.push(' ');
                last.push_str(line.trim());
            }
            None => found.push(line.trim_end().to_owned()),
        }
    }
    found
}

/// A note with a capital at its beginning, if that is a plain word: a reader shall not see the hurry.
pub fn with_capital(note: &str) -> String {
    let word = note.split_whitespace().next().unwrap_or_default();
    let plain = word.trim_end_matches([',', ':', ';']);
    let is_word = plain.chars().count() > 1 && plain.chars().all(|c| c.is_lowercase() || c == '\'');
    match is_word {
        true => crate::capital::capital(note),
        false => note.to_owned(),
    }
}

/// Whether lines are notes, one a line: they end without the end of a sentence, and were not wrapped.
pub fn are_notes(lines: &[String]) -> bool {
    if lines.len() < 2 {
        return false;
    }
    let width = lines.iter().map(|line| line.trim().chars().count()).max();
    let width = width.unwrap_or(0);
    let wrapped = width >= SHORTEST_WRAPPED
        && lines
            .windows(2)
            .all(|pair| matches!(pair, [line, next] if is_full(line, next, width)));
    let sentences = lines.iter().filter(|line| is_sentence(line)).count();
    // Two spaces or a backslash are Markdown's own end of a line.
    let broken = lines.iter().any(|line| line.ends_with('\\'));
    // `When: 4 May` begins something, whatever the line above it ends with.
    let labeled = lines.iter().skip(1).any(|line| begins_with_label(line));
    !wrapped && !broken && (labeled || sentences * 2 < lines.len())
}
