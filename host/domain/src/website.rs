//! A company's website as callers give it (specification, Brand: `website_url`), in normal form.

use std::fmt;
use std::str::FromStr;

use serde::{Serialize, Serializer};
use url::Url;

use crate::domain_name::{self, DomainName, DomainNameError};

/// Maximum length in bytes, in normal form; a text with more characters is refused unparsed.
const MAX_BYTES: usize = 2000;

/// The address of a public website: `https` or `http`, a public host name in lower-case ASCII, no user
/// information, port or fragment. A path of just `/` is dropped.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Website {
    url: String,
    domain: DomainName,
}

/// Why a text is not a website. DANGER: must hold no part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum WebsiteError {
    /// Empty text.
    #[error("the address is empty")]
    Empty,
    /// Neither `http` nor `https`.
    #[error("give an https or http address")]
    Scheme,
    /// `user:password@`.
    #[error("give the address without user information")]
    UserInformation,
    /// `:8080`.
    #[error("give the address without a port")]
    Port,
    /// Not a URL, or one with spaces or control characters.
    #[error("not a valid web address")]
    Invalid,
    /// Longer than 2000 bytes in normal form, or than 2000 characters as given.
    #[error("the address is longer than 2000 bytes")]
    TooLong,
    /// The host is not publicly reachable by name.
    #[error(transparent)]
    Host(#[from] DomainNameError),
}

impl Website {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.url
    }
    #[must_use]
    pub const fn domain(&self) -> &DomainName {
        &self.domain
    }
}

impl fmt::Display for Website {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.url)
    }
}

impl Serialize for Website {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.url)
    }
}

impl FromStr for Website {
    type Err = WebsiteError;

    fn from_str(text: &str) -> Result<Self, WebsiteError> {
        use WebsiteError as E;
        let text = text.trim();
        if text.is_empty() {
            return Err(E::Empty);
        }
        if text.chars().nth(MAX_BYTES).is_some() {
            return Err(E::TooLong);
        }
        if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(E::Invalid);
        }
        // The URL parser would take the scheme out of `example.com:8080`, and the host out of a path.
        let whole = match text.split_once("://") {
            Some(("", _)) => return Err(E::Invalid),
            Some((scheme, _)) if is_scheme(scheme) => text.to_owned(),
            _ if text.starts_with(['/', '?', '#', '\\']) => return Err(E::Invalid),
            _ => format!("https://{text}"),
        };
        if domain_name::is_too_long(host_of(&whole)) {
            return Err(E::Host(DomainNameError::TooLong));
        }
        let mut url = Url::parse(&whole).map_err(|fault| match fault {
            url::ParseError::InvalidPort => E::Port,
            url::ParseError::InvalidIpv4Address | url::ParseError::InvalidIpv6Address => {
                E::Host(DomainNameError::IpAddress)
            }
            _ => E::Invalid,
        })?;
        if !matches!(url.scheme(), "https" | "http") {
            return Err(E::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(E::UserInformation);
        }
        if url.port().is_some() {
            return Err(E::Port);
        }
        let domain: DomainName = match url.host() {
            Some(url::Host::Domain(host)) => host.parse()?,
            Some(_) => return Err(DomainNameError::IpAddress.into()),
            None => return Err(E::Invalid),
        };
        // `example.com.` is the same host.
        url.set_host(Some(domain.as_str()))
            .map_err(|_| E::Invalid)?;
        url.set_fragment(None);
        let bare = url.path() == "/" && url.query().is_none();
        let mut normal = String::from(url);
        if bare {
            normal.truncate(normal.trim_end_matches('/').len());
        }
        if normal.len() > MAX_BYTES {
            return Err(E::TooLong);
        }
        Ok(Self {
            url: normal,
            domain,
        })
    }
}

/// The text that the URL parser treats as the host and hands to IDNA, without a numeric port, which is
/// refused later.
fn host_of(url: &str) -> &str {
    let behind = url.split_once("://").map_or(url, |(_, behind)| behind);
    // The parser accepts any number of slashes, of either kind.
    let authority = behind.trim_start_matches(['/', '\\']);
    let authority = authority
        .split(['/', '\\', '?', '#'])
        .next()
        .unwrap_or_default();
    let host = authority.rsplit('@').next().unwrap_or_default();
    let port = |text: &str| text.bytes().all(|b| b.is_ascii_digit());
    match host.rsplit_once(':') {
        Some((name, number)) if port(number) => name.strip_suffix('.').unwrap_or(name),
        _ => host.strip_suffix('.').unwrap_or(host),
    }
}

