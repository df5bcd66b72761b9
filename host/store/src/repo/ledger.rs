//! The double-entry ledger: appending, reading, checking.

use gtm_domain::job::Job;
use gtm_domain::money::{
    LedgerKind, LedgerPlace, LedgerReport, LedgerTransaction, LedgerViolation,
};
use gtm_domain::{JobId, LedgerTransactionId, MicroUsd, OrganizationId, ProjectId, Timestamp};
use sqlx::AssertSqlSafe;

use super::awaiting::AWAITS;
use super::ledger_rules::{self, Rule};
use super::{Conn, sum_of};
use crate::columns::{Text, Time, count, stored};
use crate::error::StoreError;
use crate::identity::uuid_v7;

/// The platform's income.
pub(super) const REVENUE: &str = "platform:revenue";

/// An organization's spendable money; reservations and charges reduce it.
pub(super) fn credit_account(organization: OrganizationId) -> String {
    format!("{organization}:credit")
}
/// An organization's money reserved for jobs.
pub(super) fn reserved_account(organization: OrganizationId) -> String {
    format!("{organization}:reserved")
}

/// The source of granted credit.
const GRANTS: &str = "platform:grants";

/// Writes a ledger transaction of a job.
pub(super) async fn append(
    c: &mut Conn,
    job: &Job,
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
        step: None,
        at: now,
        note: None,
        entries: entries.to_vec(),
    };
    insert(c, &transaction).await
}

/// Changes the charge of one call of an ended job by `by`. The caller holds the organization's money and
/// updates the sums.
pub(super) async fn correct(
    c: &mut Conn,
    job: &Job,
    step: u64,
    by: MicroUsd,
    note: Option<String>,
    now: Timestamp,
) -> Result<(), StoreError> {
    let transaction = LedgerTransaction {
        id: LedgerTransactionId::from_uuid(uuid_v7(now)),
        organization: job.organization,
        project: Some(job.project),
        job: Some(job.id),
        kind: LedgerKind::Reconciliation,
        step: Some(step),
        at: now,
        note,
        entries: vec![
            (credit_account(job.organization), -by),
            (REVENUE.to_owned(), by),
        ],
    };
    insert(c, &transaction).await
}

/// Grants an organization credit, or takes some back if `amount` is negative. The caller holds the
/// organization's money.
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
        step: None,
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
    transaction.balanced().map_err(StoreError::conflict)?;
    let sql = "INSERT INTO ledger_transactions (id, organization_id, project_id, job_id, kind, at, note, step) \
        VALUES ($1, $2, $3, $4, $5, $6, $7, $8)";
    sqlx::query(sql)
        .bind(Text(transaction.id))
        .bind(Text(transaction.organization))
        .bind(transaction.project.map(Text))
        .bind(transaction.job.map(Text))
        .bind(transaction.kind.as_str())
        .bind(Time(transaction.at))
        .bind(&transaction.note)
        .bind(transaction.step.map(stored))
        .execute(&mut *c)
        .await?;
    // One statement, because others wait for the organization's money meanwhile.
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

row! {
    struct RawTransaction {
        id: Text<LedgerTransactionId>,
        organization_id: Text<OrganizationId>,
        project_id: Option<Text<ProjectId>>,
        job_id: Option<Text<JobId>>,
        kind: String,
        step: Option<i64>,
        at: Time,
        note: Option<String>,
    }
}

pub(crate) async fn of_job(c: &mut Conn, job: JobId) -> Result<Vec<LedgerTransaction>, StoreError> {
    let sql = "SELECT * FROM ledger_transactions WHERE job_id = $1 ORDER BY at, kind";
    let rows: Vec<RawTransaction> = sqlx::query_as(sql)
        .bind(Text(job))
        .fetch_all(&mut *c)
        .await?;
    with_entries(c, rows).await
}

/// Credit granted to an organization and taken back, oldest first.
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
            step: raw.step.map(count),
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

