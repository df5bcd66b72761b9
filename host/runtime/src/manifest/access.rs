//! The manifest's parts that say where a plug-in may go and with which credentials: `egress`, `auth`,
//! `credential_fields`, `verification`.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// URL scheme of an egress rule.
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
    /// As it stands in a URL.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Http => "http",
            Self::Https => "https",
        }
    }
    /// The port that a URL of this scheme has when it names none.
    #[must_use]
    pub const fn default_port(self) -> u16 {
        match self {
            Self::Http => 80,
            Self::Https => 443,
        }
    }
}

/// One host that a connector may reach.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Egress {
    /// Exact DNS name, or `${setting.<key>}` for a URL-valued setting that then gives scheme, host,
    /// port and path prefix.
    pub host: String,
    /// Port; the scheme's own if absent.
    #[serde(default)]
    pub port: Option<u16>,
    /// Scheme.
    #[serde(default)]
    pub scheme: UrlScheme,
    /// Upper-case methods; GET and HEAD if absent.
    #[serde(default = "default_methods")]
    pub methods: Vec<String>,
    /// Prefixes of which a path must have one; any path if empty.
    #[serde(default)]
    pub path_prefixes: Vec<String>,
    /// Headers by which a request asks the server to take it for another, such as
    /// `X-HTTP-Method-Override`, that requests to this host may carry all the same.
    #[serde(default)]
    pub override_headers: Vec<String>,
    /// Whether the host may lie in a private network, if the operator opts in as well.
    #[serde(default)]
    pub private_network: Option<PrivateNetwork>,
}

fn default_methods() -> Vec<String> {
    vec!["GET".to_owned(), "HEAD".to_owned()]
}

/// Whether private addresses may be reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PrivateNetwork {
    /// Only where the operator's configuration names the host.
    OperatorOptIn,
}

/// Credential schemes.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Auth {
    /// The schemes; a request names one by its id.
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
    /// A token that the host gets with client credentials.
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
    /// Hosts to which the scheme's credentials may go, as they stand in `egress`.
    #[must_use]
    pub fn hosts(&self) -> &[String] {
        match self {
            Self::None {} => &[],
            Self::ApiKey(s) | Self::Basic(s) | Self::Bearer(s) => &s.hosts,
            Self::Oauth2ClientCredentials(s) => &s.hosts,
        }
    }
    /// What is put into a request.
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
    /// Hosts to which the credentials may go.
    pub hosts: Vec<String>,
    /// What is put into a request.
    pub inject: Vec<Injection>,
}

/// A scheme whose token the host asks for first.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Oauth2Scheme {
    /// Id by which a request names the scheme.
    pub id: String,
    /// Hosts to which the token may go.
    pub hosts: Vec<String>,
    /// How to get the token.
    pub token_request: TokenRequest,
    /// What is put into a request.
    pub inject: Vec<Injection>,
}

/// The request for a token.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TokenRequest {
    /// Token endpoint; its host stands in `egress`.
    pub url: String,
    /// Where client id and secret go.
    pub client_auth: ClientAuth,
    /// Scope to ask for.
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

/// One value that the host puts into a request, last of all.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Injection {
    /// Header or query parameter.
    #[serde(rename = "in")]
    pub place: InjectionPlace,
    /// Name of the header or parameter.
    pub name: String,
    /// Template; see [`super::template`].
    pub value: String,
}

/// Where a value goes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum InjectionPlace {
    /// A request header.
    Header,
    /// A query parameter.
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
    /// Whether a connection is never without it.
    pub required: bool,
    /// The setting with which a connection may be without it; of a field that is not `required`.
    #[serde(default)]
    pub required_unless: Option<SettingValue>,
    /// Whether it is a secret.
    pub secret: bool,
    /// Regular expression of valid values.
    #[serde(default)]
    pub pattern: Option<String>,
    /// Example for people; never a real value.
    #[serde(default)]
    pub example: Option<String>,
}

impl CredentialField {
    /// Whether a connection with these settings is incomplete without it.
    #[must_use]
    pub fn needed_with(&self, settings: &Value) -> bool {
        self.required
            || self
                .required_unless
                .as_ref()
                .is_some_and(|unless| settings.get(&unless.setting) != Some(&unless.equals))
    }
}

/// A setting and a value that it may have.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SettingValue {
    /// Name of the setting.
    pub setting: String,
    /// The value.
    pub equals: Value,
}

/// The host's own request that shows whether credentials work.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Verification {
    /// What to send.
    pub request: VerificationRequest,
    /// Answers that show the credentials are good.
    pub valid: Match,
    /// Answers that show they are bad; everything else is inconclusive.
    pub invalid: Match,
    /// Whether the provider charges for it.
    #[serde(default)]
    pub billable: bool,
    /// Bound in milliseconds.
    #[serde(default = "default_verification_timeout")]
    pub timeout_ms: u64,
    /// Quota figures by JSON pointer.
    #[serde(default)]
    pub quota: BTreeMap<String, String>,
}

const fn default_verification_timeout() -> u64 {
    8_000
}

/// The request of a verification.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct VerificationRequest {
    /// Upper-case method.
    pub method: String,
    /// URL, with `${setting.…}` where a host is configured.
    pub url: String,
    /// Headers without any credential.
    #[serde(default)]
    pub headers: BTreeMap<String, String>,
    /// JSON body.
    #[serde(default)]
    pub body: Option<Value>,
    /// Credential scheme to apply; the first one if absent.
    #[serde(default)]
    pub credential: Option<String>,
}

/// A pattern over an answer; all members that are present must hold.
#[derive(Debug, Clone, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Match {
    /// Statuses of which the answer has one.
    #[serde(default)]
    pub statuses: Option<Vec<u16>>,
    /// JSON pointer that must exist in the body.
    #[serde(default)]
    pub pointer: Option<String>,
    /// Value that must stand at `pointer`.
    #[serde(default)]
    pub equals: Option<Value>,
}
