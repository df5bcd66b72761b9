//! One capability call: answered from the journal, or begun, made and settled.

use std::sync::Arc;

use gtm_domain::connection::ConnectionStatus;
use gtm_domain::evidence::ConnectorRef as FetchedBy;
use gtm_domain::money::Refused;
use gtm_domain::step::{ConnectorRef, NewStep, Step, StepOutcome, held_in_doubt};
use gtm_domain::{Failure, FailureKind, MicroUsd, TokenUsage, Usage, canonical_digest};
use gtm_runtime::egress::KeptBody;
use gtm_runtime::{CallLabels, CapabilityCall, ConnectorOutcome, Credentials};
use gtm_store::{AnswerBody, Settlement, StoreError};
use serde_json::Value;
use tokio::time::Instant;

use super::doubts::Doubts;
use super::persist::persist;
use super::state::{Inner, LeasedJob, StopCause, locked};
use super::{Next, lost, next};
use crate::connections::credentials;
use crate::pins::PinnedConnection;
use crate::plugins::{ConnectorRequest, OperationFacts, PluginIdentity};
use crate::spend::{MODEL_COMPLETE, Price, tokens};
use crate::stop::StopReason;
use crate::{fail_points, job_error, measures};

/// Performs the call at `seq`.
pub(super) async fn perform(
    inner: Arc<Inner>,
    seq: u64,
    call: CapabilityCall,
) -> Result<StepOutcome, StopCause> {
    let performed = step(&inner, seq, call).await;
    if let Err(verdict) = &performed {
        inner.judge(verdict);
    }
    performed
}

/// Whether, by the journal, the call at `seq` is in doubt or differs from the recorded one.
pub(super) fn ends_the_job(inner: &Inner, seq: u64, call: &CapabilityCall) -> bool {
    let Some(recorded) = inner.recorded.get(&seq) else {
        return false;
    };
    canonical_digest(&call.input).is_ok_and(|digest| {
        matches!(
            next(Some(recorded), &call.capability, &digest),
            Next::InDoubt | Next::Diverged
        )
    })
}

async fn step(inner: &Inner, seq: u64, call: CapabilityCall) -> Result<StepOutcome, StopCause> {
    let recorded = inner.recorded.get(&seq);
    // A refusal that follows from pins and manifest alone is the same in every run, so it needs no entry in
    // the journal; but then the journal must not have one.
    let bound = match route(inner, &call.capability) {
        Ok(bound) => bound,
        Err(_) if recorded.is_some() => {
            return Err(StopCause::Fail(job_error::not_deterministic(seq)));
        }
        Err(refusal) => return Ok(Err(refusal)),
    };
    let input_digest = canonical_digest(&call.input)
        .map_err(|e| StopCause::Fail(job_error::bad_call(&e.to_string())))?;
    match next(recorded, &call.capability, &input_digest) {
        Next::Diverged => Err(StopCause::Fail(job_error::not_deterministic(seq))),
        Next::Answer(outcome) => {
            let connector = recorded.and_then(|row| row.step.connector.clone());
            keep(inner, seq, &call.capability, connector, &outcome);
            Ok(outcome)
        }
        Next::InDoubt => {
            let unsettled = recorded.filter(|row| row.outcome.is_none());
            Err(give_up(inner, seq, &call.capability, bound, unsettled).await)
        }
        Next::Start | Next::Repeat => {
            let Some(leased) = &inner.parts.leased else {
                return Err(StopCause::Pause(format!(
                    "call {seq} ({}) was never settled",
                    call.capability
                )));
            };
            let step = NewStep {
                seq,
                capability: call.capability.clone(),
                input_digest,
                connection: Some(bound.connection),
                connector: None,
                replay_safe: false,
                keyed: false,
                step_key: format!("{}-{seq}", leased.lease.job()),
                ceiling: MicroUsd::ZERO,
            };
            make(inner, leased, bound, step, call, recorded).await
        }
    }
}

