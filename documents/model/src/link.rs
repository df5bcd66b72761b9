//! Which links a document may have.
//!
//! Renderers write links into relationships and actions that take URIs of ASCII only, and a reader clicks
//! them; so only a scheme that opens a page or a letter, a host in sight, and no user name that poses as one.

use crate::bounds;

/// Whether a text may have the link: a page over https, or a letter.
#[must_use]
pub fn is_followable(link: &str) -> bool {
    is_https(link) || is_letter(link)
}

/// Whether a call to action may have the link: a page over https.
#[must_use]
pub fn is_https(link: &str) -> bool {
    is_plain(link) && after(link, "https://").is_some_and(has_host)
}

/// A page over https or, as some sources are, over http.
pub(crate) fn is_page(link: &str) -> bool {
    is_plain(link)
        && (after(link, "https://").is_some_and(has_host)
            || after(link, "http://").is_some_and(has_host))
}

/// Whether a link's text names an address elsewhere than where the link leads: `https://bank.example` over a link to
/// `https://evil.example`. A reader would believe the text.
#[must_use]
pub fn names_another_address(text: &str, link: &str) -> bool {
    let blank = |c: char| c.is_whitespace() || matches!(c, '<' | '>' | '(' | ')' | ',' | ';' | '"');
    let mut named = text.split(blank).filter_map(named_address);
    named.any(|(mailbox, host)| !leads_to(link, mailbox, &host))
}

/// The name of a mailbox, if it is one, and the host that a word names.
fn named_address(word: &str) -> Option<(Option<&str>, String)> {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric() && c != '/');
    let schemed = word.split_once("://").map(|(_, rest)| rest);
    let bare = schemed.unwrap_or(word);
    let bare = after(bare, "mailto:").unwrap_or(bare);
    let authority = bare.split(['/', '?', '#', '\\']).next()?;
    let (mailbox, host) = match authority.rsplit_once('@') {
        Some((name, host)) => (Some(name), host),
        None => (None, authority),
    };
    let host = host.split(':').next()?.trim_end_matches('.');
    let (name, last) = host.rsplit_once('.')?;
    let is_file = [
        "csv", "docx", "html", "pdf", "png", "pptx", "txt", "xlsx", "zip",
    ]
    .iter()
    .any(|ending| last.eq_ignore_ascii_case(ending));
    // `12.50` and `e.g` are none.
    let is_domain = last.chars().count() >= 2
        && last.chars().all(char::is_alphabetic)
        && name
            .chars()
            .all(|c| c.is_alphanumeric() || matches!(c, '.' | '-'))
        && name.split('.').all(|label| !label.is_empty());
    (is_domain && (!is_file || schemed.is_some())).then(|| (mailbox, host.to_lowercase()))
}

/// Whether a link leads to a host or to one below it, and to the mailbox if one is named.
fn leads_to(link: &str, mailbox: Option<&str>, host: &str) -> bool {
    let letter = after(link, "mailto:");
    let rest = letter.or_else(|| link.split_once("://").map(|(_, rest)| rest));
    let authority = rest.and_then(|rest| rest.split(['/', '?', '#']).next());
    let authority = authority.unwrap_or_default().to_lowercase();
    let (own_mailbox, own) = authority.rsplit_once('@').unwrap_or(("", &authority));
    let own = own.split(':').next().unwrap_or_default();
    let host = host.strip_prefix("www.").unwrap_or(host);
    let is_below = own
        .strip_suffix(host)
        .is_some_and(|below| below.is_empty() || below.ends_with('.'));
    let is_theirs = mailbox.is_none_or(|name| name.to_lowercase() == own_mailbox);
    is_below && is_theirs && (mailbox.is_none() || letter.is_some())
}

fn is_letter(link: &str) -> bool {
    let address = after(link, "mailto:").map(|rest| rest.split('?').next().unwrap_or_default());
    is_plain(link)
        && address
            .and_then(|address| address.split_once('@'))
            .is_some_and(|(name, host)| !name.is_empty() && is_host(host))
}

