//! What can go wrong in the store, in words that an operator can act on.

use std::sync::Arc;

use gtm_domain::canonical::NotCanonical;
use gtm_domain::{KeyRecordId, ProjectId};
use sqlx::error::DatabaseError;
use sqlx::sqlite::SqliteError;

use gtm_domain::money::Refusal;

/// A failure of the store. Rows that are absent or out of scope are `None`, never an error.
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
    /// The database's secrets are sealed under another master key than the one given.
    #[error(
        "wrong master key: this database's secrets are sealed under another key; put back the key ring that belongs to this database"
    )]
    WrongMasterKey,
    /// The database's API keys and replays were authenticated with another pepper than the one given.
    #[error(
        "wrong pepper: this database's API keys were made with another pepper; put back the key ring that belongs to this database"
    )]
    WrongPepper,
    /// The key ring file is missing, but the database has secrets sealed under one.
    #[error(
        "{0} is missing, but this database was used with one: its secrets cannot be opened without it; nothing was written"
    )]
    KeyRingLost(String),
    /// The database file cannot be opened for writing.
    #[error("the database file {path} cannot be opened for writing: {cause}")]
    File {
        /// The file, or the directory that should contain it.
        path: String,
        /// The reason, in the system's words.
        cause: String,
    },
    /// The database server cannot be reached, or refuses the connection.
    #[error("cannot connect to the database: {cause}")]
    Unreachable {
        /// The reason. Contains no password.
        cause: String,
        /// What to do about it.
        advice: &'static str,
    },
    /// Row-level security does not apply to the database role.
    #[error(
        "the database role {0} is a superuser or has BYPASSRLS: row-level security, which keeps tenants apart if a statement does not, is void for it; use a role of its own that owns the database: CREATE ROLE gtm LOGIN NOSUPERUSER NOBYPASSRLS, or accept it with allow_unrestricted_database_role = true"
    )]
    UnrestrictedRole(String),
    /// The database server did not answer in time. The work may or may not have been done.
    #[error("the database does not answer")]
    Unanswered,
    /// The database file is no longer the one that was opened.
    #[error(
        "the database file {path} was removed or replaced while it was in use: nothing is read or written until it is back; to go on with another file, restart gtm"
    )]
    FileGone {
        /// Path of the file.
        path: String,
    },
    /// The key ring cannot be read, written or parsed.
    #[error("key ring: {0}")]
    KeyRing(String),
    /// A stored secret cannot be opened: it was tampered with or moved, or its key is no longer in the
    /// ring.
    #[error(
        "a stored credential of connection {connection} cannot be opened (field {field}); set it again"
    )]
    Unreadable {
        /// The connection that owns the credential; no other is affected.
        connection: String,
        /// The credential's field name.
        field: String,
    },
    /// The worker no longer holds the lease; nothing was written.
    #[error("the lease on the job was lost")]
    LeaseLost,
    /// A write referred to something that does not exist, such as a project for a new key.
    #[error("{kind} {id} does not exist")]
    Absent {
        /// The kind of resource, for example `project`.
        kind: &'static str,
        id: String,
    },
    /// Somebody whom a search for people found was erased, or named in the outcome ledger, after its run had looked.
    /// Nothing was written; the next run leaves the person out.
    #[error(
        "somebody whom the search found was erased or named in the outcome ledger meanwhile; nothing was written"
    )]
    NamedSince,
    /// A gate of a message closed after its run had looked: somebody objected, turned the candidate down, or took the
    /// policy off the list. Nothing was written; the next run finds the gate closed.
    #[error("{0} while the message was written; nothing was stored")]
    ClosedSince(&'static str),
    /// Another request claimed the idempotency key first; nothing was written.
    #[error("another request claimed the idempotency key first")]
    KeyClaimed,
    /// Another request held the idempotency key for too long; nothing was written.
    #[error("another request holds the idempotency key")]
    KeyHeld,
    /// Another transaction held something that this one needs, such as an organization's money, for too
    /// long, or a statement took longer than the database gives it. Nothing was written; the caller may retry.
    #[error("the database was busy for too long with another transaction")]
    Busy,
    /// This transaction and another one waited for each other, and the database ended this one. Nothing was written; the
    /// other one goes on, so the caller may retry at once.
    #[error("the database ended this transaction in favour of another one")]
    Deadlocked,
    /// A limit or the credit is used up: the job was not created, or the provider call not begun. Nothing
    /// was written.
    #[error("a limit or the prepaid credit leaves no room for it")]
    Refused(Refusal),
    /// A write contradicts a rule or what is stored; the sentence says how.
    #[error("{0}")]
    Conflict(String),
    /// A value in the database does not have the shape that this version writes.
    #[error("the database holds an unexpected value: {0}")]
    Corrupt(String),
    /// Reading or writing a blob failed.
    #[error("blob store: {0}")]
    Blob(String),
    /// The bytes of a digest are missing or do not match it.
    #[error("blob {0} is missing or damaged")]
    BlobDamaged(String),
    /// A rule of the database refused the write: a constraint, a trigger, or the range of a type. A retry
    /// will be refused too, however long one waits.
    #[error("a rule of the database refused the write: {0}")]
    RuleViolated(String),
    /// The database engine failed.
    #[error("database: {0}")]
    Database(Arc<sqlx::Error>),
    /// The store is being closed.
    #[error("the store is closed")]
    Closed,
}

