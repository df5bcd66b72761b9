//! The stored answers that a draft cites, in the form that the evidence check needs.

use std::collections::BTreeSet;
use std::sync::Arc;

use bytes::Bytes;
use gtm_domain::evidence::ConnectorRef;
use gtm_domain::receipt::Receipt;
use gtm_evidence_check::library::{Library, Stored};
use gtm_store::StoreError;
use serde_json::Value;

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
    output: Arc<Value>,
}

impl Answers {
    /// Reads them. Extracting text from megabytes takes processor time and does not belong on the event
    /// loop.
    #[must_use]
    pub fn read(self) -> Library {
        let mut library = Library::default();
        for answer in self.0 {
            let read = Stored::of(
                answer.receipt,
                &answer.bytes,
                answer.connector,
                &answer.output,
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
/// # Errors
/// If the store fails.
pub async fn cited(
    run: &JobRun,
    named: Vec<String>,
    host: &JournaledHost,
) -> Result<Answers, StoreError> {
    let named: BTreeSet<String> = named.into_iter().collect();
    let mut answers = Vec::new();
    if named.is_empty() {
        return Ok(Answers(answers));
    }
    for row in run.reader.receipts().await? {
        if !named.contains(&row.receipt.id.to_string()) {
            continue;
        }
        let Some(call) = host.settled(row.seq) else {
            continue;
        };
        let Some(connector) = call.connector else {
            continue;
        };
        if let Some(bytes) = run.reader.bytes(&row.receipt).await? {
            answers.push(Answer {
                receipt: row.receipt,
                bytes,
                connector,
                output: call.output,
            });
        }
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

/// How a run ends when the evidence check itself fails, which is an internal error.
#[must_use]
pub fn fault(run: &JobRun, error: &dyn std::fmt::Display) -> Ending {
    tracing::error!(%error, "the evidence check failed");
    Ending::Failed(job_error::internal(run.job.id))
}
