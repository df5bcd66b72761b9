//! Proofs of the right to touch tenant data (architecture §7). Their fields are private and their
//! constructors are the store's own: whoever holds one has been authenticated, or has claimed the
//! job, and the repositories filter by exactly what the proof says.

use gtm_domain::{JobId, KeyRecordId, OrganizationId, Permissions, ProjectId, WorkerId};

/// The tenant that a request acts for. Made by authentication, or restored from a job's own row.
#[derive(Debug, Clone)]
pub struct ProjectScope {
    pub(crate) project: ProjectId,
    pub(crate) organization: OrganizationId,
    pub(crate) key: KeyRecordId,
    pub(crate) permissions: Permissions,
}

impl ProjectScope {
    /// The project that owns what is read and written.
    #[must_use]
    pub const fn project(&self) -> ProjectId {
        self.project
    }
    /// The project's organization.
    #[must_use]
    pub const fn organization(&self) -> OrganizationId {
        self.organization
    }
    /// The key that authenticated.
    #[must_use]
    pub const fn key(&self) -> KeyRecordId {
        self.key
    }
    /// What the key may do.
    #[must_use]
    pub const fn permissions(&self) -> &Permissions {
        &self.permissions
    }
}

/// A worker's exclusive right to a running job. Every write by it is checked against `fence` and
/// `worker` in the same transaction; a lease that was lost writes nothing.
#[derive(Debug, Clone)]
pub struct Lease {
    pub(crate) job: JobId,
    pub(crate) project: ProjectId,
    pub(crate) organization: OrganizationId,
    pub(crate) key: KeyRecordId,
    pub(crate) fence: i64,
    pub(crate) worker: WorkerId,
}

impl Lease {
    /// The job.
    #[must_use]
    pub const fn job(&self) -> JobId {
        self.job
    }
    /// The job's project.
    #[must_use]
    pub const fn project(&self) -> ProjectId {
        self.project
    }
    /// The job's organization.
    #[must_use]
    pub const fn organization(&self) -> OrganizationId {
        self.organization
    }
    /// The fencing token: grows with every claim of the job.
    #[must_use]
    pub const fn fence(&self) -> i64 {
        self.fence
    }
    /// The worker that claimed the job.
    #[must_use]
    pub const fn worker(&self) -> WorkerId {
        self.worker
    }
    /// The job's own tenant, for reads on its behalf. It carries no permissions.
    #[must_use]
    pub fn scope(&self) -> ProjectScope {
        ProjectScope {
            project: self.project,
            organization: self.organization,
            key: self.key,
            permissions: Permissions::of(Vec::new()),
        }
    }
}
