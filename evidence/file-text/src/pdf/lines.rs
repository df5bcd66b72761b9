//! Lines of text from glyphs: what stands on one baseline, in the order in which it is read.

use gtm_page_text::normalize;
use unicode_normalization::UnicodeNormalization as _;

use super::content::Glyph;

/// How far two baselines of one line may be apart, in parts of the size: room for raised and lowered text.
const SAME_LINE: f64 = 0.45;
/// Least gap that is a space, in parts of the size; between characters of scripts without spaces, more.
const SPACE: f64 = 0.15;
const SPACE_BETWEEN_IDEOGRAPHS: f64 = 0.6;
/// Least gap that divides two columns, in parts of the size.
const COLUMN: f64 = 1.3;
/// How far a glyph may stand before the one that it follows, in parts of the size.
const BACK: f64 = 0.5;

/// A line of a page.
#[derive(Debug)]
pub(super) struct Line {
    pub(super) text: String,
    pub(super) x: f64,
    pub(super) end: f64,
    pub(super) y: f64,
    pub(super) size: f64,
    pub(super) direction: (i64, i64),
    pub(super) page: u32,
    pub(super) artifact: bool,
    /// How many gaps divide columns in it.
    pub(super) columns: usize,
    /// Whether it ends within a word, with a hyphen that is none of the word's.
    pub(super) divided: bool,
}

/// The lines of a page, in the order in which it shows them.
pub(super) fn lines(glyphs: Vec<Glyph>, page: u32) -> Vec<Line> {
    let mut lines = Vec::new();
    let mut current: Vec<Glyph> = Vec::new();
    let (mut y, mut size) = (0.0f64, 0.0f64);
    for glyph in glyphs {
        let fits = current.last().is_some_and(|last| {
            let apart = (glyph.y - y).abs();
            last.direction == glyph.direction
                && last.artifact == glyph.artifact
                && apart <= SAME_LINE * size.max(glyph.size)
        });
        if !fits {
            lines.extend(line(std::mem::take(&mut current), page));
            size = 0.0;
        }
        // The largest glyph gives the baseline.
        if glyph.size > size {
            (y, size) = (glyph.y, glyph.size);
        }
        current.push(glyph);
    }
    lines.extend(line(current, page));
    lines
}

/// What a piece of text is for the direction of its line.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Class {
    RightToLeft,
    LeftToRight,
    Digit,
    Neutral,
}

fn class(text: &str) -> Class {
    for character in text.chars() {
        return match u32::from(character) {
            // Digits of Arabic run to the right like all digits.
            0x660..=0x669 | 0x6F0..=0x6F9 => Class::Digit,
            0x590..=0x8FF
            | 0xFB1D..=0xFDFF
            | 0xFE70..=0xFEFC
            | 0x1_0800..=0x1_0FFF
            | 0x1_E800..=0x1_EFFF => Class::RightToLeft,
            _ if character.is_numeric() => Class::Digit,
            _ if character.is_alphabetic() => Class::LeftToRight,
            _ => continue,
        };
    }
    Class::Neutral
}

