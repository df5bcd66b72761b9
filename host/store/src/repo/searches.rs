//! Searches for people (prospecting jobs) and what their calls received, as an erasure reads it: page by page, because
//! together the answers may be larger than memory. A search that has not ended needs its answers, so what is to be erased
//! of it is marked, and goes when it ends.

use gtm_domain::audit::{AuditAction, AuditActor, AuditEvent};
use gtm_domain::job::Job;
use gtm_domain::outcome_ledger::{LedgerOf, LedgerSubject, SubjectHmac, SubjectType};
use gtm_domain::prospecting::search::SEARCH;
use gtm_domain::{Digest, JobId, JobType, OrganizationId, ProjectId, Timestamp};
use sqlx::AssertSqlSafe;

use super::{
    Conn, FOR_UPDATE, audit, outcome_ledger, recorded_calls, savepoints, serialize_erasures,
};
use crate::blobs::StoredBytes;
use crate::columns::{Text, count, stored};
use crate::error::StoreError;
use crate::model::prospecting::{Prospect, Search};
use crate::model::step::ReceiptPlace;

/// The actor's name in the audit log.
const ACTOR: &str = "erasure";

/// Searches that are listed at a time.
const SEARCHES: i64 = 500;
/// Answers that are read at a time: each may stand in its row, and is then up to `LARGEST_INLINE` long.
const ANSWERS: i64 = 50;
/// Ended searches whose erasures are completed in one transaction.
const BATCH: i64 = 50;

row! {
    struct RawMarked {
        id: Text<JobId>,
        organization_id: Text<OrganizationId>,
        project_id: Text<ProjectId>,
    }
}

row! {
    struct RawSearch {
        id: Text<JobId>,
        ended: bool,
    }
}

row! {
    struct RawAnswer {
        seq: i64,
        position: i64,
        body: Option<Vec<u8>>,
        body_blob: Option<Text<Digest>>,
    }
}

/// Searches whose data has not been swept, after the given one and in the order of their ids. None if there is none left.
pub(crate) async fn page(c: &mut Conn, after: Option<JobId>) -> Result<Vec<Search>, StoreError> {
    let sql = "SELECT id, finished_at IS NOT NULL AS ended FROM jobs WHERE type = $1 AND swept_at IS NULL AND id > $2 \
        ORDER BY id LIMIT $3";
    // Every id is greater than the empty text.
    let after = after.map_or_else(String::new, |id| id.to_string());
    let rows: Vec<RawSearch> = sqlx::query_as(sql)
        .bind(JobType::Prospecting.as_str())
        .bind(after)
        .bind(SEARCHES)
        .fetch_all(c)
        .await?;
    let searches = rows.into_iter().map(|raw| Search {
        id: raw.id.0,
        ended: raw.ended,
    });
    Ok(searches.collect())
}

/// Some answers that the calls of a job received, after the given place: where each stands and where its bytes are kept.
/// None if there is none left.
pub(crate) async fn answers(
    c: &mut Conn,
    job: JobId,
    after: Option<ReceiptPlace>,
) -> Result<Vec<(ReceiptPlace, StoredBytes)>, StoreError> {
    let sql = "SELECT seq, position, body, body_blob FROM receipts WHERE job_id = $1 AND (seq, position) > ($2, $3) \
        ORDER BY seq, position LIMIT $4";
    let (seq, position) = after.map_or((-1, -1), |a| (stored(a.seq), stored(a.position)));
    let rows: Vec<RawAnswer> = sqlx::query_as(sql)
        .bind(Text(job))
        .bind(seq)
        .bind(position)
        .bind(ANSWERS)
        .fetch_all(c)
        .await?;
    let answers = rows.into_iter().map(|raw| {
        let place = ReceiptPlace {
            seq: count(raw.seq),
            position: count(raw.position),
        };
        let kept = match raw.body_blob {
            Some(digest) => StoredBytes::Blob(digest.0),
            None => StoredBytes::Inline(raw.body.unwrap_or_default().into()),
        };
        (place, kept)
    });
    Ok(answers.collect())
}

