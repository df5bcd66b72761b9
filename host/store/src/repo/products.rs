//! What jobs produce besides their results, and when it is written: when the job is claimed, when it
//! succeeds, and when it ends otherwise. A new job type adds an arm to each.

use gtm_domain::job::{Job, JobFile, Product};
use gtm_domain::{JobStatus, JobType, Timestamp};

use super::{Conn, brand_guidelines, brands, files};
use crate::error::StoreError;
use crate::scope::Lease;

/// A worker has claimed the job, perhaps not for the first time.
pub(super) async fn claimed(c: &mut Conn, job: &Job, now: Timestamp) -> Result<(), StoreError> {
    match job.job_type {
        JobType::Brands => brands::research_claimed(c, job.id, now).await,
        JobType::Playbooks
        | JobType::Documents
        | JobType::MessageTemplates
        | JobType::Prospecting => Ok(()),
    }
}

/// The job has succeeded: store its product. Of files, only the rows; their content is already on disk. The
/// caller holds the organization's money and the job.
pub(super) async fn publish(
    c: &mut Conn,
    lease: &Lease,
    job: &Job,
    product: &Product,
    files: &[JobFile],
    now: Timestamp,
) -> Result<(), StoreError> {
    match (job.job_type, product) {
        (JobType::Brands, Product::Guideline(guideline)) => {
            brand_guidelines::publish(c, lease, guideline, now).await
        }
        // Candidates are stored by the import, which knows their addresses.
        (JobType::Playbooks | JobType::MessageTemplates | JobType::Prospecting, Product::None) => {
            Ok(())
        }
        (JobType::Documents, Product::Files(_)) if !files.is_empty() => {
            files::add(c, lease, files).await
        }
        (job_type, Product::None | Product::Guideline(_) | Product::Files(_)) => {
            Err(StoreError::Conflict(format!(
                "this is not what a job of type {} makes",
                job_type.as_str()
            )))
        }
    }
}

/// The job has ended, with or without a product.
pub(super) async fn ended(c: &mut Conn, job: &Job, now: Timestamp) -> Result<(), StoreError> {
    match (job.job_type, job.status) {
        (JobType::Brands, JobStatus::Failed | JobStatus::Canceled) => {
            brands::research_ended(c, job, now).await
        }
        (
            JobType::Brands
            | JobType::Playbooks
            | JobType::Documents
            | JobType::MessageTemplates
            | JobType::Prospecting,
            _,
        ) => Ok(()),
    }
}
