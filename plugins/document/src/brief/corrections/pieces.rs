//! The words and figures of a text, and what a figure is made of.

use std::ops::Range;

use gtm_lexicon::fold;

use super::super::soft_breaks::SOFT_BREAK_CHAR;

/// A word or a figure of a text.
#[derive(Debug, Clone)]
pub struct Piece {
    pub place: Range<usize>,
    pub is_number: bool,
}

impl Piece {
    pub fn of<'t>(&self, text: &'t str) -> &'t str {
        text.get(self.place.clone()).unwrap_or_default()
    }
}

/// Whether a sign between two digits belongs to one figure: `9:30`, `14/5`, `10–12`, `1 200`.
const fn joins_digits(c: char) -> bool {
    matches!(
        c,
        '.' | ',' | '\'' | '’' | ':' | '/' | '-' | '–' | ' ' | '\u{a0}' | '\u{202f}'
    )
}

/// The words and figures of a text. Letters directly behind digits belong to the figure: `12k`, `14%`.
pub fn pieces_of(text: &str) -> Vec<Piece> {
    let mut found: Vec<Piece> = Vec::new();
    let mut letters = text.char_indices().peekable();
    while let Some((at, c)) = letters.next() {
        if !c.is_alphanumeric() {
            continue;
        }
        let is_number = c.is_ascii_digit();
        let mut end = at + c.len_utf8();
        let mut last = c;
        while let Some((next, c)) = letters.peek().copied() {
            let behind = text.get(next + c.len_utf8()..).unwrap_or_default();
            let goes_on = match is_number {
                true => {
                    c.is_ascii_alphanumeric()
                        || c == '%'
                        || joins_digits(c)
                            && last.is_ascii_digit()
                            && behind.starts_with(|c: char| c.is_ascii_digit())
                }
                false => c.is_alphabetic(),
            };
            if !goes_on {
                break;
            }
            end = next + c.len_utf8();
            last = c;
            letters.next();
        }
        found.push(Piece {
            place: at..end,
            is_number,
        });
    }
    found
}

/// The signs within a figure that tell what it is, but for those of thousands and decimals.
pub fn shape_of(figure: &str) -> String {
    let signs = figure.chars().filter(|c| joins_digits(*c));
    signs
        .filter(|c| !matches!(c, '.' | ',' | '\'' | '’'))
        .map(|c| if c.is_whitespace() { ' ' } else { c })
        .collect()
}

/// The digits of a figure, and the letters behind them.
pub fn parted_figure(figure: &str) -> (&str, &str) {
    let end = figure
        .rfind(|c: char| c.is_ascii_digit())
        .map_or(0, |at| at + 1);
    figure.split_at(end)
}

pub fn starts_with_words(text: &str, words: &str) -> bool {
    text.get(..words.len()).is_some_and(|begin| {
        let behind = text.get(words.len()..).unwrap_or_default();
        fold(begin) == fold(words) && !behind.starts_with(char::is_alphabetic)
    })
}

pub fn ends_a_sentence(text: &str) -> bool {
    text.contains(['!', '?', '\n', SOFT_BREAK_CHAR, '。']) || text.contains(". ")
}

pub const fn parts(c: char) -> bool {
    matches!(
        c,
        ',' | ';'
            | ':'
            | '.'
            | '!'
            | '?'
            | '…'
            | '–'
            | '—'
            | '-'
            | '('
            | '['
            | '\n'
            | SOFT_BREAK_CHAR
            | '、'
            | '。'
            | '，'
            | '（'
    )
}