fn line(mut glyphs: Vec<Glyph>, page: u32) -> Option<Line> {
    let is_mixed = glyphs
        .iter()
        .any(|glyph| class(&glyph.text) == Class::RightToLeft);
    let is_ordered = glyphs
        .windows(2)
        .all(|pair| pair[1].x >= pair[0].x - BACK * pair[0].size);
    if is_mixed || !is_ordered {
        glyphs.sort_by(|one, other| one.x.total_cmp(&other.x));
    }
    // Bold type is sometimes made by showing a text twice.
    glyphs.dedup_by(|next, glyph| {
        next.text == glyph.text && (next.x - glyph.x).abs() < 0.1 * glyph.size && !is_blank(glyph)
    });
    let mut pieces: Vec<String> = Vec::new();
    let mut columns = 0;
    let mut previous: Option<&Glyph> = None;
    // The end of what was last seen: blanks are part of a gap between columns.
    let mut seen_end: Option<f64> = None;
    for glyph in &glyphs {
        if let Some(previous) = previous {
            let gap = glyph.x - (previous.x + previous.width);
            let size = previous.size.max(glyph.size);
            let both = [previous, glyph].map(|glyph| is_ideographic(&glyph.text));
            let least = if both == [true; 2] {
                SPACE_BETWEEN_IDEOGRAPHS
            } else {
                SPACE
            };
            if gap > least * size && !is_blank(previous) && !is_blank(glyph) {
                pieces.push(" ".to_owned());
            }
            if !is_blank(glyph) && seen_end.is_some_and(|end| glyph.x - end > COLUMN * size) {
                columns += 1;
            }
        }
        if !is_blank(glyph) {
            seen_end = Some(glyph.x + glyph.width);
        }
        pieces.push(plain(&glyph.text));
        previous = Some(glyph);
    }
    if is_mixed {
        pieces = logical(pieces);
    }
    let raw = pieces.concat();
    let divided = raw.trim_end().ends_with(['\u{AD}', '\u{2010}']);
    let text = normalize(&raw);
    let visible = || glyphs.iter().filter(|glyph| !is_blank(glyph));
    let first = visible().next()?;
    let size = visible().map(|glyph| glyph.size).fold(0.0, f64::max);
    let y = visible()
        .find(|glyph| glyph.size >= size)
        .map_or(first.y, |glyph| glyph.y);
    (!text.is_empty()).then(|| Line {
        text,
        x: first.x,
        end: seen_end.unwrap_or(first.x),
        y,
        size,
        direction: first.direction,
        page,
        artifact: first.artifact,
        columns,
        divided,
    })
}

fn is_blank(glyph: &Glyph) -> bool {
    glyph.text.chars().all(char::is_whitespace)
}

/// Whether it ends or begins with a character of a script that has no spaces between words.
pub(super) fn is_ideographic(text: &str) -> bool {
    let last = text.chars().next_back();
    last.is_some_and(|last| {
        matches!(u32::from(last), 0x2E80..=0x30FF | 0x3400..=0x9FFF | 0xF900..=0xFAFF | 0xFF00..=0xFFEF | 0x2_0000..=0x3_FFFF)
    })
}

/// The letters of a glyph: ligatures and forms of Arabic letters are taken apart, since people quote letters.
fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for character in text.chars() {
        match u32::from(character) {
            0xFB00..=0xFB4F | 0xFB50..=0xFDFF | 0xFE70..=0xFEFC => {
                out.extend([character].into_iter().nfkc())
            }
            _ => out.push(character),
        }
    }
    out
}

/// Brings pieces that stand from left to right into the order in which they are read: the reverse of what the
/// Unicode Bidirectional Algorithm does to a line.
fn logical(pieces: Vec<String>) -> Vec<String> {
    let mut classes: Vec<Class> = pieces.iter().map(|piece| class(piece)).collect();
    // Signs of money and of parts belong to the number that they stand beside.
    for at in 0..classes.len() {
        let beside = [at.checked_sub(1), Some(at + 1)];
        let number = beside
            .into_iter()
            .flatten()
            .any(|beside| classes.get(beside) == Some(&Class::Digit));
        if number
            && matches!(
                pieces[at].as_str(),
                "%" | "‰" | "$" | "€" | "£" | "¥" | "+" | "-" | "#"
            )
        {
            classes[at] = Class::Digit;
        }
    }
    let count = |wanted| classes.iter().filter(|class| **class == wanted).count();
    let mut pieces = pieces;
    if count(Class::RightToLeft) >= count(Class::LeftToRight) {
        // The line runs to the left; what runs to the right in it is turned back.
        pieces.reverse();
        let reversed: Vec<Class> = classes.into_iter().rev().collect();
        let runs_right = |class| matches!(class, Class::LeftToRight | Class::Digit);
        for (start, end) in runs(&reversed, runs_right) {
            pieces[start..end].reverse();
        }
    } else {
        for (start, end) in runs(&classes, |class| class == Class::RightToLeft) {
            pieces[start..end].reverse();
            let turned: Vec<Class> = classes[start..end].iter().rev().copied().collect();
            for (from, to) in runs(&turned, |class| class == Class::Digit) {
                pieces[start + from..start + to].reverse();
            }
        }
    }
    pieces
}

