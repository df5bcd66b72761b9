//! Tests a job type that no product has: it asks a backend for a text, and has a renderer make a file of it
//! and an evaluator assess it. It has a table of its own, in which it stands in the place of documents, just as a new
//! job type joins the product's. It proves what `docs/adding-a-job-type.md` says: run to its end, resumed after a crash and
//! replayed, on both engines.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures::FutureExt;
use gtm_domain::binding::BindingTarget;
use gtm_domain::job::{Job, JobFile, Product, ProductKind};
use gtm_domain::{Digest, FileId, JobId, JobStatus, JobType, MicroUsd, StageState, Usage};
use gtm_engine::ending::Ending;
use gtm_engine::job_types::backend::{Generated, generate};
use gtm_engine::job_types::files::new_files;
use gtm_engine::job_types::{JobRun, JobTypeEntry};
use gtm_engine::plan::{Plan, PlannedRole, Role};
use gtm_engine::plugins::Plugins;
use gtm_engine::{CreateOutcome, Engine, JobFilter, Workers};
use gtm_runtime::{Artifact, BackendHost as _, PluginError, StageStatus};
use serde_json::{Value, json};

use crate::harness::{Harness, Victim, answer, code, until};
use crate::replays::reader;
use crate::sandboxed::{catalogs, runtime};
use crate::scripted::{Script, ScriptedConnectors, ask, fetch, pages, script};
use crate::scripted_pure::ScriptedPure;

const URL: &str = "https://acme.example/";
const RENDERER: Role = Role::named("test.render");
const JUDGE: Role = Role::named("test.evaluate");

/// A table with only the fixture.
const TABLE: &[JobTypeEntry] = &[JobTypeEntry {
    job_type: JobType::Documents,
    product: ProductKind::Files,
    plan,
    run: |job| run(job).boxed(),
    volatile: &["/took_ms", "/progress/*/at"],
    replayable: |_| Ok(()),
}];

/// The needs of a job depend on its operation: filling something in needs nothing, rendering what the
/// caller wrote needs no writer, and generating needs everything.
fn plan(input: &Value) -> Plan {
    let pure = [
        PlannedRole::renderer("test.render"),
        PlannedRole::evaluator("test.evaluate"),
    ];
    match input["operation"].as_str() {
        Some("fill_in") => return Plan::default(),
        Some("render") => {
            return Plan {
                roles: pure.into(),
                ..Plan::default()
            };
        }
        _ => {}
    }
    Plan {
        roles: [PlannedRole::writer(JobType::Documents)]
            .into_iter()
            .chain(pure)
            .collect(),
        may_cost: true,
        estimate: Some(MicroUsd::from_micros(123_456)),
        stages: &["compose", "render"],
        external_ref: input["external_ref"].as_str().map(str::to_owned),
        ..Plan::default()
    }
}

async fn run(mut run: JobRun) -> (Ending, Usage) {
    if run.job.input["operation"] == "fill_in" {
        let text = Artifact {
            filename: "document.txt".to_owned(),
            media_type: "text/plain".to_owned(),
            bytes: "filled in".into(),
        };
        let made = run.job.input["leave_out_the_file"] != true;
        let artifacts = if made { vec![text] } else { Vec::new() };
        let ending = Ending::Succeeded {
            result: json!({"text": "filled in"}),
            product: Product::Files(new_files(run.job.id, run.job.created_at, artifacts)),
        };
        return (ending, Usage::default());
    }
    if run.job.input["operation"] == "render" {
        let written = run.job.input.clone();
        let made = finish(&run, &written).await;
        return (made.unwrap_or_else(|ending| ending), Usage::default());
    }
    let task = json!({"url": URL});
    let Generated {
        output,
        host,
        usage,
    } = generate(&mut run, JobType::Documents, task).await;
    let ending = match (output, host) {
        (Ok(output), Some(host)) => {
            // A report that cannot be written fails the job when its end is to be written.
            let _ = host.stage("render", StageStatus::Started).await;
            let made = finish(&run, &output).await;
            let _ = host.stage("render", StageStatus::Succeeded).await;
            made.unwrap_or_else(|ending| ending)
        }
        (Err(ending), _) => ending,
        (Ok(_), None) => unreachable!("an output comes of a run"),
    };
    (ending, usage)
}

