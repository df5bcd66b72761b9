//! Addresses of pages in a text that is no link. DANGER: mail programs make links of them, which nobody counted or
//! allowed. Whether a text shows an address to its reader is another question, see [`link`](super::link).

use std::net::Ipv4Addr;
use std::ops::Range;

use unicode_normalization::UnicodeNormalization as _;

use super::characters::is_default_ignorable;
use crate::domain_name::has_known_suffix;

/// How sure it is that a mail program makes a link of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Likeness {
    /// It has a scheme or `www.`, or is a host with a port, a path, a query or a fragment.
    Address,
    /// A host alone, below a suffix under which anybody may register a name: `Booking.com` may be a name, too.
    HostAlone,
}

/// The words of a text that look like addresses of pages, in bytes and in order.
#[must_use]
pub fn places(text: &str) -> Vec<(Range<usize>, Likeness)> {
    let mut found = Vec::new();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        if let Some(likeness) = likeness(word) {
            found.push((at..at + word.trim_end().len(), likeness));
        }
        at += word.len();
    }
    found
}

/// Whether mail programs would make a link of a part of the text.
#[must_use]
pub fn has_address(text: &str) -> bool {
    places(text)
        .iter()
        .any(|(_, likeness)| *likeness == Likeness::Address)
}

fn likeness(word: &str) -> Option<Likeness> {
    let visible = word.chars().filter(|c| !is_default_ignorable(*c));
    let word: String = visible
        .nfkc()
        .flat_map(char::to_lowercase)
        .map(|c| if c == '。' { '.' } else { c })
        .collect();
    let begins = ["://", "http:", "https:", "www."];
    if begins.iter().any(|begin| word.contains(begin)) {
        return Some(Likeness::Address);
    }
    let mut found = None;
    let mut rest = word.as_str();
    while let Some(start) = rest.find(is_of_host) {
        let of_mailbox = rest
            .get(..start)
            .is_some_and(|before| before.ends_with('@'));
        let run = rest.get(start..).unwrap_or_default();
        let end = run.find(|c| !is_of_host(c)).unwrap_or(run.len());
        let (host, behind) = run.split_at(end);
        let host = host.trim_matches(['.', '-']);
        if is_host(host) || host.parse::<Ipv4Addr>().is_ok() {
            if leads_on(behind) {
                return Some(Likeness::Address);
            }
            // The parts of an e-mail address lead to no page.
            let of_mailbox = of_mailbox || behind.starts_with('@');
            if !of_mailbox && has_known_suffix(host) {
                found = Some(Likeness::HostAlone);
            }
        }
        rest = behind;
    }
    found
}

fn is_of_host(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '.' | '-')
}

/// Whether a port, a path, a query or a fragment follows. A colon or a question mark alone belongs to the sentence.
fn leads_on(behind: &str) -> bool {
    let mut signs = behind.chars();
    let (sign, next) = (signs.next(), signs.next());
    match sign {
        Some('/' | '\\') => true,
        Some(':') => next.is_some_and(|c| c.is_ascii_digit()),
        Some('?' | '#') => next.is_some_and(char::is_alphanumeric),
        _ => false,
    }
}

/// Whether it is a host: labels of letters, digits and, within, hyphens; the last one has a letter.
#[must_use]
pub fn is_host(text: &str) -> bool {
    let is_label = |label: &str| {
        !label.is_empty()
            && !label.starts_with('-')
            && !label.ends_with('-')
            && label.chars().all(|c| c.is_alphanumeric() || c == '-')
    };
    let last = text.rsplit_once('.').map(|(_, last)| last);
    last.is_some_and(|last| last.len() > 1 && last.contains(char::is_alphabetic))
        && text.split('.').all(is_label)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_told_from_names() {
        for text in [
            "https://a.example",
            "(HTTP://a.example)",
            "WWW.a.example",
            "w\u{200b}ww.a.example",
            "ｗｗｗ．a.example",
            "a.example/x",
            "https:a.example",
            "time:calendly.com/ada",
            "x,evil.com/a",
            "24/evil.com/a",
            "a_evil.com/a",
            "evil.com:443/a",
            "evil.com:443",
            "evil.com?x=1",
            "evil.com#x",
            "evil.com./a",
            "evil。com/a",
            "192.0.2.1/a",
            "192.0.2.1:80",
            "b@evil.com/a",
            "bücher.example/x",
        ] {
            assert_eq!(likeness(text), Some(Likeness::Address), "{text}");
        }
        for text in [
            "Booking.com",
            "evil.com?",
            "(evil.co.uk).",
            "time:evil.com",
            "and/evil.com",
        ] {
            assert_eq!(likeness(text), Some(Likeness::HostAlone), "{text}");
        }
        for text in [
            "Node.js",
            "and/or",
            "z.B.",
            "24/7",
            "1.5/2",
            "a@b.example",
            "ada.byrne@evil.com",
            "e.g./i.e.",
            "Dipl.-Ing./MBA",
            "10:30",
            "v1.2.3",
            "192.0.2.1",
            "",
        ] {
            assert_eq!(likeness(text), None, "{text}");
        }
        assert!(!has_address("Done.Next Booking.com and/or 24/7"));
    }

    proptest! {
        #[test]
        fn places_are_words(text in "\\PC{0,60}|[a-z0-9.:/?#@ -]{0,60}") {
            let mut end = 0;
            for (place, _) in places(&text) {
                prop_assert!(place.start >= end && place.end > place.start);
                prop_assert!(text.get(place.clone()).is_some());
                end = place.end;
            }
        }
    }
}