/// The longest runs that begin and end with such a class and have nothing of the opposite in between.
fn runs(classes: &[Class], is_it: impl Fn(Class) -> bool) -> Vec<(usize, usize)> {
    let mut found: Vec<(usize, usize)> = Vec::new();
    let mut open: Option<(usize, usize)> = None;
    for (at, class) in classes.iter().copied().enumerate() {
        let joins = class == Class::Neutral || class == Class::Digit;
        if is_it(class) {
            open = Some((open.map_or(at, |(start, _)| start), at + 1));
        } else if !joins {
            found.extend(open.take());
        }
    }
    found.extend(open);
    found
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::super::paint::Seen;
    use super::*;

    /// Glyphs of width 6 and size 10 from left to right; `_` is a gap.
    fn shown(text: &str) -> Vec<Glyph> {
        let glyphs = text
            .chars()
            .enumerate()
            .filter(|(_, character)| *character != '_');
        glyphs
            .map(|(at, character)| Glyph {
                x: f64::from(u32::try_from(at).unwrap()) * 6.0,
                y: 700.0,
                width: 6.0,
                size: 10.0,
                direction: (100, 0),
                text: character.to_string().into(),
                artifact: false,
                seen: Seen::Yes,
                middle: (0.0, 0.0),
            })
            .collect()
    }

    fn text(visual: &str) -> String {
        lines(shown(visual), 1).remove(0).text
    }

    #[test]
    fn gaps_are_spaces() {
        assert_eq!(text("one_two three"), "one two three");
        assert_eq!(lines(shown("one____two"), 1)[0].columns, 1);
        assert_eq!(lines(shown("one    two"), 1)[0].columns, 1);
        assert_eq!(text("東京__都"), "東京 都");
    }

    #[test]
    fn right_to_left_text_is_put_into_the_order_of_reading() {
        // "שלום 2026 עולם" as it stands on the page, from left to right.
        assert_eq!(text("םלוע 2026 םולש"), "שלום 2026 עולם");
        assert_eq!(
            text("The word םולש means peace"),
            "The word שלום means peace"
        );
        assert_eq!(text("12.5% לש"), "של 12.5%");
    }

    #[test]
    fn glyphs_in_any_order_make_one_line() {
        let mut glyphs = shown("meter");
        glyphs.reverse();
        assert_eq!(lines(glyphs, 1)[0].text, "meter");
    }

    #[test]
    fn text_shown_twice_counts_once() {
        let mut twice = shown("bold");
        let again: Vec<Glyph> = twice
            .iter()
            .cloned()
            .map(|glyph| Glyph {
                x: glyph.x + 0.3,
                ..glyph
            })
            .collect();
        twice.extend(again);
        assert_eq!(lines(twice, 1)[0].text, "bold");
    }

    #[test]
    fn another_baseline_is_another_line() {
        let mut glyphs = shown("one");
        glyphs.extend(
            shown("two")
                .into_iter()
                .map(|glyph| Glyph { y: 688.0, ..glyph }),
        );
        glyphs.extend(shown("up").into_iter().map(|glyph| Glyph {
            direction: (0, 100),
            ..glyph
        }));
        let texts: Vec<String> = lines(glyphs, 1).into_iter().map(|line| line.text).collect();
        assert_eq!(texts, ["one", "two", "up"]);
    }

    #[test]
    fn ligatures_are_taken_apart() {
        assert_eq!(text("eﬃcient"), "efficient");
        assert_eq!(plain("\u{FEFB}"), "لا");
    }
}