/// PostgreSQL's `lock_not_available` and `query_canceled`, with which it ends a statement that takes too long.
const TIMEOUTS: [&str; 2] = ["55P03", "57014"];
/// PostgreSQL's `deadlock_detected` and `serialization_failure`.
const DEADLOCKS: [&str; 2] = ["40P01", "40001"];
/// PostgreSQL's `raise_exception`: a trigger or function refused with its own message.
const RAISED: &str = "P0001";
/// PostgreSQL's classes of data exceptions and of violated constraints.
const RULE_CLASSES: [&str; 2] = ["22", "23"];
/// SQLite's primary result codes for the same failures: `TOOBIG`, `CONSTRAINT` (including a trigger's
/// `RAISE`) and `MISMATCH`. An extended code holds the primary one in its lowest byte.
const RULE_RESULTS: [u32; 3] = [18, 19, 20];
/// SQLite's message for a sum beyond 64 bits, which has no result code of its own.
const SQLITE_OVERFLOW: &str = "integer overflow";

impl From<sqlx::Error> for StoreError {
    fn from(error: sqlx::Error) -> Self {
        match error {
            sqlx::Error::ColumnDecode { index, source } => {
                Self::Corrupt(format!("column {index}: {source}"))
            }
            sqlx::Error::PoolClosed => Self::Closed,
            sqlx::Error::Database(failure)
                if (failure.code()).is_some_and(|code| TIMEOUTS.contains(&code.as_ref())) =>
            {
                Self::Busy
            }
            sqlx::Error::Database(failure)
                if (failure.code()).is_some_and(|code| DEADLOCKS.contains(&code.as_ref())) =>
            {
                Self::Deadlocked
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

/// Whether a rule of the database refused the write, as opposed to a failure of the engine.
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
    /// A rule of the domain forbids the write.
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
    /// 401 `invalid_api_key`: unknown or revoked. The caller does not learn which.
    #[error("the API key is invalid")]
    Invalid,
    /// 401 `expired_api_key`.
    #[error("the API key has expired")]
    Expired,
    /// 403 `project_archived`: the key's project, or its organization, is archived. The key itself is
    /// correct, so the request counts against the rate limit like any other.
    #[error("the key's project is archived")]
    ProjectArchived {
        /// The key that authenticated.
        key: KeyRecordId,
        project: ProjectId,
        /// Requests that the key may make in 60 seconds.
        rate_limit_per_minute: u32,
    },
    /// 403 `forbidden`: the key is correct but may not be used from this address (annex A15). The request
    /// counts against the rate limit like any other.
    #[error("the key may not be used from this address")]
    AddressNotAllowed {
        /// The key that authenticated.
        key: KeyRecordId,
        project: ProjectId,
        /// Requests that the key may make in 60 seconds.
        rate_limit_per_minute: u32,
    },
    #[error(transparent)]
    Store(#[from] StoreError),
}
