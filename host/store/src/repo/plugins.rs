//! Plug-in packages that were seen.

use gtm_domain::{Digest, Timestamp};
use serde_json::Value;

use super::Conn;
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;
use crate::model::plugin::{KnownPlugin, PluginPackage};

#[derive(sqlx::FromRow)]
struct RawPlugin {
    digest: Text<Digest>,
    kind: String,
    key: String,
    version: String,
    manifest: Json<Value>,
    first_seen_at: Time,
    last_seen_at: Time,
}

pub(crate) async fn list(c: &mut Conn) -> Result<Vec<KnownPlugin>, StoreError> {
    let sql = "SELECT * FROM plugins ORDER BY kind, key, version, first_seen_at, digest";
    let rows: Vec<RawPlugin> = sqlx::query_as(sql).fetch_all(c).await?;
    let known = |raw: RawPlugin| KnownPlugin {
        digest: raw.digest.0,
        kind: raw.kind,
        key: raw.key,
        version: raw.version,
        manifest: raw.manifest.0,
        first_seen_at: raw.first_seen_at.0,
        last_seen_at: raw.last_seen_at.0,
    };
    Ok(rows.into_iter().map(known).collect())
}

/// Note that these packages are there. Returns those that were not known.
pub(crate) async fn put(
    c: &mut Conn,
    packages: &[PluginPackage],
    now: Timestamp,
) -> Result<Vec<KnownPlugin>, StoreError> {
    let insert = "INSERT INTO plugins (digest, kind, key, version, manifest, first_seen_at, last_seen_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $6) ON CONFLICT (digest) DO NOTHING";
    let update = "UPDATE plugins SET kind = $2, key = $3, version = $4, manifest = $5, last_seen_at = $6 \
        WHERE digest = $1";
    let mut new = Vec::new();
    for package in packages {
        let run = |sql: &'static str| {
            sqlx::query(sql)
                .bind(Text(package.digest))
                .bind(&package.kind)
                .bind(&package.key)
                .bind(&package.version)
                .bind(Json(&package.manifest))
                .bind(Time(now))
        };
        if run(insert).execute(&mut *c).await?.rows_affected() == 0 {
            run(update).execute(&mut *c).await?;
            continue;
        }
        new.push(KnownPlugin {
            digest: package.digest,
            kind: package.kind.clone(),
            key: package.key.clone(),
            version: package.version.clone(),
            manifest: package.manifest.clone(),
            first_seen_at: now,
            last_seen_at: now,
        });
    }
    Ok(new)
}
