//! Tokens of `oauth2_client_credentials` schemes: asked for through the gate itself, kept until
//! shortly before they expire, never shown to a guest and never in a receipt.

use std::collections::HashMap;
use std::future::Future;
use std::pin::Pin;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_domain::{Digest, Failure, FailureKind};
use serde_json::Value;
use tokio::time::Instant;
use zeroize::Zeroizing;

use super::exchange::HttpRequest;
use super::gate::EgressGate;
use super::grant::CallGrant;
use super::inject;
use super::verify::render_url;
use crate::credentials::Credentials;
use crate::manifest::{ClientAuth, Oauth2Scheme};

/// Names of the two credentials that such a scheme needs.
const CLIENT_ID: &str = "client_id";
const CLIENT_SECRET: &str = "client_secret";
/// A token is not used in its last seconds.
const MARGIN: Duration = Duration::from_secs(30);
/// Lifetime of a token whose issuer names none.
const DEFAULT_LIFETIME: Duration = Duration::from_secs(300);
/// Tokens kept at most.
const MAX_TOKENS: usize = 10_000;
/// Bytes of a token answer at most.
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

pub(super) type Token = Zeroizing<String>;

/// Tokens by what they were asked for with.
#[derive(Default)]
pub(super) struct TokenCache(Mutex<HashMap<Digest, (Token, Instant)>>);

impl TokenCache {
    /// A token for this call's credentials.
    pub(super) fn token<'a>(
        &'a self,
        gate: &'a EgressGate,
        grant: &'a CallGrant,
        scheme: &'a Oauth2Scheme,
    ) -> Pin<Box<dyn Future<Output = Result<Token, Failure>> + Send + 'a>> {
        Box::pin(async move {
            let (key, url) = Self::key(grant, scheme)?;
            if let Some(token) = self.kept(&key) {
                return Ok(token);
            }
            let (token, lifetime) = ask(gate, grant, scheme, url).await?;
            self.keep(key, token.clone(), lifetime);
            Ok(token)
        })
    }

    fn kept(&self, key: &Digest) -> Option<Token> {
        self.lock()
            .get(key)
            .filter(|(_, until)| *until > Instant::now())
            .map(|(token, _)| token.clone())
    }

    fn keep(&self, key: Digest, token: Token, lifetime: Duration) {
        let mut tokens = self.lock();
        tokens.retain(|_, (_, until)| *until > Instant::now());
        if tokens.len() < MAX_TOKENS {
            tokens.insert(
                key,
                (token, Instant::now() + lifetime.saturating_sub(MARGIN)),
            );
        }
    }

    /// A token that was asked for before and still serves, if there is one.
    pub(super) fn known(&self, grant: &CallGrant, scheme: &Oauth2Scheme) -> Option<Token> {
        let (key, _) = Self::key(grant, scheme).ok()?;
        self.kept(&key)
    }

    /// The provider refused the token: the next request asks for another.
    pub(super) fn forget(&self, grant: &CallGrant, scheme: &Oauth2Scheme) {
        if let Ok((key, _)) = Self::key(grant, scheme) {
            self.lock().remove(&key);
        }
    }

    fn key(grant: &CallGrant, scheme: &Oauth2Scheme) -> Result<(Digest, String), Failure> {
        if !scheme.token_request.response_settings.is_empty() {
            return Err(Failure::new(
                FailureKind::Internal,
                "credential_scheme_unsupported",
                "settings from a token response are not supported by this host",
            ));
        }
        let url = render_url(grant, &scheme.token_request.url)?;
        let parts = Zeroizing::new(
            serde_json::json!([
                grant.connector,
                scheme.id,
                url,
                scheme.token_request.scope,
                inject::credential(grant, CLIENT_ID)?,
                inject::credential(grant, CLIENT_SECRET)?,
            ])
            .to_string(),
        );
        Ok((Digest::of(parts.as_bytes()), url))
    }

    fn lock(&self) -> MutexGuard<'_, HashMap<Digest, (Token, Instant)>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn request(grant: &CallGrant, scheme: &Oauth2Scheme, url: String) -> Result<HttpRequest, Failure> {
    let (id, secret) = (
        inject::credential(grant, CLIENT_ID)?,
        inject::credential(grant, CLIENT_SECRET)?,
    );
    let mut form = url::form_urlencoded::Serializer::new(String::new());
    form.append_pair("grant_type", "client_credentials");
    if let Some(scope) = &scheme.token_request.scope {
        form.append_pair("scope", scope);
    }
    let mut headers = vec![
        (
            "content-type".to_owned(),
            "application/x-www-form-urlencoded".to_owned(),
        ),
        ("accept".to_owned(), "application/json".to_owned()),
    ];
    match scheme.token_request.client_auth {
        ClientAuth::Body => {
            form.append_pair(CLIENT_ID, id)
                .append_pair(CLIENT_SECRET, secret);
        }
        ClientAuth::Basic => headers.push((
            "authorization".to_owned(),
            format!("Basic {}", STANDARD.encode(format!("{id}:{secret}"))),
        )),
    }
    Ok(HttpRequest {
        headers,
        max_body_bytes: Some(MAX_ANSWER_BYTES),
        ..HttpRequest::post(url, form.finish())
    })
}

async fn ask(
    gate: &EgressGate,
    grant: &CallGrant,
    scheme: &Oauth2Scheme,
    url: String,
) -> Result<(Token, Duration), Failure> {
    let request = request(grant, scheme, url)?;
    // The host's own request: it holds the credentials itself and its answer is for the host alone, so
    // there is no scheme to apply and no secret to look for. Nothing is charged twice, and there is no
    // way past the rules.
    let own = CallGrant {
        schemes: Vec::new(),
        credentials: Credentials::new(),
        open_web: false,
        idempotency: None,
        replay_safe: true,
        ..grant.clone()
    };
    let response = gate.send(&own, request).await.result?;
    let refused = |kind| {
        Failure::new(
            kind,
            "token_request_failed",
            format!("the token endpoint answered {}", response.status),
        )
    };
    match response.status {
        200 | 201 => {}
        400 | 401 | 403 => return Err(refused(FailureKind::Unauthorized)),
        _ => return Err(refused(FailureKind::Upstream)),
    }
    let answer: Value =
        serde_json::from_slice(&response.body).map_err(|_| refused(FailureKind::Upstream))?;
    let token = answer
        .get("access_token")
        .and_then(Value::as_str)
        .filter(|t| !t.is_empty())
        .ok_or_else(|| refused(FailureKind::Upstream))?;
    let lifetime = answer
        .get("expires_in")
        .and_then(Value::as_u64)
        .map_or(DEFAULT_LIFETIME, Duration::from_secs);
    Ok((
        Zeroizing::new(token.to_owned()),
        lifetime.min(Duration::from_secs(86_400)),
    ))
}
