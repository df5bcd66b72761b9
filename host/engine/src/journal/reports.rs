//! Stages, percentages and milestones. They are numbered in the order in which the backend reports them, so
//! that a replay uses the same numbers and the store keeps each report once.

use gtm_domain::job::JobEventNew;
use gtm_evidence_check::left_out::{LeftOut, MAX_LEFT_OUT};
use gtm_runtime::StageStatus;
use serde_json::json;

/// Maximum number of a backend's reports per job; further ones are dropped.
const MAX_REPORTS: u64 = 1000;
/// Maximum number of events per job: what the host itself tells of the result finds room behind any number of reports.
const MAX_EVENTS: u64 = MAX_REPORTS + MAX_LEFT_OUT as u64 + MAX_OWN_MILESTONES;
/// Maximum number of milestones of the host's own per job.
pub const MAX_OWN_MILESTONES: u64 = 100;
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
    /// The stage that began last.
    stage: String,
    milestones: Vec<ToldMilestone>,
    /// How many events say what was left out.
    left_out: usize,
}

/// A milestone as it was told in the job's events.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ToldMilestone {
    /// Its event.
    pub ordinal: u64,
    /// The stage in which a backend told it, or what the host calls it.
    pub code: String,
    pub message: String,
    pub percent: u8,
}

impl Reports {
    /// A stage began or ended.
    pub fn stage(&mut self, key: &str, status: StageStatus) -> Option<JobEventNew> {
        let stage = bounded(key, STAGE_CHARS);
        if stage.is_empty() {
            return None;
        }
        if matches!(status, StageStatus::Started) {
            self.stage.clone_from(&stage);
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
            .map(|text| shortened(text, MILESTONE_CHARS))
            .filter(|text| !text.is_empty());
        match message {
            Some(message) => {
                let data = json!({"message": message, "percent": percent});
                let event = self.event("milestone", data, Some(percent))?;
                let code = match self.stage.is_empty() {
                    true => "progress".to_owned(),
                    false => self.stage.clone(),
                };
                self.told(&event, code, message, percent);
                Some(event)
            }
            None if risen => self.event("progress", json!({"percent": percent}), Some(percent)),
            None => None,
        }
    }

    /// A milestone of the host's own.
    pub fn milestone(&mut self, percent: u8, code: &str, message: &str) -> Option<JobEventNew> {
        let percent = percent.min(ALMOST_DONE).max(self.percent);
        self.percent = percent;
        let message = shortened(message, MILESTONE_CHARS);
        let data = json!({"message": message, "percent": percent, "code": code});
        let event = self.numbered("milestone", data, Some(percent), MAX_EVENTS)?;
        self.told(&event, code.to_owned(), message, percent);
        Some(event)
    }

    /// The milestones so far.
    #[must_use]
    pub fn milestones(&self) -> &[ToldMilestone] {
        &self.milestones
    }

    fn told(&mut self, event: &JobEventNew, code: String, message: String, percent: u8) {
        self.milestones.push(ToldMilestone {
            ordinal: event.ordinal,
            code,
            message,
            percent,
        });
    }

    /// What was left out of the result, in words, with the same in members for programs.
    pub fn left_out(&mut self, left: &LeftOut) -> Option<JobEventNew> {
        let message = left.in_words();
        let data = json!({
            "pointer": left.pointer,
            "reason": left.reason,
            "count": left.count,
            "message": message,
        });
        if self.left_out >= MAX_LEFT_OUT {
            return None;
        }
        self.left_out += 1;
        let event = self.numbered("claims.left_out", data, None, MAX_EVENTS)?;
        // Who reads only the result must learn of it, too.
        let message = shortened(&message, MILESTONE_CHARS);
        self.told(&event, "left_out".to_owned(), message, self.percent);
        Some(event)
    }

    fn event(
        &mut self,
        kind: &str,
        data: serde_json::Value,
        progress: Option<u8>,
    ) -> Option<JobEventNew> {
        self.numbered(kind, data, progress, MAX_REPORTS)
    }

    fn numbered(
        &mut self,
        kind: &str,
        data: serde_json::Value,
        progress: Option<u8>,
        most: u64,
    ) -> Option<JobEventNew> {
        if self.ordinal >= most {
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

/// The text in at most so many characters; where it is longer, it ends behind a word, and an ellipsis stands for the rest.
fn shortened(text: &str, chars: usize) -> String {
    let text = gtm_page_text::normalize(text);
    if text.chars().count() <= chars {
        return text;
    }
    let head = bounded(&text, chars.saturating_sub(1));
    let end = head
        .rfind(' ')
        .filter(|end| *end > head.len() / 2)
        .unwrap_or(head.len());
    let head = head.get(..end).unwrap_or(&head);
    format!("{}…", head.trim_end_matches([' ', ',', ';', ':']))
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
            milestone.data["message"].as_str().unwrap().chars().count(),
            MILESTONE_CHARS
        );
        let words = reports.progress(30, Some(&"kräne ".repeat(80))).unwrap();
        let words = words.data["message"].as_str().unwrap();
        assert!(words.ends_with(" kräne…") && words.chars().count() <= MILESTONE_CHARS);
        assert_eq!(reports.progress(10, None), None, "nothing new");
        assert_eq!(
            reports.progress(10, Some("later")).unwrap().progress,
            Some(30)
        );
        assert_eq!(reports.progress(200, None).unwrap().progress, Some(99));
    }

    #[test]
    fn milestones_are_remembered_with_their_stage() {
        let mut reports = Reports::default();
        let _ = reports.progress(5, Some("first"));
        let _ = reports.stage("compose", StageStatus::Started);
        let _ = reports.progress(30, Some("second"));
        let _ = reports.progress(40, None);
        let _ = reports.milestone(20, "render.overflow", "third");
        let told: Vec<_> = (reports.milestones().iter())
            .map(|m| (m.ordinal, m.code.as_str(), m.message.as_str(), m.percent))
            .collect();
        assert_eq!(
            told,
            [
                (0, "progress", "first", 5),
                (2, "compose", "second", 30),
                (4, "render.overflow", "third", 40),
            ]
        );
    }

    #[test]
    fn no_number_of_reports_hides_what_was_left_out() {
        let mut reports = Reports::default();
        for _ in 0..=MAX_REPORTS {
            let _ = reports.progress(1, Some("still at it"));
        }
        assert_eq!(reports.progress(2, Some("again")), None);
        let left = LeftOut {
            pointer: "/sales_angles".to_owned(),
            reason: gtm_evidence_check::left_out::Reason::Number,
            count: 1,
            said: Vec::new(),
        };
        let told = (0..=MAX_LEFT_OUT).filter_map(|_| reports.left_out(&left));
        assert_eq!(told.count(), MAX_LEFT_OUT);
        let last = reports.milestones().last().unwrap();
        assert_eq!(last.code, "left_out");
        assert!(
            last.message.contains("a number stands neither"),
            "{}",
            last.message
        );
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
