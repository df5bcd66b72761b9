//! What the tests of documents jobs have in common: a brand, an offer, a page, and backends that write of them.

use std::sync::Arc;
use std::time::Duration;

use gtm_domain::binding::BindingTarget;
use gtm_domain::brand::BrandCreate;
use gtm_domain::document::{DocumentFormat, DocumentInput, DocumentType};
use gtm_domain::job::{Job, JobFile};
use gtm_domain::offer::OfferInput;
use gtm_domain::{BrandId, JobId, JobStatus, OfferId};
use gtm_engine::{CreateError, CreateOutcome, Engine, Workers, job_types};
use gtm_runtime::StageStatus;
use serde_json::{Value, json};

use crate::guidelines;
use crate::harness::{Harness, answer};
use crate::scripted::{Script, ScriptedConnectors, answers, ask, fetch, page, script};
use crate::scripted_pure::{PDF_RENDERER, ScriptedPure};

pub const BRAND_URL: &str = "https://northwind.example/";
pub const MISSION: &str = "We make meters that everyone can read.";
pub const LOGO_URL: &str = "https://northwind.example/logo.svg";
pub const LOGO: &str = "<svg xmlns='http://www.w3.org/2000/svg' width='120' height='40'><rect width='9' height='9'/></svg>";
pub const URL: &str = "https://acme.example/";
pub const HTML: &str = "<html lang=en><title>Acme</title><p>We make meters that everyone can read.</p>\
    <img src='/logo.svg' alt='Northwind logo'><p>Northwind makes meters.</p><p>Acme runs 14 blocks in Leeds.</p>";

pub fn input() -> DocumentInput {
    DocumentInput {
        brief: "A deck for Acme. Setup takes 3 days.".to_owned(),
        document_type: None,
        format: None,
        target_domain: Some("acme.example".to_owned()),
        brand: None,
        offer: None,
        template_urls: vec![],
        title: None,
        external_ref: Some("crm-7".to_owned()),
    }
}

pub fn asking(format: DocumentFormat) -> DocumentInput {
    DocumentInput {
        format: Some(format),
        document_type: Some(DocumentType::Deck),
        ..input()
    }
}

pub fn served() -> Arc<ScriptedConnectors> {
    ScriptedConnectors::new(answers(|call| async move {
        let url = call.input["url"].as_str().unwrap();
        page(url, if url == LOGO_URL { LOGO } else { HTML })
    }))
}

pub fn drafted(format: &str, receipt: &Value, sentences: &[(&str, &str)]) -> Value {
    let paragraph = |(text, cite): &(&str, &str)| json!({"type": "paragraph", "runs": [{"text": text, "cite": [cite]}]});
    json!({
        "format": format, "document_type": "deck", "reason": "A talk needs slides.", "outline": ["Why now"],
        "meta": {"title": "Metering: for Acme", "subtitle": null, "language": "en-GB", "direction": "ltr",
            "organization": null, "keywords": [], "classification": null},
        "sources": [{"id": "s1", "title": "Acme", "url": URL, "publisher": null, "retrieved_at": null,
            "receipt_id": receipt, "excerpts": ["Acme runs 14 blocks"]}],
        "sections": [{"id": "why", "title": "Why now", "blocks": sentences.iter().map(paragraph).collect::<Vec<_>>()}],
        "left_out": [], "written_by": "rules",
        "not_printed": [
            {"reason": "to_the_writer", "text": "A deck for Acme."},
            {"reason": "confidential", "text": "Visit shop.example, which the brief does not say."},
        ],
    })
}

/// A backend that researches brands, and writes documents of a page of the target.
pub fn writing(format: &'static str, sentences: &'static [(&'static str, &'static str)]) -> Script {
    script(move |host, request| async move {
        if request.task == "brands" {
            let page = ask(&host, vec![fetch(BRAND_URL)]).await?.remove(0).unwrap();
            return Ok(guidelines::draft(MISSION, MISSION, &page["receipt_id"]));
        }
        assert_eq!(request.task, "documents");
        assert_eq!(
            request.input["brand"]["foundations"]["mission"]["value"],
            MISSION
        );
        let formats = request.input["formats"].as_array().unwrap().clone();
        assert!(formats.contains(&json!(format)), "{formats:?}");
        let _ = host.stage("plan", StageStatus::Started).await;
        let _ = host.report(10, Some("A deck.".to_owned())).await;
        let _ = host.stage("plan", StageStatus::Succeeded).await;
        let _ = host.stage("compose", StageStatus::Started).await;
        let page = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
        let _ = host
            .report(60, Some("One section is written.".to_owned()))
            .await;
        let _ = host.stage("compose", StageStatus::Succeeded).await;
        Ok(drafted(format, &page["receipt_id"], sentences))
    })
}

pub const TRUE_AND_FALSE: &[(&str, &str)] = &[
    ("They run 14 blocks. They run 99 blocks.", "s1"),
    ("Setup takes 3 days.", "brief"),
    ("We bill 18,000 flats.", "offer"),
];

