//! Parts that marks at their beginning and at their end set off: `[START INTERNAL] … [END INTERNAL]`, `[internal]…[/internal]`,
//! `:::internal … :::`.
//!
//! Danger: each block of such a part would be read alone, and printed. So it reaches from mark to mark, over headings too. One
//! without an end reaches to the next heading, if its mark says that it begins something.

use std::ops::Range;

use gtm_lexicon::documents::{BEGIN_MARKS, END_MARKS};
use gtm_lexicon::{Phrases, fold, split};

use super::private_notes::{BRACKETS, is_label};

/// Longest mark, in bytes.
const LONGEST: usize = 80;
/// Most marks of a brief.
const MOST: usize = 200;
/// What fences a part: so many colons, or more.
const FENCE: &str = ":::";
/// Where a tag begins, which is escaped before.
const TAGS: [(&str, char); 2] = [("\\<", '>'), ("<", '>')];

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Mark {
    /// It says that something begins.
    Begins,
    /// A label alone, which begins something if its own mark closes it.
    Label,
    /// `/internal`
    Closes,
    Ends,
}

/// What the words of a mark say; none if they are none.
fn mark_of(inner: &str) -> Option<Mark> {
    if let Some(label) = inner.trim_start().strip_prefix('/') {
        return is_label(label).then_some(Mark::Closes);
    }
    if is_label(inner) {
        return Some(Mark::Label);
    }
    let folded = fold(inner);
    let words = split(&folded);
    let beside = |marks: &'static Phrases| {
        let behind = marks.at_start(&words).any(|mark| {
            let rest = words.get(mark.len()..).unwrap_or_default();
            is_label(&rest.join(" "))
        });
        let before = words
            .split_last()
            .is_some_and(|(last, rest)| marks.has_word(last) && is_label(&rest.join(" ")));
        behind || before
    };
    if beside(&BEGIN_MARKS) {
        Some(Mark::Begins)
    } else {
        beside(&END_MARKS).then_some(Mark::Ends)
    }
}

/// The places of such parts, in order and apart.
pub fn places(text: &str, section_end: impl Fn(&str, usize) -> usize) -> Vec<Range<usize>> {
    let mut found = fences(text, &section_end);
    let marks = marks(text);
    let sign = |place: &Range<usize>| text.get(place.start..).and_then(|it| it.chars().next());
    let mut at = 0;
    while let Some((place, mark)) = marks.get(at) {
        at += 1;
        let mut behind = marks.iter().enumerate().skip(at);
        let end = match mark {
            Mark::Begins => behind.find(|(_, (_, mark))| matches!(mark, Mark::Ends | Mark::Closes)),
            // The next mark of its kind closes it, or nothing does.
            Mark::Label => behind
                .find(|(_, (other, _))| sign(other) == sign(place))
                .filter(|(_, (_, mark))| *mark == Mark::Closes),
            Mark::Closes | Mark::Ends => continue,
        };
        match end {
            Some((closing, (end, _))) => {
                found.push(place.start..end.end);
                at = closing + 1;
            }
            None if *mark == Mark::Begins => {
                found.push(place.start..section_end(text, place.end));
            }
            None => {}
        }
    }
    found
}

