//! Injects credentials into a request, last of all and only for the hosts of their scheme.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_domain::{Failure, FailureKind};
use http::{HeaderName, HeaderValue};
use secrecy::ExposeSecret;
use serde_json::Value;
use zeroize::Zeroizing;

use super::grant::{CallGrant, SettingPlace, setting_place};
use super::target::{HostName, Origin};
use crate::manifest::template::{self, Piece};
use crate::manifest::{CredentialScheme, InjectionPlace, UrlScheme};

/// Names of the two credentials that an `oauth2_client_credentials` scheme needs.
pub(super) const CLIENT_ID: &str = "client_id";
pub(super) const CLIENT_SECRET: &str = "client_secret";

/// What a scheme adds to a request.
#[derive(Default)]
pub(super) struct Injected {
    /// Marked sensitive.
    pub headers: Vec<(HeaderName, HeaderValue)>,
    pub query: Vec<(String, Zeroizing<String>)>,
    /// The injected credentials, and the name of the client a token was issued to, without the text that a
    /// manifest or a setting puts around them: its author could place guesses there.
    pub credentials: Vec<Zeroizing<String>>,
}

/// The scheme that a request names.
pub(super) fn scheme<'a>(grant: &'a CallGrant, id: &str) -> Result<&'a CredentialScheme, Failure> {
    grant
        .schemes
        .iter()
        .find(|s| s.id() == Some(id))
        .ok_or_else(|| {
            Failure::denied(
                "credential_scheme_unknown",
                "the manifest has no credential scheme with that id",
            )
        })
}

/// Whether a scheme's credentials may go to an origin.
pub(super) fn may_go_to(
    grant: &CallGrant,
    scheme: &CredentialScheme,
    origin: &Origin,
) -> Result<bool, Failure> {
    // A host without a scheme of its own gets credentials only over https and on the port of its rule,
    // whatever other rules there are for it.
    let guarded = |host: &HostName| {
        *host == origin.host
            && origin.scheme == UrlScheme::Https
            && grant.rules.iter().any(|rule| {
                rule.host == *host && rule.scheme == origin.scheme && rule.port == origin.port
            })
    };
    for host in scheme.hosts() {
        let fits = match template::whole_setting(host) {
            None => HostName::parse(host).is_some_and(|h| guarded(&h)),
            Some(key) => match setting_place(&key, &grant.settings)? {
                None => false,
                Some(SettingPlace::Url(target)) => target.origin == *origin,
                Some(SettingPlace::Host(h)) => guarded(&h),
            },
        };
        if fits {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Fills in a scheme's templates. `token` is the token of an `oauth2_client_credentials` scheme.
///
/// # Errors
/// `credential_host_not_allowed` off the scheme's hosts; `credential_missing` if a value is absent, in
/// which case the request is not sent.
pub(super) fn fill(
    grant: &CallGrant,
    scheme: &CredentialScheme,
    origin: &Origin,
    token: Option<&str>,
) -> Result<Injected, Failure> {
    if !may_go_to(grant, scheme, origin)? {
        return Err(Failure::denied(
            "credential_host_not_allowed",
            format!("this credential scheme is not for `{}`", origin.host),
        ));
    }
    let mut out = Injected::default();
    if let CredentialScheme::Oauth2ClientCredentials(_) = scheme {
        // The issuer knows the client by this name, and APIs return it beside the token: it is not a guess.
        out.credentials
            .push(Zeroizing::new(credential(grant, CLIENT_ID)?.to_owned()));
    }
    for injection in scheme.inject() {
        let value = render(grant, &injection.value, token, &mut out.credentials)?;
        match injection.place {
            InjectionPlace::Query => out.query.push((injection.name.clone(), value)),
            InjectionPlace::Header => {
                let name = HeaderName::from_bytes(injection.name.as_bytes())
                    .map_err(|_| invalid_manifest())?;
                let mut value = HeaderValue::from_bytes(value.as_bytes()).map_err(|_| {
                    Failure::new(FailureKind::InvalidInput, "credential_invalid", format!("the value for the header `{name}` holds a line break or control character"))
                })?;
                value.set_sensitive(true);
                out.headers.push((name, value));
            }
        }
    }
    Ok(out)
}

/// A template with its values filled in. The credentials among them are added to `used`.
fn render(
    grant: &CallGrant,
    text: &str,
    token: Option<&str>,
    used: &mut Vec<Zeroizing<String>>,
) -> Result<Zeroizing<String>, Failure> {
    let mut out = Zeroizing::new(String::new());
    let mut using = |value: &str| used.push(Zeroizing::new(value.to_owned()));
    for piece in template::parse(text).map_err(|_| invalid_manifest())? {
        match piece {
            Piece::Literal(text) => out.push_str(&text),
            Piece::Credential(key) => {
                let value = credential(grant, &key)?;
                using(value);
                out.push_str(value);
            }
            Piece::Setting(key) => out.push_str(&setting(&grant.settings, &key)?),
            Piece::Token => {
                let token = token.ok_or_else(|| missing("token"))?;
                using(token);
                out.push_str(token);
            }
            Piece::Basic { user, password } => {
                let pair = Zeroizing::new(format!(
                    "{}:{}",
                    credential(grant, &user)?,
                    credential(grant, &password)?
                ));
                using(&pair);
                STANDARD.encode_string(pair.as_bytes(), &mut out);
            }
        }
    }
    Ok(out)
}

pub(super) fn credential<'a>(grant: &'a CallGrant, key: &str) -> Result<&'a str, Failure> {
    grant
        .credentials
        .get(key)
        .map(|v| v.expose_secret())
        .ok_or_else(|| missing(key))
}

pub(super) fn setting(settings: &Value, key: &str) -> Result<String, Failure> {
    match settings.get(key) {
        Some(Value::String(text)) => Ok(text.clone()),
        Some(Value::Number(number)) => Ok(number.to_string()),
        _ => Err(Failure::new(
            FailureKind::InvalidInput,
            "setting_missing",
            format!("the setting `{key}` has no value"),
        )),
    }
}

fn missing(key: &str) -> Failure {
    Failure::new(
        FailureKind::CredentialMissing,
        "credential_missing",
        format!("the credential `{key}` has no value"),
    )
}

fn invalid_manifest() -> Failure {
    Failure::new(
        FailureKind::Internal,
        "invalid_manifest",
        "the manifest holds an injection that cannot be filled in",
    )
}
