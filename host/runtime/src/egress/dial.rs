//! From a permitted target to a connection: resolve the name once, check every address, connect to a
//! checked address under the target's name.

use std::io;
use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::StreamExt as _;
use futures::stream::FuturesUnordered;
use gtm_domain::{Cidr, Failure, FailureKind};
use http_body_util::Full;
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use rustls::ClientConfig;
use rustls::pki_types::{CertificateDer, ServerName, pem::PemObject as _};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpStream;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::address::{AddressClass, classify, embedded_v4};
use super::headers::{MAX_HEADER_BYTES, MAX_HEADERS};
use super::permit::Permit;
use super::policy::{EgressConfigError, EgressPolicy};
use super::resolve::Resolver;
use super::retry::Repeat;
use super::target::{HostName, Origin};
use crate::manifest::UrlScheme;

/// Maximum number of addresses of one name that are tried.
const MAX_ADDRESSES: usize = 8;
/// Head start of each address over the next.
const STAGGER: Duration = Duration::from_millis(300);

/// Why an attempt failed, and whether a retry makes sense.
#[derive(Debug)]
pub(super) struct Broken {
    pub failure: Failure,
    pub repeat: Repeat,
}

impl Broken {
    pub(super) fn new(repeat: Repeat, kind: FailureKind, code: &str, message: String) -> Self {
        Self {
            failure: Failure::new(kind, code, message),
            repeat,
        }
    }
}

impl From<Failure> for Broken {
    /// A refusal, which a retry would not change.
    fn from(failure: Failure) -> Self {
        Self {
            failure,
            repeat: Repeat::Never,
        }
    }
}

/// The sending half of a connection.
pub(super) type Sender = http1::SendRequest<Full<Bytes>>;

/// Ends the connection when dropped.
pub(super) struct ConnectionGuard {
    task: AbortHandle,
    /// Whether the peer's address is public.
    pub public: bool,
}

impl Drop for ConnectionGuard {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// What all connections share.
pub(super) struct Dialer {
    resolver: Arc<dyn Resolver>,
    tls: Arc<ClientConfig>,
    nat64: bool,
    denied: Vec<Cidr>,
    connect_timeout: Duration,
}

impl Dialer {
    pub(super) fn new(
        policy: &EgressPolicy,
        resolver: Arc<dyn Resolver>,
    ) -> Result<Self, EgressConfigError> {
        Ok(Self {
            resolver,
            tls: Arc::new(tls_config(policy)?),
            nat64: policy.nat64,
            denied: policy.deny_networks.clone(),
            connect_timeout: policy.connect_timeout,
        })
    }

    /// The addresses of an origin, all of them checked.
    ///
    /// # Errors
    /// `dns_failed`, or `private_address` or `network_denied` if any address is forbidden: a name with a
    /// public and a private address is refused, not half allowed.
    pub(super) async fn addresses(
        &self,
        origin: &Origin,
        permit: Permit,
        asker: &str,
    ) -> Result<Vec<SocketAddr>, Broken> {
        let host = &origin.host;
        let mut found = match host {
            HostName::Address(address) => vec![*address],
            HostName::Name(name) => {
                match timeout(self.connect_timeout, self.resolver.resolve(name, asker)).await {
                    Ok(Ok(addresses)) if !addresses.is_empty() => addresses,
                    Ok(_) => return Err(unresolved(host)),
                    Err(_) => return Err(unresolved(host)),
                }
            }
        };
        let usable = |address: &IpAddr| match classify(*address, self.nat64) {
            AddressClass::Public => true,
            class => permit.private && class.operator_may_open(),
        };
        let denied = |address: &IpAddr| {
            let within = |address| self.denied.iter().any(|network| network.contains(address));
            within(*address) || embedded_v4(*address).is_some_and(|v4| within(v4.into()))
        };
        if found.iter().any(denied) {
            return Err(Failure::denied(
                "network_denied",
                format!("`{host}` has an address in a network that the operator denies"),
            )
            .into());
        }
        if !found.iter().all(usable) {
            return Err(Failure::denied(
                "private_address",
                format!("`{host}` has an address that is not public"),
            )
            .into());
        }
        let mut seen = std::collections::BTreeSet::new();
        found.retain(|address| seen.insert(*address));
        Ok(found
            .into_iter()
            .take(MAX_ADDRESSES)
            .map(|address| SocketAddr::new(address, origin.port))
            .collect())
    }

