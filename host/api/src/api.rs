//! What handlers share: the engine, the contract, the settings and the rate limiter.

use std::collections::BTreeSet;
use std::net::IpAddr;
use std::sync::Arc;
use std::time::Duration;

use gtm_domain::{Capability, CidrList, Clock, Timestamp};
use gtm_engine::{Engine, EngineError, StoreError};

use crate::contract::Contract;
use crate::error::ApiError;
use crate::failed_authentications::FailedAuthentications;
use crate::lookup_turns::LookupTurns;
use crate::openapi;
use crate::rate_limit::exhausted_keys::ExhaustedKeys;
use crate::rate_limit::memory::MemoryWindows;
use crate::rate_limit::{Decision, RateLimiter, RatePolicy};
use crate::readiness::Readiness;
use crate::server::ServerLimits;
use crate::unawaited_lookups::UnawaitedLookups;
use crate::uptime::{SinceStart, Uptime};

#[derive(Debug, Clone)]
pub struct ApiConfig {
    /// Start of `docs_url` in errors; `#<code>` follows.
    pub docs_base: String,
    /// The windows in which requests are counted.
    pub limiter: Arc<RateLimiter>,
    /// The clock by which they are counted.
    pub uptime: Arc<dyn Uptime>,
    /// Longest request body in bytes.
    pub body_limit: usize,
    /// Proxies whose statements about a request's origin are believed ([`crate::client_address`]).
    pub trusted_proxies: CidrList,
    /// How long the body may take to arrive.
    pub body_timeout: Duration,
    /// How long an answer may take once the request's body has arrived.
    pub answer_timeout: Duration,
    /// Maximum number of open connections. Those that wait for a key's look-up may hold only a part of
    /// them.
    pub connections: usize,
    /// Wrong keys from one address in 60 seconds that are looked up.
    pub failed_authentications_per_minute: u32,
    /// Readiness requests from one address in 60 seconds.
    pub readiness_checks_per_minute: u32,
    /// Capabilities that this deployment does not offer: 403 `capability_disabled`.
    pub disabled_capabilities: BTreeSet<String>,
}

impl Default for ApiConfig {
    fn default() -> Self {
        Self {
            docs_base: openapi::EXAMPLE_DOCS_BASE.to_owned(),
            limiter: Arc::new(RateLimiter::in_memory()),
            uptime: Arc::new(SinceStart::default()),
            body_limit: 1 << 20,
            trusted_proxies: CidrList::default(),
            body_timeout: Duration::from_secs(15),
            answer_timeout: Duration::from_secs(20),
            connections: ServerLimits::default().connections,
            failed_authentications_per_minute: 60,
            readiness_checks_per_minute: 240,
            disabled_capabilities: BTreeSet::new(),
        }
    }
}

/// The shared state; cheap to clone.
#[derive(Clone)]
pub struct Api(Arc<Shared>);

struct Shared {
    engine: Engine,
    config: ApiConfig,
    clock: Arc<dyn Clock>,
    failed_authentications: FailedAuthentications,
    lookup_turns: LookupTurns,
    unawaited_lookups: UnawaitedLookups,
    exhausted_keys: ExhaustedKeys,
    readiness: Readiness,
    readiness_checks: MemoryWindows<Option<IpAddr>>,
    contract: Contract,
}

impl Api {
    /// The state of a node that has just started.
    #[must_use]
    pub fn new(
        engine: Engine,
        config: ApiConfig,
        clock: Arc<dyn Clock>,
        contract: Contract,
    ) -> Self {
        let failures = config.failed_authentications_per_minute;
        let lookup_turns = LookupTurns::for_connections(config.connections);
        Self(Arc::new(Shared {
            engine,
            config,
            clock,
            contract,
            failed_authentications: FailedAuthentications::per_minute(failures),
            lookup_turns,
            unawaited_lookups: UnawaitedLookups::default(),
            exhausted_keys: ExhaustedKeys::default(),
            readiness: Readiness::default(),
            readiness_checks: MemoryWindows::new(),
        }))
    }

    #[must_use]
    pub fn engine(&self) -> &Engine {
        &self.0.engine
    }
    #[must_use]
    pub fn config(&self) -> &ApiConfig {
        &self.0.config
    }
    /// Start of `docs_url` in errors.
    #[must_use]
    pub fn docs_base(&self) -> &str {
        &self.0.config.docs_base
    }
    /// The wall clock's time.
    #[must_use]
    pub fn now(&self) -> Timestamp {
        self.0.clock.now()
    }
    /// Monotonic time since the start.
    #[must_use]
    pub fn elapsed(&self) -> Duration {
        self.0.config.uptime.elapsed()
    }
    /// The failed authentications of each address.
    #[must_use]
    pub fn failed_authentications(&self) -> &FailedAuthentications {
        &self.0.failed_authentications
    }
    /// Which look-ups of possibly guessed keys may run, and which must wait.
    #[must_use]
    pub fn lookup_turns(&self) -> &LookupTurns {
        &self.0.lookup_turns
    }
    /// Look-ups of known keys whose callers have gone away.
    #[must_use]
    pub fn unawaited_lookups(&self) -> &UnawaitedLookups {
        &self.0.unawaited_lookups
    }
    /// Keys that were recently above their rate limit.
    #[must_use]
    pub fn exhausted_keys(&self) -> &ExhaustedKeys {
        &self.0.exhausted_keys
    }
    /// Whether the node can serve.
    #[must_use]
    pub fn readiness(&self) -> &Readiness {
        &self.0.readiness
    }
    /// Counts a readiness request from an address.
    #[must_use]
    pub fn count_readiness_check(&self, address: Option<IpAddr>) -> Decision {
        let policy = RatePolicy::per_minute(self.config().readiness_checks_per_minute);
        let checks = &self.0.readiness_checks;
        checks.admit(address, policy, self.elapsed())
    }
    /// The published contract.
    #[must_use]
    pub fn contract(&self) -> &Contract {
        &self.0.contract
    }
    /// Whether the deployment offers the capability.
    #[must_use]
    pub fn offers(&self, capability: Capability) -> bool {
        !self
            .0
            .config
            .disabled_capabilities
            .contains(capability.key())
    }
}

impl From<StoreError> for ApiError {
    fn from(error: StoreError) -> Self {
        Self::internal(&error)
    }
}

impl From<EngineError> for ApiError {
    fn from(error: EngineError) -> Self {
        Self::internal(&error)
    }
}
