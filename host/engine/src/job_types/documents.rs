//! Documents jobs: the backend drafts sections; the host checks them against the request and stored bytes, adds the
//! brand's theme and the evidence manifest, and renderers make the files (specification, Documents; annex A17).

mod assembly;
mod logo;
mod manifest;
mod milestones;
mod texts;

use std::collections::BTreeMap;

use futures::FutureExt;
use gtm_document_model::{Document, Theme};
use gtm_domain::document::evidence_manifest::EVIDENCE_MANIFEST_ASSET;
use gtm_domain::document::file_name::file_name;
use gtm_domain::document::result::curated;
use gtm_domain::document::{
    DocumentFile, DocumentFormat, DocumentInput, DocumentResult, DocumentType, LeftOutOfBrief,
    SellingContext, theme,
};
use gtm_domain::domain_name::DomainName;
use gtm_domain::guideline::Guideline;
use gtm_domain::job::{NewFile, Product, ProductKind};
use gtm_domain::offer::OfferContent;
use gtm_domain::{Digest, JobErrorCode, JobType, Usage};
use gtm_evidence_check::document::draft::{DocumentDraft, DocumentDraftError};
use gtm_evidence_check::document::{CheckInput, Checked, check};
use gtm_runtime::{Artifact, Asset, BackendHost as _, StageStatus};
use serde::Deserialize;
use serde_json::{Value, json};

use super::backend::{Generated, generate};
use super::bound;
use super::checking::{log_dropped, off_the_event_loop, refused};
use super::cited::{cited, fault, unreadable};
use super::files::new_files;
use super::pure::Rendered;
use super::{JobRun, JobTypeEntry};
use crate::brand_choice::{BrandChoice, BrandProblem, ForBrand};
use crate::ending::Ending;
use crate::job_error;
use crate::journal::JournaledHost;
use crate::plan::{Plan, PlannedOffer, PlannedRole, Role};

/// The table entry of jobs that make documents.
pub const ENTRY: JobTypeEntry = JobTypeEntry {
    job_type: JobType::Documents,
    product: ProductKind::Files,
    plan,
    run: |job| run(job).boxed(),
    volatile: &["/duration_seconds", "/progress/*/at"],
    replayable: |_| Ok(()),
};

impl ForBrand for DocumentInput {
    const JOB_TYPE: JobType = JobType::Documents;

    fn brand(&self) -> Result<BrandChoice, BrandProblem> {
        // Never without a brand: the document would look like nobody's.
        BrandChoice::of_name(self.brand.as_deref(), true)
    }
}

/// The stages of a documents job (annex A17). The backend reports the first two.
const STAGES: &[&str] = &["plan", "compose", RENDER];
const RENDER: &str = "render";
/// The host's part of the job's progress begins here.
const COMPOSED_PERCENT: u8 = 90;
const RENDERED_PERCENT: u8 = 98;

/// A format that the caller asked for needs its renderer, and that of PDF for a copy to read. Otherwise the backend
/// chooses among the formats that have a renderer.
fn plan(input: &Value) -> Plan {
    let text = |member: &str| input.get(member).and_then(Value::as_str);
    let asked = text("format");
    let needed = DocumentFormat::ALL.into_iter().filter(|format| {
        asked.is_none_or(|asked| asked == format.as_str()) || *format == DocumentFormat::Pdf
    });
    let renderers = needed.map(|format| PlannedRole::renderer(format.renderer_role()));
    let domain: Option<DomainName> = text("target_domain").and_then(|domain| domain.parse().ok());
    Plan {
        roles: std::iter::once(PlannedRole::writer(JobType::Documents))
            .chain(renderers)
            .collect(),
        may_cost: true,
        domain,
        stages: STAGES,
        offer: PlannedOffer::named_or_bound(text("offer")),
        external_ref: text("external_ref").map(str::to_owned),
        ..Plan::default()
    }
}

const fn role(format: DocumentFormat) -> Role {
    Role::named(format.renderer_role())
}

/// What the job was created with.
struct Inputs {
    input: DocumentInput,
    /// The guideline as stored, and read.
    guideline: (Value, Guideline),
    offer: Option<OfferContent>,
    /// Formats that the draft may have.
    formats: Vec<DocumentFormat>,
}

