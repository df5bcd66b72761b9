//! Start URLs of bindings: one row per domain, so that one can change without the others.

use std::collections::BTreeMap;

use gtm_domain::binding::Binding;
use gtm_domain::start_url::{StartUrl, StartUrls};
use gtm_domain::{BindingId, OrganizationId, ProjectId};

use sqlx::AssertSqlSafe;

use super::{AS_JSON, Conn, MEMBERS_OF};
use crate::columns::{Json, Text};
use crate::error::StoreError;

/// All start URLs of a binding.
pub(crate) async fn of_binding(c: &mut Conn, binding: BindingId) -> Result<StartUrls, StoreError> {
    let sql = "SELECT domain, url FROM binding_start_urls WHERE binding_id = $1 ORDER BY domain";
    let rows: Vec<(String, String)> = sqlx::query_as(sql).bind(Text(binding)).fetch_all(c).await?;
    Ok(rows.into_iter().collect())
}

/// Start URLs of a binding in effect for this project: those of a registrable domain and the names below
/// it, or all. Empty for any other binding.
pub(crate) async fn for_project(
    c: &mut Conn,
    project: ProjectId,
    organization: OrganizationId,
    binding: BindingId,
    site: Option<&str>,
) -> Result<StartUrls, StoreError> {
    // Domains contain no LIKE wildcards.
    let sql = "SELECT s.domain, s.url FROM binding_start_urls s JOIN bindings b ON b.id = s.binding_id \
        WHERE s.binding_id = $1 AND (b.level = 'platform' OR (b.level = 'organization' AND b.scope_id = $3) \
        OR (b.level = 'project' AND b.scope_id = $2)) AND ($4 IS NULL OR s.domain = $4 OR s.domain LIKE '%.' || $4)";
    let rows: Vec<(String, String)> = sqlx::query_as(sql)
        .bind(Text(binding))
        .bind(Text(project))
        .bind(Text(organization))
        .bind(site)
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().collect())
}

/// The number of start URLs of each binding that has any.
pub(crate) async fn counts(c: &mut Conn) -> Result<Vec<(BindingId, usize)>, StoreError> {
    let sql = "SELECT binding_id, COUNT(*) FROM binding_start_urls GROUP BY binding_id";
    let rows: Vec<(Text<BindingId>, i64)> = sqlx::query_as(sql).fetch_all(c).await?;
    let row = |(id, count): (Text<BindingId>, i64)| (id.0, usize::try_from(count).unwrap_or(0));
    Ok(rows.into_iter().map(row).collect())
}

/// Adds start URLs to those of a binding; a new one replaces that of the same domain. The caller holds the
/// binding.
///
/// # Errors
/// [`StoreError::Conflict`] if the binding does not lead to a backend, or would have too many.
pub(crate) async fn put(
    c: &mut Conn,
    binding: &Binding,
    urls: &[StartUrl],
) -> Result<(), StoreError> {
    let id = binding.id;
    binding
        .may_hold_start_urls(0)
        .map_err(StoreError::conflict)?;
    // One statement however many there are: thousands of them would outlast the time of a transaction.
    // SQLite takes ON for that of a join unless a WHERE precedes it.
    let sql = format!(
        "INSERT INTO binding_start_urls (binding_id, domain, url) \
        SELECT $1, key, value FROM {MEMBERS_OF}($2{AS_JSON}) WHERE TRUE \
        ON CONFLICT (binding_id, domain) DO UPDATE SET url = excluded.url"
    );
    // Of two for one domain, the last is taken: a statement changes no row twice.
    let by_domain: BTreeMap<&str, &str> = urls
        .iter()
        .map(|url| (url.domain().as_str(), url.url()))
        .collect();
    sqlx::query(AssertSqlSafe(sql))
        .bind(Text(id))
        .bind(Json(&by_domain))
        .execute(&mut *c)
        .await?;
    let held = of_binding(c, id).await?.len();
    binding
        .may_hold_start_urls(held)
        .map_err(StoreError::conflict)
}

/// Removes the start URL of one domain, or all.
pub(crate) async fn remove(
    c: &mut Conn,
    binding: BindingId,
    domain: Option<&str>,
) -> Result<(), StoreError> {
    let sql =
        "DELETE FROM binding_start_urls WHERE binding_id = $1 AND ($2 IS NULL OR domain = $2)";
    sqlx::query(sql)
        .bind(Text(binding))
        .bind(domain)
        .execute(c)
        .await?;
    Ok(())
}
