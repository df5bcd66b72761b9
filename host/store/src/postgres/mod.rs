//! The PostgreSQL engine: a pool, one transaction for each piece of work, row-level security set in
//! the statement that begins it. What differs from SQLite stands here; the repositories are the same
//! source.
#![allow(
    clippy::duplicate_mod,
    reason = "each repository is compiled once for each engine"
)]

use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::postgres::{PgConnectOptions, PgListener, PgPool, PgPoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Postgres, Transaction};
use tokio::sync::Notify;
use tokio::task::AbortHandle;

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
/// Longest wait for a connection where the server is there, and only busy.
const BUSY_TIMEOUT: Duration = Duration::from_secs(30);

const JOBS_CHANNEL: &str = "gtm_jobs";

/// The UTC month, `YYYY-MM`, of a column that holds a time.
pub(crate) fn month_of(column: &str) -> String {
    format!("to_char({column} AT TIME ZONE 'UTC', 'YYYY-MM')")
}

/// Serialize claims until the transaction ends, so that the limit for each project holds across
/// nodes. Claims are short and batched; nothing else waits for this lock.
pub(crate) async fn serialize_claims(connection: &mut Conn) -> Result<(), StoreError> {
    sqlx::query("SELECT pg_advisory_xact_lock(7165106203)")
        .execute(connection)
        .await?;
    Ok(())
}
/// Tell other nodes of a new job, when the transaction commits.
pub(crate) async fn announce_job(connection: &mut Conn) -> Result<(), StoreError> {
    sqlx::query("SELECT pg_notify($1, '')")
        .bind(JOBS_CHANNEL)
        .execute(connection)
        .await?;
    Ok(())
}
/// Bound the wait for a row that another transaction holds.
pub(crate) async fn bound_wait(connection: &mut Conn) -> Result<(), StoreError> {
    sqlx::query("SET LOCAL lock_timeout = '2s'")
        .execute(connection)
        .await?;
    Ok(())
}

pub(crate) struct Engine {
    pool: PgPool,
    options: PgConnectOptions,
    listener: AbortHandle,
}

impl Engine {
    pub(crate) async fn open(
        url: &str,
        max_connections: u32,
        wake: Arc<Notify>,
    ) -> Result<Self, StoreError> {
        let options = PgConnectOptions::from_str(url)
            .map_err(|e| StoreError::Url(e.to_string()))?
            .application_name("gtm")
            .disable_statement_logging();
        // The pool tries again until its time is up and then tells of the time alone; one attempt of
        // our own tells what is wrong.
        connect::check(&options, CONNECT_TIMEOUT).await?;
        let pool = PgPoolOptions::new()
            .max_connections(max_connections)
            .acquire_timeout(BUSY_TIMEOUT)
            .connect_with(options.clone())
            .await?;
        let mut connection = pool.acquire().await?;
        migrations::run(migrations::postgres(), &mut *connection).await?;
        drop(connection);
        let listener = tokio::spawn(listen(pool.clone(), wake)).abort_handle();
        Ok(Self {
            pool,
            options,
            listener,
        })
    }

    /// Begin a transaction that sees what `access` allows. One round trip.
    async fn begin(
        &self,
        begin: &str,
        access: Access,
    ) -> Result<Transaction<'static, Postgres>, StoreError> {
        // Ids consist of letters, digits and underscores, so that nothing needs quoting.
        let statement = format!("{begin}; SELECT set_config('gtm.project', '{access}', true)");
        let begun = self.pool.begin_with(AssertSqlSafe(statement));
        tokio::pin!(begun);
        if let Ok(begun) = tokio::time::timeout(OUTAGE_AFTER, &mut begun).await {
            return Ok(begun?);
        }
        // No answer in time is no proof: a busy server is slow to let anybody in.
        let check = connect::check(&self.options, CONNECT_TIMEOUT);
        if let Ok(checked) = tokio::time::timeout(OUTAGE_CHECK, check).await {
            checked?;
        }
        Ok(begun.await?)
    }

    /// Read in one transaction.
    pub(crate) async fn read<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.write(access, work).await
    }

    /// Read several things as they stand at one moment.
    pub(crate) async fn snapshot<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        let mut transaction = self
            .begin("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", access)
            .await?;
        let result = work(&mut transaction).await?;
        transaction.commit().await?;
        Ok(result)
    }

    /// Write in one transaction; rolled back if the work fails.
    pub(crate) async fn write<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        let mut transaction = self.begin("BEGIN", access).await?;
        let result = work(&mut transaction).await?;
        transaction.commit().await?;
        Ok(result)
    }

    pub(crate) async fn close(&self) {
        self.listener.abort();
        self.pool.close().await;
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.listener.abort();
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