/// Binds a writer, a fetcher, and these renderers.
pub async fn bind(harness: &Harness, formats: &[DocumentFormat]) {
    for capability in ["brands", "documents"] {
        harness.bind_backend_for(capability, "playbook").await;
    }
    harness
        .bind_connection("web.fetch", "web.fetch", json!({}))
        .await;
    for format in formats {
        let key = match format {
            DocumentFormat::Pdf => PDF_RENDERER,
            _ => "echo-renderer",
        };
        let renderer = BindingTarget::Renderer {
            key: key.to_owned(),
            version: Some("1.0.0".to_owned()),
        };
        harness
            .bind(format.renderer_role(), renderer, json!({}))
            .await;
    }
}

/// A default brand with its guideline, researched on this engine.
pub async fn brand(harness: &Harness, engine: &Engine) -> BrandId {
    let request = BrandCreate {
        company_name: Some("Northwind".into()),
        website: Some(BRAND_URL.parse().unwrap()),
        is_default: true,
    };
    let made = engine.create_brand(&harness.scope, request, None, |_| answer("{}"));
    let CreateOutcome::Created { resource: job, .. } = made.await.unwrap() else {
        panic!("replayed")
    };
    let job = to_its_end(harness, engine, job.id).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    job.input["brand_profile_id"]
        .as_str()
        .unwrap()
        .parse()
        .unwrap()
}

pub async fn offer(harness: &Harness, approved: bool) -> OfferId {
    let written = json!({
        "name": "Handover meters",
        "value_propositions": [{"key": "bill", "text": "One bill per flat from day one."}],
        "proof_points": [{"key": "a", "text": "18,000 flats billed monthly"}],
        "pricing": {"model": "per_unit_month", "display": "from £3.20 per flat"},
        "icp": {"segments": ["build-to-rent"], "roles": ["head of operations"], "countries": ["GB"]},
        "stage_fit": ["prospecting"],
    });
    let content = OfferInput::read(&written).unwrap().content;
    let operator = harness.store.operator();
    let key = format!("meters-{approved}").parse().unwrap();
    let made = operator.create_offer(harness.scope.organization(), key, content);
    let id = made.await.unwrap().offer.id;
    if approved {
        operator.approve_offer(id, Some(1), "Ada").await.unwrap();
    }
    id
}

pub async fn create(
    harness: &Harness,
    engine: &Engine,
    input: DocumentInput,
) -> Result<JobId, CreateError> {
    let made = engine.create_for_brand(&harness.scope, input, None, |job| {
        answer(job.id.to_string())
    });
    match made.await? {
        CreateOutcome::Created { resource: job, .. } => Ok(job.id),
        other => panic!("{other:?}"),
    }
}

pub async fn to_its_end(harness: &Harness, engine: &Engine, id: JobId) -> Job {
    let workers = Workers::start(engine);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    job
}

pub async fn ran(harness: &Harness, engine: &Engine, input: DocumentInput) -> Job {
    let id = create(harness, engine, input).await.unwrap();
    to_its_end(harness, engine, id).await
}

pub async fn files_of(harness: &Harness, job: JobId) -> Vec<JobFile> {
    let files = harness.store.job_files(&harness.scope, job).await;
    files.unwrap().unwrap()
}

pub fn engine(harness: &Harness, script: Script, pure: &Arc<ScriptedPure>) -> Engine {
    harness.engine_of(script, job_types::ALL, Arc::clone(pure))
}

/// A backend that finds the brand's name and logo, and else does as [`writing`].
pub fn with_logo() -> Script {
    let writing = writing("pdf", TRUE_AND_FALSE);
    script(move |host, request| {
        let writing = Arc::clone(&writing);
        async move {
            if request.task != "brands" {
                return writing(host, request).await;
            }
            let calls = vec![fetch(BRAND_URL), fetch(LOGO_URL)];
            let answers = ask(&host, calls).await?;
            let receipts: Vec<Value> = (answers.into_iter())
                .map(|answer| answer.unwrap()["receipt_id"].clone())
                .collect();
            let mut draft = guidelines::draft(MISSION, MISSION, &receipts[0]);
            draft["guideline"]["identity"]["brand_name"] = json!("Northwind");
            draft["guideline"]["visual"]["logos"] =
                json!([{"url": LOGO_URL, "inline_svg": null, "variant": "logo", "theme": null}]);
            let quote = json!([{"receipt_id": receipts[0], "text": "Northwind makes meters."}]);
            let mut more = vec![
                json!({"pointer": "/identity/brand_name", "basis": "stated", "reasoning": null,
                    "excerpts": quote, "receipt_ids": []}),
                json!({"pointer": "/visual/logos/0", "basis": "observed", "reasoning": null,
                    "excerpts": [], "receipt_ids": receipts}),
            ];
            draft["basis"].as_array_mut().unwrap().append(&mut more);
            Ok(draft)
        }
    })
}
