//! The addresses that a message may link to. DANGER: a reader trusts the host that an address shows, so
//! nothing may stand before it, and it may not look like another one.

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;
use url::Url;

use super::characters::is_default_ignorable;

/// Longest address in characters.
const MAX_CHARS: usize = 2048;

/// An absolute https address without user information, whose host is written in ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpsAddress {
    text: String,
    host: String,
}

/// Why a text is no such address. DANGER: must hold no part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[allow(missing_docs, reason = "each message says it")]
pub enum AddressFault {
    #[error("must be an absolute address that begins with https://")]
    NotHttps,
    #[error("must have at most 2048 characters")]
    TooLong,
    #[error("must not contain spaces, control characters or backslashes")]
    Characters,
    #[error("must not have a user name or password before its host")]
    UserInformation,
    #[error("must have a host in ASCII; write an international domain as its A-labels (xn--…)")]
    Host,
    #[error("must be a valid web address")]
    Invalid,
}

impl AddressFault {
    /// Name of the rule that the text breaks.
    #[must_use]
    pub const fn rule(self) -> &'static str {
        match self {
            Self::NotHttps => "link_not_https",
            Self::UserInformation => "link_user_information",
            Self::Host => "link_host_not_ascii",
            Self::TooLong | Self::Characters | Self::Invalid => "link_invalid",
        }
    }
}

impl HttpsAddress {
    /// Reads an address; what the path and query have beyond ASCII is percent-encoded.
    ///
    /// # Errors
    /// Why it is none.
    pub fn read(text: &str) -> Result<Self, AddressFault> {
        use AddressFault as F;
        if text.chars().nth(MAX_CHARS).is_some() {
            return Err(F::TooLong);
        }
        if text
            .contains(|c: char| c == '\\' || c.is_whitespace() || super::characters::is_refused(c))
        {
            return Err(F::Characters);
        }
        let (scheme, rest) = text.split_once("://").ok_or(F::NotHttps)?;
        if !scheme.eq_ignore_ascii_case("https") {
            return Err(F::NotHttps);
        }
        let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
        if authority.contains('@') {
            return Err(F::UserInformation);
        }
        // The parser would decode a host and accept any number of slashes before it.
        if !authority.is_ascii() || authority.contains('%') {
            return Err(F::Host);
        }
        if authority.is_empty() {
            return Err(F::Invalid);
        }
        let url = Url::parse(text).map_err(|_| F::Invalid)?;
        let host = url.host_str().ok_or(F::Invalid)?.to_owned();
        let normal = url.as_str();
        // A host alone stays without a slash.
        let text = match normal.strip_suffix('/') {
            Some(bare) if bare == text => bare,
            _ => normal,
        };
        if text.chars().nth(MAX_CHARS).is_some() {
            return Err(F::TooLong);
        }
        Ok(Self {
            text: text.to_owned(),
            host,
        })
    }

    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The host, in lower case.
    #[must_use]
    pub fn host(&self) -> &str {
        &self.host
    }
}

impl fmt::Display for HttpsAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// Whether a reader would take a part of the text for a web or e-mail address. DANGER: a text that shows one
/// address and leads to another deceives.
#[must_use]
pub fn looks_like_address(text: &str) -> bool {
    let seen = text.chars().filter(|c| !is_default_ignorable(*c));
    let folded: String = seen
        .nfkc()
        .flat_map(char::to_lowercase)
        .map(|c| if c == '。' { '.' } else { c })
        .collect();
    folded.contains("://")
        || folded.contains("www.")
        || folded
            .split(|c: char| !c.is_alphanumeric() && !".-".contains(c))
            .any(is_host)
}

/// Whether it has the form of a domain name or of an IPv4 address: `1.5`, `e.g.` and `U.S.` have not.
fn is_host(text: &str) -> bool {
    let labels: Vec<&str> = text.trim_matches(['.', '-']).split('.').collect();
    let Some((last, before)) = labels.split_last() else {
        return false;
    };
    if before.is_empty() || labels.iter().any(|it| it.is_empty()) {
        return false;
    }
    let is_number = |label: &&str| label.chars().all(|c| c.is_ascii_digit());
    if labels.iter().all(is_number) {
        return labels.len() == 4;
    }
    last.chars().nth(1).is_some() && last.chars().any(char::is_alphabetic)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn addresses_are_read_or_refused_with_the_reason() {
        use AddressFault as F;
        for (text, want) in [
            ("https://a.example", Ok("https://a.example")),
            ("https://a.example/", Ok("https://a.example/")),
            ("HTTPS://A.Example", Ok("https://a.example/")),
            (
                "https://xn--bcher-kva.example:8443/ü?q=\"<x>\"#t",
                Ok("https://xn--bcher-kva.example:8443/%C3%BC?q=%22%3Cx%3E%22#t"),
            ),
            ("http://a.example", Err(F::NotHttps)),
            ("javascript:alert(1)", Err(F::NotHttps)),
            ("javascript://a.example/%0Aalert(1)", Err(F::NotHttps)),
            ("https:a.example", Err(F::NotHttps)),
            ("//a.example", Err(F::NotHttps)),
            ("https:///a.example", Err(F::Invalid)),
            ("https://", Err(F::Invalid)),
            ("https://a.example:port", Err(F::Invalid)),
            ("https://bank.example@a.example/", Err(F::UserInformation)),
            ("https://@a.example/", Err(F::UserInformation)),
            ("https://bücher.example", Err(F::Host)),
            ("https://b%C3%BCcher.example", Err(F::Host)),
            ("https://a.example\\@b.example", Err(F::Characters)),
            ("https://a.example/a b", Err(F::Characters)),
            ("https://a.example/\u{202e}", Err(F::Characters)),
            ("https://a.example/\r\nBcc:", Err(F::Characters)),
        ] {
            let read = HttpsAddress::read(text);
            assert_eq!(
                read.as_ref().map(HttpsAddress::as_str),
                want.as_ref().map(|it| *it),
                "{text:?}"
            );
        }
        let long = format!("https://a.example/{}", "ü".repeat(400));
        assert_eq!(HttpsAddress::read(&long), Err(F::TooLong));
    }

    #[test]
    fn what_a_reader_takes_for_an_address_is_known() {
        for text in [
            "https://bank.example",
            "HTTP://x",
            "www.bank",
            "bank.example",
            "See (Bank.Example/login).",
            "bank\u{200b}.exa\u{ad}mple",
            "ｂａｎｋ．ｅｘａｍｐｌｅ",
            "bank。example",
            "bücher.example",
            "a@bank.example",
            "192.0.2.1",
        ] {
            assert!(looks_like_address(text), "{text}");
        }
        for text in [
            "one page",
            "e.g. this",
            "z.B.",
            "U.S.",
            "1.5 kW",
            "v1.2.3",
            "More...",
            "well-known",
        ] {
            assert!(!looks_like_address(text), "{text}");
        }
    }

    proptest! {
        #[test]
        fn what_is_read_is_ascii_https_and_reads_the_same(text in "(https://)?[a-zü0-9.@:/?#%\\\\\\[\\]\" -]{0,60}|\\PC{0,60}") {
            if let Ok(address) = HttpsAddress::read(&text) {
                let url = Url::parse(address.as_str()).unwrap();
                prop_assert_eq!(url.scheme(), "https");
                prop_assert!(url.username().is_empty() && url.password().is_none());
                prop_assert!(address.as_str().bytes().all(|b| b.is_ascii_graphic()));
                prop_assert_eq!(&HttpsAddress::read(address.as_str()).unwrap(), &address);
            }
        }
    }
}
