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
    if begins.iter().any(|begin| word.contains(begin)) || names_resource(&word) {
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

/// Whether a word names something else that a program opens: a share of a network (`\\\\server\\share`), a file, a mailbox, or
/// content that stands in the address itself (`data:text/html,…`). `data: 5` and `Profile:Ada` name nothing.
fn names_resource(word: &str) -> bool {
    let behind = |scheme: &str| {
        let (before, rest) = word.split_once(scheme)?;
        let is_whole = !before.ends_with(char::is_alphanumeric);
        is_whole.then_some(rest)
    };
    let is_share = word.split_once("\\\\").is_some_and(|(before, rest)| {
        !before.ends_with(char::is_alphanumeric) && rest.starts_with(|c: char| c.is_alphanumeric())
    });
    // A media type, or what stands for one, is parted from the content by a comma.
    let is_content = behind("data:").is_some_and(|rest| {
        rest.starts_with([',', ';'])
            || rest
                .split(',')
                .next()
                .is_some_and(|it| it.contains('/') && rest.contains(','))
    });
    let opens = |scheme: &str| {
        behind(scheme).is_some_and(|rest| {
            rest.starts_with(|c: char| c.is_alphanumeric() || "/\\\\.~(".contains(c))
        })
    };
    is_share || is_content || SCHEMES.iter().any(|scheme| opens(scheme))
}

/// Schemes besides that of the web behind which programs open what follows.
const SCHEMES: [&str; 4] = ["file:", "javascript:", "mailto:", "vbscript:"];

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
            r"\\server\share",
            r"(\\server\share)",
            r"\\192.0.2.1\c$",
            "\u{ff3c}\u{ff3c}server\u{ff3c}share",
            "file:/etc/passwd",
            "FILE:report.doc",
            r"file:\\server\share",
            "data:text/html,x",
            "data:,x",
            "data:;base64,eA==",
            "javascript:alert(1)",
            "mailto:ada@evil.com",
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
            "data:",
            "data:5",
            "metadata:text/html,x",
            "profile:Ada",
            "file:",
            r"and\or",
            r"\\",
        ] {
            assert_eq!(likeness(text), None, "{text}");
        }
        assert!(!has_address("Done.Next Booking.com and/or 24/7"));
    }

    proptest! {
        #[test]
        fn no_share_and_no_file_passes(
            before in "[(\"' ]{0,2}", host in "[a-z0-9]{1,10}", path in "[a-z0-9$]{0,10}",
            kind in 0..4,
        ) {
            let text = match kind {
                0 => format!(r"{before}\\{host}\{path}"),
                1 => format!("{before}file:{host}/{path}"),
                2 => format!("{before}data:{host}/{path},x"),
                _ => format!("{before}mailto:{host}"),
            };
            prop_assert!(has_address(&text), "{}", text);
        }

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
