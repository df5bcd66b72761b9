//! Usage tiers (specification, Usage tier): how much an organization may use, growing with what it has paid
//! and how old it is.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::MicroUsd;

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UsageTier {
    /// Identifier, such as `tier_2`.
    pub key: String,
    pub name: String,
    /// Position in the table, from 1.
    pub rank: u32,
    /// Requests that one key may make in 60 seconds.
    pub rate_limit_per_minute: u32,
    /// Maximum cost of the organization's jobs in one UTC month.
    pub monthly_cost_cap: MicroUsd,
    /// Total amount paid that the tier requires.
    pub from_paid: MicroUsd,
    /// Age of the organization in whole days that the tier requires.
    pub from_age_days: u32,
}

/// Why a list of tiers is not a valid table.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TierTableError {
    /// The list is empty.
    #[error("there must be at least one usage tier")]
    Empty,
    /// The first tier has requirements.
    #[error("the first usage tier must be open to all: from_paid_usd and from_age_days 0")]
    FirstIsClosed,
    /// A tier requires less than the one before it.
    #[error("usage tier {0} must ask for at least as much as the one before it")]
    NotAscending(String),
    /// Two tiers have the same key.
    #[error("usage tier {0} is listed twice")]
    Duplicate(String),
    /// A tier allows nothing, or its key or name is empty.
    #[error("usage tier {0:?} needs a key, a name, a rate limit and a cost cap over zero")]
    Incomplete(String),
}

/// No tier has this key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("there is no usage tier {key}; the configuration has {}", .known.join(", "))]
pub struct UnknownTier {
    key: String,
    known: Vec<String>,
}

/// The tiers of a deployment, lowest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TierTable(Vec<UsageTier>);

impl TierTable {
    /// A table of these tiers, lowest first; a tier's position sets its rank.
    ///
    /// # Errors
    /// If some organization would have no tier, or a higher tier would be easier to reach.
    pub fn new(mut tiers: Vec<UsageTier>) -> Result<Self, TierTableError> {
        let first = tiers.first().ok_or(TierTableError::Empty)?;
        if first.from_paid.is_positive() || first.from_age_days > 0 {
            return Err(TierTableError::FirstIsClosed);
        }
        for (index, tier) in tiers.iter().enumerate() {
            let complete = !tier.key.is_empty()
                && !tier.name.is_empty()
                && tier.rate_limit_per_minute > 0
                && tier.monthly_cost_cap.is_positive();
            if !complete {
                return Err(TierTableError::Incomplete(tier.key.clone()));
            }
            if tiers[..index].iter().any(|other| other.key == tier.key) {
                return Err(TierTableError::Duplicate(tier.key.clone()));
            }
            if index > 0 {
                let before = &tiers[index - 1];
                if tier.from_paid < before.from_paid || tier.from_age_days < before.from_age_days {
                    return Err(TierTableError::NotAscending(tier.key.clone()));
                }
            }
        }
        for (rank, tier) in (1..).zip(&mut tiers) {
            tier.rank = rank;
        }
        Ok(Self(tiers))
    }

    /// All tiers, lowest first.
    #[must_use]
    pub fn tiers(&self) -> &[UsageTier] {
        &self.0
    }
    /// The tier with this key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&UsageTier> {
        self.0.iter().find(|tier| tier.key == key)
    }
    /// Checks that an operator can assign the tier with this key.
    ///
    /// # Errors
    /// If there is no such tier; the sentence lists the known ones.
    pub fn known(&self, key: &str) -> Result<&UsageTier, UnknownTier> {
        self.get(key).ok_or_else(|| UnknownTier {
            key: key.to_owned(),
            known: self.0.iter().map(|tier| tier.key.clone()).collect(),
        })
    }
    /// The highest tier that an organization has reached by the amount `paid` and its `age`.
    #[must_use]
    pub fn reached(&self, paid: MicroUsd, age: Duration) -> &UsageTier {
        let days = age.as_secs() / 86_400;
        let reached =
            |tier: &&UsageTier| tier.from_paid <= paid && u64::from(tier.from_age_days) <= days;
        // The first tier has no requirements, which `new` has checked.
        self.0.iter().rfind(reached).unwrap_or(&self.0[0])
    }
    /// The tier of an organization: the one that an operator assigned, if the table has it, else the one
    /// that it has reached.
    #[must_use]
    pub fn of(&self, given: Option<&str>, paid: MicroUsd, age: Duration) -> &UsageTier {
        given
            .and_then(|key| self.get(key))
            .unwrap_or_else(|| self.reached(paid, age))
    }
    /// The next higher tier; `None` for the highest.
    #[must_use]
    pub fn after(&self, tier: &UsageTier) -> Option<&UsageTier> {
        self.0.iter().find(|other| other.rank > tier.rank)
    }
}

