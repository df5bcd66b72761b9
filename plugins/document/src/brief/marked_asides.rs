//! Asides that marks set off, taken out of a brief before anything else reads it: `~~struck~~`, `{>>a comment<<}`,
//! `%%a comment%%`, and brackets in confidence whose end is not the first one: `(internal: see a) cost and b) margin)`.
//!
//! Danger: Markdown ends a mark with its paragraph, and the first closing bracket ends a note; what stands behind it would be
//! printed. So a mark reaches from its beginning to its own end, over paragraphs and items too, but never over a heading. One
//! without an end is read by those who read paragraphs.

use std::borrow::Cow;
use std::ops::Range;

use super::private_notes::{BRACKETS, begins_in_confidence, closings, is_signed};
use super::{line_kinds, marked_parts, one_line};
use crate::runs::apart;

/// How far the end of a mark is searched, in bytes.
const REACH: usize = 4000;
/// How much of a brief is searched for the ends of brackets, in bytes: many of them must not take quadratic time.
const MOST_SEARCHED: usize = 2_000_000;
/// Most letters before a bracket of an item of a list within a text: `a)`, `12)`.
const ITEM_LETTERS: usize = 2;
/// Stands where something was taken out, until its line is looked at.
const GAP: char = '\u{0}';

/// Pairs of marks around a comment.
const COMMENTS: [(&str, &str); 7] = [
    ("{>>", "<<}"),
    ("{--", "--}"),
    ("{#", "#}"),
    ("/*", "*/"),
    ("%%", "%%"),
    ("@@", "@@"),
    // Some write quotations so. An angle that may begin a tag is escaped before.
    ("<\\<", ">>"),
];
/// Marks of quotations, too, which set off a comment if somebody signed it.
const SIGNED: &str = ">>";

/// The text without what marks set off, and this.
pub fn parted(text: &str) -> (Cow<'_, str>, Vec<String>) {
    let text = seen(text);
    let mut places = Vec::new();
    comments(&text, &mut places);
    strokes(&text, &mut places);
    brackets(&text, &mut places);
    places.extend(marked_parts::places(&text, section_end));
    if places.is_empty() {
        return (text, Vec::new());
    }
    let mut out = String::with_capacity(text.len());
    let mut told = Vec::new();
    let mut from = 0;
    for place in apart(places) {
        out.push_str(text.get(from..place.start).unwrap_or_default());
        out.push(GAP);
        told.push(one_line(text.get(place.clone()).unwrap_or_default()));
        from = place.end;
    }
    out.push_str(text.get(from..).unwrap_or_default());
    (Cow::Owned(closed(&out)), told)
}

/// The lines without gaps; of a line that had one, nothing stays if it says nothing else.
fn closed(text: &str) -> String {
    let line = |line: &str| {
        if !line.contains(GAP) {
            return line.to_owned();
        }
        // Emphasis that a gap parts from its other end.
        let rest = match line.matches("**").count() % 2 {
            0 => line.to_owned(),
            _ => line.replacen("**\0", "", 1).replacen("\0**", "", 1),
        };
        let rest = rest.replace(GAP, "");
        match rest.contains(char::is_alphanumeric) {
            // Emphasis of nothing.
            true => rest.replace("****", ""),
            false => String::new(),
        }
    };
    text.split('\n').map(line).collect::<Vec<_>>().join("\n")
}

/// The text without characters that nobody sees and that word processors put into words, so that a mark is read as it looks.
/// Between letters of scripts that part no words by blanks, a blank without width stays.
fn seen(text: &str) -> Cow<'_, str> {
    let is_unseen = |c: char| {
        matches!(
            c,
            GAP | '\u{ad}' | '\u{34f}' | '\u{180e}' | '\u{200b}' | '\u{2060}'
                ..='\u{2064}' | '\u{feff}'
        )
    };
    if !text.contains(is_unseen) {
        return Cow::Borrowed(text);
    }
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        let parts_words = c == '\u{200b}' && out.ends_with(|before: char| before > '\u{24f}');
        if !is_unseen(c) || parts_words {
            out.push(c);
        }
    }
    Cow::Owned(out)
}

