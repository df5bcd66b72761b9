//! Playbook jobs: the backend researches and drafts; the host checks every claim against stored bytes and
//! makes the public result (annex A3).

use futures::FutureExt;
use gtm_domain::domain_name::DomainName;
use gtm_domain::job::{Product, ProductKind};
use gtm_domain::offer::OfferContent;
use gtm_domain::playbook::PlaybookInput;
use gtm_domain::{JobType, Usage};
use gtm_evidence_check::draft::Draft;
use gtm_evidence_check::playbook::{CheckInput, Checked, check};
use serde::Deserialize;
use serde_json::{Value, json};

use super::backend::{Generated, generate};
use super::bound;
use super::checking::{log_dropped, off_the_event_loop, refused};
use super::cited::{cited, fault, unreadable};
use super::{JobRun, JobTypeEntry};
use crate::brand_choice::{BrandChoice, BrandProblem, ForBrand};
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
    replayable: |_| Ok(()),
};

impl ForBrand for PlaybookInput {
    const JOB_TYPE: JobType = JobType::Playbooks;

    fn brand(&self) -> Result<BrandChoice, BrandProblem> {
        let (id, key) = (&self.brand_profile_id, &self.brand_profile_key);
        BrandChoice::named(id.as_deref(), key.as_deref(), false)
    }
}

/// The domain of the target, if the request names it.
fn domain(input: &Value) -> Option<DomainName> {
    let domain = input.get("target_company_domain")?.as_str()?;
    domain.parse().ok()
}

/// Runs a playbook job.
async fn run(mut run: JobRun) -> (Ending, Usage) {
    let input = match PlaybookInput::deserialize(&run.job.input) {
        Ok(input) => input,
        Err(error) => return (fault(&run, &error), Usage::default()),
    };
    let brand = match bound::guideline(&run).await {
        Ok(brand) => brand,
        Err(ending) => return (ending, Usage::default()),
    };
    let offer = match bound::offer(&run).await {
        Ok(offer) => offer,
        Err(ending) => return (ending, Usage::default()),
    };
    let mut task = json!({
        "input": run.job.input,
        "sections": input.resolved_sections(),
        "brand": brand,
        "now": run.started_at,
    });
    // Backends that know no offers need not accept the member.
    if let Some(offer) = &offer {
        task["offer"] = json!(offer.clone().for_texts());
    }
    let Generated {
        output,
        host,
        usage,
    } = generate(&mut run, JobType::Playbooks, task).await;
    let ending = match (output, host) {
        (Ok(output), Some(host)) => finish(&run, input, (brand, offer), output, &host).await,
        (Err(ending), _) => ending,
        (Ok(_), None) => Ending::Failed(job_error::internal(run.job.id)),
    };
    (ending, usage)
}

async fn finish(
    run: &JobRun,
    input: PlaybookInput,
    (guideline, offer): (Option<Value>, Option<OfferContent>),
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
    let sold = run.pins.offer.clone().zip(offer);
    let duration_seconds = run.duration_seconds();
    let checked = off_the_event_loop(run, move |stop| {
        let library = answers.read(stop);
        check(
            &draft,
            &CheckInput {
                input: &input,
                brand: brand.as_ref(),
                guideline: guideline.as_ref(),
                offer: sold.as_ref().map(|(bound, content)| (bound, content)),
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
