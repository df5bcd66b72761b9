//! Monthly limits that an operator sets: cost budgets and job quotas (architecture §9).

use serde::Serialize;

use crate::{KeyRecordId, OrganizationId, ProjectId, Timestamp};

/// The scope of a limit; `error.details.scope` (specification, Errors).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitScope {
    Project,
    Key,
    Organization,
    /// The organization, through its usage tier.
    UsageTier,
}

impl LimitScope {
    /// The value on the wire and in the database.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Project => "project",
            Self::Key => "key",
            Self::Organization => "organization",
            Self::UsageTier => "usage_tier",
        }
    }
}

/// The owner of a limit, with its id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "scope", content = "scope_id", rename_all = "snake_case")]
pub enum LimitOwner {
    Project(ProjectId),
    /// One API key, by the id of its record.
    Key(KeyRecordId),
    Organization(OrganizationId),
}

impl LimitOwner {
    #[must_use]
    pub const fn scope(self) -> LimitScope {
        match self {
            Self::Project(_) => LimitScope::Project,
            Self::Key(_) => LimitScope::Key,
            Self::Organization(_) => LimitScope::Organization,
        }
    }
    #[must_use]
    pub fn id(self) -> String {
        match self {
            Self::Project(id) => id.to_string(),
            Self::Key(id) => id.to_string(),
            Self::Organization(id) => id.to_string(),
        }
    }
    /// The owner stored under this scope and id.
    #[must_use]
    pub fn parse(scope: &str, id: &str) -> Option<Self> {
        match scope {
            "project" => id.parse().ok().map(Self::Project),
            "key" => id.parse().ok().map(Self::Key),
            "organization" => id.parse().ok().map(Self::Organization),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitMetric {
    /// Cost of the jobs in a UTC month, in micro-dollars.
    MonthlyBudget,
    /// Jobs created in a UTC month.
    MonthlyJobs,
}

impl LimitMetric {
    /// The stored value.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::MonthlyBudget => "monthly_budget",
            Self::MonthlyJobs => "monthly_jobs",
        }
    }
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::MonthlyBudget, Self::MonthlyJobs]
            .into_iter()
            .find(|metric| metric.as_str() == text)
    }
}

/// A limit set by an operator.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Limit {
    #[serde(flatten)]
    pub owner: LimitOwner,
    pub metric: LimitMetric,
    /// Micro-dollars or jobs.
    pub value: i64,
    pub set_at: Timestamp,
}

/// A limit cannot be negative.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a limit cannot be below zero")]
pub struct BelowZero;

impl Limit {
    /// A limit set now.
    ///
    /// # Errors
    /// If the value is negative.
    pub const fn new(
        owner: LimitOwner,
        metric: LimitMetric,
        value: i64,
        now: Timestamp,
    ) -> Result<Self, BelowZero> {
        if value < 0 {
            return Err(BelowZero);
        }
        Ok(Self {
            owner,
            metric,
            value,
            set_at: now,
        })
    }
}
