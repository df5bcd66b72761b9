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
