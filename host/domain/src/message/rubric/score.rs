//! How the points of the checks add up, and when a draft passes.

use super::{
    CheckMethod, DimensionKey, DimensionScore, HardFailure, JUDGED_FLOOR, Judge, RUBRIC_VERSION,
    Rubric, RubricCheck, RubricKey, THRESHOLD,
};

impl Rubric {
    /// Adds up the points. The table of checks holds over what the results say of themselves: of a check that
    /// comes twice the first result counts, a check without a result has no points, points above the maximum
    /// are the maximum, and a result without such a check is left out.
    #[must_use]
    pub fn score(
        checks: Vec<RubricCheck>,
        hard_failures: Vec<HardFailure>,
        attempts: u32,
        judge: Option<Judge>,
    ) -> Self {
        let checks: Vec<(RubricKey, RubricCheck)> = RubricKey::ALL
            .iter()
            .map(|key| {
                let given = checks.iter().find(|check| check.key == key.as_str());
                (*key, result(*key, given))
            })
            .collect();
        let dimensions = DimensionKey::ALL.map(|key| DimensionScore {
            key,
            score: points(&checks, |check| check.dimension() == key),
            max: key.points(),
            floor: key.floor(),
        });
        let total = points(&checks, |_| true);
        let judged = points(&checks, RubricKey::is_judged);
        let floors = dimensions.iter().all(DimensionScore::is_met);
        Self {
            rubric_version: RUBRIC_VERSION.to_owned(),
            threshold: THRESHOLD,
            total,
            passed: total >= THRESHOLD
                && floors
                && judged >= JUDGED_FLOOR
                && hard_failures.is_empty(),
            dimensions: dimensions.to_vec(),
            checks: checks.into_iter().map(|(_, check)| check).collect(),
            hard_failures,
            attempts,
            judge,
        }
    }

    /// What the judge gave.
    #[must_use]
    pub fn judged_points(&self) -> u32 {
        let judged = self.checks.iter().filter(|check| check.is_judged());
        judged.map(|check| check.points).sum()
    }

    /// The dimensions below their floor.
    pub fn failing_dimensions(&self) -> impl Iterator<Item = DimensionKey> {
        let failing = self.dimensions.iter().filter(|it| !it.is_met());
        failing.map(|dimension| dimension.key)
    }
}

impl RubricCheck {
    /// Whether a judge decided it.
    #[must_use]
    pub const fn is_judged(&self) -> bool {
        matches!(self.method, CheckMethod::Judged)
    }
}

impl DimensionScore {
    /// Whether the floor is reached.
    #[must_use]
    pub const fn is_met(&self) -> bool {
        self.score >= self.floor
    }
}

fn result(key: RubricKey, given: Option<&RubricCheck>) -> RubricCheck {
    let Some(given) = given else {
        return RubricCheck {
            points: 0,
            observed: None,
            message: Some("Nobody decided this check.".to_owned()),
            ..key.judged(0, None)
        };
    };
    RubricCheck {
        dimension: key.dimension(),
        method: key.method(),
        points: given.points.min(key.points()),
        max: key.points(),
        ..given.clone()
    }
}

