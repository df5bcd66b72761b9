//! The SQLite engine: a WAL file, a writer that commits in groups, and a pool of readers. What
//! differs from PostgreSQL stands here; the repositories are the same source.
#![allow(
    clippy::duplicate_mod,
    reason = "each repository is compiled once for each database"
)]

mod connect;
mod database_file;
mod writer;

use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;
use std::time::Duration;

use futures::future::BoxFuture;
use sqlx::ConnectOptions;
use sqlx::sqlite::{
    SqliteConnectOptions, SqliteJournalMode, SqlitePool, SqlitePoolOptions, SqliteSynchronous,
};

use crate::access::Access;
use crate::error::StoreError;
use database_file::DatabaseFile;
use writer::Writer;

#[path = "../repo/mod.rs"]
pub(crate) mod repo;

/// The connection that the repositories run on.
pub(crate) type Conn = sqlx::SqliteConnection;

/// Suffix that locks what a write is about to change: the one writer needs none.
pub(crate) const FOR_UPDATE: &str = "";
/// Suffix that claims rows others are not claiming: the one writer needs none.
pub(crate) const SKIP_LOCKED: &str = "";

/// The UTC month, `YYYY-MM`, of a column that holds a time.
pub(crate) fn month_of(column: &str) -> String {
    format!("strftime('%Y-%m', {column} / 1000000, 'unixepoch')")
}

/// The sum over rows of an expression of integers, 0 without rows. SQLite's own SUM fails beyond 64 bits;
/// this one stops at the largest and the smallest of them, as on PostgreSQL. Halves are added apart, so
/// that neither sum can overflow, and where the whole does, the arithmetic turns to floating point and
/// the cast to its nearest integer.
pub(crate) fn sum_of(expression: &str) -> String {
    let (high, low) = (
        format!("SUM(({expression}) >> 32)"),
        format!("SUM(({expression}) & 4294967295)"),
    );
    format!(
        "CAST(COALESCE(({high} + ({low} >> 32)) * 4294967296 + ({low} & 4294967295), 0) AS INTEGER)"
    )
}

/// Serialize claims. The one writer does that already.
pub(crate) async fn serialize_claims(_: &mut Conn) -> Result<(), StoreError> {
    Ok(())
}
/// Bound the wait for a row that another transaction holds. Nobody else holds rows.
pub(crate) async fn bound_wait(_: &mut Conn, _: Duration) -> Result<(), StoreError> {
    Ok(())
}
/// Longest wait for such a row.
pub(crate) const WAIT_FOR_ROWS: Duration = Duration::ZERO;

/// Longest wait for another process, such as a command, that writes to the same file.
const BUSY_WHILE_SERVING: &str = "PRAGMA busy_timeout = 2500";
/// Longest wait for a reading connection: a request must not hang for longer.
const ACQUIRE_TIMEOUT: Duration = Duration::from_secs(5);

pub(crate) struct Database {
    readers: SqlitePool,
    writer: Writer,
    file: Arc<DatabaseFile>,
}

impl Database {
    pub(crate) async fn open(url: &str, max_readers: u32) -> Result<Self, StoreError> {
        let options = SqliteConnectOptions::from_str(url)
            .map_err(|e| StoreError::Url(e.to_string()))?
            .create_if_missing(false)
            .foreign_keys(true)
            .busy_timeout(Duration::from_secs(10))
            .statement_cache_capacity(256)
            // Told where the operator's filter asks for `sqlx::query=trace`: texts, never values.
            .log_statements(log::LevelFilter::Trace)
            .log_slow_statements(log::LevelFilter::Off, Duration::MAX);
        let file = create_private(options.get_filename())?;
        let write_options = options
            .clone()
            .busy_timeout(connect::PATIENCE)
            .journal_mode(SqliteJournalMode::Wal)
            .synchronous(SqliteSynchronous::Full);
        let connection = connect::writer(&write_options).await?;
        let readers = SqlitePoolOptions::new()
            .max_connections(max_readers)
            .acquire_timeout(ACQUIRE_TIMEOUT)
            .connect_with(options.pragma("query_only", "ON"))
            .await?;
        let file = Arc::new(file.with_log()?);
        Ok(Self {
            readers,
            writer: Writer::start(connection, Arc::clone(&file)),
            file,
        })
    }

    /// The start is over: from here on a request waits for each write, and maybe for one that waits
    /// before it.
    pub(crate) async fn begin_serving(&self) -> Result<(), StoreError> {
        self.writer
            .write(|c| {
                Box::pin(async move {
                    sqlx::query(BUSY_WHILE_SERVING).execute(c).await?;
                    Ok(())
                })
            })
            .await
    }

    /// Read with one connection.
    pub(crate) async fn read<T, F>(&self, _: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        let mut connection = self.readers.acquire().await?;
        // After that, since a closed store has no log any more, which is nothing to complain of.
        self.file.check()?;
        work(&mut connection).await
    }

    /// Read several things as they stand at one moment.
    pub(crate) async fn snapshot<T, F>(&self, _: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        let mut transaction = self.readers.begin().await?;
        self.file.check()?;
        let result = work(&mut transaction).await;
        transaction.rollback().await?;
        result
    }

    /// The same for what reads much; readers have no bound here.
    pub(crate) async fn report<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.snapshot(access, work).await
    }

    /// Write in a transaction of its own. Returns when it is on disk.
    pub(crate) async fn write<T, F>(&self, _: Access, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.writer.write(work).await
    }

    pub(crate) async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

/// Make the database file for its owner's eyes only; SQLite gives its companions the same mode.
fn create_private(path: &Path) -> Result<DatabaseFile, StoreError> {
    let failed = |at: &Path, error: &std::io::Error| StoreError::File {
        path: at.display().to_string(),
        cause: error.to_string(),
    };
    if let Some(parent) = path.parent() {
        std::fs::create_dir_all(parent).map_err(|e| failed(parent, &e))?;
    }
    let mut options = std::fs::OpenOptions::new();
    options.create(true).truncate(false).write(true).read(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
        .open(path)
        .and_then(|file| DatabaseFile::of(path, &file))
        .map_err(|e| failed(path, &e))
}