/// The connection that serves a capability, according to manifest and pins.
fn route<'a>(inner: &'a Inner, capability: &str) -> Result<&'a PinnedConnection, Failure> {
    if !inner.parts.declared.contains(capability) {
        return Err(Failure::denied(
            "capability_not_declared",
            "The backend's manifest does not name this capability.",
        ));
    }
    inner.parts.pins.connections.get(capability).ok_or_else(|| {
        Failure::denied(
            "capability_not_bound",
            "No connection serves this capability for this job.",
        )
    })
}

/// Begins the step, calls the connector and settles the outcome.
async fn make(
    inner: &Inner,
    leased: &LeasedJob,
    bound: &PinnedConnection,
    mut step: NewStep,
    call: CapabilityCall,
    recorded: Option<&Step>,
) -> Result<StepOutcome, StopCause> {
    if inner.is_over() || inner.parts.stop.reason().is_some() {
        return Err(StopCause::Stopped);
    }
    let seq = step.seq;
    let connector = bound
        .connector
        .identity()
        .ok_or_else(|| StopCause::Fail(job_error::connector_gone(&bound.connector)))?;
    let facts = inner
        .parts
        .connectors
        .operation(&connector, &call.capability)
        .ok_or_else(|| StopCause::Fail(job_error::connector_gone(&bound.connector)))?;
    let credentials = credentials(leased, bound, &facts).await?;
    let settings = &bound.connector.settings;
    let price = Price::of(&call.capability, facts.billable, settings);
    let ceiling = price.ceiling(&call.input, settings).ok_or_else(|| {
        StopCause::Fail(job_error::price_unknown(&call.capability, &bound.connector))
    })?;
    // Earlier attempts count already; with a key, this attempt is the same call.
    let before = recorded.map_or(MicroUsd::ZERO, Step::may_cost);
    let more = if recorded.is_some_and(|row| row.step.keyed) {
        MicroUsd::ZERO
    } else {
        ceiling
    };
    locked(&inner.budget)
        .reserve(more)
        .map_err(|reached| StopCause::CapReached {
            capability: call.capability.clone(),
            reached,
        })?;

    let journaled_connector = ConnectorRef {
        key: connector.key.clone(),
        version: connector.version.clone(),
        digest: connector.digest,
    };
    step.connector = Some(journaled_connector.clone());
    step.ceiling = ceiling;
    // With the same key, the provider itself ensures that a repeated call happens only once.
    step.keyed = facts.takes_idempotency_key;
    step.replay_safe = facts.replay_safe || step.keyed;
    fail_points::pass(fail_points::STEP_START_BEFORE);
    let begun = if let Some(row) = recorded {
        let begun = row.attempts;
        let restart = || leased.store.restart_step(&leased.lease, seq, begun);
        persist(restart, || Some(begun)).await.map(|_| ())
    } else {
        persist(
            || leased.store.start_step(&leased.lease, step.clone()),
            || Some(()),
        )
        .await
    };
    if let Err(error) = begun {
        locked(&inner.budget).settle(more, MicroUsd::ZERO, MicroUsd::ZERO);
        return Err(match error {
            StoreError::Refused(refusal) => StopCause::Fail(refusal.job_error(Refused::Call {
                capability: &call.capability,
                ceiling,
            })),
            error => StopCause::of_store(&error),
        });
    }
    fail_points::pass(fail_points::STEP_START_AFTER);

    let input = inner.as_judged(&call.capability, call.input);
    let capability = call.capability;
    let request = request(
        inner,
        &connector,
        &facts,
        bound,
        credentials,
        &step,
        input,
        price == Price::Free,
    );
    let outcome = inner.parts.connectors.call(request).await;
    let ended = inner.parts.clock.now();
    fail_points::pass(fail_points::STEP_CALL_AFTER);
    log(&capability, seq, &connector, &outcome);
    measures::call_ended(&connector.key, &outcome);

    let stop = &inner.parts.stop;
    let cut_by_us =
        matches!(&outcome.result, Err(failure) if failure.kind == FailureKind::Canceled);
    match stop.reason() {
        Some(StopReason::LeaseLost) => return Err(StopCause::LeaseLost),
        // A shutdown cut the call off before anything was sent, so it was not made.
        Some(StopReason::Draining) if stop.is_cut() && cut_by_us && outcome.sendings.sent == 0 => {
            let begun = recorded.map_or(0, |row| row.attempts).saturating_add(1);
            return Err(take_back(leased, seq, begun).await);
        }
        // Something was sent before the shutdown cut the call off: the step stays begun, and whoever
        // resumes the job applies the rule for calls in doubt.
        Some(StopReason::Draining) if stop.is_cut() && cut_by_us => return Err(StopCause::Stopped),
        _ => {}
    }
    let counted = tokens(&outcome);
    let charge = price.charge(&outcome, counted.as_ref(), ceiling);
    let usage = usage(&capability, &outcome, counted.as_ref(), charge.cost);
    let at_most = Doubts {
        price: &price,
        ceiling,
        outcome: &outcome,
        counted: counted.as_ref(),
        charge: &charge,
        begun_before: recorded,
    }
    .at_most();
    let settlement = Settlement {
        reported: charge.reported,
        reconcile: at_most.is_some(),
        at_most,
        outcome: outcome.result.clone(),
        exchanges: outcome
            .exchanges
            .into_iter()
            .map(|e| (e.receipt, to_store(e.body)))
            .collect(),
        usage,
    };
    let settled = persist(
        || {
            leased
                .store
                .settle_step(&leased.lease, seq, settlement.clone())
        },
        || Some(()),
    )
    .await;
    locked(&inner.budget).settle(
        before + more,
        usage.cost,
        held_in_doubt(at_most.unwrap_or(ceiling), usage.cost, settlement.reconcile),
    );
    settled.map_err(|error| StopCause::of_store(&error))?;
    measures::spent(&capability, usage.cost);
    fail_points::pass(fail_points::STEP_SETTLE_AFTER);
    {
        let mut consumed = locked(&inner.consumed);
        consumed.0 = consumed.0.plus(&usage);
        consumed.1.add(ended, usage.backend_runtime_ms);
    }
    keep(
        inner,
        seq,
        &capability,
        Some(journaled_connector),
        &outcome.result,
    );
    Ok(outcome.result)
}

