//! One good plug-in of each world.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use gtm_domain::{Failure, FailureKind};
use gtm_runtime::{
    Asset, BackendCall, BackendHost, BackendOutcome, CallLabels, CapabilityCall, EvaluateCall,
    HostAbort, PluginError, PluginKind, RenderCall, RenderOutcome, Runtime, StageStatus,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::fixtures::{NOW, plugin, runtime};

/// An engine that answers from a script and records what it was told.
#[derive(Default)]
struct Engine {
    answers: Mutex<Vec<Result<Value, Failure>>>,
    calls: Mutex<Vec<CapabilityCall>>,
    told: Mutex<Vec<String>>,
    abort: bool,
}

#[async_trait]
impl BackendHost for Engine {
    async fn invoke(
        &self,
        calls: Vec<CapabilityCall>,
    ) -> Result<Vec<Result<Value, Failure>>, HostAbort> {
        if self.abort {
            return Err(HostAbort(Failure::new(
                FailureKind::Internal,
                "lease_lost",
                "another worker has the job",
            )));
        }
        let count = calls.len();
        self.calls.lock().unwrap().extend(calls);
        Ok(self.answers.lock().unwrap().drain(..count).collect())
    }
    fn bound(&self, capability: &str) -> bool {
        capability == "web.fetch"
    }
    async fn stage(&self, key: &str, status: StageStatus) -> Result<(), HostAbort> {
        self.told.lock().unwrap().push(format!("{key} {status:?}"));
        Ok(())
    }
    async fn report(&self, percent: u8, milestone: Option<String>) -> Result<(), HostAbort> {
        self.told
            .lock()
            .unwrap()
            .push(format!("{percent} {milestone:?}"));
        Ok(())
    }
    fn canceled(&self) -> bool {
        true
    }
}

async fn generate(
    runtime: &Runtime,
    task: &str,
    input: Value,
    engine: Arc<Engine>,
) -> BackendOutcome {
    let call = BackendCall {
        plugin: plugin(runtime, PluginKind::GenerationBackend, "echo-backend"),
        task: task.into(),
        input,
        settings: json!({ "depth": 3 }),
        started_at: NOW,
        seed: [0; 32],
        deadline: Duration::from_secs(10),
        cancel: CancellationToken::new(),
        span_fields: CallLabels::default(),
    };
    runtime.generate(call, engine).await
}

#[tokio::test]
async fn a_backend_sees_its_input_its_settings_and_the_jobs_start() {
    let outcome = generate(
        &runtime().await,
        "echo",
        json!({ "a": [1, "ü"] }),
        Arc::default(),
    )
    .await;
    let expected =
        json!({ "input": { "a": [1, "ü"] }, "settings": { "depth": 3 }, "now_ms": NOW.millis() });
    assert_eq!(outcome.result.unwrap(), expected);
    assert_eq!(outcome.logs[0].message, "echo");
    assert!(outcome.resources.peak_memory_bytes > 0);
}

#[tokio::test]
async fn a_backend_invokes_what_is_declared_bound_and_fits_its_contract() {
    let engine = Arc::new(Engine {
        answers: Mutex::new(vec![
            Ok(json!({ "answer": 1 })),
            Err(Failure::new(FailureKind::NotFound, "http_404", "gone")),
        ]),
        ..Engine::default()
    });
    let fetch = |url: Value| json!({ "capability": "web.fetch", "input": { "url": url } });
    let input = json!({ "calls": [
        fetch(json!("https://example.com/")),
        { "capability": "model.complete", "input": {} },
        { "capability": "people.search", "input": {} },
        fetch(json!(7)),
        fetch(json!("https://example.com/gone")),
    ] });
    let outcome = generate(&runtime().await, "invoke", input, Arc::clone(&engine)).await;
    let answer = outcome.result.unwrap();
    assert_eq!(answer["bound"], json!([true, false, false, true, true]));
    assert_eq!(
        answer["answers"],
        json!([
            { "ok": { "answer": 1 } },
            { "failure": "capability_not_bound" },
            { "failure": "capability_not_declared" },
            { "failure": "invalid_input" },
            { "failure": "http_404" },
        ])
    );
    let asked: Vec<String> = engine
        .calls
        .lock()
        .unwrap()
        .iter()
        .map(|c| c.input["url"].to_string())
        .collect();
    assert_eq!(
        asked,
        ["\"https://example.com/\"", "\"https://example.com/gone\""]
    );
    assert_eq!(outcome.denied.len(), 2);
}

#[tokio::test]
async fn a_backend_has_a_budget_of_calls() {
    let engine = Arc::new(Engine {
        answers: Mutex::new(vec![Ok(json!({})); 30]),
        ..Engine::default()
    });
    let calls =
        vec![json!({ "capability": "web.fetch", "input": { "url": "https://example.com/" } }); 25];
    let answer = generate(
        &runtime().await,
        "invoke",
        json!({ "calls": calls }),
        Arc::clone(&engine),
    )
    .await
    .result
    .unwrap();
    assert_eq!(engine.calls.lock().unwrap().len(), 20);
    assert_eq!(
        answer["answers"][24],
        json!({ "failure": "capability_budget_exceeded" })
    );
}

#[tokio::test]
async fn the_engine_can_end_a_backend() {
    let engine = Arc::new(Engine {
        abort: true,
        ..Engine::default()
    });
    let input = json!({ "calls": [{ "capability": "web.fetch", "input": { "url": "https://example.com/" } }] });
    let error = generate(&runtime().await, "invoke", input, engine)
        .await
        .result
        .unwrap_err();
    assert!(matches!(error, PluginError::Aborted(failure) if failure.code == "lease_lost"));
}

#[tokio::test]
async fn progress_never_falls() {
    let engine = Arc::<Engine>::default();
    let outcome = generate(&runtime().await, "progress", json!({}), Arc::clone(&engine)).await;
    assert_eq!(outcome.result.unwrap(), json!({ "canceled": true }));
    let told = engine.told.lock().unwrap().clone();
    assert_eq!(
        told,
        [
            "research Started",
            "40 Some(\"half way\")",
            "40 None",
            "research Succeeded"
        ]
    );
}

#[tokio::test]
async fn an_evaluator_computes() {
    let runtime = runtime().await;
    let call = |input| EvaluateCall {
        plugin: plugin(&runtime, PluginKind::Evaluator, "echo-evaluator"),
        input,
        deadline: Duration::from_secs(10),
        cancel: CancellationToken::new(),
        span_fields: CallLabels::default(),
    };
    let outcome = runtime.evaluate(call(json!({ "a": 1, "b": 2 }))).await;
    assert_eq!(
        outcome.result.unwrap(),
        json!({ "input": { "a": 1, "b": 2 }, "members": 2 })
    );
    let outcome = runtime.evaluate(call(json!([1]))).await;
    assert!(
        matches!(outcome.result.unwrap_err(), PluginError::Failure(f) if f.code == "invalid_input")
    );
}

/// Keeps the names of the spans that begin.
#[derive(Clone, Default)]
struct Spans(Arc<Mutex<Vec<(&'static str, String)>>>);

impl tracing::Subscriber for Spans {
    fn enabled(&self, _: &tracing::Metadata<'_>) -> bool {
        true
    }
    fn new_span(&self, span: &tracing::span::Attributes<'_>) -> tracing::span::Id {
        let begun = (span.metadata().name(), format!("{:?}", span.values()));
        self.0.lock().unwrap().push(begun);
        tracing::span::Id::from_u64(1)
    }
    fn record(&self, _: &tracing::span::Id, _: &tracing::span::Record<'_>) {}
    fn record_follows_from(&self, _: &tracing::span::Id, _: &tracing::span::Id) {}
    fn event(&self, _: &tracing::Event<'_>) {}
    fn enter(&self, _: &tracing::span::Id) {}
    fn exit(&self, _: &tracing::span::Id) {}
}

#[tokio::test]
async fn an_evaluation_is_traced_with_its_plug_in_and_job() {
    let runtime = runtime().await;
    let spans = Spans::default();
    let _guard = tracing::subscriber::set_default(spans.clone());
    let call = EvaluateCall {
        plugin: plugin(&runtime, PluginKind::Evaluator, "echo-evaluator"),
        input: json!({}),
        deadline: Duration::from_secs(10),
        cancel: CancellationToken::new(),
        span_fields: CallLabels {
            job: Some("job_1".into()),
            ..CallLabels::default()
        },
    };
    assert!(runtime.evaluate(call).await.result.is_ok());
    let spans = spans.0.lock().unwrap();
    let traced = spans.iter().find(|(name, _)| *name == "evaluate_call");
    let (_, fields) = traced.unwrap();
    assert!(fields.contains("echo-evaluator"), "{fields}");
    assert!(fields.contains("job_1"), "{fields}");
}

async fn render(document: Value) -> RenderOutcome {
    let runtime = runtime().await;
    let asset = Asset {
        media_type: "image/png".into(),
        bytes: Bytes::from_static(b"12345"),
    };
    let call = RenderCall {
        plugin: plugin(&runtime, PluginKind::DocumentRenderer, "echo-renderer"),
        document,
        settings: Value::Null,
        assets: BTreeMap::from([("logo".to_owned(), asset)]),
        started_at: NOW,
        deadline: Duration::from_secs(10),
        cancel: CancellationToken::new(),
        span_fields: CallLabels::default(),
    };
    runtime.render(call).await
}

#[tokio::test]
async fn a_renderer_reads_assets_and_writes_files() {
    let outcome = render(json!({ "title": "Plan" })).await;
    assert_eq!(outcome.result.unwrap(), json!({ "pages": 1 }));
    assert_eq!(outcome.artifacts.len(), 1);
    assert_eq!(
        (
            outcome.artifacts[0].filename.as_str(),
            outcome.artifacts[0].media_type.as_str()
        ),
        ("document.txt", "text/plain")
    );
    assert_eq!(&outcome.artifacts[0].bytes[..], b"Plan\nlogo 5");
}

#[tokio::test]
async fn a_renderers_files_stay_in_their_folder_and_their_size() {
    for (document, code) in [
        (
            json!({ "title": "x", "filename": "../../etc/passwd" }),
            "invalid_filename",
        ),
        (
            json!({ "title": "x", "bytes": 2 << 20 }),
            "output_too_large",
        ),
    ] {
        let outcome = render(document).await;
        assert!(
            matches!(outcome.result.unwrap_err(), PluginError::Failure(failure) if failure.code == code)
        );
        assert!(outcome.artifacts.is_empty());
    }
    let unfinished = render(json!({ "title": "x", "unfinished": true })).await;
    assert!(unfinished.result.is_ok() && unfinished.artifacts.is_empty());
}
