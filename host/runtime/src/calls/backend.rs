//! One run of a generation backend.

use std::sync::Arc;

use tracing::Instrument as _;

use super::shared::Shared;
use super::{BackendCall, BackendOutcome, payload};
use crate::backend_host::BackendHost;
use crate::error::PluginError;
use crate::guest::backend::BackendState;
use crate::outcome::Resources;
use crate::sandbox::Prepared;

/// Maximum number of stages and reports in one run; further ones are dropped.
const MAX_REPORTS: u32 = 1000;

/// Performs a run; see [`crate::Runtime::generate`].
pub async fn perform(
    shared: &Shared,
    call: BackendCall,
    host: Arc<dyn BackendHost>,
) -> BackendOutcome {
    let span = tracing::info_span!(
        "backend_call",
        plugin = %call.plugin.key,
        version = %call.plugin.version,
        digest = %call.plugin.digest,
        task = %call.task,
        job = call.span_fields.job.as_deref(),
        project = call.span_fields.project.as_deref(),
    );
    perform_in_span(shared, call, host).instrument(span).await
}

async fn perform_in_span(
    shared: &Shared,
    mut call: BackendCall,
    host: Arc<dyn BackendHost>,
) -> BackendOutcome {
    let refused = |error| BackendOutcome {
        result: Err(error),
        resources: Resources::default(),
        logs: Vec::new(),
        denied: Vec::new(),
    };
    let plugin = Arc::clone(&call.plugin);
    let code = match plugin.code.prepared(&shared.sandbox).await {
        Ok(code) => code,
        Err(error) => return refused(error),
    };
    let Prepared::GenerationBackend(pre) = code else {
        return refused(PluginError::Unavailable(format!(
            "{} is not a generation backend",
            plugin.key
        )));
    };
    let prepared = shared.prepare(
        &plugin,
        &call.task,
        call.input.take(),
        &call.settings,
        call.deadline,
        &call.cancel,
    );
    let ready = match prepared.await {
        Ok(ready) => ready,
        Err(error) => return refused(error),
    };
    let state = BackendState {
        core: shared.core(&plugin.manifest, &call.settings, call.started_at),
        host,
        checks: plugin.checks.clone(),
        declared: plugin
            .manifest
            .requires
            .iter()
            .map(|requirement| requirement.capability.clone())
            .collect(),
        calls_left: plugin.manifest.limits.capability_calls,
        max_input_bytes: usize::try_from(shared.limits.input_bytes).unwrap_or(usize::MAX),
        percent: 0,
        reports_left: MAX_REPORTS,
    };
    let (guest, task, input) = (pre.clone(), call.task.clone(), ready.input);
    let (answer, state, resources) = shared
        .sandbox
        .run(ready.room, state, ready.run, |store| {
            Box::pin(async move {
                let guest = guest.instantiate_async(&mut *store).await?;
                guest.call_generate(&mut *store, &task, &input).await
            })
        })
        .await;
    let result = payload::output_value(answer, &plugin, &call.task, ready.output_bytes).await;
    BackendOutcome {
        result,
        resources,
        logs: state.core.log.finish(),
        denied: state.core.denied,
    }
}
