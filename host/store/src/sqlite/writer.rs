//! Group commit: one task owns the only writing connection and commits all waiting work in one transaction,
//! so that one fsync serves many requests. Each piece of work runs in its own SAVEPOINT, so a failure rolls
//! back only that piece. No caller gets an answer before the COMMIT.

use std::panic::AssertUnwindSafe;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use sqlx::{Connection, SqliteConnection};
use tokio::sync::{mpsc, oneshot};

use super::BUSY_WHILE_SERVING;
use super::database_file::DatabaseFile;
use crate::error::StoreError;

/// Maximum pieces of work in one transaction; it limits how long the first of them waits.
const LARGEST_GROUP: usize = 256;
/// Pieces of work that may be queued before callers have to wait for a place.
const QUEUE: usize = 1024;
/// Longest wait for readers while the log is emptied: meanwhile nothing is written.
const WAIT_FOR_READERS: &str = "PRAGMA busy_timeout = 100";

pub(super) struct Writer {
    queue: mpsc::Sender<Message>,
}

enum Message {
    Work(Box<dyn Work>),
    EmptyLog(oneshot::Sender<Result<bool, StoreError>>),
    Close(oneshot::Sender<()>),
}

/// A piece of work that keeps its result until the COMMIT.
trait Work: Send {
    /// Runs it. False if its effects must be rolled back.
    fn run<'c>(&'c mut self, connection: &'c mut SqliteConnection) -> BoxFuture<'c, bool>;
    /// Answers its caller: with its own result, or with the failure of the whole group.
    fn answer(self: Box<Self>, group: Result<(), StoreError>);
}

struct Pending<F, T> {
    work: Option<F>,
    result: Option<Result<T, StoreError>>,
    caller: oneshot::Sender<Result<T, StoreError>>,
}

impl<F, T> Work for Pending<F, T>
where
    T: Send,
    F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>> + Send,
{
    fn run<'c>(&'c mut self, connection: &'c mut SqliteConnection) -> BoxFuture<'c, bool> {
        Box::pin(async move {
            let Some(work) = self.work.take() else {
                return false;
            };
            // A panic in one caller's work must not stop the writer for all others.
            let result = AssertUnwindSafe(async { work(connection).await })
                .catch_unwind()
                .await
                .unwrap_or_else(|_| {
                    Err(StoreError::Conflict(
                        "a write panicked and was rolled back".to_owned(),
                    ))
                });
            let keep = result.is_ok();
            self.result = Some(result);
            keep
        })
    }

    fn answer(self: Box<Self>, group: Result<(), StoreError>) {
        let result = match (self.result, group) {
            // Its own failure is more specific than the group's.
            (Some(Err(own)), _) => Err(own),
            (_, Err(group)) => Err(group),
            (Some(Ok(value)), Ok(())) => Ok(value),
            (None, Ok(())) => Err(StoreError::Closed),
        };
        // A caller that has stopped waiting needs no answer.
        let _ = self.caller.send(result);
    }
}

impl Writer {
    pub(super) fn start(connection: SqliteConnection, file: Arc<DatabaseFile>) -> Self {
        let (queue, receiver) = mpsc::channel(QUEUE);
        tokio::spawn(serve(connection, file, receiver));
        Self { queue }
    }

    pub(super) async fn write<T, F>(&self, work: F) -> Result<T, StoreError>
    where
        T: Send + 'static,
        F: for<'c> FnOnce(&'c mut SqliteConnection) -> BoxFuture<'c, Result<T, StoreError>>
            + Send
            + 'static,
    {
        let (caller, answer) = oneshot::channel();
        let pending = Pending {
            work: Some(work),
            result: None,
            caller,
        };
        self.queue
            .send(Message::Work(Box::new(pending)))
            .await
            .map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Empties the write-ahead log behind all work that was given before. False if a reader prevents it.
    pub(super) async fn empty_log(&self) -> Result<bool, StoreError> {
        let (caller, answer) = oneshot::channel();
        self.queue
            .send(Message::EmptyLog(caller))
            .await
            .map_err(|_| StoreError::Closed)?;
        answer.await.map_err(|_| StoreError::Closed)?
    }

    /// Commits pending work and closes the connection.
    pub(super) async fn close(&self) {
        let (done, closed) = oneshot::channel();
        if self.queue.send(Message::Close(done)).await.is_ok() {
            let _ = closed.await;
        }
    }
}

async fn serve(
    mut connection: SqliteConnection,
    file: Arc<DatabaseFile>,
    mut queue: mpsc::Receiver<Message>,
) {
    let mut messages = Vec::with_capacity(LARGEST_GROUP);
    let (mut closing, mut emptying) = (None, Vec::new());
    while closing.is_none() && queue.recv_many(&mut messages, LARGEST_GROUP).await > 0 {
        let mut group = Vec::with_capacity(messages.len());
        for message in messages.drain(..) {
            match message {
                Message::Work(work) => group.push(work),
                Message::EmptyLog(caller) => emptying.push(caller),
                Message::Close(done) => closing = Some(done),
            }
        }
        let mut outcome = file.check();
        if outcome.is_ok() {
            outcome = commit(&mut connection, &mut group)
                .await
                .map_err(StoreError::from)
                // A commit to a file that has disappeared meanwhile is as good as lost.
                .and_then(|()| file.check());
        }
        if outcome.is_err() {
            // The engine may already have rolled back by itself.
            let _ = sqlx::query("ROLLBACK").execute(&mut connection).await;
        }
        for work in group {
            work.answer(outcome.clone());
        }
        for caller in emptying.drain(..) {
            let emptied = match file.check() {
                Ok(()) => empty_log(&mut connection).await.map_err(StoreError::from),
                gone => gone.map(|()| false),
            };
            // A caller that has stopped waiting needs no answer.
            let _ = caller.send(emptied);
        }
    }
    if let Err(error) = connection.close().await {
        tracing::warn!(%error, "closing the database");
    }
    if let Some(done) = closing {
        let _ = done.send(());
    }
}

