//! The parts of the manifest that say where a plug-in may go and with which credentials: `egress`, `auth`,
//! `credential_fields`, `verification`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UrlScheme {
    /// Plain HTTP.
    Http,
    /// HTTP over TLS.
    #[default]
    Https,
}

impl UrlScheme {
    /// The scheme as it appears in a URL.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
    /// The port of a URL with this scheme that names none.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Egress {
    /// Exact DNS name, or `${setting.<key>}` for a URL-valued setting, which then provides scheme, host,
    /// port and path prefix.
    pub host: String,
    /// The scheme's default if absent.
    #[serde(default)]
    pub port: Option<u16>,
    #[serde(default)]
    pub scheme: UrlScheme,
    /// In upper case; GET and HEAD if absent.
    #[serde(default = "default_methods")]
    pub methods: Vec<String>,
    /// A path must have one of these prefixes; empty allows any path.
    #[serde(default)]
    pub path_prefixes: Vec<String>,
    /// Headers such as `X-HTTP-Method-Override`, which make a server treat a request as another one, that
    /// requests to this host may carry.
    #[serde(default)]
    pub override_headers: Vec<String>,
    /// Whether the host may be in a private network, if the operator opts in as well.
    #[serde(default)]
    pub private_network: Option<PrivateNetwork>,
}

fn default_methods() -> Vec<String> {
    vec!["GET".to_owned(), "HEAD".to_owned()]
}

/// When private addresses may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrivateNetwork {
    /// Only if the operator's configuration names the host.
    OperatorOptIn,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    /// A request names one of them by its id.
    pub schemes: Vec<CredentialScheme>,
}

/// How the host applies credentials to a request.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "snake_case", deny_unknown_fields)]
pub enum CredentialScheme {
    /// Nothing is applied.
    None {},
    /// A key in a header or query parameter.
    ApiKey(AppliedScheme),
    /// User and password.
    Basic(AppliedScheme),
    /// A bearer token.
    Bearer(AppliedScheme),
    /// A token that the host obtains with client credentials.
    Oauth2ClientCredentials(Oauth2Scheme),
}

impl CredentialScheme {
    /// Id by which a request names the scheme; `none` has no id.
    #[must_use]
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::None {} => None,
            Self::ApiKey(s) | Self::Basic(s) | Self::Bearer(s) => Some(&s.id),
            Self::Oauth2ClientCredentials(s) => Some(&s.id),
        }
    }
    /// Hosts that may receive the scheme's credentials, as listed in `egress`.
    #[must_use]
    pub fn hosts(&self) -> &[String] {
        match self {
            Self::None {} => &[],
            Self::ApiKey(s) | Self::Basic(s) | Self::Bearer(s) => &s.hosts,
            Self::Oauth2ClientCredentials(s) => &s.hosts,
        }
    }
    /// What is injected into a request.
    #[must_use]
    pub fn inject(&self) -> &[Injection] {
        match self {
            Self::None {} => &[],
            Self::ApiKey(s) | Self::Basic(s) | Self::Bearer(s) => &s.inject,
            Self::Oauth2ClientCredentials(s) => &s.inject,
        }
    }
}

/// A scheme whose values come straight from the credentials.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AppliedScheme {
    /// Id by which a request names the scheme.
    pub id: String,
    /// Hosts that may receive the credentials.
    pub hosts: Vec<String>,
    /// What is injected into a request.
    pub inject: Vec<Injection>,
}

/// A scheme whose token the host obtains first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oauth2Scheme {
    /// Id by which a request names the scheme.
    pub id: String,
    /// Hosts that may receive the token.
    pub hosts: Vec<String>,
    /// How to obtain the token.
    pub token_request: TokenRequest,
    /// What is injected into a request.
    pub inject: Vec<Injection>,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// Token endpoint; its host must be in `egress`.
    pub url: String,
    /// Where client id and secret go.
    pub client_auth: ClientAuth,
    #[serde(default)]
    pub scope: Option<String>,
    /// Settings filled from the token response, by JSON pointer.
    #[serde(default)]
    pub response_settings: BTreeMap<String, String>,
}

/// Where client id and secret go in a token request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ClientAuth {
    /// HTTP basic authentication.
    Basic,
    /// Form fields.
    Body,
}

/// One value that the host injects into a request, last of all.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Injection {
    #[serde(rename = "in")]
    pub place: InjectionPlace,
    pub name: String,
    /// Template; see [`super::template`].
    pub value: String,
}

/// Where a value is injected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InjectionPlace {
    Header,
    Query,
}

/// One credential of a connection.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CredentialField {
    /// Name in templates and in the connection.
    pub key: String,
    /// Label for people.
    pub label: String,
    /// Help for people.
    pub description: String,
    /// Environment variables from which the CLI offers to read it.
    pub environment_aliases: Vec<String>,
    /// Whether every connection must have it.
    pub required: bool,
    /// A connection with this setting may omit it; only for a field that is not `required`.
    #[serde(default)]
    pub required_unless: Option<SettingValue>,
    pub secret: bool,
    /// Regular expression of valid values.
    #[serde(default)]
    pub pattern: Option<String>,
    /// Example for people; never a real value.
    #[serde(default)]
    pub example: Option<String>,
}

impl CredentialField {
    /// Whether a connection with these settings needs it.
    #[must_use]
    pub fn needed_with(&self, settings: &Value) -> bool {
        self.required
            || self
                .required_unless
                .as_ref()
                .is_some_and(|unless| settings.get(&unless.setting) != Some(&unless.equals))
    }
}

/// A setting and one of its possible values.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingValue {
    pub setting: String,
    pub equals: Value,
}

/// The host's own request that shows whether credentials work.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// What to send.
    pub request: VerificationRequest,
    /// Answers that show that the credentials work.
    pub valid: Match,
    /// Answers that show that they do not; everything else is inconclusive.
    pub invalid: Match,
    /// Whether the provider charges for it.
    #[serde(default)]
    pub billable: bool,
    /// Time limit in milliseconds.
    #[serde(default = "default_verification_timeout")]
    pub timeout_ms: u64,
    /// Quota figures by JSON pointer.
    #[serde(default)]
    pub quota: BTreeMap<String, String>,
}

const fn default_verification_timeout() -> u64 {
    8_000
}

#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationRequest {
    /// Upper-case method.
    pub method: String,
    /// URL, with `${setting.…}` if the host is configured.
    pub url: String,
    /// Headers other than credentials.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// JSON body.
    #[serde(default)]
    pub body: Option<Value>,
    /// Credential scheme to apply; the first one if absent.
    #[serde(default)]
    pub credential: Option<String>,
}

/// A pattern for an answer; all members that are present must match.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// The answer must have one of these statuses.
    #[serde(default)]
    pub statuses: Option<Vec<u16>>,
    /// JSON pointer that must exist in the body.
    #[serde(default)]
    pub pointer: Option<String>,
    /// The value that must be found at `pointer`.
    #[serde(default)]
    pub equals: Option<Value>,
}
