//! Secrets where there is no honest one: in what a guest sends, since it has none, and in an answer to a
//! request that did not carry this one. Somebody guesses then, or came to it in a spelling that is not looked for, and
//! the call is over.
//!
//! Danger: whoever may have guesses tried for nothing tries a dictionary. So a guest's request is searched
//! only once it is paid for, with a request and its bytes of the call's budget, and what is found ends the
//! call, however the guest ends its request meanwhile.

use bytes::Bytes;
use gtm_domain::Failure;

use super::grant::CallGrant;
use super::redact::{Findings, Secrets, Texts};
use super::searches::Searcher;
use super::target::HostName;

/// What a guest sends of its own.
pub(super) struct Sent {
    pub url: String,
    pub headers: Vec<(String, String)>,
    pub body: Option<Bytes>,
}

impl Sent {
    /// Its parts, with the names of their places.
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

/// Search what a guest sends to a host, off the event loop if that takes long.
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