/// How many answers a job keeps.
pub(crate) async fn count_answers(c: &mut Conn, job: JobId) -> Result<u64, StoreError> {
    let sql = "SELECT COUNT(*) FROM receipts WHERE job_id = $1";
    let answers: i64 = sqlx::query_scalar(sql).bind(Text(job)).fetch_one(c).await?;
    Ok(count(answers))
}

/// The searches that have not ended. None of them ends, and no other erasure and no sweep runs, until the transaction
/// ends.
pub(crate) async fn hold_open(c: &mut Conn) -> Result<Vec<(JobId, ProjectId)>, StoreError> {
    serialize_erasures(c).await?;
    let sql = format!(
        "SELECT id, project_id FROM jobs WHERE type = $1 AND finished_at IS NULL ORDER BY id{FOR_UPDATE}"
    );
    let rows: Vec<(Text<JobId>, Text<ProjectId>)> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(JobType::Prospecting.as_str())
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(|(id, of)| (id.0, of.0)).collect())
}

/// The searches that have ended and whose data has not been swept.
pub(crate) async fn ended(c: &mut Conn) -> Result<Vec<(JobId, ProjectId)>, StoreError> {
    let sql = "SELECT id, project_id FROM jobs WHERE type = $1 AND finished_at IS NOT NULL AND swept_at IS NULL ORDER BY id";
    let rows: Vec<(Text<JobId>, Text<ProjectId>)> = sqlx::query_as(sql)
        .bind(JobType::Prospecting.as_str())
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(|(id, of)| (id.0, of.0)).collect())
}

/// Marks that a search which has not ended must not store this person. `cleared` of its calls were settled and do not
/// tell of the person.
pub(crate) async fn mark(
    c: &mut Conn,
    (job, project): (JobId, ProjectId),
    person: SubjectHmac,
    cleared: u64,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO erasures_under_way (job_id, project_id, subject_hmac, cleared) VALUES ($1, $2, $3, $4) \
        ON CONFLICT (job_id, subject_hmac) DO UPDATE SET cleared = excluded.cleared";
    sqlx::query(sql)
        .bind(Text(job))
        .bind(Text(project))
        .bind(Text(person))
        .bind(stored(cleared))
        .execute(c)
        .await?;
    Ok(())
}

/// Whether a search must not store somebody with these subjects: they were erased while it ran, or the outcome ledger of
/// its project or the platform's list names them.
pub(crate) async fn must_not_store(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
    subjects: &[LedgerSubject],
) -> Result<bool, StoreError> {
    let environment = outcome_ledger::environment(c, project).await?;
    let ledger = LedgerOf {
        project,
        environment: environment.ok_or_else(|| StoreError::absent("project", project))?,
    };
    for subject in subjects {
        let is_address = subject.subject_type == SubjectType::Address;
        if is_address && is_marked(c, project, job, subject.hmac).await? {
            return Ok(true);
        }
    }
    let closed = outcome_ledger::suppressed(c, ledger, subjects).await?;
    Ok(!closed.is_empty())
}

/// Whether the person was erased while the search ran, and what the search received has not gone since.
pub(crate) async fn is_marked(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
    person: SubjectHmac,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM erasures_under_way WHERE job_id = $1 AND project_id = $2 AND subject_hmac = $3";
    let found = sqlx::query(sql)
        .bind(Text(job))
        .bind(Text(project))
        .bind(Text(person))
        .fetch_optional(c)
        .await?;
    Ok(found.is_some())
}

