//! What the operator decides about egress. A manifest can only ask for less.

use std::collections::BTreeSet;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use gtm_domain::Cidr;

use super::address::classify;
use super::limiter::SharedWindows;
use super::resolve::Resolver;
use super::target::HostName;

/// The operator's egress policy.
#[derive(Debug, Clone)]
pub struct EgressPolicy {
    /// Hosts that named connectors may reach although their address is not public.
    pub private_hosts: Vec<PrivateHost>,
    /// Networks that nothing may reach, public or not, whatever `private_hosts` says.
    pub deny_networks: Vec<Cidr>,
    /// Keys of the connectors that the operator granted `open_web`.
    pub open_web: BTreeSet<String>,
    /// Keys of the generation backends that the operator granted `free_urls`.
    pub free_urls: BTreeSet<String>,
    /// Whether `64:ff9b::/96` may be used; the embedded IPv4 address is checked either way.
    pub nat64: bool,
    /// Limit on one TCP connection with its TLS handshake.
    pub connect_timeout: Duration,
    /// Limit on the wait for the head of an answer in one attempt, unless the request itself asks for
    /// longer: a model may think for minutes, and asking it again would only cost twice.
    pub answer_timeout: Duration,
    /// Limit on a whole exchange: name resolution, attempts, redirects and body.
    pub exchange_timeout: Duration,
    /// Limit on a decoded response body, in bytes; a request may ask for less.
    pub max_body_bytes: u64,
    /// Limit on a request body, in bytes.
    pub max_request_bytes: u64,
    /// Existing directory for answers that are too long to keep in memory; it must not lie on a file system
    /// in memory. The files have no name, so nothing of them outlives the process.
    pub spool_dir: PathBuf,
    pub resolver: ResolverChoice,
    /// Where nodes count requests to a provider together; if absent, each counts on its own.
    pub shared_windows: Option<Arc<dyn SharedWindows>>,
    /// PEM files with certificates to trust besides the system's.
    pub extra_root_certificates: Vec<PathBuf>,
    /// `User-Agent` of requests whose guest sets none.
    pub user_agent: String,
    /// Wait before the first retry; doubles with each further one.
    pub retry_base: Duration,
}

impl Default for EgressPolicy {
    fn default() -> Self {
        Self {
            private_hosts: Vec::new(),
            deny_networks: Vec::new(),
            open_web: BTreeSet::new(),
            free_urls: BTreeSet::new(),
            nat64: false,
            connect_timeout: Duration::from_secs(10),
            answer_timeout: Duration::from_secs(120),
            exchange_timeout: Duration::from_secs(300),
            max_body_bytes: 16 * 1024 * 1024,
            max_request_bytes: 8 * 1024 * 1024,
            spool_dir: std::env::temp_dir(),
            resolver: ResolverChoice::System,
            shared_windows: None,
            extra_root_certificates: Vec::new(),
            user_agent: concat!("gtm/", env!("CARGO_PKG_VERSION")).to_owned(),
            retry_base: Duration::from_millis(250),
        }
    }
}

/// A port of a host that the operator opens to some connectors although its address is not public.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct PrivateHost {
    /// Name or literal address; compared after normalisation, so `LOCALHOST.` means `localhost`.
    pub host: String,
    /// The only port. Absent means any port, which no configuration can express ([`PrivateHost::new`]): it
    /// is for tests whose servers listen on any free port.
    pub port: Option<u16>,
    /// Keys of the connectors that may use it.
    pub connectors: BTreeSet<String>,
    /// Whether these connectors may use it under the `open_web` grant too, on URLs that strangers choose. A
    /// redirect from a public address never leads here.
    pub open_web: bool,
}

impl PrivateHost {
    /// Checks an entry of the operator's configuration.
    ///
    /// # Errors
    /// Which part of it is wrong.
    pub fn new(
        host: String,
        port: u16,
        connectors: BTreeSet<String>,
        open_web: bool,
    ) -> Result<Self, PrivateHostError> {
        // As the egress reads it: `0xA9FEA9FE` is an address, too.
        let literal = match HostName::parse(&host).ok_or(PrivateHostError::Host)? {
            HostName::Address(address) => Some(address),
            HostName::Name(_) => None,
        };
        let is_closed = |nat64| literal.is_some_and(|it| !classify(it, nat64).operator_may_open());
        if is_closed(false) && is_closed(true) {
            return Err(PrivateHostError::Closed);
        }
        if port == 0 {
            return Err(PrivateHostError::Port);
        }
        if connectors.is_empty() || connectors.iter().any(String::is_empty) {
            return Err(PrivateHostError::Connectors);
        }
        Ok(Self {
            host,
            port: Some(port),
            connectors,
            open_web,
        })
    }
}

/// Why an entry is not a valid private host.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum PrivateHostError {
    #[error(
        "host: expected a name or an address without a port, such as `localhost` or `10.0.0.7`"
    )]
    Host,
    #[error(
        "host: an address of cloud metadata services or a reserved one, which stays closed whatever this file says"
    )]
    Closed,
    #[error("port: expected 1 to 65535")]
    Port,
    /// No connector is named.
    #[error("connectors: expected the keys of the connectors that may go there, at least one")]
    Connectors,
}

/// How names are resolved.
#[derive(Clone, Default)]
pub enum ResolverChoice {
    /// The operating system's resolver.
    #[default]
    System,
    /// Another resolver: a fixed map in tests, or a caching one.
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

/// Why the gate cannot be set up.
#[derive(Debug, thiserror::Error)]
pub enum EgressConfigError {
    #[error("cannot read certificates from {path}: {reason}")]
    Certificates { path: PathBuf, reason: String },
    #[error("`{0}` is not a host that egress could name")]
    PrivateHost(String),
    #[error("cannot set up TLS: {0}")]
    Tls(String),
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(host: &str, port: u16, connectors: &[&str]) -> Result<PrivateHost, PrivateHostError> {
        let connectors = connectors.iter().map(|key| (*key).to_owned()).collect();
        PrivateHost::new(host.to_owned(), port, connectors, false)
    }

    #[test]
    fn a_private_host_has_a_host_a_port_and_connectors() {
        for host in ["localhost", "127.0.0.1", "model.internal", "::1", "[::1]"] {
            assert!(entry(host, 8080, &["openai-compatible"]).is_ok(), "{host}");
        }
        for bad in [
            "",
            "a:80",
            "127.0.0.1:80",
            "[::1]:80",
            "a b",
            "http://a",
            "a/b",
        ] {
            assert_eq!(entry(bad, 80, &["x"]), Err(PrivateHostError::Host), "{bad}");
        }
        for closed in [
            "169.254.169.254",
            "168.63.129.16",
            "100.100.100.200",
            "0.0.0.0",
            "[fe80::1]",
            "[fd00:ec2::254]",
            // As a URL may spell it.
            "2852039166",
            "0xA9FEA9FE",
            "0251.0376.0251.0376",
            "169.254.169.254.",
        ] {
            let made = entry(closed, 80, &["x"]);
            assert_eq!(made, Err(PrivateHostError::Closed), "{closed}");
        }
        assert_eq!(entry("a", 0, &["x"]), Err(PrivateHostError::Port));
        for nobody in [&[][..], &[""]] {
            assert_eq!(entry("a", 80, nobody), Err(PrivateHostError::Connectors));
        }
    }
}
