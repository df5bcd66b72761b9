//! The outcome ledgers, and the platform's list of whom nobody writes to. [`gtm_domain::outcome_ledger::chain`] defines
//! how a ledger is linked.

use gtm_domain::message::compliance::Environment;
use gtm_domain::outcome_ledger::chain::{self, LedgerEntry, LedgerOf, LedgerSubject, NewEntry};
use gtm_domain::outcome_ledger::{OutcomeKind, SubjectHmac, SubjectType};
use gtm_domain::{Digest, ProjectId, Timestamp};
use sqlx::AssertSqlSafe;

use super::{Conn, FOR_UPDATE};
use crate::columns::{Text, Time, count, stored};
use crate::error::StoreError;
use crate::model::prospecting::{DoNotContact, SuppressionMatch};

row! {
    struct RawEntry {
        project_id: Text<ProjectId>,
        environment: Text<Environment>,
        sequence: i64,
        kind: Text<OutcomeKind>,
        subject_type: Text<SubjectType>,
        subject_hmac: Text<SubjectHmac>,
        occurred_at: Time,
        source: String,
        recorded_at: Time,
        prev_hash: Text<Digest>,
        hash: Text<Digest>,
    }
}

impl From<RawEntry> for LedgerEntry {
    fn from(raw: RawEntry) -> Self {
        Self {
            sequence: count(raw.sequence),
            project_id: raw.project_id.0,
            environment: raw.environment.0,
            kind: raw.kind.0,
            subject: LedgerSubject {
                subject_type: raw.subject_type.0,
                hmac: raw.subject_hmac.0,
            },
            occurred_at: raw.occurred_at.0,
            source: raw.source,
            recorded_at: raw.recorded_at.0,
            prev_hash: raw.prev_hash.0,
            hash: Some(raw.hash.0),
        }
    }
}

row! {
    struct RawDoNotContact {
        subject_type: Text<SubjectType>,
        subject_hmac: Text<SubjectHmac>,
        source: String,
        added_by: String,
        added_at: Time,
    }
}

impl From<RawDoNotContact> for DoNotContact {
    fn from(raw: RawDoNotContact) -> Self {
        Self {
            subject_type: raw.subject_type.0,
            hmac: raw.subject_hmac.0,
            source: raw.source,
            added_by: raw.added_by,
            added_at: raw.added_at.0,
        }
    }
}

/// The environment of a project, to which its ledger belongs; `None` if the project does not exist.
pub(crate) async fn environment(
    c: &mut Conn,
    project: ProjectId,
) -> Result<Option<Environment>, StoreError> {
    let sql = "SELECT environment FROM projects WHERE id = $1";
    let environment: Option<Text<Environment>> = sqlx::query_scalar(sql)
        .bind(Text(project))
        .fetch_optional(c)
        .await?;
    Ok(environment.map(|environment| environment.0))
}

/// The last position and hash of a ledger; `None` if nothing was ever entered.
pub(crate) async fn head(
    c: &mut Conn,
    ledger: LedgerOf,
) -> Result<Option<(u64, Digest)>, StoreError> {
    let sql = "SELECT sequence, hash FROM outcome_ledger_heads WHERE project_id = $1 AND environment = $2";
    let head: Option<(i64, Text<Digest>)> = sqlx::query_as(sql)
        .bind(Text(ledger.project))
        .bind(ledger.environment.as_str())
        .fetch_optional(c)
        .await?;
    Ok(head.map(|(sequence, hash)| (count(sequence), hash.0)))
}

/// The same, locked until the transaction ends so that each position is assigned once. Begins the ledger if it does
/// not exist.
pub(crate) async fn hold_head(c: &mut Conn, ledger: LedgerOf) -> Result<(u64, Digest), StoreError> {
    let sql = "INSERT INTO outcome_ledger_heads (project_id, environment, sequence, hash) VALUES ($1, $2, 0, $3) \
        ON CONFLICT DO NOTHING";
    sqlx::query(sql)
        .bind(Text(ledger.project))
        .bind(ledger.environment.as_str())
        .bind(Text(chain::genesis(ledger)))
        .execute(&mut *c)
        .await?;
    let sql = format!(
        "SELECT sequence, hash FROM outcome_ledger_heads WHERE project_id = $1 AND environment = $2{FOR_UPDATE}"
    );
    let (sequence, hash): (i64, Text<Digest>) = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(ledger.project))
        .bind(ledger.environment.as_str())
        .fetch_one(c)
        .await?;
    Ok((count(sequence), hash.0))
}

