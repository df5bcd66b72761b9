//! Candidates of prospecting jobs with their evidence. What is read here never holds an address in clear.

use gtm_domain::outcome_ledger::{LedgerSubject, SubjectHmac, SubjectType};
use gtm_domain::prospecting::{Candidate, EvidenceKind, EvidenceRecord, Qualification};
use gtm_domain::{EvidenceId, JobId, JobType, ProjectId, ProspectId, Timestamp};
use sqlx::AssertSqlSafe;

use super::{Conn, FOR_UPDATE};
use crate::columns::{Json, Text, Time, stored};
use crate::error::StoreError;
use crate::model::prospecting::{CandidatePage, Prospect};
use crate::secrets::SealedAddress;

row! {
    struct RawCandidate {
        id: Text<ProspectId>,
        candidate: Json<Candidate>,
        decision: Option<Json<Qualification>>,
    }
}

impl RawCandidate {
    /// The candidate without its evidence, with the last decision about it.
    fn candidate(self) -> Candidate {
        let candidate = self.candidate.0;
        match self.decision {
            None => candidate,
            Some(decision) => Candidate {
                qualification: decision.0,
                ..candidate
            },
        }
    }
}

/// What is read of a candidate `p`.
const SHOWN: &str = "p.id, p.candidate, (SELECT d.qualification FROM prospect_decisions d \
    WHERE d.prospect_id = p.id ORDER BY d.position DESC LIMIT 1) AS decision";

row! {
    struct RawEvidence {
        prospect_id: Text<ProspectId>,
        record: Json<EvidenceRecord>,
    }
}

row! {
    struct RawSubject {
        subject_type: Text<SubjectType>,
        subject_hmac: Text<SubjectHmac>,
    }
}

row! {
    struct RawAddress {
        id: Text<ProspectId>,
        project_id: Text<ProjectId>,
        master_key_id: String,
        sealed_address: Vec<u8>,
    }
}

impl From<RawAddress> for SealedAddress {
    fn from(raw: RawAddress) -> Self {
        Self {
            project: raw.project_id.0,
            prospect: raw.id.0,
            master_key_id: raw.master_key_id,
            sealed: raw.sealed_address,
        }
    }
}

/// The name of a kind in its column.
const fn kind_name(kind: EvidenceKind) -> &'static str {
    match kind {
        EvidenceKind::AddressProvenance => "address_provenance",
        EvidenceKind::LawfulBasis => "lawful_basis",
        EvidenceKind::CompanyFact => "company_fact",
        EvidenceKind::Personalization => "personalization",
        EvidenceKind::ConsentRecord => "consent_record",
    }
}

/// Stores a candidate at its position in the job.
pub(crate) async fn insert(
    c: &mut Conn,
    position: u64,
    new: &Prospect,
    address: &SealedAddress,
    now: Timestamp,
) -> Result<(), StoreError> {
    let (project, candidate) = (address.project, &new.candidate);
    let shown = Candidate {
        evidence: Vec::new(),
        ..candidate.clone()
    };
    let sql = "INSERT INTO prospects (id, job_id, project_id, position, candidate, master_key_id, sealed_address, \
        created_at, expires_at) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)";
    sqlx::query(sql)
        .bind(Text(candidate.id))
        .bind(Text(candidate.job_id))
        .bind(Text(project))
        .bind(stored(position))
        .bind(Json(shown))
        .bind(&address.master_key_id)
        .bind(&address.sealed)
        .bind(Time(now))
        .bind(Time(candidate.expires_at))
        .execute(&mut *c)
        .await?;
    for subject in &new.subjects {
        let sql = "INSERT INTO prospect_subjects (prospect_id, project_id, subject_type, subject_hmac) \
            VALUES ($1, $2, $3, $4)";
        sqlx::query(sql)
            .bind(Text(candidate.id))
            .bind(Text(project))
            .bind(subject.subject_type.as_str())
            .bind(Text(subject.hmac))
            .execute(&mut *c)
            .await?;
    }
    for (position, record) in (0..).zip(&candidate.evidence) {
        let sql = "INSERT INTO prospect_evidence (id, prospect_id, project_id, position, kind, record) \
            VALUES ($1, $2, $3, $4, $5, $6)";
        sqlx::query(sql)
            .bind(Text::<EvidenceId>(record.id))
            .bind(Text(candidate.id))
            .bind(Text(project))
            .bind(stored(position))
            .bind(kind_name(record.kind))
            .bind(Json(record))
            .execute(&mut *c)
            .await?;
    }
    Ok(())
}