/// The marks of a text, in order.
fn marks(text: &str) -> Vec<(Range<usize>, Mark)> {
    let brackets = BRACKETS
        .iter()
        .map(|(begin, end)| (begin.to_string(), *end));
    let tags = TAGS.iter().map(|(begin, end)| ((*begin).to_owned(), *end));
    let mut found: Vec<(Range<usize>, Mark)> = Vec::new();
    for (begin, end) in brackets.chain(tags) {
        for (at, _) in text.match_indices(&begin) {
            let inner = at + begin.len();
            let near = text.floor_char_boundary(inner.saturating_add(LONGEST));
            let near = text.get(inner..near).unwrap_or_default();
            let said = near.find(end).and_then(|length| near.get(..length));
            let mark = said.and_then(|said| Some((said.len(), mark_of(said)?)));
            if let Some((length, mark)) = mark {
                found.push((at..inner + length + end.len_utf8(), mark));
            }
        }
    }
    // A line of its own needs no bracket, if it says that something begins or ends.
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let bare = line.trim_end_matches('\n');
        let words = bare.trim_matches(|c: char| !c.is_alphanumeric());
        let mark = (words.len() <= LONGEST && !words.is_empty())
            .then(|| mark_of(words))
            .flatten();
        if let Some(mark) = mark.filter(|mark| *mark != Mark::Label) {
            found.push((begin..begin + bare.len(), mark));
        }
        begin += line.len();
    }
    found.sort_by_key(|(place, _)| (place.start, std::cmp::Reverse(place.end)));
    found.dedup_by(|later, earlier| later.0.start < earlier.0.end);
    found.truncate(MOST);
    found
}

/// The parts between fences whose first one has a label.
fn fences(text: &str, section_end: impl Fn(&str, usize) -> usize) -> Vec<Range<usize>> {
    let mut found = Vec::new();
    // The fence of a private part, and how many are open from it on.
    let mut open: Option<(Range<usize>, usize)> = None;
    let mut begin = 0;
    for line in text.split_inclusive('\n') {
        let end = begin + line.trim_end_matches('\n').len();
        if let Some(rest) = line.trim().strip_prefix(FENCE) {
            let name = rest.trim_matches([':', ' ', '{', '}', '.']);
            open = match open {
                None => is_label(name).then_some((begin..end, 1)),
                Some((fence, 1)) if name.is_empty() => {
                    found.push(fence.start..end);
                    None
                }
                Some((fence, depth)) if name.is_empty() => Some((fence, depth - 1)),
                Some((fence, depth)) => Some((fence, depth + 1)),
            };
        }
        begin += line.len();
    }
    if let Some((fence, _)) = open {
        found.push(fence.start..section_end(text, fence.end));
    }
    found
}

#[cfg(test)]
mod tests {
    use super::super::Brief;

    #[test]
    fn a_part_reaches_from_mark_to_mark() {
        for part in [
            "[START INTERNAL]\n\nThe margin is 40.\n\n## They pay 41\n\n[END INTERNAL]\n\n",
            "[internal]\n\nThe margin is 40.\n\n- 41\n\n[/internal]\n\n",
            ":::internal\nThe margin is 40.\n\n41\n:::\n\n",
            "::: internal\n:::note\n40\n:::\n41\n:::\n\n",
            "--- BEGIN INTERNAL ---\n\n40\n\n--- END INTERNAL ---\n\n",
            "<internal>The margin is 40.\n\n41</internal>\n\n",
            "{internal start} 40 {internal end} ",
        ] {
            let brief = Brief::read(&format!("# A\n\n## B\n\nRooms.\n\n{part}A visit."), "en");
            let text = brief.text();
            assert!(
                !text.contains("40") && !text.contains("41") && !text.contains("nternal"),
                "{part}: {text}"
            );
            assert!(
                text.contains("Rooms.") && text.contains("A visit."),
                "{text}"
            );
            assert!(!brief.withheld.is_empty(), "{part}");
        }
    }

    #[test]
    fn a_part_without_an_end_reaches_to_the_next_heading() {
        let brief = Brief::read(
            "# A\n\n## B\n\nRooms.\n\n[START INTERNAL]\n\n40\n\n41\n\n## C\n\nA visit.",
            "en",
        );
        assert_eq!(brief.text(), "A\nB\nRooms.\nC\nA visit.\n");
    }

    #[test]
    fn what_only_looks_like_a_mark_stays() {
        for said in [
            "The range (internal and external) starts at 40.",
            ":::note\n40 rooms\n:::",
            "Start: internal audits, 40 days",
            "We start with internal audits of 40 rooms.",
        ] {
            let brief = Brief::read(&format!("# A\n\n## B\n\n{said}"), "en");
            assert!(brief.text().contains("40"), "{said}");
        }
    }
}
