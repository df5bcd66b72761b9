//! The organization's own templates: bound when a job is created, and given to the renderer of their format alone.

use std::sync::Arc;

use bytes::Bytes;
use gtm_domain::JobStatus;
use gtm_domain::document::DocumentFormat;
use serde_json::{Value, json};

use super::fixtures::*;
use crate::harness::Harness;
use crate::replays::reader;
use crate::scripted_pure::ScriptedPure;

pub async fn the_template_in_use_is_bound_when_a_job_is_created(harness: Harness) {
    bind(&harness, &DocumentFormat::ALL).await;
    let pure = Arc::new(ScriptedPure::default());
    let engine = engine(&harness, writing("pptx", TRUE_AND_FALSE), &pure);
    brand(&harness, &engine).await;
    let operator = harness.store.operator();
    let organization = harness.scope.organization();
    let add = async |format, file: &'static str| {
        let file = Bytes::from_static(file.as_bytes());
        let made = operator.add_template(organization, None, format, "House", file);
        made.await.unwrap()
    };
    let first = add(DocumentFormat::Pptx, "first").await;
    add(DocumentFormat::Docx, "letter").await;
    let job = create(&harness, &engine, input()).await.unwrap();
    // Neither another one nor its removal changes a job that exists.
    let second = add(DocumentFormat::Pptx, "second").await;
    operator.remove_template(second.id).await.unwrap();
    let job = to_its_end(&harness, &engine, job).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let pinned = job.pins["templates"].as_array().unwrap();
    let of = |format: &str| {
        pinned
            .iter()
            .find(|bound| bound["format"] == format)
            .unwrap()
    };
    assert_eq!(pinned.len(), 2);
    assert_eq!(of("pptx")["digest"], json!(first.digest));

    let given = pure.documents.lock().unwrap().clone();
    let (deck, copy) = (&given[0].1, &given[1].1);
    assert_eq!(&deck["template.pptx"][..], b"first");
    assert!(!deck.contains_key("template.docx"));
    assert!(!copy.keys().any(|name| name.starts_with("template.")));
    let report = engine.replay(job.clone(), reader(&harness, &job)).await;
    assert!(report.unwrap().is_same());

    // A job that cannot make the format is bound to none of its templates.
    let engine = self::engine(&harness, writing("pdf", TRUE_AND_FALSE), &pure);
    let pages = ran(&harness, &engine, asking(DocumentFormat::Pdf)).await;
    assert_eq!(pages.pins.get("templates"), None::<&Value>);
}
