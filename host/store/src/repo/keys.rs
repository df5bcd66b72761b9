//! API keys: records, and the one query that authenticates.

use gtm_domain::Capability;
use gtm_domain::key_record::KeyRecord;
use gtm_domain::{
    CidrList, KeyRecordId, MicroUsd, OrganizationId, Permissions, ProjectId, TierTable, Timestamp,
};

use super::{Conn, FOR_UPDATE};
use crate::columns::{Json, Text, Time, instant};
use crate::error::StoreError;
use crate::new_key::NewKey;
use crate::scope::CallerTerms;

row! {
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
        requests_per_minute: Option<i64>,
        allowed_cidrs: Json<CidrList>,
        rotates_from: Option<Text<KeyRecordId>>,
    }
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
            requests_per_minute: raw.requests_per_minute.map(per_minute),
            allowed_cidrs: raw.allowed_cidrs.0,
            rotates_from: raw.rotates_from.map(|id| id.0),
        }
    }
}

/// A stored limit; the database holds none that does not fit.
fn per_minute(stored: i64) -> u32 {
    u32::try_from(stored).unwrap_or(u32::MAX)
}

row! {
    /// What authentication compares and bases its decision on.
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
        pub(crate) requests_per_minute: Option<i64>,
        pub(crate) allowed_cidrs: Json<CidrList>,
        pub(crate) organization_created_at: Time,
        pub(crate) paid_total: i64,
        pub(crate) tier: Option<String>,
        /// The capabilities disabled for the organization, separated by commas.
        pub(crate) disabled_capabilities: Option<String>,
    }
}

impl Credential {
    /// What the key's owner may request.
    pub(crate) fn terms(&self, tiers: &TierTable, now: Timestamp) -> CallerTerms {
        let paid = MicroUsd::from_micros(self.paid_total);
        let age = now.since(self.organization_created_at.0);
        let disabled = self.disabled_capabilities.as_deref().unwrap_or_default();
        CallerTerms {
            tier: tiers.of(self.tier.as_deref(), paid, age).clone(),
            requests_per_minute: self.requests_per_minute.map(per_minute),
            disabled: disabled
                .split(',')
                .filter_map(Capability::from_key)
                .collect(),
        }
    }
}

pub(crate) async fn credential(
    c: &mut Conn,
    public_id: &str,
) -> Result<Option<Credential>, StoreError> {
    let sql = "SELECT k.id, k.pepper_id, k.mac, k.project_id, p.organization_id, k.permissions, k.expires_at, \
        k.revoked_at, COALESCE(p.archived_at, o.archived_at) AS archived_at, k.requests_per_minute, k.allowed_cidrs, \
        o.created_at AS organization_created_at, o.paid_total, o.tier, \
        (SELECT string_agg(d.capability, ',') FROM organization_capabilities d \
        WHERE d.organization_id = o.id AND NOT d.enabled) AS disabled_capabilities \
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
        expires_at, requests_per_minute, allowed_cidrs, rotates_from) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
        RETURNING *";
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
        .bind(record.requests_per_minute.map(i64::from))
        .bind(Json(record.allowed_cidrs))
        .bind(record.rotates_from.map(Text))
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

/// A key, locked until the transaction ends.
pub(crate) async fn get_for_update(c: &mut Conn, id: KeyRecordId) -> Result<KeyRecord, StoreError> {
    let sql = format!("SELECT * FROM api_keys WHERE id = $1{FOR_UPDATE}");
    let raw: Option<RawKey> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(Text(id))
        .fetch_optional(c)
        .await?;
    raw.map(Into::into)
        .ok_or_else(|| StoreError::absent("key", id))
}

/// Lets a key expire at `at`, or earlier if it was to expire earlier.
pub(crate) async fn end_by(
    c: &mut Conn,
    id: KeyRecordId,
    at: Timestamp,
) -> Result<KeyRecord, StoreError> {
    let sql = "UPDATE api_keys SET expires_at = CASE WHEN expires_at < $2 THEN expires_at ELSE $2 END \
        WHERE id = $1 RETURNING *";
    let raw: Option<RawKey> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Time(at))
        .fetch_optional(c)
        .await?;
    raw.map(Into::into)
        .ok_or_else(|| StoreError::absent("key", id))
}

/// Restricts a key to these addresses; an empty list allows all.
pub(crate) async fn set_allowed_cidrs(
    c: &mut Conn,
    id: KeyRecordId,
    ranges: CidrList,
) -> Result<KeyRecord, StoreError> {
    let sql = "UPDATE api_keys SET allowed_cidrs = $2 WHERE id = $1 RETURNING *";
    let raw: Option<RawKey> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Json(ranges))
        .fetch_optional(c)
        .await?;
    raw.map(Into::into)
        .ok_or_else(|| StoreError::absent("key", id))
}

/// Revokes a key. Also returns whether it was active before.
pub(crate) async fn revoke(
    c: &mut Conn,
    id: KeyRecordId,
    now: Timestamp,
) -> Result<(KeyRecord, bool), StoreError> {
    let sql =
        "UPDATE api_keys SET revoked_at = $2 WHERE id = $1 AND revoked_at IS NULL RETURNING *";
    let raw: Option<RawKey> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Time(now))
        .fetch_optional(&mut *c)
        .await?;
    if let Some(raw) = raw {
        return Ok((raw.into(), true));
    }
    let row = get(c, id).await?;
    row.map(|row| (row, false))
        .ok_or_else(|| StoreError::absent("key", id))
}

/// Records when keys were last used; an earlier time never replaces a later one.
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
