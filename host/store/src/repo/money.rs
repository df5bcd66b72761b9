//! Money before and after it is spent: may this job be created, may this call begin, what did it cost
//! (architecture §9). The sums that these answers rest on change in the same transactions as the ledger;
//! `ledger::verify` recounts them.
//!
//! Lock order, which prevents deadlocks: whoever moves an organization's money locks its `credit_balances`
//! row first, then the job's row. So creates and settlements of one organization run one after the other.

use gtm_domain::job::Job;
use gtm_domain::money::{
    Admission, BillingMode, BudgetPosition, CreditPosition, LimitMetric, LimitScope, MoneyPosition,
    QuotaPosition, Refusal,
};
use gtm_domain::{JobId, MicroUsd, OrganizationId, TierTable, Timestamp};
use sqlx::AssertSqlSafe;

use super::{Conn, FOR_UPDATE, added, sum_of, tenants};
use crate::columns::{Text, count};
use crate::error::StoreError;
use crate::model::job::NewJob;
use crate::scope::{Lease, ProjectScope};

/// Scopes in the order in which their limits are checked: the narrowest, which a caller can change most
/// easily, comes first.
const SCOPES: [LimitScope; 3] = [
    LimitScope::Key,
    LimitScope::Project,
    LimitScope::Organization,
];

/// Locks an organization's money until the transaction ends. Must come before any lock on a job.
pub(crate) async fn lock(
    c: &mut Conn,
    organization: OrganizationId,
) -> Result<MicroUsd, StoreError> {
    let sql = format!("SELECT balance FROM credit_balances WHERE organization_id = $1{FOR_UPDATE}");
    balance_of(c, AssertSqlSafe(sql), organization).await
}

/// The spendable credit, without a lock.
pub(crate) async fn balance(
    c: &mut Conn,
    organization: OrganizationId,
) -> Result<MicroUsd, StoreError> {
    let sql = "SELECT balance FROM credit_balances WHERE organization_id = $1".to_owned();
    balance_of(c, AssertSqlSafe(sql), organization).await
}

async fn balance_of(
    c: &mut Conn,
    sql: AssertSqlSafe<String>,
    organization: OrganizationId,
) -> Result<MicroUsd, StoreError> {
    let balance: Option<i64> = sqlx::query_scalar(sql)
        .bind(Text(organization))
        .fetch_optional(c)
        .await?;
    balance
        .map(MicroUsd::from_micros)
        .ok_or_else(|| StoreError::absent("organization", organization))
}

row! {
    struct RawSum {
        scope_id: String,
        /// A metric of `limits`, or the name of a sum.
        what: String,
        amount: i64,
    }
}

/// Limits of a key, its project and its organization, and what counts against them. One statement, because
/// others wait for the money meanwhile.
async fn sums(
    c: &mut Conn,
    scope: &ProjectScope,
    now: Timestamp,
) -> Result<Vec<RawSum>, StoreError> {
    let awaiting_in_all = sum_of("awaiting");
    let sql = format!(
        "SELECT scope_id, metric AS what, value AS amount FROM limits WHERE scope_id IN ($1, $2, $3) \
        UNION ALL SELECT scope_id, 'settled', settled FROM monthly_totals WHERE scope_id IN ($1, $2, $3) AND month = $4 \
        UNION ALL SELECT scope_id, 'jobs', jobs FROM monthly_totals WHERE scope_id IN ($1, $2, $3) AND month = $4 \
        UNION ALL SELECT scope_id, 'awaiting', awaiting FROM monthly_totals WHERE scope_id IN ($1, $2, $3) AND month = $4 \
        UNION ALL SELECT scope_id, 'reserved', reserved FROM open_reservations WHERE scope_id IN ($1, $2, $3) \
        UNION ALL SELECT scope_id, 'exposed', exposed FROM open_reservations WHERE scope_id IN ($1, $2, $3) \
        UNION ALL SELECT scope_id, 'over_reserved', over_reserved FROM open_reservations WHERE scope_id IN ($1, $2, $3) \
        UNION ALL SELECT scope_id, 'awaiting_in_all', {awaiting_in_all} FROM monthly_totals WHERE scope_id = $3 \
        GROUP BY scope_id"
    );
    Ok(sqlx::query_as(AssertSqlSafe(sql))
        .bind(Text(scope.key))
        .bind(Text(scope.project))
        .bind(Text(scope.organization))
        .bind(now.month())
        .fetch_all(c)
        .await?)
}

/// What calls of an organization's ended jobs may still be charged, over all months, because credit has no
/// month.
async fn awaiting_in_all(
    c: &mut Conn,
    organization: OrganizationId,
) -> Result<MicroUsd, StoreError> {
    let sql = format!(
        "SELECT {} FROM monthly_totals WHERE scope_id = $1",
        sum_of("awaiting")
    );
    let awaiting: i64 = sqlx::query_scalar(AssertSqlSafe(sql))
        .bind(Text(organization))
        .fetch_one(c)
        .await?;
    Ok(MicroUsd::from_micros(awaiting))
}

