//! Brands jobs: the backend researches and drafts; the host checks every claim against stored bytes and
//! makes the next revision of the brand's guideline (annex A2).

use futures::FutureExt;
use gtm_domain::brand::{BrandInput, BrandsResult, NewGuideline, StoredGuideline};
use gtm_domain::domain_name::DomainName;
use gtm_domain::guideline::Completed;
use gtm_domain::guideline::fields::FIELDS;
use gtm_domain::job::{Product, ProductKind};
use gtm_domain::website::Website;
use gtm_domain::{JobType, Timestamp, Usage};
use gtm_evidence_check::brand::draft::BrandDraft;
use gtm_evidence_check::brand::{CheckInput, Checked, check};
use gtm_store::StoreError;
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

/// The table entry of jobs that research brands.
pub const ENTRY: JobTypeEntry = JobTypeEntry {
    job_type: JobType::Brands,
    product: ProductKind::Guideline,
    plan: |input| Plan::written_by(JobType::Brands, domain(input)),
    run: |job| run(job).boxed(),
    // Results of earlier versions hold the path that the API now adds to its answer.
    volatile: &["/guideline_path"],
    replayable: |_| Ok(()),
};

/// The domain of the company's website, if the request names one.
fn domain(input: &Value) -> Option<DomainName> {
    let website: Website = input.get("website_url")?.as_str()?.parse().ok()?;
    Some(website.domain().clone())
}

/// Runs a brands job.
async fn run(mut run: JobRun) -> (Ending, Usage) {
    let input = match BrandInput::deserialize(&run.job.input) {
        Ok(input) => input,
        Err(error) => return (fault(&run, &error), Usage::default()),
    };
    let task = json!({
        "brand": {
            "brand_profile_id": input.brand_profile_id,
            "company_name": input.company_name,
            "website_url": input.website_url,
        },
        "now": run.started_at,
    });
    let Generated {
        output,
        host,
        usage,
    } = generate(&mut run, JobType::Brands, task).await;
    let ending = match (output, host) {
        (Ok(output), Some(host)) => finish(&run, input, output, &host).await,
        (Err(ending), _) => ending,
        (Ok(_), None) => Ending::Failed(job_error::internal(run.job.id)),
    };
    (ending, usage)
}

async fn finish(run: &JobRun, input: BrandInput, output: Value, host: &JournaledHost) -> Ending {
    let draft = match off_the_event_loop(run, move |_| BrandDraft::read(&output)).await {
        Ok(Ok(draft)) => draft,
        Ok(Err(error)) => return refused(&error),
        Err(ending) => return ending,
    };
    let read = async {
        let answers = cited(run, draft.receipts(), host).await?;
        Ok::<_, StoreError>((
            answers,
            finished_at(run).await?,
            previous(run, &input).await?,
        ))
    };
    let (answers, finished_at, previous) = match read.await {
        Ok(read) => read,
        Err(error) => return unreadable(error),
    };
    let start_urls = run.pins.start_urls();
    let (job, started_at) = (run.job.id, run.started_at);
    let checked = off_the_event_loop(run, move |stop| {
        let library = answers.read(stop);
        check(
            &draft,
            &CheckInput {
                input: &input,
                start_urls: &start_urls,
                library: &library,
                job,
                revision: previous.as_ref().map_or(1, |p| p.revision.revision + 1),
                previous: previous.as_ref().map(|p| &p.document),
                started_at,
                finished_at,
                stop,
            },
        )
    })
    .await;
    match checked {
        Ok(Ok(Checked {
            completed,
            dropped,
            left_out,
        })) => {
            log_dropped(&dropped);
            host.tell_left_out(&left_out).await;
            succeed(run, completed)
        }
        Ok(Err(error)) => fault(run, &error),
        Err(ending) => ending,
    }
}

/// DANGER: a guideline without a single claim that a source supports would replace a better one. So the job
/// fails, however many pages were read, and the last revision stays.
fn succeed(run: &JobRun, completed: Completed) -> Ending {
    let Completed {
        guideline,
        document,
        changed_pointers,
    } = completed;
    let source_count = guideline.research.sources.len() as u64;
    let is_sourced = |claim: &Value| {
        let sources = claim.get("source_ids").and_then(Value::as_array);
        sources.is_some_and(|sources| !sources.is_empty())
    };
    let borne_out = FIELDS
        .iter()
        .flat_map(|field| field.claims(&document))
        .any(|(_, claim)| is_sourced(claim));
    if !borne_out {
        return Ending::Failed(job_error::insufficient_evidence());
    }
    let result = BrandsResult {
        brand_profile_id: guideline.brand_profile_id,
        schema_version: guideline.schema_version.clone(),
        revision: guideline.revision,
        guideline_hash: guideline.guideline_hash,
        source_count,
    };
    match serde_json::to_value(&result) {
        Ok(result) => Ending::Succeeded {
            result,
            product: Product::Guideline(NewGuideline {
                brand: guideline.brand_profile_id,
                revision: guideline.revision,
                hash: guideline.guideline_hash,
                schema_version: guideline.schema_version,
                generated_at: guideline.generated_at,
                source_count,
                changed_pointers,
                document,
            }),
        },
        Err(error) => fault(run, &error),
    }
}

/// When the facts were complete: the end of the job's last exchange. The clock would give another time on
/// every replay.
async fn finished_at(run: &JobRun) -> Result<Timestamp, StoreError> {
    let receipts = run.reader.receipts().await?;
    let last = receipts.iter().map(|row| row.receipt.at).max();
    Ok(last.map_or(run.started_at, |at| at.max(run.started_at)))
}

/// The revision before the one that this job makes. On a replay it is the one before the revision that the
/// job made, regardless of later ones.
async fn previous(run: &JobRun, input: &BrandInput) -> Result<Option<StoredGuideline>, StoreError> {
    let made = run.job.result.as_ref();
    let made = made.and_then(|result| result.get("revision")?.as_u64());
    run.reader
        .guideline_before(input.brand_profile_id, made)
        .await
}