/// Runs a documents job.
async fn run(mut run: JobRun) -> (Ending, Usage) {
    let inputs = match inputs(&run).await {
        Ok(inputs) => inputs,
        Err(ending) => return (ending, Usage::default()),
    };
    let mut task = json!({
        "input": run.job.input,
        "formats": inputs.formats,
        "brand": inputs.guideline.0,
        "now": run.started_at,
    });
    if let Some(offer) = &inputs.offer {
        task["offer"] = json!(offer.clone().for_texts());
    }
    let Generated {
        output,
        host,
        usage,
    } = generate(&mut run, JobType::Documents, task).await;
    let ending = match (output, host) {
        (Ok(output), Some(host)) => finish(&run, inputs, output, &host)
            .await
            .unwrap_or_else(|ending| ending),
        (Err(ending), _) => ending,
        (Ok(_), None) => Ending::Failed(job_error::internal(run.job.id)),
    };
    (ending, usage)
}

async fn inputs(run: &JobRun) -> Result<Inputs, Ending> {
    let input = DocumentInput::deserialize(&run.job.input).map_err(|error| fault(run, &error))?;
    // Every documents job is bound to a brand when it is created.
    let stored = bound::guideline(run).await?;
    let stored = stored.ok_or_else(|| fault(run, &"no brand is bound"))?;
    let guideline = Guideline::read(&stored).map_err(|error| fault(run, &error))?;
    let offer = bound::offer(run).await?;
    let formats = match input.format {
        // Rather fail now than after the backend's calls are paid for.
        Some(asked) => {
            run.has_renderer(&role(asked))?;
            vec![asked]
        }
        None => {
            let pinned = |format: &DocumentFormat| run.pins.plugins.contains_key(&role(*format));
            DocumentFormat::ALL.into_iter().filter(pinned).collect()
        }
    };
    if formats.is_empty() {
        run.has_renderer(&role(DocumentFormat::Pdf))?;
    }
    Ok(Inputs {
        input,
        guideline: (stored, guideline),
        offer,
        formats,
    })
}

/// A checked draft with its document, ready to be rendered.
struct Composed {
    draft: DraftFacts,
    document: Document,
    logo: Option<Asset>,
    /// The document as renderers read it.
    value: Value,
    manifest: Vec<u8>,
}

/// What a result says about the draft.
struct DraftFacts {
    format: DocumentFormat,
    reason: Option<String>,
    left_out: Vec<LeftOutOfBrief>,
}

async fn finish(
    run: &JobRun,
    inputs: Inputs,
    output: Value,
    host: &JournaledHost,
) -> Result<Ending, Ending> {
    let Inputs {
        input,
        guideline,
        offer,
        formats,
    } = inputs;
    let composed = compose(
        run,
        &input,
        (&guideline, offer.as_ref()),
        (output, formats),
        host,
    )
    .await?;
    let Composed {
        draft,
        document,
        logo,
        value,
        manifest,
    } = composed;
    let language = document.meta.language.as_str();
    milestones::tell_theme(host, COMPOSED_PERCENT, language, &document.theme).await;

    // A report that cannot be written fails the job when its end is to be written.
    let _ = host.stage(RENDER, StageStatus::Started).await;
    let manifest_digest = Digest::of(&manifest);
    let mut assets: BTreeMap<String, Asset> = (*run.config.document_fonts).clone();
    let manifest = Asset {
        media_type: "application/json".to_owned(),
        bytes: manifest.into(),
    };
    assets.insert(EVIDENCE_MANIFEST_ASSET.to_owned(), manifest);
    assets.extend(logo.map(|logo| (theme::LOGO_ASSET.to_owned(), logo)));
    let mut made: Vec<(DocumentFormat, Artifact, Option<u64>)> = Vec::new();
    for format in files_of(run, draft.format) {
        let mut assets = assets.clone();
        assets.extend(bound::template(run, format).await?);
        let document = laid_out_like(draft.format, format, &value);
        let rendered = run.render(&role(format), document, assets).await;
        let rendered = rendered.and_then(|rendered| one_file(format, rendered));
        match rendered {
            Ok((artifact, answer)) => {
                let pages = answer.get("pages").and_then(Value::as_u64);
                milestones::tell_diagnostics(host, RENDERED_PERCENT, language, format, &answer)
                    .await;
                milestones::tell_file(host, RENDERED_PERCENT, language, format, pages).await;
                made.push((format, artifact, pages));
            }
            // The file that was asked for is there; its copy in PDF is not worth losing it.
            Err(Ending::Failed(error)) if format != draft.format && is_of_the_file(&error.code) => {
                let code = error.code.as_str();
                milestones::tell_missing(host, RENDERED_PERCENT, language, format, code).await;
            }
            Err(ending) => return Err(ending),
        }
    }
    let _ = host.stage(RENDER, StageStatus::Succeeded).await;

    let (listed, files) = named(run, &document.meta.title, made, manifest_digest);
    let bound = run.pins.brand.clone();
    let asked_for_both = input.document_type.is_some() && input.format.is_some();
    let result = DocumentResult {
        files: listed,
        brand: bound.ok_or_else(|| fault(run, &"no brand is bound"))?,
        offer: run
            .pins
            .offer
            .as_ref()
            .zip(offer)
            .map(|(bound, content)| SellingContext::of(bound, content)),
        progress: curated(milestones::told(run, host).await?),
        left_out: draft.left_out,
        model: "default".to_owned(),
        duration_seconds: run.duration_seconds(),
        title: document.meta.title,
        target_domain: input.target_domain.clone(),
        external_ref: input.external_ref.clone(),
        document_type: document.meta.document_type,
        format: draft.format,
        reason: draft.reason.filter(|_| !asked_for_both),
        language: document.meta.language,
        request_echo: input,
    };
    let result = serde_json::to_value(&result).map_err(|error| fault(run, &error))?;
    Ok(Ending::Succeeded {
        result,
        product: Product::Files(files),
    })
}

