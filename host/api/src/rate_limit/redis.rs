//! Windows in Redis, shared by all nodes: one script call per request, on Redis's own clock. Redis may
//! disappear and return at any time; a request never waits for a connection to be made.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisError, Script, TlsCertificates};

use super::{Decision, RatePolicy};

/// The script without its clock.
pub(super) const WINDOW_SCRIPT: &str = include_str!("window.lua");
/// The clock that counts: the same for all nodes.
const REDIS_CLOCK: &str =
    "local time = redis.call('TIME') local now = time[1] * 1000000 + time[2]\n";
/// Prefix of the windows' keys.
const PREFIX: &str = "gtm:rate:";
/// How long making a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Pause between attempts to reach Redis again.
const RETRY_PAUSE: Duration = Duration::from_millis(250);
/// How many commands may wait to be written.
const PIPELINE: usize = 1024;

/// Which Redis, and how long a request may wait for it.
#[derive(Clone)]
pub struct RedisConfig {
    /// `redis://…` or, with TLS, `rediss://…`.
    pub url: String,
    /// PEM text of root certificates for the server; the system's if absent.
    pub root_certificates: Option<Vec<u8>>,
    /// How long Redis may take to answer.
    pub timeout: Duration,
}

/// Windows of many keys in Redis.
#[derive(Clone)]
pub struct RedisWindows(Arc<Inner>);

struct Inner {
    client: Client,
    timeout: Duration,
    script: Script,
    link: Mutex<Link>,
}

/// The connection, and how many there were before it.
struct Link {
    connection: Option<MultiplexedConnection>,
    generation: u64,
}

impl std::fmt::Debug for RedisWindows {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        // Danger: the client's URL may hold a password, so the client is not printed.
        f.debug_struct("RedisWindows")
            .field("timeout", &self.0.timeout)
            .finish_non_exhaustive()
    }
}

impl RedisWindows {
    /// Connects. If Redis does not answer, this is not an error: connecting continues in the background.
    ///
    /// # Errors
    /// If the URL is not a Redis URL, or root certificates are named that cannot be read or that a URL
    /// without TLS would not use.
    pub async fn start(config: &RedisConfig) -> Result<Self, RedisError> {
        let inner = Arc::new(Inner {
            client: client(config)?,
            timeout: config.timeout,
            script: Script::new(&format!("{REDIS_CLOCK}{WINDOW_SCRIPT}")),
            link: Mutex::new(Link {
                connection: None,
                generation: 0,
            }),
        });
        match inner.connect().await {
            Ok(connection) => inner.linked(connection),
            Err(cause) => inner.look_for_it(&cause),
        }
        Ok(Self(inner))
    }

    /// Counts one request of `key`; `None` if Redis does not answer in time.
    pub async fn admit(&self, key: &str, policy: RatePolicy) -> Option<Decision> {
        let answer = self.answer(key, policy).await?;
        Some(decision(policy, answer))
    }

    /// Counts one request of `key` and returns zero or, if the window is full, the time until its oldest
    /// request leaves. `None` if Redis does not answer in time.
    pub async fn wait_for(&self, key: &str, policy: RatePolicy) -> Option<Duration> {
        let (admitted, _, left) = self.answer(key, policy).await?;
        Some(match admitted {
            1 => Duration::ZERO,
            _ => Duration::from_micros(left.max(1)),
        })
    }

    async fn answer(&self, key: &str, policy: RatePolicy) -> Option<(u8, u32, u64)> {
        let (mut connection, generation) = self.0.connection()?;
        match self.0.ask(&mut connection, key, policy).await {
            Ok(answer) => Some(answer),
            Err(cause) => {
                self.0.lost(generation, &cause);
                None
            }
        }
    }
}

fn client(config: &RedisConfig) -> Result<Client, RedisError> {
    let Some(roots) = &config.root_certificates else {
        return Client::open(config.url.as_str());
    };
    let certificates = TlsCertificates {
        client_tls: None,
        root_cert: Some(roots.clone()),
    };
    // This refuses a URL without TLS: whoever names certificates must not get an unencrypted connection.
    Client::build_with_tls(config.url.as_str(), certificates)
}

/// The script's result as a decision.
pub(super) fn decision(policy: RatePolicy, (_, used, left): (u8, u32, u64)) -> Decision {
    Decision::of(policy, used, Duration::from_micros(left))
}

impl Inner {
    fn link(&self) -> std::sync::MutexGuard<'_, Link> {
        // A panic elsewhere cannot leave a link half-made.
        self.link.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn connection(&self) -> Option<(MultiplexedConnection, u64)> {
        let link = self.link();
        Some((link.connection.clone()?, link.generation))
    }

    async fn ask(
        &self,
        connection: &mut MultiplexedConnection,
        key: &str,
        policy: RatePolicy,
    ) -> Result<(u8, u32, u64), RedisError> {
        let window = u64::try_from(policy.window.as_micros()).unwrap_or(u64::MAX);
        self.script
            .key(format!("{PREFIX}{key}"))
            .arg(policy.limit)
            .arg(window)
            .invoke_async(connection)
            .await
    }

    /// A connection over which the script has run: a Redis that cannot write is no use.
    async fn connect(&self) -> Result<MultiplexedConnection, RedisError> {
        let config = AsyncConnectionConfig::new()
            .set_connection_timeout(Some(CONNECT_TIMEOUT))
            .set_response_timeout(Some(self.timeout))
            .set_pipeline_buffer_size(PIPELINE);
        let mut connection = self
            .client
            .get_multiplexed_async_connection_with_config(&config)
            .await?;
        let probe = RatePolicy {
            limit: 1,
            window: Duration::from_millis(1),
        };
        self.ask(&mut connection, "probe", probe).await?;
        Ok(connection)
    }

    fn linked(&self, connection: MultiplexedConnection) {
        let mut link = self.link();
        link.connection = Some(connection);
        link.generation += 1;
    }

    /// Drops a failed connection, once; others whose requests failed at the same time find it gone.
    fn lost(self: &Arc<Self>, generation: u64, cause: &RedisError) {
        {
            let mut link = self.link();
            if link.generation != generation || link.connection.is_none() {
                return;
            }
            link.connection = None;
        }
        self.look_for_it(cause);
    }

    /// Logs that Redis is away, and reconnects until it is back or nobody asks any more.
    fn look_for_it(self: &Arc<Self>, cause: &RedisError) {
        tracing::warn!(%cause, "Redis does not answer: the rate limit falls back until it does");
        metrics::counter!("gtm_rate_limit_redis_outages_total").increment(1);
        let weak = Arc::downgrade(self);
        tokio::spawn(async move {
            while !Self::found(&weak).await {
                tokio::time::sleep(RETRY_PAUSE).await;
            }
        });
    }

    /// Whether Redis is back, or nobody needs it any more.
    async fn found(weak: &Weak<Self>) -> bool {
        let Some(inner) = weak.upgrade() else {
            return true;
        };
        match inner.connect().await {
            Ok(connection) => {
                inner.linked(connection);
                tracing::info!("Redis answers again: the rate limit is shared");
                true
            }
            Err(cause) => {
                tracing::debug!(%cause, "Redis still does not answer");
                false
            }
        }
    }
}
