//! Finds quotations in a page's text.

use crate::normal::normalize;

/// Stands between the quotations of a text that puts several in a row.
pub const BETWEEN_QUOTATIONS: &str = " · ";

/// A text in which quotations are looked for. Its white space is collapsed once, however many are.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct SearchText {
    /// The text with one space for every run of white space.
    collapsed: String,
    /// Where characters were left out: from this code point of `collapsed` on, its offset in the text is this
    /// much larger. In ascending order.
    shifts: Vec<(usize, usize)>,
}

impl SearchText {
    /// Prepares a text, which is what [`crate::PageText::text`] returns.
    pub fn of(text: &str) -> Self {
        let mut collapsed = String::with_capacity(text.len());
        let mut shifts: Vec<(usize, usize)> = Vec::new();
        let (mut kept, mut left_out, mut in_space) = (0, 0, false);
        for character in text.chars() {
            let space = character.is_whitespace();
            if space && in_space {
                left_out += 1;
                match shifts.last_mut() {
                    Some((from, shift)) if *from == kept => *shift = left_out,
                    _ => shifts.push((kept, left_out)),
                }
                continue;
            }
            in_space = space;
            collapsed.push(if space { ' ' } else { character });
            kept += 1;
        }
        Self { collapsed, shifts }
    }

    /// Finds an excerpt and returns the code-point offsets `[start, end)` of its first occurrence in the text.
    ///
    /// The excerpt is brought into normal form first; a space in it matches any run of white space in the
    /// text, line feeds included. An excerpt without a visible character is never found.
    pub fn find(&self, excerpt: &str) -> Option<(usize, usize)> {
        let needle = normalize(excerpt);
        if needle.is_empty() {
            return None;
        }
        let at = self.collapsed.find(&needle)?;
        let first = self.collapsed.get(..at)?.chars().count();
        let last = first + needle.chars().count() - 1;
        // The needle ends with a visible character, so its end is one past the offset of that character.
        Some((self.offset(first), self.offset(last) + 1))
    }

    /// Offset in the text of a code point of `collapsed`.
    fn offset(&self, collapsed: usize) -> usize {
        let after = self.shifts.partition_point(|(from, _)| *from <= collapsed);
        let shift = after.checked_sub(1).and_then(|at| self.shifts.get(at));
        collapsed + shift.map_or(0, |(_, shift)| *shift)
    }
}

/// Finds one excerpt in a text. Whoever looks for several uses [`SearchText`].
pub fn find_excerpt(text: &str, excerpt: &str) -> Option<(usize, usize)> {
    SearchText::of(text).find(excerpt)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn cut(text: &str, (start, end): (usize, usize)) -> String {
        text.chars().skip(start).take(end - start).collect()
    }

    #[test]
    fn offsets_count_code_points() {
        let text = "Über uns\nWir bauen Zähler.";
        let found = find_excerpt(text, "Zähler").unwrap();
        assert_eq!(found, (19, 25));
        assert_eq!(cut(text, found), "Zähler");
    }

    #[test]
    fn a_space_matches_a_line_feed() {
        let text = "First block\nsecond block";
        let found = find_excerpt(text, "block   second").unwrap();
        assert_eq!(cut(text, found), "block\nsecond");
    }

    #[test]
    fn offsets_are_those_of_the_text_as_it_was() {
        let text = "\u{2003} a  \n b\t\tcé \r\n d  ";
        let searched = SearchText::of(text);
        for (excerpt, found) in [
            ("a", (2, 3)),
            ("a b", (2, 8)),
            ("b cé", (7, 12)),
            ("cé d", (10, 17)),
            ("a b cé d", (2, 17)),
            ("d", (16, 17)),
        ] {
            assert_eq!(searched.find(excerpt), Some(found), "{excerpt}");
        }
    }

    #[test]
    fn decomposed_quotation_matches() {
        assert!(find_excerpt("Das Café am Eck", "Cafe\u{301} am").is_some());
    }

    #[test]
    fn absent_and_empty_are_not_found() {
        assert_eq!(find_excerpt("abc", "abd"), None);
        assert_eq!(find_excerpt("abc", " \n"), None);
        assert_eq!(find_excerpt("", "a"), None);
    }
}
