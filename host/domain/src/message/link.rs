//! The addresses that a message may link to. DANGER: a reader trusts the host that an address shows, so
//! nothing may stand before it, and it may not look like another one.

use std::fmt;

use unicode_normalization::UnicodeNormalization as _;
use url::Url;

use super::characters::is_default_ignorable;
use super::plain_letters::Reading;
use super::spelled_addresses::{RESERVED, spelled_out};
use super::spelled_hosts::with_dots;
use crate::domain_name::bare_host;

/// Longest address in characters.
const MAX_CHARS: usize = 2048;
/// Longest host.
const HOST_CHARS: usize = 253;

/// An absolute https address without user information, whose host is written in ASCII.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HttpsAddress {
    text: String,
    host: String,
}

/// Why a text is no such address. DANGER: must hold no part of the text.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
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

    /// Whether its host is an IP address and no name.
    #[must_use]
    pub fn has_number_for_host(&self) -> bool {
        self.host.starts_with('[') || is_ipv4(&self.host)
    }

    /// Whether it has a port that is not the one of https.
    #[must_use]
    pub fn has_port(&self) -> bool {
        Url::parse(&self.text).is_ok_and(|url| url.port().is_some())
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
    shows_address_but(text, None)
}

/// Whether the label of a link shows an address, or names a host by words (`acme dot example`). The host that the link leads
/// to, alone, deceives nobody.
#[must_use]
pub fn label_shows_address(label: &str, target: Option<&HttpsAddress>) -> bool {
    let own = target.map(HttpsAddress::host);
    // Letters of a host may stand one by one as well: `acme dot c o m`.
    let named = || with_dots(&as_shown(Reading::joined(label).as_str()));
    shows_address_but(label, own) || named().is_some_and(|named| shows_in(&named, own))
}

/// Whether the text shows an address that is not this host.
fn shows_address_but(text: &str, own: Option<&str>) -> bool {
    let shown = as_shown(text);
    shows_in(&shown, own) || spelled_out(&shown).is_some_and(|spelled| shows_in(&spelled, own))
}

/// A text with the dots that a reader sees.
fn as_shown(text: &str) -> String {
    let seen = text.chars().filter(|c| !is_default_ignorable(*c));
    let dots = seen.nfkc().map(|c| if is_dot(c) { '.' } else { c });
    dots.collect()
}

/// Whether it is a full stop, or a sign that looks like one between two letters.
const fn is_dot(c: char) -> bool {
    matches!(
        c,
        '.' | '\u{b7}'
            | '\u{6d4}'
            | '\u{701}'
            | '\u{702}'
            | '\u{2022}'
            | '\u{2027}'
            | '\u{2219}'
            | '\u{22c5}'
            | '\u{2e31}'
            | '\u{3002}'
            | '\u{30fb}'
            | '\u{a4f8}'
    )
}

fn shows_in(shown: &str, own: Option<&str>) -> bool {
    if shown.contains("://") {
        return true;
    }
    let is_of_host = |c: char| c.is_alphanumeric() || ".-".contains(c);
    let mut rest = shown;
    while let Some(begin) = rest.find(is_of_host) {
        let (before, from) = rest.split_at(begin);
        let end = from.find(|c: char| !is_of_host(c)).unwrap_or(from.len());
        let (run, behind) = from.split_at(end);
        let mut next = behind.chars();
        // `host/path`, `host:8443`, and on the other side `name@host`.
        let goes_on = next.next().is_some_and(|c| "/:?#@".contains(c))
            && next.next().is_some_and(char::is_alphanumeric);
        let is_mailbox = before.ends_with('@');
        let is_whole = goes_on || is_mailbox;
        let is_own = !is_whole && own.is_some_and(|own| is_same(run, own));
        // What no host has within ends one.
        let apart = run.replace(".-", " ").replace("-.", " ").replace("..", " ");
        let shows = |part| (is_whole && is_formed_like_host(part)) || is_host(part);
        if !is_own && apart.split(' ').any(shows) {
            return true;
        }
        rest = behind;
    }
    false
}

/// Whether a reader, or a mail program that makes links of words, would take it for a host: it has the form of one
/// and ends as hosts do. `Node.js`, `Dipl.-Ing.` and `M.Sc.` are none. A sentence may go on without a space, so a
/// host may be all that stands before one of its dots or hyphens.
fn is_host(run: &str) -> bool {
    let run = run.trim_matches(['.', '-']);
    if is_abbreviation(run) {
        return false;
    }
    // DANGER: each of its ends is looked at, which must not take a time that grows with its square. Longer than a host
    // can be, it is no word either.
    if run.chars().nth(HOST_CHARS).is_some() {
        return run.contains('.');
    }
    let run = run.to_lowercase();
    let ends = run.match_indices(['.', '-']).map(|(at, _)| at);
    run.starts_with("www.")
        || run.contains(".www.")
        || (ends.chain([run.len()])).any(|end| {
            let begin = &run[..end];
            is_formed_like_host(begin)
                && (is_ipv4(begin)
                    || RESERVED.iter().any(|it| ends_with_label(begin, it))
                    || psl::suffix(begin.as_bytes()).is_some_and(|suffix| suffix.is_known()))
        })
}

/// Whether it has the form of a domain name or of an IPv4 address: `1.5`, `e.g.` and `U.S.` have not.
fn is_formed_like_host(text: &str) -> bool {
    let labels: Vec<&str> = text.trim_matches(['.', '-']).split('.').collect();
    let Some((last, before)) = labels.split_last() else {
        return false;
    };
    let is_label =
        |label: &&str| !label.is_empty() && !label.starts_with('-') && !label.ends_with('-');
    if before.is_empty() || !labels.iter().all(is_label) {
        return false;
    }
    is_ipv4(text) || (last.chars().nth(1).is_some() && last.chars().any(char::is_alphabetic))
}

fn is_ipv4(text: &str) -> bool {
    let is_number = |label: &str| !label.is_empty() && label.bytes().all(|b| b.is_ascii_digit());
    text.split('.').count() == 4 && text.split('.').all(is_number)
}

/// Whether it is written as degrees are: a capital, and a short word that begins with one. `B.Sc` ends as a host does.
fn is_abbreviation(run: &str) -> bool {
    const LETTERS: usize = 4;
    let Some((first, second)) = run.split_once('.') else {
        return false;
    };
    let is_capital = |label: &str| {
        let mut chars = label.chars();
        chars.next().is_some_and(char::is_uppercase) && chars.all(char::is_lowercase)
    };
    let is_short = first.chars().count() == 1 && second.chars().nth(LETTERS).is_none();
    is_short && is_capital(first) && is_capital(second)
}

fn ends_with_label(host: &str, label: &str) -> bool {
    let before = host.strip_suffix(label);
    before.is_some_and(|before| before.ends_with('.'))
}

/// Whether the text is this host, with or without `www.`.
fn is_same(run: &str, host: &str) -> bool {
    // A sentence may end behind it with more than one full stop.
    let lower = |host: &str| host.trim_end_matches('.').to_ascii_lowercase();
    bare_host(&lower(run)) == bare_host(&lower(host))
}

#[cfg(test)]
mod tests;
