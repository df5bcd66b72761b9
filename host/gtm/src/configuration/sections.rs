//! The structure of the configuration, with its defaults. Closed: an unknown field is an error.

use std::collections::BTreeSet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::num::{NonZeroU32, NonZeroU64, NonZeroUsize};
use std::path::PathBuf;

use gtm_domain::{Cidr, Digest};
use gtm_runtime::PluginKind;
use serde::{Deserialize, Serialize};
use tracing_subscriber::EnvFilter;
use tracing_subscriber::filter::LevelFilter;
use url::Url;

use super::dollars::Dollars;
use super::private_hosts::HostEntry;
use super::publishers::Publisher;
use super::usage_tiers::UsageTiers;

const fn non_zero_u64(value: u64) -> NonZeroU64 {
    match NonZeroU64::new(value) {
        Some(value) => value,
        None => NonZeroU64::MIN,
    }
}
const fn non_zero_u32(value: u32) -> NonZeroU32 {
    match NonZeroU32::new(value) {
        Some(value) => value,
        None => NonZeroU32::MIN,
    }
}
const fn non_zero_usize(value: usize) -> NonZeroUsize {
    match NonZeroUsize::new(value) {
        Some(value) => value,
        None => NonZeroUsize::MIN,
    }
}

/// All settings.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Configuration {
    /// Address of the API.
    pub listen: SocketAddr,
    /// Address of the operator port with `/metrics`; no port by default.
    pub metrics_listen: Option<SocketAddr>,
    /// Where callers reach the API, such as `https://gtm.example.com`; the node gives this as its own
    /// address. The listener's address if absent.
    pub public_url: Option<WebAddress>,
    /// Start of `docs_url` in API errors; the node's own error reference if absent.
    pub docs_url: Option<WebAddress>,
    /// Proxies whose `Forwarded` or `X-Forwarded-For` is believed.
    pub trusted_proxies: Vec<Cidr>,
    /// `sqlite:///path` or `postgres://…`; SQLite in the data directory by default.
    pub database_url: Option<String>,
    /// Whether the PostgreSQL role may be a superuser or have BYPASSRLS, to whom row-level security does
    /// not apply.
    pub allow_unrestricted_database_role: bool,
    /// `redis://…` or `rediss://…`, where all nodes count rate limits together. If absent, each node counts
    /// in memory.
    pub redis_url: Option<String>,
    /// PEM file with the root certificates for a `rediss://` server; the system's if absent.
    pub redis_root_certificates: Option<PathBuf>,
    /// How long a request may wait for Redis.
    pub redis_timeout_ms: NonZeroU64,
    /// What happens while Redis does not answer: each node counts on its own, all requests pass, or all are
    /// refused.
    pub rate_limit_fallback: RateLimitFallback,
    /// Where large values are kept; `blobs` in the data directory by default.
    pub blob_dir: Option<PathBuf>,
    /// Directories with plug-in packages; `catalog` in the data directory by default.
    pub catalog_dirs: Option<Vec<PathBuf>>,
    /// Directory with fonts for documents, which renderers use besides their own.
    pub document_fonts_dir: Option<PathBuf>,
    /// Publishers whose signatures are accepted.
    pub trusted_publishers: Vec<Publisher>,
    /// Whether unsigned packages load; for development only.
    pub allow_unsigned: bool,
    /// Whether a plug-in version may come back with other bytes, and new versions may do more without the
    /// operator's consent; for development only, where plug-ins are rebuilt under one version.
    pub allow_changed_packages: bool,
    /// Digests of components that are listed as blocked and never run.
    pub blocked_digests: Vec<Digest>,
    /// What organizations may ask for and spend, lowest tier first.
    pub usage_tiers: UsageTiers,
    /// Product capabilities that this installation does not offer.
    pub disabled_capabilities: BTreeSet<Capability>,
    /// How long requests and jobs may continue once the process is asked to stop.
    pub shutdown_grace_seconds: u64,
    /// Where plug-ins may reach.
    pub egress: Egress,
    /// Limits on requests and plug-ins.
    pub limits: Limits,
    /// How jobs are run.
    pub engine: Engine,
    pub log: Log,
}

impl Default for Configuration {
    fn default() -> Self {
        Self {
            listen: SocketAddr::new(IpAddr::V4(Ipv4Addr::LOCALHOST), 8080),
            metrics_listen: None,
            public_url: None,
            docs_url: None,
            trusted_proxies: Vec::new(),
            database_url: None,
            allow_unrestricted_database_role: false,
            redis_url: None,
            redis_root_certificates: None,
            redis_timeout_ms: non_zero_u64(200),
            rate_limit_fallback: RateLimitFallback::Memory,
            blob_dir: None,
            catalog_dirs: None,
            document_fonts_dir: None,
            trusted_publishers: Vec::new(),
            allow_unsigned: false,
            allow_changed_packages: false,
            blocked_digests: Vec::new(),
            usage_tiers: UsageTiers::default(),
            disabled_capabilities: BTreeSet::new(),
            shutdown_grace_seconds: 10,
            egress: Egress::default(),
            limits: Limits::default(),
            engine: Engine::default(),
            log: Log::default(),
        }
    }
}

