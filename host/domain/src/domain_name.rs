//! Domain names as callers give them (specification, Playbooks input: "Hostname without scheme or
//! path").

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use serde::Serialize;

/// Maximum length of a name in characters, without the trailing dot (RFC 1035, section 3.1).
///
/// DANGER: IDNA takes time proportional to the square of a label's length, so a text of a megabyte blocks a
/// thread for a second. Check the length of any outside input before IDNA sees it. A longer text that IDNA
/// would shorten to a valid name, by dropping soft hyphens, is refused like any other.
pub const MAX_NAME_CHARS: usize = 253;

/// A public host name: lower-case ASCII (IDNA's A-labels), no trailing dot, at least two labels, a known
/// public suffix, and not an IP address.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(transparent)]
pub struct DomainName(String);

/// Why a text is not a domain name. The message says what is wrong and what to give instead.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum DomainNameError {
    /// Empty text.
    #[error("the domain is empty")]
    Empty,
    /// `https://…`.
    #[error("give the hostname alone, without a scheme such as https://")]
    Scheme,
    /// A path, query or fragment.
    #[error("give the hostname alone, without a path, query or fragment")]
    Path,
    #[error("give the hostname alone, without user information")]
    UserInformation,
    /// `:443`.
    #[error("give the hostname alone, without a port")]
    Port,
    /// An IP address in any notation.
    #[error("an IP address is not a company domain")]
    IpAddress,
    /// `localhost`, `intranet`.
    #[error("a single label such as localhost is not a public domain")]
    SingleLabel,
    /// A name reserved for private use.
    #[error("this name is reserved and cannot be a public domain")]
    Reserved,
    /// More characters than a name may have.
    #[error("it is longer than 253 characters, the most that a hostname has")]
    TooLong,
    /// Invalid characters, too long in ASCII, or refused by IDNA.
    #[error("it is not a valid hostname")]
    Invalid,
    /// Only a public suffix of a registry, such as `co.uk`. A suffix from the list's private part, such as
    /// `carrd.co`, is the site of the company that runs it.
    #[error("this is a public suffix, not a company domain")]
    PublicSuffix,
}

impl DomainName {
    /// The name in lower-case ASCII.
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
    /// The registrable domain (the public suffix and one more label), by the public suffix list.
    #[must_use]
    pub fn registrable(&self) -> &str {
        registrable_domain(&self.0).unwrap_or(&self.0)
    }
}

/// The registrable domain of a host name in lower-case ASCII, if it has one, by the whole public suffix
/// list: two customers of a hosting service such as `carrd.co` are two sites.
#[must_use]
pub fn registrable_domain(host: &str) -> Option<&str> {
    psl::domain_str(host)
}

/// A host name in lower case without its optional parts: a leading `www.` and the trailing full stop of the DNS root.
///
/// Readers of pages have the same (`gtm_page_text::bare_host`), and the same cases test both.
pub(crate) fn bare_host(host: &str) -> &str {
    let host = host.strip_suffix('.').unwrap_or(host);
    host.strip_prefix("www.").unwrap_or(host)
}

/// Whether a host name in lower-case ASCII is a public suffix from the list's private part: the domain of a
/// company that gives subdomains to its customers.
#[must_use]
pub fn is_private_suffix(host: &str) -> bool {
    let suffix = psl::suffix(host.as_bytes());
    suffix.is_some_and(|suffix| {
        suffix.typ() == Some(psl::Type::Private) && suffix.as_bytes() == host.as_bytes()
    })
}

/// Whether a host name in lower case ends in a public suffix that the list knows, and has more than it.
pub(crate) fn has_known_suffix(host: &str) -> bool {
    let suffix = psl::suffix(host.as_bytes());
    suffix.is_some_and(|suffix| suffix.is_known() && suffix.as_bytes().len() < host.len())
}

impl fmt::Display for DomainName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl FromStr for DomainName {
    type Err = DomainNameError;

    fn from_str(text: &str) -> Result<Self, DomainNameError> {
        use DomainNameError as E;
        let text = text.trim();
        if text.is_empty() {
            return Err(E::Empty);
        }
        if text.contains("://") {
            return Err(E::Scheme);
        }
        if text.contains(['/', '?', '#', '\\']) {
            return Err(E::Path);
        }
        if text.contains('@') {
            return Err(E::UserInformation);
        }
        let bare = text.trim_start_matches('[').trim_end_matches(']');
        if bare.parse::<IpAddr>().is_ok() {
            return Err(E::IpAddress);
        }
        if text.contains(':') {
            return Err(E::Port);
        }
        let name = text.strip_suffix('.').unwrap_or(text);
        if is_too_long(name) {
            return Err(E::TooLong);
        }
        let ascii = idna::domain_to_ascii_strict(name).map_err(|_| E::Invalid)?;
        // The URL parser knows every notation of an IPv4 address (hex, octal, decimal, short forms).
        match url::Host::parse(&ascii) {
            Ok(url::Host::Domain(_)) => {}
            Ok(_) => return Err(E::IpAddress),
            Err(_) => return Err(E::Invalid),
        }
        let labels: Vec<&str> = ascii.split('.').collect();
        if ascii.len() > MAX_NAME_CHARS || labels.iter().any(|l| l.is_empty() || l.len() > 63) {
            return Err(E::Invalid);
        }
        if labels.len() < 2 {
            return Err(E::SingleLabel);
        }
        let last = labels[labels.len() - 1];
        // `.example`, `.test` and `.invalid` stay usable: they cannot resolve publicly, and people use them
        // in tests and samples.
        if matches!(
            last,
            "localhost" | "local" | "internal" | "onion" | "arpa" | "lan" | "home" | "corp"
        ) {
            return Err(E::Reserved);
        }
        if last.bytes().all(|b| b.is_ascii_digit()) {
            return Err(E::Invalid);
        }
        if registrable_domain(&ascii).is_none() && !is_private_suffix(&ascii) {
            return Err(E::PublicSuffix);
        }
        Ok(Self(ascii))
    }
}

