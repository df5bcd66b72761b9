//! The body of `GET /v1/usage` (annex A9).

use gtm_domain::{KeyRecordId, Month, OrganizationId, ProjectId, Timestamp, Usage, UsageTier};
use gtm_store::{
    BudgetPosition, CreditPosition, LimitScope, MoneyPosition, MonthUsage, ProjectScope,
    QuotaPosition, UsageSum,
};
use serde::Serialize;

use super::query::Groups;
use crate::job_envelope::TokenDetails;
use crate::rate_limit::RatePolicy;

/// What a project used, and what it may use.
#[derive(Debug, Serialize)]
pub struct UsageReport {
    project_id: ProjectId,
    organization_id: OrganizationId,
    as_of: Timestamp,
    period: Period,
    rate_limit: RateLimit,
    usage_tier: Tier,
    totals: Totals,
    by_capability: Vec<CapabilityUsage>,
    by_key: Vec<KeyUsage>,
    by_connector: Vec<ConnectorUsage>,
    quotas: Vec<Quota>,
    budgets: Vec<Budget>,
    credits: Credits,
}

impl UsageReport {
    /// The report on a month; breakdowns that were not asked for stay empty.
    #[must_use]
    pub fn of(
        scope: &ProjectScope,
        usage: &MonthUsage,
        groups: Groups,
        money: &MoneyPosition,
        rate_limit: RateLimit,
    ) -> Self {
        let by_type = usage.by_type.iter().filter(|_| groups.capability);
        let by_key = usage.by_key.iter().filter(|_| groups.key);
        let by_connector = usage.by_connector.iter().filter(|_| groups.connector);
        Self {
            project_id: scope.project(),
            organization_id: scope.organization(),
            as_of: usage.as_of,
            period: Period::of(usage.month),
            rate_limit,
            usage_tier: Tier::of(&money.tier),
            totals: Totals::of(usage),
            by_capability: by_type
                .map(|(job_type, sum)| CapabilityUsage {
                    capability: job_type.as_str(),
                    group: Group::of(sum),
                })
                .collect(),
            by_key: by_key
                .map(|(key, sum)| KeyUsage {
                    key_id: *key,
                    group: Group::of(sum),
                })
                .collect(),
            by_connector: by_connector
                .map(|(connector, usage)| ConnectorUsage::of(connector.as_deref(), usage))
                .collect(),
            quotas: money.quotas.iter().map(Quota::of).collect(),
            budgets: money.budgets.iter().map(Budget::of).collect(),
            credits: Credits::of(&money.credit),
        }
    }
}

/// From the month's first instant to the next one's.
#[derive(Debug, Serialize)]
struct Period {
    start: Timestamp,
    end: Timestamp,
}

impl Period {
    fn of(month: Month) -> Self {
        Self {
            start: month.start(),
            end: month.end(),
        }
    }
}

/// The limiter's policy for the key.
#[derive(Debug, Serialize)]
pub struct RateLimit {
    limit: u32,
    window_seconds: u64,
}

