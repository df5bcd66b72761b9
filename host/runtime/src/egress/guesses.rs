//! Secrets where there is no honest one: in what a guest sends, since it has none, and in an answer to a
//! request that did not carry this one. Somebody guesses then, or came to it in a spelling that is not looked for, and
//! the call is over.
//!
//! Danger: whoever may have guesses tried for nothing tries a dictionary. So a guest's request is searched
//! only once it is paid for, with a request and its bytes of the call's budget, and what is found ends the
//! call, however the guest ends its request meanwhile.

use std::iter;

use bytes::Bytes;
use gtm_domain::Failure;

use super::grant::CallGrant;
use super::redact::{Findings, Secrets};
use super::searches::{SEARCHED_AT_ONCE, Searcher, Stop};
use super::target::HostName;

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

    /// Where a secret stands in it, if one does. Nothing is known if the search was stopped.
    fn place_of(&self, secrets: &Secrets, stop: impl Fn() -> bool) -> Option<Place> {
        let headers = self.headers.iter();
        let headers = headers.flat_map(|(name, value)| [name.as_bytes(), value.as_bytes()]);
        let url = iter::once(("URL", self.url.as_bytes()));
        let parts = url
            .chain(headers.map(|bytes| ("headers", bytes)))
            .chain(self.body.as_deref().map(|body| ("body", body)));
        for (place, bytes) in parts {
            if secrets.found_unless(bytes, &stop)?.replaced > 0 {
                return Some(Some(place));
            }
        }
        Some(None)
    }
}

/// The part of a request in which a secret stands.
type Place = Option<&'static str>;

/// Search what a guest sends to a host, a long request off the event loop.
///
/// # Errors
/// `credential_in_request`, which ends the call.
pub(super) async fn check_request(
    grant: &CallGrant,
    searcher: &Searcher,
    secrets: &Secrets,
    sent: Sent,
    host: &HostName,
) -> Result<(), Failure> {
    let place = if secrets.is_empty() {
        None
    } else if sent.bytes() <= SEARCHED_AT_ONCE {
        sent.place_of(secrets, || false).flatten()
    } else {
        let secrets = secrets.clone();
        let search = move |stop: &Stop| sent.place_of(&secrets, || stop.is_set());
        searcher.run("request", search).await?
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
