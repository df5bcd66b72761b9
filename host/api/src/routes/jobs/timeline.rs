//! The events of a job in one sequence: its own transitions, which follow from its row and are not
//! stored a second time, around what its backend reported.

use gtm_domain::{Digest, EventId, JobId, Timestamp};
use gtm_engine::{JobEvent, JobRow};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Builder;

use crate::page::Page;

/// A page of events.
#[derive(Debug, Serialize)]
pub struct EventList {
    events: Vec<Event>,
    next_cursor: Option<String>,
    has_more: bool,
}

#[derive(Debug, Serialize)]
struct Event {
    id: EventId,
    sequence: u64,
    #[serde(rename = "type")]
    kind: String,
    job_id: JobId,
    at: Timestamp,
    progress: u8,
    data: Value,
}

/// The wanted part of a job's timeline. `reported` are all reports of its backend, oldest first.
#[must_use]
pub fn page_of(job: &JobRow, reported: Vec<JobEvent>, page: Page) -> EventList {
    let size = usize::try_from(page.limit).unwrap_or(usize::MAX);
    let mut later = timeline(job, reported).skip_while(|event| event.sequence <= page.after);
    let events: Vec<Event> = later.by_ref().take(size).collect();
    let has_more = later.next().is_some();
    let next_cursor = events
        .last()
        .filter(|_| has_more)
        .map(|last| last.sequence.to_string());
    EventList {
        events,
        next_cursor,
        has_more,
    }
}

/// `job.queued`, `job.started`, the reports, and how the job ended, numbered from 1. A number once
/// given stays: a start precedes every report, and nothing is reported after the end.
fn timeline(job: &JobRow, reported: Vec<JobEvent>) -> impl Iterator<Item = Event> {
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
    let reports = reported
        .into_iter()
        .map(|r| (r.kind, Some(r.at), r.progress, r.data));
    let (job_id, created_at) = (job.id, job.created_at);
    let numbered = (1u64..).zip(
        std::iter::once(queued)
            .chain(started)
            .chain(reports)
            .chain(ended),
    );
    numbered.map(move |(sequence, (kind, at, progress, data))| {
        let at = at.unwrap_or(created_at);
        Event {
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

/// An event's id follows from its job and sequence, so it needs no column of its own.
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

    fn job(status: JobStatus, started: bool) -> JobRow {
        let id = |n: u128| uuid::Uuid::from_u128(n);
        JobRow {
            id: JobId::from_uuid(id(1)),
            project: ProjectId::from_uuid(id(2)),
            organization: OrganizationId::from_uuid(id(3)),
            key: KeyRecordId::from_uuid(id(4)),
            job_type: JobType::Playbooks,
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

    fn kinds(list: &EventList) -> Vec<(u64, &str)> {
        list.events
            .iter()
            .map(|e| (e.sequence, e.kind.as_str()))
            .collect()
    }

    const ALL: Page = Page {
        after: 0,
        limit: 200,
    };

    #[test]
    fn transitions_stand_around_the_reports() {
        let list = page_of(&job(JobStatus::Failed, true), reports(2), ALL);
        let want = [
            (1, "job.queued"),
            (2, "job.started"),
            (3, "milestone"),
            (4, "milestone"),
            (5, "job.failed"),
        ];
        assert_eq!(kinds(&list), want);
        assert_eq!(list.events[4].data["code"], "insufficient_evidence");
        assert_eq!((list.has_more, list.next_cursor.as_deref()), (false, None));
        let canceled = page_of(&job(JobStatus::Canceled, false), vec![], ALL);
        assert_eq!(kinds(&canceled), [(1, "job.queued"), (2, "job.canceled")]);
    }

    #[test]
    fn a_page_goes_on_where_the_last_one_ended() {
        let job = job(JobStatus::Succeeded, true);
        let (mut after, mut seen) = (0, Vec::new());
        loop {
            let list = page_of(&job, reports(5), Page { after, limit: 3 });
            seen.extend(list.events.iter().map(|e| e.sequence));
            match list.next_cursor {
                Some(cursor) => after = cursor.parse().unwrap(),
                None => break,
            }
        }
        assert_eq!(seen, (1..=8).collect::<Vec<_>>());
        assert!(
            page_of(&job, reports(5), Page { after: 8, limit: 3 })
                .events
                .is_empty()
        );
    }

    #[test]
    fn a_number_once_given_stays() {
        let list = |status, started, count| page_of(&job(status, started), reports(count), ALL);
        let ids = |list: &EventList| list.events.iter().map(|e| e.id).collect::<Vec<_>>();
        let stages = [
            ids(&list(JobStatus::Queued, false, 0)),
            ids(&list(JobStatus::Running, true, 0)),
            ids(&list(JobStatus::Running, true, 3)),
            ids(&list(JobStatus::Succeeded, true, 3)),
        ];
        assert!(
            stages.windows(2).all(|pair| pair[1].starts_with(&pair[0])),
            "{stages:?}"
        );
    }
}
