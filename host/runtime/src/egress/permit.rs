//! Whether a call may send a request to a target at all: checks the manifest's rules, the `open_web` grant,
//! and the operator's list of private hosts. Addresses are checked later, once they are known.

use gtm_domain::Failure;
use http::HeaderMap;

use super::grant::{CallGrant, EgressRule};
use super::policy::{EgressConfigError, EgressPolicy, PrivateHost};
use super::reserved::{folded, is_override};
use super::target::{HostName, Origin, Target};

/// Methods that the gate knows.
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// The operator's private hosts, parsed once.
#[derive(Debug, Clone)]
pub(super) struct PrivateHosts(Vec<(HostName, PrivateHost)>);

impl PrivateHosts {
    pub(super) fn of(policy: &EgressPolicy) -> Result<Self, EgressConfigError> {
        let parse = |entry: &PrivateHost| {
            HostName::parse(&entry.host)
                .map(|host| (host, entry.clone()))
                .ok_or_else(|| EgressConfigError::PrivateHost(entry.host.clone()))
        };
        policy
            .private_hosts
            .iter()
            .map(parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// The entries that open this host and port to a connector.
    fn opened_to<'a>(
        &'a self,
        connector: &'a str,
        origin: &'a Origin,
    ) -> impl Iterator<Item = &'a PrivateHost> {
        self.0
            .iter()
            .filter(move |(host, entry)| {
                *host == origin.host
                    && entry.port.is_none_or(|port| port == origin.port)
                    && entry.connectors.contains(connector)
            })
            .map(|(_, entry)| entry)
    }
}

/// Proof that a target fits the call's grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Permit {
    /// Whether addresses may be used that only an operator can open.
    pub private: bool,
    /// Whether only `open_web` covers the target: no credentials, no body.
    pub open_web: bool,
}

/// Matches a target and a method against a grant.
pub(super) fn permit(
    policy: &EgressPolicy,
    private: &PrivateHosts,
    grant: &CallGrant,
    target: &Target,
    method: &str,
    headers: &HeaderMap,
) -> Result<Permit, Failure> {
    let overrides: Vec<String> = headers
        .keys()
        .map(|name| folded(name.as_str()))
        .filter(|name| is_override(name))
        .collect();
    let host = &target.origin.host;
    if !METHODS.contains(&method) {
        return Err(Failure::denied(
            "method_not_allowed",
            format!("a request to `{host}` uses a method that is not allowed"),
        ));
    }
    let mut opened = private
        .opened_to(&grant.connector, &target.origin)
        .peekable();
    let named = opened.peek().is_some();
    let named_for_open_web = opened.any(|entry| entry.open_web);
    let mut refusal = Refusal::Host;
    for rule in grant.rules.iter().filter(|rule| rule.host == *host) {
        match judge(rule, target, method, &overrides) {
            Ok(()) => {
                return Ok(Permit {
                    private: named && (!rule.from_setting || rule.private_opt_in),
                    open_web: false,
                });
            }
            Err(found) => refusal = refusal.max(found),
        }
    }
    if grant.open_web && policy.open_web.contains(&grant.connector) {
        // A host and port that the operator names are exempt from the port rule of the open web.
        if !(named_for_open_web || matches!(target.origin.port, 80 | 443)) {
            refusal = refusal.max(Refusal::Port);
        } else if !matches!(method, "GET" | "HEAD") {
            refusal = refusal.max(Refusal::Method);
        } else if !overrides.is_empty() {
            refusal = refusal.max(Refusal::Override);
        } else {
            return Ok(Permit {
                private: named_for_open_web,
                open_web: true,
            });
        }
    }
    Err(refusal.failure(target, method))
}

fn judge(
    rule: &EgressRule,
    target: &Target,
    method: &str,
    overrides: &[String],
) -> Result<(), Refusal> {
    if rule.scheme != target.origin.scheme {
        Err(Refusal::Scheme)
    } else if rule.port != target.origin.port {
        Err(Refusal::Port)
    } else if !rule.methods.iter().any(|m| m == method) {
        Err(Refusal::Method)
    } else if !(rule.path_prefixes.is_empty()
        || rule.path_prefixes.iter().any(|p| target.has_path_prefix(p)))
    {
        Err(Refusal::Path)
    } else if !overrides
        .iter()
        .all(|name| rule.override_headers.contains(name))
    {
        Err(Refusal::Override)
    } else {
        Ok(())
    }
}

/// How far the best-matching rule got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Refusal {
    Host,
    Scheme,
    Port,
    Method,
    Path,
    Override,
}

impl Refusal {
    fn failure(self, target: &Target, method: &str) -> Failure {
        let Origin { scheme, host, port } = &target.origin;
        match self {
            Self::Host => Failure::denied(
                "host_not_allowed",
                format!("the host `{host}` is not allowed"),
            ),
            Self::Scheme => Failure::denied(
                "scheme_not_allowed",
                format!("`{}` is not allowed for `{host}`", scheme.as_str()),
            ),
            Self::Port => Failure::denied(
                "port_not_allowed",
                format!("port {port} is not allowed for `{host}`"),
            ),
            Self::Method => Failure::denied(
                "method_not_allowed",
                format!("{method} is not allowed for `{host}`"),
            ),
            Self::Path => Failure::denied(
                "path_not_allowed",
                format!("the path is not allowed for `{host}`"),
            ),
            Self::Override => Failure::denied(
                "header_not_allowed",
                format!(
                    "a header that overrides the method, path or host is not allowed for `{host}`"
                ),
            ),
        }
    }
}
