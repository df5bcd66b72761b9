//! The operator's side: organizations, projects, keys, connections and bindings, for the command line.
//! Local access to the database is the authentication. Jobs are in `operator_jobs`, plug-ins in
//! `operator_plugins`.

use gtm_domain::audit::connection::connection_changed;
use gtm_domain::audit::job::job_canceled;
use gtm_domain::audit::{AuditAction, AuditActor};
use gtm_domain::binding::{Binding, BindingScope, BindingTarget, BindingTerms, not_below_nothing};
use gtm_domain::connection::{Connection, ConnectionStatus};
use gtm_domain::key_record::{KeyRecord, KeyTerms};
use gtm_domain::message::compliance::Environment;
use gtm_domain::tenant::{Organization, Project};
use gtm_domain::{
    ApiKeySecret, BindingId, CidrList, ConnectionId, KeyRecordId, OrganizationId, Permissions,
    ProjectId, Timestamp,
};
use serde_json::Value;

use super::{Store, on_database};
use crate::access::Access;
use crate::error::StoreError;
use crate::model::connection::{ConnectionChange, ConnectionSecrets, NewConnection};
use crate::secrets::{open_address, open_field, seal_address, seal_field};

/// Administration of a store. The audit log records its changes under its name.
#[derive(Debug, Clone)]
pub struct Operator(pub(crate) Store, pub(crate) AuditActor);

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    pub async fn create_organization(&self, name: &str) -> Result<Organization, StoreError> {
        let (id, name, now) = (
            OrganizationId::from_uuid(self.0.new_uuid()),
            name.to_owned(),
            self.0.now(),
        );
        let event = self.event(AuditAction::OrganizationCreated, id, Some(id), None);
        on_database!(self.0, write, Access::All, |c, repo| {
            let row = repo::tenants::insert_organization(c, id, &name, now).await?;
            repo::audit::append(c, &event.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// All organizations, oldest first.
    pub async fn list_organizations(&self) -> Result<Vec<Organization>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::tenants::organizations(c).await
        })
    }

    pub async fn show_organization(
        &self,
        id: OrganizationId,
    ) -> Result<Option<Organization>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::tenants::organization(c, id).await
        })
    }

    /// Archives an organization: the keys of its projects are refused, its queued jobs are canceled, and
    /// its running jobs are asked to stop.
    pub async fn archive_organization(
        &self,
        id: OrganizationId,
    ) -> Result<Organization, StoreError> {
        let now = self.0.now();
        let event = self.event(AuditAction::OrganizationArchived, id, Some(id), None);
        on_database!(self.0, write, Access::All, |c, repo| {
            repo::money::lock(c, id).await?;
            let mut events = Vec::new();
            let system = AuditActor::system("organization_archive");
            for project in repo::tenants::projects(c, Some(id)).await? {
                for job in repo::jobs::unfinished(c, project.id).await? {
                    if let Some(job) = repo::cancellations::cancel(c, job, now).await? {
                        events.push(job_canceled(&system, &job)?);
                    }
                }
            }
            let (row, changed) = repo::tenants::archive_organization(c, id, now).await?;
            if changed {
                let before = Organization {
                    archived_at: None,
                    ..row.clone()
                };
                events.insert(0, event.before(&before)?.after(&row)?);
            }
            repo::audit::append_all(c, &events, now).await?;
            Ok(row)
        })
    }

    /// Creates a project for production; see [`Self::create_project_in`].
    pub async fn create_project(
        &self,
        organization: OrganizationId,
        name: &str,
    ) -> Result<Project, StoreError> {
        let production = Environment::Production;
        // On the heap: two futures in one would not fit on the stack of whoever creates many things.
        Box::pin(self.create_project_in(organization, name, production)).await
    }

    /// Creates a project for this environment, which never changes. [`StoreError::Absent`] or
    /// [`StoreError::Conflict`] if the organization does not exist or is archived.
    pub async fn create_project_in(
        &self,
        organization: OrganizationId,
        name: &str,
        environment: Environment,
    ) -> Result<Project, StoreError> {
        let (id, name, now) = (
            ProjectId::from_uuid(self.0.new_uuid()),
            name.to_owned(),
            self.0.now(),
        );
        let event = self.event(
            AuditAction::ProjectCreated,
            id,
            Some(organization),
            Some(id),
        );
        on_database!(self.0, write, Access::All, |c, repo| {
            let row =
                repo::tenants::insert_project(c, id, organization, &name, environment, now).await?;
            repo::audit::append(c, &event.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// Projects of one organization or all, oldest first.
    pub async fn list_projects(
        &self,
        organization: Option<OrganizationId>,
    ) -> Result<Vec<Project>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::tenants::projects(c, organization).await
        })
    }

    pub async fn show_project(&self, id: ProjectId) -> Result<Option<Project>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::tenants::project(
            c, id
        )
        .await)
    }

    /// Archives a project: its keys are refused, its queued jobs are canceled, and its running jobs are
    /// asked to stop.
    pub async fn archive_project(&self, id: ProjectId) -> Result<Project, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let (row, changed) = repo::tenants::archive_project(c, id, now).await?;
            let mut events = Vec::new();
            if changed {
                let before = Project {
                    archived_at: None,
                    ..row.clone()
                };
                let organization = Some(row.organization);
                let event =
                    operator.event(AuditAction::ProjectArchived, id, organization, Some(id));
                events.push(event.before(&before)?.after(&row)?);
            }
            let system = AuditActor::system("project_archive");
            for job in repo::jobs::unfinished(c, id).await? {
                if let Some(job) = repo::cancellations::cancel(c, job, now).await? {
                    events.push(job_canceled(&system, &job)?);
                }
            }
            repo::audit::append_all(c, &events, now).await?;
            Ok(row)
        })
    }

    /// Creates a key without a limit of its own; see [`Operator::issue_key`].
    pub async fn create_key(
        &self,
        project: ProjectId,
        name: &str,
        permissions: Permissions,
        expires_at: Option<Timestamp>,
    ) -> Result<(KeyRecord, ApiKeySecret), StoreError> {
        let terms = KeyTerms {
            name: name.to_owned(),
            permissions,
            expires_at,
            requests_per_minute: None,
            allowed_cidrs: CidrList::default(),
        };
        self.issue_key(project, terms).await
    }

    /// Keys of one project or all, oldest first.
    pub async fn list_keys(
        &self,
        project: Option<ProjectId>,
    ) -> Result<Vec<KeyRecord>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::keys::list(
            c, project
        )
        .await)
    }

    pub async fn show_key(&self, id: KeyRecordId) -> Result<Option<KeyRecord>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::keys::get(c, id)
            .await)
    }

    /// Revokes a key at once. Revoking it twice changes nothing.
    pub async fn revoke_key(&self, id: KeyRecordId) -> Result<KeyRecord, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let (row, changed) = repo::keys::revoke(c, id, now).await?;
            if changed {
                let before = KeyRecord {
                    revoked_at: None,
                    ..row.clone()
                };
                let owner = repo::tenants::existing_project(c, row.project).await?;
                let (organization, project) = (Some(owner.organization), Some(row.project));
                let event = operator.event(AuditAction::ApiKeyRevoked, id, organization, project);
                repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            }
            Ok(row)
        })
    }

    /// Creates a connection and seals its credentials.
    pub async fn create_connection(
        &self,
        project: ProjectId,
        new: NewConnection,
    ) -> Result<Connection, StoreError> {
        let (id, now, keys) = (
            ConnectionId::from_uuid(self.0.new_uuid()),
            self.0.now(),
            self.0.inner.keys.clone(),
        );
        let operator = self.clone();
        on_database!(self.0, write, Access::All, |c, repo| {
            let owner = repo::tenants::active_project(c, project).await?;
            let row = Connection {
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
            let organization = Some(row.organization);
            let event = operator.event(
                AuditAction::ConnectionCreated,
                id,
                organization,
                Some(project),
            );
            repo::audit::append(c, &event.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// Changes a connection. [`StoreError::Absent`] if it does not exist. A call that changes nothing is
    /// not recorded.
    pub async fn update_connection(
        &self,
        id: ConnectionId,
        change: ConnectionChange,
    ) -> Result<Connection, StoreError> {
        let (now, keys) = (self.0.now(), self.0.inner.keys.clone());
        let operator = self.clone();
        on_database!(self.0, write, Access::All, |c, repo| {
            let before = repo::connections::get_for_update(c, id).await?;
            let mut row = before.clone();
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
            if row == before {
                return Ok(row);
            }
            row.updated_at = now;
            repo::connections::update(c, &row).await?;
            let action = connection_changed(&before, &row);
            let event = operator.event(action, id, Some(row.organization), Some(row.project));
            repo::audit::append(c, &event.before(&before)?.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// Connections of one project or all, oldest first.
    pub async fn list_connections(
        &self,
        project: Option<ProjectId>,
    ) -> Result<Vec<Connection>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| {
            repo::connections::list(c, project).await
        })
    }

    pub async fn show_connection(
        &self,
        id: ConnectionId,
    ) -> Result<Option<Connection>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::connections::get(
            c, id
        )
        .await)
    }

    /// A connection with its opened secrets, to check them with the provider. [`StoreError::Unreadable`] if
    /// one does not open.
    pub async fn connection_secrets(
        &self,
        id: ConnectionId,
    ) -> Result<Option<ConnectionSecrets>, StoreError> {
        let found = on_database!(self.0, snapshot, Access::All, |c, repo| {
            let Some(connection) = repo::connections::get(c, id).await? else {
                return Ok(None);
            };
            let sealed = repo::connections::secrets(c, &connection).await?;
            Ok(Some((connection, sealed)))
        })?;
        found
            .map(|(connection, sealed)| self.0.opened(connection, &sealed))
            .transpose()
    }

    /// Disables a connection: bindings to it stop resolving.
    pub async fn disable_connection(&self, id: ConnectionId) -> Result<Connection, StoreError> {
        let change = ConnectionChange {
            status: Some(ConnectionStatus::Disabled),
            ..ConnectionChange::default()
        };
        self.update_connection(id, change).await
    }

    /// Reseals all credentials, and all addresses of candidates, that are not sealed under the ring's current
    /// master key. Returns how many were resealed. The old key can be removed from the ring afterwards.
    pub async fn reseal_credentials(&self) -> Result<u64, StoreError> {
        let keys = self.0.inner.keys.clone();
        let master = keys.current_master()?.to_owned();
        let event = self.event(AuditAction::KeyRingResealed, &master, None, None);
        let now = self.0.now();
        on_database!(self.0, write, Access::All, |c, repo| {
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
            for old in repo::prospects::addresses_not_under(c, &master).await? {
                let address = open_address(&keys, &old)?;
                let new = seal_address(&keys, old.project, old.prospect, &address)?;
                moved += u64::from(repo::prospects::reseal(c, &new).await?);
            }
            if moved > 0 {
                repo::audit::append(c, &event, now).await?;
            }
            Ok(moved)
        })
    }

    /// Binds a capability and replaces the scope's previous binding of it. [`StoreError::Absent`] or
    /// [`StoreError::Conflict`] if scope or connection do not exist or do not belong together.
    pub async fn set_binding(
        &self,
        scope: BindingScope,
        capability: &str,
        target: BindingTarget,
        settings: Value,
    ) -> Result<Binding, StoreError> {
        self.set_binding_on(scope, capability, target, settings, BindingTerms::default())
            .await
    }

    /// Like [`Self::set_binding`], with further terms. Also [`StoreError::Conflict`] if the expected cost is negative,
    /// or jobs of the binding cannot sell the offer.
    pub async fn set_binding_on(
        &self,
        scope: BindingScope,
        capability: &str,
        target: BindingTarget,
        settings: Value,
        terms: BindingTerms,
    ) -> Result<Binding, StoreError> {
        let expected_cost = terms
            .expected_cost
            .map(not_below_nothing)
            .transpose()
            .map_err(StoreError::conflict)?;
        let now = self.0.now();
        let id = BindingId::from_uuid(self.0.new_uuid());
        let capability = capability.to_owned();
        let row = Binding {
            id,
            scope,
            capability,
            target,
            settings,
            expected_cost,
            offer: terms.offer,
            created_at: now,
            updated_at: now,
        };
        let operator = self.clone();
        on_database!(self.0, write, Access::All, |c, repo| {
            let before = repo::bindings::held(c, scope, &row.capability).await?;
            let now = row.updated_at;
            let row = repo::bindings::put(c, &row).await?;
            let (organization, project) = repo::bindings::owner(c, scope).await?;
            let action = if row.id == id {
                AuditAction::BindingCreated
            } else {
                AuditAction::BindingUpdated
            };
            let mut event = operator.event(action, row.id, organization, project);
            if let Some(before) = before {
                event = event.before(&before)?;
            }
            repo::audit::append(c, &event.after(&row)?, now).await?;
            Ok(row)
        })
    }

    /// All bindings, by scope and capability.
    pub async fn list_bindings(&self) -> Result<Vec<Binding>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::bindings::list(c)
            .await)
    }

    pub async fn show_binding(&self, id: BindingId) -> Result<Option<Binding>, StoreError> {
        on_database!(self.0, read, Access::All, |c, repo| repo::bindings::get(
            c, id
        )
        .await)
    }

    /// Removes a binding. Returns whether it existed.
    pub async fn remove_binding(&self, id: BindingId) -> Result<bool, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        on_database!(self.0, write, Access::All, |c, repo| {
            let Some(row) = repo::bindings::delete(c, id).await? else {
                return Ok(false);
            };
            let (organization, project) = repo::bindings::owner(c, row.scope).await?;
            let event = operator.event(AuditAction::BindingDeleted, id, organization, project);
            repo::audit::append(c, &event.before(&row)?, now).await?;
            Ok(true)
        })
    }
}
