//! Where the store's data lies.

use std::path::PathBuf;

use gtm_domain::TierTable;

/// Configuration of a store.
#[derive(Debug, Clone)]
pub struct StoreConfig {
    /// `sqlite:///absolute/path/gtm.db` or `postgres://…`.
    pub database_url: String,
    /// Directory of the blobs; made if absent. Nodes that share a database share this directory.
    pub blob_dir: PathBuf,
    /// Whether a PostgreSQL role is used to whom row-level security does not apply.
    pub allow_unrestricted_role: bool,
    /// Connections for reading (SQLite) or in all (PostgreSQL). At least 1; 0 means the default of 8.
    pub max_readers: u32,
    /// The deployment's usage tiers: what organizations may spend and how often their keys may ask.
    pub tiers: TierTable,
}

impl StoreConfig {
    /// A SQLite database and its blobs under one data directory.
    #[must_use]
    pub fn in_data_dir(dir: &std::path::Path) -> Self {
        // The two characters that mean something in such a URL.
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