impl Default for TierTable {
    fn default() -> Self {
        const DOLLAR: i64 = 1_000_000;
        let tier = |rank: u32, per_minute, cap, from_paid, from_age_days| UsageTier {
            key: format!("tier_{rank}"),
            name: format!("Tier {rank}"),
            rank,
            rate_limit_per_minute: per_minute,
            monthly_cost_cap: MicroUsd::from_micros(cap * DOLLAR),
            from_paid: MicroUsd::from_micros(from_paid * DOLLAR),
            from_age_days,
        };
        Self(vec![
            tier(1, 120, 100, 0, 0),
            tier(2, 240, 500, 50, 7),
            tier(3, 600, 2_000, 250, 14),
            tier(4, 1_200, 10_000, 1_000, 30),
            tier(5, 3_000, 50_000, 10_000, 60),
        ])
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    const DAY: Duration = Duration::from_secs(86_400);

    fn paid(dollars: i64) -> MicroUsd {
        MicroUsd::from_micros(dollars * 1_000_000)
    }

    #[test]
    fn a_tier_needs_both_money_and_age() {
        let table = TierTable::default();
        let key = |dollars, days| table.reached(paid(dollars), DAY * days).key.as_str();
        assert_eq!(key(0, 0), "tier_1");
        assert_eq!(key(49, 400), "tier_1");
        assert_eq!(key(50, 6), "tier_1");
        assert_eq!(key(50, 7), "tier_2");
        assert_eq!(key(1_000_000, 7), "tier_2");
        assert_eq!(key(10_000, 60), "tier_5");
        assert_eq!(table.of(Some("tier_4"), paid(0), DAY).key, "tier_4");
        assert_eq!(
            table.of(Some("gone"), paid(0), DAY).key,
            "tier_1",
            "a tier that the table lost gives nothing"
        );
    }

    #[test]
    fn each_tier_but_the_highest_has_one_after_it() {
        let table = TierTable::default();
        let after = |key| table.after(table.get(key).unwrap()).map(|t| t.key.as_str());
        assert_eq!(after("tier_1"), Some("tier_2"));
        assert_eq!(after("tier_5"), None);
    }

    #[test]
    fn the_default_is_a_table() {
        let table = TierTable::default();
        assert_eq!(TierTable::new(table.0.clone()), Ok(table));
    }

    #[test]
    fn what_is_no_table() {
        let tiers = TierTable::default().0;
        let broken = |change: &dyn Fn(&mut Vec<UsageTier>)| {
            let mut list = tiers.clone();
            change(&mut list);
            TierTable::new(list).unwrap_err()
        };
        assert_eq!(broken(&|t| t.clear()), TierTableError::Empty);
        assert_eq!(
            broken(&|t| drop(t.remove(0))),
            TierTableError::FirstIsClosed
        );
        assert_eq!(
            broken(&|t| t[2].from_age_days = 1),
            TierTableError::NotAscending("tier_3".to_owned())
        );
        assert_eq!(
            broken(&|t| t[1].key = "tier_1".to_owned()),
            TierTableError::Duplicate("tier_1".to_owned())
        );
        assert_eq!(
            broken(&|t| t[4].rate_limit_per_minute = 0),
            TierTableError::Incomplete("tier_5".to_owned())
        );
    }

    proptest! {
        #[test]
        fn who_pays_more_or_waits_longer_never_falls(a in 0i64..20_000, more in 0i64..20_000, days in 0u32..100, later in 0u32..100) {
            let table = TierTable::default();
            let rank = |dollars, days| table.reached(paid(dollars), DAY * days).rank;
            prop_assert!(rank(a, days) <= rank(a + more, days + later));
        }
    }
}
