//! What one plug-in call may do at the gate: the egress and credential parts of the manifest, filled in
//! with the settings and credentials of this connection.

use std::sync::{Arc, OnceLock};

use gtm_domain::{Failure, FailureKind};
use serde_json::Value;
use tokio_util::sync::CancellationToken;

use super::budget::CallBudget;
use super::call_secrets::CallSecrets;
use super::limiter::LimitKey;
use super::reserved::folded;
use super::sendings::{SendingCounter, Sendings};
use super::target::{HostName, Target};
use crate::credentials::Credentials;
use crate::manifest::{CredentialScheme, Egress, Rate, RateHeaders, Retry, UrlScheme, template};

/// One host that a call may reach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EgressRule {
    pub scheme: UrlScheme,
    pub host: HostName,
    pub port: u16,
    /// In upper case.
    pub methods: Vec<String>,
    /// Paths must have one of these prefixes; empty allows any path.
    pub path_prefixes: Vec<String>,
    /// Override headers that requests may carry, folded ([`super::reserved`]).
    pub override_headers: Vec<String>,
    /// Whether the host comes from a setting, which a tenant chooses, and not from the manifest.
    pub from_setting: bool,
    /// Whether the manifest allows the host to be private. A host from a setting needs this *and* the
    /// operator's configuration; a host in the manifest needs only the latter.
    pub private_opt_in: bool,
}

/// Everything that the gate needs to know about one call.
#[derive(Debug, Clone)]
pub struct CallGrant {
    /// Key of the connector.
    pub connector: String,
    pub rules: Vec<EgressRule>,
    /// Whether the manifest asks for `open_web`. It takes effect only if the operator grants it too.
    pub open_web: bool,
    /// Credential schemes of the manifest.
    pub schemes: Vec<CredentialScheme>,
    /// Settings of the connection.
    pub settings: Value,
    /// Credentials of the connection.
    pub credentials: Credentials,
    /// When to try again.
    pub retry: Retry,
    /// Names of the headers in which the provider says when to come back.
    pub rate_headers: RateHeaders,
    /// How much the provider lets through.
    pub rate: Arc<Rate>,
    /// Whose place in the provider's rate limit the call takes; without it, nothing waits.
    pub limit_key: Option<LimitKey>,
    /// Whether a request may be repeated although an earlier one may have been performed.
    pub replay_safe: bool,
    /// Header name and key by which the provider recognizes a repeated request; set by the gate.
    pub idempotency: Option<(String, String)>,
    pub budget: Arc<CallBudget>,
    /// Cancels every exchange of the call.
    pub cancel: CancellationToken,
    /// The secrets searched for in what the call sends and receives.
    pub(super) secrets: Arc<CallSecrets>,
    /// Why the call may send nothing more.
    pub(super) ended: Arc<OnceLock<Failure>>,
    /// What was sent, and what of it was never answered.
    pub(super) sendings: Arc<SendingCounter>,
}

/// What a grant is made from.
pub struct GrantParts<'a> {
    /// Key of the connector.
    pub connector: &'a str,
    /// The manifest's `egress`.
    pub egress: &'a [Egress],
    /// Whether the manifest's `grants` has `open_web`.
    pub open_web: bool,
    /// The manifest's `auth.schemes`.
    pub schemes: &'a [CredentialScheme],
    /// The manifest's `rate`.
    pub rate: &'a Rate,
    /// Whose place in the rate limit the call takes; `None` for the host's own probes.
    pub limit_key: Option<LimitKey>,
    /// Settings of the connection.
    pub settings: &'a Value,
    /// Credentials of the connection.
    pub credentials: Credentials,
    /// The operation's `replay_safe`.
    pub replay_safe: bool,
    /// Header name and key of the provider's idempotency, if it has any.
    pub idempotency: Option<(String, String)>,
    pub budget: Arc<CallBudget>,
    pub cancel: CancellationToken,
}

