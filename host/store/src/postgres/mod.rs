//! The PostgreSQL engine: a pool, one transaction for each piece of work, and row-level security set in the
//! statement that begins it. Everything that differs from SQLite is here; the repositories share one
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
pub(crate) type Row = sqlx::postgres::PgRow;

/// Suffix that locks the rows that a write is about to change.
pub(crate) const FOR_UPDATE: &str = " FOR UPDATE";
/// Suffix that claims rows and skips those that others are claiming.
pub(crate) const SKIP_LOCKED: &str = " FOR UPDATE SKIP LOCKED";

/// How long the first connection may take.
const CONNECT_TIMEOUT: Duration = Duration::from_secs(5);
/// After waiting this long for a connection, we check whether the server is there at all: in an outage,
/// callers should get an error soon instead of waiting on.
const OUTAGE_AFTER: Duration = Duration::from_secs(3);
/// How long that check may take.
const OUTAGE_CHECK: Duration = Duration::from_secs(2);
/// How much longer to wait if the check gets no answer either: the server is overloaded or hangs.
const UNSURE_TIMEOUT: Duration = Duration::from_secs(3);
/// Longest wait for a connection if the server is there and only busy.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);
/// How long one piece of work may take. A hanging server, or a network that swallows packets, never closes
/// a connection; only a timeout ends the wait.
const WORK_TIMEOUT: Bounds = Bounds::of_seconds(10);
/// The same for work that reads much in one snapshot, such as the check of the whole ledger.
const REPORT_TIMEOUT: Bounds = Bounds::of_seconds(300);
/// How long a returned connection may take to show that it still works.
const RELEASE_TIMEOUT: Duration = Duration::from_secs(2);
/// How long the pool may take to close.
const CLOSE_TIMEOUT: Duration = Duration::from_secs(5);

const JOBS_CHANNEL: &str = "gtm_jobs";
const BEGIN_SNAPSHOT: &str = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY";

/// Function that turns the members of a JSON object of texts, given as text, into rows of `key` and `value`.
pub(crate) const MEMBERS_OF: &str = "json_each_text";
/// How its argument is cast.
pub(crate) const AS_JSON: &str = "::json";

/// SQL for the UTC month, `YYYY-MM`, of a time column.
pub(crate) fn month_of(column: &str) -> String {
    format!("to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM')")
}

/// SQL that sums an integer expression over rows, 0 without rows. PostgreSQL adds without bounds; the
/// result saturates at 64 bits.
pub(crate) fn sum_of(expression: &str) -> String {
    format!(
        "CAST(LEAST(GREATEST(COALESCE(SUM({expression}), 0), -9223372036854775808), 9223372036854775807) AS BIGINT)"
    )
}