fn after<'a>(link: &'a str, scheme: &str) -> Option<&'a str> {
    let (start, rest) = link.split_at_checked(scheme.len())?;
    start.eq_ignore_ascii_case(scheme).then_some(rest)
}

/// Only characters that need no quoting where renderers put a link.
fn is_plain(link: &str) -> bool {
    link.len() <= bounds::LINK
        && link
            .bytes()
            .all(|byte| byte.is_ascii_graphic() && !b"\"<>\\`".contains(&byte))
}

fn has_host(rest: &str) -> bool {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let (host, port) = match authority.rsplit_once(':') {
        // The colons of an address in brackets separate its groups.
        Some((host, port)) if !port.ends_with(']') => (host, port),
        _ => (authority, ""),
    };
    port.bytes().all(|byte| byte.is_ascii_digit()) && (is_host(host) || is_bracketed(host))
}

fn is_host(host: &str) -> bool {
    host.bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || b".-_".contains(&byte))
        && host.starts_with(|first: char| first.is_ascii_alphanumeric())
}

fn is_bracketed(host: &str) -> bool {
    host.strip_prefix('[')
        .and_then(|host| host.strip_suffix(']'))
        .is_some_and(|address| address.parse::<std::net::Ipv6Addr>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_that_open_a_page_or_a_letter_are_allowed() {
        for link in [
            "https://example.com",
            "HTTPS://Example.com:8443/a?b[]=c|d#e",
            "https://[2001:db8::1]/",
            "https://[2001:db8::1]:8443/",
            "mailto:sales@example.com",
            "mailto:sales@example.com?subject=Offer%20A",
        ] {
            assert!(is_followable(link), "{link}");
        }
        assert!(is_page("http://example.com/a"));
        assert!(!is_followable("http://example.com/a"));
        assert!(!is_https("mailto:sales@example.com"));
    }

    #[test]
    fn a_text_that_names_another_address_is_known() {
        for (text, link) in [
            ("https://bank.example", "https://evil.example"),
            ("bank.example", "https://bank.example.evil.example/"),
            ("bank.example", "https://evilbank.example/"),
            ("bank.example", "https://evil.example/bank.example"),
            ("See www.bank.example/login.", "https://evil.example"),
            ("sales@bank.example", "mailto:sales@evil.example"),
            ("sales@bank.example", "mailto:boss@bank.example"),
            ("sales@bank.example", "https://bank.example/"),
            ("b\u{430}nk.example", "https://bank.example/"),
            ("https://bank.example", "mailto:a@evil.example"),
        ] {
            assert!(names_another_address(text, link), "{text} {link}");
        }
        for (text, link) in [
            ("our site", "https://bank.example"),
            ("https://bank.example/a", "https://www.bank.example/a?b=c"),
            ("www.bank.example", "https://bank.example"),
            ("Bank.Example", "https://shop.bank.example:8443/"),
            ("Sales@bank.example", "mailto:sales@bank.example?subject=a"),
            ("bank.example", "mailto:sales@bank.example"),
            ("offer.pdf", "https://bank.example/offer.pdf"),
            ("from 12.50, e.g. for Leeds", "https://bank.example"),
            ("v2.1", "https://bank.example"),
        ] {
            assert!(!names_another_address(text, link), "{text} {link}");
        }
    }

    #[test]
    fn links_that_do_something_else_are_not() {
        for link in [
            "",
            "example.com",
            "/a",
            "//example.com",
            "javascript:alert(1)",
            "data:text/html,x",
            "file:///etc/hosts",
            "ftp://example.com",
            "https://",
            "https:///a",
            "https://:443/",
            "https://bank.example@evil.example/",
            "https://example.com:port/",
            "https://example.com/a b",
            "https://example.com/\"onclick",
            "https://例え.example/",
            "https://[::1/",
            "mailto:",
            "mailto:example.com",
            "mailto:@example.com",
            "mailto:a@b@c",
        ] {
            assert!(!is_followable(link), "{link}");
        }
    }
}
