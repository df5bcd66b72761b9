//! Jobs that write to a prospect, as far as they say something of the person: what an erasure takes out of them.

use std::collections::BTreeMap;

use gtm_domain::job::Job;
use gtm_domain::message::prospect_message_result::{
    addressee, asked_to_write_to, draft_terms, erased, erased_request,
};
use gtm_domain::outcome_ledger::SubjectHmac;
use gtm_domain::{JobId, JobType, ProjectId, ProspectId, Timestamp};
use serde_json::{Value, json};
use sqlx::AssertSqlSafe;

use super::{Conn, FOR_UPDATE, message_standing};
use crate::columns::{Json, Text, Time};
use crate::error::StoreError;
use crate::scope::Lease;

/// Jobs that are read at once for the candidates that they wrote to.
const PAGE: i64 = 100;
/// The member of a job's pins with the HMAC of the address that it wrote to, once the candidate is gone.
const ADDRESSEE: &str = "addressee";

row! {
    struct RawWritten {
        id: Text<JobId>,
        project_id: Text<ProjectId>,
        input: Json<Value>,
        pins: Json<Value>,
        result: Option<Json<Value>>,
        is_whole: bool,
    }
}

/// What is read of a job that wrote to a prospect.
const READ: &str =
    "SELECT id, project_id, input, pins, result, erased_at IS NULL AS is_whole FROM jobs";

/// Takes what names the person out of all jobs of the project that were to write to this prospect and have ended. The
/// caller has deleted the prospect, and held its row before: a job that ends now waits for that and finds it gone
/// ([`retained`], [`ends`]). Returns the jobs that had words of a message.
pub(crate) async fn erase(
    c: &mut Conn,
    project: ProjectId,
    prospect: ProspectId,
    now: Timestamp,
) -> Result<Vec<JobId>, StoreError> {
    // Only a sieve: what is found is read before it is changed.
    let sql = format!(
        "{READ} WHERE project_id = $1 AND type = $2 AND finished_at IS NOT NULL AND swept_at IS NULL \
        AND (input LIKE $3 OR result LIKE $3) ORDER BY id"
    );
    let found: Vec<RawWritten> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(project))
        .bind(JobType::MessageTemplates.as_str())
        .bind(format!("%{prospect}%"))
        .fetch_all(&mut *c)
        .await?;
    let mut texts = Vec::new();
    for raw in found {
        if raw.addressee() == Some(prospect) {
            let job = raw.id.0;
            if erase_texts(c, raw, now).await? {
                texts.push(job);
            }
        }
    }
    Ok(texts)
}

impl RawWritten {
    /// Whom the job wrote to, or was asked to write to.
    fn addressee(&self) -> Option<ProspectId> {
        let wrote = self.result.as_ref().and_then(|result| addressee(&result.0));
        wrote.or_else(|| asked_to_write_to(&self.input.0))
    }
}

/// Takes what names the person out of a job that has ended. Returns whether words of a message went: a job that failed, or
/// lacked something, has none, and only its request is cleaned.
async fn erase_texts(c: &mut Conn, raw: RawWritten, now: Timestamp) -> Result<bool, StoreError> {
    let (job, project) = (raw.id.0, raw.project_id.0);
    let mut went = false;
    let result = raw.result.map(|result| result.0);
    if let Some(result) = result.filter(|result| raw.is_whole && addressee(result).is_some()) {
        // Words whose terms nobody can read are words all the same.
        let has_words = !matches!(draft_terms(&result), Ok(None));
        // A sweep may have taken the result meanwhile, and what it took is gone.
        let sql = "UPDATE jobs SET result = $3, erased_at = $4 WHERE id = $1 AND project_id = $2 AND swept_at IS NULL";
        let changed = sqlx::query(sql)
            .bind(Text(job))
            .bind(Text(project))
            .bind(Json(erased(result, now)))
            .bind(Time(now))
            .execute(&mut *c)
            .await?;
        went = has_words && changed.rows_affected() > 0;
    }
    erase_request(c, (job, project), raw.input.0, raw.pins.0).await?;
    Ok(went)
}

/// Before the candidates of these jobs of a project are deleted because their time is up: notes in the ended jobs that wrote
/// to them by whose address they can be found. Their texts live for 30 days of their own, and an erasure has to find them.
///
/// Holds the candidates first: a message that ends meanwhile has held its own ([`hold`]), and is read once it has ended; one
/// that ends later finds its candidate gone.
pub(crate) async fn note_addressees(
    c: &mut Conn,
    project: ProjectId,
    prospecting: &[JobId],
) -> Result<(), StoreError> {
    // An address with a tag has a second form, under which an erasure looks as well.
    let mut addresses: BTreeMap<ProspectId, Vec<SubjectHmac>> = BTreeMap::new();
    for job in prospecting {
        let held = format!("SELECT id FROM prospects WHERE job_id = $1 ORDER BY id{FOR_UPDATE}");
        sqlx::query(AssertSqlSafe(held))
            .bind(Text(*job))
            .fetch_all(&mut *c)
            .await?;
        let sql = "SELECT s.prospect_id, s.subject_hmac FROM prospect_subjects s \
            JOIN prospects p ON p.id = s.prospect_id \
            WHERE p.job_id = $1 AND s.subject_type = 'address'";
        let of_job: Vec<(Text<ProspectId>, Text<SubjectHmac>)> = sqlx::query_as(sql)
            .bind(Text(*job))
            .fetch_all(&mut *c)
            .await?;
        for (id, hmac) in of_job {
            addresses.entry(id.0).or_default().push(hmac.0);
        }
    }
    let mut after = String::new();
    while !addresses.is_empty() {
        let sql = format!(
            "{READ} WHERE project_id = $1 AND type = $2 AND finished_at IS NOT NULL AND swept_at IS NULL AND id > $3 \
            ORDER BY id LIMIT $4"
        );
        let page: Vec<RawWritten> = sqlx::query_as(AssertSqlSafe(sql))
            .bind(Text(project))
            .bind(JobType::MessageTemplates.as_str())
            .bind(&after)
            .bind(PAGE)
            .fetch_all(&mut *c)
            .await?;
        let Some(last) = page.last() else {
            break;
        };
        after = last.id.0.to_string();
        for raw in page {
            let hmacs = raw.addressee().and_then(|it| addresses.get(&it));
            let Some((hmacs, mut pins)) = hmacs.zip(raw.pins.0.as_object().cloned()) else {
                continue;
            };
            let hmacs: Vec<String> = hmacs.iter().map(ToString::to_string).collect();
            pins.insert(ADDRESSEE.to_owned(), json!(hmacs));
            let sql =
                "UPDATE jobs SET pins = $3 WHERE id = $1 AND project_id = $2 AND swept_at IS NULL";
            sqlx::query(sql)
                .bind(raw.id)
                .bind(raw.project_id)
                .bind(Json(Value::Object(pins)))
                .execute(&mut *c)
                .await?;
        }
    }
    Ok(())
}

