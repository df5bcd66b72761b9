//! Follows a job and shows its progress.

use std::time::Duration;

use anyhow::{Context as _, Result, bail};
use serde_json::Value;

use super::api::Client;
use super::host::Server;
use super::interrupt::Interrupt;

/// The interval at which a job is polled at first; a longer one follows. Each poll is up to two requests, and
/// a key may make 120 per minute.
const FIRST_INTERVAL: Duration = Duration::from_millis(500);
const LAST_INTERVAL: Duration = Duration::from_secs(2);
/// How many polls use the first interval.
const FIRST_LOOKS: u32 = 20;

/// Waits until the job is in a terminal state and returns it. Prints stages, milestones and percentages to
/// standard error as they arrive.
pub fn until_done(
    client: &Client,
    server: &mut Server,
    interrupt: &Interrupt,
    job_id: &str,
) -> Result<Value> {
    let mut events = Events::default();
    let mut shown = String::new();
    for look in 0_u32.. {
        server.check()?;
        let answer = client.get(&format!("/v1/jobs/{job_id}"))?;
        if answer.status == 429 {
            interrupt.sleep(Duration::from_secs(answer.retry_after.unwrap_or(1)))?;
            continue;
        }
        let job = answer.expect(200)?;
        let status = job["status"].as_str().context("a job without status")?;
        let progress = job["progress"].as_u64().unwrap_or(0);
        let done = matches!(status, "succeeded" | "failed" | "canceled");
        let line = format!("{progress:>3} %  {status}");
        let news = events.new_lines(client, job_id);
        for line in &news {
            eprintln!("  {line}");
        }
        if news.is_empty() && line != shown && !done {
            eprintln!("  {line}");
            shown.clone_from(&line);
        }
        if done {
            eprintln!("  {line}");
            return Ok(job);
        }
        interrupt.sleep(if look < FIRST_LOOKS {
            FIRST_INTERVAL
        } else {
            LAST_INTERVAL
        })?;
    }
    bail!("the job does not end")
}

/// Reads the job's events page by page. They are a preview feature of the API: without them, only the
/// percentage is shown.
#[derive(Default)]
struct Events {
    /// Sequence of the last event seen.
    last: u64,
    missing: bool,
}

impl Events {
    fn new_lines(&mut self, client: &Client, job_id: &str) -> Vec<String> {
        let mut lines = Vec::new();
        while !self.missing {
            let path = format!("/v1/jobs/{job_id}/events?limit=100&after={}", self.last);
            let page = match client.get(&path) {
                Ok(answer) if answer.status == 200 => answer.body,
                Ok(answer) if answer.status == 429 => break,
                _ => {
                    self.missing = true;
                    break;
                }
            };
            let before = self.last;
            for event in page["events"].as_array().into_iter().flatten() {
                self.last = self.last.max(event["sequence"].as_u64().unwrap_or(0));
                lines.extend(describe(event));
            }
            if page["has_more"] != true || self.last == before {
                break;
            }
        }
        lines
    }
}

/// One line for an event that is worth showing to a person.
fn describe(event: &Value) -> Option<String> {
    let data = &event["data"];
    let word = |names: &[&str]| names.iter().find_map(|name| data[*name].as_str());
    match event["type"].as_str()? {
        "stage.started" => Some(format!("stage {}", word(&["stage", "key"])?)),
        "stage.finished" => Some(format!(
            "stage {} {}",
            word(&["stage", "key"])?,
            word(&["status"]).unwrap_or("finished")
        )),
        "milestone" => Some(format!(
            "{:>3} %  {}",
            data["percent"]
                .as_u64()
                .or_else(|| event["progress"].as_u64())
                .unwrap_or(0),
            word(&["milestone", "text", "message"])?
        )),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
    use super::*;
    use serde_json::json;

    #[test]
    fn events_become_lines() {
        let line = |event: Value| describe(&event);
        assert_eq!(
            line(json!({"type": "stage.started", "data": {"stage": "research"}})).as_deref(),
            Some("stage research")
        );
        assert_eq!(
            line(json!({"type": "stage.finished", "data": {"stage": "research", "status": "succeeded"}}))
                .as_deref(),
            Some("stage research succeeded")
        );
        assert_eq!(
            line(
                json!({"type": "milestone", "progress": 40, "data": {"milestone": "read 3 pages"}})
            )
            .as_deref(),
            Some(" 40 %  read 3 pages")
        );
        assert_eq!(line(json!({"type": "job.queued", "data": {}})), None);
    }
}
