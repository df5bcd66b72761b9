//! The figures that a correction may mean, and what stands beside them.

use std::ops::Range;

use gtm_lexicon::documents::NEGATIONS;
use gtm_lexicon::foundations::AND;
use gtm_lexicon::{fold, is_month};

use super::pieces::{Piece, parted_figure, parts};

/// Letters that two forms of a word begin with: `truck`, `trucks`.
const STEM_LETTERS: usize = 4;
/// Digits between the signs that part thousands.
const GROUP: usize = 3;
/// Blanks between a figure and its unit.
const BLANKS: [char; 3] = [' ', '\u{a0}', '\u{202f}'];
/// Signs that say nothing of the figure beside them, with those that part.
const SAY_NOTHING: &str = "\"'‘’“”„«»)]}{*_|&=！？：；）」』";

/// A figure, and the signs beside it that tell what it is. However its thousands are parted, it is the same.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Figure {
    value: String,
    /// Letters behind the digits: `k`, `%`.
    suffix: String,
    before: Option<char>,
    behind: Option<char>,
}

impl Figure {
    pub fn of(text: &str, piece: &Piece) -> Self {
        let (digits, suffix) = parted_figure(piece.of(text));
        let before = text.get(..piece.place.start).unwrap_or_default();
        let behind = text.get(piece.place.end..).unwrap_or_default();
        let is_sign = |c: &char| {
            !c.is_alphanumeric() && !c.is_whitespace() && !parts(*c) && !SAY_NOTHING.contains(*c)
        };
        // `-18 °C`
        let mut signs = before.chars().rev();
        let is_minus = signs.next().is_some_and(|c| matches!(c, '-' | '–' | '−'))
            && signs.next().is_none_or(char::is_whitespace);
        let sign = before.trim_end_matches(BLANKS).chars().next_back();
        Self {
            value: value_of(digits),
            suffix: suffix.to_owned(),
            before: match is_minus {
                true => Some('-'),
                false => sign.filter(is_sign),
            },
            behind: behind
                .trim_start_matches(BLANKS)
                .chars()
                .next()
                .filter(is_sign),
        }
    }

    pub fn has_value_of(&self, other: &Self) -> bool {
        self.value == other.value
    }

    /// Whether both are a number, a time, or a range.
    pub fn has_shape_of(&self, other: &Self) -> bool {
        let shape = |value: &str| -> String {
            let signs = value.chars().filter(|c| !c.is_ascii_digit() && *c != '.');
            signs.collect()
        };
        shape(&self.value) == shape(&other.value)
    }

    pub const fn suffix_length(&self) -> usize {
        self.suffix.len()
    }

    /// The figure with what only the other one is written with: `6 %, not 5`.
    pub fn written_like(mut self, other: &Self) -> Self {
        if self.suffix.is_empty() {
            self.suffix.clone_from(&other.suffix);
        }
        self.before = self.before.or(other.before);
        self.behind = self.behind.or(other.behind);
        self
    }
}

/// The digits without the signs that part thousands.
fn value_of(digits: &str) -> String {
    let mut value = String::with_capacity(digits.len());
    for (at, c) in digits.char_indices() {
        let behind = digits.get(at + c.len_utf8()..).unwrap_or_default();
        let is_group = behind.chars().take_while(char::is_ascii_digit).count() == GROUP
            && !value.is_empty()
            && !value.starts_with('0');
        match c {
            '.' | ',' | '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' if is_group => {}
            ',' => value.push('.'),
            '\u{a0}' | '\u{202f}' => value.push(' '),
            '–' => value.push('-'),
            other => value.push(other),
        }
    }
    value
}

/// A figure that may be the denied one.
#[derive(Debug, Clone)]
pub struct Place {
    pub part: usize,
    pub number: usize,
    pub place: Range<usize>,
    /// Whether it stands in the text of the correction.
    pub is_own: bool,
    pub has_unit: bool,
    /// Whether nothing beside it says that it counts something else.
    pub is_bare: bool,
    pub is_about: bool,
}

