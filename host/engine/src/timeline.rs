//! The events of a job in one sequence: the backend's reports, enclosed by the job's own transitions, which
//! are derived from its row instead of being stored again. So are the ends of stages that ended with their
//! job. API and command line show the same sequence.

use gtm_domain::job::{Job, JobEvent};
use gtm_domain::{Digest, EventId, JobId, JobStage, StageState, Timestamp};
use serde::Serialize;
use serde_json::{Value, json};
use utoipa::ToSchema;
use uuid::Builder;

/// An upper bound on a job's reports that no job reaches.
pub const MAX_REPORTS: u32 = 10_000;

/// One event in a job's history.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
pub struct TimelineEvent {
    /// Derived from the job and the sequence.
    #[schema(value_type = String, pattern = "^evt_")]
    pub id: EventId,
    /// Rises by one within a job.
    #[schema(minimum = 1)]
    pub sequence: u64,
    /// Type of the event.
    #[serde(rename = "type")]
    #[schema(examples(
        "job.started",
        "stage.finished",
        "milestone",
        "progress",
        "job.succeeded"
    ))]
    pub kind: String,
    /// The job that the event belongs to.
    #[schema(value_type = String)]
    pub job_id: JobId,
    /// When it happened.
    #[schema(value_type = String, format = DateTime)]
    pub at: Timestamp,
    /// The job's progress after the event.
    #[schema(maximum = 100)]
    pub progress: u8,
    /// The event's data.
    #[schema(value_type = Object)]
    pub data: Value,
}

/// What is reported when a stage begins and when it ends.
const STAGE_STARTED: &str = "stage.started";
const STAGE_FINISHED: &str = "stage.finished";

/// `job.queued`, `job.started`, the reports, the ends of stages that nothing reported, and the job's end,
/// numbered from 1. A number never changes
/// once assigned: the start precedes every report, and nothing is reported after the end. `reported` holds
/// all reports of the job's backend, oldest first.
pub fn timeline(job: &Job, reported: Vec<JobEvent>) -> impl Iterator<Item = TimelineEvent> + use<> {
    let queued = ("job.queued".to_owned(), Some(job.created_at), 0, json!({}));
    let started = job
        .started_at
        .map(|at| ("job.started".to_owned(), Some(at), 0, json!({})));
    let ended = job.status.is_terminal().then(|| {
        let data = job.error.as_ref().map_or_else(
            || json!({}),
            |error| json!({ "code": error.code, "message": error.message }),
        );
        (
            format!("job.{}", job.status.as_str()),
            job.finished_at,
            job.progress,
            data,
        )
    });
    let unreported = stages_ended_with_the_job(job, &reported);
    let reports = reported
        .into_iter()
        .map(|r| (r.kind, Some(r.at), r.progress, r.data));
    let (job_id, created_at) = (job.id, job.created_at);
    let numbered = (1u64..).zip(
        std::iter::once(queued)
            .chain(started)
            .chain(reports)
            .chain(unreported)
            .chain(ended),
    );
    numbered.map(move |(sequence, (kind, at, progress, data))| {
        let at = at.unwrap_or(created_at);
        TimelineEvent {
            id: event_id(job_id, sequence, at),
            sequence,
            kind,
            job_id,
            at,
            progress,
            data,
        }
    })
}

/// Kind, time, progress and data of an event.
type Happened = (String, Option<Timestamp>, u8, Value);

/// The ends of stages that were under way when their job ended.
fn stages_ended_with_the_job(job: &Job, reported: &[JobEvent]) -> Vec<Happened> {
    let is_under_way = |key: &str| {
        let mut latest_first = reported.iter().rev();
        let last = latest_first.find(|event| {
            [STAGE_STARTED, STAGE_FINISHED].contains(&event.kind.as_str())
                && event.data.get("stage").and_then(Value::as_str) == Some(key)
        });
        last.is_some_and(|event| event.kind == STAGE_STARTED)
    };
    let stages = job.stages.iter().flatten();
    let ended = stages.filter(|stage| {
        job.status.is_terminal()
            && !matches!(stage.status, StageState::Pending | StageState::Running)
            && is_under_way(&stage.key)
    });
    let event = |stage: &JobStage| {
        let data = json!({"stage": stage.key, "status": stage.status});
        let at = stage.finished_at.or(job.finished_at);
        (STAGE_FINISHED.to_owned(), at, job.progress, data)
    };
    ended.map(event).collect()
}

