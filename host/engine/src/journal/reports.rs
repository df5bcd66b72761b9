//! Stages, percentages and milestones. They are numbered in the order in which the backend reports them, so
//! that a replay uses the same numbers and the store keeps each report once.

use gtm_domain::job::JobEventNew;
use gtm_evidence_check::left_out::LeftOut;
use gtm_runtime::StageStatus;
use serde_json::json;

/// Maximum number of reports per job; further ones are dropped.
const MAX_REPORTS: u64 = 1000;
/// Maximum length of a stage key in characters.
const STAGE_CHARS: usize = 64;
/// Maximum length of a milestone in characters.
const MILESTONE_CHARS: usize = 300;
/// Maximum progress that a backend can report; a job reaches 100 only when it has ended.
const ALMOST_DONE: u8 = 99;

/// Turns a backend's reports into events.
#[derive(Debug, Default)]
pub struct Reports {
    ordinal: u64,
    percent: u8,
}

impl Reports {
    /// A stage began or ended.
    pub fn stage(&mut self, key: &str, status: StageStatus) -> Option<JobEventNew> {
        let stage = bounded(key, STAGE_CHARS);
        if stage.is_empty() {
            return None;
        }
        let (kind, status) = match status {
            StageStatus::Started => ("stage.started", "running"),
            StageStatus::Succeeded => ("stage.finished", "succeeded"),
            StageStatus::Failed => ("stage.finished", "failed"),
            StageStatus::Skipped => ("stage.finished", "skipped"),
        };
        self.event(kind, json!({"stage": stage, "status": status}), None)
    }

    /// A percentage and optionally a milestone. The percentage never decreases; a report without news is no
    /// event.
    pub fn progress(&mut self, percent: u8, milestone: Option<&str>) -> Option<JobEventNew> {
        let percent = percent.min(ALMOST_DONE).max(self.percent);
        let risen = percent > self.percent;
        self.percent = percent;
        let message = milestone
            .map(|text| bounded(text, MILESTONE_CHARS))
            .filter(|text| !text.is_empty());
        match message {
            Some(message) => self.event(
                "milestone",
                json!({"message": message, "percent": percent}),
                Some(percent),
            ),
            None if risen => self.event("progress", json!({"percent": percent}), Some(percent)),
            None => None,
        }
    }

    /// What was left out of the result, in words, with the same in members for programs.
    pub fn left_out(&mut self, left: &LeftOut) -> Option<JobEventNew> {
        let data = json!({
            "pointer": left.pointer,
            "reason": left.reason,
            "count": left.count,
            "message": left.in_words(),
        });
        self.event("claims.left_out", data, None)
    }

    fn event(
        &mut self,
        kind: &str,
        data: serde_json::Value,
        progress: Option<u8>,
    ) -> Option<JobEventNew> {
        if self.ordinal >= MAX_REPORTS {
            return None;
        }
        let ordinal = self.ordinal;
        self.ordinal += 1;
        Some(JobEventNew {
            ordinal,
            kind: kind.to_owned(),
            data,
            progress,
        })
    }
}

fn bounded(text: &str, chars: usize) -> String {
    gtm_page_text::normalize(text).chars().take(chars).collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn reports_are_numbered_and_bounded() {
        let mut reports = Reports::default();
        assert_eq!(
            reports
                .stage("research", StageStatus::Started)
                .unwrap()
                .ordinal,
            0
        );
        assert_eq!(reports.stage(" \n", StageStatus::Started), None);
        let milestone = reports.progress(30, Some(&"x\u{0}".repeat(500))).unwrap();
        assert_eq!((milestone.ordinal, milestone.progress), (1, Some(30)));
        assert_eq!(
            milestone.data["message"].as_str().unwrap().len(),
            MILESTONE_CHARS
        );
        assert_eq!(reports.progress(10, None), None, "nothing new");
        assert_eq!(
            reports.progress(10, Some("later")).unwrap().progress,
            Some(30)
        );
        assert_eq!(reports.progress(200, None).unwrap().progress, Some(99));
    }

    proptest! {
        #[test]
        fn percentages_never_fall_and_ordinals_have_no_gaps(steps in proptest::collection::vec((any::<u8>(), any::<bool>()), 0..60)) {
            let mut reports = Reports::default();
            let events: Vec<_> = steps.iter().filter_map(|(p, m)| reports.progress(*p, m.then_some("m"))).collect();
            for (n, event) in events.iter().enumerate() { prop_assert_eq!(event.ordinal, n as u64); }
            for pair in events.windows(2) { prop_assert!(pair[0].progress <= pair[1].progress); }
        }
    }
}
