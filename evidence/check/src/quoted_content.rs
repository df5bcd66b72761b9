//! Whether an excerpt that somebody states is a quotation from the content that it is stated of.

use gtm_domain::prospecting::import::Quotation;
use gtm_lexicon::documents::NEGATIONS;
use gtm_lexicon::numbers::is_unspaced;
use gtm_lexicon::{contracted_negation, fold, split};

use crate::library::text_of;

/// What an excerpt writes where it leaves words out.
const OMISSIONS: [&str; 4] = ["[...]", "[\u{2026}]", "...", "\u{2026}"];
/// What hides the rest of an address or a name.
const MASK: &str = "***";
/// Most bytes that a mask hides.
const MASKED_BYTES: usize = 254;
/// Most masks of a part.
const MASKS: usize = 3;
/// Most parts between omissions, and fewest words of each: single words say something else when they are joined.
const PARTS: usize = 6;
const PART_WORDS: usize = 2;
/// Fewest letters of a word that may be the beginning of a longer one: `not` stands in `notoriously`, too.
const CUT_LETTERS: usize = 4;
/// Most bytes that an omission leaves out.
const OMITTED_BYTES: usize = 2_000;
/// Most bytes that are compared for one excerpt beside the search for its beginning. DANGER: content and excerpt are
/// strangers', and repeated letters begin a match everywhere.
const COMPARED_BYTES: usize = 20_000_000;

/// What stands between two omissions.
#[derive(Debug)]
struct Part<'e> {
    text: &'e str,
    /// Whether an omission follows directly, so that its last word may be the beginning of one.
    is_cut: bool,
}

/// Looks for an excerpt in the text of a page, a text or a document's file. Its parts between omissions must stand
/// there word for word, in its order and not far from each other; white space may differ. What is omitted may not deny
/// the rest.
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
    let parts = parts_of(&excerpt);
    let says = |part: &Part<'_>| part.text.contains(char::is_alphanumeric);
    let is_long = |part: &Part<'_>| words(part.text) >= PART_WORDS;
    let is_joined = parts.len() > 1;
    let may_stand = parts.iter().any(says)
        && parts.len() <= PARTS
        && parts
            .iter()
            .all(|part| part.text.matches(MASK).count() <= MASKS)
        && (!is_joined || parts.iter().all(is_long));
    if may_stand && stand(&text, &parts) {
        Quotation::Stands
    } else {
        Quotation::Absent
    }
}

fn parts_of(excerpt: &str) -> Vec<Part<'_>> {
    let mut parts: Vec<Part<'_>> = excerpt
        .split('\0')
        .map(|text| Part {
            text: text.trim(),
            is_cut: may_be_cut(text),
        })
        .collect();
    if let Some(last) = parts.last_mut() {
        last.is_cut = false;
    }
    parts.retain(|part| !part.text.is_empty());
    parts
}

/// Whether the last word of a text may be the beginning of a longer one. A number that is cut is another one, and a denial
/// denies something only as a word.
fn may_be_cut(text: &str) -> bool {
    let word: Vec<char> = text
        .chars()
        .rev()
        .take_while(|c| c.is_alphabetic())
        .collect();
    let word: String = word.into_iter().rev().collect();
    word.chars().count() >= CUT_LETTERS && !NEGATIONS.has_word(&fold(&word))
}

/// How many words a part has. Where words are written without blanks, each letter counts as one.
fn words(text: &str) -> usize {
    let unspaced = text.chars().filter(|c| is_unspaced(*c)).count();
    let spaced = text
        .split(' ')
        .filter(|word| word.contains(char::is_alphanumeric));
    spaced.count().max(unspaced)
}

