//! Playbook jobs: the backend researches and drafts; the host checks every claim against stored bytes and
//! makes the public result (annex A3).

use futures::FutureExt;
use gtm_domain::domain_name::DomainName;
use gtm_domain::job::{Product, ProductKind};
use gtm_domain::playbook::PlaybookInput;
use gtm_domain::{JobType, Usage};
use gtm_evidence_check::draft::Draft;
use gtm_evidence_check::playbook::{CheckInput, Checked, check};
use serde::Deserialize;
use serde_json::{Value, json};

use super::backend::{Generated, generate};
use super::checking::{log_dropped, off_the_event_loop, refused};
use super::cited::{cited, fault, unreadable};
use super::{JobRun, JobTypeEntry};
use crate::ending::Ending;
use crate::job_error;
use crate::journal::JournaledHost;
use crate::plan::Plan;

/// The table entry of jobs that make playbooks.
pub const ENTRY: JobTypeEntry = JobTypeEntry {
    job_type: JobType::Playbooks,
    product: ProductKind::None,
    plan: |input| Plan::written_by(JobType::Playbooks, domain(input)),
    run: |job| run(job).boxed(),
    volatile: &["/duration_seconds"],
};

/// The domain of the target, if the request names it.
fn domain(input: &Value) -> Option<DomainName> {
    let domain = input.get("target_company_domain")?.as_str()?;
    domain.parse().ok()
}

/// Runs a playbook job.
async fn run(mut run: JobRun) -> (Ending, Usage) {
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
    let brand = match bound_guideline(&run).await {
        Ok(brand) => brand,
        Err(ending) => return (ending, Usage::default()),
    };
    let task = json!({
        "input": run.job.input,
        "sections": input.resolved_sections(),
        "brand": brand,
        "now": run.started_at,
    });
    let Generated {
        output,
        host,
        usage,
    } = generate(&mut run, JobType::Playbooks, task).await;
    let ending = match (output, host) {
        (Ok(output), Some(host)) => finish(&run, input, brand, output, &host).await,
        (Err(ending), _) => ending,
        (Ok(_), None) => Ending::Failed(job_error::internal(run.job.id)),
    };
    (ending, usage)
}

/// The public guideline of the brand, as bound when the job was created. Later revisions change nothing,
/// nor does archiving the brand while the job runs.
async fn bound_guideline(run: &JobRun) -> Result<Option<Value>, Ending> {
    let Some(bound) = &run.pins.brand else {
        return Ok(None);
    };
    let found = match run.reader.guideline(bound).await {
        Ok(found) => found,
        Err(error) => return Err(unreadable(error)),
    };
    found
        .filter(|found| found.archived_at.is_none_or(|at| at > run.started_at))
        .map(|found| Some(found.document))
        .ok_or_else(|| Ending::Failed(job_error::guideline_unavailable(bound)))
}

async fn finish(
    run: &JobRun,
    input: PlaybookInput,
    guideline: Option<Value>,
    output: Value,
    host: &JournaledHost,
) -> Ending {
    let draft = match off_the_event_loop(run, move |_| Draft::read(&output)).await {
        Ok(Ok(draft)) => draft,
        Ok(Err(error)) => return refused(&error),
        Err(ending) => return ending,
    };
    let answers = match cited(run, draft.receipts(), host).await {
        Ok(answers) => answers,
        Err(error) => return unreadable(error),
    };
    let start_urls = run.pins.start_urls();
    let brand = run.pins.brand.clone();
    let took = run.clock.now().since(run.started_at);
    #[expect(
        clippy::cast_precision_loss,
        reason = "a job takes minutes, not millennia"
    )]
    let duration_seconds = took.as_millis() as f64 / 1000.0;
    let checked = off_the_event_loop(run, move |stop| {
        let library = answers.read(stop);
        check(
            &draft,
            &CheckInput {
                input: &input,
                brand: brand.as_ref(),
                guideline: guideline.as_ref(),
                start_urls: &start_urls,
                library: &library,
                duration_seconds,
                stop,
            },
        )
    })
    .await;
    match checked {
        Ok(Ok(checked)) => {
            log_dropped(&checked.dropped);
            host.tell_left_out(&checked.left_out).await;
            if !checked.says_something() {
                return Ending::Failed(job_error::insufficient_evidence());
            }
            let Checked { result, .. } = checked;
            match serde_json::to_value(&result) {
                Ok(result) => Ending::Succeeded {
                    result,
                    product: Product::None,
                },
                Err(error) => fault(run, &error),
            }
        }
        Ok(Err(error)) => fault(run, &error),
        Err(ending) => ending,
    }
}