/// Whether a text has more characters than a name may have. Reads no further than that.
pub(crate) fn is_too_long(name: &str) -> bool {
    name.chars().nth(MAX_NAME_CHARS).is_some()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use DomainNameError as E;
    use proptest::prelude::*;

    #[test]
    fn a_host_is_bare_as_the_shared_cases_say() {
        for case in include_str!("../../../evidence/page-text/bare_hosts.tsv").lines() {
            let (host, bare) = case.split_once('\t').unwrap();
            assert_eq!(bare_host(host), bare, "{host}");
        }
    }

    #[test]
    fn names_are_brought_to_one_form() {
        for (text, want) in [
            ("Example.COM", "example.com"),
            ("example.com.", "example.com"),
            ("bücher.example", "xn--bcher-kva.example"),
            ("www.shop.co.uk", "www.shop.co.uk"),
            ("sample-company.example", "sample-company.example"),
        ] {
            assert_eq!(text.parse::<DomainName>().unwrap().as_str(), want);
        }
        assert_eq!(
            "www.shop.co.uk"
                .parse::<DomainName>()
                .unwrap()
                .registrable(),
            "shop.co.uk"
        );
    }

    #[test]
    fn a_private_suffix_is_its_company_s_site() {
        for text in ["carrd.co", "ngrok.io", "netlify.app", "uk.com"] {
            let name: DomainName = text.parse().unwrap();
            assert_eq!((name.as_str(), name.registrable()), (text, text));
            assert!(is_private_suffix(text));
            let customer: DomainName = format!("shop.acme.{text}").parse().unwrap();
            assert_eq!(customer.registrable(), format!("acme.{text}"));
        }
        for text in ["co.uk", "com", "example.com", "www.carrd.co", "example"] {
            assert!(!is_private_suffix(text), "{text}");
        }
    }

    #[test]
    fn what_is_no_public_domain_is_told_why() {
        for (text, want) in [
            ("", E::Empty),
            ("  ", E::Empty),
            ("https://example.com", E::Scheme),
            ("example.com/about", E::Path),
            ("example.com?x", E::Path),
            ("user@example.com", E::UserInformation),
            ("example.com:8080", E::Port),
            ("127.0.0.1", E::IpAddress),
            ("0x7f.1", E::IpAddress),
            ("2130706433", E::IpAddress),
            ("[::1]", E::IpAddress),
            ("::1", E::IpAddress),
            ("localhost", E::SingleLabel),
            ("db.internal", E::Reserved),
            ("printer.local", E::Reserved),
            ("co.uk", E::PublicSuffix),
            ("exa mple.com", E::Invalid),
            ("a..b.com", E::Invalid),
            ("-a.com", E::Invalid),
        ] {
            assert_eq!(text.parse::<DomainName>(), Err(want), "{text:?}");
        }
    }

    #[test]
    fn the_longest_name_is_one_and_a_longer_one_is_not() {
        let name = |first: usize| {
            let label = "a".repeat(61);
            format!("{}.{label}.{label}.{label}.example", "b".repeat(first))
        };
        let longest = name(253 - name(0).len());
        assert_eq!(longest.len(), 253);
        assert_eq!(longest.parse::<DomainName>().unwrap().as_str(), longest);
        let rooted = format!("{longest}.");
        assert_eq!(rooted.parse::<DomainName>().unwrap().as_str(), longest);
        let longer = format!("b{longest}");
        assert_eq!(longer.parse::<DomainName>(), Err(E::TooLong));
        // Only its ASCII form is too long, which IDNA detects.
        let label = "\u{fc}".repeat(56);
        let text = format!("{label}.{label}.{label}.{label}.example");
        assert!(text.chars().count() <= 253);
        assert_eq!(text.parse::<DomainName>(), Err(E::Invalid));
    }

    proptest! {
        /// IDNA would refuse each of these for invalid Punycode, not for its length; the error about the
        /// length proves that IDNA never saw them.
        #[test]
        fn what_is_too_long_is_not_looked_at(
            label in "xn--\\PC{1,40}|[\u{4e00}-\u{9fff}]{1,60}|-[a-z]{1,20}",
            more in 0_usize..400,
        ) {
            let plain: String = label.chars().filter(|c| !"/?#\\@:.".contains(*c)).collect();
            let text = format!("{plain}{}.example", ".xn--0000000\u{7f}".repeat(20 + more));
            prop_assert!(text.trim().chars().count() > MAX_NAME_CHARS);
            prop_assert_eq!(text.parse::<DomainName>(), Err(E::TooLong));
        }

        #[test]
        fn no_text_panics_and_the_form_is_stable(text in "\\PC{0,80}") {
            if let Ok(name) = text.parse::<DomainName>() {
                prop_assert_eq!(name.as_str().parse::<DomainName>().unwrap(), name.clone());
                prop_assert!(name.as_str().is_ascii());
            }
        }
    }
}