pub(crate) async fn verify(c: &mut Conn) -> Result<LedgerReport, StoreError> {
    let mut report = LedgerReport::default();
    for rule in ledger_rules::all() {
        report.violations.extend(violation(c, &rule).await?);
    }
    report.transactions = count(
        sqlx::query_scalar("SELECT COUNT(*) FROM ledger_transactions")
            .fetch_one(&mut *c)
            .await?,
    );
    let charged = sum_of("amount");
    let charged =
        format!("SELECT {charged} FROM ledger_entries WHERE account = 'platform:revenue'");
    let used = format!("SELECT {} FROM usage_rows", sum_of("cost"));
    let set_aside = sum_of("amount");
    let set_aside =
        format!("SELECT {set_aside} FROM ledger_entries WHERE account LIKE '%:reserved'");
    let open = sum_of("reserved");
    let open = format!("SELECT {open} FROM jobs WHERE finished_at IS NULL");
    report.charged = amount(c, charged).await?;
    report.reconciled = amount(c, ledger_rules::reconciled()).await?;
    report.used = amount(c, used).await? + report.reconciled;
    let awaiting = format!("SELECT COUNT(*) FROM cost_rows c WHERE {AWAITS}");
    let awaiting = sqlx::query_scalar(AssertSqlSafe(awaiting));
    report.awaiting_reconciliation = count(awaiting.fetch_one(&mut *c).await?);
    let held = sum_of("awaiting");
    let held = format!("SELECT {held} FROM monthly_totals WHERE scope = 'organization'");
    report.awaiting = amount(c, held).await?;
    report.reserved = amount(c, set_aside).await?;
    let granted = sum_of("amount");
    let granted = format!("SELECT {granted} FROM ledger_entries WHERE account = 'platform:grants'");
    report.granted = -amount(c, granted).await?;
    let open = amount(c, open).await?;
    if report.charged != report.used {
        report.violations.push(LedgerViolation::of_account(
            REVENUE,
            report.charged - report.used,
            format!("{} charged, but {} used", report.charged, report.used),
        ));
    }
    if report.reserved != open {
        report.violations.push(LedgerViolation::of_account(
            "*:reserved",
            report.reserved - open,
            format!(
                "{} set aside, but {open} reserved by open jobs",
                report.reserved
            ),
        ));
    }
    Ok(report)
}

/// Maximum number of places listed for one violation; its count covers the rest.
const PLACES: usize = 10;

type RawPlace = (
    Option<String>,
    Option<String>,
    Option<String>,
    Option<String>,
    Option<i64>,
);

/// Where a rule is violated; `None` if it holds.
async fn violation(c: &mut Conn, rule: &Rule) -> Result<Option<LedgerViolation>, StoreError> {
    let number = format!("SELECT COUNT(*) FROM ({}) places", rule.places);
    let number: i64 = sqlx::query_scalar(AssertSqlSafe(number))
        .fetch_one(&mut *c)
        .await?;
    if number == 0 {
        return Ok(None);
    }
    let sql = format!("{} ORDER BY 1, 3, 4 LIMIT {PLACES}", rule.places);
    let rows: Vec<RawPlace> = sqlx::query_as(AssertSqlSafe(sql))
        .fetch_all(&mut *c)
        .await?;
    let mut places = Vec::with_capacity(rows.len());
    for (organization_id, account, transaction_id, subject, off) in rows {
        let accounts = match (account, &transaction_id) {
            (Some(account), _) => vec![account],
            (None, Some(id)) => accounts_of(c, id).await?,
            (None, None) => Vec::new(),
        };
        places.push(LedgerPlace {
            organization_id,
            accounts,
            transaction_id,
            subject,
            off: off.map(MicroUsd::from_micros),
        });
    }
    Ok(Some(LedgerViolation {
        sentence: format!("{number} {}", rule.sentence),
        places,
        more: count(number).saturating_sub(PLACES as u64),
    }))
}

async fn accounts_of(c: &mut Conn, transaction: &str) -> Result<Vec<String>, StoreError> {
    let sql =
        "SELECT DISTINCT account FROM ledger_entries WHERE transaction_id = $1 ORDER BY account";
    Ok(sqlx::query_scalar(sql)
        .bind(transaction)
        .fetch_all(c)
        .await?)
}

async fn amount(c: &mut Conn, sql: String) -> Result<MicroUsd, StoreError> {
    Ok(MicroUsd::from_micros(
        sqlx::query_scalar(AssertSqlSafe(sql)).fetch_one(c).await?,
    ))
}
