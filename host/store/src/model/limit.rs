//! Monthly limits that an operator sets: cost budgets and job quotas (architecture §9).

use gtm_domain::{KeyRecordId, OrganizationId, ProjectId, Timestamp};
use serde::Serialize;

use super::money::LimitScope;

/// Whose limit, with the id.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(tag = "scope", content = "scope_id", rename_all = "snake_case")]
pub enum LimitOwner {
    /// One project.
    Project(ProjectId),
    /// One API key, by the id of its record.
    Key(KeyRecordId),
    /// A whole organization.
    Organization(OrganizationId),
}

impl LimitOwner {
    /// Its scope.
    #[must_use]
    pub const fn scope(self) -> LimitScope {
        match self {
            Self::Project(_) => LimitScope::Project,
            Self::Key(_) => LimitScope::Key,
            Self::Organization(_) => LimitScope::Organization,
        }
    }
    /// Its id.
    #[must_use]
    pub fn id(self) -> String {
        match self {
            Self::Project(id) => id.to_string(),
            Self::Key(id) => id.to_string(),
            Self::Organization(id) => id.to_string(),
        }
    }
    /// The owner that was stored with this scope and id.
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

/// What is limited.
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
    /// The metric with this value.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        [Self::MonthlyBudget, Self::MonthlyJobs]
            .into_iter()
            .find(|metric| metric.as_str() == text)
    }
}

/// A limit that is set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LimitRow {
    /// Whose.
    #[serde(flatten)]
    pub owner: LimitOwner,
    /// Of what.
    pub metric: LimitMetric,
    /// Micro-dollars or jobs.
    pub value: i64,
    /// When it was set.
    pub set_at: Timestamp,
}
