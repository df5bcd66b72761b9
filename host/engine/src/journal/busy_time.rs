//! Measures the time that a job's generation backend and its provider calls took. The same rule applies
//! however the job ended: the time in which at least one call was under way, plus the processor time of the
//! backend's last run. Concurrent calls count once; replays and outages do not count.

use gtm_domain::step::Step;
use gtm_domain::{Timestamp, Usage};

/// When the calls of one job were under way.
#[derive(Debug, Clone, Default)]
pub struct CallSpans(Vec<(i64, i64)>);

impl CallSpans {
    /// Adds a call that ended at `end` and took `ms` milliseconds.
    pub fn add(&mut self, end: Timestamp, ms: u64) {
        let end = end.millis();
        let begin = end.saturating_sub_unsigned(ms);
        self.0.push((begin, end));
    }

    /// Milliseconds in which at least one call was under way.
    #[must_use]
    pub fn busy_ms(&self) -> u64 {
        let mut spans = self.0.clone();
        spans.sort_unstable();
        let (mut busy, mut until) = (0u64, i64::MIN);
        for (begin, end) in spans {
            let begin = begin.max(until);
            if end > begin {
                busy = busy.saturating_add(end.abs_diff(begin));
                until = end;
            }
        }
        busy
    }
}

/// What the job consumed by its journal, except the backend's own processor time.
#[must_use]
pub fn consumed<'a>(rows: impl IntoIterator<Item = &'a Step>) -> (Usage, CallSpans) {
    let (mut usage, mut spans) = (Usage::default(), CallSpans::default());
    for row in rows {
        usage = usage.plus(&row.usage);
        if let Some(end) = row.settled_at {
            spans.add(end, row.usage.backend_runtime_ms);
        }
    }
    (usage, spans)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spans(calls: &[(i64, u64)]) -> CallSpans {
        let mut spans = CallSpans::default();
        for (end, ms) in calls {
            spans.add(Timestamp::from_millis(*end), *ms);
        }
        spans
    }

    #[test]
    fn calls_under_way_at_once_count_once() {
        assert_eq!(spans(&[]).busy_ms(), 0);
        assert_eq!(
            spans(&[(1_000, 400), (1_000, 300), (900, 100)]).busy_ms(),
            400
        );
        assert_eq!(spans(&[(1_000, 400), (1_200, 300)]).busy_ms(), 600);
        assert_eq!(spans(&[(1_000, 100), (5_000, 100)]).busy_ms(), 200);
        assert_eq!(spans(&[(1_000, 0)]).busy_ms(), 0, "one that nobody saw end");
        assert_eq!(spans(&[(0, u64::MAX)]).busy_ms(), i64::MIN.unsigned_abs());
    }

    proptest! {
        #[test]
        fn the_time_is_that_of_every_millisecond(
            mut calls in proptest::collection::vec((0i64..200, 0u64..60), 0..12),
        ) {
            let under_way = |at: i64| calls.iter().any(|(end, ms)| at < *end && at >= end - ms.cast_signed());
            let counted = (-60..200).filter(|at| under_way(*at)).count() as u64;
            prop_assert_eq!(spans(&calls).busy_ms(), counted);
            calls.reverse();
            prop_assert_eq!(spans(&calls).busy_ms(), counted);
        }
    }
}
