//! Tests of documents jobs: from a brief to files, resumed and replayed, on both engines.

mod fixtures;
mod templates;

use std::sync::Arc;

use bytes::Bytes;
use gtm_domain::document::{DocumentFormat, DocumentInput};
use gtm_domain::job::Job;
use gtm_domain::{Digest, JobStatus, StageState};
use gtm_engine::{BrandProblem, CreateError, DefaultProblem, OfferProblem, job_types};
use gtm_runtime::{Asset, StageStatus};
use serde_json::{Value, json};

use crate::harness::{Harness, Victim, code, until};
use crate::replays::reader;
use crate::scripted::{ask, fetch, script};
use crate::scripted_pure::ScriptedPure;
use fixtures::*;
use templates::the_template_in_use_is_bound_when_a_job_is_created;

async fn a_brief_becomes_files_that_say_only_what_stands(mut harness: Harness) {
    let font = Asset {
        media_type: "font/ttf".to_owned(),
        bytes: Bytes::from_static(b"font"),
    };
    harness.config.document_fonts = Arc::new([("fonts/own.ttf".to_owned(), font)].into());
    bind(&harness, &DocumentFormat::ALL).await;
    let pure = Arc::new(ScriptedPure::default());
    let engine = engine(&harness, writing("pptx", TRUE_AND_FALSE), &pure);
    let brand = brand(&harness, &engine).await;
    let sold = offer(&harness, true).await;
    let wanted = DocumentInput {
        offer: Some("meters-true".to_owned()),
        brand: Some("northwind".to_owned()),
        ..input()
    };
    let job = ran(&harness, &engine, wanted.clone()).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(job.external_ref.as_deref(), Some("crm-7"));
    let pinned: Vec<&String> = job.pins["plugins"].as_object().unwrap().keys().collect();
    assert_eq!(pinned, ["render.docx", "render.pdf", "render.pptx"]);

    let result = job.result.clone().unwrap();
    assert_eq!(result["request_echo"], json!(wanted));
    assert_eq!(result["title"], "Metering: for Acme");
    assert_eq!(result["brand"]["brand_profile_id"], json!(brand));
    assert_eq!(result["offer"]["offer_id"], json!(sold));
    assert_eq!(
        result["offer"]["pricing"],
        Value::Null,
        "a price that must not be disclosed"
    );
    // The rest of the selling context is there as it was resolved.
    let context = &result["offer"];
    for (member, held) in [
        ("/value_propositions/0/key", "bill"),
        ("/proof_points/0/key", "a"),
        ("/icp/segments/0", "build-to-rent"),
        ("/stage_fit/0", "prospecting"),
    ] {
        assert_eq!(context.pointer(member), Some(&json!(held)), "{context}");
    }
    assert_eq!(
        (&result["model"], &result["format"]),
        (&json!("default"), &json!("pptx"))
    );
    let files = files_of(&harness, job.id).await;
    let listed: Vec<_> = (result["files"].as_array().unwrap().iter())
        .map(|file| {
            (
                file["filename"].as_str().unwrap(),
                file["format"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        listed,
        [
            ("Metering for Acme.pptx", "pptx"),
            ("Metering for Acme.pdf", "pdf")
        ]
    );
    for (file, listed) in files.iter().zip(result["files"].as_array().unwrap()) {
        assert_eq!(listed["file_id"], json!(file.id));
        assert_eq!(listed["content_digest"], json!(file.digest));
        assert_eq!(listed["size_bytes"], file.size_bytes);
        assert_eq!(listed["pages"], 2);
    }
    // The host says what a file is, not its renderer.
    assert_eq!(files[1].media_type, "application/pdf");

    let given = pure.documents.lock().unwrap().clone();
    let (document, assets) = &given[0];
    let blocks = &document["sections"][0]["blocks"];
    let texts: Vec<&str> = (blocks.as_array().unwrap().iter())
        .map(|block| block["runs"][0]["text"].as_str().unwrap())
        .collect();
    assert_eq!(
        texts,
        [
            "They run 14 blocks.",
            "Setup takes 3 days.",
            "We bill 18,000 flats."
        ]
    );
    assert_eq!(blocks[0]["runs"][0]["cite"], json!(["s1"]));
    assert_eq!(
        blocks[1]["runs"][0].get("cite"),
        None,
        "a reader has no use for it"
    );
    assert_eq!(
        document["meta"]["date"],
        job.started_at.unwrap().to_string()[..10]
    );
    assert_eq!(document["brand"]["revision"], 1);
    assert_eq!(document["sources"][0]["url"], URL);
    assert_eq!(&assets["fonts/own.ttf"][..], b"font");
    let manifest = &assets["evidence-manifest.json"];
    assert_eq!(
        result["files"][0]["evidence_manifest_digest"],
        json!(Digest::of(manifest))
    );
    let manifest: Value = serde_json::from_slice(manifest).unwrap();
    assert_eq!(manifest["job_id"], json!(job.id));
    let source = &manifest["sources"][0];
    assert_eq!(source["excerpts"], json!(["Acme runs 14 blocks"]));
    assert_eq!(source["bears"], json!(["/sections/0/blocks/0/runs/0"]));
    assert_eq!(source["content_digest"], json!(Digest::of(HTML.as_bytes())));
    assert_eq!(
        manifest["provided"],
        json!([
            {"by": "brief", "bears": ["/sections/0/blocks/1/runs/0"]},
            {"by": "offer", "bears": ["/sections/0/blocks/2/runs/0"]},
        ])
    );
    assert_eq!(manifest["offer"]["revision"], 1);
    assert!(
        manifest.get("brief_digest").is_none(),
        "it would let a reader test guesses at what the brief says and the file does not"
    );

    let stages = job.stages.as_ref().unwrap();
    let told: Vec<_> = stages.iter().map(|s| (s.key.as_str(), s.status)).collect();
    let done = StageState::Succeeded;
    assert_eq!(told, [("plan", done), ("compose", done), ("render", done)]);
    let codes: Vec<&str> = (result["progress"].as_array().unwrap().iter())
        .map(|milestone| milestone["code"].as_str().unwrap())
        .collect();
    assert_eq!(&codes[..2], ["plan", "compose"]);
    assert!(codes.contains(&"render.overflow"), "{codes:?}");
    let events = harness.events(job.id).await;
    let left_out = events.iter().find(|(kind, _)| kind == "claims.left_out");
    assert_eq!(left_out.unwrap().1["reason"], "invented");
    assert!(codes.contains(&"left_out"), "{codes:?}");
    // Only what the brief says: a plug-in has no words of its own there.
    assert_eq!(
        result["left_out"],
        json!([{"reason": "to_the_writer", "text": "A deck for Acme.",
            "message": "It speaks to whoever writes the document, or is the frame of a mail."}])
    );

    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
    assert_eq!(
        harness.connectors.count(URL),
        1,
        "the page was in the journal"
    );
}

async fn the_logo_is_the_one_that_research_received(harness: Harness) {
    bind(&harness, &[DocumentFormat::Pdf]).await;
    let pure = Arc::new(ScriptedPure::default());
    let engine = engine(&harness, with_logo(), &pure);
    brand(&harness, &engine).await;
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let given = pure.documents.lock().unwrap().clone();
    let (document, assets) = &given[0];
    let logo = json!({"asset": "logo", "alt": "Northwind", "width": 120, "height": 40});
    assert_eq!(document["theme"]["logo"], logo);
    assert_eq!(document["meta"]["organization"], "Northwind");
    assert_eq!(&assets["logo"][..], LOGO.as_bytes());
    assert_eq!(
        harness.connectors.count(LOGO_URL),
        1,
        "it is not fetched again"
    );
}

async fn an_asked_format_comes_with_its_pdf_where_there_is_one(harness: Harness) {
    bind(&harness, &[DocumentFormat::Docx]).await;
    let formats = |job: &Job| -> Vec<Value> {
        let files = job.result.as_ref().unwrap()["files"].as_array().unwrap();
        files.iter().map(|file| file["format"].clone()).collect()
    };
    let pure = Arc::new(ScriptedPure::default());
    let docx = engine(&harness, writing("docx", TRUE_AND_FALSE), &pure);
    brand(&harness, &docx).await;
    let alone = ran(&harness, &docx, asking(DocumentFormat::Docx)).await;
    assert_eq!(formats(&alone), ["docx"], "{:?}", alone.error);
    assert_eq!(
        alone.result.as_ref().unwrap()["reason"],
        Value::Null,
        "nothing was chosen"
    );

    // Without its renderer, a job fails before anything is fetched or paid for.
    let fetched = harness.connectors.total();
    let missing = ran(&harness, &docx, asking(DocumentFormat::Pptx)).await;
    assert_eq!(code(&missing), "renderer_not_configured");
    assert_eq!(harness.connectors.total(), fetched);

    bind(&harness, &[DocumentFormat::Docx, DocumentFormat::Pdf]).await;
    let both = ran(&harness, &docx, asking(DocumentFormat::Docx)).await;
    assert_eq!(formats(&both), ["docx", "pdf"]);
    // A copy that cannot be made does not take the file with it.
    let broken = Arc::new(ScriptedPure::without_pdf());
    let docx = engine(&harness, writing("docx", TRUE_AND_FALSE), &broken);
    let copyless = ran(&harness, &docx, asking(DocumentFormat::Docx)).await;
    assert_eq!(formats(&copyless), ["docx"]);
    let told = copyless.result.as_ref().unwrap()["progress"].to_string();
    assert!(told.contains("render.failed"), "{told}");
    let pdf = engine(&harness, writing("pdf", TRUE_AND_FALSE), &broken);
    assert_eq!(
        code(&ran(&harness, &pdf, asking(DocumentFormat::Pdf)).await),
        "plugin_trapped"
    );
}

async fn a_job_without_any_renderer_fails(harness: Harness) {
    bind(&harness, &[]).await;
    let engine = engine(&harness, writing("pdf", TRUE_AND_FALSE), &Arc::default());
    brand(&harness, &engine).await;
    assert_eq!(
        code(&ran(&harness, &engine, input()).await),
        "renderer_not_configured"
    );
}

async fn what_is_made_up_is_no_document(harness: Harness) {
    bind(&harness, &[DocumentFormat::Pdf]).await;
    let invented = writing("pdf", &[("They run 99 blocks.", "s1")]);
    let made_up = engine(&harness, invented, &Arc::default());
    brand(&harness, &made_up).await;
    assert_eq!(
        code(&ran(&harness, &made_up, input()).await),
        "insufficient_evidence"
    );
    let uncited = writing("pdf", &[("They run 14 blocks.", "s7")]);
    let broken = engine(&harness, uncited, &Arc::default());
    let job = ran(&harness, &broken, input()).await;
    assert_eq!(code(&job), "backend_invalid_response");
    let details = job.error.unwrap().details.unwrap();
    assert_eq!(
        details["violations"],
        json!([{"pointer": "/sections/0/blocks/0/runs/0/cite/0", "code": "unknown_source"}])
    );
}

async fn a_job_is_resumed_wherever_it_died(harness: Harness) {
    bind(&harness, &[DocumentFormat::Pptx]).await;
    let pure = Arc::new(ScriptedPure::default());
    let whole = engine(&harness, writing("pptx", TRUE_AND_FALSE), &pure);
    brand(&harness, &whole).await;

    // While it is composed: the page is fetched, and the backend hangs.
    let hanging = script(|host, _| async move {
        let _ = host.stage("plan", StageStatus::Started).await;
        let _ = host.report(10, Some("A deck.".to_owned())).await;
        let _ = host.stage("plan", StageStatus::Succeeded).await;
        let _ = host.stage("compose", StageStatus::Started).await;
        let _ = ask(&host, vec![fetch(URL)]).await?;
        std::future::pending().await
    });
    let composing = create(&harness, &whole, input()).await.unwrap();
    let victim = Victim::start_reconnected(&harness, |store| {
        harness.engine_over(store, hanging, job_types::ALL, Arc::default())
    })
    .await;
    harness.settled(composing, 1).await;
    victim.kill();
    let resumed = to_its_end(&harness, &whole, composing).await;
    assert_eq!(resumed.status, JobStatus::Succeeded, "{:?}", resumed.error);
    assert_eq!(harness.connectors.count(URL), 1, "the page is fetched once");

    // While it is rendered.
    let stuck = Arc::new(ScriptedPure::hanging());
    let rendering = create(&harness, &whole, input()).await.unwrap();
    let victim = Victim::start_reconnected(&harness, |store| {
        let script = writing("pptx", TRUE_AND_FALSE);
        harness.engine_over(store, script, job_types::ALL, stuck.clone())
    })
    .await;
    until("the renderer is asked", &stuck.renders, |renders| {
        *renders == 1
    })
    .await;
    victim.kill();
    let resumed = to_its_end(&harness, &whole, rendering).await;
    assert_eq!(resumed.status, JobStatus::Succeeded, "{:?}", resumed.error);
    assert_eq!(files_of(&harness, rendering).await.len(), 1);
    let result = resumed.result.as_ref().unwrap();
    let events = harness.events(rendering).await;
    let told = events
        .iter()
        .filter(|(kind, _)| kind == "milestone" || kind == "claims.left_out")
        .count();
    assert_eq!(
        told,
        result["progress"].as_array().unwrap().len(),
        "each is told once"
    );
    let report = whole
        .replay(resumed.clone(), reader(&harness, &resumed))
        .await;
    assert!(report.unwrap().is_same());
}

async fn a_replay_that_renders_other_bytes_differs(harness: Harness) {
    bind(&harness, &[DocumentFormat::Pdf]).await;
    let fickle = Arc::new(ScriptedPure::fickle());
    let engine = engine(&harness, writing("pdf", TRUE_AND_FALSE), &fickle);
    brand(&harness, &engine).await;
    let job = ran(&harness, &engine, input()).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert_eq!(report.different_files, ["Metering for Acme.pdf"]);
}

async fn a_document_is_never_made_without_a_brand(harness: Harness) {
    bind(&harness, &[DocumentFormat::Pdf]).await;
    let engine = engine(&harness, writing("pdf", TRUE_AND_FALSE), &Arc::default());
    let refused = async |brand: Option<&str>, offer: Option<&str>| {
        let wanted = DocumentInput {
            brand: brand.map(str::to_owned),
            offer: offer.map(str::to_owned),
            ..input()
        };
        create(&harness, &engine, wanted).await.unwrap_err()
    };
    use CreateError as E;
    let no_default = refused(None, None).await;
    assert!(
        matches!(no_default, E::Brand(BrandProblem::NoDefault)),
        "{no_default}"
    );
    let id = brand(&harness, &engine).await;
    for unknown in ["nobody", "No key!", "brd_01jz8q7b0x5f8s1t4v6w9y2a3c"] {
        let refused = refused(Some(unknown), None).await;
        assert!(
            matches!(refused, E::Brand(BrandProblem::Unknown)),
            "{refused}"
        );
    }
    let draft = offer(&harness, false).await;
    let refused_offer = refused(None, Some("meters-false")).await;
    let not_approved = E::Offer(OfferProblem::NotApproved(draft));
    assert_eq!(refused_offer.to_string(), not_approved.to_string());
    let sold = offer(&harness, true).await;
    harness.store.operator().archive_offer(sold).await.unwrap();
    let refused_offer = refused(Some(&id.to_string()), Some(&sold.to_string())).await;
    assert!(
        matches!(refused_offer, E::Offer(OfferProblem::Archived(_))),
        "{refused_offer}"
    );
    let refused_offer = refused(None, Some("nothing")).await;
    assert!(
        matches!(refused_offer, E::Offer(OfferProblem::Unknown)),
        "{refused_offer}"
    );

    harness.store.operator().archive_brand(id).await.unwrap();
    let archived = refused(Some("northwind"), None).await;
    assert!(
        matches!(archived, E::Brand(BrandProblem::Archived)),
        "{archived}"
    );
    let unusable = refused(None, None).await;
    let reason = matches!(
        unusable,
        E::Brand(
            BrandProblem::NoDefault
                | BrandProblem::UnusableDefault {
                    reason: DefaultProblem::Archived,
                    ..
                }
        )
    );
    assert!(reason, "{unusable}");
}

macro_rules! on_both_engines {
    ($($name:ident),* $(,)?) => {
        mod sqlite {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$name(super::Harness::bare(super::served()).await).await;
            })*
        }
        mod postgres {
            $(#[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                let test = concat!(module_path!(), "::", stringify!($name));
                if let Some(harness) = super::Harness::postgres(test, super::served()).await {
                    super::$name(harness).await;
                }
            })*
        }
    };
}

on_both_engines!(
    the_template_in_use_is_bound_when_a_job_is_created,
    a_brief_becomes_files_that_say_only_what_stands,
    the_logo_is_the_one_that_research_received,
    an_asked_format_comes_with_its_pdf_where_there_is_one,
    a_job_without_any_renderer_fails,
    what_is_made_up_is_no_document,
    a_job_is_resumed_wherever_it_died,
    a_replay_that_renders_other_bytes_differs,
    a_document_is_never_made_without_a_brand,
);
