//! The first connection to the file, while other processes may be opening, creating or upgrading it.

use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection as _, Error};
use tokio::time::Instant;

use crate::error::StoreError;
use crate::identity::random_bytes;
use crate::migrations;

/// How long each step of a start waits for other processes.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// Primary result code of SQLite's `SQLITE_BUSY`; an extended code holds it in its low byte.
const BUSY: i32 = 5;

/// The connection that writes, on a file whose schema is up to date.
///
/// # Errors
/// If the file cannot be opened or upgraded, or stays locked for longer than [`PATIENCE`].
pub(super) async fn writer(options: &SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
    let mut connection = switched_to_wal(options, pause).await?;
    migrations::run_sqlite(&mut connection).await?;
    Ok(connection)
}

/// The busy timeout does not cover every switch to WAL. It covers one that meets readers. SQLite refuses at
/// once one that meets a writer or another switch: both have begun to read and would wait for each other. A
/// later attempt finds the switch done.
async fn switched_to_wal<P: Future<Output = ()>>(
    options: &SqliteConnectOptions,
    mut pause: impl FnMut() -> P,
) -> Result<SqliteConnection, Error> {
    let until = Instant::now() + PATIENCE;
    loop {
        match SqliteConnection::connect_with(options).await {
            Err(error) if is_busy(&error) && Instant::now() < until => pause().await,
            connected => return connected,
        }
    }
}

/// A short pause of random length: processes that pause equally long would collide again.
async fn pause() {
    let [jitter] = random_bytes::<1>();
    tokio::time::sleep(Duration::from_millis(5 + u64::from(jitter % 32))).await;
}

fn is_busy(error: &Error) -> bool {
    let Error::Database(failure) = error else {
        return false;
    };
    let code = failure.code().and_then(|code| code.parse::<i32>().ok());
    code.is_some_and(|code| code & 0xff == BUSY)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use sqlx::sqlite::SqliteJournalMode;

    use super::*;

    /// A process that opens a file while another one writes it is refused at once, and succeeds later.
    #[tokio::test]
    async fn a_writer_of_a_file_that_is_not_yet_in_wal_is_waited_for() {
        let dir = tempfile::tempdir().unwrap();
        let options = SqliteConnectOptions::new()
            .filename(dir.path().join("gtm.db"))
            .create_if_missing(true)
            .busy_timeout(PATIENCE);
        let rollback = options.clone().journal_mode(SqliteJournalMode::Delete);
        let mut writer = SqliteConnection::connect_with(&rollback).await.unwrap();
        for statement in ["CREATE TABLE held (id INTEGER)", "BEGIN IMMEDIATE"] {
            sqlx::query(statement).execute(&mut writer).await.unwrap();
        }
        // The writer leaves when it is met for the second time.
        let (mut writer, mut met) = (Some(writer), 0);
        let leave = || {
            met += 1;
            let leaving = if met == 2 { writer.take() } else { None };
            async {
                if let Some(writer) = leaving {
                    writer.close().await.unwrap();
                }
            }
        };
        let wal = options.journal_mode(SqliteJournalMode::Wal);
        let mut connection = switched_to_wal(&wal, leave).await.unwrap();
        assert_eq!(met, 2);
        let mode: String = sqlx::query_scalar("PRAGMA journal_mode")
            .fetch_one(&mut connection)
            .await
            .unwrap();
        assert_eq!(mode, "wal");
    }
}
