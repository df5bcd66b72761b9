//! The PostgreSQL engine: a pool, one transaction for each piece of work, row-level security set in
//! the statement that begins it. What differs from SQLite stands here; the repositories are the same
//! source.
#![allow(
    clippy::duplicate_mod,
    reason = "each repository is compiled once for each database"
)]

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::pool::PoolConnection;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection as _, Executor as _, Postgres};
use tokio::sync::Notify;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use crate::access::Access;
use crate::error::StoreError;
use crate::migrations;

mod connect;

#[path = "../repo/mod.rs"]
pub(crate) mod repo;

/// The connection that the repositories run on.
pub(crate) type Conn = sqlx::PgConnection;

/// Suffix that locks what a write is about to change.
pub(crate) const FOR_UPDATE: &str = " FOR UPDATE";
/// Suffix that claims rows others are not claiming.
pub(crate) const SKIP_LOCKED: &str = " FOR UPDATE SKIP LOCKED";

/// How long the first connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// After so long a wait for a connection the server is asked whether it is there at all; in an
/// outage callers are better told than kept.
const OUTAGE_AFTER: Duration = Duration::from_secs(3);
/// How long that question may take.
const OUTAGE_CHECK: Duration = Duration::from_secs(2);
/// How much longer to wait if that question has no answer either: the server is swamped or hangs.
const UNSURE_TIMEOUT: Duration = Duration::from_secs(3);
/// Longest wait for a connection where the server is there, and only busy.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long one piece of work may take. A server that hangs, or a network that swallows packets,
/// never closes a connection, so that only a clock ends the wait.
const WORK_TIMEOUT: Bounds = Bounds::of_seconds(10);
/// The same for work that reads much at one moment, such as the check of the whole ledger.
const REPORT_TIMEOUT: Bounds = Bounds::of_seconds(300);
/// How long a connection may take to show that it is still good when it is given back.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the pool may take to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

const JOBS_CHANNEL: &str = "gtm_jobs";
const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// The UTC month, `YYYY-MM`, of a column that holds a time.
pub(crate) fn month_of(column: &str) -> String {
    format!("to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM')")
}

/// The sum over rows of an expression of integers, 0 without rows. PostgreSQL adds them without bounds;
/// the sum is held within 64 bits.
pub(crate) fn sum_of(expression: &str) -> String {
    format!(
        "CAST(LEAST(GREATEST(COALESCE(SUM({expression}), 0), -9223372036854775808), 9223372036854775807) AS BIGINT)"
    )
}

/// Serialize claims until the transaction ends, so that the limit for each project holds across
/// nodes. Claims are short and batched; nothing else waits for this lock.
pub(crate) async fn serialize_claims(connection: &mut Conn) -> Result<(), StoreError> {
    sqlx::query("SELECT pg_advisory_xact_lock(7165106203)")
        .execute(connection)
        .await?;
    Ok(())
}
/// Bound the wait for a row that another transaction holds, until the transaction ends or bounds it
/// otherwise.
pub(crate) async fn bound_wait(connection: &mut Conn, wait: Duration) -> Result<(), StoreError> {
    let sql = format!("SET LOCAL lock_timeout = {}", wait.as_millis());
    connection.execute(AssertSqlSafe(sql)).await?;
    Ok(())
}
/// Longest wait for such a row, unless bounded otherwise; [`StoreError::Busy`] then. Transactions are
/// over within milliseconds, so this is a fault elsewhere, and nobody should hang for longer. Shorter
/// than what a statement may take, so that the error says what was waited for.
pub(crate) const WAIT_FOR_ROWS: Duration = Duration::from_secs(8);

pub(crate) struct Database {
    pool: PgPool,
    options: PgConnectOptions,
    listener: AbortHandle,
    announcements: Arc<Notify>,
    announcer: AbortHandle,
}

