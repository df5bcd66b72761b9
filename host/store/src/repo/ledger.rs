//! The double-entry ledger: appending, reading, checking.

use gtm_domain::{JobId, LedgerTransactionId, MicroUsd, OrganizationId, ProjectId, Timestamp};
use sqlx::AssertSqlSafe;

use super::{Conn, month_of};
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

/// Where granted credit comes from.
const GRANTS: &str = "platform:grants";

/// Write a job's transaction.
pub(super) async fn append(
    c: &mut Conn,
    job: &JobRow,
    kind: LedgerKind,
    now: Timestamp,
    entries: &[(String, MicroUsd)],
) -> Result<(), StoreError> {
    let transaction = LedgerTransaction {
        id: LedgerTransactionId::from_uuid(uuid_v7(now)),
        organization: job.organization,
        project: Some(job.project),
        job: Some(job.id),
        kind,
        at: now,
        note: None,
        entries: entries.to_vec(),
    };
    insert(c, &transaction).await
}

/// Give an organization credit, or take some back where `amount` is below zero. The organization's
/// money is held.
pub(crate) async fn move_credit(
    c: &mut Conn,
    organization: OrganizationId,
    amount: MicroUsd,
    note: Option<String>,
    now: Timestamp,
) -> Result<LedgerTransaction, StoreError> {
    let transaction = LedgerTransaction {
        id: LedgerTransactionId::from_uuid(uuid_v7(now)),
        organization,
        project: None,
        job: None,
        kind: if amount.is_positive() {
            LedgerKind::Grant
        } else {
            LedgerKind::Adjustment
        },
        at: now,
        note,
        entries: vec![
            (credit_account(organization), amount),
            (GRANTS.to_owned(), -amount),
        ],
    };
    insert(c, &transaction).await?;
    super::money::move_balance(c, organization, amount).await?;
    Ok(transaction)
}

async fn insert(c: &mut Conn, transaction: &LedgerTransaction) -> Result<(), StoreError> {
    let sum: i128 = transaction
        .entries
        .iter()
        .map(|(_, amount)| i128::from(amount.micros()))
        .sum();
    if sum != 0 {
        return Err(StoreError::Conflict(format!(
            "the {} {} does not balance",
            transaction.kind.as_str(),
            transaction.id
        )));
    }
    let sql = "INSERT INTO ledger_transactions (id, organization_id, project_id, job_id, kind, at, note) \
        VALUES ($1, $2, $3, $4, $5, $6, $7)";
    sqlx::query(sql)
        .bind(Text(transaction.id))
        .bind(Text(transaction.organization))
        .bind(transaction.project.map(Text))
        .bind(transaction.job.map(Text))
        .bind(transaction.kind.as_str())
        .bind(Time(transaction.at))
        .bind(&transaction.note)
        .execute(&mut *c)
        .await?;
    // One statement, since others wait for the organization's money meanwhile.
    let rows: Vec<String> = (0..transaction.entries.len())
        .map(|n| format!("($1, $2, ${}, ${})", 2 * n + 3, 2 * n + 4))
        .collect();
    let sql = format!(
        "INSERT INTO ledger_entries (transaction_id, project_id, account, amount) VALUES {}",
        rows.join(", ")
    );
    let mut query = sqlx::query(AssertSqlSafe(sql))
        .bind(Text(transaction.id))
        .bind(transaction.project.map(Text));
    for (account, amount) in &transaction.entries {
        query = query.bind(account).bind(amount.micros());
    }
    query.execute(c).await?;
    Ok(())
}

#[derive(sqlx::FromRow)]
struct RawTransaction {
    id: Text<LedgerTransactionId>,
    organization_id: Text<OrganizationId>,
    project_id: Option<Text<ProjectId>>,
    job_id: Option<Text<JobId>>,
    kind: String,
    at: Time,
    note: Option<String>,
}

pub(crate) async fn of_job(c: &mut Conn, job: JobId) -> Result<Vec<LedgerTransaction>, StoreError> {
    let sql = "SELECT * FROM ledger_transactions WHERE job_id = $1 ORDER BY at, kind";
    let rows: Vec<RawTransaction> = sqlx::query_as(sql)
        .bind(Text(job))
        .fetch_all(&mut *c)
        .await?;
    with_entries(c, rows).await
}

/// Credit given to an organization and taken back, oldest first.
pub(crate) async fn credit_of(
    c: &mut Conn,
    organization: OrganizationId,
) -> Result<Vec<LedgerTransaction>, StoreError> {
    let sql = "SELECT * FROM ledger_transactions WHERE organization_id = $1 AND job_id IS NULL ORDER BY id";
    let rows: Vec<RawTransaction> = sqlx::query_as(sql)
        .bind(Text(organization))
        .fetch_all(&mut *c)
        .await?;
    with_entries(c, rows).await
}