    /// Connects to one of the checked addresses; with TLS under the origin's name if the scheme is https.
    pub(super) async fn connect(
        &self,
        origin: &Origin,
        addresses: Vec<SocketAddr>,
    ) -> Result<(Sender, ConnectionGuard), Broken> {
        let host = &origin.host;
        let dialled = timeout(self.connect_timeout, async {
            let tcp = race(addresses).await.map_err(|_| unreachable_host(host))?;
            // The address that accepted decides where a redirect may lead: a name may have public and
            // private ones.
            let public = tcp
                .peer_addr()
                .is_ok_and(|peer| classify(peer.ip(), self.nat64) == AddressClass::Public);
            // Small requests should not wait for acknowledgements; a socket without the option works too.
            let _ = tcp.set_nodelay(true);
            match origin.scheme {
                UrlScheme::Http => handshake(host, tcp, public).await,
                UrlScheme::Https => {
                    let name = match host {
                        HostName::Name(name) => ServerName::try_from(name.clone())
                            .map_err(|_| tls_failed(host, Repeat::Never))?,
                        HostName::Address(address) => ServerName::IpAddress((*address).into()),
                    };
                    let connector = tokio_rustls::TlsConnector::from(Arc::clone(&self.tls));
                    match connector.connect(name, tcp).await {
                        Ok(stream) => handshake(host, stream, public).await,
                        Err(error) => Err(tls_error(host, &error)),
                    }
                }
            }
        });
        dialled.await.unwrap_or_else(|_| {
            Err(Broken::new(
                Repeat::Always,
                FailureKind::Timeout,
                "connect_failed",
                format!("connecting to `{host}` took too long"),
            ))
        })
    }
}

async fn handshake<S>(
    host: &HostName,
    stream: S,
    public: bool,
) -> Result<(Sender, ConnectionGuard), Broken>
where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let mut builder = http1::Builder::new();
    builder
        .max_headers(MAX_HEADERS)
        .max_header_size(MAX_HEADER_BYTES)
        .max_buf_size(MAX_HEADER_BYTES);
    let (sender, connection) = builder
        .handshake(TokioIo::new(stream))
        .await
        .map_err(|_| unreachable_host(host))?;
    let task = tokio::spawn(async move {
        // Whoever waits for the answer or reads the body sees what goes wrong on the connection.
        let _ = connection.await;
    });
    let task = task.abort_handle();
    Ok((sender, ConnectionGuard { task, public }))
}

/// The first address that accepts, tried in order with overlap (after RFC 8305).
async fn race(addresses: Vec<SocketAddr>) -> io::Result<TcpStream> {
    let mut rest = addresses.into_iter();
    let mut pending = FuturesUnordered::new();
    let mut last = io::Error::from(io::ErrorKind::AddrNotAvailable);
    loop {
        pending.extend(rest.next().map(TcpStream::connect));
        tokio::select! {
            biased;
            outcome = pending.next() => match outcome {
                Some(Ok(stream)) => return Ok(stream),
                Some(Err(error)) => last = error,
                None => return Err(last),
            },
            () = tokio::time::sleep(STAGGER), if rest.len() > 0 => {}
        }
    }
}

fn unresolved(host: &HostName) -> Broken {
    Broken::new(
        Repeat::Always,
        FailureKind::Upstream,
        "dns_failed",
        format!("`{host}` could not be resolved"),
    )
}

fn unreachable_host(host: &HostName) -> Broken {
    Broken::new(
        Repeat::Always,
        FailureKind::Upstream,
        "connect_failed",
        format!("could not connect to `{host}`"),
    )
}

fn tls_failed(host: &HostName, repeat: Repeat) -> Broken {
    Broken::new(
        repeat,
        FailureKind::Upstream,
        "tls_failed",
        format!("could not establish a secure connection to `{host}`"),
    )
}

/// A certificate that does not match will not match next time either; a connection cut during the handshake
/// may work.
fn tls_error(host: &HostName, error: &io::Error) -> Broken {
    if error
        .get_ref()
        .is_some_and(|inner| inner.is::<rustls::Error>())
    {
        tls_failed(host, Repeat::Never)
    } else {
        tls_failed(host, Repeat::Always)
    }
}

/// One TLS configuration for all connections: the system's roots, the operator's, and HTTP/1.1.
fn tls_config(policy: &EgressPolicy) -> Result<ClientConfig, EgressConfigError> {
    let mut roots = rustls::RootCertStore::empty();
    let native = rustls_native_certs::load_native_certs();
    let (added, _) = roots.add_parsable_certificates(native.certs);
    if added == 0 {
        tracing::warn!("no root certificates were found on this system; https requests will fail");
    }
    for path in &policy.extra_root_certificates {
        let refuse = |reason: String| EgressConfigError::Certificates {
            path: path.clone(),
            reason,
        };
        let certificates =
            CertificateDer::pem_file_iter(path).map_err(|e| refuse(e.to_string()))?;
        let before = roots.len();
        for certificate in certificates {
            let certificate = certificate.map_err(|e| refuse(e.to_string()))?;
            roots.add(certificate).map_err(|e| refuse(e.to_string()))?;
        }
        if roots.len() == before {
            return Err(refuse("the file holds no certificate".to_owned()));
        }
    }
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|e| EgressConfigError::Tls(e.to_string()))?
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = vec![b"http/1.1".to_vec()];
    Ok(config)
}