/// Takes the write-ahead log into the database file and cuts it to nothing. False if a reader prevents it. Only while
/// serving, whose patience with other processes comes back.
async fn empty_log(connection: &mut SqliteConnection) -> Result<bool, sqlx::Error> {
    sqlx::query(WAIT_FOR_READERS)
        .execute(&mut *connection)
        .await?;
    let checkpoint = sqlx::query_as("PRAGMA wal_checkpoint(TRUNCATE)")
        .fetch_one(&mut *connection)
        .await;
    sqlx::query(BUSY_WHILE_SERVING)
        .execute(&mut *connection)
        .await?;
    let (busy, _, _): (i64, i64, i64) = checkpoint?;
    Ok(busy == 0)
}

/// Runs the group in one transaction. An error means that nothing of the group was written. That includes
/// the engine rolling back the whole transaction by itself (disk full), because no savepoint is left to
/// return to then.
async fn commit(
    connection: &mut SqliteConnection,
    group: &mut [Box<dyn Work>],
) -> Result<(), sqlx::Error> {
    if group.is_empty() {
        return Ok(());
    }
    sqlx::query("BEGIN IMMEDIATE")
        .execute(&mut *connection)
        .await?;
    for work in group {
        sqlx::query("SAVEPOINT work")
            .execute(&mut *connection)
            .await?;
        if !work.run(connection).await {
            sqlx::query("ROLLBACK TO work")
                .execute(&mut *connection)
                .await?;
        }
        sqlx::query("RELEASE work")
            .execute(&mut *connection)
            .await?;
    }
    sqlx::query("COMMIT").execute(&mut *connection).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    async fn writer(dir: &std::path::Path) -> Writer {
        let url = format!("sqlite://{}?mode=rwc", dir.join("x.db").display());
        let mut connection = SqliteConnection::connect(&url).await.unwrap();
        sqlx::query("CREATE TABLE numbers (n INTEGER PRIMARY KEY) STRICT")
            .execute(&mut connection)
            .await
            .unwrap();
        let path = dir.join("x.db");
        let file = DatabaseFile::of(&path, &std::fs::File::open(&path).unwrap()).unwrap();
        Writer::start(connection, Arc::new(file))
    }

    async fn insert(
        writer: &Writer,
        n: i64,
        then: fn() -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        writer
            .write(move |c| {
                Box::pin(async move {
                    sqlx::query("INSERT INTO numbers VALUES ($1)")
                        .bind(n)
                        .execute(c)
                        .await?;
                    then()
                })
            })
            .await
    }

    async fn stored(writer: &Writer) -> Vec<i64> {
        writer
            .write(|c| {
                Box::pin(async move {
                    Ok(sqlx::query_scalar("SELECT n FROM numbers ORDER BY n")
                        .fetch_all(c)
                        .await?)
                })
            })
            .await
            .unwrap()
    }

    #[tokio::test]
    async fn failing_and_panicking_work_takes_back_only_itself() {
        let dir = tempfile::tempdir().unwrap();
        let writer = writer(dir.path()).await;
        let fails: fn() -> Result<(), StoreError> = || Err(StoreError::LeaseLost);
        let panics: fn() -> Result<(), StoreError> = || panic!("work that panics");
        let kinds = [|| Ok(()), fails, panics];
        // All wait at once, so that they share transactions.
        let all = (0..60).map(|n| insert(&writer, n, kinds[usize::try_from(n % 3).unwrap()]));
        let results = futures::future::join_all(all).await;
        for (n, result) in results.iter().enumerate() {
            assert_eq!(result.is_ok(), n % 3 == 0, "{n}: {result:?}");
        }
        assert_eq!(
            stored(&writer).await,
            (0..60).step_by(3).collect::<Vec<i64>>()
        );
    }

    #[tokio::test]
    async fn a_transaction_that_the_engine_rolled_back_fails_its_whole_group() {
        let dir = tempfile::tempdir().unwrap();
        let writer = writer(dir.path()).await;
        // SQLite does this by itself when the disk is full.
        let rolled_back = writer.write(|c| {
            Box::pin(async move {
                sqlx::query("ROLLBACK").execute(c).await?;
                Ok(())
            })
        });
        let (before, full, after) = tokio::join!(
            insert(&writer, 1, || Ok(())),
            rolled_back,
            insert(&writer, 2, || Ok(()))
        );
        let answered: Vec<bool> = vec![before.is_ok(), full.is_ok(), after.is_ok()];
        assert!(
            !answered[1],
            "who was told of success must be on disk: {answered:?}"
        );
        let expected: Vec<i64> = [(1, answered[0]), (2, answered[2])]
            .into_iter()
            .filter_map(|(n, ok)| ok.then_some(n))
            .collect();
        assert_eq!(stored(&writer).await, expected);
        insert(&writer, 3, || Ok(())).await.unwrap();
        assert_eq!(stored(&writer).await.last(), Some(&3));
    }
}
