//! Host names: whether two are the same host, and whether they belong to the same site.

use url::Url;

/// A host without its optional parts: a leading `www.` and the trailing full stop of the DNS root.
///
/// The host's domain, which links no reader of pages, has the same; `bare_hosts.tsv` holds both to it.
#[must_use]
pub fn bare_host(host: &str) -> &str {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether both addresses are on the same [`bare_host`], whatever their ports.
#[must_use]
pub fn is_same_host(one: &Url, other: &Url) -> bool {
    one.host_str().map(bare_host) == other.host_str().map(bare_host)
}

/// Whether both addresses appear to be on one site: same port, and the same host or one a subdomain of the
/// other.
///
/// DANGER: `acme.hosting.example` is below `hosting.example` and may be a stranger's. Use this only to choose
/// what to read; the host decides by the public suffix list whose words a page contains.
#[must_use]
pub fn is_same_site(one: &Url, other: &Url) -> bool {
    let (Some(a), Some(b)) = (one.host_str(), other.host_str()) else {
        return false;
    };
    if one.port() != other.port() {
        return false;
    }
    let (a, b) = (bare_host(a), bare_host(b));
    a == b || is_below(a, b) || is_below(b, a)
}

/// Whether a host is a subdomain of another. Nothing is below an IP address or a single label.
fn is_below(host: &str, upper: &str) -> bool {
    upper.contains('.')
        && upper.chars().any(char::is_alphabetic)
        && host
            .strip_suffix(upper)
            .is_some_and(|rest| rest.ends_with('.'))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    fn url(text: &str) -> Url {
        Url::parse(text).unwrap()
    }

    #[test]
    fn a_host_is_bare_as_the_shared_cases_say() {
        for case in include_str!("../bare_hosts.tsv").lines() {
            let (host, bare) = case.split_once('\t').unwrap();
            assert_eq!(bare_host(host), bare, "{host}");
        }
    }

    #[test]
    fn neither_www_nor_the_root_makes_another_host() {
        let is_same = |one: &str, other: &str| is_same_host(&url(one), &url(other));
        assert!(is_same("https://www.a.example/x", "http://a.example/"));
        assert!(is_same("https://a.example./x", "https://WWW.a.example/"));
        assert!(is_same("https://a.example:8443/", "https://a.example/"));
        assert!(!is_same("https://b.a.example/", "https://a.example/"));
        assert!(!is_same("https://wwwa.example/", "https://a.example/"));
        assert!(!is_same("mailto:a@a.example", "https://a.example/"));
    }

    #[test]
    fn sites_are_told_apart() {
        let is_same = |one: &str, other: &str| is_same_site(&url(one), &url(other));
        for (one, other, expected) in [
            ("https://www.acme.example/", "https://acme.example/x", true),
            ("https://acme.example/", "https://jobs.acme.example/x", true),
            ("https://jobs.acme.example/", "https://acme.example./", true),
            ("https://acme.example/", "https://notacme.example/", false),
            ("http://127.0.0.1:80/", "http://127.0.0.1:8081/", false),
            ("http://127.0.0.1/", "http://1.127.0.0.1.example/", false),
            ("http://a.localhost/", "http://localhost/", false),
            ("mailto:a@acme.example", "https://acme.example/", false),
        ] {
            assert_eq!(is_same(one, other), expected, "{one} {other}");
            assert_eq!(is_same(other, one), expected, "{other} {one}");
        }
    }
}
