//! When every instance is in use, calls wait.

use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use gtm_domain::Failure;
use gtm_runtime::{
    BackendCall, BackendHost, CallLabels, CapabilityCall, HostAbort, HostLimits, PluginKind,
    Runtime, StageStatus,
};
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use crate::fixtures::{NOW, catalog_dir, config, connector_call, misbehave, plugin, start};

async fn with_instances(pool_size: u32) -> Arc<Runtime> {
    let mut config = config(vec![catalog_dir()]);
    config.limits = HostLimits {
        pool_size,
        ..HostLimits::default()
    };
    Arc::new(start(config).await)
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_call_waits_for_an_instance_as_long_as_its_caller_has_time() {
    let runtime = with_instances(1).await;
    let calls: Vec<_> = (0..20).map(|n| misbehave(&runtime, "none", n)).collect();
    for outcome in futures::future::join_all(calls).await {
        assert!(outcome.result.is_ok(), "{:?}", outcome.result);
    }
    let looping = tokio::spawn({
        let runtime = Arc::clone(&runtime);
        async move { misbehave(&runtime, "loop", 0).await.result }
    });
    // Calls are admitted in turn until the looping one holds the only instance.
    let refused = loop {
        let input = json!({ "fault": "none", "amount": 1 });
        let mut hasty = connector_call(&runtime, "misbehaving-connector", "fault", input);
        hasty.deadline = Duration::from_millis(30);
        match runtime.call_connector(hasty).await.result {
            Ok(_) => assert!(!looping.is_finished(), "nobody was refused"),
            Err(failure) if failure.code == "plugin_unavailable" => break failure,
            // Its time ran out while it ran.
            Err(failure) => assert_eq!(failure.code, "plugin_limit_exceeded"),
        }
    };
    assert!(refused.message.contains("in time"), "{refused}");
    let patient = misbehave(&runtime, "none", 2).await;
    assert!(patient.result.is_ok(), "{:?}", patient.result);
    let looped = looping.await.unwrap().unwrap_err();
    assert_eq!(looped.code, "plugin_limit_exceeded");
}

/// An engine whose capabilities are served by plug-ins of the same runtime.
struct Engine(Arc<Runtime>);

#[async_trait]
impl BackendHost for Engine {
    async fn invoke(
        &self,
        calls: Vec<CapabilityCall>,
    ) -> Result<Vec<Result<Value, Failure>>, HostAbort> {
        let calls = calls.iter().map(|_| misbehave(&self.0, "none", 1));
        let outcomes = futures::future::join_all(calls).await;
        Ok(outcomes.into_iter().map(|call| call.result).collect())
    }
    fn bound(&self, _: &str) -> bool {
        true
    }
    async fn stage(&self, _: &str, _: StageStatus) -> Result<(), HostAbort> {
        Ok(())
    }
    async fn report(&self, _: u8, _: Option<String>) -> Result<(), HostAbort> {
        Ok(())
    }
    fn canceled(&self) -> bool {
        false
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn backends_leave_instances_to_the_connectors_that_they_wait_for() {
    let runtime = with_instances(2).await;
    let fetch = json!({ "capability": "web.fetch", "input": { "url": "https://example.com/" } });
    let runs = (0..6).map(|_| {
        let call = BackendCall {
            plugin: plugin(&runtime, PluginKind::GenerationBackend, "echo-backend"),
            task: "invoke".into(),
            input: json!({ "calls": [fetch, fetch, fetch] }),
            settings: json!({ "depth": 3 }),
            started_at: NOW,
            seed: [0; 32],
            deadline: Duration::from_secs(60),
            cancel: CancellationToken::new(),
            span_fields: CallLabels::default(),
        };
        runtime.generate(call, Arc::new(Engine(Arc::clone(&runtime))))
    });
    for outcome in futures::future::join_all(runs).await {
        let answer = outcome.result.unwrap();
        let answers = answer["answers"].as_array().unwrap();
        assert!(
            answers.iter().all(|answer| answer["ok"].is_object()),
            "{answer}"
        );
    }
}
