//! Whether a call may send a request to a target at all: the manifest's rules, the `open_web`
//! grant, and the operator's list of private hosts. Addresses are judged later, when they are known.

use gtm_domain::Failure;

use super::grant::{CallGrant, EgressRule};
use super::policy::{EgressConfigError, EgressPolicy};
use super::target::{HostName, Origin, Target};

/// Methods that exist at the gate.
const METHODS: [&str; 6] = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"];

/// The operator's private hosts, parsed once.
#[derive(Debug, Clone)]
pub(super) struct PrivateHosts(Vec<(HostName, Option<u16>)>);

impl PrivateHosts {
    pub(super) fn of(policy: &EgressPolicy) -> Result<Self, EgressConfigError> {
        let parse = |p: &super::policy::PrivateHost| {
            HostName::parse(&p.host)
                .map(|host| (host, p.port))
                .ok_or_else(|| EgressConfigError::PrivateHost(p.host.clone()))
        };
        policy
            .private_hosts
            .iter()
            .map(parse)
            .collect::<Result<_, _>>()
            .map(Self)
    }

    /// Whether the operator's configuration names this host and port.
    pub(super) fn name(&self, origin: &Origin) -> bool {
        self.0
            .iter()
            .any(|(host, port)| *host == origin.host && port.is_none_or(|p| p == origin.port))
    }
}

/// Proof that a target fits the call's grant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Permit {
    /// Whether addresses may be used that an operator may open.
    pub private: bool,
    /// Whether only `open_web` covers the target: no credentials, no body.
    pub open_web: bool,
}

/// Match a target and a method against a grant.
pub(super) fn permit(
    policy: &EgressPolicy,
    private: &PrivateHosts,
    grant: &CallGrant,
    target: &Target,
    method: &str,
) -> Result<Permit, Failure> {
    let host = &target.origin.host;
    if !METHODS.contains(&method) {
        return Err(Failure::denied(
            "method_not_allowed",
            format!("a request to `{host}` has a method that is not allowed"),
        ));
    }
    let named = private.name(&target.origin);
    let mut refusal = Refusal::Host;
    for rule in grant.rules.iter().filter(|rule| rule.host == *host) {
        match judge(rule, target, method) {
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
        // The operator's naming of a host and port stands in for the ports of the open web.
        if !(named || matches!(target.origin.port, 80 | 443)) {
            refusal = refusal.max(Refusal::Port);
        } else if matches!(method, "GET" | "HEAD") {
            return Ok(Permit {
                private: named,
                open_web: true,
            });
        } else {
            refusal = refusal.max(Refusal::Method);
        }
    }
    Err(refusal.failure(target, method))
}

fn judge(rule: &EgressRule, target: &Target, method: &str) -> Result<(), Refusal> {
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
    } else {
        Ok(())
    }
}

/// How far the best rule got.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Refusal {
    Host,
    Scheme,
    Port,
    Method,
    Path,
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
        }
    }
}