/// Whether the parts stand in the text one behind the other.
fn stand(text: &str, parts: &[Part<'_>]) -> bool {
    let Some((first, others)) = parts.split_first() else {
        return false;
    };
    let mut left = COMPARED_BYTES;
    let mut from = 0;
    while let Some((start, end)) = found(text, from, first, &mut left) {
        if others_follow(text, end, others, &mut left) {
            return true;
        }
        from = behind_letter(text, start);
    }
    false
}

fn others_follow(text: &str, end: usize, others: &[Part<'_>], left: &mut usize) -> bool {
    let mut from = end;
    others.iter().all(|part| {
        let reach = OMITTED_BYTES + part.text.len() + MASKS * MASKED_BYTES;
        let window = text.ceil_char_boundary(from.saturating_add(reach).min(text.len()));
        *left = left.saturating_sub(window - from);
        let Some((start, end)) = text
            .get(..window)
            .and_then(|text| found(text, from, part, left))
            // What ends the window may go on behind it.
            .filter(|(_, end)| part.is_cut || !goes_on(text, *end))
        else {
            return false;
        };
        let omitted = text.get(from..start).unwrap_or_default();
        from = end;
        omitted.len() <= OMITTED_BYTES && !denies(omitted)
    })
}

/// Whether words that were left out deny something: `Sam did … resign`.
fn denies(omitted: &str) -> bool {
    let folded = fold(omitted);
    let words = split(&folded);
    contracted_negation(&words).is_some() || NEGATIONS.any_in(&words)
}

/// From where to where a part stands in the text as whole words, at or behind a place.
fn found(text: &str, from: usize, part: &Part<'_>, left: &mut usize) -> Option<(usize, usize)> {
    let (first, masked) = match part.text.split_once(MASK) {
        Some((first, masked)) => (first, Some(masked)),
        None => (part.text, None),
    };
    let mut at = from;
    while let Some(start) = text.get(at..)?.find(first).map(|found| at + found) {
        *left = left.checked_sub(1 + first.len())?;
        let end = start + first.len();
        if !goes_on(text, start) {
            let stands = match masked {
                None => (part.is_cut || !goes_on(text, end)).then_some(end),
                Some(rest) => behind_mask(text, end, rest, part.is_cut, left),
            };
            if let Some(end) = stands {
                return Some((start, end));
            }
        }
        // A part that begins with a mask has an empty beginning everywhere.
        at = behind_letter(text, start);
        if at >= text.len() {
            return None;
        }
    }
    None
}

fn behind_letter(text: &str, at: usize) -> usize {
    let letter = text.get(at..).and_then(|rest| rest.chars().next());
    at + letter.map_or(1, char::len_utf8)
}

/// Where what follows a mask ends: it stands behind characters without white space.
fn behind_mask(
    text: &str,
    from: usize,
    rest: &str,
    is_cut: bool,
    left: &mut usize,
) -> Option<usize> {
    let mut hidden = text.get(from..)?.char_indices();
    loop {
        let (at, character) = hidden.next()?;
        if at > MASKED_BYTES || character.is_whitespace() {
            return None;
        }
        *left = left.checked_sub(1 + rest.len())?;
        let at = from + at;
        if let Some((between, more)) = rest.split_once(MASK) {
            if text.get(at..)?.starts_with(between)
                && let Some(end) = behind_mask(text, at + between.len(), more, is_cut, left)
            {
                return Some(end);
            }
        } else if text.get(at..)?.starts_with(rest) {
            let end = at + rest.len();
            if is_cut || !goes_on(text, end) {
                return Some(end);
            }
        }
    }
}

/// Whether a word or a number goes on across a place: `1,000` and `1 000` do behind their first digit, `-5` behind its sign.
/// Where words are written without spaces nobody can tell.
fn goes_on(text: &str, at: usize) -> bool {
    let is_letter = |c: char| c.is_alphanumeric() && !is_unspaced(c);
    let (before, after) = text.split_at(at);
    let is_digit = |c: char| c.is_numeric();
    let is_sign = |c: char| matches!(c, '.' | ',' | '\'' | '\u{2019}' | ':' | '/');
    let negative = after.starts_with(is_digit)
        && before
            .strip_suffix(['-', '\u{2212}'])
            .is_some_and(|rest| rest.is_empty() || rest.ends_with(char::is_whitespace));
    let number_goes_on = negative
        || groups(before, after)
        || groups_behind(before, after)
        || before.ends_with(is_digit)
            && after
                .strip_prefix(is_sign)
                .is_some_and(|rest| rest.starts_with(is_digit))
        || after.starts_with(is_digit)
            && before
                .strip_suffix(is_sign)
                .is_some_and(|rest| rest.ends_with(is_digit));
    number_goes_on || before.ends_with(is_letter) && after.starts_with(is_letter)
}

/// Digits that stand in a group of thousands.
const GROUP: usize = 3;

/// Whether a group of thousands follows behind a blank: `1| 000`.
fn groups(before: &str, after: &str) -> bool {
    let digits = |text: &str| text.chars().take_while(|c| c.is_numeric()).count();
    let first = before.chars().rev().take_while(|c| c.is_numeric()).count();
    (1..=GROUP).contains(&first)
        && after
            .strip_prefix(char::is_whitespace)
            .is_some_and(|rest| digits(rest) == GROUP)
}

/// Whether the group of thousands that begins here follows others: `1 |000`.
fn groups_behind(before: &str, after: &str) -> bool {
    let before = before.strip_suffix(char::is_whitespace);
    let digits = after.chars().take_while(|c| c.is_numeric()).count();
    digits == GROUP
        && before.is_some_and(|before| {
            let first = before.chars().rev().take_while(|c| c.is_numeric()).count();
            (1..=GROUP).contains(&first)
        })
}

#[cfg(test)]
mod tests {
    use gtm_test_support::growth;
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

    #[test]
    fn what_is_cut_or_left_out_says_nothing_else() {
        let of = |content: &str, excerpt: &str| quotation(content.as_bytes(), excerpt);
        for (content, excerpt) in [
            (
                "Acme invested \u{a3}45 million.",
                "\u{2026}Acme invested \u{a3}4",
            ),
            (
                "Acme invested \u{a3}45 million.",
                "Acme invested \u{a3}4\u{2026}",
            ),
            (
                "Sam did not resign from the board.",
                "Sam did \u{2026} resign from the board",
            ),
            (
                "The plant was never sold to them.",
                "The plant was \u{2026} sold to them",
            ),
            (
                "Acme is new. A rival was convicted.",
                "Acme\u{2026}was convicted",
            ),
            ("We cut 1,000 trees.", "We cut 1"),
            ("We cut 1 000 trees.", "We cut 1"),
            ("We cut 1 000 trees.", "000 trees"),
            ("We cut 1'000 trees.", "We cut 1"),
            ("We grew by -5 % in May.", "5 % in May"),
            ("We grew by \u{2212}5 % in May.", "5 % in May"),
            ("We open at 10:30 daily.", "30 daily"),
            ("Prices rose 2.5 % in 2026.", "5 % in 2026"),
            ("Paul said so.", "Paul sai"),
            (
                "Sam was notoriously late for the board.",
                "Sam was not\u{2026} for the board",
            ),
            (
                "Sam didn't resign from the board.",
                "Sam did\u{2026} resign from the board",
            ),
            (
                "They couldn\u{2019}t sell the old plant.",
                "They could\u{2026} sell the old plant",
            ),
        ] {
            assert_eq!(of(content, excerpt), Quotation::Absent, "{excerpt}");
        }
        let far = format!(
            "Acme is new. {} A rival was convicted.",
            "word ".repeat(500)
        );
        assert_eq!(
            of(&far, "Acme is \u{2026} was convicted"),
            Quotation::Absent
        );
        let twice = "Sam Okafor left. He is not bad. Sam Okafor, our chair, leads the team.";
        assert_eq!(
            of(twice, "Sam Okafor\u{2026} leads the team"),
            Quotation::Stands
        );
        assert_eq!(
            of("In 1,000 of 2.5 cases.", "1,000 of 2.5"),
            Quotation::Stands
        );
        assert_eq!(
            of(
                "In 2024 100 people joined, 2019-2021.",
                "In 2024 100 people joined, 2019"
            ),
            Quotation::Stands
        );
        assert_eq!(of("In 2024 100 people.", "In 2024"), Quotation::Stands);
    }

    #[test]
    fn repeated_letters_are_compared_in_time() {
        let pairs = [
            ("a".repeat(300_000), "a".repeat(2_000)),
            ("a ".repeat(150_000), format!("{}b", "a ".repeat(900))),
            ("a ".repeat(150_000), format!("{}ab", "a ".repeat(900))),
            ("a".repeat(50_000), format!("***{}b", "a".repeat(900))),
            ("a@".repeat(50_000), "***a***a***b".to_owned()),
            (
                "a b ".repeat(50_000),
                "a b \u{2026} b a \u{2026} a c".to_owned(),
            ),
        ];
        growth::takes_at_most(20, || {
            for (content, excerpt) in &pairs {
                let _ = quotation(content.as_bytes(), excerpt);
            }
        });
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
