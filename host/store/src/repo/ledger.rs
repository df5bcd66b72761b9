//! The double-entry ledger: appending, reading, checking.

use gtm_domain::{JobId, LedgerTransactionId, MicroUsd, OrganizationId, ProjectId, Timestamp};

use super::Conn;
use crate::columns::{Text, Time, count};
use crate::error::StoreError;
use crate::identity::uuid_v7;
use crate::model::job::JobRow;
use crate::model::ledger::{LedgerKind, LedgerReport, LedgerTransaction};

/// The platform's income.
pub(super) const REVENUE: &str = "platform:revenue";

/// An organization's spendable money: falls by reservations and charges.
pub(super) fn credit_account(organization: OrganizationId) -> String {
    format!("{organization}:credit")
}
/// An organization's money that is set aside for jobs.
pub(super) fn reserved_account(organization: OrganizationId) -> String {
    format!("{organization}:reserved")
}

pub(super) async fn append(
    c: &mut Conn,
    job: &JobRow,
    kind: LedgerKind,
    now: Timestamp,
    entries: &[(String, MicroUsd)],
) -> Result<(), StoreError> {
    let sum: i128 = entries
        .iter()
        .map(|(_, amount)| i128::from(amount.micros()))
        .sum();
    if sum != 0 {
        return Err(StoreError::Conflict(format!(
            "the {} of {} does not balance",
            kind.as_str(),
            job.id
        )));
    }
    let id = LedgerTransactionId::from_uuid(uuid_v7(now));
    let sql = "INSERT INTO ledger_transactions (id, organization_id, project_id, job_id, kind, at) \
        VALUES ($1, $2, $3, $4, $5, $6)";
    sqlx::query(sql)
        .bind(Text(id))
        .bind(Text(job.organization))
        .bind(Text(job.project))
        .bind(Text(job.id))
        .bind(kind.as_str())
        .bind(Time(now))
        .execute(&mut *c)
        .await?;
    let sql = "INSERT INTO ledger_entries (transaction_id, account, project_id, amount) VALUES ($1, $2, $3, $4)";
    for (account, amount) in entries {
        sqlx::query(sql)
            .bind(Text(id))
            .bind(account)
            .bind(Text(job.project))
            .bind(amount.micros())
            .execute(&mut *c)
            .await?;
    }
    Ok(())
}

#[derive(sqlx::FromRow)]
struct RawTransaction {
    id: Text<LedgerTransactionId>,
    organization_id: Text<OrganizationId>,
    project_id: Text<ProjectId>,
    kind: String,
    at: Time,
}

pub(crate) async fn of_job(c: &mut Conn, job: JobId) -> Result<Vec<LedgerTransaction>, StoreError> {
    let sql = "SELECT id, organization_id, project_id, kind, at FROM ledger_transactions WHERE job_id = $1 \
        ORDER BY at, kind";
    let rows: Vec<RawTransaction> = sqlx::query_as(sql)
        .bind(Text(job))
        .fetch_all(&mut *c)
        .await?;
    let mut transactions = Vec::with_capacity(rows.len());
    for raw in rows {
        let sql =
            "SELECT account, amount FROM ledger_entries WHERE transaction_id = $1 ORDER BY account";
        let entries: Vec<(String, i64)> =
            sqlx::query_as(sql).bind(raw.id).fetch_all(&mut *c).await?;
        transactions.push(LedgerTransaction {
            id: raw.id.0,
            organization: raw.organization_id.0,
            project: raw.project_id.0,
            job,
            kind: LedgerKind::parse(&raw.kind)
                .ok_or_else(|| StoreError::Corrupt(format!("ledger kind {}", raw.kind)))?,
            at: raw.at.0,
            entries: entries
                .into_iter()
                .map(|(account, amount)| (account, MicroUsd::from_micros(amount)))
                .collect(),
        });
    }
    Ok(transactions)
}

