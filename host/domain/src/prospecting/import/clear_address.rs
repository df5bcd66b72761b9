//! Finds e-mail addresses in texts that are shown, in whatever way they are written.
//!
//! DANGER: an address that is overlooked here is shown to everybody who may read the job. So a text is read as a
//! browser would show it, and a form that nobody thought of is refused rather than passed.

use percent_encoding::percent_decode_str;
use unicode_normalization::UnicodeNormalization as _;
use unicode_normalization::char::is_combining_mark;

use crate::message::characters::is_default_ignorable;
use crate::outcome_ledger::MailAddress;

/// How often a text may be encoded: an address in a link within a link, in a page.
const LAYERS: usize = 4;
/// Most characters on either side of an `@` that are read.
const SIDE_CHARS: usize = 253;

/// The addresses that the text shows, as written or encoded.
pub(super) fn addresses(text: &str) -> Vec<MailAddress> {
    let mut found = Vec::new();
    let mut layer = text.to_owned();
    for _ in 0..=LAYERS {
        let shown = visible(&layer);
        found.extend(of_shown(&shown));
        let decoded = decoded(&shown);
        if decoded == shown {
            break;
        }
        layer = decoded;
    }
    found
}

/// In compatibility form, so that a full-width `@` is one, and without what shows nothing.
fn visible(text: &str) -> String {
    text.nfkc().filter(|c| !is_default_ignorable(*c)).collect()
}

/// Without one layer of percent-encoding and of HTML's character references.
fn decoded(text: &str) -> String {
    let text = percent_decode_str(text).decode_utf8_lossy();
    let mut decoded = String::with_capacity(text.len());
    let mut rest = text.as_ref();
    while let Some(at) = rest.find('&') {
        let (before, reference) = rest.split_at(at);
        decoded.push_str(before);
        let (character, length) = referred(reference).unwrap_or(('&', 1));
        decoded.push(character);
        rest = reference.get(length..).unwrap_or_default();
    }
    decoded.push_str(rest);
    decoded
}

/// The character that a reference at the text's beginning stands for, and the reference's length in bytes. Of the
/// names only those of characters that an address is made of.
fn referred(text: &str) -> Option<(char, usize)> {
    const NAMES: [(&str, char); 7] = [
        ("&commat;", '@'),
        ("&period;", '.'),
        ("&amp;", '&'),
        ("&plus;", '+'),
        ("&lowbar;", '_'),
        ("&UnderBar;", '_'),
        ("&percnt;", '%'),
    ];
    if let Some((name, character)) = NAMES.iter().find(|(name, _)| text.starts_with(name)) {
        return Some((*character, name.len()));
    }
    let number = text.strip_prefix("&#")?;
    let (radix, digits) = match number.strip_prefix(['x', 'X']) {
        Some(digits) => (16, digits),
        None => (10, number),
    };
    let count = digits.chars().take_while(|c| c.is_digit(radix)).count();
    // Digits are ASCII, so each is a byte. Zeros may stand before them.
    let value = digits.get(..count)?.trim_start_matches('0');
    let character = char::from_u32(u32::from_str_radix(value, radix).ok()?)?;
    let end = text.len() - digits.len() + count;
    let is_closed = text.get(end..).is_some_and(|rest| rest.starts_with(';'));
    Some((character, end + usize::from(is_closed)))
}

/// The addresses around each `@`. Of what follows one, each run of labels counts: a sentence may go on without a space.
fn of_shown(text: &str) -> Vec<MailAddress> {
    let mut found = Vec::new();
    for (at, _) in text.match_indices('@') {
        let (before, after) = (&text[..at], &text[at + 1..]);
        let local: Vec<char> = before
            .chars()
            .rev()
            .take(SIDE_CHARS)
            .take_while(|c| is_of_local(*c))
            .collect();
        let local: String = local.into_iter().rev().collect();
        // A dot may end the words before an address.
        let local = local.trim_start_matches('.');
        // Masked as the host does it.
        if local.ends_with("***") {
            continue;
        }
        let domain: String = after
            .chars()
            .take(SIDE_CHARS)
            .take_while(|c| is_of_domain(*c))
            .map(|c| if is_dot(c) { '.' } else { c })
            .collect();
        let labels: Vec<&str> = domain.split('.').collect();
        let runs = (2..=labels.len()).rev();
        let of = |count: usize| {
            format!("{local}@{}", labels[..count].join("."))
                .parse()
                .ok()
        };
        found.extend(runs.filter_map(of));
    }
    found
}

const fn is_dot(c: char) -> bool {
    matches!(c, '.' | '\u{3002}' | '\u{ff0e}' | '\u{ff61}')
}

fn is_of_domain(c: char) -> bool {
    c.is_alphanumeric() || c == '-' || is_dot(c) || is_combining_mark(c)
}

/// A slash may be of an address as well, but ends what stands before the `@` of a profile's page.
fn is_of_local(c: char) -> bool {
    c.is_alphanumeric() || is_combining_mark(c) || "!#$%&'*+-.=^_`{|}~".contains(c)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn an_address_is_found_however_it_is_written() {
        for text in [
            "sam@acme.example",
            "Write to Sam@Acme.Example.Then call.",
            "<mailto:sam@acme.example?subject=x>",
            "sam\u{ff20}acme.example",
            "sam@acme\u{3002}example",
            "s\u{ad}am\u{200b}@acme.example",
            "sam&#64;acme.example",
            "sam&#x0040;acme&period;example",
            "sam&#64acme.example",
            "sam&commat;acme.example",
            "sam&amp;#64;acme.example",
            "s%61m%40acme%2Eexample",
            "https://acme.example/?u=https%3A%2F%2Fx.example%2F%3Fq%3Dsam%2540acme.example",
            "sam@m\u{fc}ller.example",
            "\u{3c3}\u{3b1}\u{3bc}@acme.example",
        ] {
            assert!(!addresses(text).is_empty(), "{text}");
        }
        let found = addresses("ask sam%40m%C3%BCller.example");
        assert_eq!(found[0].in_clear(), "sam@xn--mller-kva.example");
    }

    #[test]
    fn what_has_an_at_sign_is_not_always_an_address() {
        for text in [
            "",
            "@",
            "90% @ once",
            "https://pages.example/@sam.okafor",
            "s***@acme.example",
            "@acme.example wrote",
            "sam@localhost",
            "AT&T, 100%, R&D; &#; &#x;",
        ] {
            assert_eq!(addresses(text), [], "{text}");
        }
    }

    proptest! {
        #[test]
        fn no_text_panics(text in "[@&#;%.a0-9xé\u{200b} ]{0,60}|\\PC{0,60}") {
            let _ = addresses(&text);
        }

        #[test]
        fn an_address_within_words_is_found(
            local in "[a-z][a-z0-9+_]{0,10}",
            before in "[a-z ]{0,10} ",
            after in "( [a-z ]{0,10})?",
        ) {
            let address = format!("{local}@acme.example");
            let found = addresses(&format!("{before}{address}{after}"));
            prop_assert_eq!(found.iter().map(MailAddress::in_clear).collect::<Vec<_>>(), [address]);
        }
    }
}
