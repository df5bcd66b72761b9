//! One run of an evaluator.

use std::sync::Arc;
use std::time::Duration;

use gtm_domain::Timestamp;
use serde_json::Value;
use tokio::time::Instant;
use tracing::Instrument as _;

use super::shared::Shared;
use super::{EvaluateCall, EvaluateOutcome, payload};
use crate::error::PluginError;
use crate::guest::evaluator::EvaluatorState;
use crate::outcome::Resources;
use crate::sandbox::{Prepared, RunLimits};

/// Performs an evaluation; see [`crate::Runtime::evaluate`].
pub async fn perform(shared: &Shared, call: EvaluateCall) -> EvaluateOutcome {
    let span = tracing::info_span!(
        "evaluate_call",
        plugin = %call.plugin.key,
        version = %call.plugin.version,
        digest = %call.plugin.digest,
        job = call.span_fields.job.as_deref(),
        project = call.span_fields.project.as_deref(),
    );
    perform_in_span(shared, call).instrument(span).await
}

async fn perform_in_span(shared: &Shared, mut call: EvaluateCall) -> EvaluateOutcome {
    let refused = |error| EvaluateOutcome {
        result: Err(error),
        resources: Resources::default(),
    };
    let until = Instant::now() + call.deadline;
    let plugin = Arc::clone(&call.plugin);
    let (Prepared::Evaluator(pre), Some(operation)) =
        (&plugin.prepared, plugin.manifest.operations.first())
    else {
        return refused(PluginError::Unavailable(format!(
            "{} is not an evaluator",
            plugin.key
        )));
    };
    let input = match payload::input_text(
        &plugin,
        &operation.id,
        call.input.take(),
        &Value::Null,
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
    let wall = Duration::from_millis(limits.wall_ms).min(shared.limits.wall);
    let deadline = until.min(Instant::now() + wall);
    // An evaluator imports neither clock nor log, so their values do not matter.
    let state = EvaluatorState {
        core: shared.core(&plugin.manifest, &Value::Null, Timestamp::EPOCH),
    };
    let run = RunLimits {
        deadline,
        cpu: Duration::from_millis(limits.cpu_ms).min(shared.limits.cpu),
        cancel: call.cancel.clone(),
    };
    let guest = pre.clone();
    let (answer, _, resources) = shared
        .sandbox
        .run(room, state, run, |store| {
            Box::pin(async move {
                let guest = guest.instantiate_async(&mut *store).await?;
                guest.call_evaluate(&mut *store, &input).await
            })
        })
        .await;
    let max_bytes = limits.output_bytes.min(shared.limits.output_bytes);
    let result = match answer {
        Ok(answer) => payload::output_value(answer, &plugin, &operation.id, max_bytes).await,
        Err(error) => Err(error),
    };
    EvaluateOutcome { result, resources }
}