/// Takes back the last of `begun` starts of a call, and stops. If that cannot be written, the call stays in
/// doubt like any other that was cut off.
async fn take_back(leased: &LeasedJob, seq: u64, begun: u32) -> StopCause {
    let write = || leased.store.unstart_step(&leased.lease, seq, begun);
    match persist(write, || Some(())).await {
        Ok(()) => StopCause::Stopped,
        Err(StoreError::LeaseLost) => StopCause::LeaseLost,
        Err(error) => {
            tracing::warn!(seq, %error, "a call that never went out stays in doubt");
            StopCause::Stopped
        }
    }
}

/// Converts an answer's bytes from the runtime's type to the store's.
fn to_store(body: KeptBody) -> AnswerBody {
    match body {
        KeptBody::Memory(bytes) => bytes.into(),
        KeptBody::Spooled(spooled) => AnswerBody::File(Arc::clone(spooled.file())),
    }
}

#[expect(
    clippy::too_many_arguments,
    reason = "what a call is made of, each once"
)]
fn request(
    inner: &Inner,
    connector: &PluginIdentity,
    facts: &OperationFacts,
    bound: &PinnedConnection,
    credentials: Credentials,
    step: &NewStep,
    input: Value,
    free: bool,
) -> ConnectorRequest {
    ConnectorRequest {
        connector: connector.clone(),
        operation: facts.id.clone(),
        input,
        settings: bound.connector.settings.clone(),
        credentials,
        connection: bound.connection.to_string(),
        repeated_gets: (!facts.billable).then(|| Arc::clone(&inner.repeated_gets)),
        idempotency_key: facts.takes_idempotency_key.then(|| step.step_key.clone()),
        deadline: inner
            .parts
            .ends_at
            .saturating_duration_since(Instant::now()),
        cancel: if free {
            inner.parts.stop.free_token().clone()
        } else {
            inner.parts.stop.token().clone()
        },
        labels: CallLabels {
            step: Some(step.seq.to_string()),
            ..inner.parts.labels.clone()
        },
    }
}

