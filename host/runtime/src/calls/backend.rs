//! One run of a generation backend.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tracing::Instrument as _;

use super::shared::Shared;
use super::{BackendCall, BackendOutcome, payload};
use crate::backend_host::BackendHost;
use crate::error::PluginError;
use crate::guest::backend::BackendState;
use crate::outcome::Resources;
use crate::sandbox::{Prepared, RunLimits};

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
    let until = Instant::now() + call.deadline;
    let plugin = Arc::clone(&call.plugin);
    let Prepared::GenerationBackend(pre) = &plugin.prepared else {
        return refused(PluginError::Unavailable(format!(
            "{} is not a generation backend",
            plugin.key
        )));
    };
    let input = match payload::input_text(
        &plugin,
        &call.task,
        call.input.take(),
        &call.settings,
        &shared.limits,
    )
    .await
    {
        Ok(input) => input,
        Err(failure) => return refused(PluginError::Failure(failure)),
    };
    let limits = &plugin.manifest.limits;
    let room = match shared.sandbox.room(plugin.kind, until, &call.cancel).await {
        Ok(room) => room,
        Err(error) => return refused(error),
    };
    // The plug-in's own time begins when it may run.
    let wall = Duration::from_millis(limits.wall_ms).min(shared.limits.backend_wall);
    let deadline = until.min(Instant::now() + wall);
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
        calls_left: limits.capability_calls,
        max_input_bytes: usize::try_from(shared.limits.input_bytes).unwrap_or(usize::MAX),
        percent: 0,
        reports_left: MAX_REPORTS,
    };
    let run = RunLimits {
        deadline,
        cpu: Duration::from_millis(limits.cpu_ms).min(shared.limits.cpu),
        cancel: call.cancel.clone(),
    };
    let (guest, task) = (pre.clone(), call.task.clone());
    let (answer, state, resources) = shared
        .sandbox
        .run(room, state, run, |store| {
            Box::pin(async move {
                let guest = guest.instantiate_async(&mut *store).await?;
                guest.call_generate(&mut *store, &task, &input).await
            })
        })
        .await;
    let max_bytes = limits.output_bytes.min(shared.limits.output_bytes);
    let result = match answer {
        Ok(answer) => payload::output_value(answer, &plugin, &call.task, max_bytes).await,
        Err(error) => Err(error),
    };
    BackendOutcome {
        result,
        resources,
        logs: state.core.log.finish(),
        denied: state.core.denied,
    }
}