fn points(checks: &[(RubricKey, RubricCheck)], counts: impl Fn(RubricKey) -> bool) -> u32 {
    let counting = checks.iter().filter(|(key, _)| counts(*key));
    counting.map(|(_, check)| check.points).sum()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use proptest::prelude::*;

    use super::*;
    use crate::message::rubric::{HardFailureKind, JUDGED_POINTS};

    #[test]
    fn the_table_adds_up() {
        let max: u32 = RubricKey::ALL.iter().map(|key| key.points()).sum();
        assert_eq!(max, 100);
        let judged = RubricKey::ALL.iter().filter(|key| key.is_judged());
        assert_eq!(judged.map(|key| key.points()).sum::<u32>(), JUDGED_POINTS);
        for dimension in DimensionKey::ALL {
            let checks = RubricKey::ALL
                .iter()
                .filter(|key| key.dimension() == dimension);
            assert_eq!(
                checks.map(|key| key.points()).sum::<u32>(),
                dimension.points()
            );
            assert!(dimension.floor() < dimension.points());
            let begins = |key: &RubricKey| {
                key.as_str()
                    .starts_with(&format!("{}.", dimension.as_str()))
            };
            let named = RubricKey::ALL.iter().filter(|key| begins(key));
            assert!(named.clone().all(|key| key.dimension() == dimension));
            assert!(named.count() > 0, "{dimension:?}");
        }
        let keys: BTreeSet<&str> = RubricKey::ALL.iter().map(|key| key.as_str()).collect();
        assert_eq!(keys.len(), RubricKey::ALL.len());
    }

    /// No judge alone carries a draft over the threshold, and no draft passes on form alone.
    #[test]
    fn neither_host_nor_judge_decides_alone() {
        let of = |judged: bool| {
            let keys = RubricKey::ALL.iter();
            let keys = keys.map(|key| {
                let all = key.is_judged() == judged;
                RubricCheck {
                    points: if all { key.points() } else { 0 },
                    ..key.judged(0, None)
                }
            });
            Rubric::score(keys.collect(), Vec::new(), 1, None)
        };
        assert_eq!((of(true).total, of(true).passed), (19, false));
        assert_eq!((of(false).total, of(false).passed), (81, false));
    }

    fn all_points() -> Vec<RubricCheck> {
        let all = RubricKey::ALL.iter();
        all.map(|key| RubricCheck {
            points: key.points(),
            ..key.judged(0, None)
        })
        .collect()
    }

    #[test]
    fn what_was_not_decided_has_no_points() {
        let mut checks = all_points();
        checks.retain(|check| check.key != "cta.single_ask");
        let rubric = Rubric::score(checks, Vec::new(), 2, None);
        assert_eq!((rubric.total, rubric.passed), (94, false));
        assert_eq!(
            Vec::from_iter(rubric.failing_dimensions()),
            [DimensionKey::Cta]
        );
        assert_eq!(rubric.checks.len(), RubricKey::ALL.len());
    }

    #[test]
    fn the_table_holds_over_what_results_say() {
        let mut checks = all_points();
        checks[0].points = 90;
        checks[0].max = 90;
        checks[0].method = CheckMethod::Judged;
        checks.push(RubricCheck {
            points: 0,
            ..checks[1].clone()
        });
        checks.push(RubricCheck {
            key: "relevance.charm".to_owned(),
            points: 30,
            ..checks[1].clone()
        });
        let rubric = Rubric::score(checks, Vec::new(), 1, None);
        assert_eq!(rubric.total, 100);
        assert_eq!(rubric.checks[0].method, CheckMethod::Deterministic);
    }

    proptest! {
        #[test]
        fn a_draft_passes_by_total_floors_judge_and_no_hard_failure(
            given in proptest::collection::vec(0u32..10, 22..=22),
            full in proptest::collection::vec(proptest::bool::weighted(0.85), 22..=22),
            failures in 0usize..2,
        ) {
            let failures: Vec<HardFailure> = HardFailureKind::ALL
                .into_iter()
                .take(failures)
                .map(|kind| HardFailure::new(kind, "/subject".to_owned(), "It is wrong.".to_owned()))
                .collect();
            let checks: Vec<RubricCheck> = RubricKey::ALL
                .iter()
                .zip(given.iter().zip(&full))
                .map(|(key, (points, full))| RubricCheck {
                    points: if *full { key.points() } else { *points },
                    ..key.judged(0, None)
                })
                .collect();
            let expected: Vec<(&RubricKey, u32)> = RubricKey::ALL
                .iter()
                .zip(&checks)
                .map(|(key, check)| (key, check.points.min(key.points())))
                .collect();
            let total: u32 = expected.iter().map(|(_, points)| points).sum();
            let judged = ["relevance.serves_objective", "evidence.faithful_paraphrase", "clarity.one_idea",
                "recipient_value.concrete_outcome"];
            let judged: u32 = expected.iter()
                .filter(|(key, _)| judged.contains(&key.as_str())).map(|(_, points)| points).sum();
            let floors = [("relevance", 10), ("evidence", 12), ("clarity", 8), ("recipient_value", 8), ("cta", 6),
                ("trust", 6), ("mobile_readability", 5)];
            let met = floors.iter().all(|(name, floor)| {
                let of = expected.iter().filter(|(key, _)| key.as_str().split('.').next() == Some(name));
                of.map(|(_, points)| points).sum::<u32>() >= *floor
            });
            let rubric = Rubric::score(checks, failures.clone(), 1, None);
            prop_assert_eq!(rubric.total, total);
            prop_assert!(rubric.total <= 100);
            prop_assert_eq!(rubric.dimensions.iter().map(|it| it.score).sum::<u32>(), total);
            prop_assert_eq!(rubric.dimensions.iter().map(|it| it.max).sum::<u32>(), 100);
            prop_assert_eq!(rubric.passed, total >= 80 && met && judged >= 8 && failures.is_empty());
        }
    }
}
