//! Selects the database: the one place where a call goes to the SQLite or the PostgreSQL copy of a
//! repository.

use std::sync::Arc;

use tokio::sync::Notify;

use crate::config::{DatabaseKind, StoreConfig};
use crate::error::StoreError;
use crate::{postgres, sqlite};

#[expect(
    clippy::large_enum_variant,
    reason = "there is one of it, for as long as the process lives"
)]
pub(super) enum Database {
    Sqlite(sqlite::Database),
    Postgres(postgres::Database),
}

const DEFAULT_CONNECTIONS: u32 = 8;

impl Database {
    pub(super) async fn open(config: &StoreConfig, wake: Arc<Notify>) -> Result<Self, StoreError> {
        let connections = if config.max_readers == 0 {
            DEFAULT_CONNECTIONS
        } else {
            config.max_readers
        };
        let url = config.database_url.as_str();
        match DatabaseKind::of_url(url).map_err(|fault| StoreError::Url(fault.to_string()))? {
            DatabaseKind::Sqlite => sqlite::Database::open(url, connections)
                .await
                .map(Self::Sqlite),
            DatabaseKind::Postgres => {
                let any_role = config.allow_unrestricted_role;
                postgres::Database::open(url, connections, any_role, wake)
                    .await
                    .map(Self::Postgres)
            }
        }
    }

    /// The database is open and its checks have passed: from now on, limit how long a request may wait.
    pub(super) async fn begin_serving(&self) -> Result<(), StoreError> {
        match self {
            Self::Sqlite(database) => database.begin_serving().await,
            // There, every transaction sets its own limits.
            Self::Postgres(_) => Ok(()),
        }
    }

    /// Itself, so that `on_database!` accepts a database as well as a store.
    pub(super) const fn database(&self) -> &Self {
        self
    }

    /// Tells other nodes, if there can be any, that a job is waiting.
    pub(super) fn announce_job(&self) {
        match self {
            // Another process on the same file polls by itself.
            Self::Sqlite(_) => {}
            Self::Postgres(database) => database.announce_job(),
        }
    }

    /// Takes what is committed out of the engine's log, which holds what was erased for as long. False if a reader
    /// prevents it.
    pub(super) async fn empty_log(&self) -> Result<bool, StoreError> {
        match self {
            Self::Sqlite(database) => database.empty_log().await,
            // The server recycles its log by itself, and no client may do it.
            Self::Postgres(_) => Ok(true),
        }
    }

    pub(super) async fn close(&self) {
        match self {
            Self::Sqlite(database) => database.close().await,
            Self::Postgres(database) => database.close().await,
        }
    }
}

/// Runs a body on the store's database: `on_database!(store, read, access, |c, repo| expression)`. The
/// expression names repositories as `repo::jobs::…` and its connection as `c`; `read`, `snapshot`, `report`
/// and `write` are the databases' functions with these names.
macro_rules! on_database {
    ($store:expr, $mode:ident, $access:expr, |$c:ident, $repo:ident| $body:expr) => {
        match $store.database() {
            $crate::store::database::Database::Sqlite(database) => {
                use $crate::sqlite::repo as $repo;
                database
                    .$mode($access, move |$c| Box::pin(async move { $body }))
                    .await
            }
            $crate::store::database::Database::Postgres(database) => {
                use $crate::postgres::repo as $repo;
                database
                    .$mode($access, move |$c| Box::pin(async move { $body }))
                    .await
            }
        }
    };
}
pub(super) use on_database;
