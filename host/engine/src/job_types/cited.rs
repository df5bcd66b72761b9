//! The stored answers that a draft cites, in the form that the evidence check needs.

use std::collections::BTreeMap;

use bytes::Bytes;
use gtm_domain::evidence::ConnectorRef;
use gtm_domain::job::JobReceipt;
use gtm_domain::receipt::Receipt;
use gtm_evidence_check::library::{Library, MAX_CITED_BYTES, Reported, Stored};
use gtm_evidence_check::stop_flag::StopFlag;
use gtm_store::StoreError;

use super::JobRun;
use crate::ending::Ending;
use crate::job_error;
use crate::journal::JournaledHost;

/// Stored answers that have not been read as evidence yet.
pub struct Answers(Vec<Answer>);

struct Answer {
    receipt: Receipt,
    bytes: Bytes,
    connector: ConnectorRef,
    facts: Reported,
}

impl Answers {
    /// Reads them until the flag is raised. Extracting text from megabytes takes processor time and does not
    /// belong on the event loop.
    #[must_use]
    pub fn read(self, stop: &StopFlag) -> Library {
        let mut library = Library::default();
        for answer in self.0 {
            if stop.is_raised() {
                break;
            }
            let read = Stored::of(
                answer.receipt,
                &answer.bytes,
                answer.connector,
                answer.facts,
                library.room(),
            );
            match read {
                Ok(stored) => library.insert(stored),
                Err(error) => tracing::info!(%error, "a cited answer cannot serve as evidence"),
            }
        }
        library
    }
}

/// The stored answers behind the receipts that a draft cites, as far as this job's own calls fetched them.
/// Answers of models are excluded (see the journal's steps), so a model's words are never their own
/// evidence.
///
/// All of them are in memory at the same time, so there is room for [`MAX_CITED_BYTES`]. An answer that does
/// not fit after those that the draft names before it is left out, and supports nothing.
///
/// # Errors
/// If the store fails.
pub async fn cited(
    run: &JobRun,
    named: Vec<String>,
    host: &JournaledHost,
) -> Result<Answers, StoreError> {
    let mut answers = Vec::new();
    if named.is_empty() {
        return Ok(Answers(answers));
    }
    let receipts = run.reader.receipts().await?.into_iter();
    let mut receipts: BTreeMap<String, JobReceipt> = receipts
        .map(|row| (row.receipt.id.to_string(), row))
        .collect();
    let (mut room, mut left_out) = (MAX_CITED_BYTES, 0_usize);
    for id in named {
        let Some(row) = receipts.remove(&id) else {
            continue;
        };
        let Some((connector, facts)) = host.cited(row.seq) else {
            continue;
        };
        if row.receipt.response_bytes > room as u64 {
            left_out += 1;
            continue;
        }
        if let Some(bytes) = run.reader.bytes(&row.receipt).await? {
            room = room.saturating_sub(bytes.len());
            answers.push(Answer {
                receipt: row.receipt,
                bytes,
                connector,
                facts,
            });
        }
    }
    if left_out > 0 {
        tracing::warn!(left_out, "a draft cites more bytes than a job may");
    }
    Ok(Answers(answers))
}

/// How a run ends when the store cannot be read.
#[must_use]
pub fn unreadable(error: StoreError) -> Ending {
    match error {
        StoreError::LeaseLost => Ending::LeaseLost,
        error => Ending::Pause(error.to_string()),
    }
}

/// How a run ends at an internal fault, such as a stored input that cannot be read, or a check that fails itself.
#[must_use]
pub fn fault(run: &JobRun, error: &dyn std::fmt::Display) -> Ending {
    tracing::error!(%error, "an internal fault ended the job");
    Ending::Failed(job_error::internal(run.job.id))
}
