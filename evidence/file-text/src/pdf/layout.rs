//! Blocks from lines: headings by their size, paragraphs by the distance of their lines, list items by their
//! bullets, rows by their columns. PDF itself says nothing of these, or says it wrongly.

use std::collections::BTreeMap;

use gtm_page_text::{BlockKind, Region};

use super::lines::{Line, is_ideographic};
use crate::Collected;

/// How much larger than the running text a heading is.
const HEADING: f64 = 1.15;
/// Longest heading, in bytes.
const MAX_HEADING: usize = 240;
/// Largest distance of two lines of one paragraph, in parts of their size, while none is known.
const LEADING: f64 = 1.7;
/// The same for headings, which stand close to the next heading.
const HEADING_LEADING: f64 = 1.4;
/// From how many pages on a line that repeats is a running head or foot.
const REPEATED: usize = 3;

const BULLETS: &[char] = &[
    '•', '◦', '▪', '▫', '●', '○', '■', '□', '‣', '⁃', '▸', '►', '➢', '➤', '✓', '✔', '❖',
    '\u{F0B7}', '\u{F0A7}', '\u{F0FC}',
];

struct Paragraph<'a> {
    kind: BlockKind,
    level: Option<u8>,
    region: Region,
    text: String,
    first: &'a Line,
    last: &'a Line,
    leading: Option<f64>,
    /// How far its longest line reaches.
    end: f64,
}

/// Puts lines together.
pub(super) fn blocks(lines: &[Line], pages: usize, out: &mut Collected) {
    let body = body_size(lines);
    let levels = heading_levels(lines, body);
    let repeated = repeated(lines, pages);
    let mut open: Option<Paragraph<'_>> = None;
    for line in lines {
        let region = if line.artifact || repeated.contains_key(&place(line)) {
            Region::Boilerplate
        } else {
            Region::Main
        };
        let level = (region == Region::Main && is_heading(line, body))
            .then(|| levels.get(&half_points(line.size)).copied().unwrap_or(6));
        let item = list_item(&line.text);
        let kind = match (level, &item) {
            (Some(_), _) => BlockKind::Heading,
            (None, Some(_)) => BlockKind::ListItem,
            (None, None) if line.columns > 0 => BlockKind::TableRow,
            (None, None) => BlockKind::Paragraph,
        };
        if let Some(paragraph) = &mut open
            && item.is_none()
            && paragraph.region == region
            && paragraph.takes(line, kind, level)
        {
            let distance = paragraph.last.y - line.y;
            paragraph.leading.get_or_insert(distance);
            paragraph.end = paragraph.end.max(line.end);
            join(&mut paragraph.text, &line.text, paragraph.last.divided);
            paragraph.last = line;
            continue;
        }
        close(open.take(), out);
        open = Some(Paragraph {
            kind,
            level,
            region,
            text: item.unwrap_or(&line.text).to_owned(),
            first: line,
            last: line,
            leading: None,
            end: line.end,
        });
    }
    close(open, out);
}

fn close(paragraph: Option<Paragraph<'_>>, out: &mut Collected) {
    if let Some(paragraph) = paragraph {
        let page = Some(paragraph.first.page);
        out.push_in(
            paragraph.region,
            paragraph.kind,
            paragraph.level,
            &paragraph.text,
            page,
        );
    }
}

impl Paragraph<'_> {
    /// Whether a line goes on with it.
    fn takes(&self, line: &Line, kind: BlockKind, level: Option<u8>) -> bool {
        let last = self.last;
        let same_kind = match self.kind {
            BlockKind::ListItem => kind == BlockKind::Paragraph,
            BlockKind::TableRow => false,
            own => own == kind,
        };
        let distance = last.y - line.y;
        let size = last.size.max(line.size);
        let leading = if level.is_some() {
            HEADING_LEADING
        } else {
            LEADING
        };
        let most = self
            .leading
            .map_or(leading * size, |leading| leading * 1.15 + 0.5);
        // A full stop before the end of the column, or a first line that is set in.
        let width = self.end - self.first.x;
        let is_short = last.end < self.first.x + width * 0.75;
        let ends = last
            .text
            .ends_with(['.', '!', '?', ':', '。', '！', '？', '؟']);
        let is_set_in =
            self.leading.is_some() && line.x > last.x + size && line.x > self.first.x + size;
        same_kind
            && self.level == level
            && last.page == line.page
            && last.direction == line.direction
            && (last.size - line.size).abs() <= 0.12 * size
            && distance > 0.0
            && distance <= most
            && !(is_short && ends)
            && !is_set_in
    }
}

/// Puts the text of the next line behind that of a paragraph.
fn join(text: &mut String, next: &str, divided: bool) {
    let begins = next.chars().next().unwrap_or(' ');
    if divided && begins.is_lowercase() {
        // A soft hyphen is gone already.
        if text.ends_with('\u{2010}') {
            text.pop();
        }
    } else if text.ends_with('-') && begins.is_alphabetic()
        || is_ideographic(text) && is_ideographic(next.get(..begins.len_utf8()).unwrap_or_default())
    {
        // The hyphen may belong to the word, so it stays.
    } else {
        text.push(' ');
    }
    text.push_str(next);
}

fn half_points(size: f64) -> i64 {
    // The cast saturates, and sizes are far smaller.
    #[allow(clippy::cast_possible_truncation)]
    let halves = (size * 2.0).round() as i64;
    halves
}

/// The size that most of the text has.
fn body_size(lines: &[Line]) -> f64 {
    let mut sizes: BTreeMap<i64, (usize, f64)> = BTreeMap::new();
    for line in lines.iter().filter(|line| !line.artifact) {
        let (count, size) = sizes.entry(half_points(line.size)).or_default();
        *count += line.text.len();
        *size = line.size;
    }
    sizes
        .into_values()
        .max_by_key(|(count, _)| *count)
        .map_or(0.0, |(_, size)| size)
}

