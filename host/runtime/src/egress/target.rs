//! Where a request goes: takes a URL apart, normalises it, and refuses anything that two parsers could read
//! differently. Rules are matched elsewhere.

use std::net::IpAddr;

use gtm_domain::{Failure, FailureKind};
use percent_encoding::percent_decode_str;
use url::{Host, Url};

use super::path_prefix;
use crate::manifest::UrlScheme;

/// Longest URL, in bytes.
const MAX_URL_BYTES: usize = 8 * 1024;

/// A host after normalisation: an IDNA name in lower case without a trailing dot, or an address in whatever
/// spelling it came.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum HostName {
    /// A name to resolve.
    Name(String),
    /// A literal address; nothing is resolved.
    Address(IpAddr),
}

impl HostName {
    /// Reads a host as a URL would hold it: a name, an IPv4 address in any spelling, or an IPv6 address
    /// with or without brackets.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        if let Ok(address) = text.parse::<std::net::Ipv6Addr>() {
            return Some(Self::Address(address.into()));
        }
        Host::parse(text)
            .ok()
            .and_then(|host| Self::from_host(&host))
    }

    fn from_host<S: AsRef<str>>(host: &Host<S>) -> Option<Self> {
        match host {
            Host::Ipv4(v4) => Some(Self::Address((*v4).into())),
            Host::Ipv6(v6) => Some(Self::Address((*v6).into())),
            Host::Domain(name) => {
                let name = name.as_ref();
                let name = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
                // `a..` and names that a resolver would truncate are not valid.
                let labels_fit = name.split('.').all(|label| (1..=63).contains(&label.len()));
                // A URL may hold more, such as a backtick, but no request can name such a host.
                let plain = |b: u8| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_' | b'.');
                let fits = labels_fit && name.len() <= 253 && name.bytes().all(plain);
                fits.then_some(Self::Name(name))
            }
        }
    }
}

/// As it stands in a URL and in a `Host` header: IPv6 in brackets.
impl std::fmt::Display for HostName {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Name(name) => f.write_str(name),
            Self::Address(IpAddr::V4(v4)) => v4.fmt(f),
            Self::Address(IpAddr::V6(v6)) => write!(f, "[{v6}]"),
        }
    }
}

/// Scheme, host and port: what credentials are bound to.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Origin {
    pub scheme: UrlScheme,
    pub host: HostName,
    /// The scheme's default if the URL names none.
    pub port: u16,
}

impl Origin {
    /// The value of the `Host` header.
    #[must_use]
    pub fn authority(&self) -> String {
        if self.port == self.scheme.default_port() {
            self.host.to_string()
        } else {
            format!("{}:{}", self.host, self.port)
        }
    }
}

/// A URL that is ready to be matched against rules.
#[derive(Debug, Clone)]
pub struct Target {
    /// Normalised, without a fragment.
    pub url: Url,
    pub origin: Origin,
}

impl Target {
    /// Takes a guest's URL apart.
    ///
    /// # Errors
    /// `invalid_url` or `scheme_not_allowed`; the message holds at most the host.
    pub fn parse(text: &str) -> Result<Self, Failure> {
        if text.len() > MAX_URL_BYTES {
            return Err(invalid("the URL is longer than 8 KiB"));
        }
        // URL parsers drop tabs and line breaks and trim spaces; other programs do not.
        if text.bytes().any(|b| b <= b' ' || b == 0x7f) {
            return Err(invalid("the URL contains a space or control character"));
        }
        check_spelling(text)?;
        Self::from_url(Url::parse(text).map_err(|_| invalid("the URL is not an absolute URL"))?)
    }

    /// The target of a `Location` header, relative to this one.
    ///
    /// # Errors
    /// As [`Target::parse`].
    pub fn join(&self, location: &str) -> Result<Self, Failure> {
        if location.len() > MAX_URL_BYTES || location.bytes().any(|b| b < b' ' || b == 0x7f) {
            return Err(invalid(
                "a redirect URL is too long or contains a control character",
            ));
        }
        check_spelling(location)?;
        Self::from_url(
            self.url
                .join(location)
                .map_err(|_| invalid("a redirect does not lead to a valid URL"))?,
        )
    }

