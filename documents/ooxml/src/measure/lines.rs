//! Where lines break.

use super::{Face, to_emu};

/// A line of a text: the characters `start..end`, counted over all spans, and its width in EMU.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Line {
    pub start: usize,
    pub end: usize,
    pub width: i64,
}

/// Breaks spans of text, each in its own face and size (hundredths of a point), into lines of at most `width`
/// EMU. Line breaks are kept; blanks at the end of a line count for nothing, and a word that is longer than a
/// line is cut, as Office does. There is always at least one line.
pub fn lines<'a>(spans: impl IntoIterator<Item = (&'a str, Face, u32)>, width: i64) -> Vec<Line> {
    let mut breaker = Breaker {
        lines: Vec::new(),
        limit: width,
        start: 0,
        at: 0,
        printed: 0,
        line: 0,
        fallback: None,
        previous: ' ',
    };
    for (text, face, size) in spans {
        for character in text.chars() {
            breaker.character(character, to_emu(u64::from(face.advance(character)), size));
        }
    }
    breaker.end_line(breaker.at, breaker.printed);
    breaker.lines
}

struct Breaker {
    lines: Vec<Line>,
    limit: i64,
    /// First character of the line, and the one to come.
    start: usize,
    at: usize,
    /// Width of the line up to its last character that is not blank, and up to `at`.
    printed: i64,
    line: i64,
    /// The last place where the line may end: the character after it, the width before it, and the width of
    /// the line there, blanks included.
    fallback: Option<(usize, i64, i64)>,
    previous: char,
}

impl Breaker {
    fn character(&mut self, character: char, advance: i64) {
        if character == '\n' {
            self.end_line(self.at, self.printed);
            self.at += 1;
            self.start = self.at;
            (self.line, self.printed, self.fallback) = (0, 0, None);
            self.previous = ' ';
            return;
        }
        if self.at > self.start && may_break(self.previous, character) {
            self.fallback = Some((self.at, self.printed, self.line));
        }
        let is_blank = is_blank(character);
        if !is_blank && self.line.saturating_add(advance) > self.limit && self.at > self.start {
            let (next, printed, line) = self.fallback.unwrap_or((self.at, self.printed, self.line));
            self.end_line(next, printed);
            self.start = next;
            self.line -= line;
            self.printed = (self.printed - line).max(0);
            self.fallback = None;
        }
        self.line = self.line.saturating_add(advance);
        if !is_blank {
            self.printed = self.line;
        }
        self.at += 1;
        self.previous = character;
    }

    fn end_line(&mut self, end: usize, width: i64) {
        self.lines.push(Line {
            start: self.start,
            end,
            width,
        });
    }
}

fn is_blank(character: char) -> bool {
    character.is_whitespace() && !matches!(character, '\u{a0}' | '\u{202f}')
}

/// Whether a line may end between the two.
fn may_break(before: char, after: char) -> bool {
    if is_blank(after) {
        return false;
    }
    if is_blank(before) || matches!(before, '\u{200b}') {
        return true;
    }
    if matches!(before, '-' | '\u{2010}' | '\u{2013}' | '\u{2014}') {
        return after.is_alphabetic();
    }
    let opens = |c| "「『（【《〈［｛([{".contains(c);
    let closes = |c| "、。，．」』）】》〉］｝：；！？ー…,.)]}:;!?%".contains(c);
    (is_wide(before) || is_wide(after)) && !opens(before) && !closes(after)
}

/// Characters between which East Asian lines break.
fn is_wide(character: char) -> bool {
    matches!(u32::from(character),
        0x2e80..=0xa4cf | 0xac00..=0xd7a3 | 0xf900..=0xfaff | 0xff00..=0xff60 | 0x20000..=0x3ffff)
        // Thai has no blanks between words; a break anywhere is near enough to count lines.
        || matches!(u32::from(character), 0xe01..=0xe30 | 0xe40..=0xe46)
}

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_document_model::theme::{Font, FontClass};
    use proptest::prelude::*;

    fn face() -> Face {
        let font = Font {
            family: "Courier".to_owned(),
            fallbacks: Vec::new(),
            class: FontClass::Mono,
        };
        Face::new(&font, false)
    }

    /// Breaks at a width of so many characters of a font in which all have one width.
    fn broken(text: &str, characters: i64) -> Vec<String> {
        let width = face().width("a", 1_000) * characters;
        let all: Vec<char> = text.chars().collect();
        lines([(text, face(), 1_000)], width)
            .iter()
            .map(|line| all[line.start..line.end].iter().collect())
            .collect()
    }

    #[test]
    fn lines_end_between_words() {
        assert_eq!(broken("one two three", 7), ["one two ", "three"]);
        assert_eq!(broken("one two three", 8), ["one two ", "three"]);
        assert_eq!(broken("a\n\nb", 7), ["a", "", "b"]);
        assert_eq!(broken("well-known", 6), ["well-", "known"]);
        assert_eq!(broken("abcdefgh ij", 3), ["abc", "def", "gh ", "ij"]);
        assert_eq!(broken("", 3), [""]);
    }

    #[test]
    fn east_asian_lines_end_between_characters_but_not_before_a_full_stop() {
        // A square of East Asia has 1,000 thousandths, the font's letters 610.
        assert_eq!(broken("漢字漢字。", 4), ["漢字", "漢", "字。"]);
    }

    proptest! {
        #[test]
        fn no_character_is_lost_and_no_line_too_wide(text in "[ a-z漢字\n-]{0,200}", characters in 1i64..40) {
            let width = face().width("a", 1_000) * characters;
            let found = lines([(text.as_str(), face(), 1_000)], width);
            let all: Vec<char> = text.chars().collect();
            let mut at = 0;
            for line in &found {
                prop_assert!(line.start == at || all[at] == '\n');
                let printed = all[line.start..line.end].iter().filter(|c| **c != ' ').count();
                prop_assert!(line.width <= width || printed == 1, "{line:?}");
                at = line.end;
            }
            prop_assert_eq!(at, all.len());
        }
    }
}