/// An `http` or `https` address without query and fragment.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "Url", into = "Url")]
pub struct WebAddress(Url);

impl WebAddress {
    /// As text, without a trailing slash.
    #[must_use]
    pub fn as_str(&self) -> &str {
        self.0.as_str().trim_end_matches('/')
    }
}

impl TryFrom<Url> for WebAddress {
    type Error = &'static str;

    fn try_from(url: Url) -> Result<Self, &'static str> {
        let whole = matches!(url.scheme(), "http" | "https")
            && url.query().is_none()
            && url.fragment().is_none()
            && url.username().is_empty()
            && url.password().is_none();
        if whole {
            Ok(Self(url))
        } else {
            Err("expected an http or https URL without a user name, query or fragment")
        }
    }
}

impl From<WebAddress> for Url {
    fn from(address: WebAddress) -> Self {
        address.0
    }
}

impl Configuration {
    /// Start of `docs_url` in API errors on a node that listens on `listener`. An address of all interfaces
    /// becomes loopback: callers cannot use the former, and the node knows no other.
    #[must_use]
    pub fn docs_base(&self, listener: SocketAddr) -> String {
        if let Some(docs) = &self.docs_url {
            return docs.as_str().to_owned();
        }
        let own = match &self.public_url {
            Some(public) => public.as_str().to_owned(),
            None => {
                let address = match listener.ip() {
                    IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
                    IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
                    ip => ip,
                };
                format!("http://{}", SocketAddr::new(address, listener.port()))
            }
        };
        format!("{own}/docs/errors")
    }
}

#[derive(Debug, Clone, Default, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Egress {
    /// Hosts that named connectors may reach although their address is not public.
    pub private_hosts: Vec<HostEntry>,
    /// Networks that nothing may reach, public or not, whatever `private_hosts` says.
    pub deny_networks: Vec<Cidr>,
    /// Keys of the connectors that may read any public page.
    pub open_web: BTreeSet<String>,
    /// Keys of the generation backends that may have pages fetched from addresses they made up.
    pub free_urls: BTreeSet<String>,
    /// Whether `64:ff9b::/96` may be used.
    pub nat64: bool,
    /// PEM files with certificates to trust besides the system's.
    pub extra_root_certificates: Vec<PathBuf>,
}