async fn finish(run: &JobRun, output: &Value) -> Result<Ending, Ending> {
    let document = json!({"title": output["title"], "filename": "document.txt"});
    let rendered = run
        .render(&RENDERER, document.clone(), BTreeMap::new())
        .await?;
    let judged = run.evaluate(&JUDGE, document).await?;
    let files = new_files(run.job.id, run.job.created_at, rendered.files);
    let listed: Vec<Value> = files
        .iter()
        .map(|file| {
            json!({"file_id": file.id, "filename": file.name, "size_bytes": file.bytes.len()})
        })
        .collect();
    let now = run.clock.now();
    Ok(Ending::Succeeded {
        result: json!({
            "files": listed,
            "pages": rendered.answer["pages"],
            "score": judged["members"],
            "progress": [{"at": now, "text": "rendered"}],
            "took_ms": now.since(run.started_at).as_millis() as u64,
        }),
        product: Product::Files(files),
    })
}

/// A writer that reads a page and returns its title.
fn writer() -> Script {
    script(|host, _| async move {
        let _ = host.stage("compose", StageStatus::Started).await;
        let page = ask(&host, vec![fetch(URL)]).await?.remove(0).unwrap();
        let _ = host.stage("compose", StageStatus::Succeeded).await;
        Ok(json!({"title": format!("About {}", page["url"].as_str().unwrap())}))
    })
}

/// Binds everything that the fixture's generation needs.
async fn bind(harness: &Harness) {
    harness.bind_backend_for("documents", "playbook").await;
    harness
        .bind_connection("web.fetch", "web.fetch", json!({}))
        .await;
    let version = Some("1.0.0".to_owned());
    let renderer = BindingTarget::Renderer {
        key: "echo-renderer".into(),
        version: version.clone(),
    };
    harness.bind("test.render", renderer, json!({"a": 1})).await;
    let evaluator = BindingTarget::Evaluator {
        key: "echo-evaluator".into(),
        version,
    };
    harness.bind("test.evaluate", evaluator, json!({})).await;
}

async fn create(harness: &Harness, engine: &Engine, input: Value) -> JobId {
    let created = engine
        .create_job(
            &harness.scope,
            JobType::Documents,
            input,
            None,
            None,
            |_| answer("{}"),
        )
        .await
        .unwrap();
    let CreateOutcome::Created { resource: job, .. } = created else {
        panic!("replayed")
    };
    job.id
}

async fn ran(harness: &Harness, engine: &Engine, input: Value) -> Job {
    let id = create(harness, engine, input).await;
    let workers = Workers::start(engine);
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    job
}

/// The files of a job in the harness's project.
async fn files_of(harness: &Harness, job: JobId) -> Vec<JobFile> {
    let files = harness.store.job_files(&harness.scope, job).await;
    files.unwrap().unwrap()
}

/// The content of one of the job's files.
async fn read(harness: &Harness, job: JobId, file: FileId) -> Bytes {
    let found = harness.store.file_content(&harness.scope, job, file).await;
    found.unwrap().unwrap().1
}

async fn a_job_with_files_is_run_to_its_end_and_replayed(harness: Harness) {
    bind(&harness).await;
    let pure = Arc::new(ScriptedPure::default());
    let engine = harness.engine_of(writer(), TABLE, pure.clone());
    let job = ran(&harness, &engine, json!({"external_ref": "crm-7"})).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(job.external_ref.as_deref(), Some("crm-7"));
    let pinned: Vec<&str> = job.pins["plugins"]
        .as_object()
        .unwrap()
        .values()
        .map(|p| p["key"].as_str().unwrap())
        .collect();
    assert_eq!(pinned, ["echo-evaluator", "echo-renderer"]);
    assert_eq!(job.pins["backend"]["key"], "playbook");

    let content = format!("About {URL}");
    let result = job.result.clone().unwrap();
    assert_eq!((&result["pages"], &result["score"]), (&json!(1), &json!(2)));
    let files = files_of(&harness, job.id).await;
    let [file] = &files[..] else {
        panic!("{files:?}")
    };
    assert_eq!(result["files"][0]["file_id"], json!(file.id));
    assert_eq!(
        (
            file.name.as_str(),
            file.media_type.as_str(),
            file.size_bytes
        ),
        ("document.txt", "text/plain", content.len() as u64)
    );
    assert_eq!(file.digest, Digest::of(content.as_bytes()));
    assert_eq!(read(&harness, job.id, file.id).await, content.as_bytes());

    let stages = job.stages.as_ref().unwrap();
    let told: Vec<_> = stages
        .iter()
        .map(|s| (s.key.as_str(), s.status, s.attempts))
        .collect();
    assert_eq!(
        told,
        [
            ("compose", StageState::Succeeded, 1),
            ("render", StageState::Succeeded, 1)
        ]
    );
    assert!(stages.iter().all(|s| s.started_at <= s.finished_at));

    for (reference, jobs) in [("crm-7", 1), ("crm-8", 0)] {
        let filter = JobFilter {
            external_ref: Some(reference.to_owned()),
            ..JobFilter::default()
        };
        let found = harness.store.list_jobs(&harness.scope, &filter);
        assert_eq!(found.await.unwrap().len(), jobs);
    }

    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
    assert_eq!(harness.connectors.total(), 1, "the page was in the journal");
    assert_eq!(*pure.renders.borrow(), 2, "rendered again");
    let after = files_of(&harness, job.id).await;
    assert_eq!(after, files, "a replay stores nothing");
}