/// The present credentials of the connection: running jobs use a rotated secret too.
async fn credentials(
    leased: &LeasedJob,
    bound: &PinnedConnection,
    facts: &OperationFacts,
) -> Result<Credentials, StopCause> {
    let read = || {
        leased
            .store
            .connection_for_job(&leased.lease, bound.connection)
    };
    let secrets = match persist(read, || None).await {
        Ok(Some(secrets)) if secrets.connection.status == ConnectionStatus::Configured => secrets,
        Ok(_) => {
            return Err(StopCause::Fail(job_error::connection_gone(
                &bound.connector,
            )));
        }
        Err(StoreError::Unreadable { .. }) => {
            return Err(StopCause::Fail(job_error::credentials_unreadable(
                &bound.connector,
            )));
        }
        Err(error) => return Err(StopCause::of_store(&error)),
    };
    Ok(credentials::for_call(
        secrets.credentials,
        &facts.public_fields,
    ))
}

/// Settles a step whose outcome cannot be determined. The job ends with it.
async fn give_up(
    inner: &Inner,
    seq: u64,
    capability: &str,
    bound: &PinnedConnection,
    unsettled: Option<&Step>,
) -> StopCause {
    if let (Some(leased), Some(row)) = (&inner.parts.leased, unsettled) {
        let settlement = lost(row);
        let settled = persist(
            || {
                leased
                    .store
                    .settle_step(&leased.lease, seq, settlement.clone())
            },
            || Some(()),
        )
        .await;
        if let Err(error) = settled {
            return StopCause::of_store(&error);
        }
    }
    StopCause::Fail(job_error::outcome_unknown(
        seq,
        capability,
        &bound.connector.key,
    ))
}

fn usage(
    capability: &str,
    outcome: &ConnectorOutcome,
    counted: Option<&TokenUsage>,
    cost: MicroUsd,
) -> Usage {
    let sent = outcome.exchanges.iter().filter(|e| e.receipt.was_allowed());
    let requests = sent.clone().count() as u64;
    Usage {
        tokens: counted.copied().unwrap_or_default(),
        cost,
        backend_requests: if capability == MODEL_COMPLETE {
            requests
        } else {
            0
        },
        backend_runtime_ms: outcome.resources.wall_ms,
        connector_requests: requests,
        connector_bytes: sent.map(|e| e.receipt.response_bytes).sum(),
    }
}

fn keep(
    inner: &Inner,
    seq: u64,
    capability: &str,
    connector: Option<ConnectorRef>,
    outcome: &StepOutcome,
) {
    let Ok(output) = outcome else { return };
    // A model's text proves nothing, so nothing may cite it.
    if capability == MODEL_COMPLETE {
        return;
    }
    let Some(connector) = connector else { return };
    let connector = FetchedBy {
        key: connector.key,
        version: connector.version,
        component_digest: connector.digest,
    };
    inner.remember(seq, connector, output);
}

fn log(capability: &str, seq: u64, connector: &PluginIdentity, outcome: &ConnectorOutcome) {
    let code = outcome
        .result
        .as_ref()
        .err()
        .map(|failure| failure.code.as_str());
    tracing::debug!(
        seq,
        capability,
        connector = %connector.key,
        digest = %connector.digest,
        wall_ms = outcome.resources.wall_ms,
        exchanges = outcome.exchanges.len(),
        failure = code,
        "provider call ended"
    );
    for denial in &outcome.denied {
        tracing::info!(seq, connector = %connector.key, interface = denial.interface, code = %denial.code, "the host refused a plug-in");
    }
}