/// Where a heading, or the text, ends what begins at a place.
fn section_end(text: &str, from: usize) -> usize {
    let reach = text.floor_char_boundary(from.saturating_add(REACH));
    let behind = text.get(from..reach).unwrap_or_default();
    from + behind.find("\n#").unwrap_or(behind.len())
}

fn comments(text: &str, places: &mut Vec<Range<usize>>) {
    for (begin, end) in COMMENTS {
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| rest.find(begin)) {
            let start = from + at;
            let inner = start + begin.len();
            from = inner;
            // `100 %%` is no mark.
            let before = text.get(..start).unwrap_or_default();
            let opens = before.chars().next_back().is_none_or(char::is_whitespace)
                && text
                    .get(inner..)
                    .is_some_and(|behind| !behind.starts_with([' ', '.', ',']));
            if begin == end && !opens {
                continue;
            }
            let within = text
                .get(inner..section_end(text, inner))
                .unwrap_or_default();
            let Some(length) = within.find(end) else {
                continue;
            };
            from = inner + length + end.len();
            let said = within.get(..length).unwrap_or_default();
            if end != SIGNED || is_signed(said) {
                places.push(start..from);
            }
        }
    }
}

/// A run of two or more tildes.
struct Stroke {
    place: Range<usize>,
    /// Whether a word ends before it, and whether one begins behind it.
    behind_word: bool,
    before_word: bool,
    is_behind_blank: bool,
    is_before_blank: bool,
    line: usize,
}

fn strokes(text: &str, places: &mut Vec<Range<usize>>) {
    let runs = strokes_of(text);
    let mut at = 0;
    while let Some(opening) = runs.get(at) {
        at += 1;
        let Some(closing) = runs.get(at).filter(|_| !opening.behind_word) else {
            continue;
        };
        let same_line = closing.line == opening.line;
        let fits = !opening.is_before_blank && !closing.is_behind_blank && !closing.before_word;
        let within = opening.place.end..closing.place.start;
        let is_near = closing.place.start <= section_end(text, opening.place.end);
        let says = text
            .get(within)
            .is_some_and(|said| said.contains(char::is_alphanumeric));
        if says && is_near && (same_line || fits) {
            places.push(opening.place.start..closing.place.end);
            at += 1;
        }
    }
}

/// The runs of tildes that do not fence code.
fn strokes_of(text: &str) -> Vec<Stroke> {
    let lines: Vec<&str> = text.split('\n').collect();
    let kinds = line_kinds::kinds(&lines);
    let mut runs = Vec::new();
    let mut begin = 0;
    for (number, line) in lines.iter().enumerate() {
        // `~~~ struck ~~~` is a line, not a fence.
        let is_code = kinds.get(number) == Some(&line_kinds::Line::Code);
        let is_stroke =
            line.trim().len() > 3 && line.trim().ends_with("~~") && line.contains("~~~");
        let mut at = 0;
        while let Some(found) = line
            .get(at..)
            .and_then(|rest| rest.find("~~"))
            .filter(|_| !is_code || is_stroke)
        {
            let start = at + found;
            let rest = line.get(start..).unwrap_or_default();
            let end = start + rest.len() - rest.trim_start_matches('~').len();
            let before = line.get(..start).and_then(|it| it.chars().next_back());
            let behind = line.get(end..).and_then(|it| it.chars().next());
            runs.push(Stroke {
                place: begin + start..begin + end,
                behind_word: before.is_some_and(char::is_alphanumeric),
                before_word: behind.is_some_and(char::is_alphanumeric),
                is_behind_blank: before.is_none_or(char::is_whitespace),
                is_before_blank: behind.is_none_or(char::is_whitespace),
                line: number,
            });
            at = end;
        }
        begin += line.len() + 1;
    }
    runs
}