/// The result does not contain the content of a file; only the file's digest reveals a change.
async fn a_replay_that_renders_other_bytes_differs(harness: Harness) {
    bind(&harness).await;
    let engine = harness.engine_of(writer(), TABLE, Arc::new(ScriptedPure::fickle()));
    let job = ran(&harness, &engine, json!({})).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    let recorded = job.result.clone().unwrap();
    assert_eq!(report.end.as_ref().unwrap()["files"], recorded["files"]);
    assert!(!report.is_same(), "{report:?}");
    assert_eq!(report.different_files, ["document.txt"]);
}

async fn a_job_without_its_files_does_not_succeed(harness: Harness) {
    bind(&harness).await;
    let engine = harness.engine_of(writer(), TABLE, Arc::new(ScriptedPure::default()));
    let input = json!({"operation": "fill_in", "leave_out_the_file": true});
    let job = ran(&harness, &engine, input).await;
    assert_eq!(code(&job), "internal_error");
    assert_eq!(job.attempts, 1, "it is not tried again");
}

async fn what_renderers_and_evaluators_use_is_the_jobs(harness: Harness) {
    bind(&harness).await;
    for (pure, status) in [
        (ScriptedPure::default(), JobStatus::Succeeded),
        (ScriptedPure::with_trapping_evaluator(), JobStatus::Failed),
    ] {
        let engine = harness.engine_of(writer(), TABLE, Arc::new(pure));
        let job = ran(
            &harness,
            &engine,
            json!({"operation": "render", "title": "A"}),
        )
        .await;
        assert_eq!(job.status, status, "{:?}", job.error);
        // 20 ms of the renderer, 300 ms of the evaluator.
        assert_eq!(job.usage.backend_runtime_ms, 320, "{status:?}");
    }
}

async fn a_stage_that_is_under_way_fails_with_its_job(harness: Harness) {
    bind(&harness).await;
    let failing = script(|host, _| async move {
        let _ = host.stage("compose", StageStatus::Started).await;
        Err(PluginError::Trapped("stack".to_owned()))
    });
    let engine = harness.engine_of(failing, TABLE, Arc::new(ScriptedPure::default()));
    let job = ran(&harness, &engine, json!({})).await;
    assert_eq!(code(&job), "plugin_trapped");
    let stages = job.stages.as_ref().unwrap();
    // Times as the API shows them, to the millisecond.
    let told: Vec<_> = stages
        .iter()
        .map(|s| (s.status, json!(s.finished_at)))
        .collect();
    let expected = [
        (StageState::Failed, json!(job.finished_at)),
        (StageState::Pending, Value::Null),
    ];
    assert_eq!(told, expected);
}

async fn a_job_that_died_while_it_rendered_is_resumed(harness: Harness) {
    bind(&harness).await;
    let hanging = Arc::new(ScriptedPure::hanging());
    let caller = harness.engine_of(writer(), TABLE, hanging.clone());
    let id = create(&harness, &caller, json!({})).await;
    let victim = Victim::start_reconnected(&harness, |store| {
        harness.engine_over(store, writer(), TABLE, hanging.clone())
    })
    .await;
    until("the renderer is asked", &hanging.renders, |renders| {
        *renders == 1
    })
    .await;
    victim.kill();
    let pure = Arc::new(ScriptedPure::default());
    let workers = Workers::start(&harness.engine_of(writer(), TABLE, pure.clone()));
    let job = harness.ended(id).await;
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(harness.connectors.total(), 1, "the page is fetched once");
    assert_eq!(*pure.renders.borrow(), 1);
    assert_eq!(files_of(&harness, id).await.len(), 1);
    let events = harness.events(id).await;
    let begun = events.iter().filter(|(kind, _)| kind == "stage.started");
    assert_eq!(begun.count(), 2, "each stage is told of once: {events:?}");
}

