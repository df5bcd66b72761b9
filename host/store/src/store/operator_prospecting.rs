//! The operator's side of prospecting: importing candidates, having them searched for, deciding about them and reading
//! their addresses.

use std::time::Duration;

use gtm_domain::audit::job::AuditedJob;
use gtm_domain::audit::{AuditAction, AuditEvent};
use gtm_domain::idempotency::{Create, StoredAnswer};
use gtm_domain::job::{CreateJob, Finish, Job, Product};
use gtm_domain::key_record::{KeyRecord, KeyStatus};
use gtm_domain::outcome_ledger::MailAddress;
use gtm_domain::prospecting::import::counted;
use gtm_domain::prospecting::{
    Candidate, CandidateAddress, Decision, EvidenceKind, ImportedCandidate, follows,
};
use gtm_domain::{
    EvidenceId, JobId, JobType, KeyRecordId, MicroUsd, OrganizationId, Permissions, ProjectId,
    ProspectId, Timestamp, Usage, WorkerId,
};
use serde_json::json;
use uuid::Uuid;

use super::operator::Operator;
use super::{Store, on_database};
use crate::access::Access;
use crate::claim::Claim;
use crate::error::StoreError;
use crate::identity::{random_bytes, uuid_v7};
use crate::model::job::NewJob;
use crate::model::prospecting::{CandidatePage, Prospect, ProspectImport};
use crate::prepared_product::PreparedProduct;
use crate::scope::ProjectScope;
use crate::secrets::{SealedAddress, open_address, seal_address};

/// How long the import holds the job. It ends in the same transaction, so nobody sees this.
const LEASE: Duration = Duration::from_secs(60);

/// Every function fails if the database does; other errors are named where they apply.
#[expect(clippy::missing_errors_doc, reason = "said once for all, above")]
impl Operator {
    /// Stores reviewed candidates as a prospecting job that has succeeded, in one transaction. The job is charged to
    /// a key of the project: the given one, or the newest that is active. It costs nothing and counts against quotas.
    /// Addresses are sealed. [`StoreError::Absent`] or [`StoreError::Conflict`] if project or key do not exist, have
    /// ended or do not belong together; [`StoreError::Refused`] if a quota is used up.
    pub async fn import_prospects(
        &self,
        project: ProjectId,
        key: Option<KeyRecordId>,
        import: ProspectImport,
    ) -> Result<Job, StoreError> {
        let (operator, store, now) = (self.clone(), self.0.clone(), self.0.now());
        let id = JobId::from_uuid(uuid_v7(now));
        let worker = WorkerId::from_uuid(uuid_v7(now));
        let result = counted(&import.candidates);
        let new = NewJob {
            id,
            job_type: JobType::Prospecting,
            created_at: now,
            // DANGER: whoever may read the job sees it. No digest of the file: who is in a short file can be guessed,
            // and the digest says whether the guess is right.
            input: json!({
                "operation": "import",
                "format": import.format,
                "candidates": result.candidates,
            }),
            pins: json!({}),
            seed: random_bytes(),
            backend: None,
            stages: None,
            external_ref: None,
            expected_cost: MicroUsd::ZERO,
            cost_cap: MicroUsd::ZERO,
            response: StoredAnswer::none(),
        };
        let prospects = store.with_ids(id, project, import.candidates.clone(), now)?;
        let finish = Finish::Succeeded {
            result: json!(result),
            product: Product::Candidates(import.candidates),
        };
        on_database!(self.0, write, Access::All, |c, repo| {
            let owner = repo::tenants::active_project(c, project).await?;
            let keys = repo::keys::list(c, Some(project)).await?;
            let key = charged_key(project, key, keys, now)?;
            let scope = charged_scope(project, owner.organization, key);
            let created = repo::creates::job(c, &scope, &new, None, store.tiers(), now).await?;
            let Create::Created(created) = created else {
                // Without an idempotency key there is no earlier request.
                return Err(StoreError::conflict("the job was created before"));
            };
            let claim = Claim {
                worker,
                max: 1,
                per_project_running: usize::MAX,
                lease: LEASE,
            };
            let claimed = repo::claims::take(c, id, claim, now).await?;
            let claimed = claimed.ok_or(StoreError::LeaseLost)?;
            let prepared = PreparedProduct {
                prospects: &prospects,
                ..Default::default()
            };
            let (lease, usage) = (&claimed.lease, Usage::default());
            let ended = repo::outcomes::finish(c, lease, &finish, prepared, usage, now).await?;
            let event =
                |action| operator.event(action, id, Some(owner.organization), Some(project));
            let made = event(AuditAction::JobCreated).after(&AuditedJob::of(&created))?;
            let imported = AuditEvent {
                after: Some(import.file),
                ..event(AuditAction::ProspectsImported)
            };
            repo::audit::append_all(c, &[made, imported], now).await?;
            Ok(ended)
        })
    }

