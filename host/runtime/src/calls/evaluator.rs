//! One run of an evaluator.

use std::sync::Arc;

use gtm_domain::Timestamp;
use serde_json::Value;
use tracing::Instrument as _;

use super::shared::Shared;
use super::{EvaluateCall, EvaluateOutcome, payload};
use crate::error::PluginError;
use crate::guest::evaluator::EvaluatorState;
use crate::outcome::Resources;
use crate::sandbox::Prepared;

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
    let plugin = Arc::clone(&call.plugin);
    let code = match plugin.code.prepared(&shared.sandbox).await {
        Ok(code) => code,
        Err(error) => return refused(error),
    };
    let (Prepared::Evaluator(pre), Some(operation)) = (code, plugin.manifest.operations.first())
    else {
        return refused(PluginError::Unavailable(format!(
            "{} is not an evaluator",
            plugin.key
        )));
    };
    let prepared = shared.prepare(
        &plugin,
        &operation.id,
        call.input.take(),
        &Value::Null,
        call.deadline,
        &call.cancel,
    );
    let ready = match prepared.await {
        Ok(ready) => ready,
        Err(error) => return refused(error),
    };
    // An evaluator imports neither clock nor log, so their values do not matter.
    let state = EvaluatorState {
        core: shared.core(&plugin.manifest, &Value::Null, Timestamp::EPOCH),
    };
    let (guest, input) = (pre.clone(), ready.input);
    let (answer, _, resources) = shared
        .sandbox
        .run(ready.room, state, ready.run, |store| {
            Box::pin(async move {
                let guest = guest.instantiate_async(&mut *store).await?;
                guest.call_evaluate(&mut *store, &input).await
            })
        })
        .await;
    let result = payload::output_value(answer, &plugin, &operation.id, ready.output_bytes).await;
    EvaluateOutcome { result, resources }
}