impl RateLimit {
    /// What the limiter counts the key's requests against.
    #[must_use]
    pub fn of(scope: &ProjectScope) -> Self {
        let policy = RatePolicy::per_minute(scope.rate_limit_per_minute());
        Self {
            limit: policy.limit,
            window_seconds: policy.window.as_secs(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Tier {
    key: String,
    name: String,
    rank: u32,
    rate_limit_per_minute: u32,
    monthly_cost_cap_usd: f64,
}

impl Tier {
    fn of(tier: &UsageTier) -> Self {
        Self {
            key: tier.key.clone(),
            name: tier.name.clone(),
            rank: tier.rank,
            rate_limit_per_minute: tier.rate_limit_per_minute,
            monthly_cost_cap_usd: tier.monthly_cost_cap.usd(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Totals {
    jobs: Jobs,
    tokens: u64,
    token_details: TokenDetails,
    cost_usd: f64,
    backend_requests: u64,
    backend_runtime_ms: u64,
    connector_requests: u64,
    connector_bytes: u64,
}

#[derive(Debug, Serialize)]
struct Jobs {
    created: u64,
    succeeded: u64,
    failed: u64,
    canceled: u64,
    active: u64,
}

impl Totals {
    fn of(usage: &MonthUsage) -> Self {
        let (jobs, consumed) = (&usage.totals.jobs, &usage.totals.consumed);
        Self {
            jobs: Jobs {
                created: jobs.created,
                succeeded: jobs.succeeded,
                failed: jobs.failed,
                canceled: jobs.canceled,
                active: usage.active,
            },
            tokens: consumed.tokens.total(),
            token_details: consumed.tokens.into(),
            cost_usd: consumed.cost.usd(),
            backend_requests: consumed.backend_requests,
            backend_runtime_ms: consumed.backend_runtime_ms,
            connector_requests: consumed.connector_requests,
            connector_bytes: consumed.connector_bytes,
        }
    }
}

#[derive(Debug, Serialize)]
struct CapabilityUsage {
    capability: &'static str,
    #[serde(flatten)]
    group: Group,
}

#[derive(Debug, Serialize)]
struct KeyUsage {
    key_id: KeyRecordId,
    #[serde(flatten)]
    group: Group,
}

/// One line of a breakdown; `jobs` are those created in the month.
#[derive(Debug, Serialize)]
struct Group {
    jobs: u64,
    tokens: u64,
    cost_usd: f64,
    backend_requests: u64,
}

impl Group {
    fn of(sum: &UsageSum) -> Self {
        Self {
            jobs: sum.jobs.created,
            tokens: sum.consumed.tokens.total(),
            cost_usd: sum.consumed.cost.usd(),
            backend_requests: sum.consumed.backend_requests,
        }
    }
}

#[derive(Debug, Serialize)]
struct ConnectorUsage {
    /// Key of the catalog; null for calls that no connector served.
    connector: Option<String>,
    connector_requests: u64,
    connector_bytes: u64,
    tokens: u64,
    cost_usd: f64,
}

impl ConnectorUsage {
    fn of(connector: Option<&str>, usage: &Usage) -> Self {
        Self {
            connector: connector.map(str::to_owned),
            connector_requests: usage.connector_requests,
            connector_bytes: usage.connector_bytes,
            tokens: usage.tokens.total(),
            cost_usd: usage.cost.usd(),
        }
    }
}

#[derive(Debug, Serialize)]
struct Quota {
    scope: LimitScope,
    metric: &'static str,
    limit: u64,
    used: u64,
    remaining: u64,
    resets_at: Timestamp,
}

impl Quota {
    fn of(quota: &QuotaPosition) -> Self {
        Self {
            scope: quota.scope,
            metric: "jobs_per_month",
            limit: quota.limit,
            used: quota.used,
            remaining: quota.limit.saturating_sub(quota.used),
            resets_at: quota.resets_at,
        }
    }
}

#[derive(Debug, Serialize)]
struct Budget {
    scope: LimitScope,
    limit_usd: f64,
    settled_usd: f64,
    reserved_usd: f64,
    awaiting_usd: f64,
    remaining_usd: f64,
    resets_at: Timestamp,
}

impl Budget {
    fn of(budget: &BudgetPosition) -> Self {
        Self {
            scope: budget.scope,
            limit_usd: budget.limit.usd(),
            settled_usd: budget.settled.usd(),
            reserved_usd: budget.set_aside().usd(),
            awaiting_usd: budget.awaiting.usd(),
            remaining_usd: budget.remaining().usd(),
            resets_at: budget.resets_at,
        }
    }
}

#[derive(Debug, Serialize)]
struct Credits {
    balance_usd: f64,
    reserved_usd: f64,
    awaiting_usd: f64,
}

impl Credits {
    fn of(credit: &CreditPosition) -> Self {
        Self {
            // Annex A9 shows the balance before reservations, and these beside it.
            balance_usd: credit.total().usd(),
            reserved_usd: credit.set_aside().usd(),
            awaiting_usd: credit.awaiting.usd(),
        }
    }
}