    /// The scope of a job that an operator makes for a project, charged to a key of it: the given one, or the newest
    /// that is active. It may create that job and nothing else. [`StoreError::Absent`] or [`StoreError::Conflict`] as
    /// for [`Self::import_prospects`].
    pub async fn charged_scope(
        &self,
        project: ProjectId,
        key: Option<KeyRecordId>,
    ) -> Result<ProjectScope, StoreError> {
        let now = self.0.now();
        on_database!(self.0, read, Access::All, |c, repo| {
            let owner = repo::tenants::active_project(c, project).await?;
            let keys = repo::keys::list(c, Some(project)).await?;
            let key = charged_key(project, key, keys, now)?;
            Ok(charged_scope(project, owner.organization, key))
        })
    }

    /// Creates a queued prospecting job that workers run, with its reservation. [`StoreError::Refused`] if a limit or
    /// the credit is used up.
    pub async fn create_prospecting_job(
        &self,
        scope: &ProjectScope,
        job: NewJob,
    ) -> Result<Job, StoreError> {
        if job.job_type != JobType::Prospecting {
            return Err(StoreError::conflict("this is no prospecting job"));
        }
        let (operator, store, scope, now) =
            (self.clone(), self.0.clone(), scope.clone(), self.0.now());
        let created = on_database!(self.0, write, Access::All, |c, repo| {
            let made: CreateJob =
                repo::creates::job(c, &scope, &job, None, store.tiers(), now).await?;
            let Create::Created(created) = made else {
                // Without an idempotency key there is no earlier request.
                return Err(StoreError::conflict("the job was created before"));
            };
            let action = AuditAction::JobCreated;
            let (organization, project) = (Some(scope.organization), Some(scope.project));
            let event = operator.event(action, created.id, organization, project);
            let event = event.after(&AuditedJob::of(&created))?;
            repo::audit::append(c, &event, now).await?;
            Ok(*created)
        })?;
        self.0.job_waits();
        Ok(created)
    }

    /// Records a person's decision about a candidate, with its reason. The candidate is read with it from now on.
    /// [`StoreError::Absent`] if the job has no such candidate, [`StoreError::Conflict`] if the reason cannot be shown.
    pub async fn qualify_prospect(
        &self,
        job: JobId,
        id: ProspectId,
        decision: Decision,
        reason: Option<&str>,
    ) -> Result<Candidate, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let now_shown = Timestamp::from_millis(now.millis());
        let decided = decision.at(reason, now_shown);
        let decided = decided.map_err(StoreError::Conflict)?;
        on_database!(self.0, write, Access::All, |c, repo| {
            let absent = || StoreError::absent("prospect", id);
            let sealed = repo::prospects::address(c, id).await?.ok_or_else(absent)?;
            let project = sealed.project;
            let place = (project, job, id);
            let before = repo::prospects::decide(c, place, &decided).await?;
            let before = before.ok_or_else(absent)?;
            follows(&before, &decided).map_err(StoreError::Conflict)?;
            let owner = repo::tenants::existing_project(c, project).await?;
            let action = AuditAction::ProspectQualified;
            let event = operator.event(action, id, Some(owner.organization), Some(project));
            let event = event.before(&before)?.after(&decided)?;
            repo::audit::append(c, &event, now).await?;
            let found = repo::prospects::get(c, project, job, id).await?;
            Ok(found.ok_or_else(absent)?.candidate)
        })
    }

    /// Candidates of a prospecting job of any project with their evidence, in the order of the file.
    pub async fn list_candidates(
        &self,
        project: ProjectId,
        job: JobId,
        page: CandidatePage,
    ) -> Result<Vec<Candidate>, StoreError> {
        on_database!(self.0, snapshot, Access::All, |c, repo| {
            repo::prospects::list(c, project, job, page).await
        })
    }

    /// The address of a candidate in clear. The audit log records that it was read. [`StoreError::Absent`] if there
    /// is no such candidate, [`StoreError::Corrupt`] if its address does not open.
    pub async fn read_address(&self, id: ProspectId) -> Result<MailAddress, StoreError> {
        let (operator, now) = (self.clone(), self.0.now());
        let sealed = on_database!(self.0, write, Access::All, |c, repo| {
            let sealed = repo::prospects::address(c, id).await?;
            let sealed = sealed.ok_or_else(|| StoreError::absent("prospect", id))?;
            let owner = repo::tenants::existing_project(c, sealed.project).await?;
            let (organization, project) = (Some(owner.organization), Some(owner.id));
            let action = AuditAction::ProspectAddressShown;
            let event = operator.event(action, id, organization, project);
            repo::audit::append(c, &event, now).await?;
            Ok(sealed)
        })?;
        open_address(&self.0.inner.keys, &sealed)
    }
}

