//! Authentication, rate limit and permission as one extractor. A handler names what it requires in the type
//! of its argument, so it cannot run without the proof; the store requires the [`ProjectScope`] inside
//! before it touches tenant data.

use std::marker::PhantomData;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use gtm_domain::Capability;
use gtm_domain::{ApiKeySecret, Digest, ErrorCode, Permission};
use gtm_store::ProjectScope;
use http::HeaderMap;
use http::header::AUTHORIZATION;
use http::request::Parts;

use crate::api::Api;
use crate::context::RequestContext;
use crate::error::ApiError;
use crate::failed_authentications::Refusal;
use crate::rate_limit::exhausted_keys::WindowOwner;
use crate::rate_limit::{Decision, RatePolicy};
use crate::request_id;

mod counting;
mod lookup;

use counting::{admit, not_accepted};
use lookup::Lookup;

/// What an operation requires of its caller.
pub trait Requirement: Send + Sync + 'static {
    /// The key's permission: 403 `forbidden` without it.
    const PERMISSION: Permission;
    /// The capability that must be enabled: 403 `capability_disabled` otherwise.
    const CAPABILITY: Option<Capability> = None;
}

/// Proof that the caller is known, within its rate limit, and allowed to do `R`.
#[derive(Debug)]
pub struct Authorized<R> {
    scope: ProjectScope,
    requirement: PhantomData<R>,
}

impl<R> Authorized<R> {
    /// The project whose data may be touched.
    #[must_use]
    pub const fn scope(&self) -> &ProjectScope {
        &self.scope
    }
}

impl<R: Requirement> FromRequestParts<Api> for Authorized<R> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        let scope = caller(parts, api).await?;
        if !scope.permissions().allow(R::PERMISSION) {
            let message = format!("This key lacks the permission {}.", R::PERMISSION);
            return Err(ApiError::new(ErrorCode::Forbidden, message));
        }
        let enabled = |c: &Capability| api.offers(*c) && scope.capability_enabled(*c);
        if let Some(off) = R::CAPABILITY.filter(|capability| !enabled(capability)) {
            let message = format!(
                "The capability {} is not enabled for this organization.",
                off.key()
            );
            return Err(ApiError::new(ErrorCode::CapabilityDisabled, message));
        }
        api.contract().query_parameters().check(parts)?;
        Ok(Self {
            scope,
            requirement: PhantomData,
        })
    }
}

/// A request that no operation answers. Under `/v1` it still needs a key and counts, as every authenticated
/// request does (specification, Limits), so without a valid key a caller learns nothing more. Faults that
/// are possible on any path are reported before the missing path.
#[derive(Debug)]
pub struct Unserved;

impl FromRequestParts<Api> for Unserved {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, api: &Api) -> Result<Self, ApiError> {
        let path = parts.uri.path();
        if path == "/v1" || path.starts_with("/v1/") {
            caller(parts, api).await?;
        }
        Ok(Self)
    }
}

/// The caller, after all checks that apply to every path under `/v1`, in the specification's order.
async fn caller(parts: &Parts, api: &Api) -> Result<ProjectScope, ApiError> {
    let context = context_of(parts)?;
    let scope = identify(&parts.headers, api, &context).await?;
    if context.request_id_refused {
        return Err(ApiError::new(
            ErrorCode::MalformedRequest,
            format!(
                "X-Request-ID must be one value of 1 to 128 characters that matches {}.",
                request_id::PATTERN
            ),
        ));
    }
    Ok(scope.acting_for(context.origin()))
}

fn context_of(parts: &Parts) -> Result<Arc<RequestContext>, ApiError> {
    parts
        .extensions
        .get::<Arc<RequestContext>>()
        .cloned()
        .ok_or_else(|| ApiError::internal(&"a route stands outside the request context"))
}

/// The caller. The request is counted as soon as its key is known to be right, whatever happens to it
/// afterwards (specification, Limits).
async fn identify(
    headers: &HeaderMap,
    api: &Api,
    context: &RequestContext,
) -> Result<ProjectScope, ApiError> {
    let presented = bearer(headers)?;
    let key = ApiKeySecret::parse(presented).map_err(|_| not_accepted(Refusal::Invalid))?;
    let digest = Digest::of(presented.as_bytes());
    let mut counted = None;
    if let Some(owner) = api.exhausted_keys().owner(&digest, api.elapsed()) {
        let decision = admit(owner, api).await;
        if !decision.admitted {
            return Err(over_the_limit(owner, decision, context));
        }
        counted = Some(decision);
    }
    let lookup = Lookup::begin(digest, api, context.client()).await?;
    let caller = lookup.see_through(key, counted).await?;
    if !caller.decision.admitted {
        return Err(over_the_limit(caller.owner, caller.decision, context));
    }
    context.note_project(caller.owner.project);
    context.note_rate(caller.decision);
    caller.outcome
}

/// The text after `Bearer`.
fn bearer(headers: &HeaderMap) -> Result<&str, ApiError> {
    let missing = || {
        ApiError::new(
            ErrorCode::MissingApiKey,
            "Send the API key as Authorization: Bearer <API_KEY>.",
        )
    };
    let mut values = headers.get_all(AUTHORIZATION).iter();
    let value = values.next().ok_or_else(missing)?;
    if values.next().is_some() {
        return Err(ApiError::new(
            ErrorCode::InvalidApiKey,
            "Send one Authorization header, not several.",
        ));
    }
    let text = value.to_str().map_err(|_| missing())?;
    let (scheme, key) = text.trim().split_once(' ').ok_or_else(missing)?;
    let key = key.trim();
    if scheme.eq_ignore_ascii_case("bearer") && !key.is_empty() {
        Ok(key)
    } else {
        Err(missing())
    }
}

fn over_the_limit(owner: WindowOwner, decision: Decision, context: &RequestContext) -> ApiError {
    context.note_project(owner.project);
    context.note_rate(decision);
    let wait = decision.reset_seconds.max(1);
    let message = if decision.counted {
        let (limit, window) = (decision.limit, RatePolicy::WINDOW.as_secs());
        format!("More than {limit} requests in {window} seconds; wait {wait} s.")
    } else {
        format!("Requests cannot be counted at the moment, so none are served; wait {wait} s.")
    };
    ApiError::new(ErrorCode::RateLimitExceeded, message).with_retry_after(wait)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use http::HeaderValue;

    fn with(value: &'static str) -> HeaderMap {
        HeaderMap::from_iter([(AUTHORIZATION, HeaderValue::from_static(value))])
    }

    #[test]
    fn only_bearer_carries_a_key() {
        assert_eq!(bearer(&with("Bearer abc")).unwrap(), "abc");
        assert_eq!(bearer(&with("bearer  abc")).unwrap(), "abc");
        for other in ["", "Bearer", "Bearer ", "Basic abc", "abc", "Bearerabc"] {
            assert!(bearer(&with(other)).is_err(), "{other:?}");
        }
        assert!(bearer(&HeaderMap::new()).is_err());
    }
}
