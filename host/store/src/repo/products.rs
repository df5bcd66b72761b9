//! What jobs produce besides their results, and when it is written: when the job is claimed, when it
//! succeeds, and when it ends otherwise. A new job type adds an arm to each.

use gtm_domain::job::{Job, NewTemplateRevision, Product};
use gtm_domain::{JobStatus, JobType, Timestamp};

use serde_json::Value;

use super::{
    Conn, brand_guidelines, brands, files, message_template_revisions, prospects, searches,
    written_messages,
};
use crate::error::StoreError;
use crate::model::message_template::NewMessageTemplateRevision;
use crate::prepared_product::PreparedProduct;
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

/// The job is about to succeed: store those of its products that get their number from the store, and return the
/// result with that number, or without what was erased while the job ran. `None` if the result stays as it is.
pub(super) async fn numbered(
    c: &mut Conn,
    lease: &Lease,
    result: &Value,
    product: &Product,
    now: Timestamp,
) -> Result<Option<Value>, StoreError> {
    let Product::TemplateRevision(new) = product else {
        return written_messages::retained(c, lease, result, now).await;
    };
    let NewTemplateRevision { id, revision } = (**new).clone();
    let new = NewMessageTemplateRevision {
        id,
        content: revision,
        created_at: now,
    };
    let made = message_template_revisions::insert(c, lease.project, new, Some(lease.job)).await?;
    let mut result = result.clone();
    result["revision"] = made.revision.into();
    Ok(Some(result))
}

/// The job has succeeded: store its product. Of files, only the rows. The caller holds the organization's money and
/// the job.
pub(super) async fn publish(
    c: &mut Conn,
    lease: &Lease,
    job: &Job,
    product: &Product,
    prepared: PreparedProduct<'_>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let PreparedProduct { files, prospects } = prepared;
    match (job.job_type, product) {
        (JobType::Brands, Product::Guideline(guideline)) => {
            brand_guidelines::publish(c, lease, guideline, now).await
        }
        (JobType::Playbooks | JobType::MessageTemplates, Product::None) => Ok(()),
        (JobType::Prospecting, Product::Candidates(made)) if made.len() == prospects.len() => {
            searches::check_candidates(c, job, prospects.iter().map(|(new, _)| new)).await?;
            for (position, (prospect, address)) in (0..).zip(prospects) {
                prospects::insert(c, position, prospect, address, now).await?;
            }
            Ok(())
        }
        (JobType::Documents, Product::Files(_)) if !files.is_empty() => {
            files::add(c, lease, files).await
        }
        // Stored already: the result has its number.
        (JobType::MessageTemplates, Product::TemplateRevision(_)) => Ok(()),
        (
            job_type,
            Product::None
            | Product::Guideline(_)
            | Product::Files(_)
            | Product::TemplateRevision(_)
            | Product::Candidates(_),
        ) => Err(StoreError::Conflict(format!(
            "this is not what a job of type {} makes",
            job_type.as_str()
        ))),
    }
}

/// The job has ended, with or without a product.
pub(super) async fn ended(c: &mut Conn, job: &Job, now: Timestamp) -> Result<(), StoreError> {
    match (job.job_type, job.status) {
        (JobType::Brands, JobStatus::Failed | JobStatus::Canceled) => {
            brands::research_ended(c, job, now).await
        }
        (JobType::Prospecting, _) => searches::ends(c, job, now).await,
        (JobType::MessageTemplates, _) => written_messages::ends(c, job).await,
        (JobType::Brands | JobType::Playbooks | JobType::Documents, _) => Ok(()),
    }
}
