//! The schema's versions, embedded, and how they are applied.

use sqlx::SqlSafeStr;
use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};

use crate::error::StoreError;

macro_rules! migrator {
    ($($version:literal $name:literal $file:literal;)*) => {
        Migrator::with_migrations(vec![$(Migration::new(
            $version,
            $name.into(),
            MigrationType::Simple,
            include_str!(concat!("../../../migrations/", $file)).into_sql_str(),
            false,
        ),)*])
    };
}

pub(crate) fn sqlite() -> Migrator {
    migrator! { 1 "foundation" "sqlite/0001_foundation.sql"; }
}
pub(crate) fn postgres() -> Migrator {
    migrator! { 1 "foundation" "postgres/0001_foundation.sql"; }
}

/// Bring a database up to date.
pub(crate) async fn run<C: Migrate>(
    migrator: Migrator,
    connection: &mut C,
) -> Result<(), StoreError> {
    let mut result = migrator.run_direct(None, connection, false).await;
    for _ in 0..2 {
        // Two processes that open a new SQLite file at once meet here: the one that came second
        // finds the work done when it looks again.
        if matches!(
            result,
            Err(MigrateError::Execute(_) | MigrateError::ExecuteMigration(..))
        ) {
            result = migrator.run_direct(None, connection, false).await;
        }
    }
    result.map_err(|error| match error {
        MigrateError::VersionMissing(version) => StoreError::DatabaseTooNew(version),
        other => StoreError::Migration(other.to_string()),
    })
}