async fn what_an_operation_does_not_need_is_neither_pinned_nor_reserved(harness: Harness) {
    bind(&harness).await;
    let engine = harness.engine_of(writer(), TABLE, Arc::new(ScriptedPure::default()));
    let job = ran(&harness, &engine, json!({"operation": "fill_in"})).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(job.pins["backend"], Value::Null);
    assert_eq!(job.pins["connections"], json!({}));
    assert_eq!(job.pins.get("plugins"), None);
    assert_eq!(
        (job.reserved, job.cost_cap),
        (MicroUsd::ZERO, MicroUsd::ZERO)
    );
    assert_eq!((job.stages, job.external_ref), (None, None));
}

/// The engine asks for no capability: only operations of the API do. So a type whose `capability` is `None`
/// runs like one that no organization may use.
async fn a_type_runs_without_a_capability(harness: Harness) {
    bind(&harness).await;
    let capability = JobType::Documents.capability().unwrap();
    let operator = harness.store.operator();
    let organization = harness.scope.organization();
    let switched = operator.set_capability(organization, capability, false);
    switched.await.unwrap();
    let engine = harness.engine_of(writer(), TABLE, Arc::new(ScriptedPure::default()));
    let job = ran(&harness, &engine, json!({})).await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    assert_eq!(files_of(&harness, job.id).await.len(), 1);
}

async fn a_role_is_filled_by_its_own_sort_of_plugin_alone(harness: Harness) {
    bind(&harness).await;
    let evaluator = BindingTarget::Evaluator {
        key: "echo-evaluator".into(),
        version: Some("1.0.0".into()),
    };
    harness.bind("test.render", evaluator, json!({})).await;
    let engine = harness.engine_of(writer(), TABLE, Arc::new(ScriptedPure::default()));
    let job = ran(&harness, &engine, json!({})).await;
    assert_eq!(code(&job), "renderer_not_configured");
    assert_eq!(files_of(&harness, job.id).await, []);
}

async fn a_type_that_is_not_in_the_table_is_not_run(harness: Harness) {
    bind(&harness).await;
    let engine = harness.engine_of(writer(), &[], Arc::default());
    let job = ran(&harness, &engine, json!({})).await;
    assert_eq!(code(&job), "backend_not_configured");
}

/// Repeats the test with the fixtures' components in the sandbox.
#[tokio::test(flavor = "multi_thread")]
async fn components_render_and_judge_in_the_sandbox() {
    let Some(catalogs) = catalogs() else { return };
    let harness = Harness::bare(served()).await;
    let version = Some("0.1.0".to_owned());
    let renderer = BindingTarget::Renderer {
        key: "echo-renderer".into(),
        version: version.clone(),
    };
    harness.bind("test.render", renderer, json!({})).await;
    let evaluator = BindingTarget::Evaluator {
        key: "echo-evaluator".into(),
        version,
    };
    harness.bind("test.evaluate", evaluator, json!({})).await;
    let runtime = Arc::new(runtime(&harness, catalogs).await);
    let engine = Engine::with_plugins(
        harness.store.clone(),
        Plugins {
            connectors: runtime.clone(),
            backends: runtime.clone(),
            pure: runtime,
        },
        TABLE,
        harness.config.clone(),
        harness.clock.clone(),
    );
    let job = ran(
        &harness,
        &engine,
        json!({"operation": "render", "title": "A title"}),
    )
    .await;
    assert_eq!(job.status, JobStatus::Succeeded, "{:?}", job.error);
    let files = files_of(&harness, job.id).await;
    assert_eq!(read(&harness, job.id, files[0].id).await, "A title");
    let report = engine
        .replay(job.clone(), reader(&harness, &job))
        .await
        .unwrap();
    assert!(report.is_same(), "{report:?}");
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
    a_job_with_files_is_run_to_its_end_and_replayed,
    a_job_that_died_while_it_rendered_is_resumed,
    a_replay_that_renders_other_bytes_differs,
    a_job_without_its_files_does_not_succeed,
    what_renderers_and_evaluators_use_is_the_jobs,
    a_stage_that_is_under_way_fails_with_its_job,
    what_an_operation_does_not_need_is_neither_pinned_nor_reserved,
    a_type_runs_without_a_capability,
    a_role_is_filled_by_its_own_sort_of_plugin_alone,
    a_type_that_is_not_in_the_table_is_not_run,
);

fn served() -> Arc<ScriptedConnectors> {
    ScriptedConnectors::new(pages())
}