/// Brackets in confidence whose own end is another one than the first that closes, or stands in a later block.
fn brackets(text: &str, places: &mut Vec<Range<usize>>) {
    let mut searched = 0;
    for (begin, end) in BRACKETS {
        let mut from = 0;
        while let Some(at) = text.get(from..).and_then(|rest| rest.find(begin)) {
            let start = from + at;
            let inner = start + begin.len_utf8();
            from = inner;
            let behind = text.get(inner..).unwrap_or_default();
            // Of brackets that open together, the innermost one is read.
            if behind.starts_with(begin) || !begins_in_confidence(behind, begin == '(') {
                continue;
            }
            let said = text
                .get(inner..section_end(text, inner))
                .unwrap_or_default();
            searched += said.len();
            if searched > MOST_SEARCHED {
                return;
            }
            let Some(length) = own_end(said, (begin, end)) else {
                continue;
            };
            let plain = plain_end(said, (begin, end));
            from = inner + length;
            if plain != Some(length) {
                let before = text.get(..start).unwrap_or_default();
                places.push(before.trim_end_matches(' ').len()..from);
            }
        }
    }
}

/// Where the bracket that is open at the beginning ends, behind its sign: nested ones, items, faces and quotations do not end
/// it. If only such a sign is in its block, the last of these does.
fn own_end(said: &str, pair: (char, char)) -> Option<usize> {
    let mut counted = 0;
    let mut doubtful: Option<usize> = None;
    for behind in unopened(said, pair) {
        let before = said.get(..behind - pair.1.len_utf8()).unwrap_or_default();
        let within = doubtful.and_then(|from| before.get(from..));
        if within.is_some_and(|within| first_block(within).is_some()) {
            return doubtful;
        }
        if ends_item(before, &mut counted) || is_face(before) || is_quoted(before) {
            doubtful = Some(behind);
        } else {
            return Some(behind);
        }
    }
    doubtful
}

/// Where it ends for those who read a block alone.
fn plain_end(said: &str, pair: (char, char)) -> Option<usize> {
    let block = first_block(said).and_then(|end| said.get(..end));
    unopened(block.unwrap_or(said), pair).next()
}

/// The places behind closing signs that no sign opens.
fn unopened(said: &str, pair: (char, char)) -> impl Iterator<Item = usize> {
    closings(said, pair).filter_map(|(from, behind)| from.is_none().then_some(behind))
}

/// Where the next block begins.
fn first_block(text: &str) -> Option<usize> {
    let mut lines = text.match_indices('\n').map(|(at, _)| at);
    lines.find(|at| begins_block(text.get(at + 1..).unwrap_or_default()))
}

/// Whether a quotation is open at the end of a text, of its last block.
fn is_quoted(before: &str) -> bool {
    let mut block = before;
    while let Some(at) = first_block(block) {
        block = block.get(at + 1..).unwrap_or_default();
    }
    let quotes = block.chars().fold(0_usize, |quotes, c| match c {
        '"' => quotes + 1,
        '“' | '„' | '«' => 1,
        '”' | '»' => 0,
        _ => quotes,
    });
    quotes % 2 == 1
}

/// Whether a new block begins where a line does.
fn begins_block(behind: &str) -> bool {
    let line = behind.lines().next().unwrap_or_default().trim_start();
    line.is_empty() || line_kinds::item_of(line).is_some() || line.starts_with(['|', '>'])
}

/// Whether a text ends as the letter of an item does (`see a`), or as its number, which follows the one before it.
fn ends_item(before: &str, counted: &mut u32) -> bool {
    let word = before
        .rsplit(|c: char| !c.is_alphanumeric())
        .next()
        .unwrap_or_default();
    let lead = before.strip_suffix(word).unwrap_or_default();
    if !lead.ends_with([' ', '\n', ':', ',', '/']) || !(1..=ITEM_LETTERS).contains(&word.len()) {
        return false;
    }
    // `a margin of 12)` ends a bracket.
    let is_next = word.parse() == Ok(*counted + 1);
    let begins = *counted > 0 || !lead.trim_end().ends_with(char::is_alphanumeric);
    *counted += u32::from(is_next && begins);
    is_next && begins || matches!(word.as_bytes(), [b'a'..=b'z'])
}