/// The money position of a key's project and organization at `now`. `balance` is what charges and
/// reservations leave of the organization's credit.
pub(crate) async fn position(
    c: &mut Conn,
    scope: &ProjectScope,
    tiers: &TierTable,
    balance: MicroUsd,
    now: Timestamp,
) -> Result<MoneyPosition, StoreError> {
    let organization = tenants::organization(c, scope.organization)
        .await?
        .ok_or_else(|| StoreError::absent("organization", scope.organization))?;
    let sums = sums(c, scope, now).await?;
    let find = |of: LimitScope, what: &str| {
        let id = match of {
            LimitScope::Key => scope.key.to_string(),
            LimitScope::Project => scope.project.to_string(),
            LimitScope::Organization | LimitScope::UsageTier => scope.organization.to_string(),
        };
        let found = sums
            .iter()
            .find(|sum| sum.scope_id == id && sum.what == what);
        found.map(|sum| sum.amount)
    };
    let money = |of, what| MicroUsd::from_micros(find(of, what).unwrap_or_default());
    let age = now.since(organization.created_at);
    let tier = tiers.of(organization.tier.as_deref(), organization.paid_total, age);
    let resets_at = now.next_month_start();
    let budget = |of: LimitScope, limit: MicroUsd| BudgetPosition {
        scope: of,
        limit,
        settled: money(of, "settled"),
        reserved: money(of, "reserved") + money(of, "over_reserved"),
        exposed: money(of, "exposed"),
        awaiting: money(of, "awaiting"),
        resets_at,
    };
    let mut budgets: Vec<_> = SCOPES
        .into_iter()
        .filter_map(|of| {
            let micros = find(of, LimitMetric::MonthlyBudget.as_str())?;
            Some(budget(of, MicroUsd::from_micros(micros)))
        })
        .collect();
    budgets.push(budget(LimitScope::UsageTier, tier.monthly_cost_cap));
    let quotas = SCOPES
        .into_iter()
        .filter_map(|of| {
            Some(QuotaPosition {
                scope: of,
                limit: count(find(of, LimitMetric::MonthlyJobs.as_str())?),
                used: count(find(of, "jobs").unwrap_or_default()),
                resets_at,
            })
        })
        .collect();
    Ok(MoneyPosition {
        billing: organization.billing,
        tier: tier.clone(),
        budgets,
        quotas,
        credit: CreditPosition::of(
            balance,
            money(LimitScope::Organization, "reserved"),
            money(LimitScope::Organization, "over_reserved"),
            money(LimitScope::Organization, "exposed"),
            money(LimitScope::Organization, "awaiting_in_all"),
        ),
    })
}

/// How much to reserve for a new job, and how much it may cost. The caller holds the money.
///
/// # Errors
/// [`StoreError::Refused`] if it may not be created.
pub(super) async fn admit(
    c: &mut Conn,
    scope: &ProjectScope,
    job: &NewJob,
    tiers: &TierTable,
    balance: MicroUsd,
) -> Result<Admission, StoreError> {
    let position = position(c, scope, tiers, balance, job.created_at).await?;
    position
        .admit(job.expected_cost, job.cost_cap)
        .map_err(StoreError::Refused)
}

/// Counts a job that was created.
pub(super) async fn created(c: &mut Conn, job: &Job) -> Result<(), StoreError> {
    add_to_month(c, job, job.created_at, MicroUsd::ZERO, 1).await?;
    reserve(c, job).await?;
    move_balance(c, job.organization, -job.reserved).await
}

/// Counts a job that has ended.
pub(super) async fn settled(c: &mut Conn, job: &Job, now: Timestamp) -> Result<(), StoreError> {
    let cost = job.usage.cost;
    if cost != MicroUsd::ZERO {
        charged(c, job, now, cost).await?;
    }
    release(c, job).await?;
    move_balance(c, job.organization, job.reserved - cost).await
}

/// Counts a correction, by `by`, of an ended job's charge made at `charged_at`.
pub(super) async fn corrected(
    c: &mut Conn,
    job: &Job,
    charged_at: Timestamp,
    by: MicroUsd,
) -> Result<(), StoreError> {
    if by == MicroUsd::ZERO {
        return Ok(());
    }
    charged(c, job, charged_at, by).await?;
    move_balance(c, job.organization, -by).await
}

/// Adds a job's charge to the month and to the total that its organization has paid.
async fn charged(c: &mut Conn, job: &Job, at: Timestamp, cost: MicroUsd) -> Result<(), StoreError> {
    add_to_month(c, job, at, cost, 0).await?;
    let sql = format!(
        "UPDATE organizations SET paid_total = {} WHERE id = $1",
        added("paid_total", "CAST($2 AS BIGINT)")
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(Text(job.organization))
        .bind(cost.micros())
        .execute(c)
        .await?;
    Ok(())
}

async fn add_to_month(
    c: &mut Conn,
    job: &Job,
    at: Timestamp,
    settled: MicroUsd,
    jobs: i64,
) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO monthly_totals (scope_id, month, scope, settled, jobs) VALUES \
         ($1, $4, 'key', $5, $6), ($2, $4, 'project', $5, $6), ($3, $4, 'organization', $5, $6) \
         ON CONFLICT (scope_id, month) DO UPDATE SET settled = {}, jobs = monthly_totals.jobs + excluded.jobs",
        added("monthly_totals.settled", "excluded.settled")
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(Text(job.key))
        .bind(Text(job.project))
        .bind(Text(job.organization))
        .bind(at.month())
        .bind(settled.micros())
        .bind(jobs)
        .execute(c)
        .await?;
    Ok(())
}

