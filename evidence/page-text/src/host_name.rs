//! Names of hosts: when two of them are one site's.

use url::Url;

/// A host without the `www.` before it.
#[must_use]
pub fn without_www(host: &str) -> &str {
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether both addresses are on one host, a leading `www.` aside.
#[must_use]
pub fn is_same_host(one: &Url, other: &Url) -> bool {
    let host = |url: &'_ Url| url.host_str().map(|host| without_www(host).to_owned());
    host(one) == host(other)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn a_leading_www_makes_no_other_host() {
        let is_same = |one: &str, other: &str| {
            is_same_host(&Url::parse(one).unwrap(), &Url::parse(other).unwrap())
        };
        assert!(is_same("https://www.a.example/x", "http://a.example/"));
        assert!(!is_same("https://b.a.example/", "https://a.example/"));
        assert!(!is_same("https://wwwa.example/", "https://a.example/"));
    }
}
