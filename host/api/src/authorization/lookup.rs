//! One look-up of a key: whether it may run, and how it counts (decision 0040).

use std::net::IpAddr;

use gtm_domain::{ApiKeySecret, Digest, ErrorCode};
use gtm_store::{AuthError, ProjectScope};
use tracing::Instrument as _;

use super::counting::{admit, not_accepted, whose};
use crate::api::Api;
use crate::error::ApiError;
use crate::failed_authentications::{KeyDecision, Refusal};
use crate::lookup_turns::{LookupTurn, NoTurn};
use crate::rate_limit::Decision;
use crate::rate_limit::exhausted_keys::WindowOwner;
use crate::unawaited_lookups::UnderWay;

/// How soon a turn may come for a request that got none.
const NEXT_TURN: u64 = 1;

/// Permission to look a key up. If it is dropped without a result, it counts like a wrong key, because the
/// database did not answer.
pub(super) struct Lookup {
    api: Api,
    key: Digest,
    client: Option<IpAddr>,
    leave: Option<Leave>,
}

/// Why the key may be looked up.
enum Leave {
    /// It has a turn, which it returns after the look-up.
    Turn { _until_then: LookupTurn },
    /// It was right recently: it waits for nobody and does not count.
    Known,
}

/// A caller who is known, whose request has been counted if that was possible.
pub(super) struct Counted {
    pub(super) owner: WindowOwner,
    pub(super) decision: Decision,
    /// What happens to the request if the limit admits it.
    pub(super) outcome: Result<ProjectScope, ApiError>,
}

impl Lookup {
    /// Waits for a turn if one is needed. A request that gives up waiting, or waits in vain, has held a
    /// connection that could not be closed meanwhile, so it counts each time.
    ///
    /// # Errors
    /// The answer if the key is not to be looked up.
    pub(super) async fn begin(
        key: Digest,
        api: &Api,
        client: Option<IpAddr>,
    ) -> Result<Self, ApiError> {
        let with = |leave| Self {
            api: api.clone(),
            key,
            client,
            leave: Some(leave),
        };
        if needs_no_turn(&key, client, api)? {
            return Ok(with(Leave::Known));
        }
        // Created before it waits, because the client may disconnect meanwhile.
        let mut wait = Wait {
            api,
            client,
            is_in_vain: true,
        };
        let waited = api.lookup_turns().turn(client).await;
        wait.is_in_vain = matches!(waited, Err(NoTurn::InVain));
        drop(wait);
        let turn = waited.map_err(no_turn)?;
        // Meanwhile others from its address may have failed, or the key may have been found right.
        if needs_no_turn(&key, client, api)? {
            return Ok(with(Leave::Known));
        }
        Ok(with(Leave::Turn { _until_then: turn }))
    }

    /// Looks the key up and counts the request, unless `counted` says that it has been counted.
    ///
    /// DANGER: this must run to its end even if the client disconnects. Otherwise somebody who closes each
    /// connection before the answer could have keys looked up without end: nobody would learn the result,
    /// wrong keys would not be refused from memory, right ones would not reach their rate limit, and the
    /// turn would be free while the database is still busy.
    ///
    /// # Errors
    /// If the key is not accepted, or the database does not answer.
    pub(super) async fn see_through(
        self,
        secret: ApiKeySecret,
        counted: Option<Decision>,
    ) -> Result<Counted, ApiError> {
        let known = matches!(self.leave, Some(Leave::Known));
        let (awaited, under_way) = known
            .then(|| self.api.unawaited_lookups().begin(self.key))
            .unzip();
        let looking_up = self.look_up(secret, counted, under_way);
        let found = tokio::spawn(looking_up.in_current_span()).await;
        drop(awaited);
        found.unwrap_or_else(|fault| Err(ApiError::internal(&fault)))
    }