impl Database {
    pub(crate) async fn open(
        url: &str,
        max_connections: u32,
        any_role: bool,
        wake: Arc<Notify>,
    ) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|e| StoreError::Url(e.to_string()))?
            .application_name("gtm")
            // Told where the operator's filter asks for `sqlx::query=trace`: texts, never values.
            .log_statements(log::LevelFilter::Trace)
            .log_slow_statements(log::LevelFilter::Off, Duration::MAX);
        // The pool tries again until its time is up and then tells of the time alone; one attempt of
        // our own tells what is wrong.
        connect::check(&options, CONNECT_TIMEOUT).await?;
        let pool = PgPoolOptions::new()
            .max_connections(max_connections)
            .acquire_timeout(BUSY_TIMEOUT)
            .connect_with(options.clone())
            .await?;
        let mut connection = pool.acquire().await?;
        connect::check_role(&mut connection, any_role).await?;
        migrations::run_postgres(&mut connection).await?;
        drop(connection);
        let listener = tokio::spawn(listen(pool.clone(), wake)).abort_handle();
        let announcements = Arc::new(Notify::new());
        let announcer = tokio::spawn(announce(pool.clone(), announcements.clone())).abort_handle();
        Ok(Self {
            pool,
            options,
            listener,
            announcements,
            announcer,
        })
    }

    /// Tell other nodes that there is a job, soon: after the transaction that made it, because
    /// PostgreSQL lets transactions that notify commit only one after the other.
    pub(crate) fn announce_job(&self) {
        self.announcements.notify_one();
    }

    /// A connection, or within nine seconds the news that there is none to be had from a server that
    /// does not answer.
    async fn acquire(&self) -> Result<Held, StoreError> {
        let acquired = self.pool.acquire();
        tokio::pin!(acquired);
        if let Ok(acquired) = timeout(OUTAGE_AFTER, &mut acquired).await {
            return Ok(Held(acquired?));
        }
        // No answer in time is no proof: a busy server is slow to let anybody in.
        let check = connect::check(&self.options, CONNECT_TIMEOUT);
        let patience = match timeout(OUTAGE_CHECK, check).await {
            Ok(checked) => checked.map(|()| BUSY_TIMEOUT)?,
            Err(_) => UNSURE_TIMEOUT,
        };
        match timeout(patience, acquired).await {
            Ok(acquired) => Ok(Held(acquired?)),
            Err(_) => Err(StoreError::Unanswered),
        }
    }

    /// Do a piece of work in one transaction that sees what `access` allows, within bounds. To begin it
    /// takes one round trip.
    async fn perform<T, F>(
        &self,
        begin: &str,
        access: Access,
        bounds: Bounds,
        work: F,
    ) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        // Ids consist of letters, digits and underscores, so that nothing needs quoting.
        let statement = format!(
            "{begin}; SELECT set_config('gtm.project', '{access}', true), \
             set_config('lock_timeout', '{}', true), \
             set_config('statement_timeout', '{}', true), \
             set_config('idle_in_transaction_session_timeout', '{}', true)",
            WAIT_FOR_ROWS.as_millis(),
            bounds.statement.as_millis(),
            bounds.abandoned.as_millis(),
        );
        let mut held = self.acquire().await?;
        let performed = async {
            let mut transaction = held.0.begin_with(AssertSqlSafe(statement)).await?;
            match work(&mut transaction).await {
                Ok(result) => {
                    transaction.commit().await?;
                    Ok(result)
                }
                Err(error) => {
                    // At once, since others may wait for what it holds; a lost connection has rolled back.
                    let _ = transaction.rollback().await;
                    Err(error)
                }
            }
        };
        timeout(bounds.whole, performed)
            .await
            .unwrap_or(Err(StoreError::Unanswered))
    }

    /// Read in one transaction.
    pub(crate) async fn read<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.perform("BEGIN READ ONLY", access, WORK_TIMEOUT, work)
            .await
    }

    /// Read several things as they stand at one moment.
    pub(crate) async fn snapshot<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.perform(BEGIN_SNAPSHOT, access, WORK_TIMEOUT, work)
            .await
    }

    /// The same for what reads much, and may take its time.
    pub(crate) async fn report<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.perform(BEGIN_SNAPSHOT, access, REPORT_TIMEOUT, work)
            .await
    }

    /// Write in one transaction; rolled back if the work fails.
    pub(crate) async fn write<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.perform("BEGIN", access, WORK_TIMEOUT, work).await
    }

    pub(crate) async fn close(&self) {
        self.listener.abort();
        self.announcer.abort();
        if timeout(CLOSE_TIMEOUT, self.pool.close()).await.is_err() {
            tracing::warn!("the database does not answer; its connections are cut");
        }
    }
}

/// Bounds on one piece of work.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// On all of it, as this side measures.
    whole: Duration,
    /// On one statement, as the server measures. Shorter, so that a lock that is never given costs the
    /// statement and not the connection.
    statement: Duration,
    /// After so long without a word from this side the server gives the transaction and its locks up:
    /// a node that is cut off must not stop the others.
    abandoned: Duration,
}

impl Bounds {
    const fn of_seconds(seconds: u64) -> Self {
        Self {
            whole: Duration::from_secs(seconds),
            statement: Duration::from_secs(seconds - 1),
            abandoned: Duration::from_secs(seconds + 5),
        }
    }
}

/// A connection of the pool. Given back when it is dropped, also in the middle of a statement: it is
/// told to roll back, and closed if it does not answer. Left to itself the pool would wait for that
/// answer for ever, and never fill the place again.
struct Held(PoolConnection<Postgres>);

impl Drop for Held {
    fn drop(&mut self) {
        // Without a runtime nothing waits, and the socket closes.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let given_back = self.0.return_to_pool();
            runtime.spawn(async move {
                if timeout(RELEASE_TIMEOUT, given_back).await.is_err() {
                    tracing::warn!("a connection to the database does not answer; it is closed");
                }
            });
        }
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        self.listener.abort();
        self.announcer.abort();
    }
}

/// Announce jobs to all nodes, many at once if many were made meanwhile. Workers poll anyway, so an
/// announcement that fails costs them half a second.
async fn announce(pool: PgPool, announcements: Arc<Notify>) {
    loop {
        announcements.notified().await;
        let announced = sqlx::query("SELECT pg_notify($1, '')")
            .bind(JOBS_CHANNEL)
            .execute(&pool)
            .await;
        if let Err(error) = announced {
            if pool.is_closed() {
                return;
            }
            tracing::warn!(%error, "announcing a new job");
        }
    }
}

/// Wake the workers of this node when any node announces a job. Workers poll anyway, so a lost
/// connection only costs them their half second.
async fn listen(pool: PgPool, wake: Arc<Notify>) {
    loop {
        if let Err(error) = forward(&pool, &wake).await {
            if pool.is_closed() {
                return;
            }
            tracing::warn!(%error, "listening for new jobs; trying again");
        }
        tokio::time::sleep(Duration::from_secs(2)).await;
    }
}

async fn forward(pool: &PgPool, wake: &Notify) -> Result<(), sqlx::Error> {
    let mut listener = PgListener::connect_with(pool).await?;
    // A listener must not keep the pool from closing.
    listener.ignore_pool_close_event(true);
    listener.listen(JOBS_CHANNEL).await?;
    loop {
        listener.recv().await?;
        wake.notify_one();
    }
}
