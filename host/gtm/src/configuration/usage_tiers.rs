//! `[[usage_tiers]]`: what organizations may ask for and spend (specification, Usage tier).
//! `gtm_domain::tier` defines what the tiers mean.

use std::num::NonZeroU32;

use gtm_domain::tier::TierTableError;
use gtm_domain::{MicroUsd, TierTable, UsageTier};
use serde::{Deserialize, Serialize};

use super::dollars::Dollars;

/// One `[[usage_tiers]]`.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(deny_unknown_fields)]
struct Tier {
    /// Identifier, such as `tier_2`.
    key: String,
    /// Name for people.
    name: String,
    /// Requests of one key in 60 seconds; `limits.requests_per_minute` if absent.
    #[serde(default)]
    rate_limit_per_minute: Option<NonZeroU32>,
    /// What the organization's jobs may cost in one UTC month.
    monthly_cost_cap_usd: Dollars,
    /// How much must have been paid, in total, to reach the tier.
    #[serde(default)]
    from_paid_usd: f64,
    /// How old the organization must be to reach the tier.
    #[serde(default)]
    from_age_days: u32,
}

/// All tiers, lowest first; already checked to form a table.
#[derive(Debug, Clone, Deserialize, Serialize)]
#[serde(try_from = "Vec<Tier>", into = "Vec<Tier>")]
pub struct UsageTiers(Vec<Tier>);

impl UsageTiers {
    /// The table for a deployment with this rate limit.
    ///
    /// # Errors
    /// Never for tiers read from a configuration: they were checked then.
    pub fn table(&self, requests_per_minute: NonZeroU32) -> Result<TierTable, TierTableError> {
        let tiers = self.0.iter().map(|tier| UsageTier {
            key: tier.key.clone(),
            name: tier.name.clone(),
            // The position in the table sets it.
            rank: 0,
            rate_limit_per_minute: tier
                .rate_limit_per_minute
                .unwrap_or(requests_per_minute)
                .get(),
            monthly_cost_cap: MicroUsd::from_usd(tier.monthly_cost_cap_usd.0).unwrap_or_default(),
            from_paid: MicroUsd::from_usd(tier.from_paid_usd).unwrap_or_default(),
            from_age_days: tier.from_age_days,
        });
        TierTable::new(tiers.collect())
    }
}

impl TryFrom<Vec<Tier>> for UsageTiers {
    type Error = String;
    fn try_from(tiers: Vec<Tier>) -> Result<Self, String> {
        let payable = |usd: f64| (0.0..1e9).contains(&usd);
        if let Some(tier) = tiers.iter().find(|tier| !payable(tier.from_paid_usd)) {
            return Err(format!(
                "usage tier {}: from_paid_usd must be an amount from 0 to a billion",
                tier.key
            ));
        }
        let tiers = Self(tiers);
        match tiers.table(NonZeroU32::MIN) {
            Ok(_) => Ok(tiers),
            Err(error) => Err(error.to_string()),
        }
    }
}
impl From<UsageTiers> for Vec<Tier> {
    fn from(tiers: UsageTiers) -> Self {
        tiers.0
    }
}

impl Default for UsageTiers {
    /// The tiers of `gtm_domain`, the first of which follows `limits.requests_per_minute`.
    fn default() -> Self {
        let own = |tier: &UsageTier| {
            NonZeroU32::new(tier.rate_limit_per_minute).filter(|_| tier.rank > 1)
        };
        let tiers = TierTable::default();
        let tiers = tiers.tiers().iter().map(|tier| Tier {
            key: tier.key.clone(),
            name: tier.name.clone(),
            rate_limit_per_minute: own(tier),
            monthly_cost_cap_usd: Dollars(tier.monthly_cost_cap.usd()),
            from_paid_usd: tier.from_paid.usd(),
            from_age_days: tier.from_age_days,
        });
        Self(tiers.collect())
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::panic)]
    use super::*;

    const DEPLOYMENT: NonZeroU32 = NonZeroU32::new(120).unwrap();

    #[derive(Debug, Deserialize)]
    struct File {
        usage_tiers: UsageTiers,
    }

    fn read(text: &str) -> Result<UsageTiers, String> {
        let file: Result<File, _> = toml::from_str(text);
        file.map(|file| file.usage_tiers)
            .map_err(|error| error.message().to_owned())
    }

    #[test]
    fn the_default_is_the_table_of_the_domain() {
        let tiers = UsageTiers::default();
        assert_eq!(tiers.table(DEPLOYMENT), Ok(TierTable::default()));
        let other = tiers.table(NonZeroU32::new(7).unwrap()).unwrap();
        let limits = |table: &TierTable| {
            let all = table.tiers().iter();
            all.map(|tier| tier.rate_limit_per_minute)
                .collect::<Vec<_>>()
        };
        assert_eq!(limits(&other), [7, 240, 600, 1200, 3000]);
    }

    #[test]
    fn tiers_of_a_file() {
        let text = "[[usage_tiers]]\nkey = \"free\"\nname = \"Free\"\nmonthly_cost_cap_usd = 1\n\
            [[usage_tiers]]\nkey = \"paid\"\nname = \"Paid\"\nrate_limit_per_minute = 900\n\
            monthly_cost_cap_usd = 0.5\nfrom_paid_usd = 10\nfrom_age_days = 3\n";
        let table = read(text).unwrap().table(DEPLOYMENT).unwrap();
        let [free, paid] = table.tiers() else {
            panic!("{table:?}");
        };
        assert_eq!((free.rank, free.rate_limit_per_minute), (1, 120));
        assert_eq!((paid.rank, paid.rate_limit_per_minute), (2, 900));
        assert_eq!(paid.monthly_cost_cap, MicroUsd::from_micros(500_000));
        assert_eq!(
            (paid.from_paid, paid.from_age_days),
            (MicroUsd::from_micros(10_000_000), 3)
        );
    }

    #[test]
    fn what_is_no_table_is_told() {
        let tier = |key: &str, more: &str| {
            format!(
                "[[usage_tiers]]\nkey = \"{key}\"\nname = \"N\"\nmonthly_cost_cap_usd = 1\n{more}\n"
            )
        };
        for (text, words) in [
            ("usage_tiers = []".to_owned(), "at least one"),
            (tier("a", "from_age_days = 1"), "open to all"),
            (tier("a", "") + &tier("a", ""), "is listed twice"),
            (
                tier("a", "") + &tier("b", "from_paid_usd = 5") + &tier("c", ""),
                "usage tier c must ask",
            ),
            (tier("", ""), "needs a key"),
            (tier("a", "from_paid_usd = -1"), "from_paid_usd"),
            (tier("a", "rate_limit_per_minute = 0"), "zero"),
            (tier("a", "rank = 3"), "rank"),
        ] {
            let message = read(&text).unwrap_err();
            assert!(message.contains(words), "{text}: {message}");
        }
    }
}