/// Whether a text ends as a face of signs does: `:`, `;-`.
fn is_face(before: &str) -> bool {
    let eyes = before.strip_suffix(['-', '\'', 'o', '^']).unwrap_or(before);
    eyes.strip_suffix([':', ';', '='])
        .is_some_and(|lead| lead.ends_with(|c: char| c.is_whitespace() || c == ','))
}

#[cfg(test)]
mod tests {
    use super::super::Brief;
    use super::*;

    #[test]
    fn a_mark_reaches_to_its_own_end() {
        for (said, kept) in [
            (
                "Cold (internal: first\n\nand 40).\n\nSafe.",
                "Cold.\n\nSafe.",
            ),
            ("Cold (internal: see a) cost and b) 40).", "Cold."),
            ("Cold (internal: 1) cost 2) margin 3) 40).", "Cold."),
            ("Cold (internal: nice :) and 40).", "Cold."),
            ("Cold (internal: they are unhappy :-) 40).", "Cold."),
            ("Cold (internal: \"mind the ) sign\" 40).", "Cold."),
            ("- cold (internal: one\n- and 40)\n- safe", "- cold\n- safe"),
            ("Cold ~~one thing\n\n40~~ and safe.", "Cold  and safe."),
            ("- ~~one\n- 40~~\n- safe", "\n- safe"),
            ("Cold ~~ 40 ~~ safe.", "Cold  safe."),
            ("Cold ~~~40~~~ safe.", "Cold  safe."),
            ("~~~ 40 ~~~\n\nSafe.", "\n\nSafe."),
            ("Cold **~~40**~~ safe.", "Cold  safe."),
            ("Cold {>>40<<} safe.", "Cold  safe."),
            ("Cold {--40--} safe.", "Cold  safe."),
            ("%%\n40\n%%\nSafe.", "\nSafe."),
            ("Cold %%40%% safe.", "Cold  safe."),
        ] {
            let (text, told) = parted(said);
            assert_eq!(text, kept, "{said}");
            assert_eq!(told.len(), 1, "{said}");
        }
    }

    #[test]
    fn what_is_no_aside_stays() {
        for said in [
            "Cold (internal: one 40) and safe.",
            "Cold (internal: a margin of 12) and safe (really).",
            "The range (internal and external: 40) is safe.",
            "よろしく~~\n\n40です~~",
            "Cold ~~one\n\n# Safe\n\n40~~",
            "At 100 %% of 40 %% we stop.",
            "```\n~~40~~\n```",
            "(internal: one that never ends\n\n40",
        ] {
            let (text, told) = parted(said);
            assert_eq!((text.as_ref(), told.len()), (said, 0), "{said}");
        }
    }

    #[test]
    fn words_are_read_as_they_look() {
        assert_eq!(parted("(in\u{ad}ter\u{200b}nal: 40)").0, "(internal: 40)");
        assert_eq!(
            parted("\u{0e17}\u{200b}\u{0e44}").0,
            "\u{0e17}\u{200b}\u{0e44}"
        );
    }

    #[test]
    fn none_of_it_is_in_the_brief_and_all_of_it_is_told() {
        let brief = Brief::read(
            "# Cold storage\n\nPallets stay cold (internal: see a) cost and b) 40).\n\n## In\u{ad}ternal\n\nThe floor is 41.",
            "en",
        );
        let text = brief.text();
        assert!(text.contains("Pallets stay cold."), "{text}");
        assert!(!text.contains("40") && !text.contains("41"), "{text}");
        assert!(brief.withheld.len() >= 2, "{:?}", brief.withheld);
    }
}
