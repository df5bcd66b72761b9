//! The usage tier that applies to an organization, how it got there, and what the next tier requires
//! (specification, Usage tier).

use std::time::Duration;

use gtm_domain::tenant::Organization;
use gtm_domain::{MicroUsd, TierTable, Timestamp, UsageTier};
use serde_json::{Value, json};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

/// An organization's tier at one moment.
pub struct Standing<'t> {
    /// The tier that applies.
    tier: &'t UsageTier,
    /// The tier reached by payments and age.
    grown: &'t UsageTier,
    /// Whether an operator pinned the tier, so that it does not grow.
    pinned: bool,
    next: Option<Next<'t>>,
}

/// The tier after the one that applies, and what it still requires.
struct Next<'t> {
    tier: &'t UsageTier,
    missing_paid: MicroUsd,
    missing_days: u64,
}

impl<'t> Standing<'t> {
    /// The tier of an organization at this moment.
    pub fn of(row: &Organization, tiers: &'t TierTable, now: Timestamp) -> Self {
        let age = now.since(row.created_at);
        let tier = tiers.of(row.tier.as_deref(), row.paid_total, age);
        let pinned = row
            .tier
            .as_deref()
            .is_some_and(|key| tiers.get(key).is_some());
        let next = tiers.after(tier).filter(|_| !pinned).map(|next| {
            let from_age = DAY.saturating_mul(next.from_age_days);
            Next {
                tier: next,
                missing_paid: (next.from_paid - row.paid_total).max(MicroUsd::ZERO),
                missing_days: from_age
                    .saturating_sub(age)
                    .as_secs()
                    .div_ceil(DAY.as_secs()),
            }
        });
        Self {
            tier,
            grown: tiers.reached(row.paid_total, age),
            pinned,
            next,
        }
    }

    /// Key of the tier that applies.
    pub fn key(&self) -> &str {
        &self.tier.key
    }

    /// Adds `usage_tier` as the API shows it, `usage_tier_origin` and `next_usage_tier`.
    pub fn add_to(&self, organization: &mut Value) {
        let tier = self.tier;
        organization["usage_tier"] = json!({
            "key": tier.key,
            "name": tier.name,
            "rank": tier.rank,
            "rate_limit_per_minute": tier.rate_limit_per_minute,
            "monthly_cost_cap_usd": tier.monthly_cost_cap.usd(),
        });
        organization["usage_tier_origin"] = json!(if self.pinned { "pinned" } else { "grown" });
        organization["next_usage_tier"] = json!(self.next.as_ref().map(|next| {
            json!({
                "key": next.tier.key,
                "name": next.tier.name,
                "from_paid_usd": next.tier.from_paid.usd(),
                "from_age_days": next.tier.from_age_days,
                "missing_paid_usd": next.missing_paid.usd(),
                "missing_days": next.missing_days,
            })
        }));
    }

    /// The same for people.
    pub fn facts(&self, row: &Organization) -> Vec<(&'static str, String)> {
        let tier = self.tier;
        let origin = match (self.pinned, &row.tier) {
            (true, _) => "pinned by an operator".to_owned(),
            (false, Some(lost)) => {
                format!("grown; {lost}, to which it was pinned, is no longer configured")
            }
            (false, None) => "grown".to_owned(),
        };
        let mut facts = vec![
            (
                "usage tier",
                format!("{} ({}), {origin}", tier.key, tier.name),
            ),
            (
                "tier allows",
                format!(
                    "{} requests per key in 60 s, {} in a UTC month",
                    tier.rate_limit_per_minute, tier.monthly_cost_cap
                ),
            ),
        ];
        let next = match (&self.next, self.pinned) {
            (_, true) => format!(
                "none while it is pinned; `gtm org update {} --tier none` returns to {}, which it has earned",
                row.id, self.grown.key
            ),
            (None, false) => "none: it has the highest".to_owned(),
            (Some(next), false) => format!(
                "{} ({}) from {} paid and {} days of age; lacks {} and {} days",
                next.tier.key,
                next.tier.name,
                next.tier.from_paid,
                next.tier.from_age_days,
                next.missing_paid,
                next.missing_days
            ),
        };
        facts.push(("next tier", next));
        facts
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_domain::money::BillingMode;

    fn organization(dollars: i64, tier: Option<&str>) -> Organization {
        Organization {
            id: format!("org_{}", "0".repeat(26)).parse().unwrap(),
            name: "Acme".to_owned(),
            created_at: Timestamp::EPOCH,
            archived_at: None,
            billing: BillingMode::Prepaid,
            paid_total: MicroUsd::from_micros(dollars * 1_000_000),
            tier: tier.map(str::to_owned),
        }
    }

    fn shown(row: &Organization, age: Duration) -> Value {
        let mut value = json!({});
        let tiers = TierTable::default();
        Standing::of(row, &tiers, Timestamp::EPOCH.plus(age)).add_to(&mut value);
        value
    }

    #[test]
    fn a_grown_tier_says_what_the_next_one_lacks() {
        let value = shown(&organization(20, None), DAY * 5 + Duration::from_secs(1));
        assert_eq!(value["usage_tier"]["key"], "tier_1");
        assert_eq!(value["usage_tier_origin"], "grown");
        let next = &value["next_usage_tier"];
        assert_eq!(
            (
                &next["key"],
                &next["missing_paid_usd"],
                &next["missing_days"]
            ),
            (&json!("tier_2"), &json!(30.0), &json!(2)),
            "a day that has begun is lacking whole"
        );
        let paid = shown(&organization(20_000, None), DAY * 5);
        assert_eq!(paid["next_usage_tier"]["missing_paid_usd"], 0.0);
        let highest = shown(&organization(20_000, None), DAY * 60);
        assert_eq!(highest["usage_tier"]["key"], "tier_5");
        assert_eq!(highest["next_usage_tier"], Value::Null);
    }

    #[test]
    fn a_pinned_tier_does_not_grow() {
        let value = shown(&organization(0, Some("tier_3")), Duration::ZERO);
        assert_eq!(
            (&value["usage_tier"]["key"], &value["usage_tier_origin"]),
            (&json!("tier_3"), &json!("pinned"))
        );
        assert_eq!(value["next_usage_tier"], Value::Null);
        let row = organization(0, Some("gone"));
        let value = shown(&row, Duration::ZERO);
        assert_eq!(value["usage_tier_origin"], "grown", "it gives nothing");
        let tiers = TierTable::default();
        let facts = Standing::of(&row, &tiers, Timestamp::EPOCH).facts(&row);
        assert!(facts[0].1.contains("gone"), "{facts:?}");
    }
}