impl Egress {
    /// The plug-ins that something is permitted to: the setting, what kind of plug-in it names, and its key.
    pub fn plugins(&self) -> impl Iterator<Item = (&'static str, PluginKind, &str)> {
        let private = self.private_hosts.iter().flat_map(|entry| {
            let keys = entry.0.connectors.iter();
            keys.map(|key| ("egress.private_hosts", PluginKind::Connector, key))
        });
        let open = self.open_web.iter();
        let open = open.map(|key| ("egress.open_web", PluginKind::Connector, key));
        let free = self.free_urls.iter();
        let free = free.map(|key| ("egress.free_urls", PluginKind::GenerationBackend, key));
        let all = private.chain(open).chain(free);
        all.map(|(setting, kind, key)| (setting, kind, key.as_str()))
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Limits {
    /// Requests of one key in 60 seconds, for every usage tier without its own `rate_limit_per_minute`; by
    /// default that is only the first tier.
    pub requests_per_minute: NonZeroU32,
    /// Longest request body.
    pub body_bytes: NonZeroUsize,
    /// How long a request body may take to arrive.
    pub body_seconds: NonZeroU64,
    /// How long an answer may take after the request's body has arrived.
    pub answer_seconds: NonZeroU64,
    /// How long a peer may read nothing of an answer.
    pub write_stall_seconds: NonZeroU64,
    /// How long a peer may take to read a whole answer.
    pub delivery_seconds: NonZeroU64,
    /// Maximum number of open connections; fewer if the limit on open files is too low.
    pub connections: NonZeroUsize,
    /// Maximum number of open connections from one address; does not apply to `trusted_proxies`.
    pub connections_per_address: NonZeroUsize,
    /// Wrong keys from one address in 60 seconds that are looked up; ten times as many from one IPv6 site.
    pub failed_authentications_per_minute: NonZeroU32,
    /// Requests of `/readyz` from one address in 60 seconds.
    pub readiness_checks_per_minute: NonZeroU32,
    /// Memory of one plug-in instance.
    pub plugin_memory_bytes: NonZeroU64,
    /// Wall-clock time of one connector call.
    pub plugin_wall_seconds: NonZeroU64,
    /// CPU time of one plug-in call.
    pub plugin_cpu_seconds: NonZeroU64,
    /// Wall-clock time of the compilation of one plug-in.
    pub plugin_compile_seconds: NonZeroU64,
    /// Output of one plug-in call.
    pub plugin_output_bytes: NonZeroU64,
    /// Plug-in instances at the same time.
    pub plugin_instances: NonZeroU32,
    /// HTTP requests of one connector call, redirects included.
    pub plugin_egress_requests: NonZeroU32,
    /// Bytes of the answers of one connector call.
    pub plugin_egress_bytes_in: NonZeroU64,
    /// Bytes of the request bodies of one connector call.
    pub plugin_egress_bytes_out: NonZeroU64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            requests_per_minute: non_zero_u32(120),
            body_bytes: non_zero_usize(1 << 20),
            body_seconds: non_zero_u64(15),
            answer_seconds: non_zero_u64(20),
            write_stall_seconds: non_zero_u64(10),
            delivery_seconds: non_zero_u64(60),
            connections: non_zero_usize(4096),
            connections_per_address: non_zero_usize(64),
            failed_authentications_per_minute: non_zero_u32(60),
            readiness_checks_per_minute: non_zero_u32(240),
            plugin_memory_bytes: non_zero_u64(256 << 20),
            plugin_wall_seconds: non_zero_u64(600),
            plugin_cpu_seconds: non_zero_u64(30),
            plugin_compile_seconds: non_zero_u64(1200),
            plugin_output_bytes: non_zero_u64(8 << 20),
            plugin_instances: non_zero_u32(64),
            plugin_egress_requests: non_zero_u32(64),
            plugin_egress_bytes_in: non_zero_u64(64 << 20),
            plugin_egress_bytes_out: non_zero_u64(16 << 20),
        }
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Engine {
    /// Jobs that this node runs at once.
    pub workers: NonZeroUsize,
    /// Jobs of one project that run at once.
    pub per_project_running: NonZeroUsize,
    /// How long a worker owns a job without renewing its lease.
    pub lease_seconds: NonZeroU64,
    /// How long a job may take.
    pub job_deadline_seconds: NonZeroU64,
    /// Provider calls of one job at once.
    pub call_concurrency: NonZeroUsize,
    /// Provider calls of one job in all.
    pub max_calls: NonZeroU64,
    /// What the provider calls of one job may cost together.
    pub job_cost_cap_usd: Dollars,
    /// What a job is expected to cost, and reserves, while neither its binding nor earlier jobs tell.
    pub job_cost_estimate_usd: Dollars,
}

impl Default for Engine {
    fn default() -> Self {
        Self {
            workers: non_zero_usize(4),
            per_project_running: non_zero_usize(2),
            lease_seconds: non_zero_u64(30),
            job_deadline_seconds: non_zero_u64(15 * 60),
            call_concurrency: non_zero_usize(8),
            max_calls: non_zero_u64(200),
            job_cost_cap_usd: Dollars(5.0),
            job_cost_estimate_usd: Dollars(0.25),
        }
    }
}

#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields, default)]
pub struct Log {
    /// How lines are written.
    pub format: LogFormat,
    pub level: LogLevel,
}

impl Default for Log {
    fn default() -> Self {
        Self {
            format: LogFormat::Text,
            level: LogLevel("info".to_owned()),
        }
    }
}

/// `error`, `warn`, `info`, `debug`, `trace` or `off`, or directives such as `info,gtm_engine=debug`.
///
/// Danger: the library takes any other word for a part of the program, and logs all of a part that does not exist: nothing.
/// So a part has its level beside it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct LogLevel(String);

impl LogLevel {
    #[must_use]
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl TryFrom<String> for LogLevel {
    type Error = &'static str;

    fn try_from(text: String) -> Result<Self, &'static str> {
        let is_level = |part: &str| !part.is_empty() && part.parse::<LevelFilter>().is_ok();
        let known = (text.split(',')).all(|part| part.contains('=') || is_level(part));
        if known && EnvFilter::try_new(&text).is_ok() {
            Ok(Self(text))
        } else {
            Err("invalid value: another text, expected a level")
        }
    }
}

impl From<LogLevel> for String {
    fn from(level: LogLevel) -> Self {
        level.0
    }
}

/// What happens while Redis does not answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum RateLimitFallback {
    /// Each node counts on its own.
    Memory,
    /// All requests pass.
    Allow,
    /// All requests are refused with 429 `rate_limit_exceeded`.
    Refuse,
}

/// How log lines are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line.
    Json,
}

/// Key of a product capability.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize, Serialize)]
#[serde(try_from = "String", into = "String")]
pub struct Capability(pub String);

impl TryFrom<String> for Capability {
    type Error = String;
    fn try_from(text: String) -> Result<Self, String> {
        match gtm_domain::Capability::from_key(&text) {
            Some(_) => Ok(Self(text)),
            None => Err(format!(
                "expected one of {}",
                gtm_domain::Capability::all()
                    .map(gtm_domain::Capability::key)
                    .collect::<Vec<_>>()
                    .join(", ")
            )),
        }
    }
}
impl From<Capability> for String {
    fn from(capability: Capability) -> Self {
        capability.0
    }
}
