//! One call of a connector's operation.

use std::sync::Arc;

use gtm_domain::{Failure, FailureKind};
use serde_json::Value;
use tokio::time::Instant;
use tracing::Instrument as _;

use super::shared::Shared;
use super::{ConnectorCall, ConnectorOutcome, payload};
use crate::config::HostLimits;
use crate::egress::{CallGrant, GrantParts, LimitKey, Sendings};
use crate::error::PluginError;
use crate::guest::connector::{ConnectorState, RecordedExchange, Streams};
use crate::manifest::{Grant, template};
use crate::outcome::{Meters, Resources};
use crate::sandbox::Prepared;
use crate::usage;

/// Refused requests that a call may make beyond the manifest's budget.
const REFUSALS: u32 = 64;

/// Performs a call; see [`crate::Runtime::call_connector`].
pub async fn perform(shared: &Shared, call: ConnectorCall) -> ConnectorOutcome {
    let span = tracing::info_span!(
        "connector_call",
        plugin = %call.plugin.key,
        version = %call.plugin.version,
        digest = %call.plugin.digest,
        operation = %call.operation,
        job = call.span_fields.job.as_deref(),
        step = call.span_fields.step.as_deref(),
        project = call.span_fields.project.as_deref(),
    );
    perform_in_span(shared, call).instrument(span).await
}

async fn perform_in_span(shared: &Shared, mut call: ConnectorCall) -> ConnectorOutcome {
    let refused = |failure: Failure| ConnectorOutcome {
        result: Err(failure),
        exchanges: Vec::new(),
        meters: Meters::default(),
        sendings: Sendings::default(),
        resources: Resources::default(),
        logs: Vec::new(),
        denied: Vec::new(),
    };
    let plugin = Arc::clone(&call.plugin);
    let code = match plugin.code.prepared(&shared.sandbox).await {
        Ok(code) => code,
        Err(error) => return refused(error.into_failure()),
    };
    let Prepared::Connector(pre) = code else {
        return refused(Failure::new(
            FailureKind::Internal,
            "plugin_unavailable",
            format!("{} is not a connector", plugin.key),
        ));
    };
    let prepared = shared.prepare(
        &plugin,
        &call.operation,
        call.input.take(),
        &call.settings,
        call.deadline,
        &call.cancel,
    );
    let ready = match prepared.await {
        Ok(ready) => ready,
        Err(error) => return refused(error.into_failure()),
    };
    let deadline = ready.run.deadline;
    let grant = match grant(&call, &shared.limits, deadline) {
        Ok(grant) => grant,
        Err(failure) => return refused(failure),
    };
    let state = ConnectorState {
        core: shared.core(&plugin.manifest, &call.settings, shared.clock.now()),
        gate: shared.gate.clone(),
        grant: Arc::new(grant),
        deadline,
        exchanges: Vec::new(),
        streams: Streams::default(),
        requests_left: (plugin.manifest.limits.egress_requests)
            .min(shared.limits.egress_requests)
            .saturating_add(REFUSALS),
        repeated: call.repeated_gets.take().zip(call.connection.clone()),
    };
    let (guest, operation, input) = (pre.clone(), call.operation.clone(), ready.input);
    let (answer, mut state, resources) = shared
        .sandbox
        .run(ready.room, state, ready.run, |store| {
            Box::pin(async move {
                let guest = guest.instantiate_async(&mut *store).await?;
                guest.call_invoke(&mut *store, &operation, &input).await
            })
        })
        .await;
    state.close_streams();

    let result = payload::output_value(answer, &plugin, &call.operation, ready.output_bytes)
        .await
        .map_err(PluginError::into_failure);
    let (meters, missing) =
        usage::measure(&plugin.manifest.usage, &call.operation, &state.exchanges);
    charge(&state, &meters);
    let result = match state.grant.ended() {
        None => settle(result, missing, &state.exchanges),
        // Whatever the guest made of it, the call fails.
        Some(failure) => Err(failure.clone()),
    };
    ConnectorOutcome {
        result,
        exchanges: state
            .exchanges
            .into_iter()
            .map(|recorded| recorded.exchange)
            .collect(),
        meters,
        sendings: state.grant.sendings(),
        resources,
        logs: state.core.log.finish(),
        denied: state.core.denied,
    }
}

/// Corrects the result by what the exchanges say: a success needs its required meters, and a failure for
/// want of credit is reported as that.
fn settle(
    result: Result<Value, Failure>,
    missing: Option<Failure>,
    exchanges: &[RecordedExchange],
) -> Result<Value, Failure> {
    match (result, missing) {
        (Ok(_), Some(missing)) => Err(missing),
        (Err(failure), _) if exchanges.iter().any(|recorded| recorded.exhausted) => Err(Failure {
            kind: FailureKind::Quota,
            code: "provider_credit_exhausted".to_owned(),
            ..failure
        }),
        (result, _) => result,
    }
}

/// Tells the gate what the call cost. A fraction of a credit is rounded up. Without a total, the known
/// parts are added.
fn charge(state: &ConnectorState, meters: &Meters) {
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the cast saturates, and a negative figure charges nothing"
    )]
    let credits = meters.credits.map_or(0, |credits| credits.ceil() as u64);
    let tokens = meters.tokens.map_or(0, |tokens| {
        let parts = [tokens.input, tokens.output].into_iter().flatten();
        let parts = parts.fold(0, u64::saturating_add);
        tokens.total.unwrap_or(parts)
    });
    state.gate.charge(&state.grant, credits, tokens);
}

/// Whose rate limit a call counts against. A provider tells callers apart by their credentials, or by the
/// server that a setting names; without either it sees only the host's address, which all connections
/// share.
fn limit_key(call: &ConnectorCall) -> LimitKey {
    let manifest = &call.plugin.manifest;
    let by_address = manifest.auth.schemes.iter().all(|s| s.id().is_none())
        && !manifest.asks_for(Grant::OpenWeb)
        && manifest
            .egress
            .iter()
            .all(|egress| template::whole_setting(&egress.host).is_none());
    let account = match &call.connection {
        Some(connection) if !by_address => connection,
        _ => &call.plugin.key,
    };
    LimitKey {
        // Another version may have other limits, with windows of their own.
        account: format!("{account}/{}", call.plugin.version),
        tenant: call.span_fields.project.clone().unwrap_or_default(),
        operation: call.operation.clone(),
    }
}

fn grant(call: &ConnectorCall, host: &HostLimits, deadline: Instant) -> Result<CallGrant, Failure> {
    let manifest = &call.plugin.manifest;
    let operation = manifest.operation(&call.operation);
    let idempotency = operation
        .and_then(|operation| operation.idempotency_header.clone())
        .zip(call.idempotency_key.clone());
    CallGrant::for_call(GrantParts {
        connector: &call.plugin.key,
        egress: &manifest.egress,
        open_web: manifest.asks_for(Grant::OpenWeb),
        schemes: &manifest.auth.schemes,
        rate: &manifest.rate,
        limit_key: Some(limit_key(call)),
        settings: &call.settings,
        credentials: call.credentials.clone(),
        replay_safe: operation.is_some_and(|operation| operation.replay_safe),
        idempotency,
        budget: Arc::new(host.egress_budget(
            manifest.limits.egress_requests,
            &manifest.limits,
            deadline,
        )),
        cancel: call.cancel.clone(),
    })
}