/// An event's id is derived from its job and sequence, so it needs no column of its own.
fn event_id(job: JobId, sequence: u64, at: Timestamp) -> EventId {
    let digest = Digest::of(format!("{job}/{sequence}").as_bytes());
    let mut tail = [0u8; 10];
    tail.copy_from_slice(&digest.as_bytes()[..10]);
    let millis = u64::try_from(at.millis()).unwrap_or(0);
    EventId::from_uuid(Builder::from_unix_timestamp_millis(millis, &tail).into_uuid())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_domain::job::JobError;
    use gtm_domain::{JobStatus, JobType, KeyRecordId, MicroUsd, OrganizationId, ProjectId, Usage};

    fn at(second: i64) -> Timestamp {
        Timestamp::from_millis(second * 1000)
    }

    fn job(status: JobStatus, started: bool) -> Job {
        let id = |n: u128| uuid::Uuid::from_u128(n);
        Job {
            id: JobId::from_uuid(id(1)),
            project: ProjectId::from_uuid(id(2)),
            organization: OrganizationId::from_uuid(id(3)),
            key: KeyRecordId::from_uuid(id(4)),
            job_type: JobType::Playbooks,
            stages: None,
            external_ref: None,
            status,
            progress: 40,
            input: json!({}),
            pins: json!({}),
            result: None,
            error: (status == JobStatus::Failed).then(|| JobError {
                code: "insufficient_evidence".to_owned(),
                message: "m".to_owned(),
                details: None,
            }),
            usage: Usage::default(),
            reserved: MicroUsd::ZERO,
            cost_cap: MicroUsd::ZERO,
            backend: None,
            created_at: at(0),
            expires_at: at(100),
            expired: false,
            started_at: started.then(|| at(1)),
            finished_at: status.is_terminal().then(|| at(9)),
            cancel_requested: false,
            attempts: 1,
        }
    }

    fn reports(count: u64) -> Vec<JobEvent> {
        let report = |seq| JobEvent {
            seq,
            ordinal: seq,
            kind: "milestone".to_owned(),
            data: json!({}),
            progress: 10,
            at: at(2),
        };
        (1..=count).map(report).collect()
    }

    fn events(job: &Job, reported: u64) -> Vec<TimelineEvent> {
        timeline(job, reports(reported)).collect()
    }

    #[test]
    fn transitions_stand_around_the_reports() {
        let kinds = |events: &[TimelineEvent]| -> Vec<(u64, String)> {
            events
                .iter()
                .map(|e| (e.sequence, e.kind.clone()))
                .collect()
        };
        let named = |names: &[&str]| -> Vec<(u64, String)> {
            (1..).zip(names.iter().map(|n| (*n).to_owned())).collect()
        };
        let failed = events(&job(JobStatus::Failed, true), 2);
        let want = [
            "job.queued",
            "job.started",
            "milestone",
            "milestone",
            "job.failed",
        ];
        assert_eq!(kinds(&failed), named(&want));
        assert_eq!(failed[4].data["code"], "insufficient_evidence");
        let canceled = events(&job(JobStatus::Canceled, false), 0);
        assert_eq!(kinds(&canceled), named(&["job.queued", "job.canceled"]));
    }

    #[test]
    fn a_stage_that_ends_with_its_job_has_an_end() {
        let report = |kind: &str, stage: &str, status: &str| JobEvent {
            seq: 0,
            ordinal: 0,
            kind: kind.to_owned(),
            data: json!({"stage": stage, "status": status}),
            progress: 10,
            at: at(2),
        };
        let mut reported = vec![
            report("stage.started", "read", "running"),
            report("stage.finished", "read", "succeeded"),
            report("stage.started", "write", "running"),
        ];
        let mut job = job(JobStatus::Failed, true);
        let mut stages = ["read", "write", "check"].map(JobStage::pending);
        for stage in &mut stages[..2] {
            stage.report(StageState::Running, at(2));
        }
        stages[0].report(StageState::Succeeded, at(2));
        stages[1].job_ended(JobStatus::Failed, at(9));
        job.stages = Some(stages.to_vec());
        let events: Vec<_> = timeline(&job, reported.clone()).collect();
        let last_two = &events[events.len() - 2..];
        assert_eq!(last_two[0].kind, "stage.finished");
        assert_eq!(
            last_two[0].data,
            json!({"stage": "write", "status": "failed"})
        );
        assert_eq!((last_two[0].at, last_two[0].sequence), (at(9), 6));
        assert_eq!(
            (&*last_two[1].kind, last_two[1].sequence),
            ("job.failed", 7)
        );
        // Once the backend has reported it, nothing is added.
        reported.push(report("stage.finished", "write", "succeeded"));
        let events = timeline(&job, reported);
        assert_eq!(events.filter(|e| e.kind == "stage.finished").count(), 2);
    }

    #[test]
    fn a_number_once_given_stays() {
        let ids = |status, started, count| -> Vec<EventId> {
            let events = events(&job(status, started), count);
            events.iter().map(|e| e.id).collect()
        };
        let stages = [
            ids(JobStatus::Queued, false, 0),
            ids(JobStatus::Running, true, 0),
            ids(JobStatus::Running, true, 3),
            ids(JobStatus::Succeeded, true, 3),
        ];
        assert!(
            stages.windows(2).all(|pair| pair[1].starts_with(&pair[0])),
            "{stages:?}"
        );
    }
}
