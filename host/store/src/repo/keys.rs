//! API keys: records, and the one query that authenticates.

use gtm_domain::{KeyRecordId, OrganizationId, Permissions, ProjectId, Timestamp};

use super::Conn;
use crate::columns::{Json, Text, Time, instant};
use crate::error::StoreError;
use crate::model::tenant::KeyRecord;
use crate::new_key::NewKey;

#[derive(sqlx::FromRow)]
struct RawKey {
    id: Text<KeyRecordId>,
    public_id: String,
    last4: String,
    project_id: Text<ProjectId>,
    name: String,
    permissions: Json<Permissions>,
    created_at: Time,
    expires_at: Option<Time>,
    revoked_at: Option<Time>,
    last_used_at: Option<Time>,
}

impl From<RawKey> for KeyRecord {
    fn from(raw: RawKey) -> Self {
        Self {
            id: raw.id.0,
            public_id: raw.public_id,
            last4: raw.last4,
            project: raw.project_id.0,
            name: raw.name,
            permissions: raw.permissions.0,
            created_at: raw.created_at.0,
            expires_at: instant(raw.expires_at),
            revoked_at: instant(raw.revoked_at),
            last_used_at: instant(raw.last_used_at),
        }
    }
}

/// What authentication compares and decides by.
#[derive(sqlx::FromRow)]
pub(crate) struct Credential {
    pub(crate) id: Text<KeyRecordId>,
    pub(crate) pepper_id: String,
    pub(crate) mac: Vec<u8>,
    pub(crate) project_id: Text<ProjectId>,
    pub(crate) organization_id: Text<OrganizationId>,
    pub(crate) permissions: Json<Permissions>,
    pub(crate) expires_at: Option<Time>,
    pub(crate) revoked_at: Option<Time>,
    pub(crate) archived_at: Option<Time>,
}

pub(crate) async fn credential(
    c: &mut Conn,
    public_id: &str,
) -> Result<Option<Credential>, StoreError> {
    let sql = "SELECT k.id, k.pepper_id, k.mac, k.project_id, p.organization_id, k.permissions, k.expires_at, \
        k.revoked_at, COALESCE(p.archived_at, o.archived_at) AS archived_at \
        FROM api_keys k JOIN projects p ON p.id = k.project_id JOIN organizations o ON o.id = p.organization_id \
        WHERE k.public_id = $1";
    Ok(sqlx::query_as(sql)
        .bind(public_id)
        .fetch_optional(c)
        .await?)
}

pub(crate) async fn insert(c: &mut Conn, key: NewKey) -> Result<KeyRecord, StoreError> {
    super::tenants::active_project(c, key.record.project).await?;
    let sql = "INSERT INTO api_keys (id, public_id, project_id, name, pepper_id, mac, last4, permissions, created_at, \
        expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10) RETURNING *";
    let record = key.record;
    let raw: RawKey = sqlx::query_as(sql)
        .bind(Text(record.id))
        .bind(record.public_id)
        .bind(Text(record.project))
        .bind(record.name)
        .bind(key.pepper_id)
        .bind(key.mac)
        .bind(record.last4)
        .bind(Json(record.permissions))
        .bind(Time(record.created_at))
        .bind(record.expires_at.map(Time))
        .fetch_one(c)
        .await?;
    Ok(raw.into())
}

pub(crate) async fn list(
    c: &mut Conn,
    project: Option<ProjectId>,
) -> Result<Vec<KeyRecord>, StoreError> {
    let sql = "SELECT * FROM api_keys WHERE $1 IS NULL OR project_id = $1 ORDER BY id";
    let rows: Vec<RawKey> = sqlx::query_as(sql)
        .bind(project.map(Text))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

pub(crate) async fn get(c: &mut Conn, id: KeyRecordId) -> Result<Option<KeyRecord>, StoreError> {
    let sql = "SELECT * FROM api_keys WHERE id = $1";
    let raw: Option<RawKey> = sqlx::query_as(sql).bind(Text(id)).fetch_optional(c).await?;
    Ok(raw.map(Into::into))
}

pub(crate) async fn revoke(
    c: &mut Conn,
    id: KeyRecordId,
    now: Timestamp,
) -> Result<KeyRecord, StoreError> {
    let sql = "UPDATE api_keys SET revoked_at = COALESCE(revoked_at, $2) WHERE id = $1 RETURNING *";
    let raw: Option<RawKey> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Time(now))
        .fetch_optional(c)
        .await?;
    raw.map(Into::into)
        .ok_or_else(|| StoreError::absent("key", id))
}

/// Note when keys were last used; an earlier time never replaces a later one.
pub(crate) async fn touch(
    c: &mut Conn,
    uses: &[(KeyRecordId, Timestamp)],
) -> Result<(), StoreError> {
    let sql = "UPDATE api_keys SET last_used_at = $2 WHERE id = $1 AND (last_used_at IS NULL OR last_used_at < $2)";
    for (id, at) in uses {
        sqlx::query(sql)
            .bind(Text(*id))
            .bind(Time(*at))
            .execute(&mut *c)
            .await?;
    }
    Ok(())
}
