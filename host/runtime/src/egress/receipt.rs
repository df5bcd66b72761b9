//! Records what happens during one exchange, and makes the receipt from it.

use bytes::Bytes;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Clock, Failure, FailureKind, ReceiptId};
use http::HeaderMap;
use tokio::time::Instant;
use uuid::Builder;

use super::redact::Findings;
use super::spool::KeptBody;
use super::target::{Target, without_path};

/// Longest content type that is recorded, in bytes.
const MAX_CONTENT_TYPE_BYTES: usize = 1024;

/// How many characters of a content type are recorded.
const SHOWN_OF_CONTENT_TYPE: usize = 200;

/// Records one exchange. Danger: a record must hold no secret. Credentials are injected into a copy, and
/// text that others wrote is recorded only after it has been searched. Searching takes long, so it happens
/// elsewhere, off the event loop.
#[derive(Debug)]
pub(super) struct ReceiptBuilder {
    pub id: ReceiptId,
    method: String,
    url: String,
    final_url: String,
    host: String,
    port: u16,
    status: Option<u16>,
    content_type: Option<String>,
    /// The content type as received; it may hold a secret.
    unsearched_type: Option<Bytes>,
    request_bytes: u64,
    started: Instant,
    /// How many connections were tried.
    pub attempts: u32,
    /// Ids of the credential schemes that were applied.
    pub credentials: Vec<String>,
    /// Whether a request was sent.
    pub sent: bool,
    /// Secrets found in the answer.
    pub found: Findings,
}

impl ReceiptBuilder {
    pub(super) fn new(clock: &dyn Clock, method: &str, request_bytes: u64) -> Self {
        Self {
            id: receipt_id(clock),
            method: method
                .chars()
                .filter(char::is_ascii_graphic)
                .take(16)
                .collect(),
            url: "about:invalid".to_owned(),
            final_url: "about:invalid".to_owned(),
            host: String::new(),
            port: 0,
            status: None,
            content_type: None,
            unsearched_type: None,
            request_bytes,
            started: Instant::now(),
            attempts: 0,
            credentials: Vec::new(),
            sent: false,
            found: Findings::default(),
        }
    }

    /// Records where the request is meant to go: of its URL only the origin, until the URL has been
    /// searched. A request that is refused early has not paid for a search.
    pub(super) fn begins_at(&mut self, target: &Target) {
        self.is_at(target, without_path(&target.url).as_str(), true);
    }

    /// Records that the request goes here, at first or after a redirect; no secret was found in its URL.
    pub(super) fn goes_to(&mut self, target: &Target, first: bool) {
        // The content type of the redirecting answer belongs to another URL; searching it for this one's secrets is wrong.
        self.content_type = None;
        self.unsearched_type = None;
        self.is_at(target, target.url.as_str(), first);
    }

    fn is_at(&mut self, target: &Target, url: &str, first: bool) {
        if first {
            url.clone_into(&mut self.url);
        }
        url.clone_into(&mut self.final_url);
        self.host = target.origin.host.to_string();
        self.port = target.origin.port;
    }

    pub(super) fn host(&self) -> &str {
        &self.host
    }

    pub(super) fn answered(&mut self, status: u16, headers: &HeaderMap) {
        self.status = Some(status);
        let named = headers.get(http::header::CONTENT_TYPE);
        // A longer value is not a type, and searching it would take long.
        let named = named.filter(|value| value.len() <= MAX_CONTENT_TYPE_BYTES);
        let text = named.map(|value| String::from_utf8_lossy(value.as_bytes()).into_owned());
        self.unsearched_type = text.map(Bytes::from);
        self.content_type = None;
    }

    /// The content type of the answer, to be searched.
    pub(super) const fn take_unsearched_type(&mut self) -> Option<Bytes> {
        self.unsearched_type.take()
    }

    /// Records the content type, cleared of secrets.
    pub(super) fn is_of_type(&mut self, cleaned: &[u8]) {
        let text = String::from_utf8_lossy(cleaned);
        self.content_type = Some(text.chars().take(SHOWN_OF_CONTENT_TYPE).collect());
    }

    /// Forgets the answer of an earlier attempt.
    pub(super) fn again(&mut self) {
        self.status = None;
        self.content_type = None;
        self.unsearched_type = None;
    }

    /// The receipt, with the kept bytes if there are any.
    pub(super) fn receipt(
        &self,
        clock: &dyn Clock,
        body: Option<&KeptBody>,
        failure: Option<&Failure>,
    ) -> Receipt {
        Receipt {
            id: self.id,
            method: self.method.clone(),
            url: self.url.clone(),
            final_url: self.final_url.clone(),
            host: self.host.clone(),
            port: self.port,
            status: self.status,
            content_type: self.content_type.clone(),
            request_bytes: self.request_bytes,
            response_bytes: body.map_or(0, KeptBody::len),
            response_digest: body.map(KeptBody::digest),
            at: clock.now(),
            duration_ms: u64::try_from(self.started.elapsed().as_millis()).unwrap_or(u64::MAX),
            attempts: self.attempts,
            decision: failure
                .filter(|f| is_refusal(f))
                .map_or_else(|| "allowed".to_owned(), |f| f.code.clone()),
            credentials: self.credentials.clone(),
        }
    }
}

/// Whether a failure is the gate's own decision, as opposed to trouble on the way.
fn is_refusal(failure: &Failure) -> bool {
    matches!(
        failure.kind,
        FailureKind::Denied
            | FailureKind::InvalidInput
            | FailureKind::CredentialMissing
            | FailureKind::Quota
            | FailureKind::Internal
    )
}

fn receipt_id(clock: &dyn Clock) -> ReceiptId {
    let mut random = [0; 10];
    // Without randomness, ids become guessable, but they protect nothing.
    let _ = aws_lc_rs::rand::fill(&mut random);
    let millis = u64::try_from(clock.now().millis()).unwrap_or(0);
    ReceiptId::from_uuid(Builder::from_unix_timestamp_millis(millis, &random).into_uuid())
}
