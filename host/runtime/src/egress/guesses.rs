//! Secrets where there is no honest one: in what a guest sends, since it has none, and in an answer to a
//! request that did not carry this one. Somebody guesses then, or came to it in a spelling that is not looked for, and
//! the call is over.
//!
//! Danger: whoever may have guesses tried for nothing tries a dictionary. So a guest's request is searched
//! only once it is paid for, with a request and its bytes of the call's budget, and what is found ends the
//! call, however the guest ends its request meanwhile.

use std::sync::Arc;

use bytes::Bytes;
use gtm_domain::{Failure, FailureKind};
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;

use super::grant::CallGrant;
use super::redact::{Findings, Secrets};
use super::target::HostName;

/// Bytes that are searched at once on the event loop's own threads: some milliseconds.
const SEARCHED_AT_ONCE: usize = 64 * 1024;

/// Room for long searches: as many at once as there are processors.
pub(super) struct Searches(Arc<Semaphore>);

impl Default for Searches {
    fn default() -> Self {
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        Self(Arc::new(Semaphore::new(processors)))
    }
}

/// What a guest sends of its own.
pub(super) struct Sent {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<Bytes>,
}

impl Sent {
    fn bytes(&self) -> usize {
        let headers = self.headers.iter();
        self.url.len()
            + headers
                .map(|(name, value)| name.len() + value.len())
                .sum::<usize>()
            + self.body.as_ref().map_or(0, Bytes::len)
    }

    /// Where a secret stands in it, if one does.
    fn place_of(&self, secrets: &Secrets) -> Option<&'static str> {
        let holds = |bytes: &[u8]| secrets.any_in(bytes);
        let in_headers = || {
            let mut headers = self.headers.iter();
            headers.any(|(name, value)| holds(name.as_bytes()) || holds(value.as_bytes()))
        };
        if holds(self.url.as_bytes()) {
            Some("URL")
        } else if in_headers() {
            Some("headers")
        } else if self.body.as_deref().is_some_and(holds) {
            Some("body")
        } else {
            None
        }
    }
}

impl Searches {
    /// Search what a guest sends to a host, a long request off the event loop.
    ///
    /// # Errors
    /// `credential_in_request`, which ends the call.
    pub(super) async fn check_request(
        &self,
        grant: &CallGrant,
        secrets: &Secrets,
        sent: Sent,
        host: &HostName,
    ) -> Result<(), Failure> {
        let place = if secrets.is_empty() {
            None
        } else if sent.bytes() <= SEARCHED_AT_ONCE {
            sent.place_of(secrets)
        } else {
            let room = Arc::clone(&self.0).acquire_owned().await;
            let secrets = secrets.clone();
            let search = spawn_blocking(move || {
                let place = sent.place_of(&secrets);
                drop(room);
                place
            });
            search.await.map_err(|error| {
                tracing::error!(%error, "a request could not be searched");
                Failure::new(
                    FailureKind::Internal,
                    "request_not_searched",
                    "the host could not search the request for credentials",
                )
            })?
        };
        let Some(place) = place else {
            return Ok(());
        };
        let failure = Failure::denied(
            "credential_in_request",
            format!("the {place} of a request to `{host}` held a credential of the connection"),
        );
        grant.end(&failure);
        Err(failure)
    }
}

/// Check which secrets were found in an answer so far: one that its request carried may be echoed, and no
/// other.
///
/// # Errors
/// `credential_in_answer`, which ends the call.
pub(super) fn check_answer(grant: &CallGrant, found: Findings, host: &str) -> Result<(), Failure> {
    if found.uncarried == 0 {
        return Ok(());
    }
    let failure = Failure::denied(
        "credential_in_answer",
        format!("an answer of `{host}` held a credential that was not sent with the request"),
    );
    grant.end(&failure);
    Err(failure)
}

/// Whether the call still goes on.
///
/// # Errors
/// Why it ended.
pub(super) fn check_going_on(grant: &CallGrant) -> Result<(), Failure> {
    grant.ended().map_or(Ok(()), |failure| Err(failure.clone()))
}
