//! One run of a document renderer.

use std::sync::Arc;

use tracing::Instrument as _;

use super::shared::Shared;
use super::{RenderCall, RenderOutcome, payload};
use crate::error::PluginError;
use crate::guest::drafts::Drafts;
use crate::guest::renderer::RendererState;
use crate::outcome::Resources;
use crate::sandbox::Prepared;

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
    let plugin = Arc::clone(&call.plugin);
    let code = match plugin.code.prepared(&shared.sandbox).await {
        Ok(code) => code,
        Err(error) => return refused(error),
    };
    let (Prepared::DocumentRenderer(pre), Some(operation)) =
        (code, plugin.manifest.operations.first())
    else {
        return refused(PluginError::Unavailable(format!(
            "{} is not a document renderer",
            plugin.key
        )));
    };
    let prepared = shared.prepare(
        &plugin,
        &operation.id,
        call.document.take(),
        &call.settings,
        call.deadline,
        &call.cancel,
    );
    let ready = match prepared.await {
        Ok(ready) => ready,
        Err(error) => return refused(error),
    };
    let state = RendererState {
        core: shared.core(&plugin.manifest, &call.settings, call.started_at),
        assets: call.assets,
        drafts: Drafts::new(ready.output_bytes),
    };
    let (guest, document) = (pre.clone(), ready.input);
    let (answer, state, resources) = shared
        .sandbox
        .run(ready.room, state, ready.run, |store| {
            Box::pin(async move {
                let guest = guest.instantiate_async(&mut *store).await?;
                guest.call_render(&mut *store, &document).await
            })
        })
        .await;
    let result = payload::output_value(answer, &plugin, &operation.id, ready.output_bytes).await;
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
