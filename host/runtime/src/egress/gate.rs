//! The gate itself: what goes out through it, and what is shared by all that does.

use std::sync::Arc;

use gtm_domain::receipt::Receipt;
use gtm_domain::{Clock, Failure};

use super::course::Exchange;
use super::dial::Dialer;
use super::exchange::{Exchanged, HttpRequest};
use super::grant::CallGrant;
use super::permit::PrivateHosts;
use super::policy::{EgressConfigError, EgressPolicy, ResolverChoice};
use super::resolve::{Resolver, SystemResolver};
use super::searches::Searches;
use super::stream::OpenExchange;
use super::token::TokenCache;
use super::turns::Turns;

/// The egress gate. Cheap to clone; everything that may leave goes through one of its methods.
#[derive(Clone)]
pub struct EgressGate(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub policy: EgressPolicy,
    pub private: PrivateHosts,
    pub dialer: Dialer,
    pub clock: Arc<dyn Clock>,
    pub tokens: TokenCache,
    pub turns: Turns,
    pub searches: Arc<Searches>,
}

impl EgressGate {
    /// Set the gate up. Certificates are loaded once, here.
    ///
    /// # Errors
    /// If a private host names no host or certificates can't be read.
    pub fn new(policy: EgressPolicy, clock: Arc<dyn Clock>) -> Result<Self, EgressConfigError> {
        let resolver: Arc<dyn Resolver> = match &policy.resolver {
            ResolverChoice::System => Arc::new(SystemResolver::default()),
            ResolverChoice::Custom(resolver) => Arc::clone(resolver),
        };
        let private = PrivateHosts::of(&policy)?;
        let dialer = Dialer::new(&policy, resolver)?;
        let turns = Turns::new(policy.shared_windows.clone());
        Ok(Self(Arc::new(Inner {
            policy,
            private,
            dialer,
            clock,
            tokens: TokenCache::default(),
            turns,
            searches: Arc::default(),
        })))
    }

    /// What the operator decided.
    #[must_use]
    pub fn policy(&self) -> &EgressPolicy {
        &self.0.policy
    }

    /// Note what a call turned out to cost, for the rate policies that count credits or tokens.
    pub fn charge(&self, grant: &CallGrant, credits: u64, tokens: u64) {
        if let Some(taker) = &grant.taker {
            self.0.turns.charge(taker, &grant.rate, credits, tokens);
        }
    }

    /// Send a request and wait for the whole answer. Any status is a success; a refusal has a receipt
    /// too, whose `decision` is the failure's code.
    pub async fn send(&self, grant: &CallGrant, request: HttpRequest) -> Exchanged {
        let mut exchange = Exchange::begin(self, grant, &request);
        let result = exchange.guarded(request, true).await;
        exchange.whole(result).await
    }

    /// Send a request and read the body as it comes. Nothing is repeated once the head is there.
    ///
    /// # Errors
    /// Why there is no answer, with the receipt that says so.
    pub async fn open(
        &self,
        grant: &CallGrant,
        request: HttpRequest,
    ) -> Result<OpenExchange, (Failure, Option<Receipt>)> {
        let mut exchange = Exchange::begin(self, grant, &request);
        let answered = exchange.guarded(request, false).await;
        let answered = match answered {
            Ok(answer) => {
                let unsearched = exchange.head_of(&answer);
                let head = exchange.visible_head(unsearched).await;
                let checked = exchange.check_answer(exchange.trail.found);
                checked.and(head).map(|head| (answer, head))
            }
            Err(failure) => Err(failure),
        };
        exchange.note_type().await;
        match answered {
            Err(failure) => {
                // Nothing is waited for any more, so that whoever asked has the receipt.
                exchange.requests.into_untold().told();
                let receipt = exchange.trail.receipt(&*self.0.clock, None, Some(&failure));
                Err((failure, Some(receipt)))
            }
            Ok((answer, head)) => Ok(OpenExchange::new(self, exchange, head, answer.body)),
        }
    }
}
