//! What can go wrong in the store, in words that an operator can act on.

use std::sync::Arc;

use gtm_domain::canonical::NotCanonical;
use gtm_domain::{KeyRecordId, ProjectId};
use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteError;

use gtm_domain::money::Refusal;

/// A failure of the store. Absent and out-of-scope rows are `None`, never an error.
#[derive(Debug, Clone, thiserror::Error)]
pub enum StoreError {
    /// The database URL names no supported engine or cannot be parsed.
    #[error("database_url: {0}")]
    Url(String),
    /// The database was written by a newer gtm.
    #[error(
        "the database has migration {0}, which this gtm does not know: it was written by a newer version; start that version or restore a backup"
    )]
    DatabaseTooNew(i64),
    /// A migration failed.
    #[error("migrating the database: {0}")]
    Migration(String),
    /// The master key is not the one that the database's secrets are sealed under.
    #[error(
        "wrong master key: this database's secrets are sealed under another key; put back the key ring that belongs to this database"
    )]
    WrongMasterKey,
    /// The pepper is not the one that API keys and replays were authenticated with.
    #[error(
        "wrong pepper: this database's API keys were made with another pepper; put back the key ring that belongs to this database"
    )]
    WrongPepper,
    /// There is no key ring file, but the database has secrets that one of them seals.
    #[error(
        "{0} is missing, but this database was used with one: its secrets cannot be opened without it; nothing was written"
    )]
    KeyRingLost(String),
    /// The database file cannot be opened for writing.
    #[error("the database file {path} cannot be opened for writing: {cause}")]
    File {
        /// The file, or the directory that it was to be made in.
        path: String,
        /// Why, in the system's words.
        cause: String,
    },
    /// The database server cannot be reached, or does not let us in.
    #[error("cannot connect to the database: {cause}")]
    Unreachable {
        /// Why. Holds no password.
        cause: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// Row-level security does not apply to the database role.
    #[error(
        "the database role {0} is a superuser or has BYPASSRLS: row-level security, which keeps tenants apart if a statement does not, is void for it; use a role of its own that owns the database: CREATE ROLE gtm LOGIN NOSUPERUSER NOBYPASSRLS, or accept it with allow_unrestricted_database_role = true"
    )]
    UnrestrictedRole(String),
    /// The database server did not answer in time. What was asked of it may have been done.
    #[error("the database does not answer")]
    Unanswered,
    /// The database file is not the one any more that was opened.
    #[error(
        "the database file {path} was removed or replaced while it was in use: nothing is read or written until it is back; to go on with another file, restart gtm"
    )]
    FileGone {
        /// The file.
        path: String,
    },
    /// The key ring cannot be read, written or understood.
    #[error("key ring: {0}")]
    KeyRing(String),
    /// A stored secret does not open: tampered with, moved, or sealed under a key that is gone.
    #[error(
        "a stored credential of connection {connection} cannot be opened (field {field}); set it again"
    )]
    Unreadable {
        /// The connection whose credential it is; only this one is affected.
        connection: String,
        /// The credential's field name.
        field: String,
    },
    /// The lease is not this worker's any more; nothing was written.
    #[error("the lease on the job was lost")]
    LeaseLost,
    /// A write named something that is absent, such as a project for a new key.
    #[error("{kind} {id} does not exist")]
    Absent {
        /// What sort of thing, for example `project`.
        kind: &'static str,
        /// Its id.
        id: String,
    },
    /// Another request claimed the idempotency key first; nothing was written.
    #[error("another request claimed the idempotency key first")]
    KeyClaimed,
    /// Another request held the idempotency key for too long; nothing was written.
    #[error("another request holds the idempotency key")]
    KeyHeld,
    /// Another transaction held what this one needs, such as an organization's money, for too long;
    /// nothing was written, and the same may be tried again.
    #[error("the database was busy for too long with another transaction")]
    Busy,
    /// A job is not created, or a provider call not begun: a limit or the credit is used up. Nothing
    /// was written.
    #[error("{0}")]
    Refused(Refusal),
    /// A write contradicts what is stored or a rule; the sentence says how.
    #[error("{0}")]
    Conflict(String),
    /// A value in the database does not have the shape that this version writes.
    #[error("the database holds an unexpected value: {0}")]
    Corrupt(String),
    /// Reading or writing a blob failed.
    #[error("blob store: {0}")]
    Blob(String),
    /// Bytes behind a digest are absent or differ from it.
    #[error("blob {0} is missing or damaged")]
    BlobDamaged(String),
    /// A rule of the database refused what was to be written: a constraint, a trigger, or the range of
    /// a type. The same will be refused again, however long one waits.
    #[error("a rule of the database refused the write: {0}")]
    RuleViolated(String),
    /// The database engine failed.
    #[error("database: {0}")]
    Database(Arc<sqlx::Error>),
    /// The store is being closed.
    #[error("the store is closed")]
    Closed,
}