/// Rules that hold for every sound ledger: a query that counts the breaches, and the sentence for it.
const RULES: [(&str, &str); 7] = [
    (
        "SELECT COUNT(*) FROM (SELECT transaction_id FROM ledger_entries GROUP BY transaction_id HAVING SUM(amount) <> 0) x",
        "transactions do not sum to zero",
    ),
    (
        "SELECT COUNT(*) FROM ledger_transactions t \
         WHERE NOT EXISTS (SELECT 1 FROM ledger_entries e WHERE e.transaction_id = t.id)",
        "transactions have no entries",
    ),
    (
        "SELECT COUNT(*) FROM jobs j WHERE j.finished_at IS NOT NULL AND NOT EXISTS \
         (SELECT 1 FROM ledger_transactions t WHERE t.job_id = j.id AND t.kind = 'settlement')",
        "ended jobs were not settled",
    ),
    (
        "SELECT COUNT(*) FROM ledger_transactions t JOIN jobs j ON j.id = t.job_id \
         WHERE t.kind = 'settlement' AND j.finished_at IS NULL",
        "jobs were settled that have not ended",
    ),
    (
        "SELECT COUNT(*) FROM jobs j WHERE j.reserved > 0 AND NOT EXISTS \
         (SELECT 1 FROM ledger_transactions t WHERE t.job_id = j.id AND t.kind = 'reservation')",
        "jobs lack their reservation",
    ),
    (
        "SELECT COUNT(*) FROM usage_rows u WHERE u.cost <> \
         COALESCE((SELECT SUM(k.cost) FROM cost_rows k WHERE k.job_id = u.job_id), 0)",
        "jobs were charged otherwise than their provider calls cost",
    ),
    (
        "SELECT COUNT(*) FROM usage_rows u WHERE u.cost <> COALESCE((SELECT SUM(e.amount) FROM ledger_entries e \
         JOIN ledger_transactions t ON t.id = e.transaction_id \
         WHERE t.job_id = u.job_id AND t.kind = 'settlement' AND e.account = 'platform:revenue'), 0)",
        "jobs were charged otherwise than their usage says",
    ),
];

pub(crate) async fn verify(c: &mut Conn) -> Result<LedgerReport, StoreError> {
    let mut report = LedgerReport::default();
    for (sql, sentence) in RULES {
        let breaches: i64 = sqlx::query_scalar(sql).fetch_one(&mut *c).await?;
        if breaches > 0 {
            report.violations.push(format!("{breaches} {sentence}"));
        }
    }
    report.transactions = count(
        sqlx::query_scalar("SELECT COUNT(*) FROM ledger_transactions")
            .fetch_one(&mut *c)
            .await?,
    );
    let charged = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM ledger_entries WHERE account = 'platform:revenue'";
    let used = "SELECT CAST(COALESCE(SUM(cost), 0) AS BIGINT) FROM usage_rows";
    let set_aside = "SELECT CAST(COALESCE(SUM(amount), 0) AS BIGINT) FROM ledger_entries WHERE account LIKE '%:reserved'";
    let open =
        "SELECT CAST(COALESCE(SUM(reserved), 0) AS BIGINT) FROM jobs WHERE finished_at IS NULL";
    report.charged = amount(c, charged).await?;
    report.used = amount(c, used).await?;
    report.reserved = amount(c, set_aside).await?;
    let open = amount(c, open).await?;
    if report.charged != report.used {
        report.violations.push(format!(
            "{} charged, but {} used",
            report.charged, report.used
        ));
    }
    if report.reserved != open {
        report.violations.push(format!(
            "{} set aside, but {open} reserved by open jobs",
            report.reserved
        ));
    }
    Ok(report)
}

async fn amount(c: &mut Conn, sql: &'static str) -> Result<MicroUsd, StoreError> {
    Ok(MicroUsd::from_micros(
        sqlx::query_scalar(sql).fetch_one(c).await?,
    ))
}
