//! The operator's side: organizations, projects, keys, connections, bindings and plug-in records,
//! for the command line. Local access to the database is the authentication. Jobs stand in
//! `operator_jobs`.

use gtm_domain::{
    ApiKeySecret, BindingId, ConnectionId, KeyRecordId, OrganizationId, Permissions, ProjectId,
    Timestamp,
};
use serde_json::Value;
use zeroize::Zeroizing;

use super::{Store, on_engine};
use crate::access::Access;
use crate::error::StoreError;
use crate::identity::random_bytes;
use crate::model::binding::{BindingRow, BindingScope, BindingTarget};
use crate::model::connection::{
    ConnectionChange, ConnectionRow, ConnectionSecrets, ConnectionStatus, NewConnection,
};
use crate::model::plugin::{KnownPlugin, PluginPackage};
use crate::model::tenant::{KeyRecord, OrganizationRow, ProjectRow};
use crate::new_key::NewKey;
use crate::secrets::{open_field, seal_field};

/// Administration of a store.
#[derive(Debug, Clone)]
pub struct Operator(pub(crate) Store);

/// Every function fails if the database does; further errors are named where there are any.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Make an organization.
    pub async fn create_organization(&self, name: &str) -> Result<OrganizationRow, StoreError> {
        let (id, name, now) = (
            OrganizationId::from_uuid(self.0.new_uuid()),
            name.to_owned(),
            self.0.now(),
        );
        on_engine!(self.0, write, Access::All, |c, repo| {
            repo::tenants::insert_organization(c, id, &name, now).await
        })
    }

    /// All organizations, oldest first.
    pub async fn list_organizations(&self) -> Result<Vec<OrganizationRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| {
            repo::tenants::organizations(c).await
        })
    }

    /// An organization.
    pub async fn show_organization(
        &self,
        id: OrganizationId,
    ) -> Result<Option<OrganizationRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| {
            repo::tenants::organization(c, id).await
        })
    }

    /// Archive an organization: the keys of its projects are refused, its queued jobs canceled, its
    /// running jobs asked to stop.
    pub async fn archive_organization(
        &self,
        id: OrganizationId,
    ) -> Result<OrganizationRow, StoreError> {
        let now = self.0.now();
        on_engine!(self.0, write, Access::All, |c, repo| {
            for project in repo::tenants::projects(c, Some(id)).await? {
                for job in repo::jobs::unfinished(c, project.id).await? {
                    repo::jobs::cancel(c, job, now).await?;
                }
            }
            repo::tenants::archive_organization(c, id, now).await
        })
    }

    /// Make a project. [`StoreError::Absent`] or [`StoreError::Conflict`] if the organization does not
    /// exist or is archived.
    pub async fn create_project(
        &self,
        organization: OrganizationId,
        name: &str,
    ) -> Result<ProjectRow, StoreError> {
        let (id, name, now) = (
            ProjectId::from_uuid(self.0.new_uuid()),
            name.to_owned(),
            self.0.now(),
        );
        on_engine!(self.0, write, Access::All, |c, repo| {
            repo::tenants::insert_project(c, id, organization, &name, now).await
        })
    }

    /// Projects, of one organization or all, oldest first.
    pub async fn list_projects(
        &self,
        organization: Option<OrganizationId>,
    ) -> Result<Vec<ProjectRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| {
            repo::tenants::projects(c, organization).await
        })
    }

    /// A project.
    pub async fn show_project(&self, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| repo::tenants::project(
            c, id
        )
        .await)
    }

    /// Archive a project: its keys are refused, its queued jobs canceled, its running jobs asked to stop.
    pub async fn archive_project(&self, id: ProjectId) -> Result<ProjectRow, StoreError> {
        let now = self.0.now();
        on_engine!(self.0, write, Access::All, |c, repo| {
            let row = repo::tenants::archive_project(c, id, now).await?;
            for job in repo::jobs::unfinished(c, id).await? {
                repo::jobs::cancel(c, job, now).await?;
            }
            Ok(row)
        })
    }

    /// Make a key. The secret is returned once and stored nowhere.
    pub async fn create_key(
        &self,
        project: ProjectId,
        name: &str,
        permissions: Permissions,
        expires_at: Option<Timestamp>,
    ) -> Result<(KeyRecord, ApiKeySecret), StoreError> {
        let entropy = Zeroizing::new(random_bytes::<32>());
        let secret = ApiKeySecret::from_entropy(&random_bytes(), &entropy);
        let (pepper_id, mac) = self.0.inner.keys.mac(&secret)?;
        let record = KeyRecord {
            id: KeyRecordId::from_uuid(self.0.new_uuid()),
            public_id: secret.id().as_str().to_owned(),
            last4: secret.last4().to_owned(),
            project,
            name: name.to_owned(),
            permissions,
            created_at: self.0.now(),
            expires_at,
            revoked_at: None,
            last_used_at: None,
        };
        let key = NewKey {
            record,
            pepper_id,
            mac,
        };
        let record = on_engine!(self.0, write, Access::All, |c, repo| repo::keys::insert(
            c, key
        )
        .await)?;
        Ok((record, secret))
    }

    /// Keys, of one project or all, oldest first.
    pub async fn list_keys(
        &self,
        project: Option<ProjectId>,
    ) -> Result<Vec<KeyRecord>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| repo::keys::list(
            c, project
        )
        .await)
    }

    /// A key.
    pub async fn show_key(&self, id: KeyRecordId) -> Result<Option<KeyRecord>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| repo::keys::get(c, id)
            .await)
    }

    /// Revoke a key at once. Revoking twice changes nothing.
    pub async fn revoke_key(&self, id: KeyRecordId) -> Result<KeyRecord, StoreError> {
        let now = self.0.now();
        on_engine!(self.0, write, Access::All, |c, repo| repo::keys::revoke(
            c, id, now
        )
        .await)
    }

    /// Make a connection; its credentials are sealed.
    pub async fn create_connection(
        &self,
        project: ProjectId,
        new: NewConnection,
    ) -> Result<ConnectionRow, StoreError> {
        let (id, now, keys) = (
            ConnectionId::from_uuid(self.0.new_uuid()),
            self.0.now(),
            self.0.inner.keys.clone(),
        );
        on_engine!(self.0, write, Access::All, |c, repo| {
            let owner = repo::tenants::active_project(c, project).await?;
            let row = ConnectionRow {
                id,
                project,
                organization: owner.organization,
                provider_key: new.provider_key,
                manifest_version: new.manifest_version,
                name: new.name,
                status: ConnectionStatus::Configured,
                settings: new.settings,
                configured_fields: new.credentials.keys().cloned().collect(),
                credentials_version: 1,
                created_at: now,
                updated_at: now,
            };
            repo::connections::insert(c, &row).await?;
            for (field, value) in &new.credentials {
                let sealed = seal_field(&keys, project, id, field, 1, value)?;
                repo::connections::put_secret(c, &sealed).await?;
            }
            Ok(row)
        })
    }

    /// Change a connection. [`StoreError::Absent`] if it does not exist.
    pub async fn update_connection(
        &self,
        id: ConnectionId,
        change: ConnectionChange,
    ) -> Result<ConnectionRow, StoreError> {
        let (now, keys) = (self.0.now(), self.0.inner.keys.clone());
        on_engine!(self.0, write, Access::All, |c, repo| {
            let mut row = repo::connections::get_for_update(c, id).await?;
            let version = row.credentials_version + 1;
            let mut changed = false;
            for field in &change.remove_credentials {
                changed |= repo::connections::delete_secret(c, id, field).await?;
            }
            for (field, value) in &change.credentials {
                let sealed = seal_field(&keys, row.project, id, field, version, value)?;
                repo::connections::put_secret(c, &sealed).await?;
                changed = true;
            }
            if changed {
                row.credentials_version = version;
                row.configured_fields = repo::connections::secret_fields(c, id).await?;
            }
            row.name = change.name.unwrap_or(row.name);
            row.manifest_version = change.manifest_version.unwrap_or(row.manifest_version);
            row.settings = change.settings.unwrap_or(row.settings);
            row.status = change.status.unwrap_or(row.status);
            row.updated_at = now;
            repo::connections::update(c, &row).await?;
            Ok(row)
        })
    }

    /// Connections, of one project or all, oldest first.
    pub async fn list_connections(
        &self,
        project: Option<ProjectId>,
    ) -> Result<Vec<ConnectionRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| {
            repo::connections::list(c, project).await
        })
    }

    /// A connection.
    pub async fn show_connection(
        &self,
        id: ConnectionId,
    ) -> Result<Option<ConnectionRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| repo::connections::get(
            c, id
        )
        .await)
    }

    /// A connection with its opened secrets, to check them with the provider. [`StoreError::Unreadable`]
    /// if one does not open.
    pub async fn connection_secrets(
        &self,
        id: ConnectionId,
    ) -> Result<Option<ConnectionSecrets>, StoreError> {
        let found = on_engine!(self.0, snapshot, Access::All, |c, repo| {
            let Some(connection) = repo::connections::get(c, id).await? else {
                return Ok(None);
            };
            Ok(Some((connection, repo::connections::secrets(c, id).await?)))
        })?;
        found
            .map(|(connection, sealed)| self.0.opened(connection, &sealed))
            .transpose()
    }

    /// Disable a connection: bindings to it stop to resolve.
    pub async fn disable_connection(&self, id: ConnectionId) -> Result<ConnectionRow, StoreError> {
        let change = ConnectionChange {
            status: Some(ConnectionStatus::Disabled),
            ..ConnectionChange::default()
        };
        self.update_connection(id, change).await
    }

    /// Seal all credentials again that are sealed under another than the ring's current master key.
    /// Returns how many were moved. The old key can leave the ring afterwards.
    pub async fn reseal_credentials(&self) -> Result<u64, StoreError> {
        let keys = self.0.inner.keys.clone();
        let master = keys.current_master()?.to_owned();
        on_engine!(self.0, write, Access::All, |c, repo| {
            let mut moved = 0;
            for old in repo::connections::secrets_not_under(c, &master).await? {
                let value = open_field(&keys, &old)?;
                let new = seal_field(
                    &keys,
                    old.project,
                    old.connection,
                    &old.field,
                    old.version,
                    &value,
                )?;
                moved += u64::from(repo::connections::reseal(c, &new).await?);
            }
            Ok(moved)
        })
    }

    /// Bind a capability, replacing what the same scope had bound to it. [`StoreError::Absent`] or
    /// [`StoreError::Conflict`] if scope or connection do not exist or do not belong together.
    pub async fn set_binding(
        &self,
        scope: BindingScope,
        capability: &str,
        target: BindingTarget,
        settings: Value,
    ) -> Result<BindingRow, StoreError> {
        let now = self.0.now();
        let id = BindingId::from_uuid(self.0.new_uuid());
        let capability = capability.to_owned();
        let row = BindingRow {
            id,
            scope,
            capability,
            target,
            settings,
            created_at: now,
            updated_at: now,
        };
        on_engine!(self.0, write, Access::All, |c, repo| repo::bindings::put(
            c, &row
        )
        .await)
    }

    /// All bindings, by scope and capability.
    pub async fn list_bindings(&self) -> Result<Vec<BindingRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| repo::bindings::list(c)
            .await)
    }

    /// A binding.
    pub async fn show_binding(&self, id: BindingId) -> Result<Option<BindingRow>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| repo::bindings::get(
            c, id
        )
        .await)
    }

    /// Remove a binding. Returns whether it was there.
    pub async fn remove_binding(&self, id: BindingId) -> Result<bool, StoreError> {
        on_engine!(self.0, write, Access::All, |c, repo| {
            repo::bindings::delete(c, id).await
        })
    }

    /// Packages that this installation has seen, by kind, key and version.
    pub async fn plugin_records(&self) -> Result<Vec<KnownPlugin>, StoreError> {
        on_engine!(self.0, read, Access::All, |c, repo| repo::plugins::list(c)
            .await)
    }

    /// Record that the catalog offers these packages now.
    pub async fn record_plugins(&self, packages: &[PluginPackage]) -> Result<(), StoreError> {
        let (packages, now) = (packages.to_vec(), self.0.now());
        on_engine!(self.0, write, Access::All, |c, repo| repo::plugins::put(
            c, &packages, now
        )
        .await)
    }
}
