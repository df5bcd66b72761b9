//! Bindings, and how they are resolved for a project.

use std::collections::BTreeMap;

use gtm_domain::binding::{
    Binding, BindingScope, BindingTarget, Bindings, EffectiveBinding, nearest,
};
use gtm_domain::connection::ConnectionStatus;
use gtm_domain::{
    BindingId, ConnectionId, MicroUsd, OfferId, OrganizationId, ProjectId, Timestamp,
};
use serde_json::Value;

use super::{Conn, connections, offers};
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;

/// The kinds of plug-ins, as stored in the table of plug-ins.
const BACKEND: &str = "generation_backend";
const RENDERER: &str = "document_renderer";
const EVALUATOR: &str = "evaluator";

row! {
    struct RawBinding {
        id: Text<BindingId>,
        level: String,
        scope_id: String,
        capability: String,
        backend_key: Option<String>,
        backend_version: Option<String>,
        plugin_kind: Option<String>,
        connection_id: Option<Text<ConnectionId>>,
        settings: Json<Value>,
        expected_cost: Option<i64>,
        offer_id: Option<Text<OfferId>>,
        created_at: Time,
        updated_at: Time,
    }
}

impl RawBinding {
    fn into_row(self) -> Result<Binding, StoreError> {
        let corrupt = || StoreError::Corrupt(format!("binding {}", self.id.0));
        let scope = match self.level.as_str() {
            "platform" => BindingScope::Platform,
            "organization" => {
                BindingScope::Organization(self.scope_id.parse().map_err(|_| corrupt())?)
            }
            "project" => BindingScope::Project(self.scope_id.parse().map_err(|_| corrupt())?),
            _ => return Err(corrupt()),
        };
        let version = self.backend_version;
        let target = match (
            self.backend_key,
            self.connection_id,
            self.plugin_kind.as_deref(),
        ) {
            // Nodes of versions without kinds write none.
            (Some(key), None, Some(BACKEND) | None) => BindingTarget::Backend { key, version },
            (Some(key), None, Some(RENDERER)) => BindingTarget::Renderer { key, version },
            (Some(key), None, Some(EVALUATOR)) => BindingTarget::Evaluator { key, version },
            (None, Some(connection), None) => BindingTarget::Connection {
                connection: connection.0,
            },
            _ => return Err(StoreError::Corrupt(format!("binding {}", self.id.0))),
        };
        Ok(Binding {
            id: self.id.0,
            scope,
            capability: self.capability,
            target,
            settings: self.settings.0,
            expected_cost: self.expected_cost.map(MicroUsd::from_micros),
            offer: self.offer_id.map(|id| id.0),
            created_at: self.created_at.0,
            updated_at: self.updated_at.0,
        })
    }
}

/// The binding of a scope for a capability, locked until the transaction ends.
pub(crate) async fn held(
    c: &mut Conn,
    scope: BindingScope,
    capability: &str,
) -> Result<Option<Binding>, StoreError> {
    let sql = format!(
        "SELECT * FROM bindings WHERE level = $1 AND scope_id = $2 AND capability = $3{}",
        super::FOR_UPDATE
    );
    let raw: Option<RawBinding> = sqlx::query_as(sqlx::AssertSqlSafe(sql))
        .bind(scope.level())
        .bind(scope.id())
        .bind(capability)
        .fetch_optional(c)
        .await?;
    raw.map(RawBinding::into_row).transpose()
}

/// The organization and project that a scope belongs to.
pub(crate) async fn owner(
    c: &mut Conn,
    scope: BindingScope,
) -> Result<(Option<OrganizationId>, Option<ProjectId>), StoreError> {
    Ok(match scope {
        BindingScope::Platform => (None, None),
        BindingScope::Organization(id) => (Some(id), None),
        BindingScope::Project(id) => {
            let project = super::tenants::existing_project(c, id).await?;
            (Some(project.organization), Some(id))
        }
    })
}

/// Binds a capability and replaces the scope's previous binding of it; the binding then keeps its id.
pub(crate) async fn put(c: &mut Conn, row: &Binding) -> Result<Binding, StoreError> {
    check(c, row).await?;
    let (kind, key, version, connection) = match &row.target {
        BindingTarget::Backend { key, version } => {
            (Some(BACKEND), Some(key), version.as_ref(), None)
        }
        BindingTarget::Renderer { key, version } => {
            (Some(RENDERER), Some(key), version.as_ref(), None)
        }
        BindingTarget::Evaluator { key, version } => {
            (Some(EVALUATOR), Some(key), version.as_ref(), None)
        }
        BindingTarget::Connection { connection } => (None, None, None, Some(Text(*connection))),
    };
    let sql = "INSERT INTO bindings (id, level, scope_id, capability, backend_key, backend_version, connection_id, \
        settings, created_at, updated_at, expected_cost, plugin_kind, offer_id) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) \
        ON CONFLICT (level, scope_id, capability) DO UPDATE SET backend_key = excluded.backend_key, \
        backend_version = excluded.backend_version, plugin_kind = excluded.plugin_kind, connection_id = excluded.connection_id, \
        settings = excluded.settings, updated_at = excluded.updated_at, expected_cost = excluded.expected_cost, \
        offer_id = excluded.offer_id \
        RETURNING *";
    let raw: RawBinding = sqlx::query_as(sql)
        .bind(Text(row.id))
        .bind(row.scope.level())
        .bind(row.scope.id())
        .bind(&row.capability)
        .bind(key)
        .bind(version)
        .bind(connection)
        .bind(Json(&row.settings))
        .bind(Time(row.created_at))
        .bind(Time(row.updated_at))
        .bind(row.expected_cost.map(MicroUsd::micros))
        .bind(kind)
        .bind(row.offer.map(Text))
        .fetch_one(c)
        .await?;
    raw.into_row()
}

