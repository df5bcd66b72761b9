//! Finds a quotation in a page's text.

use crate::normal::normalize;

/// Finds an excerpt in a text and returns the code-point offsets `[start, end)` of its first
/// occurrence in `text`.
///
/// `text` is what [`crate::PageText::text`] returns. The excerpt is brought into normal form first; a space
/// in it matches any run of white space in the text, line feeds included. An excerpt without a visible
/// character is never found.
pub fn find_excerpt(text: &str, excerpt: &str) -> Option<(usize, usize)> {
    let needle = normalize(excerpt);
    if needle.is_empty() {
        return None;
    }
    // The text with collapsed white space, and the original offset of each of its characters.
    let mut collapsed = String::with_capacity(text.len());
    let mut origins = Vec::with_capacity(text.len());
    let mut in_space = false;
    for (offset, character) in text.chars().enumerate() {
        let space = character.is_whitespace();
        if space && in_space {
            continue;
        }
        in_space = space;
        collapsed.push(if space { ' ' } else { character });
        origins.push(offset);
    }
    let at = collapsed.find(&needle)?;
    let first = collapsed.get(..at)?.chars().count();
    let last = first + needle.chars().count() - 1;
    // The needle ends with a visible character, so its end is one past the offset of that character.
    Some((*origins.get(first)?, *origins.get(last)? + 1))
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
