//! The repositories: all SQL of the store, written once and compiled for each engine against the `Conn` of
//! the engine module that includes them. A function that touches tenant data takes the tenant and filters
//! by it.

use super::{
    AS_JSON, Conn, FOR_UPDATE, MEMBERS_OF, Row, SKIP_LOCKED, WAIT_FOR_ROWS, bound_wait, month_of,
    serialize_claims, serialize_erasures, sum_of,
};

/// A struct whose fields are read from the columns of the same names; `..field` at its end is a struct that
/// reads further columns of the row. Not sqlx's derive: for the compiler to run it, cargo compiles the core
/// of sqlx and all that is below it a second time.
macro_rules! row {
    (
        $(#[$attribute:meta])*
        $visibility:vis struct $name:ident {
            $($(#[$note:meta])* $seen:vis $field:ident: $type:ty,)*
            $(..$rest:ident: $columns:ty,)?
        }
    ) => {
        $(#[$attribute])*
        $visibility struct $name {
            $($(#[$note])* $seen $field: $type,)*
            $($rest: $columns,)?
        }
        impl<'r> sqlx::FromRow<'r, super::Row> for $name {
            fn from_row(row: &'r super::Row) -> sqlx::Result<Self> {
                use sqlx::Row as _;
                Ok(Self {
                    $($field: row.try_get(stringify!($field).trim_start_matches("r#"))?,)*
                    $($rest: sqlx::FromRow::from_row(row)?,)?
                })
            }
        }
    };
}

/// SQL that adds two integers. Where a plain addition would overflow and fail on both engines, the result
/// is the largest or smallest 64-bit integer. The text repeats both operands.
pub(crate) fn added(a: &str, b: &str) -> String {
    format!(
        "CASE WHEN {b} > 0 AND {a} > 9223372036854775807 - {b} THEN 9223372036854775807 \
         WHEN {b} < 0 AND {a} < -9223372036854775807 - {b} THEN -9223372036854775807 ELSE {a} + {b} END"
    )
}

pub(crate) mod audit;
mod awaiting;
pub(crate) mod backlog;
pub(crate) mod bindings;
pub(crate) mod blob_references;
pub(crate) mod brand_guidelines;
pub(crate) mod brands;
pub(crate) mod cancellations;
pub(crate) mod capabilities;
pub(crate) mod claims;
pub(crate) mod connection_verifications;
pub(crate) mod connections;
pub(crate) mod creates;
pub(crate) mod damaged_jobs;
pub(crate) mod document_templates;
pub(crate) mod dossiers;
pub(crate) mod events;
pub(crate) mod expected_costs;
mod exposure;
pub(crate) mod files;
pub(crate) mod idempotency;
pub(crate) mod job_list_sql;
pub(crate) mod jobs;
pub(crate) mod key_ring_checks;
pub(crate) mod keys;
pub(crate) mod ledger;
pub(crate) mod ledger_rules;
pub(crate) mod limits;
mod message_standing;
pub(crate) mod message_template_revisions;
pub(crate) mod missing_ends;
pub(crate) mod money;
pub(crate) mod offers;
pub(crate) mod outcome_ledger;
pub(crate) mod outcomes;
mod owner_sums;
pub(crate) mod plugins;
pub(crate) mod policies;
mod products;
pub(crate) mod prospects;
pub(crate) mod reconciliations;
pub(crate) mod recorded_calls;
pub(crate) mod retention;
mod savepoints;
pub(crate) mod searches;
mod stages;
pub(crate) mod start_urls;
pub(crate) mod step_intents;
mod step_sql;
pub(crate) mod steps;
pub(crate) mod tenants;
pub(crate) mod usage;
pub(crate) mod written_messages;
