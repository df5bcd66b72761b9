//! Plug-in packages that were seen. A row of `plugins` never changes except for `last_seen_at`; triggers
//! enforce that too.

use gtm_domain::plugin::{
    KnownPlugin, Noted, PluginKey, PluginPackage, PluginPublisher, PluginVersion,
};
use gtm_domain::{Digest, Timestamp, canonical_digest};
use serde_json::Value;

use super::{Conn, FOR_UPDATE};
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;

row! {
    struct RawPlugin {
        kind: String,
        key: String,
        version: String,
        component_digest: Option<Text<Digest>>,
        manifest_digest: Option<Text<Digest>>,
        manifest: Json<Value>,
        first_seen_at: Time,
        last_seen_at: Time,
        approved_at: Option<Time>,
    }
}

impl RawPlugin {
    fn into_known(self) -> Result<KnownPlugin, StoreError> {
        let manifest_digest = match self.manifest_digest {
            Some(digest) => digest.0,
            None => digest_of(&self.manifest.0)?,
        };
        Ok(KnownPlugin {
            content: PluginVersion {
                plugin: PluginKey {
                    kind: self.kind,
                    key: self.key,
                },
                version: self.version,
                component_digest: self.component_digest.map(|digest| digest.0),
                manifest_digest,
                manifest: self.manifest.0,
            },
            first_seen_at: self.first_seen_at.0,
            last_seen_at: self.last_seen_at.0,
            approved_at: self.approved_at.map(|at| at.0),
        })
    }
}

row! {
    struct RawPublisher {
        kind: String,
        key: String,
        publisher: String,
        since: Time,
    }
}

impl From<RawPublisher> for PluginPublisher {
    fn from(raw: RawPublisher) -> Self {
        Self {
            plugin: PluginKey {
                kind: raw.kind,
                key: raw.key,
            },
            publisher: raw.publisher,
            since: raw.since.0,
        }
    }
}

const SELECT: &str = "SELECT p.*, a.approved_at FROM plugins p LEFT JOIN plugin_approvals a \
    ON a.kind = p.kind AND a.key = p.key AND a.version = p.version";

fn digest_of(manifest: &Value) -> Result<Digest, StoreError> {
    canonical_digest(manifest)
        .map_err(|error| StoreError::Corrupt(format!("the manifest of a plug-in: {error}")))
}

/// Fills in the manifest digests of rows that were stored before the column existed.
pub(crate) async fn complete(c: &mut Conn) -> Result<(), StoreError> {
    let sql = "SELECT kind, key, version, manifest FROM plugins WHERE manifest_digest IS NULL";
    let rows: Vec<(String, String, String, Json<Value>)> =
        sqlx::query_as(sql).fetch_all(&mut *c).await?;
    for (kind, key, version, manifest) in rows {
        let sql =
            "UPDATE plugins SET manifest_digest = $4 WHERE kind = $1 AND key = $2 AND version = $3";
        sqlx::query(sql)
            .bind(kind)
            .bind(key)
            .bind(version)
            .bind(Text(digest_of(&manifest.0)?))
            .execute(&mut *c)
            .await?;
    }
    Ok(())
}

pub(crate) async fn list(c: &mut Conn) -> Result<Vec<KnownPlugin>, StoreError> {
    let sql = format!("{SELECT} ORDER BY p.kind, p.key, p.version");
    let rows: Vec<RawPlugin> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .fetch_all(c)
        .await?;
    rows.into_iter().map(RawPlugin::into_known).collect()
}

