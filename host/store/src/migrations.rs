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
    migrator! {
        1 "foundation" "sqlite/0001_foundation.sql";
        2 "standing" "sqlite/0002_standing.sql";
        3 "money" "sqlite/0003_money.sql";
        4 "usage" "sqlite/0004_usage.sql";
        5 "access" "sqlite/0005_access.sql";
        6 "connections" "sqlite/0006_connections.sql";
        7 "dossier_specifications" "sqlite/0007_dossier_specifications.sql";
        9 "ended_jobs" "sqlite/0009_ended_jobs.sql";
        10 "key_addresses" "sqlite/0010_key_addresses.sql";
        11 "chains_and_reconciliation" "sqlite/0011_chains_and_reconciliation.sql";
        12 "brands" "sqlite/0012_brands.sql";
        13 "reviewed_guidelines" "sqlite/0013_reviewed_guidelines.sql";
    }
}
pub(crate) fn postgres() -> Migrator {
    migrator! {
        1 "foundation" "postgres/0001_foundation.sql";
        2 "standing" "postgres/0002_standing.sql";
        3 "money" "postgres/0003_money.sql";
        4 "usage" "postgres/0004_usage.sql";
        5 "access" "postgres/0005_access.sql";
        6 "connections" "postgres/0006_connections.sql";
        7 "dossier_specifications" "postgres/0007_dossier_specifications.sql";
        9 "ended_jobs" "postgres/0009_ended_jobs.sql";
        10 "key_addresses" "postgres/0010_key_addresses.sql";
        11 "chains_and_reconciliation" "postgres/0011_chains_and_reconciliation.sql";
        12 "brands" "postgres/0012_brands.sql";
        13 "reviewed_guidelines" "postgres/0013_reviewed_guidelines.sql";
    }
}

/// Bring a database up to date.
pub(crate) async fn run<C: Migrate>(
    migrator: Migrator,
    connection: &mut C,
) -> Result<(), StoreError> {
    let mut result = migrator.run_direct(None, connection, false).await;
    // Processes that open a new SQLite file at once meet here: one that came second finds that step
    // done when it looks again, and may come second at each of the next steps.
    for _ in 0..=migrator.iter().count() {
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