/// Whether the project has a prospecting job with this id.
pub(crate) async fn job_exists(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM jobs WHERE id = $1 AND project_id = $2 AND type = $3";
    let found = sqlx::query(sql)
        .bind(Text(job))
        .bind(Text(project))
        .bind(JobType::Prospecting.as_str())
        .fetch_optional(c)
        .await?;
    Ok(found.is_some())
}

/// A candidate of a job of the project.
pub(crate) async fn get(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
    id: ProspectId,
) -> Result<Option<Prospect>, StoreError> {
    let sql = format!(
        "SELECT {SHOWN} FROM prospects p WHERE p.id = $1 AND p.job_id = $2 AND p.project_id = $3"
    );
    let raw: Option<RawCandidate> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(id))
        .bind(Text(job))
        .bind(Text(project))
        .fetch_optional(&mut *c)
        .await?;
    let Some(raw) = raw else { return Ok(None) };
    let sql = "SELECT prospect_id, record FROM prospect_evidence WHERE prospect_id = $1 AND project_id = $2 \
        ORDER BY position";
    let evidence: Vec<RawEvidence> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(project))
        .fetch_all(&mut *c)
        .await?;
    let sql = "SELECT subject_type, subject_hmac FROM prospect_subjects WHERE prospect_id = $1 AND project_id = $2 \
        ORDER BY subject_type, subject_hmac";
    let subjects: Vec<RawSubject> = sqlx::query_as(sql)
        .bind(Text(id))
        .bind(Text(project))
        .fetch_all(c)
        .await?;
    Ok(Some(Prospect {
        candidate: Candidate {
            evidence: evidence.into_iter().map(|raw| raw.record.0).collect(),
            ..raw.candidate()
        },
        subjects: subjects
            .into_iter()
            .map(|raw| LedgerSubject {
                subject_type: raw.subject_type.0,
                hmac: raw.subject_hmac.0,
            })
            .collect(),
    }))
}

/// Candidates of a job of the project with their evidence, in the order of the file. Their ids are in the same order,
/// so the id is both the sort order and the cursor.
pub(crate) async fn list(
    c: &mut Conn,
    project: ProjectId,
    job: JobId,
    page: CandidatePage,
) -> Result<Vec<Candidate>, StoreError> {
    let of_job =
        format!("SELECT {SHOWN} FROM prospects p WHERE p.job_id = $1 AND p.project_id = $2");
    let sql = match page.after {
        None => format!("{of_job} ORDER BY p.id LIMIT $3"),
        Some(_) => format!("{of_job} AND p.id > $4 ORDER BY p.id LIMIT $3"),
    };
    let query = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(job))
        .bind(Text(project))
        .bind(i64::from(page.limit));
    let query = match page.after {
        Some(after) => query.bind(Text(after)),
        None => query,
    };
    let rows: Vec<RawCandidate> = query.fetch_all(&mut *c).await?;
    let (Some(first), Some(last)) = (rows.first(), rows.last()) else {
        return Ok(Vec::new());
    };
    let sql = "SELECT e.prospect_id, e.record FROM prospect_evidence e JOIN prospects p ON p.id = e.prospect_id \
        WHERE p.job_id = $1 AND p.project_id = $2 AND p.id >= $3 AND p.id <= $4 ORDER BY p.id, e.position";
    let evidence: Vec<RawEvidence> = sqlx::query_as(sql)
        .bind(Text(job))
        .bind(Text(project))
        .bind(first.id)
        .bind(last.id)
        .fetch_all(c)
        .await?;
    let mut candidates: Vec<Candidate> = rows.into_iter().map(RawCandidate::candidate).collect();
    for raw in evidence {
        let at = candidates.binary_search_by_key(&raw.prospect_id.0, |candidate| candidate.id);
        if let Ok(at) = at {
            candidates[at].evidence.push(raw.record.0);
        }
    }
    Ok(candidates)
}