impl CallGrant {
    /// Resolves `${setting.…}` hosts and assembles the grant. A rule whose setting is absent or null opens
    /// nothing.
    ///
    /// # Errors
    /// `invalid_setting` if a setting that names a host holds neither an http(s) URL nor a host.
    pub fn for_call(parts: GrantParts<'_>) -> Result<Self, Failure> {
        let mut rules = Vec::new();
        for egress in parts.egress {
            rules.extend(rule(egress, parts.settings)?);
        }
        Ok(Self {
            connector: parts.connector.to_owned(),
            rules,
            open_web: parts.open_web,
            schemes: parts.schemes.to_vec(),
            settings: parts.settings.clone(),
            credentials: parts.credentials,
            retry: parts.rate.retry.clone(),
            rate_headers: parts.rate.headers.clone(),
            rate: Arc::new(parts.rate.clone()),
            limit_key: parts.limit_key,
            replay_safe: parts.replay_safe,
            idempotency: parts.idempotency,
            budget: parts.budget,
            cancel: parts.cancel,
            secrets: Arc::default(),
            ended: Arc::default(),
            sendings: Arc::default(),
        })
    }

    /// What the call has sent so far.
    #[must_use]
    pub fn sendings(&self) -> Sendings {
        self.sendings.read()
    }

    /// Fails every exchange of the call from here on: a secret turned up where none was sent, so somebody
    /// is guessing. The first such failure is the call's.
    pub(super) fn end(&self, failure: &Failure) {
        // The first reason stands; a second would change nothing.
        let _ = self.ended.set(failure.clone());
    }

    /// On whose behalf the call runs: a project, or the connector itself.
    pub(super) fn asker(&self) -> &str {
        let key = self.limit_key.as_ref();
        key.map_or(self.connector.as_str(), |key| &key.tenant)
    }

    /// Why the call was ended early, if it was.
    #[must_use]
    pub fn ended(&self) -> Option<&Failure> {
        self.ended.get()
    }
}

fn rule(egress: &Egress, settings: &Value) -> Result<Option<EgressRule>, Failure> {
    let port = egress.port.unwrap_or(egress.scheme.default_port());
    let mut rule = EgressRule {
        scheme: egress.scheme,
        host: HostName::Name(String::new()),
        port,
        methods: egress.methods.clone(),
        path_prefixes: egress.path_prefixes.clone(),
        override_headers: egress
            .override_headers
            .iter()
            .map(|name| folded(name))
            .collect(),
        from_setting: false,
        private_opt_in: egress.private_network.is_some(),
    };
    let Some(setting) = template::whole_setting(&egress.host) else {
        rule.host = HostName::parse(&egress.host).ok_or_else(|| {
            Failure::new(
                FailureKind::Internal,
                "invalid_manifest",
                "an egress host of the manifest is not a valid host",
            )
        })?;
        return Ok(Some(rule));
    };
    let Some(place) = setting_place(&setting, settings)? else {
        return Ok(None);
    };
    rule.from_setting = true;
    match place {
        SettingPlace::Url(target) => {
            rule.scheme = target.origin.scheme;
            rule.host = target.origin.host.clone();
            rule.port = target.origin.port;
            let base = target.url.path().trim_end_matches('/');
            rule.path_prefixes = if rule.path_prefixes.is_empty() {
                vec![format!("{base}/")]
            } else {
                rule.path_prefixes
                    .iter()
                    .map(|prefix| format!("{base}{prefix}"))
                    .collect()
            };
        }
        SettingPlace::Host(host) => rule.host = host,
    }
    Ok(Some(rule))
}

/// The place that a setting names.
pub(super) enum SettingPlace {
    /// A URL: scheme, host, port and path all come from it.
    Url(Target),
    /// A bare host: scheme and port come from the manifest.
    Host(HostName),
}

/// Reads a setting that names a place. `None` if it is absent or null.
pub(super) fn setting_place(key: &str, settings: &Value) -> Result<Option<SettingPlace>, Failure> {
    let invalid = || {
        Failure::new(
            FailureKind::InvalidInput,
            "invalid_setting",
            format!("the setting `{key}` must be an http or https URL without a query"),
        )
    };
    match settings.get(key) {
        None | Some(Value::Null) => Ok(None),
        Some(Value::String(text)) if text.contains("://") => {
            let target = Target::parse(text).map_err(|_| invalid())?;
            if target.url.query().is_some() {
                return Err(invalid());
            }
            Ok(Some(SettingPlace::Url(target)))
        }
        Some(Value::String(text)) => HostName::parse(text)
            .map(|h| Some(SettingPlace::Host(h)))
            .ok_or_else(invalid),
        Some(_) => Err(invalid()),
    }
}
