//! Obtains tokens of `oauth2_client_credentials` schemes, through the gate itself.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use gtm_domain::{Failure, FailureKind};
use serde_json::Value;
use zeroize::Zeroizing;

use super::call_secrets::Token;
use super::exchange::HttpRequest;
use super::gate::EgressGate;
use super::grant::CallGrant;
use super::inject::{self, CLIENT_ID, CLIENT_SECRET};
use super::token::{MAX_TOKEN_BYTES, TokenCache};
use crate::credentials::Credentials;
use crate::manifest::{ClientAuth, Oauth2Scheme};

/// Maximum length of a token answer, in bytes.
const MAX_ANSWER_BYTES: u64 = 64 * 1024;

/// A token for this call's credentials: one that is still usable, or a new one.
pub(super) fn token<'a>(
    gate: &'a EgressGate,
    grant: &'a CallGrant,
    scheme: &'a Oauth2Scheme,
) -> Pin<Box<dyn Future<Output = Result<Token, Failure>> + Send + 'a>> {
    Box::pin(async move {
        let tokens = &gate.0.tokens;
        let (key, url) = TokenCache::key(grant, scheme)?;
        if let Some(token) = tokens.serving(&key) {
            return Ok(token);
        }
        let (token, lifetime) = ask(gate, grant, scheme, url).await?;
        tokens.keep(key, Arc::clone(&token), lifetime);
        Ok(token)
    })
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
) -> Result<(Token, Option<Duration>), Failure> {
    let request = request(grant, scheme, url)?;
    // The host's own request: it holds the credentials itself and its answer is for the host alone, so
    // there is no scheme to apply and no secret to search for. It is charged once and follows the same
    // rules as any other.
    let own = CallGrant {
        schemes: Vec::new(),
        credentials: Credentials::new(),
        secrets: Arc::default(),
        open_web: false,
        idempotency: None,
        replay_safe: true,
        // Nobody is billed for a token.
        sendings: Arc::default(),
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
    if token.len() > MAX_TOKEN_BYTES {
        return Err(Failure::new(
            FailureKind::Upstream,
            "token_request_failed",
            format!(
                "the token endpoint answered with a token of more than {MAX_TOKEN_BYTES} bytes"
            ),
        ));
    }
    let token = Arc::new(Zeroizing::new(token.to_owned()));
    Ok((token, lifetime(&answer)))
}

/// How long a token lasts, if its issuer says so. Zero counts as not stated: nobody issues a useless token,
/// and one that counted as expired at once would not be treated as a secret.
fn lifetime(answer: &Value) -> Option<Duration> {
    let seconds = answer.get("expires_in").and_then(Value::as_u64);
    seconds
        .filter(|seconds| *seconds > 0)
        .map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_lifetime_of_zero_is_none() {
        for (said, wanted) in [
            (serde_json::json!({ "expires_in": 0 }), None),
            (serde_json::json!({}), None),
            (serde_json::json!({ "expires_in": "3600" }), None),
            (
                serde_json::json!({ "expires_in": 1 }),
                Some(Duration::from_secs(1)),
            ),
        ] {
            assert_eq!(lifetime(&said), wanted, "{said}");
        }
    }
}