/// Whether the text before `://` is a valid scheme (RFC 3986, section 3.1).
fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphabetic())
        && text
            .chars()
            .all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use DomainNameError as D;
    use WebsiteError as E;
    use proptest::prelude::*;

    #[test]
    fn addresses_are_brought_to_one_form() {
        for (text, want) in [
            ("northwind.example", "https://northwind.example"),
            (
                " HTTPS://WWW.Northwind.Example/ ",
                "https://www.northwind.example",
            ),
            ("http://northwind.example:80/", "http://northwind.example"),
            ("https://northwind.example:443", "https://northwind.example"),
            ("northwind.example./", "https://northwind.example"),
            ("bücher.example", "https://xn--bcher-kva.example"),
            (
                "northwind.example/de/#team",
                "https://northwind.example/de/",
            ),
            (
                "northwind.example/?lang=de",
                "https://northwind.example/?lang=de",
            ),
            ("northwind.example/a/../b", "https://northwind.example/b"),
            (
                "northwind.example/see?u=https://x.example",
                "https://northwind.example/see?u=https://x.example",
            ),
        ] {
            assert_eq!(text.parse::<Website>().unwrap().as_str(), want, "{text:?}");
        }
        let site = "https://shop.northwind.example/a"
            .parse::<Website>()
            .unwrap();
        assert_eq!(site.domain().as_str(), "shop.northwind.example");
    }

    #[test]
    fn what_is_no_public_website_is_told_why() {
        for (text, want) in [
            ("", E::Empty),
            (" \t", E::Empty),
            ("ftp://northwind.example", E::Scheme),
            ("file:///etc/passwd", E::Scheme),
            ("https://me:secret@northwind.example", E::UserInformation),
            ("me@northwind.example", E::UserInformation),
            ("northwind.example:8080", E::Port),
            ("http://northwind.example:443", E::Port),
            ("javascript:alert(1)", E::Port),
            ("https://north wind.example", E::Invalid),
            ("https://north\u{7}wind.example", E::Invalid),
            ("://northwind.example", E::Invalid),
            ("/northwind.example", E::Invalid),
            ("https://", E::Invalid),
            ("http://127.0.0.1/", E::Host(D::IpAddress)),
            ("http://0x7f.1/", E::Host(D::IpAddress)),
            ("http://2130706433", E::Host(D::IpAddress)),
            ("http://[::1]/", E::Host(D::IpAddress)),
            ("localhost", E::Host(D::SingleLabel)),
            ("http://intranet/", E::Host(D::SingleLabel)),
            ("http://db.internal/", E::Host(D::Reserved)),
            ("co.uk", E::Host(D::PublicSuffix)),
        ] {
            assert_eq!(text.parse::<Website>(), Err(want), "{text:?}");
        }
        let long = format!("northwind.example/{}", "a".repeat(2000));
        assert_eq!(long.parse::<Website>(), Err(E::TooLong));
    }

    /// A name of a million characters would block the thread for a second.
    #[test]
    fn what_is_too_long_is_not_looked_at() {
        // With fewer characters, this text is parsed and refused for its form.
        let broken = |labels: usize| "xn--0000000\u{ff0f}.".repeat(labels);
        for (labels, want) in [
            (5, E::Invalid),
            (30, E::Host(D::TooLong)),
            (30_000, E::TooLong),
        ] {
            let name = broken(labels);
            for text in [
                format!("{name}example"),
                format!("https://{name}example"),
                format!("https://///{name}example./about"),
                format!("https://\\\\{name}example:443?a"),
                format!("https://a:b@{name}example#c"),
            ] {
                assert_eq!(text.parse::<Website>(), Err(want), "{labels} {text:.60}");
            }
        }
        let longest = format!("{}.example", ["a".repeat(60).as_str(); 4].join("."));
        assert_eq!(longest.len(), 251);
        for rest in ["", ".", "/", ":443", ".:443/about"] {
            let text = format!("https://{longest}{rest}");
            assert!(text.parse::<Website>().is_ok(), "{rest}");
        }
        let whole = format!("northwind.example/{}", "a".repeat(2000 - 8 - 18));
        assert_eq!(whole.parse::<Website>().unwrap().as_str().len(), 2000);
    }

    proptest! {
        #[test]
        fn no_text_panics_and_the_form_is_stable(text in "(https?://)?[a-zé0-9.@:/?#%\\[\\] -]{0,60}|\\PC{0,60}") {
            if let Ok(site) = text.parse::<Website>() {
                prop_assert_eq!(&site.as_str().parse::<Website>().unwrap(), &site);
                prop_assert!(site.as_str().is_ascii());
                let url = Url::parse(site.as_str()).unwrap();
                prop_assert!(url.username().is_empty() && url.port().is_none() && url.fragment().is_none());
                prop_assert_eq!(url.host_str().unwrap(), site.domain().as_str());
            }
        }
    }
}
