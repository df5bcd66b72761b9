//! The gate itself: what all that goes out through it shares.

use std::sync::Arc;

use gtm_domain::Clock;

use super::dial::Dialer;
use super::grant::CallGrant;
use super::limiter::ProviderLimiter;
use super::permit::PrivateHosts;
use super::policy::{EgressConfigError, EgressPolicy, ResolverChoice};
use super::resolve::{Resolver, SystemResolver};
use super::searches::Searches;
use super::token::TokenCache;

/// The egress gate. Cheap to clone; everything that may leave goes through one of its methods.
#[derive(Clone)]
pub struct EgressGate(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub policy: EgressPolicy,
    pub private: PrivateHosts,
    pub dialer: Dialer,
    pub clock: Arc<dyn Clock>,
    pub tokens: TokenCache,
    pub limiter: ProviderLimiter,
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
        let limiter = ProviderLimiter::new(policy.shared_windows.clone());
        Ok(Self(Arc::new(Inner {
            policy,
            private,
            dialer,
            clock,
            tokens: TokenCache::default(),
            limiter,
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
        if let Some(key) = &grant.limit_key {
            self.0.limiter.charge(key, &grant.rate, credits, tokens);
        }
    }
}
