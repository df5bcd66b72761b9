//! The first connection to the file, while other processes may be opening, making or upgrading it.

use std::time::Duration;

use sqlx::sqlite::{SqliteConnectOptions, SqliteConnection};
use sqlx::{Connection as _, Error};
use tokio::time::Instant;

use crate::error::StoreError;
use crate::identity::random_bytes;
use crate::migrations;

/// How long a start waits for other processes, in each of its steps.
pub(super) const PATIENCE: Duration = Duration::from_secs(30);
/// Primary result code of SQLite's `SQLITE_BUSY`; an extended code holds it in its low byte.
const BUSY: i32 = 5;

/// The connection that writes, on a file whose schema is up to date.
///
/// # Errors
/// If the file cannot be opened or upgraded, or stays locked for longer than [`PATIENCE`].
pub(super) async fn writer(options: &SqliteConnectOptions) -> Result<SqliteConnection, StoreError> {
    let mut connection = switched_to_wal(options).await?;
    migrations::run_sqlite(&mut connection).await?;
    Ok(connection)
}

/// The busy timeout does not cover the switch to WAL: SQLite refuses it at once where another
/// connection reads the file at that moment. Who comes later finds it done.
async fn switched_to_wal(options: &SqliteConnectOptions) -> Result<SqliteConnection, Error> {
    let until = Instant::now() + PATIENCE;
    loop {
        match SqliteConnection::connect_with(options).await {
            Err(error) if is_busy(&error) && Instant::now() < until => {
                // Not all at the same pace, or they would meet again.
                let [jitter] = random_bytes::<1>();
                tokio::time::sleep(Duration::from_millis(5 + u64::from(jitter % 32))).await;
            }
            connected => return connected,
        }
    }
}

fn is_busy(error: &Error) -> bool {
    let Error::Database(failure) = error else {
        return false;
    };
    let code = failure.code().and_then(|code| code.parse::<i32>().ok());
    code.is_some_and(|code| code & 0xff == BUSY)
}
