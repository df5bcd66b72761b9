//! Tests of start URLs: pinned when a job is created, given to its backend, and used by the host to decide
//! whose site a source is.

use gtm_domain::JobStatus;
use gtm_domain::binding::{BindingScope, BindingTarget};
use gtm_domain::start_url::StartUrl;
use gtm_engine::{CreateOutcome, Workers};
use gtm_store::StartUrlChange;
use serde_json::{Value, json};

use crate::harness::{Harness, answer, input};
use crate::replays::reader;
use crate::scripted::{ScriptedConnectors, ask, draft, fetch, pages, script};

const STAGING: &str = "http://staging.host.example:8099/";

/// Gives the harness's playbook binding a start URL on staging for acme.example, among a thousand others.
async fn bind(harness: &Harness) -> gtm_domain::BindingId {
    let operator = harness.store.operator();
    let target = BindingTarget::Backend {
        key: "playbook".to_owned(),
        version: Some("1.0.0".to_owned()),
    };
    let scope = BindingScope::Project(harness.project);
    let bound = operator
        .set_binding(scope, "playbooks", target, json!({}))
        .await;
    let id = bound.unwrap().id;
    let many = (0..1_200).map(|n| (format!("company-{n}.example"), "https://elsewhere.example/"));
    let urls = many
        .chain([("acme.example".to_owned(), STAGING)])
        .map(|(domain, url)| StartUrl::new(&domain, url).unwrap())
        .collect();
    let change = StartUrlChange::Add(urls);
    operator.change_start_urls(id, change).await.unwrap();
    id
}

#[tokio::test]
async fn a_job_gets_those_of_its_site_and_keeps_them() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let binding = bind(&harness).await;
    let engine = harness.engine(script(|host, request| async move {
        assert_eq!(
            request.input["start_urls"],
            json!({"acme.example": STAGING})
        );
        assert_eq!(
            request.settings,
            json!({}),
            "they are no setting of the backend"
        );
        let answer = ask(&host, vec![fetch(STAGING)]).await?.remove(0).unwrap();
        Ok(draft(
            "The page at staging.",
            &answer["receipt_id"],
            "This is the page at",
        ))
    }));
    let made = engine
        .create_for_brand(&harness.scope, input(), None, |_| answer(""))
        .await;
    let CreateOutcome::Created { resource: job, .. } = made.unwrap() else {
        panic!("replayed")
    };
    // An operator's later changes apply only to later jobs.
    let none = StartUrlChange::Replace(Vec::new());
    let operator = harness.store.operator();
    operator.change_start_urls(binding, none).await.unwrap();
    let workers = Workers::start(&engine);
    let job = harness.ended(job.id).await;
    workers.shutdown(std::time::Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(job.pins["start_urls"], json!({"acme.example": STAGING}));
    let result = job.result.clone().unwrap();
    assert_eq!(result["sources"][0]["kind"], "first_party", "{result:#}");
    let report = engine.replay(job.clone(), reader(&harness, &job)).await;
    assert!(report.unwrap().is_same());
}

#[tokio::test]
async fn a_job_without_a_domain_gets_all_of_them() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    bind(&harness).await;
    let engine = harness.engine(script(|_, _| async { Ok(Value::Null) }));
    let mut wanted = input();
    wanted.target_company_domain = None;
    let made = engine
        .create_for_brand(&harness.scope, wanted, None, |_| answer(""))
        .await;
    let CreateOutcome::Created { resource: job, .. } = made.unwrap() else {
        panic!("replayed")
    };
    assert_eq!(job.pins["start_urls"].as_object().unwrap().len(), 1_201);
}
