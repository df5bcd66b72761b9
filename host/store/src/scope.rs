//! Proofs of the right to touch tenant data (architecture §7). Their fields are private and only the store
//! constructs them: whoever holds one has been authenticated, or has claimed the job. The repositories
//! filter by exactly what the proof says.

use std::net::IpAddr;
use std::sync::Arc;

use gtm_domain::Capability;
use gtm_domain::{JobId, KeyRecordId, OrganizationId, Permissions, ProjectId, UsageTier, WorkerId};

/// The request that a scope acts for, as the audit log records it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RequestOrigin {
    /// Its id, as returned in its response.
    pub request_id: String,
    /// Address of the peer; `None` if it is unknown.
    pub peer: Option<IpAddr>,
}

/// The tenant that a request acts for. Created by authentication, or restored from a job's own row.
#[derive(Debug, Clone)]
pub struct ProjectScope {
    pub(crate) project: ProjectId,
    pub(crate) organization: OrganizationId,
    pub(crate) key: KeyRecordId,
    pub(crate) permissions: Permissions,
    /// `None` for a scope without a request, such as a running job's.
    pub(crate) origin: Option<Arc<RequestOrigin>>,
    /// `None` for a scope restored from a job's row, which makes no requests.
    pub(crate) terms: Option<Arc<CallerTerms>>,
}

/// What a key's owner may request, as of the time the key was checked.
#[derive(Debug)]
pub(crate) struct CallerTerms {
    pub(crate) tier: UsageTier,
    pub(crate) requests_per_minute: Option<u32>,
    pub(crate) disabled: Vec<Capability>,
}

impl CallerTerms {
    /// The lower of the tier's limit and the key's own limit.
    pub(crate) fn rate_limit_per_minute(&self) -> u32 {
        let tier = self.tier.rate_limit_per_minute;
        self.requests_per_minute.map_or(tier, |key| key.min(tier))
    }
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
    /// The same scope, acting for this request.
    #[must_use]
    pub fn acting_for(self, origin: RequestOrigin) -> Self {
        Self {
            origin: Some(Arc::new(origin)),
            ..self
        }
    }
    /// The organization's usage tier (specification, Usage tier). `None` if the scope comes from a
    /// job and not from a key.
    #[must_use]
    pub fn usage_tier(&self) -> Option<&UsageTier> {
        self.terms.as_deref().map(|terms| &terms.tier)
    }
    /// Requests that the key may make in 60 seconds: the usage tier's limit, or the key's own if that
    /// is lower (specification, Limits). 0 if the scope comes from a job.
    #[must_use]
    pub fn rate_limit_per_minute(&self) -> u32 {
        self.terms
            .as_deref()
            .map_or(0, CallerTerms::rate_limit_per_minute)
    }
    /// Whether the organization may use the capability. The deployment may still not offer it. False
    /// if the scope comes from a job.
    #[must_use]
    pub fn capability_enabled(&self, capability: Capability) -> bool {
        self.terms
            .as_deref()
            .is_some_and(|terms| !terms.disabled.contains(&capability))
    }
}

/// A worker's exclusive right to a running job. Every write under it checks `fence` and `worker` in the
/// same transaction; a lost lease writes nothing.
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
    /// The fencing token: it grows with every claim of the job.
    #[must_use]
    pub const fn fence(&self) -> i64 {
        self.fence
    }
    /// The worker that claimed the job.
    #[must_use]
    pub const fn worker(&self) -> WorkerId {
        self.worker
    }
    /// The scope of the job's own tenant, for reads on its behalf. It carries no permissions.
    #[must_use]
    pub fn scope(&self) -> ProjectScope {
        ProjectScope {
            project: self.project,
            organization: self.organization,
            key: self.key,
            permissions: Permissions::of(Vec::new()),
            origin: None,
            terms: None,
        }
    }
}