/// Refuses candidates of a search whom it must not store. Those of an import were reviewed by a person, and the gate
/// `suppression` is for them (decision 0089).
///
/// # Errors
/// [`StoreError::NamedSince`] if there is one: the run looked before it made its result.
pub(super) async fn check_candidates<'p>(
    c: &mut Conn,
    job: &Job,
    candidates: impl Iterator<Item = &'p Prospect>,
) -> Result<(), StoreError> {
    if job.input.get("operation").and_then(|it| it.as_str()) != Some(SEARCH) {
        return Ok(());
    }
    for candidate in candidates {
        if must_not_store(c, job.project, job.id, &candidate.subjects).await? {
            return Err(StoreError::NamedSince);
        }
    }
    Ok(())
}

/// The search has ended: what was to be erased of it goes, with its journal, unless the erasure has read all of it and
/// found nobody.
pub(super) async fn ends(c: &mut Conn, job: &Job, now: Timestamp) -> Result<(), StoreError> {
    complete(c, job.id, (job.organization, job.project), now).await
}

/// Completes the erasures of some searches, after the given one, that have ended and still have marks: one that was given
/// up may have kept them, and an erasure leaves them to searches that ended while it looked. What prevents one search's
/// completion is logged and does not keep the others from theirs. Returns the last search that was looked at, and how many
/// were completed.
pub(crate) async fn complete_some(
    c: &mut Conn,
    after: Option<JobId>,
    now: Timestamp,
) -> Result<Option<(JobId, u64)>, StoreError> {
    serialize_erasures(c).await?;
    let sql = "SELECT j.id, j.organization_id, j.project_id FROM jobs j WHERE j.finished_at IS NOT NULL AND j.id > $1 \
        AND EXISTS (SELECT 1 FROM erasures_under_way e WHERE e.job_id = j.id) ORDER BY j.id LIMIT $2";
    let after = after.map_or_else(String::new, |id| id.to_string());
    let marked: Vec<RawMarked> = sqlx::query_as(sql)
        .bind(after)
        .bind(BATCH)
        .fetch_all(&mut *c)
        .await?;
    let mut completed = 0;
    for raw in &marked {
        let (id, owner) = (raw.id.0, (raw.organization_id.0, raw.project_id.0));
        savepoints::begin(c).await?;
        let done = complete(c, id, owner, now).await;
        completed += u64::from(savepoints::end(c, id, "erasures after its end", done).await?);
    }
    Ok(marked.last().map(|last| (last.id.0, completed)))
}

/// Takes the journal of an ended search, unless all that was marked has been read, and its marks.
async fn complete(
    c: &mut Conn,
    job: JobId,
    (organization, project): (OrganizationId, ProjectId),
    now: Timestamp,
) -> Result<(), StoreError> {
    let sql = "SELECT EXISTS (SELECT 1 FROM erasures_under_way e WHERE e.job_id = $1 AND e.project_id = $2 \
        AND e.cleared <> (SELECT COUNT(*) FROM job_steps s WHERE s.job_id = e.job_id AND s.state <> 'started'))";
    let is_to_go: bool = sqlx::query_scalar(sql)
        .bind(Text(job))
        .bind(Text(project))
        .fetch_one(&mut *c)
        .await?;
    unmark(c, job, None).await?;
    if !is_to_go {
        return Ok(());
    }
    recorded_calls::forget(c, job).await?;
    let (organization, project) = (Some(organization), Some(project));
    let (actor, action) = (
        AuditActor::system(ACTOR),
        AuditAction::ProspectingAnswerErased,
    );
    let event = AuditEvent::new(&actor, action, job, organization, project);
    audit::append(c, &event, now).await
}

/// Removes the mark of a person on a search, or without one all of them.
pub(crate) async fn unmark(
    c: &mut Conn,
    job: JobId,
    person: Option<SubjectHmac>,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM erasures_under_way WHERE job_id = $1 AND subject_hmac = COALESCE($2, subject_hmac)";
    sqlx::query(sql)
        .bind(Text(job))
        .bind(person.map(Text))
        .execute(c)
        .await?;
    Ok(())
}
