//! Sums kept for a key, its project and its organization, which limits are checked against.

use gtm_domain::{KeyRecordId, MicroUsd, OrganizationId, ProjectId};
use sqlx::AssertSqlSafe;

use super::{Conn, added};
use crate::columns::Text;
use crate::error::StoreError;

/// The owners that a job's money counts for.
pub(super) struct Owners {
    pub key: KeyRecordId,
    pub project: ProjectId,
    pub organization: OrganizationId,
}

pub(super) enum Sum {
    /// What calls of open jobs have taken.
    Exposed,
    /// What those calls have taken beyond their jobs' reservations.
    OverReserved,
    /// What awaits reconciliation for jobs that ended in this month.
    Awaiting { month: String },
}

/// Adds `by` to a sum of all three owners. The sum never falls below zero: a sum that once saturated is
/// smaller than the total of what was added to it.
pub(super) async fn change(
    c: &mut Conn,
    owners: &Owners,
    sum: Sum,
    by: MicroUsd,
) -> Result<(), StoreError> {
    // Each with the additional columns and values of a new row.
    let (table, row, others, values, column, month) = match sum {
        Sum::Exposed => (
            "open_reservations",
            "scope_id",
            "reserved",
            "0",
            "exposed",
            None,
        ),
        Sum::OverReserved => (
            "open_reservations",
            "scope_id",
            "reserved",
            "0",
            "over_reserved",
            None,
        ),
        Sum::Awaiting { month } => (
            "monthly_totals",
            "scope_id, month",
            "settled, jobs, month",
            "0, 0, $6",
            "awaiting",
            Some(month),
        ),
    };
    let changed = added(&format!("{table}.{column}"), "CAST($4 AS BIGINT)");
    let sql = format!(
        "INSERT INTO {table} (scope_id, scope, {others}, {column}) VALUES \
         ($1, 'key', {values}, $5), ($2, 'project', {values}, $5), ($3, 'organization', {values}, $5) \
         ON CONFLICT ({row}) DO UPDATE SET {column} = \
         CASE WHEN {changed} < 0 THEN 0 ELSE {changed} END"
    );
    let mut statement = sqlx::query(AssertSqlSafe(sql))
        .bind(Text(owners.key))
        .bind(Text(owners.project))
        .bind(Text(owners.organization))
        .bind(by.micros())
        .bind(by.max(MicroUsd::ZERO).micros());
    if let Some(month) = month {
        statement = statement.bind(month);
    }
    statement.execute(c).await?;
    Ok(())
}
