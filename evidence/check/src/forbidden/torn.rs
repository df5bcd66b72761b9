//! Texts whose words somebody tore apart: `gua-ranteed sav-ings`, `節約を、保 証します`.
//!
//! DANGER: a reader joins what a hyphen or a blank parts, and a comparison of words finds neither half.

use gtm_domain::message::plain_letters::Reading;
use gtm_lexicon::fold;
use unicode_normalization::UnicodeNormalization as _;

use super::denial::is_negative;
use super::words::is_sign;

/// Fewest letters on both sides of an apostrophe that only tears a word: `don't` and `l'usine` have fewer.
const BESIDE_APOSTROPHE: usize = 3;

/// The text as it is read for claims: as it stands, and those of its lines in which a mark tears words apart, with these
/// joined.
pub(super) fn readings(text: &str) -> Vec<Reading> {
    let mut readings = Reading::both(text);
    let joined: Vec<String> = text
        .lines()
        .filter_map(without_marks_within_words)
        .collect();
    if !joined.is_empty() {
        for reading in Reading::both(&joined.join("\n")) {
            if !readings.contains(&reading) {
                readings.push(reading);
            }
        }
    }
    readings
}

/// A line without the marks that stand between two letters; none if there are none. Beside a word that denies, a hyphen
/// parts two words: `not-guaranteed`.
fn without_marks_within_words(line: &str) -> Option<String> {
    let chars: Vec<char> = line.chars().collect();
    let mut out = String::with_capacity(line.len());
    let mut at = 0;
    let mut is_joined = false;
    while let Some(c) = chars.get(at) {
        let run = chars.get(at..).unwrap_or_default();
        let marks = run.iter().take_while(|c| tears(**c) || is_apostrophe(**c));
        let marks = marks.count();
        if marks == 0 {
            out.push(*c);
            at += 1;
            continue;
        }
        let before = letters_at_end(chars.get(..at).unwrap_or_default());
        let behind = letters_at_start(chars.get(at + marks..).unwrap_or_default());
        let least = match run.iter().take(marks).any(|c| is_apostrophe(*c)) {
            true => BESIDE_APOSTROPHE,
            false => 1,
        };
        let is_torn = before.chars().count() >= least && behind.chars().count() >= least;
        if is_torn && !is_negative(&[fold(&before)]) && !is_negative(&[fold(&behind)]) {
            is_joined = true;
        } else {
            out.extend(run.iter().take(marks));
        }
        at += marks;
    }
    is_joined.then_some(out)
}

/// Hyphens, dots and lines, which people write within words.
const fn tears(c: char) -> bool {
    matches!(
        c,
        '-' | '.' | '_' | '*' | '~' | '|' | '\u{b7}' | '\u{2010}'
            ..='\u{2013}'
                | '\u{2022}'
                | '\u{2027}'
                | '\u{2043}'
                | '\u{2212}'
                | '\u{30fb}'
                | '\u{fe63}'
                | '\u{ff0d}'
    )
}

const fn is_apostrophe(c: char) -> bool {
    matches!(
        c,
        '\'' | '`' | '\u{b4}' | '\u{2bc}' | '\u{2018}' | '\u{2019}'
    )
}

/// Most letters of a word that are looked at.
const LONGEST: usize = 32;

fn letters_at_end(chars: &[char]) -> String {
    let letters = chars.iter().rev().take_while(|c| c.is_alphabetic());
    let mut letters: Vec<char> = letters.take(LONGEST).copied().collect();
    letters.reverse();
    letters.into_iter().collect()
}

fn letters_at_start(chars: &[char]) -> String {
    let letters = chars.iter().take_while(|c| c.is_alphabetic());
    letters.take(LONGEST).collect()
}

/// Whether a claim in a script whose marks and blanks part no words stands in a line of the text, whatever of these stands
/// between its letters.
pub(super) fn is_said_through_marks(claim: &str, text: &Reading) -> bool {
    if !claim.chars().any(joins_letters) || claim.contains(is_sign) {
        return false;
    }
    let claim = bare(Reading::as_written(claim).as_str());
    let mut lines = text.as_str().lines();
    claim.chars().nth(1).is_some() && lines.any(|line| bare(line).contains(&claim))
}

fn bare(text: &str) -> String {
    let plain: String = text.nfkc().filter(|c| c.is_alphanumeric()).collect();
    fold(&plain)
}

/// Whether a letter is of Han, kana or Hangul.
const fn joins_letters(c: char) -> bool {
    matches!(
        c,
        '\u{3040}'..='\u{30fa}' | '\u{3400}'..='\u{4dbf}' | '\u{4e00}'..='\u{9fff}' | '\u{ac00}'..='\u{d7a3}'
            | '\u{f900}'..='\u{faff}'
    )
}