/// The scope in which an operator creates a job for a project.
fn charged_scope(
    project: ProjectId,
    organization: OrganizationId,
    key: KeyRecordId,
) -> ProjectScope {
    ProjectScope {
        project,
        organization,
        key,
        permissions: Permissions::of(Vec::new()),
        origin: None,
        terms: None,
    }
}

/// The key that a job of an operator is charged to.
fn charged_key(
    project: ProjectId,
    wanted: Option<KeyRecordId>,
    keys: Vec<KeyRecord>,
    now: Timestamp,
) -> Result<KeyRecordId, StoreError> {
    let Some(wanted) = wanted else {
        let active = keys
            .into_iter()
            .filter(|key| key.status(now) == KeyStatus::Active);
        // Ids are time-ordered.
        return active.map(|key| key.id).max().ok_or_else(|| {
            StoreError::Conflict(format!(
                "project {project} has no active key, and every job is charged to one"
            ))
        });
    };
    match keys.into_iter().find(|key| key.id == wanted) {
        None => Err(StoreError::Conflict(format!(
            "key {wanted} is none of project {project}"
        ))),
        Some(key) => match key.status(now) {
            KeyStatus::Active => Ok(wanted),
            ended => Err(StoreError::Conflict(format!(
                "key {wanted} is {}, and a job is charged to an active key",
                ended.as_str()
            ))),
        },
    }
}

impl Store {
    /// The candidates under their ids, which are in the order of the file, with their addresses sealed.
    pub(super) fn with_ids(
        &self,
        job: JobId,
        project: ProjectId,
        candidates: Vec<ImportedCandidate>,
        now: Timestamp,
    ) -> Result<Vec<(Prospect, SealedAddress)>, StoreError> {
        let mut ids: Vec<Uuid> = candidates.iter().map(|_| uuid_v7(now)).collect();
        ids.sort_unstable();
        let prospects = ids.into_iter().zip(candidates).map(|(id, new)| {
            let id = ProspectId::from_uuid(id);
            let sealed = seal_address(&self.inner.keys, project, id, &new.address)?;
            let subjects = new.subjects();
            let subjects = subjects.iter().map(|subject| self.ledger_subject(subject));
            let subjects = subjects.collect();
            let masked = new.address.masked();
            let evidence: Vec<_> = new
                .evidence
                .into_iter()
                .map(|record| record.into_record(EvidenceId::from_uuid(uuid_v7(now))))
                .collect();
            let provenance = evidence
                .iter()
                .find(|record| record.kind == EvidenceKind::AddressProvenance)
                .ok_or_else(|| {
                    StoreError::conflict("a candidate lacks the source of its address")
                })?;
            let candidate = Candidate {
                id,
                job_id: job,
                synthetic: new.synthetic,
                qualification: new.qualification,
                person: new.person,
                company: new.company,
                address: CandidateAddress {
                    kind: "email".to_owned(),
                    masked,
                    address_evidence_id: provenance.id,
                },
                evidence,
                expires_at: new.expires_at,
            };
            Ok((
                Prospect {
                    candidate,
                    subjects,
                },
                sealed,
            ))
        });
        prospects.collect()
    }
}
