//! Where the store keeps its data.

use std::path::PathBuf;

use gtm_domain::TierTable;

/// Which database an address is of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DatabaseKind {
    Sqlite,
    Postgres,
}

/// The address is of no database that is known. The message repeats nothing of it: it may have a password.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("expected sqlite:///path/to/gtm.db or postgres://user@host/database")]
pub struct UnknownDatabase;

impl DatabaseKind {
    /// The kind that the scheme of the address names.
    ///
    /// # Errors
    /// If it names none.
    pub fn of_url(url: &str) -> Result<Self, UnknownDatabase> {
        match url.split_once(':') {
            Some(("sqlite", _)) => Ok(Self::Sqlite),
            Some(("postgres" | "postgresql", _)) => Ok(Self::Postgres),
            _ => Err(UnknownDatabase),
        }
    }
}

#[derive(Debug, Clone)]
pub struct StoreConfig {
    /// `sqlite:///absolute/path/gtm.db` or `postgres://…`.
    pub database_url: String,
    /// Directory of the blobs; created if absent. Nodes that share a database share this directory.
    pub blob_dir: PathBuf,
    /// Whether to accept a PostgreSQL role that row-level security does not apply to.
    pub allow_unrestricted_role: bool,
    /// Maximum number of connections: for reading (SQLite) or in total (PostgreSQL). At least 1; 0 means
    /// the default of 8.
    pub max_readers: u32,
    /// The deployment's usage tiers: how much organizations may spend and how many requests their keys may
    /// make.
    pub tiers: TierTable,
}

impl StoreConfig {
    /// A SQLite database and its blobs under one data directory.
    #[must_use]
    pub fn in_data_dir(dir: &std::path::Path) -> Self {
        // The two characters that have a meaning in such a URL.
        let file = dir
            .join("gtm.db")
            .display()
            .to_string()
            .replace('%', "%25")
            .replace('?', "%3F");
        Self {
            database_url: format!("sqlite://{file}"),
            blob_dir: dir.join("blob"),
            allow_unrestricted_role: false,
            max_readers: 0,
            tiers: TierTable::default(),
        }
    }
}
