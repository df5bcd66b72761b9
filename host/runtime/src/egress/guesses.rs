//! Danger: a guest that may try guesses of a secret for free tries a dictionary. So any secret in a place
//! where it cannot honestly be ends the call.
//!
//! A guest is never given a secret, so none may stand in what it sends; and an answer may hold only secrets
//! that its own request carried. Otherwise somebody is guessing, or got hold of the secret in a spelling
//! that we do not search for. A guest's request is searched only after it is paid for with one request and
//! its bytes of the call's budget, and a finding ends the call however the guest abandons its request
//! meanwhile.

use bytes::Bytes;
use gtm_domain::Failure;

use super::grant::CallGrant;
use super::redact::{Findings, Secrets, Texts};
use super::searches::Searcher;
use super::target::HostName;

/// The guest's own parts of a request.
pub(super) struct Sent {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<Bytes>,
}

impl Sent {
    /// The parts, with the names of their places.
    fn into_parts(self) -> impl Iterator<Item = (&'static str, Bytes)> {
        let headers = self.headers.into_iter();
        let headers = headers.flat_map(|(name, value)| [name, value]);
        let headers = headers.map(|text| ("headers", Bytes::from(text)));
        [("URL", Bytes::from(self.url))]
            .into_iter()
            .chain(headers)
            .chain(self.body.map(|body| ("body", body)))
    }
}

/// Searches what a guest sends to a host, off the event loop if that takes long.
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
    if secrets.is_empty() {
        return Ok(());
    }
    let (places, parts): (Vec<_>, Vec<_>) = sent.into_parts().unzip();
    let texts = Texts::new(secrets, parts);
    let any = |found: Findings| found.replaced > 0;
    let texts = searcher.texts("request", texts, any).await?;
    let Some(place) = texts.holding().and_then(|part| places.get(part)) else {
        return Ok(());
    };
    let failure = Failure::denied(
        "credential_in_request",
        format!("the {place} of a request to `{host}` held a credential of the connection"),
    );
    grant.end(&failure);
    Err(failure)
}

/// Checks the secrets found in an answer so far: those that its request carried may be echoed, others may
/// not.
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

/// Fails if the call has been ended.
///
/// # Errors
/// The failure that ended the call.
pub(super) fn check_going_on(grant: &CallGrant) -> Result<(), Failure> {
    grant.ended().map_or(Ok(()), |failure| Err(failure.clone()))
}
