//! Playbook jobs: the backend researches and drafts, the host checks every claim against stored
//! bytes and makes the public result (annex A3).

use std::collections::BTreeSet;

use gtm_domain::Usage;
use gtm_domain::capability::ProductCapability;
use gtm_domain::playbook::PlaybookInput;
use serde::Deserialize;
use serde_json::{Value, json};

use super::JobRun;
use super::backend::{Generated, generate};
use crate::error::EngineError;
use crate::evidence::draft::Draft;
use crate::evidence::library::{Library, Stored};
use crate::evidence::playbook::{CheckInput, Checked, check};
use crate::job_error;
use crate::journal::JournaledHost;
use crate::run::Ending;

/// Run a playbook job.
pub async fn run(mut run: JobRun) -> (Ending, Usage) {
    let input = match PlaybookInput::deserialize(&run.job.input) {
        Ok(input) => input,
        Err(error) => {
            tracing::error!(%error, "the stored input is no playbook input");
            return (
                Ending::Failed(job_error::internal(run.job.id)),
                Usage::default(),
            );
        }
    };
    let task = json!({
        "input": run.job.input,
        "sections": input.resolved_sections(),
        "brand": null,
        "now": run.started_at,
    });
    let Generated {
        output,
        host,
        usage,
    } = generate(&mut run, ProductCapability::Playbooks, task).await;
    let ending = match (output, host) {
        (Ok(output), Some(host)) => finish(&run, input, output, &host).await,
        (Err(ending), _) => ending,
        (Ok(_), None) => Ending::Failed(job_error::internal(run.job.id)),
    };
    (ending, usage)
}

async fn finish(run: &JobRun, input: PlaybookInput, output: Value, host: &JournaledHost) -> Ending {
    let draft = match Draft::read(&output) {
        Ok(draft) => draft,
        Err(error) => return Ending::Failed(job_error::bad_draft(&error.to_string())),
    };
    let stored = match cited(run, &draft, host).await {
        Ok(stored) => stored,
        Err(EngineError::Store(gtm_store::StoreError::LeaseLost)) => return Ending::LeaseLost,
        Err(error) => return Ending::Pause(error.to_string()),
    };
    let settings = run
        .pins
        .backend
        .as_ref()
        .map_or(Value::Null, |backend| backend.settings.clone());
    let took = run.engine.clock().now().since(run.started_at);
    #[expect(
        clippy::cast_precision_loss,
        reason = "a job takes minutes, not millennia"
    )]
    let duration_seconds = took.as_millis() as f64 / 1000.0;
    // Extracting and matching megabytes of text is the processor's work, not the event loop's.
    let checked = tokio::task::spawn_blocking(move || {
        let mut library = Library::default();
        for answer in stored {
            match answer.read() {
                Ok(stored) => library.insert(stored),
                Err(error) => tracing::info!(%error, "a cited answer cannot serve as evidence"),
            }
        }
        check(
            &draft,
            &CheckInput {
                input: &input,
                settings: &settings,
                library: &library,
                duration_seconds,
            },
        )
    })
    .await;
    match checked {
        Ok(Ok(Checked { result, dropped })) => {
            for (pointer, reason) in &dropped {
                tracing::info!(pointer, ?reason, "a claim was dropped");
            }
            match serde_json::to_value(&result) {
                Ok(result) => Ending::Succeeded(result),
                Err(error) => fault(run, &error),
            }
        }
        Ok(Err(error)) => fault(run, &error),
        Err(error) => fault(run, &error),
    }
}

fn fault(run: &JobRun, error: &dyn std::fmt::Display) -> Ending {
    tracing::error!(%error, "the evidence check failed");
    Ending::Failed(job_error::internal(run.job.id))
}

/// A stored answer that the draft names, not yet read as evidence.
struct Answer {
    receipt: gtm_domain::receipt::Receipt,
    bytes: bytes::Bytes,
    connector: gtm_domain::evidence::ConnectorRef,
    output: std::sync::Arc<Value>,
}

impl Answer {
    fn read(self) -> Result<Stored, crate::evidence::library::Unusable> {
        Stored::of(self.receipt, &self.bytes, self.connector, &self.output)
    }
}

/// The stored answers that the draft names and that this job's own calls fetched. Answers of models
/// are not among them (see the journal's steps), so a model's words are never their own evidence.
async fn cited(
    run: &JobRun,
    draft: &Draft,
    host: &JournaledHost,
) -> Result<Vec<Answer>, EngineError> {
    let named: BTreeSet<String> = draft.receipts().into_iter().collect();
    if named.is_empty() {
        return Ok(Vec::new());
    }
    let mut answers = Vec::new();
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
    Ok(answers)
}