async fn with_entries(
    c: &mut Conn,
    rows: Vec<RawTransaction>,
) -> Result<Vec<LedgerTransaction>, StoreError> {
    let mut transactions = Vec::with_capacity(rows.len());
    for raw in rows {
        let sql =
            "SELECT account, amount FROM ledger_entries WHERE transaction_id = $1 ORDER BY account";
        let entries: Vec<(String, i64)> =
            sqlx::query_as(sql).bind(raw.id).fetch_all(&mut *c).await?;
        transactions.push(LedgerTransaction {
            id: raw.id.0,
            organization: raw.organization_id.0,
            project: raw.project_id.map(|id| id.0),
            job: raw.job_id.map(|id| id.0),
            kind: LedgerKind::parse(&raw.kind)
                .ok_or_else(|| StoreError::Corrupt(format!("ledger kind {}", raw.kind)))?,
            at: raw.at.0,
            note: raw.note,
            entries: entries
                .into_iter()
                .map(|(account, amount)| (account, MicroUsd::from_micros(amount)))
                .collect(),
        });
    }
    Ok(transactions)
}

/// Rules that hold for every sound ledger: a query that counts the breaches, and the sentence for it.
const RULES: [(&str, &str); 11] = [
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
    (
        "SELECT COUNT(*) FROM (SELECT account FROM (\
         SELECT organization_id || ':credit' AS account, balance AS amount FROM credit_balances \
         UNION ALL SELECT account, -amount FROM ledger_entries WHERE account LIKE '%:credit') x \
         GROUP BY account HAVING SUM(amount) <> 0) y",
        "credit balances differ from the ledger",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT organization_id FROM (\
         SELECT organization_id, balance AS amount FROM credit_balances \
         UNION ALL SELECT organization_id, cost FROM usage_rows \
         UNION ALL SELECT organization_id, reserved FROM jobs WHERE finished_at IS NULL \
         UNION ALL SELECT t.organization_id, -e.amount FROM ledger_transactions t \
         JOIN ledger_entries e ON e.transaction_id = t.id AND e.account = t.organization_id || ':credit' \
         WHERE t.job_id IS NULL) x GROUP BY organization_id HAVING SUM(amount) <> 0) y",
        "organizations have other credit than was granted, less charges and reservations",
    ),
    (
        "SELECT COUNT(*) FROM organizations o WHERE o.paid_total <> \
         COALESCE((SELECT SUM(u.cost) FROM usage_rows u WHERE u.organization_id = o.id), 0)",
        "organizations have paid otherwise than they were charged",
    ),
    (
        "SELECT COUNT(*) FROM (SELECT scope_id FROM (\
         SELECT scope_id, reserved FROM open_reservations \
         UNION ALL SELECT key_id, -reserved FROM jobs WHERE finished_at IS NULL \
         UNION ALL SELECT project_id, -reserved FROM jobs WHERE finished_at IS NULL \
         UNION ALL SELECT organization_id, -reserved FROM jobs WHERE finished_at IS NULL) x \
         GROUP BY scope_id HAVING SUM(reserved) <> 0) y",
        "scopes have other reservations than their open jobs",
    ),
];

/// Counts scopes whose monthly totals are not what usage rows and jobs say.
fn monthly_totals_rule() -> String {
    let (used, created) = (month_of("at"), month_of("created_at"));
    let counted = ["key_id", "project_id", "organization_id"].map(|id| {
        format!(
            " UNION ALL SELECT {id}, {used}, -cost, 0 FROM usage_rows \
             UNION ALL SELECT {id}, {created}, 0, -1 FROM jobs"
        )
    });
    format!(
        "SELECT COUNT(*) FROM (SELECT scope_id FROM (\
         SELECT scope_id, month, settled, jobs FROM monthly_totals{}) x \
         GROUP BY scope_id, month HAVING SUM(settled) <> 0 OR SUM(jobs) <> 0) y",
        counted.concat()
    )
}

pub(crate) async fn verify(c: &mut Conn) -> Result<LedgerReport, StoreError> {
    let mut report = LedgerReport::default();
    for (sql, sentence) in RULES {
        let breaches: i64 = sqlx::query_scalar(sql).fetch_one(&mut *c).await?;
        if breaches > 0 {
            report.violations.push(format!("{breaches} {sentence}"));
        }
    }
    let breaches: i64 = sqlx::query_scalar(AssertSqlSafe(monthly_totals_rule()))
        .fetch_one(&mut *c)
        .await?;
    if breaches > 0 {
        report.violations.push(format!(
            "{breaches} monthly totals differ from usage and jobs"
        ));
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
    let granted = "SELECT CAST(COALESCE(-SUM(amount), 0) AS BIGINT) FROM ledger_entries WHERE account = 'platform:grants'";
    report.granted = amount(c, granted).await?;
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