/// Holds the ledger until the transaction ends, so that nothing is entered meanwhile. One that nobody has begun is not
/// begun by this.
pub(crate) async fn hold_if_begun(c: &mut Conn, ledger: LedgerOf) -> Result<(), StoreError> {
    let sql = format!(
        "SELECT 1 FROM outcome_ledger_heads WHERE project_id = $1 AND environment = $2{FOR_UPDATE}"
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(Text(ledger.project))
        .bind(ledger.environment.as_str())
        .fetch_optional(c)
        .await?;
    Ok(())
}

/// Whether the ledger has an entry that says the same.
pub(crate) async fn has(
    c: &mut Conn,
    ledger: LedgerOf,
    new: &NewEntry,
) -> Result<bool, StoreError> {
    let sql = "SELECT 1 FROM outcome_ledger WHERE project_id = $1 AND environment = $2 AND subject_type = $3 \
        AND subject_hmac = $4 AND kind = $5 AND occurred_at = $6 AND source = $7 LIMIT 1";
    // Entries have milliseconds.
    let occurred_at = Timestamp::from_millis(new.occurred_at.millis());
    let found = sqlx::query(sql)
        .bind(Text(ledger.project))
        .bind(ledger.environment.as_str())
        .bind(new.subject.subject_type.as_str())
        .bind(Text(new.subject.hmac))
        .bind(new.kind.as_str())
        .bind(Time(occurred_at))
        .bind(&new.source)
        .fetch_optional(c)
        .await?;
    Ok(found.is_some())
}

/// Appends an entry behind the head, which the caller holds; a trigger moves the head.
pub(crate) async fn append(
    c: &mut Conn,
    entry: &LedgerEntry,
    hash: Digest,
) -> Result<(), StoreError> {
    let sql = "INSERT INTO outcome_ledger (project_id, environment, sequence, kind, subject_type, subject_hmac, \
        occurred_at, source, recorded_at, prev_hash, hash) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)";
    sqlx::query(sql)
        .bind(Text(entry.project_id))
        .bind(entry.environment.as_str())
        .bind(stored(entry.sequence))
        .bind(entry.kind.as_str())
        .bind(entry.subject.subject_type.as_str())
        .bind(Text(entry.subject.hmac))
        .bind(Time(entry.occurred_at))
        .bind(&entry.source)
        .bind(Time(entry.recorded_at))
        .bind(Text(entry.prev_hash))
        .bind(Text(hash))
        .execute(c)
        .await?;
    Ok(())
}

/// Entries of a ledger after a position, in order.
pub(crate) async fn entries(
    c: &mut Conn,
    ledger: LedgerOf,
    after: u64,
    limit: u32,
) -> Result<Vec<LedgerEntry>, StoreError> {
    let sql = "SELECT * FROM outcome_ledger WHERE project_id = $1 AND environment = $2 AND sequence > $3 \
        ORDER BY sequence LIMIT $4";
    let rows: Vec<RawEntry> = sqlx::query_as(sql)
        .bind(Text(ledger.project))
        .bind(ledger.environment.as_str())
        .bind(stored(after))
        .bind(i64::from(limit))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// What ledgers say of a subject, the one of this project or all, in order.
pub(crate) async fn of_subject(
    c: &mut Conn,
    project: Option<ProjectId>,
    subject: LedgerSubject,
) -> Result<Vec<LedgerEntry>, StoreError> {
    let sql = "SELECT * FROM outcome_ledger WHERE ($1 IS NULL OR project_id = $1) AND subject_type = $2 \
        AND subject_hmac = $3 ORDER BY project_id, environment, sequence";
    let rows: Vec<RawEntry> = sqlx::query_as(sql)
        .bind(project.map(Text))
        .bind(subject.subject_type.as_str())
        .bind(Text(subject.hmac))
        .fetch_all(c)
        .await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// Those of the subjects to whom nobody may write: an entry of the ledger, or the platform's list, says so. One
/// statement asks for all, because the caller may hold the ledger.
///
/// # Errors
/// DANGER: also if there is no address among them. Everybody has one, and without it nobody could have objected.
pub(crate) async fn suppressed(
    c: &mut Conn,
    ledger: LedgerOf,
    subjects: &[LedgerSubject],
) -> Result<Vec<LedgerSubject>, StoreError> {
    let is_address = |subject: &LedgerSubject| subject.subject_type == SubjectType::Address;
    if !subjects.iter().any(is_address) {
        return Err(StoreError::Conflict(
            "a candidate is stored without the subject of its address".to_owned(),
        ));
    }
    let places: Vec<String> = (0..subjects.len()).map(|n| format!("${}", n + 3)).collect();
    let sql = format!(
        "SELECT subject_type, subject_hmac, kind FROM outcome_ledger WHERE project_id = $1 AND environment = $2 \
        AND subject_type IN ('address', 'domain', 'person') AND subject_hmac IN ({})",
        places.join(", ")
    );
    let mut query = sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(ledger.project))
        .bind(ledger.environment.as_str());
    for subject in subjects {
        query = query.bind(Text(subject.hmac));
    }
    let entries: Vec<(Text<SubjectType>, Text<SubjectHmac>, Text<OutcomeKind>)> =
        query.fetch_all(&mut *c).await?;
    let marks: Vec<String> = (0..subjects.len()).map(|n| format!("${}", n + 1)).collect();
    let sql = format!(
        "SELECT subject_type, subject_hmac FROM do_not_contact \
        WHERE subject_type IN ('address', 'domain', 'person') AND subject_hmac IN ({})",
        marks.join(", ")
    );
    let mut query = sqlx::query_as(AssertSqlSafe(sql));
    for subject in subjects {
        query = query.bind(Text(subject.hmac));
    }
    let listed: Vec<(Text<SubjectType>, Text<SubjectHmac>)> = query.fetch_all(c).await?;
    let entered = entries
        .into_iter()
        .filter(|(_, _, kind)| kind.0.suppresses());
    let closed = entered
        .map(|(subject_type, hmac, _)| (subject_type, hmac))
        .chain(listed)
        .map(|(subject_type, hmac)| LedgerSubject {
            subject_type: subject_type.0,
            hmac: hmac.0,
        });
    Ok(closed
        .filter(|subject| subjects.contains(subject))
        .collect())
}

/// The subject's entry on the platform's list.
pub(crate) async fn on_platform_list(
    c: &mut Conn,
    subject: LedgerSubject,
) -> Result<Option<DoNotContact>, StoreError> {
    let sql = "SELECT * FROM do_not_contact WHERE subject_type = $1 AND subject_hmac = $2";
    let raw: Option<RawDoNotContact> = sqlx::query_as(sql)
        .bind(subject.subject_type.as_str())
        .bind(Text(subject.hmac))
        .fetch_optional(c)
        .await?;
    Ok(raw.map(Into::into))
}

/// Puts a subject on the platform's list. Returns whether it was not there before.
pub(crate) async fn add_to_platform_list(
    c: &mut Conn,
    new: &DoNotContact,
) -> Result<bool, StoreError> {
    let sql = "INSERT INTO do_not_contact (subject_type, subject_hmac, source, added_by, added_at) \
        VALUES ($1, $2, $3, $4, $5) ON CONFLICT DO NOTHING";
    let done = sqlx::query(sql)
        .bind(new.subject_type.as_str())
        .bind(Text(new.hmac))
        .bind(&new.source)
        .bind(&new.added_by)
        .bind(Time(new.added_at))
        .execute(c)
        .await?;
    Ok(done.rows_affected() > 0)
}

/// The platform's list, oldest first.
pub(crate) async fn platform_list(c: &mut Conn) -> Result<Vec<DoNotContact>, StoreError> {
    let sql = "SELECT * FROM do_not_contact ORDER BY added_at, subject_type, subject_hmac";
    let rows: Vec<RawDoNotContact> = sqlx::query_as(sql).fetch_all(c).await?;
    Ok(rows.into_iter().map(Into::into).collect())
}

/// The ledgers that were begun, of one project or all.
pub(crate) async fn ledgers(
    c: &mut Conn,
    project: Option<ProjectId>,
) -> Result<Vec<LedgerOf>, StoreError> {
    // A ledger whose head was taken away still shows by its entries.
    let sql = "SELECT project_id, environment FROM outcome_ledger_heads WHERE $1 IS NULL OR project_id = $1 \
        UNION SELECT project_id, environment FROM outcome_ledger WHERE $1 IS NULL OR project_id = $1 \
        ORDER BY project_id, environment";
    let rows: Vec<(Text<ProjectId>, Text<Environment>)> = sqlx::query_as(sql)
        .bind(project.map(Text))
        .fetch_all(c)
        .await?;
    let ledgers = rows.into_iter().map(|(project, environment)| LedgerOf {
        project: project.0,
        environment: environment.0,
    });
    Ok(ledgers.collect())
}

/// An entry as what speaks against writing.
pub(crate) fn as_match(entry: LedgerEntry) -> SuppressionMatch {
    SuppressionMatch {
        project_id: Some(entry.project_id),
        environment: Some(entry.environment),
        sequence: Some(entry.sequence),
        kind: entry.kind,
        r#match: entry.subject.subject_type,
        occurred_at: entry.occurred_at,
        source: entry.source,
    }
}
