//! The body of `GET /v1/usage` (annex A9).

use gtm_domain::money::{BudgetPosition, CreditPosition, LimitScope, MoneyPosition, QuotaPosition};
use gtm_domain::usage::{MonthUsage, UsageSum};
use gtm_domain::{
    JobType, KeyRecordId, Month, OrganizationId, ProjectId, Timestamp, Usage, UsageTier,
};
use gtm_store::ProjectScope;
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;

use super::query::Groups;
use crate::job_envelope::TokenDetails;
use crate::rate_limit::RatePolicy;

/// What a project used in a UTC month, and what it may still use.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = Usage, examples(example))]
pub struct UsageReport {
    #[schema(value_type = String, pattern = "^prj_[0-9a-hjkmnp-tv-z]{26}$")]
    project_id: ProjectId,
    #[schema(value_type = String, pattern = "^org_[0-9a-hjkmnp-tv-z]{26}$")]
    organization_id: OrganizationId,
    /// When the numbers were read, all at the same moment.
    #[schema(value_type = String, format = DateTime)]
    as_of: Timestamp,
    #[schema(inline)]
    period: Period,
    #[schema(inline)]
    rate_limit: RateLimit,
    #[schema(inline)]
    usage_tier: Tier,
    #[schema(inline)]
    totals: Totals,
    /// One line for each capability that was used; empty unless grouped by capability.
    #[schema(inline)]
    by_capability: Vec<CapabilityUsage>,
    /// One line for each API key whose jobs are counted; empty unless grouped by key.
    #[schema(inline)]
    by_key: Vec<KeyUsage>,
    /// Provider calls of the jobs that ended in the month, by connector; empty unless grouped by
    /// connector. cost_usd adds up to that of totals.
    #[schema(inline)]
    by_connector: Vec<ConnectorUsage>,
    /// The monthly quotas that are set; exceeding one is answered with 429 quota_exceeded.
    #[schema(inline)]
    quotas: Vec<Quota>,
    /// The monthly cost budgets that are set, and always the usage tier's cap; reaching one is answered
    /// with 429 budget_exceeded.
    #[schema(inline)]
    budgets: Vec<Budget>,
    #[schema(inline)]
    credits: Credits,
}

impl UsageReport {
    /// The report on a month; breakdowns that were not requested stay empty.
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
                .map(|(job_type, sum)| CapabilityUsage::of(*job_type, sum))
                .collect(),
            by_key: by_key.map(|(key, sum)| KeyUsage::of(*key, sum)).collect(),
            by_connector: by_connector
                .map(|(connector, usage)| ConnectorUsage::of(connector.as_deref(), usage))
                .collect(),
            quotas: money.quotas.iter().map(Quota::of).collect(),
            budgets: money.budgets.iter().map(Budget::of).collect(),
            credits: Credits::of(&money.credit),
        }
    }
}

