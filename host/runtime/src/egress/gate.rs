//! The gate itself: what all exchanges share.

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

/// The egress gate. Cheap to clone; all outgoing traffic passes through one of its methods.
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
    /// Sets up the gate. Certificates are loaded once, here.
    ///
    /// # Errors
    /// If an entry of the private hosts is not a host, or certificates cannot be read.
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

    /// The operator's policy.
    #[must_use]
    pub fn policy(&self) -> &EgressPolicy {
        &self.0.policy
    }

    /// Records what a call turned out to cost, for rate policies that count credits or tokens.
    pub fn charge(&self, grant: &CallGrant, credits: u64, tokens: u64) {
        if let Some(key) = &grant.limit_key {
            self.0.limiter.charge(key, &grant.rate, credits, tokens);
        }
    }
}
