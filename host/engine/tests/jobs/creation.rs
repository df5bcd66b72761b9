//! Creating jobs.

use gtm_domain::idempotency::StoredResponse;
use gtm_domain::{Digest, JobStatus};
use gtm_engine::{BrandProblem, CreateError, CreateOutcome, Idempotency, Workers};
use serde_json::json;

use crate::harness::{Harness, answer, code, input};
use crate::scripted::{ScriptedConnectors, pages, script, small_draft};

fn render(job: &gtm_domain::job::Job) -> StoredResponse {
    answer(
        json!({"id": job.id, "status": job.status.as_str(), "created_at": job.created_at})
            .to_string(),
    )
}

#[tokio::test]
async fn the_rendered_row_is_the_stored_row() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    let made = engine
        .create_playbook(&harness.scope, input(), None, render)
        .await
        .unwrap();
    let CreateOutcome::Created {
        resource: job,
        answer: first,
    } = made
    else {
        panic!("replayed")
    };
    assert_eq!(harness.job(job.id).await, *job);
    assert_eq!(first, render(&job));
    assert_eq!(job.status, JobStatus::Queued);
    assert_eq!(job.pins["backend"]["key"], "playbook");
    assert_eq!(
        job.pins["connections"]["web.fetch"]["connector"]["digest"],
        Digest::of(b"web.fetch").to_string()
    );
    assert!(!job.pins.to_string().contains("s3cret"));
}

#[tokio::test]
async fn one_key_makes_one_job() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    let key = |fingerprint: &[u8]| {
        Some(Idempotency {
            key: "k1".into(),
            fingerprint: Digest::of(fingerprint),
        })
    };
    let first = engine
        .create_playbook(&harness.scope, input(), key(b"a"), render)
        .await
        .unwrap();
    let CreateOutcome::Created {
        resource: job,
        answer: first,
    } = first
    else {
        panic!("replayed")
    };
    let again = engine
        .create_playbook(&harness.scope, input(), key(b"a"), render)
        .await
        .unwrap();
    let CreateOutcome::Replayed(again) = again else {
        panic!("a second job")
    };
    assert_eq!(again, first, "status, headers and body");
    assert_eq!(again, render(&job));
    let other = engine
        .create_playbook(&harness.scope, input(), key(b"b"), render)
        .await;
    assert!(matches!(other, Err(CreateError::KeyReused)));
}

#[tokio::test]
async fn no_brand_exists_yet() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    let mut wanted = input();
    wanted.brand_profile_key = Some("main".into());
    let made = engine
        .create_playbook(&harness.scope, wanted, None, render)
        .await;
    assert!(matches!(
        made,
        Err(CreateError::Brand(BrandProblem::Unknown))
    ));
}

#[tokio::test]
async fn what_is_not_configured_fails_the_job_and_not_the_create() {
    let connectors = ScriptedConnectors::new(pages());
    let harness = Harness::bare(connectors.clone()).await;
    let job = harness
        .run(script(|_, _| async { Ok(small_draft()) }))
        .await;
    assert_eq!(code(&job), "backend_not_configured");

    harness.bind_backend("playbook").await;
    let job = harness
        .run(script(|_, _| async { Ok(small_draft()) }))
        .await;
    assert_eq!(code(&job), "connector_not_configured");
    assert_eq!(
        job.error.unwrap().details,
        Some(json!({"capability": "web.fetch"}))
    );

    harness
        .bind_connection("web.fetch", "web.fetch", json!({}))
        .await;
    harness.bind_backend("unknown").await;
    let job = harness
        .run(script(|_, _| async { Ok(small_draft()) }))
        .await;
    assert_eq!(code(&job), "plugin_unavailable");
    assert_eq!(connectors.total(), 0);
}

#[tokio::test]
async fn bindings_are_those_of_the_moment_of_creation() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    let id = harness.create(&engine).await;
    harness.bind_backend("unknown").await;
    let workers = Workers::start(&engine);
    assert_eq!(harness.ended(id).await.status, JobStatus::Succeeded);
    workers.shutdown(std::time::Duration::from_secs(1)).await;
}
