//! Tests of creating jobs.

use std::sync::{Arc, Mutex};

use gtm_domain::dossier::{
    CollectionBudgets, DossierRequest, DossierSection, DossierSpecification, Purpose, PurposeCode,
    TargetCompany,
};
use gtm_domain::idempotency::StoredAnswer;
use gtm_domain::{Digest, JobStatus, MicroUsd};
use gtm_engine::{BrandProblem, CreateError, CreateOutcome, Engine, Idempotency, Workers};
use gtm_store::ProjectScope;
use serde_json::json;

use crate::harness::{Harness, answer, code, input};
use crate::scripted::{ScriptedConnectors, pages, script, small_draft};

fn render(job: &gtm_domain::job::Job) -> StoredAnswer {
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
        .create_for_brand(&harness.scope, input(), None, render)
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
        .create_for_brand(&harness.scope, input(), key(b"a"), render)
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
        .create_for_brand(&harness.scope, input(), key(b"a"), render)
        .await
        .unwrap();
    let CreateOutcome::Replayed(again) = again else {
        panic!("a second job")
    };
    assert_eq!(again, first, "status, headers and body");
    assert_eq!(again, render(&job));
    let other = engine
        .create_for_brand(&harness.scope, input(), key(b"b"), render)
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
        .create_for_brand(&harness.scope, wanted, None, render)
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

async fn specify(
    engine: &Engine,
    scope: &ProjectScope,
    key: &str,
    fingerprint: &[u8],
) -> Result<CreateOutcome<DossierSpecification>, CreateError> {
    let request = DossierRequest {
        target_company: TargetCompany {
            name: Some("Northwind".to_owned()),
            domain: None,
        },
        connector_key: "registry".to_owned(),
        manifest_version: "1.0.0".to_owned(),
        requested_sections: vec![DossierSection::News],
        collection_budgets: CollectionBudgets {
            max_requests: 1,
            max_bytes: 1,
            max_sources: 1,
            max_duration_seconds: 1,
            max_cost_usd: MicroUsd::from_micros(1),
        },
        purpose: Purpose {
            code: PurposeCode::MarketResearch,
            statement: "To know them".to_owned(),
        },
        policy_version: "1".to_owned(),
        external_ref: None,
    };
    let idempotency = Some(Idempotency {
        key: key.to_owned(),
        fingerprint: Digest::of(fingerprint),
    });
    engine
        .create_dossier_specification(scope, request, idempotency, |made| {
            answer(made.id.to_string())
        })
        .await
}

/// A request looks up its key, and then what it names. Between the two, the same request may be answered
/// and what it names may disappear. Nothing that has changed since the first answer may refuse the second
/// request.
async fn what_goes_after_the_first_answer_refuses_no_repeated_request(harness: Harness) {
    let engine = harness.engine(script(|_, _| async { Ok(small_draft()) }));
    // No other request was answered: the connector is gone for good.
    *harness.connectors.gone_after.lock().unwrap() = Some(Box::new(|| ()));
    let refused = specify(&engine, &harness.scope, "k1", b"a").await;
    assert!(matches!(refused, Err(CreateError::UnknownConnector)));
    for (key, fingerprint) in [("k1", b"a"), ("k2", b"b")] {
        let first = Arc::new(Mutex::new(None));
        let (other, scope, told) = (engine.clone(), harness.scope.clone(), first.clone());
        *harness.connectors.gone_after.lock().unwrap() = Some(Box::new(move || {
            let made = tokio::task::block_in_place(|| {
                tokio::runtime::Handle::current().block_on(specify(&other, &scope, key, b"a"))
            });
            let Ok(CreateOutcome::Created { answer, .. }) = made else {
                panic!("{made:?}")
            };
            *told.lock().unwrap() = Some(answer);
        }));
        let second = specify(&engine, &harness.scope, key, fingerprint).await;
        let first = first.lock().unwrap().take().unwrap();
        match second {
            Ok(CreateOutcome::Replayed(again)) if fingerprint == b"a" => assert_eq!(again, first),
            Err(CreateError::KeyReused) if fingerprint == b"b" => {}
            other => panic!("{other:?}"),
        }
    }
}

mod sqlite {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn what_goes_after_the_first_answer_refuses_no_repeated_request() {
        let harness = Harness::bare(ScriptedConnectors::new(pages())).await;
        super::what_goes_after_the_first_answer_refuses_no_repeated_request(harness).await;
    }
}

mod postgres {
    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn what_goes_after_the_first_answer_refuses_no_repeated_request() {
        let test = concat!(
            module_path!(),
            "::what_goes_after_the_first_answer_refuses_no_repeated_request"
        );
        let connectors = ScriptedConnectors::new(pages());
        if let Some(harness) = Harness::postgres(test, connectors).await {
            super::what_goes_after_the_first_answer_refuses_no_repeated_request(harness).await;
        }
    }
}