/// The scope must exist, and a connection and an offer must belong to it.
async fn check(c: &mut Conn, row: &Binding) -> Result<(), StoreError> {
    match row.scope {
        BindingScope::Platform => {}
        BindingScope::Organization(id) => {
            super::tenants::organization(c, id)
                .await?
                .ok_or_else(|| StoreError::absent("organization", id))?;
        }
        BindingScope::Project(id) => {
            super::tenants::existing_project(c, id).await?;
        }
    }
    if let Some(offer) = row.offer {
        let offer = offers::held(c, offer).await?;
        let (organization, _) = owner(c, row.scope).await?;
        row.may_sell(&offer, organization)
            .map_err(StoreError::conflict)?;
    }
    let BindingTarget::Connection { connection } = row.target else {
        return Ok(());
    };
    let found = connections::get(c, connection)
        .await?
        .ok_or_else(|| StoreError::absent("connection", connection))?;
    row.scope.may_lead_to(&found).map_err(StoreError::conflict)
}

pub(crate) async fn list(c: &mut Conn) -> Result<Vec<Binding>, StoreError> {
    let sql = "SELECT * FROM bindings ORDER BY level, scope_id, capability";
    let rows: Vec<RawBinding> = sqlx::query_as(sql).fetch_all(c).await?;
    rows.into_iter().map(RawBinding::into_row).collect()
}

pub(crate) async fn get(c: &mut Conn, id: BindingId) -> Result<Option<Binding>, StoreError> {
    let sql = "SELECT * FROM bindings WHERE id = $1";
    let raw: Option<RawBinding> = sqlx::query_as(sql).bind(Text(id)).fetch_optional(c).await?;
    raw.map(RawBinding::into_row).transpose()
}

/// Sets the update time of a binding whose parts are being changed, and returns it, locked until the
/// transaction ends.
pub(crate) async fn touch(
    c: &mut Conn,
    id: BindingId,
    now: Timestamp,
) -> Result<Option<Binding>, StoreError> {
    let sql = "UPDATE bindings SET updated_at = $2 WHERE id = $1 RETURNING *";
    let raw: Option<RawBinding> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Time(now))
        .fetch_optional(c)
        .await?;
    raw.map(RawBinding::into_row).transpose()
}

/// Removes a binding and returns it.
pub(crate) async fn delete(c: &mut Conn, id: BindingId) -> Result<Option<Binding>, StoreError> {
    let raw: Option<RawBinding> = sqlx::query_as("DELETE FROM bindings WHERE id = $1 RETURNING *")
        .bind(Text(id))
        .fetch_optional(c)
        .await?;
    raw.map(RawBinding::into_row).transpose()
}

/// The bindings in effect for a project: for each capability the nearest one, if it can be used.
pub(crate) async fn resolve(
    c: &mut Conn,
    project: ProjectId,
    organization: OrganizationId,
) -> Result<Bindings, StoreError> {
    let sql = "SELECT * FROM bindings WHERE level = 'platform' OR (level = 'organization' AND scope_id = $2) \
        OR (level = 'project' AND scope_id = $1)";
    let rows: Vec<RawBinding> = sqlx::query_as(sql)
        .bind(Text(project))
        .bind(Text(organization))
        .fetch_all(&mut *c)
        .await?;
    let rows: Vec<Binding> = rows
        .into_iter()
        .map(RawBinding::into_row)
        .collect::<Result<_, _>>()?;
    let mut effective = BTreeMap::new();
    for (capability, binding) in nearest(rows) {
        let connection = match binding.target {
            BindingTarget::Backend { .. }
            | BindingTarget::Renderer { .. }
            | BindingTarget::Evaluator { .. } => None,
            BindingTarget::Connection { connection } => {
                match connections::usable(c, connection, project, organization).await? {
                    Some(row) if row.status == ConnectionStatus::Configured => Some(row),
                    _ => continue,
                }
            }
        };
        effective.insert(
            capability,
            EffectiveBinding {
                binding,
                connection,
            },
        );
    }
    Ok(effective.into_iter().collect())
}
