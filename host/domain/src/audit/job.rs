//! What the audit log records about jobs. Its hashes cover a job's identity, input and state, never its
//! result.

use serde::Serialize;
use serde_json::Value;

use super::action::AuditAction;
use super::event::{AuditActor, AuditEvent};
use crate::canonical::NotCanonical;
use crate::job::Job;
use crate::{JobId, JobStatus, KeyRecordId, MicroUsd, OrganizationId, ProjectId, Timestamp};

/// The fields of a job that the hashes cover.
#[derive(Serialize)]
pub struct AuditedJob<'a> {
    id: JobId,
    project: ProjectId,
    organization: OrganizationId,
    key: KeyRecordId,
    r#type: &'static str,
    status: &'static str,
    cancel_requested: bool,
    input: &'a Value,
    reserved: MicroUsd,
    cost_cap: MicroUsd,
    created_at: Timestamp,
    expires_at: Timestamp,
}

impl<'a> AuditedJob<'a> {
    /// Selects the hashed fields of a job.
    #[must_use]
    pub const fn of(row: &'a Job) -> Self {
        Self {
            id: row.id,
            project: row.project,
            organization: row.organization,
            key: row.key,
            r#type: row.job_type.as_str(),
            status: row.status.as_str(),
            cancel_requested: row.cancel_requested,
            input: &row.input,
            reserved: row.reserved,
            cost_cap: row.cost_cap,
            created_at: row.created_at,
            expires_at: row.expires_at,
        }
    }
}

/// The event for a job that was just canceled: a queued job has ended, a running one is asked to stop.
///
/// # Errors
/// If the job's input has no canonical form.
pub fn job_canceled(actor: &AuditActor, row: &Job) -> Result<AuditEvent, NotCanonical> {
    let after = AuditedJob::of(row);
    let (action, status) = if row.status == JobStatus::Canceled {
        (AuditAction::JobCanceled, JobStatus::Queued.as_str())
    } else {
        (AuditAction::JobCancelRequested, row.status.as_str())
    };
    let before = AuditedJob {
        status,
        cancel_requested: false,
        ..AuditedJob::of(row)
    };
    AuditEvent::new(
        actor,
        action,
        row.id,
        Some(row.organization),
        Some(row.project),
    )
    .before(&before)?
    .after(&after)
}
