//! What a job was bound to when it was created: the guideline of its brand, what its offer says, and the templates of
//! its files.

use gtm_domain::document::{DocumentFormat, template};
use gtm_domain::offer::OfferContent;
use gtm_runtime::Asset;
use serde_json::Value;

use super::JobRun;
use super::cited::unreadable;
use crate::ending::Ending;
use crate::job_error;

/// The public guideline of the brand, as bound when the job was created. Later revisions change nothing,
/// nor does archiving the brand while the job runs.
///
/// # Errors
/// How the job ends if the guideline is not available.
pub async fn guideline(run: &JobRun) -> Result<Option<Value>, Ending> {
    let Some(bound) = &run.pins.brand else {
        return Ok(None);
    };
    let found = match run.reader.guideline(bound).await {
        Ok(found) => found,
        Err(error) => return Err(unreadable(error)),
    };
    found
        .filter(|found| found.archived_at.is_none_or(|at| at > run.started_at))
        .map(|found| Some(found.document))
        .ok_or_else(|| Ending::Failed(job_error::guideline_unavailable(bound)))
}

/// What the offer says in the revision that was bound when the job was created. Neither a later revision nor
/// archiving the offer changes it.
///
/// # Errors
/// How the job ends if the offer cannot be read.
pub async fn offer(run: &JobRun) -> Result<Option<OfferContent>, Ending> {
    let Some(bound) = &run.pins.offer else {
        return Ok(None);
    };
    let found = run.reader.offer(bound).await.map_err(unreadable)?;
    if found.is_none() {
        // No revision is ever removed or changed.
        tracing::error!(offer = %bound.offer_id, "the bound revision of an offer is gone");
        return Err(Ending::Failed(job_error::internal(run.job.id)));
    }
    Ok(found)
}

/// The template of a format as the asset that its renderer reads, if one was in use when the job was created. Removing
/// it later changes nothing.
///
/// # Errors
/// How the job ends if the template cannot be read.
pub async fn template(
    run: &JobRun,
    format: DocumentFormat,
) -> Result<Option<(String, Asset)>, Ending> {
    let bound = (run.pins.templates.iter()).find(|bound| bound.format == format);
    let (Some(bound), Some(name)) = (bound, template::asset(format)) else {
        return Ok(None);
    };
    let found = run.reader.template(bound).await.map_err(unreadable)?;
    let Some(bytes) = found else {
        tracing::error!(template = %bound.template_id, "a bound template is gone");
        return Err(Ending::Failed(job_error::internal(run.job.id)));
    };
    let asset = Asset {
        media_type: format.media_type().to_owned(),
        bytes,
    };
    Ok(Some((name.to_owned(), asset)))
}
