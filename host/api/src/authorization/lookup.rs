//! One look-up of a key: whether it may be made, and what it counts for (decision 0040).

use std::net::IpAddr;

use gtm_domain::{Digest, ErrorCode};

use crate::api::Api;
use crate::context::RequestContext;
use crate::error::ApiError;
use crate::failed_authentications::{Refusal, Verdict};
use crate::lookup_turns::{LookupTurn, NoTurn};

/// How soon there may be a turn for one who got none.
const NEXT_TURN: u64 = 1;

/// Leave to look a key up. Dropped without a word of what was found, it counts like a wrong key: the
/// database did not answer, or the client did not wait for it. So does one for which no turn came: its
/// connection could not be ended meanwhile.
pub(super) struct Lookup<'a> {
    api: &'a Api,
    key: Digest,
    client: Option<IpAddr>,
    /// Not for a key that was right lately, nor where it neither waited nor was looked up.
    counts: bool,
    /// None for a key that was right lately: it waits for nobody.
    turn: Option<LookupTurn<'a>>,
}

impl<'a> Lookup<'a> {
    /// # Errors
    /// What to answer where the key is not to be looked up.
    pub(super) async fn begin(
        key: Digest,
        api: &'a Api,
        context: &RequestContext,
    ) -> Result<Self, ApiError> {
        let client = context.client();
        let mut lookup = Self {
            api,
            key,
            client,
            counts: false,
            turn: None,
        };
        if judged_known(&key, client, api)? {
            return Ok(lookup);
        }
        // Set before it waits, because the client may go away meanwhile.
        lookup.counts = true;
        let waited = api.lookup_turns().turn(client).await;
        lookup.counts = matches!(waited, Err(NoTurn::InVain));
        let turn = waited.map_err(no_turn)?;
        // Meanwhile others of its address may have failed, or it may have been found right.
        if !judged_known(&key, client, api)? {
            lookup.counts = true;
            lookup.turn = Some(turn);
        }
        Ok(lookup)
    }

    /// The key is right.
    pub(super) fn accepted(mut self) {
        let failures = self.api.failed_authentications();
        failures.accepted(self.key, self.client, self.api.elapsed());
        self.end();
    }

    /// It is not.
    pub(super) fn refused(mut self, refusal: Refusal) {
        let failures = self.api.failed_authentications();
        failures.refused(&self.key, self.client, refusal, self.api.elapsed());
        self.end();
    }

    /// It has been counted for what it was.
    fn end(&mut self) {
        self.counts = false;
        self.turn = None;
    }
}

impl Drop for Lookup<'_> {
    fn drop(&mut self) {
        if self.counts {
            let failures = self.api.failed_authentications();
            failures.unanswered(&self.key, self.client, self.api.elapsed());
        }
    }
}

/// Whether the key was right lately, if it may be looked up at all.
fn judged_known(key: &Digest, client: Option<IpAddr>, api: &Api) -> Result<bool, ApiError> {
    let (failures, now) = (api.failed_authentications(), api.elapsed());
    match failures.judge(key, client, now) {
        Verdict::LookUp => Ok(failures.is_known(key, now)),
        Verdict::Refuse(refusal) => Err(not_accepted(refusal)),
        Verdict::Wait(seconds) => Err(too_many_failures(seconds)),
    }
}

pub(super) fn not_accepted(refusal: Refusal) -> ApiError {
    match refusal {
        Refusal::Invalid => ApiError::new(
            ErrorCode::InvalidApiKey,
            "The API key is unknown or revoked.",
        ),
        Refusal::Expired => ApiError::new(ErrorCode::ExpiredApiKey, "The API key has expired."),
    }
}

/// Nothing is said of the key, since nothing is known of it.
fn too_many_failures(wait: u64) -> ApiError {
    let message = format!(
        "Too many API keys from this address were not accepted, so that no further one is looked up; wait {wait} s."
    );
    ApiError::new(ErrorCode::RateLimitExceeded, message).with_retry_after(wait)
}

/// A turn that does not come in time means that the database does not answer, and whoever asks is told as
/// in any other case of that. Of a crowd it is the rate that is too high, which clients know how to wait for.
fn no_turn(why: NoTurn) -> ApiError {
    match why {
        NoTurn::InVain => ApiError::internal(&"those before it were looked up for too long"),
        NoTurn::Crowded => {
            let message = format!(
                "Too many API keys are being looked up, so that no further one is; wait {NEXT_TURN} s."
            );
            ApiError::new(ErrorCode::RateLimitExceeded, message).with_retry_after(NEXT_TURN)
        }
    }
}