/// Serializes claims until the transaction ends, so that the limit of each project holds across nodes.
/// Claims are short and batched; nothing else waits for this lock.
pub(crate) async fn serialize_claims(connection: &mut Conn) -> Result<(), StoreError> {
    sqlx::query("SELECT pg_advisory_xact_lock(7165106203)")
        .execute(connection)
        .await?;
    Ok(())
}
/// Serializes erasures with each other and with sweeps until the transaction ends: both lock rows of many jobs and
/// candidates, in orders that nothing keeps alike, and would wait for each other.
pub(crate) async fn serialize_erasures(connection: &mut Conn) -> Result<(), StoreError> {
    sqlx::query("SELECT pg_advisory_xact_lock(7165106204)")
        .execute(connection)
        .await?;
    Ok(())
}
/// Limits how long this transaction waits for a row that another transaction holds, until it ends or sets
/// another limit.
pub(crate) async fn bound_wait(connection: &mut Conn, wait: Duration) -> Result<(), StoreError> {
    let sql = format!("SET LOCAL lock_timeout = {}", wait.as_millis());
    connection.execute(AssertSqlSafe(sql)).await?;
    Ok(())
}
/// Default limit of that wait; beyond it the work fails with [`StoreError::Busy`]. Transactions finish
/// within milliseconds, so a longer wait means a fault elsewhere, and no caller should hang. The limit is
/// shorter than a statement's, so that the error names what was waited for.
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
            // Logged if the operator's filter asks for `sqlx::query=trace`: texts, never values.
            .log_statements(log::LevelFilter::Trace)
            .log_slow_statements(log::LevelFilter::Off, Duration::MAX);
        // The pool retries until its time is up and then reports only the timeout; a single attempt of our
        // own reports the cause.
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

    /// Soon tells other nodes that a job exists. Not in the transaction that creates the job: PostgreSQL
    /// lets transactions that notify commit only one after the other.
    pub(crate) fn announce_job(&self) {
        self.announcements.notify_one();
    }

    /// A connection; an error within nine seconds if the server does not answer.
    async fn acquire(&self) -> Result<Held, StoreError> {
        let acquired = self.pool.acquire();
        tokio::pin!(acquired);
        if let Ok(acquired) = timeout(OUTAGE_AFTER, &mut acquired).await {
            return Ok(Held::of(acquired?));
        }
        // No answer in time proves nothing: a busy server is slow to accept connections.
        let check = connect::check(&self.options, CONNECT_TIMEOUT);
        let patience = match timeout(OUTAGE_CHECK, check).await {
            Ok(checked) => checked.map(|()| BUSY_TIMEOUT)?,
            Err(_) => UNSURE_TIMEOUT,
        };
        match timeout(patience, acquired).await {
            Ok(acquired) => Ok(Held::of(acquired?)),
            Err(_) => Err(StoreError::Unanswered),
        }
    }

    /// Does a piece of work in one transaction that sees what `access` allows, within time limits.
    /// Beginning it takes one round trip.
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
        // Ids consist of letters, digits and underscores, so no quoting is needed.
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
            held.begins = true;
            let mut transaction = held.connection.begin_with(AssertSqlSafe(statement)).await?;
            held.begins = false;
            match work(&mut transaction).await {
                Ok(result) => {
                    transaction.commit().await?;
                    Ok(result)
                }
                Err(error) => {
                    // Others may wait for locks that it holds, so roll back at once; a lost connection has
                    // rolled back already.
                    let _ = transaction.rollback().await;
                    Err(error)
                }
            }
        };
        timeout(bounds.whole, performed)
            .await
            .unwrap_or(Err(StoreError::Unanswered))
    }

    /// Reads in one transaction.
    pub(crate) async fn read<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.perform("BEGIN READ ONLY", access, WORK_TIMEOUT, work)
            .await
    }

    /// Reads several things in one snapshot.
    pub(crate) async fn snapshot<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.perform(BEGIN_SNAPSHOT, access, WORK_TIMEOUT, work)
            .await
    }

    /// Like `snapshot`, for work that reads much and may take long.
    pub(crate) async fn report<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.perform(BEGIN_SNAPSHOT, access, REPORT_TIMEOUT, work)
            .await
    }

    /// Writes in one transaction, which rolls back if the work fails.
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

/// Time limits of one piece of work.
#[derive(Debug, Clone, Copy)]
struct Bounds {
    /// For all of it, measured on this side.
    whole: Duration,
    /// For one statement, measured by the server. Shorter, so that a lock that is never granted costs only
    /// the statement and not the connection.
    statement: Duration,
    /// A node that is cut off must not block the others: after this long without a word from us, the server
    /// abandons the transaction and its locks.
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

/// A connection of the pool. Dropping it returns it, even in the middle of a statement: it is rolled back,
/// and closed if it does not answer. The pool alone would wait for that answer for ever and never reuse the
/// slot.
///
/// DANGER: whoever gives up while a transaction begins leaves it open on the server, and the library does not know of it: it
/// rolls back only what has begun. The next user would write into a transaction that only reads. So such a connection is closed.
struct Held {
    connection: PoolConnection<Postgres>,
    /// Whether a transaction was begun without an answer until now.
    begins: bool,
}

impl Held {
    const fn of(connection: PoolConnection<Postgres>) -> Self {
        Self {
            connection,
            begins: false,
        }
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        // Without a runtime nothing can wait, and the socket simply closes.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            if self.begins {
                self.connection.close_on_drop();
                return;
            }
            let given_back = self.connection.return_to_pool();
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

/// Announces jobs to all nodes, with one announcement for all jobs created meanwhile. Workers poll anyway,
/// so a failed announcement costs them half a second.
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

/// Wakes the workers of this node when any node announces a job. Workers poll anyway, so a lost connection
/// costs them half a second.
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
    // The listener must not keep the pool from closing.
    listener.ignore_pool_close_event(true);
    listener.listen(JOBS_CHANNEL).await?;
    loop {
        listener.recv().await?;
        wake.notify_one();
    }
}
