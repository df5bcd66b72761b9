//! The SQLite engine: a WAL file, a writer that commits in groups, and a pool of readers. Everything that
//! differs from PostgreSQL is here; the repositories share one source.
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
pub(crate) type Row = sqlx::sqlite::SqliteRow;

/// Suffix that locks the rows that a write is about to change; a single writer needs none.
pub(crate) const FOR_UPDATE: &str = "";
/// Suffix that claims rows and skips those that others are claiming; a single writer needs none.
pub(crate) const SKIP_LOCKED: &str = "";

/// Function that turns the members of a JSON object of texts, given as text, into rows of `key` and `value`.
pub(crate) const MEMBERS_OF: &str = "json_each";
/// How its argument is cast.
pub(crate) const AS_JSON: &str = "";

/// SQL for the UTC month, `YYYY-MM`, of a time column.
pub(crate) fn month_of(column: &str) -> String {
    format!("strftime('%Y-%m', {column} / 1000000, 'unixepoch')")
}

/// SQL that sums an integer expression over rows, 0 without rows. SQLite's own SUM fails beyond 64 bits;
/// this one saturates, as on PostgreSQL. The upper and lower 32 bits are summed separately, so neither sum
/// can overflow. If the total does, the arithmetic switches to floating point, and the cast yields the
/// nearest integer.
pub(crate) fn sum_of(expression: &str) -> String {
    let (high, low) = (
        format!("SUM(({expression}) >> 32)"),
        format!("SUM(({expression}) & 4294967295)"),
    );
    format!(
        "CAST(COALESCE(({high} + ({low} >> 32)) * 4294967296 + ({low} & 4294967295), 0) AS INTEGER)"
    )
}

/// Serializes claims, which the single writer does already.
pub(crate) async fn serialize_claims(_: &mut Conn) -> Result<(), StoreError> {
    Ok(())
}
/// Serializes erasures and sweeps, which the single writer does already.
pub(crate) async fn serialize_erasures(_: &mut Conn) -> Result<(), StoreError> {
    Ok(())
}
/// Limits the wait for a row that another transaction holds; no other transaction holds rows here.
pub(crate) async fn bound_wait(_: &mut Conn, _: Duration) -> Result<(), StoreError> {
    Ok(())
}
/// Default limit of that wait.
pub(crate) const WAIT_FOR_ROWS: Duration = Duration::ZERO;

/// Longest wait for another process, such as a command, that writes to the same file.
const BUSY_WHILE_SERVING: &str = "PRAGMA busy_timeout = 2500";
/// Longest wait for a reading connection: a request must not hang any longer.
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
            // Logged if the operator's filter asks for `sqlx::query=trace`: texts, never values.
            .log_statements(log::LevelFilter::Trace)
            .log_slow_statements(log::LevelFilter::Off, Duration::MAX);
        let file = create_private(options.get_filename())?;
        let write_options = options
            .clone()
            .busy_timeout(connect::PATIENCE)
            .journal_mode(SqliteJournalMode::Wal)
            // Who was erased must not stay in the file's free pages.
            .pragma("secure_delete", "ON")
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

    /// The start is over. From here on a request waits for each write, and possibly for another write
    /// before it, so the wait must be short.
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

    /// Reads on one connection.
    pub(crate) async fn read<T, F>(&self, _: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        let mut connection = self.readers.acquire().await?;
        // Only after the connection is acquired: a closed store has no log any more, which is no error.
        self.file.check()?;
        work(&mut connection).await
    }

    /// Reads several things in one snapshot.
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

    /// Like `snapshot`, for work that reads much; readers have no time limit here.
    pub(crate) async fn report<T, F>(&self, access: Access, work: F) -> Result<T, StoreError>
    where
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send,
    {
        self.snapshot(access, work).await
    }

    /// Writes in a transaction of its own. Returns once it is on disk.
    pub(crate) async fn write<T, F>(&self, _: Access, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut Conn) -> BoxFuture<'c, Result<T, StoreError>> + Send + 'static,
    {
        self.writer.write(work).await
    }

    /// Takes all that is committed out of the write-ahead log and cuts it to nothing. False if a reader, here or in another
    /// process, still reads what was before.
    pub(crate) async fn empty_log(&self) -> Result<bool, StoreError> {
        self.writer.empty_log().await
    }

    pub(crate) async fn close(&self) {
        self.writer.close().await;
        self.readers.close().await;
    }
}

/// Creates the database file, readable for its owner only; SQLite gives its companion files the same mode.
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
