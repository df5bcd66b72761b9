//! Monthly limits: setting, clearing, listing. `money` decides what they refuse.

use gtm_domain::money::{Limit, LimitMetric, LimitOwner};
use gtm_domain::tenant::Project;
use gtm_domain::{KeyRecordId, OrganizationId, Timestamp};

use super::{Conn, keys, tenants};
use crate::columns::{Text, Time};
use crate::error::StoreError;

row! {
    struct RawLimit {
        scope_id: String,
        scope: String,
        metric: String,
        value: i64,
        set_at: Time,
    }
}

impl TryFrom<RawLimit> for Limit {
    type Error = StoreError;
    fn try_from(raw: RawLimit) -> Result<Self, StoreError> {
        let corrupt = || StoreError::Corrupt(format!("limit {} of {}", raw.metric, raw.scope_id));
        Ok(Self {
            owner: LimitOwner::parse(&raw.scope, &raw.scope_id).ok_or_else(corrupt)?,
            metric: LimitMetric::parse(&raw.metric).ok_or_else(corrupt)?,
            value: raw.value,
            set_at: raw.set_at.0,
        })
    }
}

/// Sets a limit and returns the previous one.
pub(crate) async fn put(
    c: &mut Conn,
    row: &Limit,
    now: Timestamp,
) -> Result<Option<Limit>, StoreError> {
    let before = get(c, row.owner, row.metric).await?;
    let sql = "INSERT INTO limits (scope_id, scope, metric, value, set_at) VALUES ($1, $2, $3, $4, $5) \
        ON CONFLICT (scope_id, metric) DO UPDATE SET value = excluded.value, set_at = excluded.set_at";
    sqlx::query(sql)
        .bind(row.owner.id())
        .bind(row.owner.scope().as_str())
        .bind(row.metric.as_str())
        .bind(row.value)
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(before)
}

/// Removes a limit and returns it.
pub(crate) async fn delete(
    c: &mut Conn,
    owner: LimitOwner,
    metric: LimitMetric,
) -> Result<Option<Limit>, StoreError> {
    let before = get(c, owner, metric).await?;
    sqlx::query("DELETE FROM limits WHERE scope_id = $1 AND metric = $2")
        .bind(owner.id())
        .bind(metric.as_str())
        .execute(c)
        .await?;
    Ok(before)
}

/// Copies the limits of a key to the key that replaces it.
pub(crate) async fn hand_on(
    c: &mut Conn,
    from: KeyRecordId,
    to: KeyRecordId,
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO limits (scope_id, scope, metric, value, set_at) \
        SELECT $2, scope, metric, value, $3 FROM limits WHERE scope_id = $1";
    sqlx::query(sql)
        .bind(Text(from))
        .bind(Text(to))
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(())
}

async fn get(
    c: &mut Conn,
    owner: LimitOwner,
    metric: LimitMetric,
) -> Result<Option<Limit>, StoreError> {
    let raw: Option<RawLimit> =
        sqlx::query_as("SELECT * FROM limits WHERE scope_id = $1 AND metric = $2")
            .bind(owner.id())
            .bind(metric.as_str())
            .fetch_optional(c)
            .await?;
    raw.map(TryInto::try_into).transpose()
}

/// Limits of one metric: of one organization with its projects and keys, or of all.
pub(crate) async fn list(
    c: &mut Conn,
    metric: LimitMetric,
    organization: Option<OrganizationId>,
) -> Result<Vec<Limit>, StoreError> {
    let sql = "SELECT * FROM limits WHERE metric = $1 AND ($2 IS NULL OR scope_id = $2 \
        OR scope_id IN (SELECT id FROM projects WHERE organization_id = $2) \
        OR scope_id IN (SELECT k.id FROM api_keys k JOIN projects p ON p.id = k.project_id \
        WHERE p.organization_id = $2)) ORDER BY scope, scope_id";
    let rows: Vec<RawLimit> = sqlx::query_as(sql)
        .bind(metric.as_str())
        .bind(organization.map(Text))
        .fetch_all(c)
        .await?;
    rows.into_iter().map(TryInto::try_into).collect()
}

/// The organization, and the project if any, that an owner of limits belongs to.
pub(crate) async fn tenant(
    c: &mut Conn,
    owner: LimitOwner,
) -> Result<(OrganizationId, Option<Project>), StoreError> {
    let project = match owner {
        LimitOwner::Organization(id) => {
            let found = tenants::organization(c, id).await?;
            let found = found.ok_or_else(|| StoreError::absent("organization", id))?;
            return Ok((found.id, None));
        }
        LimitOwner::Project(id) => id,
        LimitOwner::Key(id) => {
            let key = keys::get(c, id).await?;
            key.ok_or_else(|| StoreError::absent("key", id))?.project
        }
    };
    let project = tenants::existing_project(c, project).await?;
    Ok((project.organization, Some(project)))
}
