//! Start URLs: where research of a domain begins, for sites that are not at `https://<domain>/`.
//!
//! DANGER: the host treats the content at a start URL as the company's own words. So only an operator may
//! set start URLs, on the binding of a backend; a backend or a caller never may.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::domain_name::{DomainName, DomainNameError};

/// Maximum number of start URLs per binding: all of them are pinned to a job that names no domain.
pub const MAX_START_URLS: usize = 5_000;
/// Maximum length of a URL in bytes; a text with more characters is refused unparsed.
const MAX_URL_BYTES: usize = 500;

/// A domain and the address where research of it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StartUrl {
    domain: DomainName,
    url: String,
}

/// Why two texts are not a start URL.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum StartUrlError {
    /// The domain is invalid.
    #[error(transparent)]
    Domain(#[from] DomainNameError),
    /// Not a URL.
    #[error("the start URL is not a valid web address")]
    Invalid,
    /// Neither `http` nor `https`.
    #[error("the start URL must be an http or https address")]
    Scheme,
    /// `user:password@`.
    #[error("give the start URL without user information")]
    UserInformation,
    #[error("the start URL is longer than {MAX_URL_BYTES} bytes")]
    TooLong,
}

impl StartUrl {
    /// A start URL in normal form: the domain in lower-case ASCII, the URL without a fragment. Its host may
    /// be private; the egress gate decides whether it is reachable.
    ///
    /// # Errors
    /// If the domain is not a public one, or the URL is not an http or https address.
    pub fn new(domain: &str, url: &str) -> Result<Self, StartUrlError> {
        use StartUrlError as E;
        let domain = domain.parse()?;
        let text = url.trim();
        if text.chars().nth(MAX_URL_BYTES).is_some() {
            return Err(E::TooLong);
        }
        if text.contains(|c: char| c.is_whitespace() || c.is_control()) {
            return Err(E::Invalid);
        }
        let mut url = Url::parse(text).map_err(|_| E::Invalid)?;
        if !matches!(url.scheme(), "http" | "https") {
            return Err(E::Scheme);
        }
        if !url.username().is_empty() || url.password().is_some() {
            return Err(E::UserInformation);
        }
        url.set_fragment(None);
        let url = String::from(url);
        if url.len() > MAX_URL_BYTES {
            return Err(E::TooLong);
        }
        Ok(Self { domain, url })
    }

    /// The domain whose research begins there.
    #[must_use]
    pub const fn domain(&self) -> &DomainName {
        &self.domain
    }
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

/// Start URLs by domain, as stored, pinned to a job and given to its backend.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StartUrls(BTreeMap<String, String>);

impl StartUrls {
    /// Where research of a domain begins.
    #[must_use]
    pub fn get(&self, domain: &str) -> Option<&str> {
        self.0.get(domain).map(String::as_str)
    }
    /// All start URLs, by domain.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        let pairs = self.0.iter();
        pairs.map(|(domain, url)| (domain.as_str(), url.as_str()))
    }
    #[must_use]
    pub fn len(&self) -> usize {
        self.0.len()
    }
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<(String, String)> for StartUrls {
    fn from_iter<I: IntoIterator<Item = (String, String)>>(pairs: I) -> Self {
        Self(pairs.into_iter().collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_start_url_has_one_form() {
        let of = |domain, url| StartUrl::new(domain, url).unwrap();
        let made = of(
            "Bücher.example.",
            " HTTP://Staging.acme.example:8080/a#top ",
        );
        assert_eq!(made.domain().as_str(), "xn--bcher-kva.example");
        assert_eq!(made.url(), "http://staging.acme.example:8080/a");
        assert_eq!(
            of("acme.example", "http://127.0.0.1:8099").url(),
            "http://127.0.0.1:8099/"
        );
    }

    #[test]
    fn what_is_none_says_why() {
        use StartUrlError as E;
        for (domain, url, why) in [
            (
                "co.uk",
                "https://a.example/",
                E::Domain(DomainNameError::PublicSuffix),
            ),
            (
                "127.0.0.1",
                "https://a.example/",
                E::Domain(DomainNameError::IpAddress),
            ),
            ("a.example", "ftp://a.example/", E::Scheme),
            ("a.example", "file:///etc/passwd", E::Scheme),
            ("a.example", "a.example", E::Invalid),
            ("a.example", "https://a b.example/", E::Invalid),
            ("a.example", "https://u:p@a.example/", E::UserInformation),
        ] {
            assert_eq!(StartUrl::new(domain, url), Err(why), "{domain} {url}");
        }
        let long = format!("https://a.example/{}", "x".repeat(500));
        assert_eq!(StartUrl::new("a.example", &long), Err(E::TooLong));
        // Not a valid URL, but its length is checked before it is parsed.
        let name = "xn--0000000\u{ff0f}.".repeat(50);
        assert_eq!(StartUrl::new("a.example", &name), Err(E::TooLong));
        let named = StartUrl::new(&name, "https://a.example/");
        assert_eq!(named, Err(E::Domain(DomainNameError::TooLong)));
    }

    #[test]
    fn a_domain_finds_its_own_entry() {
        let all: StartUrls = [
            ("acme.example", "http://one/"),
            ("shop.acme.example", "http://two/"),
            ("other.example", "http://three/"),
        ]
        .map(|(domain, url)| (domain.to_owned(), url.to_owned()))
        .into_iter()
        .collect();
        assert_eq!(all.get("acme.example"), Some("http://one/"));
        assert_eq!(all.get("shop.acme.example"), Some("http://two/"));
        assert_eq!(all.get("blog.acme.example"), None);
        assert_eq!(all.get("www.acme.example"), None);
        assert_eq!((all.len(), all.is_empty()), (3, false));
    }

    proptest! {
        #[test]
        fn the_form_is_stable(domain in "[a-z]{1,9}\\.example", url in "https?://[a-z.]{1,20}/\\PC{0,40}") {
            if let Ok(made) = StartUrl::new(&domain, &url) {
                prop_assert_eq!(StartUrl::new(made.domain().as_str(), made.url()), Ok(made));
            }
        }
    }
}