    async fn look_up(
        self,
        secret: ApiKeySecret,
        counted: Option<Decision>,
        under_way: Option<UnderWay>,
    ) -> Result<Counted, ApiError> {
        let (api, key) = (self.api.clone(), self.key);
        let found = api
            .engine()
            .store()
            .authenticate(&secret, self.client)
            .await;
        let looked_up = api.elapsed();
        // First, so that its turn ends: the rate limit may have to wait for Redis.
        self.end(&found);
        drop(under_way);
        let (owner, outcome) = whose(found)?;
        let decision = match counted {
            Some(decision) => decision,
            None => admit(owner, &api).await,
        };
        if !decision.admitted {
            api.exhausted_keys().note(key, owner, looked_up);
        }
        Ok(Counted {
            owner,
            decision,
            outcome,
        })
    }

    /// Counts the result of the look-up.
    fn end(mut self, found: &Result<ProjectScope, AuthError>) {
        let (failures, now) = (self.api.failed_authentications(), self.api.elapsed());
        let outcome = match found {
            Ok(_)
            | Err(AuthError::ProjectArchived { .. } | AuthError::AddressNotAllowed { .. }) => {
                failures.accepted(self.key, self.client, now);
                self.leave = None;
                "accepted"
            }
            Err(AuthError::Invalid) => {
                failures.refused(&self.key, self.client, Refusal::Invalid, now);
                self.leave = None;
                "refused"
            }
            Err(AuthError::Expired) => {
                failures.refused(&self.key, self.client, Refusal::Expired, now);
                self.leave = None;
                "refused"
            }
            Err(AuthError::Store(_)) => "failed",
        };
        metrics::counter!("gtm_api_key_lookups_total", "outcome" => outcome).increment(1);
    }
}

impl Drop for Lookup {
    fn drop(&mut self) {
        if matches!(self.leave, Some(Leave::Turn { .. })) {
            let failures = self.api.failed_authentications();
            failures.unanswered(&self.key, self.client, self.api.elapsed());
        }
    }
}

struct Wait<'a> {
    api: &'a Api,
    client: Option<IpAddr>,
    is_in_vain: bool,
}

impl Drop for Wait<'_> {
    fn drop(&mut self) {
        if self.is_in_vain {
            let failures = self.api.failed_authentications();
            failures.waited_in_vain(self.client, self.api.elapsed());
        }
    }
}

/// Whether the key was right recently, may be looked up at all, and has few look-ups running that nobody
/// waits for.
fn needs_no_turn(key: &Digest, client: Option<IpAddr>, api: &Api) -> Result<bool, ApiError> {
    let known = judged_known(key, client, api)?;
    Ok(known && api.unawaited_lookups().are_few(key))
}

/// Whether the key was right recently, if it may be looked up at all.
fn judged_known(key: &Digest, client: Option<IpAddr>, api: &Api) -> Result<bool, ApiError> {
    let (failures, now) = (api.failed_authentications(), api.elapsed());
    match failures.judge(key, client, now) {
        KeyDecision::LookUp => Ok(failures.is_known(key, now)),
        KeyDecision::Refuse(refusal) => Err(not_accepted(refusal)),
        KeyDecision::Wait(seconds) => Err(too_many_failures(seconds)),
    }
}

/// Says nothing about the key, because nothing is known about it.
fn too_many_failures(wait: u64) -> ApiError {
    let message = format!(
        "Too many API keys from this address were not accepted or could not be looked up, so no more are looked up; wait {wait} s."
    );
    ApiError::new(ErrorCode::RateLimitExceeded, message).with_retry_after(wait)
}

/// If a turn does not come in time, the database does not answer, and the caller is told so. If too many
/// are waiting, the rate is too high, which clients know how to handle.
fn no_turn(why: NoTurn) -> ApiError {
    match why {
        NoTurn::InVain => ApiError::internal(&"those before it were looked up for too long"),
        NoTurn::Crowded => {
            let message =
                format!("Too many API keys are being looked up at once; wait {NEXT_TURN} s.");
            ApiError::new(ErrorCode::RateLimitExceeded, message).with_retry_after(NEXT_TURN)
        }
    }
}