/// Reads and checks the draft, and makes a document of what is left of it.
async fn compose(
    run: &JobRun,
    input: &DocumentInput,
    ((stored, guideline), offer): (&(Value, Guideline), Option<&OfferContent>),
    (output, formats): (Value, Vec<DocumentFormat>),
    host: &JournaledHost,
) -> Result<Composed, Ending> {
    let asked = input.clone();
    let read = off_the_event_loop(run, move |_| DocumentDraft::read(&output, &asked, &formats));
    let draft = read.await?.map_err(|error| match error {
        DocumentDraftError::Draft(error) => refused(&error),
        DocumentDraftError::Faults(faults) => Ending::Failed(job_error::bad_document(&faults)),
    })?;
    let answers = cited(run, draft.receipts(), host)
        .await
        .map_err(unreadable)?;
    let facts = DraftFacts {
        format: draft.format,
        reason: draft.reason.clone(),
        left_out: draft.not_printed.clone(),
    };
    let theme = theme::theme(guideline);
    let (logo, asset) = logo::of(run, guideline, theme.mode).await?.unzip();
    let image = logo.is_some().then_some(theme::LOGO_ASSET);
    let theme = Theme { logo, ..theme };
    let document_type = draft.document_type;
    let date = run.started_at.to_string();
    let (asked, stored, sold) = (input.clone(), stored.clone(), offer.cloned());
    let year = date.get(..4).unwrap_or_default().to_owned();
    let checked = off_the_event_loop(run, move |stop| {
        let library = answers.read(stop);
        let by = CheckInput {
            input: &asked,
            guideline: &stored,
            offer: sold.as_ref(),
            library: &library,
            image,
            year: &year,
            stop,
        };
        check(draft, &by).map(|checked| (checked, library))
    })
    .await?;
    let (checked, library) = checked.map_err(|error| fault(run, &error))?;
    log_dropped(&checked.dropped);
    host.tell_left_out(&checked.left_out).await;
    if !checked.says_something() {
        return Err(Ending::Failed(job_error::insufficient_evidence()));
    }
    let Checked {
        meta,
        sections,
        sources,
        ..
    } = checked;
    let (guideline, bound) = (guideline.clone(), run.pins.brand.clone());
    let of_job = manifest::OfJob::of(run);
    let assembled = off_the_event_loop(run, move |_| {
        let facts = assembly::Facts {
            guideline: &guideline,
            bound: bound.as_ref(),
            theme,
            document_type,
            date: date.get(..10).unwrap_or_default(),
        };
        let assembled = assembly::document(meta, sections, &sources, facts);
        let manifest = manifest::of(&of_job, &assembled.bearings, &sources, &library)?;
        let value = serde_json::to_value(&assembled.document);
        let value = value.map_err(|error| error.to_string())?;
        Ok::<_, String>((Document::from_value(value.clone()), value, manifest))
    });
    let (sound, value, manifest) = assembled.await?.map_err(|error| fault(run, &error))?;
    let document = sound.map_err(|faults| {
        tracing::error!(?faults, "the checked document breaks the model");
        Ending::Failed(job_error::internal(run.job.id))
    })?;
    Ok(Composed {
        draft: facts,
        document,
        logo: asset,
        value,
        manifest,
    })
}

