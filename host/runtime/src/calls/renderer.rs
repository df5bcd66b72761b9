//! One run of a document renderer.

use std::sync::Arc;
use std::time::Duration;

use tokio::time::Instant;
use tracing::Instrument as _;

use super::shared::Shared;
use super::{RenderCall, RenderOutcome, payload};
use crate::error::PluginError;
use crate::guest::drafts::Drafts;
use crate::guest::renderer::RendererState;
use crate::outcome::Resources;
use crate::sandbox::{Prepared, RunLimits};

/// Performs a run; see [`crate::Runtime::render`].
pub async fn perform(shared: &Shared, call: RenderCall) -> RenderOutcome {
    let span = tracing::info_span!(
        "render_call",
        plugin = %call.plugin.key,
        version = %call.plugin.version,
        digest = %call.plugin.digest,
        job = call.span_fields.job.as_deref(),
        project = call.span_fields.project.as_deref(),
    );
    perform_in_span(shared, call).instrument(span).await
}

async fn perform_in_span(shared: &Shared, mut call: RenderCall) -> RenderOutcome {
    let refused = |error| RenderOutcome {
        result: Err(error),
        artifacts: Vec::new(),
        resources: Resources::default(),
        logs: Vec::new(),
    };
    let until = Instant::now() + call.deadline;
    let plugin = Arc::clone(&call.plugin);
    let (Prepared::DocumentRenderer(pre), Some(operation)) =
        (&plugin.prepared, plugin.manifest.operations.first())
    else {
        return refused(PluginError::Unavailable(format!(
            "{} is not a document renderer",
            plugin.key
        )));
    };
    let document = match payload::input_text(
        &plugin,
        &operation.id,
        call.document.take(),
        &call.settings,
        &shared.limits,
    )
    .await
    {
        Ok(document) => document,
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
    let output_bytes = limits.output_bytes.min(shared.limits.output_bytes);
    let state = RendererState {
        core: shared.core(&plugin.manifest, &call.settings, call.started_at),
        assets: call.assets,
        drafts: Drafts::new(output_bytes),
    };
    let run = RunLimits {
        deadline,
        cpu: Duration::from_millis(limits.cpu_ms).min(shared.limits.cpu),
        cancel: call.cancel.clone(),
    };
    let guest = pre.clone();
    let (answer, state, resources) = shared
        .sandbox
        .run(room, state, run, |store| {
            Box::pin(async move {
                let guest = guest.instantiate_async(&mut *store).await?;
                guest.call_render(&mut *store, &document).await
            })
        })
        .await;
    let result = match answer {
        Ok(answer) => payload::output_value(answer, &plugin, &operation.id, output_bytes).await,
        Err(error) => Err(error),
    };
    RenderOutcome {
        artifacts: if result.is_ok() {
            state.drafts.finish()
        } else {
            Vec::new()
        },
        result,
        resources,
        logs: state.core.log.finish(),
    }
}