async fn reserve(c: &mut Conn, job: &Job) -> Result<(), StoreError> {
    let sql = format!(
        "INSERT INTO open_reservations (scope_id, scope, reserved) VALUES \
         ($1, 'key', $4), ($2, 'project', $4), ($3, 'organization', $4) \
         ON CONFLICT (scope_id) DO UPDATE SET reserved = {}",
        added("open_reservations.reserved", "excluded.reserved")
    );
    change_reserved(c, job, sql).await
}

async fn release(c: &mut Conn, job: &Job) -> Result<(), StoreError> {
    // A sum that is too low must not keep a job from ending: it stops at zero, and the check of the ledger
    // reports it.
    let sql = "UPDATE open_reservations SET \
        reserved = CASE WHEN reserved > $4 THEN reserved - $4 ELSE 0 END \
        WHERE scope_id IN ($1, $2, $3)";
    change_reserved(c, job, sql.to_owned()).await
}

async fn change_reserved(c: &mut Conn, job: &Job, sql: String) -> Result<(), StoreError> {
    if job.reserved == MicroUsd::ZERO {
        return Ok(());
    }
    sqlx::query(AssertSqlSafe(sql))
        .bind(Text(job.key))
        .bind(Text(job.project))
        .bind(Text(job.organization))
        .bind(job.reserved.micros())
        .execute(c)
        .await?;
    Ok(())
}

/// Changes the spendable credit of an organization. The caller holds its money.
pub(super) async fn move_balance(
    c: &mut Conn,
    organization: OrganizationId,
    by: MicroUsd,
) -> Result<(), StoreError> {
    if by == MicroUsd::ZERO {
        return Ok(());
    }
    let sql = format!(
        "UPDATE credit_balances SET balance = {} WHERE organization_id = $1",
        added("balance", "CAST($2 AS BIGINT)")
    );
    sqlx::query(AssertSqlSafe(sql))
        .bind(Text(organization))
        .bind(by.micros())
        .execute(c)
        .await?;
    Ok(())
}

/// Checks current limits and credit for a call of the leased job that may cost `ceiling`. If the call is a
/// retry, `counted` of that amount is already included in the sums. The caller holds money and job.
pub(super) async fn allow_call(
    c: &mut Conn,
    lease: &Lease,
    ceiling: MicroUsd,
    counted: MicroUsd,
    tiers: &TierTable,
    balance: MicroUsd,
    now: Timestamp,
) -> Result<(), StoreError> {
    let position = position(c, &lease.scope(), tiers, balance, now).await?;
    position
        .allow_call(ceiling, counted)
        .map_err(StoreError::Refused)
}

/// The refusal of a successful job whose charge exceeds the credit that other charges leave (specification,
/// 402 `insufficient_credits`). The caller holds money and job.
pub(super) async fn over_balance(
    c: &mut Conn,
    lease: &Lease,
    balance: MicroUsd,
    cost: MicroUsd,
) -> Result<Option<Refusal>, StoreError> {
    if !cost.is_positive() {
        return Ok(None);
    }
    let sql = "SELECT billing FROM organizations WHERE id = $1";
    let billing: Text<BillingMode> = sqlx::query_scalar(sql)
        .bind(Text(lease.organization))
        .fetch_one(&mut *c)
        .await?;
    let credit = credit(c, lease.organization, balance).await?;
    Ok(credit.refusal_of_charge(billing.0, cost))
}

/// The organization that pays for a job.
pub(super) async fn payer(c: &mut Conn, job: JobId) -> Result<Option<OrganizationId>, StoreError> {
    let payer: Option<Text<OrganizationId>> =
        sqlx::query_scalar("SELECT organization_id FROM jobs WHERE id = $1")
            .bind(Text(job))
            .fetch_optional(c)
            .await?;
    Ok(payer.map(|payer| payer.0))
}

/// An organization's credit. `balance` is what charges and reservations leave of it.
pub(crate) async fn credit(
    c: &mut Conn,
    organization: OrganizationId,
    balance: MicroUsd,
) -> Result<CreditPosition, StoreError> {
    let sql = "SELECT reserved, over_reserved, exposed FROM open_reservations WHERE scope_id = $1";
    let open: Option<(i64, i64, i64)> = sqlx::query_as(sql)
        .bind(Text(organization))
        .fetch_optional(&mut *c)
        .await?;
    let (reserved, over_reserved, exposed) = open.unwrap_or_default();
    Ok(CreditPosition::of(
        balance,
        MicroUsd::from_micros(reserved),
        MicroUsd::from_micros(over_reserved),
        MicroUsd::from_micros(exposed),
        awaiting_in_all(c, organization).await?,
    ))
}
