//! Whether an excerpt that somebody states is a quotation from the content that it is stated of.

use gtm_domain::prospecting::import::Quotation;
use gtm_lexicon::numbers::is_unspaced;

use crate::library::text_of;

/// What an excerpt writes where it leaves words out.
const OMISSIONS: [&str; 4] = ["[...]", "[\u{2026}]", "...", "\u{2026}"];
/// What hides the rest of an address or a name.
const MASK: &str = "***";
/// Most bytes that a mask hides.
const MASKED_BYTES: usize = 254;

/// Looks for an excerpt in the text of a page, a text or a document's file. Its parts between omissions must stand
/// there word for word and in its order; white space may differ.
#[must_use]
pub fn quotation(content: &[u8], excerpt: &str) -> Quotation {
    let text = gtm_page_text::normalize(&text_of(None, content));
    if text.is_empty() {
        return Quotation::Unreadable;
    }
    let mut excerpt = gtm_page_text::normalize(excerpt);
    for omission in OMISSIONS {
        excerpt = excerpt.replace(omission, "\0");
    }
    let (mut from, mut any) = (0, false);
    for part in excerpt.split('\0') {
        // What is cut off directly behind a letter may be the rest of a word.
        let is_cut = part.len() < excerpt.len() && !part.ends_with(' ');
        let part = part.trim();
        if part.is_empty() {
            continue;
        }
        let Some(end) = found(&text, from, part, is_cut) else {
            return Quotation::Absent;
        };
        any |= part.chars().any(char::is_alphanumeric);
        from = end;
    }
    if any {
        Quotation::Stands
    } else {
        Quotation::Absent
    }
}

/// Where a part ends that stands in the text as whole words, at or behind a place.
fn found(text: &str, from: usize, part: &str, is_cut: bool) -> Option<usize> {
    let (first, masked) = match part.split_once(MASK) {
        Some((first, masked)) => (first, Some(masked)),
        None => (part, None),
    };
    let mut at = from;
    while let Some(start) = text.get(at..)?.find(first).map(|found| at + found) {
        let end = start + first.len();
        let stands = match masked {
            None => (is_cut || !goes_on(text, end)).then_some(end),
            Some(rest) => behind_mask(text, end, rest, is_cut),
        };
        if let Some(end) = stands
            && !goes_on(text, start)
        {
            return Some(end);
        }
        // A part that begins with a mask has an empty beginning everywhere.
        at = start + text.get(start..)?.chars().next()?.len_utf8();
    }
    None
}

/// Where what follows a mask ends: it stands behind characters without white space.
fn behind_mask(text: &str, from: usize, rest: &str, is_cut: bool) -> Option<usize> {
    let mut hidden = text.get(from..)?.char_indices();
    loop {
        let (at, character) = hidden.next()?;
        if at > MASKED_BYTES || character.is_whitespace() {
            return None;
        }
        let at = from + at;
        if let Some((between, more)) = rest.split_once(MASK) {
            if text.get(at..)?.starts_with(between) {
                return behind_mask(text, at + between.len(), more, is_cut);
            }
        } else if text.get(at..)?.starts_with(rest) {
            let end = at + rest.len();
            if is_cut || !goes_on(text, end) {
                return Some(end);
            }
        }
    }
}

/// Whether a word goes on across a place. Where words are written without spaces nobody can tell.
fn goes_on(text: &str, at: usize) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let (before, after) = text.split_at(at);
    before.ends_with(is_letter) && after.starts_with(is_letter)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const PAGE: &str = "<html><body><h2>Team</h2><p>Sam <b>Okafor</b>, Head of&nbsp;operations, \
        sam@acme.example</p><p>The Canal Street block opens in June 2026.</p></body></html>";

    fn of_page(excerpt: &str) -> Quotation {
        quotation(PAGE.as_bytes(), excerpt)
    }

    #[test]
    fn what_the_content_says_stands() {
        for excerpt in [
            "Sam Okafor, Head of operations",
            "Sam  Okafor,\nHead of operations",
            "Team Sam Okafor",
            "Sam Okafor, \u{2026} opens in June 2026.",
            "Sam Okafor [...] opens in June",
            "\u{2026}Head of operations, s***@acme.example",
            "s***@a***.example",
            "Sam Okafor, Head of oper\u{2026}",
        ] {
            assert_eq!(of_page(excerpt), Quotation::Stands, "{excerpt}");
        }
        let note = "Caf\u{e9} am Eck\nopened in May".as_bytes();
        assert_eq!(
            quotation(note, "Cafe\u{301} am Eck opened"),
            Quotation::Stands
        );
    }

    #[test]
    fn what_the_content_does_not_say_is_absent() {
        for excerpt in [
            "Sam Okafor, Head of finance",
            "The block opens in June 2026.",
            "opens in June 2026. \u{2026} Sam Okafor",
            "opens in June 2027",
            "a***@acme.example",
            "s***@other.example",
            "t***@acme.example",
            "am Okafor",
            "Head of oper",
            "\u{2026}",
            "*** , ***",
            "<b>Okafor</b>",
        ] {
            assert_eq!(of_page(excerpt), Quotation::Absent, "{excerpt}");
        }
    }

    #[test]
    fn what_has_no_text_cannot_be_compared() {
        let picture = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01";
        assert_eq!(quotation(picture, "Sam"), Quotation::Unreadable);
        assert_eq!(quotation(b"<p></p>", "Sam"), Quotation::Unreadable);
        assert_eq!(quotation(b"%PDF-1.7\nbroken", "Sam"), Quotation::Unreadable);
    }

    proptest! {
        #[test]
        fn any_part_of_a_text_stands_in_it(before in "[A-Z ]{0,20}", part in "[a-z]{1,9}( [a-z]{1,9}){0,4}", after in "[a-z ]{0,20}") {
            let content = format!("{before} {part} {after}");
            prop_assert_eq!(quotation(content.as_bytes(), &part), Quotation::Stands);
        }

        #[test]
        fn no_content_panics(content in prop::collection::vec(any::<u8>(), 0..200), excerpt in "\\PC{0,40}|[a*. …]{0,20}") {
            let _ = quotation(&content, &excerpt);
        }
    }
}