/// The month, from its first instant to that of the next month.
#[derive(Debug, Serialize, ToSchema)]
struct Period {
    #[schema(value_type = String, format = DateTime)]
    start: Timestamp,
    #[schema(value_type = String, format = DateTime)]
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

/// The rolling window of the requesting key.
#[derive(Debug, Serialize, ToSchema)]
pub struct RateLimit {
    /// Requests in a window.
    #[schema(minimum = 1)]
    limit: u32,
    #[schema(minimum = 1)]
    window_seconds: u64,
}

impl RateLimit {
    /// The policy that limits the key's requests.
    #[must_use]
    pub fn of(scope: &ProjectScope) -> Self {
        let policy = RatePolicy::per_minute(scope.rate_limit_per_minute());
        Self {
            limit: policy.limit,
            window_seconds: policy.window.as_secs(),
        }
    }
}

/// The organization's usage tier. It depends on what the organization has paid and how old it is.
#[derive(Debug, Serialize, ToSchema)]
struct Tier {
    #[schema(min_length = 1)]
    key: String,
    #[schema(min_length = 1)]
    name: String,
    #[schema(minimum = 1)]
    rank: u32,
    #[schema(minimum = 1)]
    rate_limit_per_minute: u32,
    #[schema(exclusive_minimum = 0)]
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

/// Sums over all jobs of the project; equal to the sum by capability, and to the sum by key.
#[derive(Debug, Serialize, ToSchema)]
struct Totals {
    #[schema(inline)]
    jobs: Jobs,
    /// All tokens; equal to token_details.total.
    tokens: u64,
    #[schema(inline)]
    token_details: TokenDetails,
    /// US dollars charged in the month, at most six decimals.
    #[schema(minimum = 0)]
    cost_usd: f64,
    /// Requests to model providers.
    backend_requests: u64,
    backend_runtime_ms: u64,
    /// HTTP exchanges of connectors.
    connector_requests: u64,
    /// Bytes that connectors received.
    connector_bytes: u64,
}

#[derive(Debug, Serialize, ToSchema)]
struct Jobs {
    /// Created in the month.
    created: u64,
    /// Ended with a result in the month.
    succeeded: u64,
    /// Ended with an error in the month.
    failed: u64,
    /// Canceled in the month.
    canceled: u64,
    /// Queued or running now: in the current month all jobs of the project, in an earlier one those created
    /// in it.
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

#[derive(Debug, Serialize, ToSchema)]
struct CapabilityUsage {
    /// A key of GET /v1/capabilities.
    #[schema(min_length = 1)]
    capability: &'static str,
    /// Created in the month.
    jobs: u64,
    tokens: u64,
    #[schema(minimum = 0)]
    cost_usd: f64,
    backend_requests: u64,
}

#[derive(Debug, Serialize, ToSchema)]
struct KeyUsage {
    #[schema(value_type = String, pattern = "^key_[0-9a-hjkmnp-tv-z]{26}$")]
    key_id: KeyRecordId,
    /// Created in the month.
    jobs: u64,
    tokens: u64,
    #[schema(minimum = 0)]
    cost_usd: f64,
    backend_requests: u64,
}

impl CapabilityUsage {
    fn of(capability: JobType, sum: &UsageSum) -> Self {
        Self {
            capability: capability.as_str(),
            jobs: sum.jobs.created,
            tokens: sum.consumed.tokens.total(),
            cost_usd: sum.consumed.cost.usd(),
            backend_requests: sum.consumed.backend_requests,
        }
    }
}

impl KeyUsage {
    fn of(key: KeyRecordId, sum: &UsageSum) -> Self {
        Self {
            key_id: key,
            jobs: sum.jobs.created,
            tokens: sum.consumed.tokens.total(),
            cost_usd: sum.consumed.cost.usd(),
            backend_requests: sum.consumed.backend_requests,
        }
    }
}

#[derive(Debug, Serialize, ToSchema)]
struct ConnectorUsage {
    /// A key of GET /v1/connectors; null for calls that no connector served.
    #[schema(required)]
    connector: Option<String>,
    connector_requests: u64,
    connector_bytes: u64,
    tokens: u64,
    #[schema(minimum = 0)]
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

#[derive(Debug, Serialize, ToSchema)]
struct Quota {
    #[schema(value_type = String, examples("project", "key", "organization"))]
    scope: LimitScope,
    #[schema(examples("jobs_per_month"))]
    metric: &'static str,
    limit: u64,
    used: u64,
    remaining: u64,
    #[schema(value_type = String, format = DateTime)]
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

#[derive(Debug, Serialize, ToSchema)]
struct Budget {
    #[schema(value_type = String, examples("project", "key", "organization", "usage_tier"))]
    scope: LimitScope,
    #[schema(minimum = 0)]
    limit_usd: f64,
    /// Charged in this month.
    #[schema(minimum = 0)]
    settled_usd: f64,
    /// Reserved for jobs that have not ended: the amount reserved for them, or what their provider calls
    /// have cost and may cost, whichever is more. Also, for calls of jobs that ended in this month and
    /// whose cost is not known for certain, the rest of what they may have cost.
    #[schema(minimum = 0)]
    reserved_usd: f64,
    /// How much of `reserved_usd` is for calls whose cost is not known for certain. It is charged or
    /// released when an operator has settled them.
    #[schema(minimum = 0)]
    awaiting_usd: f64,
    #[schema(minimum = 0)]
    remaining_usd: f64,
    #[schema(value_type = String, format = DateTime)]
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

/// The organization's credit. The balance can fall below zero if the organization pays afterwards.
#[derive(Debug, Serialize, ToSchema)]
struct Credits {
    /// Granted, less charged. What can be spent is this less `reserved_usd`.
    balance_usd: f64,
    /// Reserved for jobs that have not ended, as in `budgets`, and for calls of ended jobs, of any month,
    /// whose cost is not known for certain.
    #[schema(minimum = 0)]
    reserved_usd: f64,
    /// How much of `reserved_usd` is for such calls.
    #[schema(minimum = 0)]
    awaiting_usd: f64,
}

impl Credits {
    fn of(credit: &CreditPosition) -> Self {
        Self {
            // Annex A9 shows the balance before reservations, and these separately.
            balance_usd: credit.total().usd(),
            reserved_usd: credit.set_aside().usd(),
            awaiting_usd: credit.awaiting.usd(),
        }
    }
}

/// A project on the fourth day of a month.
fn example() -> Value {
    json!({
        "project_id": "prj_01jz8p0a1b2c3d4e5f6g7h8j9k",
        "organization_id": "org_01jz8p0z1b2c3d4e5f6g7h8j9k",
        "as_of": "2026-03-04T12:00:00.000Z",
        "period": { "start": "2026-03-01T00:00:00.000Z", "end": "2026-04-01T00:00:00.000Z" },
        "rate_limit": { "limit": 240, "window_seconds": 60 },
        "usage_tier": {
            "key": "tier_2",
            "name": "Tier 2",
            "rank": 2,
            "rate_limit_per_minute": 240,
            "monthly_cost_cap_usd": 500
        },
        "totals": {
            "jobs": { "created": 41, "succeeded": 37, "failed": 3, "canceled": 0, "active": 1 },
            "tokens": 812004,
            "token_details": {
                "input": 610000,
                "cached_input": 120000,
                "cache_write": 8004,
                "output": 61000,
                "reasoning": 13000,
                "total": 812004
            },
            "cost_usd": 18.420113,
            "backend_requests": 233,
            "backend_runtime_ms": 912345,
            "connector_requests": 1904,
            "connector_bytes": 88120441
        },
        "by_capability": [
            {
                "capability": "playbooks",
                "jobs": 35,
                "tokens": 411004,
                "cost_usd": 9.320113,
                "backend_requests": 143
            },
            {
                "capability": "brands",
                "jobs": 6,
                "tokens": 401000,
                "cost_usd": 9.1,
                "backend_requests": 90
            }
        ],
        "by_key": [],
        "by_connector": [],
        "quotas": [
            {
                "scope": "project",
                "metric": "jobs_per_month",
                "limit": 1000,
                "used": 41,
                "remaining": 959,
                "resets_at": "2026-04-01T00:00:00.000Z"
            }
        ],
        "budgets": [
            {
                "scope": "usage_tier",
                "limit_usd": 500,
                "settled_usd": 18.420113,
                "reserved_usd": 0.9,
                "awaiting_usd": 0.4,
                "remaining_usd": 480.679887,
                "resets_at": "2026-04-01T00:00:00.000Z"
            }
        ],
        "credits": { "balance_usd": 81.579887, "reserved_usd": 0.9, "awaiting_usd": 0.4 }
    })
}