/// The chosen format, and PDF for reading if its renderer is pinned.
fn files_of(run: &JobRun, chosen: DocumentFormat) -> Vec<DocumentFormat> {
    let copy = DocumentFormat::Pdf;
    let has_copy = chosen != copy && run.pins.plugins.contains_key(&role(copy));
    std::iter::once(chosen)
        .chain(has_copy.then_some(copy))
        .collect()
}

/// The document as a renderer gets it. A copy of slides is slides, too, and looks as slides of its type do.
fn laid_out_like(chosen: DocumentFormat, format: DocumentFormat, document: &Value) -> Value {
    let mut document = document.clone();
    if chosen == DocumentFormat::Pptx
        && format != chosen
        && let Some(meta) = document.pointer_mut("/meta")
        && meta["document_type"] != json!(DocumentType::OnePager)
    {
        meta["slides"] = json!(true);
    }
    document
}

fn one_file(format: DocumentFormat, rendered: Rendered) -> Result<(Artifact, Value), Ending> {
    let mut files = rendered.files.into_iter();
    match (files.next(), files.next()) {
        (Some(file), None) if !file.bytes.is_empty() => Ok((file, rendered.answer)),
        _ => Err(Ending::Failed(job_error::not_one_file(
            format.renderer_role(),
        ))),
    }
}

/// Whether a job error speaks of one file and not of the whole job.
fn is_of_the_file(code: &str) -> bool {
    [
        JobErrorCode::RenderFailed,
        JobErrorCode::OutputTooLarge,
        JobErrorCode::PluginTrapped,
        JobErrorCode::PluginLimitExceeded,
        JobErrorCode::PluginContractViolation,
        JobErrorCode::PluginUnavailable,
    ]
    .iter()
    .any(|of_file| of_file.as_str() == code)
}

/// The files with names for people, and how the result lists them. The host decides their media types.
fn named(
    run: &JobRun,
    title: &str,
    made: Vec<(DocumentFormat, Artifact, Option<u64>)>,
    manifest: Digest,
) -> (Vec<DocumentFile>, Vec<NewFile>) {
    let kinds: Vec<_> = made
        .iter()
        .map(|(format, _, pages)| (*format, *pages))
        .collect();
    let artifacts = made.into_iter().map(|(format, artifact, _)| Artifact {
        filename: file_name(title, format),
        media_type: format.media_type().to_owned(),
        bytes: artifact.bytes,
    });
    let files = new_files(run.job.id, run.job.created_at, artifacts.collect());
    let listed = files
        .iter()
        .zip(kinds)
        .map(|(file, (format, pages))| DocumentFile {
            file_id: file.id,
            filename: file.name.clone(),
            format,
            size_bytes: file.bytes.len() as u64,
            content_digest: Digest::of(&file.bytes),
            evidence_manifest_digest: manifest,
            pages,
        });
    (listed.collect(), files)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn roles(input: &Value) -> Vec<String> {
        let plan = plan(input);
        let roles = plan.roles.iter();
        roles
            .map(|planned| planned.role.as_str().to_owned())
            .collect()
    }

    #[test]
    fn a_plan_follows_from_the_request() {
        let all = ["writer", "render.pptx", "render.docx", "render.pdf"];
        assert_eq!(roles(&json!({"brief": "A", "format": null})), all);
        for (format, renderers) in [
            ("pptx", vec!["writer", "render.pptx", "render.pdf"]),
            ("docx", vec!["writer", "render.docx", "render.pdf"]),
            ("pdf", vec!["writer", "render.pdf"]),
        ] {
            assert_eq!(roles(&json!({"format": format})), renderers);
        }
        let plan = plan(&json!({
            "target_domain": "acme.example", "offer": "meters", "external_ref": "crm-7",
        }));
        assert_eq!(
            plan.domain.map(|d| d.to_string()).as_deref(),
            Some("acme.example")
        );
        assert_eq!(plan.offer, PlannedOffer::Named("meters".to_owned()));
        assert_eq!(plan.external_ref.as_deref(), Some("crm-7"));
        assert_eq!(plan.stages, ["plan", "compose", "render"]);
    }
}
