//! The embedded versions of the schema, and how they are applied.

use sqlx::migrate::{Migrate, MigrateError, Migration, MigrationType, Migrator};
use sqlx::{Connection as _, PgConnection, SqlSafeStr, SqliteConnection};

use crate::error::StoreError;

/// sqlx's default table for applied migrations.
const TABLE: &str = "_sqlx_migrations";

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

fn sqlite() -> Migrator {
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
        14 "plugin_versions" "sqlite/0014_plugin_versions.sql";
        15 "expected_costs" "sqlite/0015_expected_costs.sql";
        16 "defaults_and_start_urls" "sqlite/0016_defaults_and_start_urls.sql";
        17 "row_level_security" "sqlite/0017_row_level_security.sql";
        18 "calls_in_doubt" "sqlite/0018_calls_in_doubt.sql";
        19 "awaiting_reconciliation" "sqlite/0019_awaiting_reconciliation.sql";
        20 "repeated_calls" "sqlite/0020_repeated_calls.sql";
        21 "binding_kinds" "sqlite/0021_binding_kinds.sql";
        22 "stages_and_files" "sqlite/0022_stages_and_files.sql";
        23 "immutable_files" "sqlite/0023_immutable_files.sql";
        24 "opaque_answers" "sqlite/0024_opaque_answers.sql";
        25 "file_names" "sqlite/0025_file_names.sql";
        26 "file_names_by_ascii" "sqlite/0026_file_names_by_ascii.sql";
        27 "offers" "sqlite/0027_offers.sql";
        28 "document_templates" "sqlite/0028_document_templates.sql";
        29 "message_template_revisions" "sqlite/0029_message_template_revisions.sql";
        30 "prospecting" "sqlite/0030_prospecting.sql";
        31 "outcome_ledger" "sqlite/0031_outcome_ledger.sql";
        32 "erased_results" "sqlite/0032_erased_results.sql";
        33 "prospect_decisions" "sqlite/0033_prospect_decisions.sql";
        34 "erasures_under_way" "sqlite/0034_erasures_under_way.sql";
    }
}
fn postgres() -> Migrator {
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
        14 "plugin_versions" "postgres/0014_plugin_versions.sql";
        15 "expected_costs" "postgres/0015_expected_costs.sql";
        16 "defaults_and_start_urls" "postgres/0016_defaults_and_start_urls.sql";
        17 "row_level_security" "postgres/0017_row_level_security.sql";
        18 "calls_in_doubt" "postgres/0018_calls_in_doubt.sql";
        19 "awaiting_reconciliation" "postgres/0019_awaiting_reconciliation.sql";
        20 "repeated_calls" "postgres/0020_repeated_calls.sql";
        21 "binding_kinds" "postgres/0021_binding_kinds.sql";
        22 "stages_and_files" "postgres/0022_stages_and_files.sql";
        23 "immutable_files" "postgres/0023_immutable_files.sql";
        24 "opaque_answers" "postgres/0024_opaque_answers.sql";
        25 "file_names" "postgres/0025_file_names.sql";
        26 "file_names_by_ascii" "postgres/0026_file_names_by_ascii.sql";
        27 "offers" "postgres/0027_offers.sql";
        28 "document_templates" "postgres/0028_document_templates.sql";
        29 "message_template_revisions" "postgres/0029_message_template_revisions.sql";
        30 "prospecting" "postgres/0030_prospecting.sql";
        31 "outcome_ledger" "postgres/0031_outcome_ledger.sql";
        32 "erased_results" "postgres/0032_erased_results.sql";
        33 "prospect_decisions" "postgres/0033_prospect_decisions.sql";
        34 "erasures_under_way" "postgres/0034_erasures_under_way.sql";
    }
}

/// Brings a PostgreSQL database up to date. Nodes that start at the same time take turns: the migrator
/// holds an advisory lock.
pub(crate) async fn run_postgres(connection: &mut PgConnection) -> Result<(), StoreError> {
    run(&postgres(), connection).await
}

/// Brings a SQLite file up to date: all pending migrations in one transaction, so that processes that start
/// at the same time wait for each other. A file that is up to date is only read.
pub(crate) async fn run_sqlite(connection: &mut SqliteConnection) -> Result<(), StoreError> {
    let migrator = sqlite();
    if is_applied(&migrator, connection).await {
        return run(&migrator, connection).await;
    }
    // A transaction that begins by reading cannot start to write while another process writes: SQLite
    // refuses it at once, whatever the busy timeout. IMMEDIATE takes the write lock first.
    let mut transaction = connection.begin_with("BEGIN IMMEDIATE").await?;
    run(&migrator, &mut *transaction).await?;
    transaction.commit().await?;
    Ok(())
}

/// Whether no migration is pending. A file without the migrations table is new.
async fn is_applied(migrator: &Migrator, connection: &mut SqliteConnection) -> bool {
    let applied = connection.list_applied_migrations(TABLE).await;
    applied.is_ok_and(|applied| {
        let known = |version| applied.iter().any(|one| one.version == version);
        migrator.iter().all(|migration| known(migration.version))
    })
}

async fn run<C: Migrate>(migrator: &Migrator, connection: &mut C) -> Result<(), StoreError> {
    let result = migrator.run_direct(None, connection, false).await;
    result.map_err(|error| match error {
        MigrateError::VersionMissing(version) => StoreError::DatabaseTooNew(version),
        other => StoreError::Migration(other.to_string()),
    })
}