fn is_heading(line: &Line, body: f64) -> bool {
    line.size >= body * HEADING
        && line.text.len() <= MAX_HEADING
        && line.columns == 0
        && line.text.chars().any(char::is_alphabetic)
}

/// Levels of headings by their size: the largest is the first.
fn heading_levels(lines: &[Line], body: f64) -> BTreeMap<i64, u8> {
    let mut sizes: Vec<i64> = lines
        .iter()
        .filter(|line| !line.artifact && is_heading(line, body))
        .map(|line| half_points(line.size))
        .collect();
    sizes.sort_unstable_by(|one, other| other.cmp(one));
    sizes.dedup();
    sizes
        .into_iter()
        .zip((1..=6).chain(std::iter::repeat(6)))
        .collect()
}

/// Height and text of a line, without the digits that change from page to page.
fn place(line: &Line) -> (i64, String) {
    let text = line
        .text
        .chars()
        .filter(|character| !character.is_numeric())
        .collect();
    (half_points(line.y / 2.0), text)
}

/// The lines that stand at one height on at least half of the pages.
fn repeated(lines: &[Line], pages: usize) -> BTreeMap<(i64, String), usize> {
    let mut counts: BTreeMap<(i64, String), usize> = BTreeMap::new();
    if pages < REPEATED {
        return counts;
    }
    for line in lines {
        *counts.entry(place(line)).or_default() += 1;
    }
    counts.retain(|_, count| *count >= REPEATED && *count * 2 >= pages);
    counts
}

/// The text of a list item without its bullet; with its number, which may be referred to.
fn list_item(text: &str) -> Option<&str> {
    if let Some(rest) = text.strip_prefix(BULLETS) {
        return Some(rest.trim_start()).filter(|rest| !rest.is_empty());
    }
    if let Some(rest) = ["– ", "- ", "* ", "· ", "— "]
        .iter()
        .find_map(|dash| text.strip_prefix(*dash))
    {
        return Some(rest);
    }
    let (number, _) = text.split_once([' '])?;
    let digits = number.strip_suffix(['.', ')'])?.trim_start_matches('(');
    let is_number =
        !digits.is_empty() && digits.len() <= 2 && digits.bytes().all(|byte| byte.is_ascii_digit());
    let is_letter = digits.len() == 1 && digits.bytes().all(|byte| byte.is_ascii_lowercase());
    (is_number || is_letter && number.ends_with(')')).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(text: &str, y: f64, size: f64) -> Line {
        Line {
            text: text.to_owned(),
            x: 72.0,
            end: 400.0,
            y,
            size,
            direction: (100, 0),
            page: 1,
            artifact: false,
            columns: 0,
            divided: false,
        }
    }

    fn read(lines: &[Line], pages: usize) -> Vec<(BlockKind, Option<u8>, String)> {
        let mut out = Collected::default();
        blocks(lines, pages, &mut out);
        let blocks = out.passages.into_iter().map(|passage| passage.block);
        blocks
            .map(|block| (block.kind, block.level, block.text))
            .collect()
    }

    #[test]
    fn sizes_and_distances_make_blocks() {
        let lines = [
            line("Meters for flats", 700.0, 24.0),
            line("Why it pays", 660.0, 16.0),
            line(
                "We install meters in flats, and every tenant pays only what was",
                640.0,
                11.0,
            ),
            line("used. The work takes a day.", 626.0, 11.0),
            line(
                "Another paragraph stands further away from those before it, so",
                600.0,
                11.0,
            ),
            line("it is one of its own.", 586.0, 11.0),
            line("• One day", 566.0, 11.0),
            line("• No drill-", 552.0, 11.0),
            line("ing", 538.0, 11.0),
        ];
        let texts = read(&lines, 1);
        assert_eq!(texts.len(), 6);
        assert_eq!(
            texts[0],
            (BlockKind::Heading, Some(1), "Meters for flats".to_owned())
        );
        assert_eq!(texts[1].1, Some(2));
        assert!(
            texts[2]
                .2
                .ends_with("only what was used. The work takes a day.")
        );
        assert_eq!(texts[4], (BlockKind::ListItem, None, "One day".to_owned()));
        assert_eq!(texts[5].2, "No drill-ing");
    }

    #[test]
    fn what_repeats_on_each_page_is_no_main_text() {
        let mut lines = Vec::new();
        for page in 1..=4u32 {
            lines.push(Line {
                page,
                ..line(&format!("Northwind {page}/4"), 800.0, 9.0)
            });
            lines.push(Line {
                page,
                ..line(
                    "Words that belong here.",
                    700.0 - f64::from(page) * 9.0,
                    11.0,
                )
            });
        }
        let mut out = Collected::default();
        blocks(&lines, 4, &mut out);
        let main: Vec<_> = out
            .passages
            .iter()
            .filter(|passage| passage.block.region == Region::Main)
            .collect();
        assert_eq!((main.len(), out.passages.len()), (4, 8));
    }

    #[test]
    fn ideographs_are_joined_without_a_space() {
        let lines = [
            line("東京の水道", 700.0, 11.0),
            line("メーター", 686.0, 11.0),
        ];
        assert_eq!(read(&lines, 1)[0].2, "東京の水道メーター");
    }

    #[test]
    fn numbers_of_items_stay() {
        assert_eq!(list_item("1. First"), Some("1. First"));
        assert_eq!(list_item("b) second"), Some("b) second"));
        assert_eq!(list_item("2026. A year"), None);
        assert_eq!(list_item("– dash"), Some("dash"));
        assert_eq!(list_item("•"), None);
    }
}
