//! The stages of a job whose type has some: what its `stages` shows.

use serde::{Deserialize, Serialize};

use super::JobStatus;
use crate::Timestamp;

/// Where a stage stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StageState {
    /// It has not begun.
    Pending,
    /// It is in progress.
    Running,
    /// It is done.
    Succeeded,
    /// It went wrong, or its job failed or was canceled while it was in progress. Annex A17 has no separate
    /// state for that; the job's status tells them apart.
    Failed,
    /// It was not needed.
    Skipped,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct JobStage {
    /// Its name.
    pub key: String,
    /// Where it stands.
    pub status: StageState,
    /// When it last began.
    pub started_at: Option<Timestamp>,
    /// When it ended.
    pub finished_at: Option<Timestamp>,
    /// How often it began.
    pub attempts: u32,
}

impl JobStage {
    /// A stage that has not begun.
    #[must_use]
    pub fn pending(key: &str) -> Self {
        Self {
            key: key.to_owned(),
            status: StageState::Pending,
            started_at: None,
            finished_at: None,
            attempts: 0,
        }
    }

    /// The stage after a report of where it stands.
    pub fn report(&mut self, status: StageState, now: Timestamp) {
        match status {
            StageState::Pending => return,
            StageState::Running => {
                self.started_at = Some(now);
                self.finished_at = None;
                self.attempts = self.attempts.saturating_add(1);
            }
            StageState::Succeeded | StageState::Failed | StageState::Skipped => {
                self.finished_at = Some(now);
            }
        }
        self.status = status;
    }

    /// The stage after its job has ended: nothing stays in progress. A stage that never began stays
    /// pending.
    pub fn job_ended(&mut self, ended: JobStatus, now: Timestamp) {
        if self.status != StageState::Running {
            return;
        }
        match ended {
            JobStatus::Queued | JobStatus::Running => {}
            JobStatus::Succeeded => self.report(StageState::Succeeded, now),
            JobStatus::Failed | JobStatus::Canceled => self.report(StageState::Failed, now),
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use serde_json::json;

    #[test]
    fn a_stage_that_begins_again_has_not_ended() {
        let mut stage = JobStage::pending("render");
        stage.report(StageState::Running, Timestamp::from_millis(1000));
        stage.report(StageState::Failed, Timestamp::from_millis(2000));
        stage.report(StageState::Running, Timestamp::from_millis(3000));
        let expected = json!({
            "key": "render", "status": "running", "started_at": "1970-01-01T00:00:03.000Z",
            "finished_at": null, "attempts": 2,
        });
        assert_eq!(serde_json::to_value(&stage).unwrap(), expected);
        stage.report(StageState::Pending, Timestamp::from_millis(4000));
        assert_eq!(
            stage.status,
            StageState::Running,
            "nothing is pending again"
        );
    }

    #[test]
    fn only_what_is_under_way_ends_with_its_job() {
        let (began, ended) = (Timestamp::from_millis(1000), Timestamp::from_millis(2000));
        for (job, expected) in [
            (JobStatus::Running, (StageState::Running, None)),
            (JobStatus::Succeeded, (StageState::Succeeded, Some(ended))),
            (JobStatus::Failed, (StageState::Failed, Some(ended))),
            (JobStatus::Canceled, (StageState::Failed, Some(ended))),
        ] {
            let mut running = JobStage::pending("render");
            running.report(StageState::Running, began);
            let mut done = running.clone();
            done.report(StageState::Succeeded, began);
            running.job_ended(job, ended);
            assert_eq!((running.status, running.finished_at), expected);
            assert_eq!((running.started_at, running.attempts), (Some(began), 1));
            for untouched in [JobStage::pending("plan"), done] {
                let mut stage = untouched.clone();
                stage.job_ended(job, ended);
                assert_eq!(stage, untouched);
            }
        }
    }

    #[test]
    fn a_stage_that_was_not_needed_never_began() {
        let mut stage = JobStage::pending("render");
        stage.report(StageState::Skipped, Timestamp::from_millis(1000));
        assert_eq!((stage.started_at, stage.attempts), (None, 0));
        assert!(stage.finished_at.is_some());
    }
}
