//! The state of an exchange under way.

use std::sync::Arc;
use std::time::Duration;

use gtm_domain::Failure;
use tokio::time::Instant;

use super::exchange::HttpRequest;
use super::exchange_secrets::ExchangeSecrets;
use super::gate::{EgressGate, Inner};
use super::grant::CallGrant;
use super::guesses;
use super::receipt::ReceiptBuilder;
use super::redact::Findings;
use super::sendings::Requests;
use super::target::HostName;

/// An exchange under way.
pub(super) struct RequestUnderWay<'a> {
    pub gate: &'a Inner,
    pub owner: &'a EgressGate,
    pub grant: &'a CallGrant,
    pub trail: ReceiptBuilder,
    pub requests: Requests,
    pub secrets: ExchangeSecrets,
    /// How long the exchange may take, once it may be sent.
    pub timeout: Duration,
    /// When the exchange times out.
    pub deadline: Instant,
    /// Whether the present hop is being searched for secrets: the host itself is then what takes time.
    pub searching: bool,
    /// Longest wait for the head of an answer in one attempt.
    pub answer_timeout: Duration,
    /// Whether the request of the present hop carries a credential.
    pub carried: bool,
    /// Whether the budget has been charged for the bytes of the next request.
    pub paid: bool,
    /// Host of the latest hop, for messages.
    pub host: HostName,
    /// Whether the final answer matches an `exhausted` pattern.
    pub exhausted: bool,
}

impl<'a> RequestUnderWay<'a> {
    pub(super) fn begin(
        owner: &'a EgressGate,
        grant: &'a CallGrant,
        request: &HttpRequest,
    ) -> Self {
        let gate = &*owner.0;
        let secrets = ExchangeSecrets::of(grant, &gate.tokens);
        if secrets.short > 0 {
            tracing::warn!(
                connector = grant.connector,
                short = secrets.short,
                "credentials are too short to be searched for in answers"
            );
        }
        let timeout = request.timeout.map_or(gate.policy.exchange_timeout, |t| {
            t.min(gate.policy.exchange_timeout)
        });
        let body_bytes = request.body.as_ref().map_or(0, |b| b.len() as u64);
        Self {
            gate,
            owner,
            grant,
            trail: ReceiptBuilder::new(&*gate.clock, &request.method, body_bytes),
            requests: Requests::new(Arc::clone(&grant.sendings)),
            secrets,
            timeout,
            answer_timeout: request
                .timeout
                .unwrap_or_default()
                .max(gate.policy.answer_timeout),
            deadline: grant.budget.deadline,
            searching: false,
            carried: false,
            paid: false,
            host: HostName::Name("the host".to_owned()),
            exhausted: false,
        }
    }

    /// Ends the call if an answer held a credential that its request did not: its server was told what to
    /// guess.
    pub(super) fn check_answer(&self, found: Findings) -> Result<(), Failure> {
        guesses::check_answer(self.grant, found, self.trail.host())
    }
}
