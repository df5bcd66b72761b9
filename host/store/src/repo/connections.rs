//! Connections and their sealed credentials.

use gtm_domain::connection::{Connection, ConnectionStatus};
use gtm_domain::{ConnectionId, OrganizationId, ProjectId};
use serde_json::Value;

use super::Conn;
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;
use crate::secrets::SealedField;

row! {
    pub(super) struct RawConnection {
        id: Text<ConnectionId>,
        project_id: Text<ProjectId>,
        organization_id: Text<OrganizationId>,
        provider_key: String,
        manifest_version: String,
        name: String,
        status: String,
        settings: Json<Value>,
        configured_fields: Json<Vec<String>>,
        credentials_version: i64,
        created_at: Time,
        updated_at: Time,
    }
}

impl RawConnection {
    pub(super) fn into_row(self) -> Result<Connection, StoreError> {
        Ok(Connection {
            id: self.id.0,
            project: self.project_id.0,
            organization: self.organization_id.0,
            provider_key: self.provider_key,
            manifest_version: self.manifest_version,
            name: self.name,
            status: ConnectionStatus::parse(&self.status)
                .ok_or_else(|| StoreError::Corrupt(format!("connection status {}", self.status)))?,
            settings: self.settings.0,
            configured_fields: self.configured_fields.0,
            credentials_version: self.credentials_version,
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

row! {
    struct RawSecret {
        connection_id: Text<ConnectionId>,
        project_id: Text<ProjectId>,
        field: String,
        version: i64,
        master_key_id: String,
        sealed: Vec<u8>,
    }
}

impl From<RawSecret> for SealedField {
    fn from(raw: RawSecret) -> Self {
        Self {
            project: raw.project_id.0,
            connection: raw.connection_id.0,
            field: raw.field,
            version: raw.version,
            master_key_id: raw.master_key_id,
            sealed: raw.sealed,
        }
    }
}

pub(crate) async fn insert(c: &mut Conn, row: &Connection) -> Result<(), StoreError> {
    let sql = "INSERT INTO connections (id, project_id, organization_id, provider_key, manifest_version, name, status, \
        settings, configured_fields, credentials_version, created_at, updated_at) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)";
    sqlx::query(sql)
        .bind(Text(row.id))
        .bind(Text(row.project))
        .bind(Text(row.organization))
        .bind(&row.provider_key)
        .bind(&row.manifest_version)
        .bind(&row.name)
        .bind(row.status.as_str())
        .bind(Json(&row.settings))
        .bind(Json(&row.configured_fields))
        .bind(row.credentials_version)
        .bind(Time(row.created_at))
        .bind(Time(row.updated_at))
        .execute(c)
        .await?;
    Ok(())
}

pub(crate) async fn update(c: &mut Conn, row: &Connection) -> Result<(), StoreError> {
    let sql = "UPDATE connections SET manifest_version = $2, name = $3, status = $4, settings = $5, \
        configured_fields = $6, credentials_version = $7, updated_at = $8 WHERE id = $1";
    sqlx::query(sql)
        .bind(Text(row.id))
        .bind(&row.manifest_version)
        .bind(&row.name)
        .bind(row.status.as_str())
        .bind(Json(&row.settings))
        .bind(Json(&row.configured_fields))
        .bind(row.credentials_version)
        .bind(Time(row.updated_at))
        .execute(c)
        .await?;
    Ok(())
}

pub(crate) async fn list(
    c: &mut Conn,
    project: Option<ProjectId>,
) -> Result<Vec<Connection>, StoreError> {
    let sql = "SELECT * FROM connections WHERE $1 IS NULL OR project_id = $1 ORDER BY id";
    let rows: Vec<RawConnection> = sqlx::query_as(sql)
        .bind(project.map(Text))
        .fetch_all(c)
        .await?;
    rows.into_iter().map(RawConnection::into_row).collect()
}

pub(crate) async fn get(c: &mut Conn, id: ConnectionId) -> Result<Option<Connection>, StoreError> {
    let sql = "SELECT * FROM connections WHERE id = $1";
    let raw: Option<RawConnection> = sqlx::query_as(sql).bind(Text(id)).fetch_optional(c).await?;
    raw.map(RawConnection::into_row).transpose()
}

/// Like `get`, locked until the transaction ends.
pub(crate) async fn get_for_update(
    c: &mut Conn,
    id: ConnectionId,
) -> Result<Connection, StoreError> {
    let sql = format!(
        "SELECT * FROM connections WHERE id = $1{}",
        super::FOR_UPDATE
    );
    let raw: Option<RawConnection> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(Text(id))
        .fetch_optional(c)
        .await?;
    raw.ok_or_else(|| StoreError::absent("connection", id))?
        .into_row()
}

/// A connection that a project may use: its own, or one named by a binding of its organization or of the
/// platform.
pub(crate) async fn usable(
    c: &mut Conn,
    id: ConnectionId,
    project: ProjectId,
    organization: OrganizationId,
) -> Result<Option<Connection>, StoreError> {
    let sql = "SELECT * FROM connections n WHERE n.id = $1 AND (n.project_id = $2 OR EXISTS (SELECT 1 FROM bindings b \
        WHERE b.connection_id = n.id AND (b.level = 'platform' OR (b.level = 'organization' AND b.scope_id = $3))))";
    let raw: Option<RawConnection> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(project))
        .bind(Text(organization))
        .fetch_optional(c)
        .await?;
    raw.map(RawConnection::into_row).transpose()
}

/// The secrets of a connection, as far as they belong to the connection's own project.
pub(crate) async fn secrets(
    c: &mut Conn,
    connection: &Connection,
) -> Result<Vec<SealedField>, StoreError> {
    let sql = "SELECT * FROM connection_secrets WHERE connection_id = $1 AND project_id = $2 ORDER BY field";
    let rows: Vec<RawSecret> = sqlx::query_as(sql)
        .bind(Text(connection.id))
        .bind(Text(connection.project))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The secrets of the connections of one project or all.
pub(crate) async fn secrets_of(
    c: &mut Conn,
    project: Option<ProjectId>,
) -> Result<Vec<SealedField>, StoreError> {
    let sql = "SELECT * FROM connection_secrets WHERE $1 IS NULL OR project_id = $1";
    let rows: Vec<RawSecret> = sqlx::query_as(sql)
        .bind(project.map(Text))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Secrets sealed under another master key than the given one.
pub(crate) async fn secrets_not_under(
    c: &mut Conn,
    master: &str,
) -> Result<Vec<SealedField>, StoreError> {
    let sql =
        "SELECT * FROM connection_secrets WHERE master_key_id <> $1 ORDER BY connection_id, field";
    let rows: Vec<RawSecret> = sqlx::query_as(sql).bind(master).fetch_all(c).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

pub(crate) async fn put_secret(c: &mut Conn, secret: &SealedField) -> Result<(), StoreError> {
    let sql = "INSERT INTO connection_secrets (connection_id, field, project_id, version, master_key_id, sealed) \
        VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT (connection_id, field) DO UPDATE SET \
        version = excluded.version, master_key_id = excluded.master_key_id, sealed = excluded.sealed";
    sqlx::query(sql)
        .bind(Text(secret.connection))
        .bind(&secret.field)
        .bind(Text(secret.project))
        .bind(secret.version)
        .bind(&secret.master_key_id)
        .bind(&secret.sealed)
        .execute(c)
        .await?;
    Ok(())
}

pub(crate) async fn delete_secret(
    c: &mut Conn,
    id: ConnectionId,
    field: &str,
) -> Result<bool, StoreError> {
    let sql = "DELETE FROM connection_secrets WHERE connection_id = $1 AND field = $2";
    Ok(sqlx::query(sql)
        .bind(Text(id))
        .bind(field)
        .execute(c)
        .await?
        .rows_affected()
        > 0)
}

pub(crate) async fn secret_fields(
    c: &mut Conn,
    id: ConnectionId,
) -> Result<Vec<String>, StoreError> {
    let sql = "SELECT field FROM connection_secrets WHERE connection_id = $1 ORDER BY field";
    Ok(sqlx::query_scalar(sql).bind(Text(id)).fetch_all(c).await?)
}

/// Replaces a secret's sealed form if its version is unchanged. Returns whether it did.
pub(crate) async fn reseal(c: &mut Conn, secret: &SealedField) -> Result<bool, StoreError> {
    let sql = "UPDATE connection_secrets SET master_key_id = $4, sealed = $5 \
        WHERE connection_id = $1 AND field = $2 AND version = $3";
    let done = sqlx::query(sql)
        .bind(Text(secret.connection))
        .bind(&secret.field)
        .bind(secret.version)
        .bind(&secret.master_key_id)
        .bind(&secret.sealed)
        .execute(c)
        .await?;
    Ok(done.rows_affected() > 0)
}