/// PostgreSQL's `lock_not_available`.
const LOCK_TIMEOUT: &str = "55P03";
/// PostgreSQL's `raise_exception`: a trigger or function refuses in its own words.
const RAISED: &str = "P0001";
/// PostgreSQL's classes of data exceptions and of violated constraints.
const RULE_CLASSES: [&str; 2] = ["22", "23"];
/// SQLite's primary result codes for the same: `TOOBIG`, `CONSTRAINT` (a trigger's `RAISE` too) and
/// `MISMATCH`. An extended code has them in its lowest byte.
const RULE_RESULTS: [u32; 3] = [18, 19, 20];
/// What SQLite says of a sum beyond 64 bits, for which it has no code.
const SQLITE_OVERFLOW: &str = "integer overflow";

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::ColumnDecode { index, source } => {
                Self::Corrupt(format!("column {index}: {source}"))
            }
            sqlx::Error::PoolClosed => Self::Closed,
            sqlx::Error::Database(failure) if failure.code().as_deref() == Some(LOCK_TIMEOUT) => {
                Self::Busy
            }
            sqlx::Error::Database(failure) if is_rule(failure.as_ref()) => {
                Self::RuleViolated(failure.message().to_owned())
            }
            other => Self::Database(Arc::new(other)),
        }
    }
}

impl From<NotCanonical> for StoreError {
    fn from(error: NotCanonical) -> Self {
        Self::Corrupt(error.to_string())
    }
}

/// Whether a rule of the database refused, rather than the engine failed.
fn is_rule(failure: &dyn DatabaseError) -> bool {
    let Some(code) = failure.code() else {
        return false;
    };
    if failure.try_downcast_ref::<SqliteError>().is_some() {
        let result = code.parse::<u32>().map(|code| code & 0xff);
        return result.is_ok_and(|result| RULE_RESULTS.contains(&result))
            || failure.message() == SQLITE_OVERFLOW;
    }
    code == RAISED || RULE_CLASSES.iter().any(|class| code.starts_with(class))
}

impl StoreError {
    /// A rule of the domain that does not let the write be.
    pub(crate) fn conflict(rule: impl std::fmt::Display) -> Self {
        Self::Conflict(rule.to_string())
    }
    pub(crate) fn absent(kind: &'static str, id: impl std::fmt::Display) -> Self {
        Self::Absent {
            kind,
            id: id.to_string(),
        }
    }
}

/// Why a presented key was not accepted (specification, Authentication).
#[derive(Debug, Clone, thiserror::Error)]
pub enum AuthError {
    /// 401 `invalid_api_key`: unknown or revoked. Which of the two is not told.
    #[error("the API key is invalid")]
    Invalid,
    /// 401 `expired_api_key`.
    #[error("the API key has expired")]
    Expired,
    /// 403 `project_archived`: the key's project, or its organization, is archived. The key itself is
    /// right, so the request counts like any other.
    #[error("the key's project is archived")]
    ProjectArchived {
        /// The key that authenticated.
        key: KeyRecordId,
        /// Its project.
        project: ProjectId,
        /// Requests that the key may make in 60 seconds.
        rate_limit_per_minute: u32,
    },
    /// 403 `forbidden`: the key is right and may not be used from this address (annex A15). The request
    /// counts like any other.
    #[error("the key may not be used from this address")]
    AddressNotAllowed {
        /// The key that authenticated.
        key: KeyRecordId,
        /// Its project.
        project: ProjectId,
        /// Requests that the key may make in 60 seconds.
        rate_limit_per_minute: u32,
    },
    /// The store failed.
    #[error(transparent)]
    Store(#[from] StoreError),
}
