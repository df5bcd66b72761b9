//! What the operator decides about egress; a manifest can only ask within it.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::resolve::Resolver;
use super::target::HostName;
use super::turns::SharedWindows;

/// Policy of the gate.
#[derive(Debug, Clone)]
pub struct EgressPolicy {
    /// Hosts that may be reached although their address is not public.
    pub private_hosts: Vec<PrivateHost>,
    /// Keys of the connectors that the operator granted `open_web`.
    pub open_web: BTreeSet<String>,
    /// Whether `64:ff9b::/96` may be used; the embedded IPv4 address is judged either way.
    pub nat64: bool,
    /// Bound on one TCP connection with its TLS handshake.
    pub connect_timeout: Duration,
    /// Bound on the wait for the head of an answer in one attempt, unless the request itself asks for
    /// a longer time: a model may think for minutes, and asking it again would only cost twice.
    pub answer_timeout: Duration,
    /// Bound on a whole exchange: name resolution, attempts, redirects and body.
    pub exchange_timeout: Duration,
    /// Bound on a decoded response body, in bytes; a request may ask for less.
    pub max_body_bytes: u64,
    /// Bound on a request body, in bytes.
    pub max_request_bytes: u64,
    /// How names are resolved.
    pub resolver: ResolverChoice,
    /// Where the nodes count requests to a provider together; each counts for itself if absent.
    pub shared_windows: Option<Arc<dyn SharedWindows>>,
    /// PEM files with certificates that are trusted besides the system's.
    pub extra_root_certificates: Vec<PathBuf>,
    /// `User-Agent` of requests whose guest sets none.
    pub user_agent: String,
    /// Shortest wait before another attempt; doubles with each.
    pub retry_base: Duration,
}

impl Default for EgressPolicy {
    fn default() -> Self {
        Self {
            private_hosts: Vec::new(),
            open_web: BTreeSet::new(),
            nat64: false,
            connect_timeout: Duration::from_secs(10),
            answer_timeout: Duration::from_secs(120),
            exchange_timeout: Duration::from_secs(300),
            max_body_bytes: 16 * 1024 * 1024,
            max_request_bytes: 8 * 1024 * 1024,
            resolver: ResolverChoice::System,
            shared_windows: None,
            extra_root_certificates: Vec::new(),
            user_agent: concat!("gtm/", env!("CARGO_PKG_VERSION")).to_owned(),
            retry_base: Duration::from_millis(250),
        }
    }
}

/// A host that the operator's configuration names although its address is not public.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PrivateHost {
    /// Name or literal address; compared after normalisation, so `LOCALHOST.` names `localhost`.
    pub host: String,
    /// The only port allowed; any if absent.
    pub port: Option<u16>,
}

/// A text that names no host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("expected a host, or a host and a port such as `localhost:8080` or `[::1]:8080`")]
pub struct ParsePrivateHostError;

impl std::str::FromStr for PrivateHost {
    type Err = ParsePrivateHostError;
    /// `host`, `host:port`, `[v6]`, `[v6]:port` or a bare IPv6 address.
    fn from_str(text: &str) -> Result<Self, ParsePrivateHostError> {
        let bare_v6 = text.parse::<std::net::Ipv6Addr>().is_ok();
        let (host, port) = match text.rsplit_once(':') {
            Some((host, port)) if !bare_v6 && !port.ends_with(']') => (
                host,
                Some(port.parse::<u16>().map_err(|_| ParsePrivateHostError)?),
            ),
            _ => (text, None),
        };
        HostName::parse(host).ok_or(ParsePrivateHostError)?;
        Ok(Self {
            host: host.to_owned(),
            port,
        })
    }
}

/// How names are resolved.
#[derive(Clone, Default)]
pub enum ResolverChoice {
    /// As the operating system does it.
    #[default]
    System,
    /// Something else: tests with a fixed map, or a caching resolver.
    Custom(Arc<dyn Resolver>),
}

impl fmt::Debug for ResolverChoice {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::System => "System",
            Self::Custom(_) => "Custom",
        })
    }
}

/// A gate that can't be set up.
#[derive(Debug, thiserror::Error)]
pub enum EgressConfigError {
    /// A file with certificates can't be read.
    #[error("cannot read certificates from {path}: {reason}")]
    Certificates {
        /// File.
        path: PathBuf,
        /// Why not.
        reason: String,
    },
    /// A private host that names no host.
    #[error("`{0}` is not a host that egress could name")]
    PrivateHost(String),
    /// TLS can't be set up.
    #[error("cannot set up TLS: {0}")]
    Tls(String),
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn private_hosts_are_read_with_and_without_port() {
        for (text, host, port) in [
            ("localhost", "localhost", None),
            ("127.0.0.1:18080", "127.0.0.1", Some(18080)),
            ("model.internal:80", "model.internal", Some(80)),
            ("::1", "::1", None),
            ("[::1]", "[::1]", None),
            ("[::1]:8080", "[::1]", Some(8080)),
        ] {
            assert_eq!(
                text.parse(),
                Ok(PrivateHost {
                    host: host.into(),
                    port
                }),
                "{text}"
            );
        }
        for bad in ["", ":80", "a:", "a:99999", "a b", "http://a", "a/b"] {
            assert_eq!(
                bad.parse::<PrivateHost>(),
                Err(ParsePrivateHostError),
                "{bad}"
            );
        }
    }
}