/// The figures that are meant: those beside the same word of which the correction speaks; or the only one beside the correction,
/// of the same unit, or without any.
pub fn chosen(places: &[Place]) -> Vec<Place> {
    let only = |keeps: &dyn Fn(&Place) -> bool| -> Vec<Place> {
        places
            .iter()
            .filter(|place| keeps(place))
            .cloned()
            .collect()
    };
    let near = only(&|place| place.is_own && (place.has_unit || place.is_bare));
    let both = only(&|place| place.has_unit && place.is_about);
    if !both.is_empty() {
        // The same words twice say the same twice. Which one is meant is not clear where the text of the correction has another.
        return match near.is_empty() || both.iter().any(|place| place.is_own) {
            true => both,
            false => Vec::new(),
        };
    }
    let of_unit = only(&|place| place.has_unit);
    let bare = only(&|place| place.is_bare);
    let mut found = [near, of_unit, bare].into_iter();
    let first = found.find(|found| !found.is_empty());
    first.filter(|found| found.len() == 1).unwrap_or_default()
}

/// The word directly behind a figure.
pub fn unit_behind(text: &str, pieces: &[Piece], at: usize) -> Option<String> {
    let figure = pieces.get(at)?;
    let word = pieces.get(at + 1).filter(|piece| !piece.is_number)?;
    let folded = fold(word.of(text));
    let joins = AND.contains(folded.as_str()) || NEGATIONS.has_word(&folded);
    (are_near(text, figure, word) && !joins).then_some(folded)
}

/// The word directly before a figure.
pub fn word_before(text: &str, pieces: &[Piece], at: usize) -> Option<String> {
    let figure = pieces.get(at)?;
    let word = pieces.get(at.checked_sub(1)?)?;
    let is_word = !word.is_number && are_near(text, word, figure);
    is_word.then(|| fold(word.of(text)))
}

/// The last word of the label before a figure: `Trucks: 5`.
pub fn label_before(text: &str, pieces: &[Piece], at: usize) -> Option<String> {
    let figure = pieces.get(at)?;
    let word = pieces.get(at.checked_sub(1)?)?;
    let between = text.get(word.place.end..figure.place.start)?;
    let is_label = !word.is_number && matches!(between.trim(), ":" | "：" | "=");
    is_label.then(|| fold(word.of(text)))
}

/// Whether a figure is a day: `5. Mai`.
pub fn names_a_day(text: &str, pieces: &[Piece], at: usize) -> bool {
    let Some((figure, word)) = pieces.get(at).zip(pieces.get(at + 1)) else {
        return false;
    };
    let between = text.get(figure.place.end..word.place.start);
    let folded = fold(word.of(text));
    between.is_some_and(|between| between.trim() == ".") && is_month(&folded)
}

/// Whether only blanks or a hyphen part two pieces.
fn are_near(text: &str, one: &Piece, next: &Piece) -> bool {
    let between = text.get(one.place.end..next.place.start);
    between.is_some_and(|between| between.chars().all(|c| c == '-' || BLANKS.contains(&c)))
}

pub fn has_word(text: &str, pieces: &[Piece], word: &str) -> bool {
    let mut words = pieces.iter().filter(|piece| !piece.is_number);
    words.any(|piece| are_alike(&fold(piece.of(text)), word))
}

pub fn are_alike(one: &str, other: &str) -> bool {
    let stem = |word: &str| word.chars().take(STEM_LETTERS).collect::<String>();
    one == other || stem(one).chars().count() == STEM_LETTERS && stem(one) == stem(other)
}

#[cfg(test)]
mod tests {
    use super::super::pieces::pieces_of;
    use super::*;

    #[test]
    fn a_figure_is_the_same_however_its_thousands_are_parted() {
        let figure = |text: &str| {
            let piece = pieces_of(text).into_iter().find(|piece| piece.is_number);
            piece.map(|piece| Figure::of(text, &piece))
        };
        for (one, other, same) in [
            ("5 000 Säcke", "5.000", true),
            ("5,000", "5000", true),
            ("1.5", "1,5", true),
            ("1.5", "15", false),
            ("5%", "5", false),
            ("5 %", "5", false),
            ("€5", "5", false),
            ("-5", "5", false),
            ("9:30", "930", false),
            ("10–12", "1012", false),
            ("10–12", "10-12", true),
            ("(5)", "5,", true),
        ] {
            assert_eq!(figure(one) == figure(other), same, "{one} {other}");
        }
    }
}
