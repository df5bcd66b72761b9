//! The operator's side: organizations, projects, keys, connections, bindings, jobs and plug-in
//! records, for the command line. Local access to the database is the authentication.

use gtm_domain::{
    ApiKeySecret, BindingId, ConnectionId, JobId, KeyRecordId, OrganizationId, Permissions, ProjectId, Timestamp,
};
use serde_json::Value;

use super::Store;
use crate::error::StoreError;
use crate::model::binding::{BindingRow, BindingScope, BindingTarget};
use crate::model::connection::{ConnectionChange, ConnectionRow, NewConnection};
use crate::model::event::JobEvent;
use crate::model::job::{JobFilter, OperatorJob};
use crate::model::ledger::LedgerTransaction;
use crate::model::plugin::{KnownPlugin, PluginPackage};
use crate::model::step::{JobReceipt, StepRow};
use crate::model::tenant::{KeyRecord, OrganizationRow, ProjectRow};

/// Administration of a store.
#[derive(Debug, Clone)]
pub struct Operator(pub(crate) Store);

impl Operator {
    /// Make an organization.
    pub async fn create_organization(&self, name: &str) -> Result<OrganizationRow, StoreError> { todo!() }
    /// All organizations, oldest first.
    pub async fn list_organizations(&self) -> Result<Vec<OrganizationRow>, StoreError> { todo!() }
    /// An organization.
    pub async fn show_organization(&self, id: OrganizationId) -> Result<Option<OrganizationRow>, StoreError> { todo!() }
    /// Archive an organization with all its projects.
    pub async fn archive_organization(&self, id: OrganizationId) -> Result<OrganizationRow, StoreError> { todo!() }
    /// Make a project.
    pub async fn create_project(&self, organization: OrganizationId, name: &str) -> Result<ProjectRow, StoreError> { todo!() }
    /// Projects, of one organization or all, oldest first.
    pub async fn list_projects(&self, organization: Option<OrganizationId>) -> Result<Vec<ProjectRow>, StoreError> { todo!() }
    /// A project.
    pub async fn show_project(&self, id: ProjectId) -> Result<Option<ProjectRow>, StoreError> { todo!() }
    /// Archive a project: its keys are refused, its queued jobs canceled, its running jobs asked to stop.
    pub async fn archive_project(&self, id: ProjectId) -> Result<ProjectRow, StoreError> { todo!() }
    /// Make a key. The secret is returned once and stored nowhere.
    pub async fn create_key(&self, project: ProjectId, name: &str, permissions: Permissions, expires_at: Option<Timestamp>) -> Result<(KeyRecord, ApiKeySecret), StoreError> { todo!() }
    /// Keys, of one project or all, oldest first.
    pub async fn list_keys(&self, project: Option<ProjectId>) -> Result<Vec<KeyRecord>, StoreError> { todo!() }
    /// A key.
    pub async fn show_key(&self, id: KeyRecordId) -> Result<Option<KeyRecord>, StoreError> { todo!() }
    /// Revoke a key at once. Revoking twice changes nothing.
    pub async fn revoke_key(&self, id: KeyRecordId) -> Result<KeyRecord, StoreError> { todo!() }
    /// Make a connection; its credentials are sealed.
    pub async fn create_connection(&self, project: ProjectId, new: NewConnection) -> Result<ConnectionRow, StoreError> { todo!() }
    /// Change a connection.
    pub async fn update_connection(&self, id: ConnectionId, change: ConnectionChange) -> Result<ConnectionRow, StoreError> { todo!() }
    /// Connections, of one project or all, oldest first.
    pub async fn list_connections(&self, project: Option<ProjectId>) -> Result<Vec<ConnectionRow>, StoreError> { todo!() }
    /// A connection.
    pub async fn show_connection(&self, id: ConnectionId) -> Result<Option<ConnectionRow>, StoreError> { todo!() }
    /// Disable a connection: bindings to it stop to resolve.
    pub async fn disable_connection(&self, id: ConnectionId) -> Result<ConnectionRow, StoreError> { todo!() }
    /// Seal all credentials again under the ring's current master key. Returns how many were moved.
    pub async fn reseal_credentials(&self) -> Result<u64, StoreError> { todo!() }
    /// Bind a capability, replacing what the same scope had bound to it.
    pub async fn set_binding(&self, scope: BindingScope, capability: &str, target: BindingTarget, settings: Value) -> Result<BindingRow, StoreError> { todo!() }
    /// All bindings, by scope and capability.
    pub async fn list_bindings(&self) -> Result<Vec<BindingRow>, StoreError> { todo!() }
    /// A binding.
    pub async fn show_binding(&self, id: BindingId) -> Result<Option<BindingRow>, StoreError> { todo!() }
    /// Remove a binding. Returns whether it was there.
    pub async fn remove_binding(&self, id: BindingId) -> Result<bool, StoreError> { todo!() }
    /// Jobs, of one project or all, newest first.
    pub async fn list_jobs(&self, project: Option<ProjectId>, filter: &JobFilter) -> Result<Vec<OperatorJob>, StoreError> { todo!() }
    /// A job.
    pub async fn show_job(&self, id: JobId) -> Result<Option<OperatorJob>, StoreError> { todo!() }
    /// Cancel a job: a queued one ends at once, a running one is asked to stop, an ended one stays.
    pub async fn cancel_job(&self, id: JobId) -> Result<OperatorJob, StoreError> { todo!() }
    /// The journal of a job.
    pub async fn job_steps(&self, id: JobId) -> Result<Vec<StepRow>, StoreError> { todo!() }
    /// Events of a job after `after_seq`.
    pub async fn job_events(&self, id: JobId, after_seq: u64, limit: u32) -> Result<Vec<JobEvent>, StoreError> { todo!() }
    /// Receipts of a job.
    pub async fn job_receipts(&self, id: JobId) -> Result<Vec<JobReceipt>, StoreError> { todo!() }
    /// Ledger transactions of a job.
    pub async fn job_ledger(&self, id: JobId) -> Result<Vec<LedgerTransaction>, StoreError> { todo!() }
    /// Packages that this installation has seen, by kind, key and version.
    pub async fn plugin_records(&self) -> Result<Vec<KnownPlugin>, StoreError> { todo!() }
    /// Record that the catalog offers these packages now.
    pub async fn record_plugins(&self, packages: &[PluginPackage]) -> Result<(), StoreError> { todo!() }
}