/// Takes what names the person out of all jobs of all projects that wrote to this address, and whose candidate is gone
/// because its time was up. Returns those that had words of a message.
pub(crate) async fn erase_by_address(
    c: &mut Conn,
    hmac: SubjectHmac,
    now: Timestamp,
) -> Result<Vec<(JobId, ProjectId)>, StoreError> {
    let sql = format!(
        "{READ} WHERE type = $1 AND finished_at IS NOT NULL AND swept_at IS NULL AND pins LIKE $2 ORDER BY id"
    );
    let found: Vec<RawWritten> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(JobType::MessageTemplates.as_str())
        .bind(format!("%{hmac}%"))
        .fetch_all(&mut *c)
        .await?;
    let mut texts = Vec::new();
    for raw in found {
        if is_noted(raw.pins.0.get(ADDRESSEE), &hmac.to_string()) {
            let job = (raw.id.0, raw.project_id.0);
            if erase_texts(c, raw, now).await? {
                texts.push(job);
            }
        }
    }
    Ok(texts)
}

/// Whether a job is noted to have written to an address: a list of its forms, or one form, as older versions noted it.
fn is_noted(noted: Option<&Value>, hmac: &str) -> bool {
    match noted {
        Some(Value::Array(forms)) => forms.iter().any(|form| form == hmac),
        Some(form) => form == hmac,
        None => false,
    }
}

/// Takes out of an ended job what its caller said of the person, and the record of what was read of the person, which has
/// a hash of it. Without the record no replay is made. The answer to the request has the same texts: whoever repeats the
/// request finds nobody to write to.
async fn erase_request(
    c: &mut Conn,
    (job, project): (JobId, ProjectId),
    input: Value,
    mut pins: Value,
) -> Result<(), StoreError> {
    if let Some(pins) = pins.as_object_mut() {
        pins.remove("observed");
        pins.remove(ADDRESSEE);
    }
    let sql = "UPDATE jobs SET input = $3, pins = $4, external_ref = NULL \
        WHERE id = $1 AND project_id = $2 AND swept_at IS NULL";
    sqlx::query(sql)
        .bind(Text(job))
        .bind(Text(project))
        .bind(Json(erased_request(input)))
        .bind(Json(pins))
        .execute(&mut *c)
        .await?;
    let sql = "DELETE FROM idempotency WHERE project_id = $1 AND resource = $2";
    sqlx::query(sql)
        .bind(Text(project))
        .bind(Text(job))
        .execute(c)
        .await?;
    Ok(())
}

/// The result as it may be stored: without what names the person, if the prospect was erased while the job ran.
///
/// # Errors
/// [`StoreError::ClosedSince`] if a gate of a draft has closed since the run looked.
pub(super) async fn retained(
    c: &mut Conn,
    lease: &Lease,
    result: &Value,
    now: Timestamp,
) -> Result<Option<Value>, StoreError> {
    let Some(prospect) = addressee(result) else {
        return Ok(None);
    };
    let Some(job) = hold(c, lease.project, prospect).await? else {
        return Ok(Some(erased(result.clone(), now)));
    };
    let terms = draft_terms(result).map_err(|error| StoreError::Conflict(error.to_string()))?;
    if let Some(terms) = terms {
        message_standing::check(c, lease, (job, prospect), &terms, now).await?;
    }
    Ok(None)
}

/// The job has ended, with a text or without: if the prospect was erased while it ran, nothing that names the person stays.
pub(super) async fn ends(c: &mut Conn, job: &Job) -> Result<(), StoreError> {
    let Some(prospect) = asked_to_write_to(&job.input) else {
        return Ok(());
    };
    if hold(c, job.project, prospect).await?.is_some() {
        return Ok(());
    }
    erase_request(
        c,
        (job.id, job.project),
        job.input.clone(),
        job.pins.clone(),
    )
    .await
}

/// The job that found the prospect, if the prospect is there. It stays until the transaction ends: an erasure waits for
/// that, and then finds the job ended.
async fn hold(
    c: &mut Conn,
    project: ProjectId,
    prospect: ProspectId,
) -> Result<Option<JobId>, StoreError> {
    let sql = format!("SELECT job_id FROM prospects WHERE id = $1 AND project_id = $2{FOR_UPDATE}");
    let found: Option<Text<JobId>> = sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(Text(prospect))
        .bind(Text(project))
        .fetch_optional(c)
        .await?;
    Ok(found.map(|job| job.0))
}