/// Adds a decision about a candidate, which is read with it from now on. Returns the qualification that held before;
/// `None` if the project's job has no such candidate.
pub(crate) async fn decide(
    c: &mut Conn,
    (project, job, id): (ProjectId, JobId, ProspectId),
    decision: &Qualification,
) -> Result<Option<Qualification>, StoreError> {
    // Two decisions at the same time would take the same position.
    let sql = format!(
        "SELECT id FROM prospects WHERE id = $1 AND job_id = $2 AND project_id = $3{FOR_UPDATE}"
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(Text(id))
        .bind(Text(job))
        .bind(Text(project))
        .fetch_optional(&mut *c)
        .await?;
    let Some(held) = get(c, project, job, id).await? else {
        return Ok(None);
    };
    let sql = "INSERT INTO prospect_decisions (prospect_id, project_id, position, qualification) \
        SELECT $1, $2, COALESCE(MAX(position), 0) + 1, $3 FROM prospect_decisions WHERE prospect_id = $1";
    sqlx::query(sql)
        .bind(Text(id))
        .bind(Text(project))
        .bind(Json(decision))
        .execute(c)
        .await?;
    Ok(Some(held.candidate.qualification))
}

/// The sealed address of a candidate of any project.
pub(crate) async fn address(
    c: &mut Conn,
    id: ProspectId,
) -> Result<Option<SealedAddress>, StoreError> {
    let sql = "SELECT id, project_id, master_key_id, sealed_address FROM prospects WHERE id = $1";
    let raw: Option<RawAddress> = sqlx::query_as(sql).bind(Text(id)).fetch_optional(c).await?;
    Ok(raw.map(Into::into))
}

/// Addresses sealed under another master key than the given one.
pub(crate) async fn addresses_not_under(
    c: &mut Conn,
    master: &str,
) -> Result<Vec<SealedAddress>, StoreError> {
    let sql = "SELECT id, project_id, master_key_id, sealed_address FROM prospects WHERE master_key_id <> $1 ORDER BY id";
    let rows: Vec<RawAddress> = sqlx::query_as(sql).bind(master).fetch_all(c).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Replaces a sealed address by the same one under another master key. Returns whether the candidate is still there.
pub(crate) async fn reseal(c: &mut Conn, address: &SealedAddress) -> Result<bool, StoreError> {
    let sql = "UPDATE prospects SET master_key_id = $3, sealed_address = $4 WHERE id = $1 AND project_id = $2";
    let done = sqlx::query(sql)
        .bind(Text(address.prospect))
        .bind(Text(address.project))
        .bind(&address.master_key_id)
        .bind(&address.sealed)
        .execute(c)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// The candidates of all projects with this address, locked until the transaction ends.
pub(crate) async fn with_address(
    c: &mut Conn,
    hmac: SubjectHmac,
) -> Result<Vec<(ProspectId, ProjectId)>, StoreError> {
    let sql = format!(
        "SELECT p.id, p.project_id FROM prospects p WHERE p.id IN (SELECT s.prospect_id FROM prospect_subjects s \
         WHERE s.subject_type = 'address' AND s.subject_hmac = $1) ORDER BY p.id{FOR_UPDATE}"
    );
    let rows: Vec<(Text<ProspectId>, Text<ProjectId>)> = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(hmac))
        .fetch_all(c)
        .await?;
    Ok(rows
        .into_iter()
        .map(|(id, project)| (id.0, project.0))
        .collect())
}

/// Deletes a candidate with its evidence.
pub(crate) async fn delete(
    c: &mut Conn,
    project: ProjectId,
    id: ProspectId,
) -> Result<(), StoreError> {
    let sql = "DELETE FROM prospects WHERE id = $1 AND project_id = $2";
    sqlx::query(sql)
        .bind(Text(id))
        .bind(Text(project))
        .execute(c)
        .await?;
    Ok(())
}