pub(crate) async fn publishers(c: &mut Conn) -> Result<Vec<PluginPublisher>, StoreError> {
    let sql = "SELECT * FROM plugin_publishers ORDER BY kind, key";
    let rows: Vec<RawPublisher> = sqlx::query_as(sql).fetch_all(c).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

pub(crate) async fn get(
    c: &mut Conn,
    plugin: &PluginKey,
    version: &str,
) -> Result<Option<KnownPlugin>, StoreError> {
    let sql = format!("{SELECT} WHERE p.kind = $1 AND p.key = $2 AND p.version = $3");
    let raw: Option<RawPlugin> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(&plugin.kind)
        .bind(&plugin.key)
        .bind(version)
        .fetch_optional(c)
        .await?;
    raw.map(RawPlugin::into_known).transpose()
}

/// Records that a package is present, unless that contradicts an earlier record.
pub(crate) async fn put(
    c: &mut Conn,
    package: &PluginPackage,
    now: Timestamp,
) -> Result<Noted, StoreError> {
    let PluginVersion {
        plugin,
        version,
        component_digest,
        manifest_digest,
        manifest,
    } = &package.content;
    if let Some(publisher) = &package.publisher {
        let sql = "INSERT INTO plugin_publishers (kind, key, publisher, since) VALUES ($1, $2, $3, $4) \
            ON CONFLICT (kind, key) DO NOTHING";
        sqlx::query(sql)
            .bind(&plugin.kind)
            .bind(&plugin.key)
            .bind(publisher)
            .bind(Time(now))
            .execute(&mut *c)
            .await?;
        let owner = owner(c, plugin).await?;
        if owner.is_none_or(|owner| owner.publisher != *publisher) {
            return Ok(Noted::Contradicts);
        }
    }
    let sql = "INSERT INTO plugins (kind, key, version, component_digest, manifest_digest, manifest, \
        first_seen_at, last_seen_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $7) \
        ON CONFLICT (kind, key, version) DO NOTHING";
    let inserted = sqlx::query(sql)
        .bind(&plugin.kind)
        .bind(&plugin.key)
        .bind(version)
        .bind(component_digest.map(Text))
        .bind(Text(*manifest_digest))
        .bind(Json(manifest))
        .bind(Time(now))
        .execute(&mut *c)
        .await?
        .rows_affected();
    if inserted > 0 {
        if package.approved {
            approve(c, plugin, version, now).await?;
        }
        return Ok(Noted::New);
    }
    let known = get(c, plugin, version)
        .await?
        .ok_or_else(|| StoreError::Corrupt(format!("plug-in {plugin} {version}")))?;
    let noted = package.noted_beside(&known);
    if noted == Noted::Contradicts {
        return Ok(noted);
    }
    let sql = "UPDATE plugins SET last_seen_at = $4 WHERE kind = $1 AND key = $2 AND version = $3";
    sqlx::query(sql)
        .bind(&plugin.kind)
        .bind(&plugin.key)
        .bind(version)
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(noted)
}

/// Approves a version for use. Returns whether that is new.
pub(crate) async fn approve(
    c: &mut Conn,
    plugin: &PluginKey,
    version: &str,
    now: Timestamp,
) -> Result<bool, StoreError> {
    let sql = "INSERT INTO plugin_approvals (kind, key, version, approved_at) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (kind, key, version) DO NOTHING";
    let done = sqlx::query(sql)
        .bind(&plugin.kind)
        .bind(&plugin.key)
        .bind(version)
        .bind(Time(now))
        .execute(c)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// The publisher of a plug-in, locked until the transaction ends.
pub(crate) async fn owner(
    c: &mut Conn,
    plugin: &PluginKey,
) -> Result<Option<PluginPublisher>, StoreError> {
    let sql = format!("SELECT * FROM plugin_publishers WHERE kind = $1 AND key = $2{FOR_UPDATE}");
    let raw: Option<RawPublisher> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(&plugin.kind)
        .bind(&plugin.key)
        .fetch_optional(c)
        .await?;
    Ok(raw.map(Into::into))
}

/// Assigns a plug-in to a publisher.
pub(crate) async fn give(c: &mut Conn, new: &PluginPublisher) -> Result<(), StoreError> {
    let sql = "INSERT INTO plugin_publishers (kind, key, publisher, since) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (kind, key) DO UPDATE SET publisher = excluded.publisher, since = excluded.since";
    sqlx::query(sql)
        .bind(&new.plugin.kind)
        .bind(&new.plugin.key)
        .bind(&new.publisher)
        .bind(Time(new.since))
        .execute(c)
        .await?;
    Ok(())
}