    fn from_url(mut url: Url) -> Result<Self, Failure> {
        let scheme = match url.scheme() {
            "http" => UrlScheme::Http,
            "https" => UrlScheme::Https,
            _ => {
                return Err(Failure::denied(
                    "scheme_not_allowed",
                    "only http and https URLs are allowed",
                ));
            }
        };
        if !url.username().is_empty() || url.password().is_some() {
            return Err(invalid("the URL contains user information"));
        }
        let host = url
            .host()
            .and_then(|h| HostName::from_host(&h))
            .ok_or_else(|| invalid("the URL has no usable host"))?;
        let port = url
            .port_or_known_default()
            .filter(|p| *p != 0)
            .ok_or_else(|| invalid("the URL has no usable port"))?;
        if let HostName::Name(name) = &host
            && url.host_str() != Some(name)
        {
            url.set_host(Some(name))
                .map_err(|_| invalid("the URL has no usable host"))?;
        }
        check_path(url.path())?;
        url.set_fragment(None);
        Ok(Self {
            url,
            origin: Origin { scheme, host, port },
        })
    }

    /// Segments of the normalised path.
    pub fn segments(&self) -> impl Iterator<Item = &str> {
        self.url
            .path()
            .strip_prefix('/')
            .unwrap_or_default()
            .split('/')
    }

    /// Whether the path starts with the segments of `prefix`. A trailing slash of the prefix does not
    /// matter: `/v5/` and `/v5` both match `/v5` and `/v5/x`, never `/v5x`.
    #[must_use]
    pub fn has_path_prefix(&self, prefix: &str) -> bool {
        path_prefix::has_prefix(self.url.path(), prefix)
    }
}

/// Refuses spellings that the URL parser would resolve silently: the rule's author, this parser and the
/// server may each read them differently.
fn check_spelling(text: &str) -> Result<(), Failure> {
    let before_query = text.split(['?', '#']).next().unwrap_or(text);
    let scheme = before_query.split_once(':').filter(|(scheme, _)| {
        ["http", "https"]
            .iter()
            .any(|known| scheme.eq_ignore_ascii_case(known))
    });
    let rest = scheme.map_or(before_query, |(_, rest)| rest);
    if scheme.is_some() && !rest.starts_with("//") || rest.starts_with("///") {
        return Err(invalid("the URL has no host after two slashes"));
    }
    if before_query.contains('\\') {
        return Err(invalid("the URL contains a backslash"));
    }
    if before_query.to_ascii_lowercase().contains("%2e") {
        return Err(invalid("the URL contains an encoded dot"));
    }
    Ok(())
}

/// The origin of a URL, as a URL.
pub(super) fn without_path(url: &Url) -> Url {
    let mut bare = url.clone();
    bare.set_path("");
    bare.set_query(None);
    bare
}

/// Refuses what a server behind the URL could read as another path after decoding it once more.
fn check_path(path: &str) -> Result<(), Failure> {
    for segment in path.split('/') {
        let mut decoded = segment.to_owned();
        for _ in 0..3 {
            let again = percent_decode_str(&decoded)
                .decode_utf8_lossy()
                .into_owned();
            if again == decoded {
                break;
            }
            decoded = again;
        }
        if decoded.contains(['\\', '\0']) {
            return Err(invalid("the path contains an encoded backslash or NUL"));
        }
        // Some servers cut path parameters (`..;`) before they resolve dots.
        if decoded
            .split('/')
            .any(|piece| matches!(piece.split(';').next(), Some("." | "..")))
        {
            return Err(invalid("the path contains an encoded dot segment"));
        }
    }
    Ok(())
}

pub(super) fn invalid(message: &str) -> Failure {
    Failure::new(FailureKind::InvalidInput, "invalid_url", message)
}

#[cfg(test)]
#[path = "target_tests.rs"]
mod tests;
