//! Windows in Redis, shared by all nodes: one script call for a request, on Redis's own clock. Redis
//! may go and come back at any time; a request never waits for a connection to be made.

use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::Duration;

use redis::aio::MultiplexedConnection;
use redis::{AsyncConnectionConfig, Client, RedisError, Script, TlsCertificates};

use super::{Decision, RatePolicy};

/// The script without its clock.
pub(super) const WINDOW_SCRIPT: &str = include_str!("window.lua");
/// The clock that counts: one for all nodes.
const REDIS_CLOCK: &str =
    "local time = redis.call('TIME') local now = time[1] * 1000000 + time[2]\n";
/// Where the windows lie.
const PREFIX: &str = "gtm:rate:";
/// How long making a connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(2);
/// Pause between attempts to reach Redis again.
const RETRY_PAUSE: Duration = Duration::from_millis(250);
/// Commands that may wait to be written.
const PIPELINE: usize = 1024;

/// Which Redis, and how long a request may wait for it.
#[derive(Clone)]
pub struct RedisConfig {
    /// `redis://…` or, with TLS, `rediss://…`.
    pub url: String,
    /// PEM text of the certificates that the server's own must go back to; the system's if absent.
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
        // Not the client: its URL may hold a password.
        f.debug_struct("RedisWindows")
            .field("timeout", &self.0.timeout)
            .finish_non_exhaustive()
    }
}

impl RedisWindows {
    /// Connect. A Redis that does not answer is no error: it is looked for in the background.
    ///
    /// # Errors
    /// If the URL is none of Redis's, or root certificates are named that cannot be read or that a URL
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

    /// Count one request of `key`, or `None` if Redis does not answer in time.
    pub async fn admit(&self, key: &str, policy: RatePolicy) -> Option<Decision> {
        let answer = self.answer(key, policy).await?;
        Some(decision(policy, answer))
    }

    /// Count one request of `key` and return zero, or if the window is full the time until its oldest
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
    // Refuses a URL without TLS: whoever names certificates must not get a connection in the clear.
    Client::build_with_tls(config.url.as_str(), certificates)
}

/// What the script says as a decision.
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

    /// A connection over which the script has run: a Redis that cannot write is as good as none.
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

    /// Give a connection up that failed, once; who failed on it at the same time finds it gone.
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

    /// Say that Redis is away, and look for it until it is back or nobody asks any more.
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
