//! temporary signatures
use std::sync::Arc;

use bytes::Bytes;
use gtm_domain::receipt::Receipt;
use gtm_domain::{Clock, Failure, FailureKind, ReceiptId};

use super::*;
use crate::manifest::Verification;

/// The gate.
#[derive(Clone)]
pub struct EgressGate;

/// An exchange whose body is still arriving.
pub struct OpenExchange;

/// What a verification showed.
pub struct VerificationOutcome;

impl EgressGate {
    /// Set up the gate.
    pub fn new(_policy: EgressPolicy, _clock: Arc<dyn Clock>) -> Result<Self, EgressConfigError> { Ok(Self) }
    /// Whole body.
    pub async fn send(&self, _grant: &CallGrant, _request: HttpRequest) -> Exchanged { unreachable!() }
    /// Streamed.
    pub async fn open(&self, _grant: &CallGrant, _request: HttpRequest) -> Result<OpenExchange, (Failure, Option<Receipt>)> {
        Err((Failure::new(FailureKind::Internal, "x", "x"), None))
    }
    /// Probe.
    pub async fn verify(&self, _grant: &CallGrant, _verification: &Verification) -> VerificationOutcome { VerificationOutcome }
}
impl OpenExchange {
    /// Head.
    pub fn head(&self) -> &ResponseHead { unreachable!() }
    /// Id of the receipt.
    pub fn receipt_id(&self) -> ReceiptId { unreachable!() }
    /// Next bytes, at most `max_bytes`; none at the end.
    pub async fn read(&mut self, _max_bytes: usize) -> Result<Option<Bytes>, Failure> { Ok(None) }
    /// The final receipt and the body as kept, also if the body was not read to its end.
    pub fn finish(self) -> (Receipt, Bytes) { unreachable!() }
}
