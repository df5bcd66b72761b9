//! An answer that is read piece by piece.

use bytes::Bytes;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Failure, ReceiptId};

use super::body::BodyReader;
use super::exchange::ResponseHead;
use super::gate::EgressGate;
use super::grant::CallGrant;
use super::receipt::ReceiptBuilder;
use super::sendings::UnrecordedAnswer;
use super::spool::{KeptBody, Spool};
use super::under_way::RequestUnderWay;
use super::{guesses, retry};

/// An exchange whose body is still arriving.
pub struct OpenExchange {
    gate: EgressGate,
    grant: CallGrant,
    trail: ReceiptBuilder,
    unrecorded: UnrecordedAnswer,
    head: ResponseHead,
    body: BodyReader,
    kept: Spool,
    failure: Option<Failure>,
}

impl OpenExchange {
    /// Takes over an exchange from its answer on.
    pub(super) fn new(
        gate: &EgressGate,
        exchange: RequestUnderWay<'_>,
        head: ResponseHead,
        body: BodyReader,
    ) -> Self {
        let RequestUnderWay {
            grant,
            trail,
            requests,
            ..
        } = exchange;
        Self {
            gate: gate.clone(),
            grant: grant.clone(),
            trail,
            unrecorded: requests.into_unrecorded(),
            head,
            body,
            kept: Spool::new(gate.0.policy.spool_dir.clone()),
            failure: None,
        }
    }
    /// Status, headers and final URL.
    #[must_use]
    pub const fn head(&self) -> &ResponseHead {
        &self.head
    }
    /// Id of the receipt that [`OpenExchange::finish`] returns.
    #[must_use]
    pub const fn receipt_id(&self) -> ReceiptId {
        self.trail.id
    }
    /// The next bytes, at most `max_bytes` of them; `None` at the end.
    ///
    /// # Errors
    /// As a whole answer: `body_too_large`, `timeout`, `connection_reset`, `byte_budget_exceeded`,
    /// `credential_in_answer`, `canceled`; `spool_failed` if the host has no room for the bytes.
    pub async fn read(&mut self, max_bytes: usize) -> Result<Option<Bytes>, Failure> {
        if let Some(failure) = &self.failure {
            return Err(failure.clone());
        }
        let read = self.body.next(max_bytes).await.and_then(|piece| {
            guesses::check_answer(&self.grant, self.body.found(), self.trail.host())?;
            guesses::check_going_on(&self.grant)?;
            Ok(piece)
        });
        let read = match read {
            Ok(Some(piece)) => self.kept.push(piece.clone()).await.map(|()| Some(piece)),
            other => other,
        };
        match read {
            Ok(piece) => Ok(piece),
            Err(failure) => {
                self.failure = Some(failure.clone());
                Err(failure)
            }
        }
    }
    /// Whether the body was cut at the request's limit.
    #[must_use]
    pub const fn truncated(&self) -> bool {
        self.body.truncated
    }
    /// Whether the answer, as far as it was read, says that credit or quota has run out.
    #[must_use]
    pub fn exhausted(&self) -> bool {
        let patterns = &self.grant.retry.exhausted;
        retry::fits_any(patterns, self.head.status, self.kept.in_memory())
    }
    /// The final receipt and the kept body: exactly the bytes that were read, whether or not more would
    /// have come.
    #[must_use]
    pub fn finish(self) -> (Receipt, KeptBody) {
        if self.trail.found.replaced + self.body.found().replaced > 0 {
            tracing::warn!(
                host = self.trail.host(),
                "an answer held a credential; it was cut out"
            );
        }
        let body = self.kept.finish();
        let receipt = self
            .trail
            .receipt(&*self.gate.0.clock, Some(&body), self.failure.as_ref());
        self.unrecorded.recorded();
        (receipt, body)
    }
}
