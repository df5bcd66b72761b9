//! Organizations and projects.

use gtm_domain::message::compliance::Environment;
use gtm_domain::money::BillingMode;
use gtm_domain::tenant::{Organization, Project};
use gtm_domain::{MicroUsd, OrganizationId, ProjectId, Timestamp};

use super::Conn;
use crate::columns::{Text, Time, instant};
use crate::error::StoreError;

row! {
    struct RawOrganization {
        id: Text<OrganizationId>,
        name: String,
        created_at: Time,
        archived_at: Option<Time>,
        billing: Text<BillingMode>,
        paid_total: i64,
        tier: Option<String>,
    }
}

impl From<RawOrganization> for Organization {
    fn from(raw: RawOrganization) -> Self {
        Self {
            id: raw.id.0,
            name: raw.name,
            created_at: raw.created_at.0,
            archived_at: instant(raw.archived_at),
            billing: raw.billing.0,
            paid_total: MicroUsd::from_micros(raw.paid_total),
            tier: raw.tier,
        }
    }
}

row! {
    struct RawProject {
        id: Text<ProjectId>,
        organization_id: Text<OrganizationId>,
        name: String,
        environment: Text<Environment>,
        created_at: Time,
        archived_at: Option<Time>,
    }
}

impl From<RawProject> for Project {
    fn from(raw: RawProject) -> Self {
        Self {
            id: raw.id.0,
            organization: raw.organization_id.0,
            name: raw.name,
            environment: raw.environment.0,
            created_at: raw.created_at.0,
            archived_at: instant(raw.archived_at),
        }
    }
}

pub(crate) async fn insert_organization(
    c: &mut Conn,
    id: OrganizationId,
    name: &str,
    now: Timestamp,
) -> Result<Organization, StoreError> {
    let sql = "INSERT INTO organizations (id, name, created_at) VALUES ($1, $2, $3) RETURNING *";
    let raw: RawOrganization = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(name)
        .bind(Time(now))
        .fetch_one(&mut *c)
        .await?;
    sqlx::query("INSERT INTO credit_balances (organization_id, balance) VALUES ($1, 0)")
        .bind(Text(id))
        .execute(c)
        .await?;
    Ok(raw.into())
}

/// Changes how an organization pays and which usage tier an operator assigned to it.
pub(crate) async fn set_billing(
    c: &mut Conn,
    id: OrganizationId,
    billing: BillingMode,
    tier: Option<&str>,
) -> Result<Organization, StoreError> {
    let sql = "UPDATE organizations SET billing = $2, tier = $3 WHERE id = $1 RETURNING *";
    let raw: Option<RawOrganization> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(billing.as_str())
        .bind(tier)
        .fetch_optional(c)
        .await?;
    raw.map(Into::into)
        .ok_or_else(|| StoreError::absent("organization", id))
}

pub(crate) async fn organizations(c: &mut Conn) -> Result<Vec<Organization>, StoreError> {
    let rows: Vec<RawOrganization> = sqlx::query_as("SELECT * FROM organizations ORDER BY id")
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

pub(crate) async fn organization(
    c: &mut Conn,
    id: OrganizationId,
) -> Result<Option<Organization>, StoreError> {
    let sql = "SELECT * FROM organizations WHERE id = $1";
    let raw: Option<RawOrganization> = sqlx::query_as(sql).bind(Text(id)).fetch_optional(c).await?;
    Ok(raw.map(Into::into))
}

/// Archives an organization. Also returns whether it was active before.
pub(crate) async fn archive_organization(
    c: &mut Conn,
    id: OrganizationId,
    now: Timestamp,
) -> Result<(Organization, bool), StoreError> {
    let sql = "UPDATE organizations SET archived_at = $2 WHERE id = $1 AND archived_at IS NULL RETURNING *";
    let raw: Option<RawOrganization> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Time(now))
        .fetch_optional(&mut *c)
        .await?;
    if let Some(raw) = raw {
        return Ok((raw.into(), true));
    }
    let row = organization(c, id).await?;
    row.map(|row| (row, false))
        .ok_or_else(|| StoreError::absent("organization", id))
}

pub(crate) async fn insert_project(
    c: &mut Conn,
    id: ProjectId,
    organization: OrganizationId,
    name: &str,
    environment: Environment,
    now: Timestamp,
) -> Result<Project, StoreError> {
    let parent = self::organization(c, organization).await?;
    let parent = parent.ok_or_else(|| StoreError::absent("organization", organization))?;
    parent.active().map_err(StoreError::conflict)?;
    let sql = "INSERT INTO projects (id, organization_id, name, created_at, environment) \
        VALUES ($1, $2, $3, $4, $5) RETURNING *";
    let raw: RawProject = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(organization))
        .bind(name)
        .bind(Time(now))
        .bind(environment.as_str())
        .fetch_one(c)
        .await?;
    Ok(raw.into())
}

pub(crate) async fn projects(
    c: &mut Conn,
    organization: Option<OrganizationId>,
) -> Result<Vec<Project>, StoreError> {
    let sql = "SELECT * FROM projects WHERE $1 IS NULL OR organization_id = $1 ORDER BY id";
    let rows: Vec<RawProject> = sqlx::query_as(sql)
        .bind(organization.map(Text))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

pub(crate) async fn project(c: &mut Conn, id: ProjectId) -> Result<Option<Project>, StoreError> {
    let sql = "SELECT * FROM projects WHERE id = $1";
    let raw: Option<RawProject> = sqlx::query_as(sql).bind(Text(id)).fetch_optional(c).await?;
    Ok(raw.map(Into::into))
}

pub(crate) async fn existing_project(c: &mut Conn, id: ProjectId) -> Result<Project, StoreError> {
    project(c, id)
        .await?
        .ok_or_else(|| StoreError::absent("project", id))
}

/// A project that is not archived, so that new resources can be added to it.
pub(crate) async fn active_project(c: &mut Conn, id: ProjectId) -> Result<Project, StoreError> {
    let row = existing_project(c, id).await?;
    row.active().map_err(StoreError::conflict)?;
    Ok(row)
}

/// Archives a project. Also returns whether it was active before.
pub(crate) async fn archive_project(
    c: &mut Conn,
    id: ProjectId,
    now: Timestamp,
) -> Result<(Project, bool), StoreError> {
    // A claim locks jobs before their project; this function locks the project first, so it must not run
    // alongside claims.
    super::serialize_claims(c).await?;
    let sql =
        "UPDATE projects SET archived_at = $2 WHERE id = $1 AND archived_at IS NULL RETURNING *";
    let raw: Option<RawProject> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Time(now))
        .fetch_optional(&mut *c)
        .await?;
    match raw {
        Some(raw) => Ok((raw.into(), true)),
        None => Ok((existing_project(c, id).await?, false)),
    }
}
