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
    /// The address of a mailbox.
    Mailbox,
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

/// A word as a program reads an address.
fn as_address(word: &str) -> String {
    let visible = word.chars().filter(|c| !is_default_ignorable(*c));
    let visible = visible.nfkc().flat_map(char::to_lowercase);
    visible.map(|c| if c == '。' { '.' } else { c }).collect()
}

fn likeness(word: &str) -> Option<Likeness> {
    let word = as_address(word);
    let begins = ["://", "http:", "https:", "www."];
    if begins.iter().any(|begin| word.contains(begin)) || names_resource(&word) {
        return Some(Likeness::Address);
    }
    let mut found = None;
    for Host {
        name,
        is_of_mailbox,
        behind,
    } in hosts(&word)
    {
        if leads_on(behind) {
            return Some(Likeness::Address);
        }
        // What stands behind the sign of a mailbox leads to no page.
        if is_of_mailbox {
            found = found.or(Some(Likeness::Mailbox));
        } else if has_known_suffix(name) {
            found = Some(Likeness::HostAlone);
        }
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
        // Also signs that look like the stroke.
        Some('/' | '\\' | '\u{2044}' | '\u{2215}' | '\u{29f8}') => true,
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

/// A host in a word, or an IPv4 address.
struct Host<'w> {
    name: &'w str,
    /// Whether it stands behind the `@` of a mailbox.
    is_of_mailbox: bool,
    behind: &'w str,
}

/// The hosts of a word that is [read](as_address). The name of a mailbox, such as `ada.byrne`, is none.
fn hosts(word: &str) -> impl Iterator<Item = Host<'_>> {
    let mut rest = word;
    let runs = std::iter::from_fn(move || {
        let start = rest.find(is_of_host)?;
        let (before, run) = rest.split_at(start);
        let end = run.find(|c| !is_of_host(c)).unwrap_or(run.len());
        let (host, behind) = run.split_at(end);
        rest = behind;
        Some(Host {
            name: host.trim_matches(['.', '-']),
            is_of_mailbox: before.ends_with('@'),
            behind,
        })
    });
    runs.filter(|host| {
        let leads = is_host(host.name) || host.name.parse::<Ipv4Addr>().is_ok();
        leads && !host.behind.starts_with('@')
    })
}

/// Whether a word leads nowhere but to these sites: domains in lower-case ASCII, with all below them, and addresses of
/// single mailboxes.
#[must_use]
pub fn leads_only_to(word: &str, sites: &[String]) -> bool {
    let word = as_address(word);
    let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
    let is_below = |host: &str, site: &str| {
        let above = host.strip_suffix(site);
        above.is_some_and(|above| above.is_empty() || above.ends_with('.'))
    };
    let is_of_one = |host: Host<'_>| {
        let host = idna::domain_to_ascii(host.name);
        host.is_ok_and(|host| sites.iter().any(|site| is_below(&host, site)))
    };
    sites.iter().any(|site| site.contains('@') && site == bare) || hosts(&word).all(is_of_one)
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
            "evil.com\u{2044}promo",
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
        for text in ["a@b.example", "(ada.byrne@evil.com)."] {
            assert_eq!(likeness(text), Some(Likeness::Mailbox), "{text}");
        }
        assert!(!has_address("Done.Next Booking.com and/or 24/7"));
    }

    #[test]
    fn ones_own_sites_are_told_from_others() {
        let sites = ["evil.com", "xn--bcher-kva.example", "ada@mail.example"].map(str::to_owned);
        for word in [
            "Evil.com",
            "(shop.evil.com),",
            "ada.byrne@evil.com",
            "bücher.example",
            "Ada@mail.example.",
        ] {
            assert!(leads_only_to(word, &sites), "{word}");
        }
        for word in [
            "notevil.com",
            "evil.com.example",
            "bob@mail.example",
            "mail.example",
            "evil.com,other.com",
            "ada@evil.com@other.com",
        ] {
            assert!(!leads_only_to(word, &sites), "{word}");
        }
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
