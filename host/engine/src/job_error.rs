//! Errors of jobs that the host itself finds: the codes of annex A11, with the facts that a caller may see.
//! Errors from a job's backend are in `backend_end`, those of a limit or the credit in [`gtm_domain::money::refusal_words`].
//!
//! A message says what went wrong and what to do. DANGER: it must hold no secret, no payload and nothing
//! about the host's internals.

use gtm_document_model::Fault;
use gtm_domain::brand::BrandBinding;
use gtm_domain::job::JobError;
use gtm_domain::{JobErrorCode, JobId, MicroUsd};
use serde_json::{Value, json};

use crate::pins::PinnedPlugin;
use crate::spend::CapReached;

/// Most faults of a drafted document that are logged and told.
const MAX_FAULTS: usize = 20;

/// A job error with one of the published codes.
pub(crate) fn error(
    code: JobErrorCode,
    message: impl Into<String>,
    details: Option<Value>,
) -> JobError {
    JobError {
        code: code.as_str().to_owned(),
        message: message.into(),
        details,
    }
}

/// Nothing is bound to the product capability.
#[must_use]
pub fn backend_not_configured(capability: &str) -> JobError {
    error(
        JobErrorCode::BackendNotConfigured,
        format!("No generation backend is bound to {capability}."),
        None,
    )
}

/// A capability that the job or its backend requires has no connection, or one that lacks these credentials.
#[must_use]
pub fn connector_not_configured(capability: &str, lacking: &[String]) -> JobError {
    if lacking.is_empty() {
        let message = format!("No connection is bound to {capability}, which the job needs.");
        let details = json!({"capability": capability});
        return error(JobErrorCode::ConnectorNotConfigured, message, Some(details));
    }
    let message = format!(
        "The connection that is bound to {capability}, which the job needs, lacks {}.",
        lacking.join(", ")
    );
    let details = json!({"capability": capability, "lacking": lacking});
    error(JobErrorCode::ConnectorNotConfigured, message, Some(details))
}

/// The catalog no longer has the pinned backend with the same bytes. The message does not name it: callers
/// never learn a backend's name (specification, Brand); operators use `gtm job show`.
#[must_use]
pub fn backend_gone() -> JobError {
    error(
        JobErrorCode::PluginUnavailable,
        "The generation backend that this job was created with is not available.",
        Some(json!({"kind": "generation_backend"})),
    )
}

/// The catalog no longer has the pinned connector with the same bytes, or it lacks the operation.
#[must_use]
pub fn connector_gone(plugin: &PinnedPlugin) -> JobError {
    let message = format!(
        "The connector {} that this job was created with is not available.",
        plugin.key
    );
    let details = json!({"kind": "connector", "key": plugin.key, "version": plugin.version, "digest": plugin.digest});
    error(JobErrorCode::PluginUnavailable, message, Some(details))
}

/// The pinned connection was removed or disabled.
#[must_use]
pub fn connection_gone(connector: &PinnedPlugin) -> JobError {
    let message = format!(
        "The connection to {} that this job was created with is gone or disabled.",
        connector.key
    );
    error(
        JobErrorCode::ConnectorNotConfigured,
        message,
        Some(json!({"connector": connector.key})),
    )
}

/// The stored credentials cannot be decrypted.
#[must_use]
pub fn credentials_unreadable(connector: &PinnedPlugin) -> JobError {
    let message = format!(
        "The stored credentials of the connection to {} cannot be read; set them again.",
        connector.key
    );
    error(
        JobErrorCode::ConnectorCredentialsRejected,
        message,
        Some(json!({"connector": connector.key})),
    )
}

/// The bound guideline is not available: its revision is gone, or its brand was archived before the job
/// started.
#[must_use]
pub fn guideline_unavailable(bound: &BrandBinding) -> JobError {
    error(
        JobErrorCode::GuidelineUnavailable,
        "The brand guideline that this job was created with is gone, or its brand was archived before the job began.",
        Some(json!(bound)),
    )
}

/// Nothing that the backend drafted is supported by what it fetched.
#[must_use]
pub fn insufficient_evidence() -> JobError {
    error(
        JobErrorCode::InsufficientEvidence,
        "No statement could be verified in the fetched sources.",
        None,
    )
}

/// The job's calls differ from those in the journal.
#[must_use]
pub fn not_deterministic(seq: u64) -> JobError {
    let message =
        "The job made other calls than in its earlier run, so what made them is not deterministic.";
    error(
        JobErrorCode::PluginContractViolation,
        message,
        Some(json!({"step": seq})),
    )
}

/// The input of a call has no canonical form.
#[must_use]
pub fn bad_call(problem: &str) -> JobError {
    error(
        JobErrorCode::PluginContractViolation,
        format!("The backend made a call whose input has no canonical form: {problem}."),
        None,
    )
}

/// The backend's output is not a valid draft. The description may quote the backend, so it goes only to the
/// log.
#[must_use]
pub fn bad_draft(problem: &str) -> JobError {
    tracing::info!(problem, "the backend's output is no draft");
    error(
        JobErrorCode::PluginContractViolation,
        "The generation backend's output is not a valid draft for this job type.",
        None,
    )
}

/// The document in a backend's draft breaks the document model.
#[must_use]
pub fn bad_document(faults: &[Fault]) -> JobError {
    for fault in faults.iter().take(MAX_FAULTS) {
        tracing::info!(pointer = %fault.pointer, code = ?fault.code, message = %fault.message, "the drafted document has a fault");
    }
    // A pointer may hold a name that the plug-in chose; callers see none of its texts.
    let plain = |pointer: &str| {
        pointer.len() <= 200
            && pointer
                .bytes()
                .all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b"/_".contains(&b))
    };
    let violations: Vec<Value> = faults
        .iter()
        .filter(|fault| plain(&fault.pointer))
        .take(MAX_FAULTS)
        .map(|fault| json!({"pointer": fault.pointer, "code": fault.code}))
        .collect();
    error(
        JobErrorCode::BackendInvalidResponse,
        "The generation backend drafted a document that breaks the document model.",
        Some(json!({"violations": violations})),
    )
}

/// The renderer made no file, or more than one.
#[must_use]
pub fn not_one_file(role: &str) -> JobError {
    error(
        JobErrorCode::RenderFailed,
        "The renderer did not make exactly one file.",
        Some(json!({"role": role})),
    )
}

/// The backend's draft has more than the host checks: `what` it may have `most` of.
#[must_use]
pub fn oversized_draft(what: &str, most: usize) -> JobError {
    let message =
        format!("The generation backend's draft is too large: it may have at most {most} {what}.");
    error(
        JobErrorCode::BackendInvalidResponse,
        message,
        Some(json!({"limit": what, "max": most})),
    )
}

/// The backend made more calls than a job is allowed.
#[must_use]
pub fn too_many_calls(limit: u64) -> JobError {
    let message = format!("The backend made more than {limit} capability calls.");
    error(
        JobErrorCode::PluginLimitExceeded,
        message,
        Some(json!({"limit": "calls", "max": limit})),
    )
}

/// A call in doubt must not be repeated.
#[must_use]
pub fn outcome_unknown(seq: u64, capability: &str, connector: &str) -> JobError {
    let message = "The host stopped during a provider call that must not be repeated; its cost awaits reconciliation.";
    let details = json!({"step": seq, "capability": capability, "connector": connector});
    error(JobErrorCode::ProviderOutcomeUnknown, message, Some(details))
}

/// A billable call has no price: the connection bound to the capability is not fully configured.
#[must_use]
pub fn price_unknown(capability: &str, connector: &PinnedPlugin) -> JobError {
    let message = format!(
        "A {capability} call was not made because its price is unknown: set prices, or free, in the settings of the connection to {} that is bound to {capability}.",
        connector.key
    );
    error(
        JobErrorCode::ConnectorNotConfigured,
        message,
        Some(json!({
            "reason": "price_unknown",
            "capability": capability,
            "connector": connector.key,
            "missing_settings": ["prices"],
        })),
    )
}

/// The operator's setting for a job's cost cap.
const COST_CAP_SETTING: &str = "engine.job_cost_cap_usd";

/// A call would exceed the job's own cap. `charged` is what the job has spent. Calls that were under way at
/// the refusal count there with their actual cost, but count in the cap with their ceilings.
#[must_use]
pub fn cap_reached(capability: &str, reached: &CapReached, charged: MicroUsd) -> JobError {
    let CapReached {
        cap,
        settled,
        under_way,
        ceiling,
    } = *reached;
    let taken = settled + under_way;
    let set_aside = if under_way.is_positive() {
        format!(", {under_way} of it set aside for calls under way or in doubt")
    } else {
        String::new()
    };
    let message = format!(
        "A {capability} call was not made: it may cost up to {ceiling}, and {taken} of the job's cost cap of {cap} was taken{set_aside}. The job has spent {charged}. The operator's setting {COST_CAP_SETTING} raises the cap of later jobs."
    );
    let details = json!({
        "scope": "job",
        "capability": capability,
        "limit_usd": cap.usd(),
        "settled_usd": charged.usd(),
        "reserved_usd": under_way.usd(),
        "taken_usd": taken.usd(),
        "call_usd": ceiling.usd(),
        "setting": COST_CAP_SETTING,
    });
    error(JobErrorCode::BudgetExceeded, message, Some(details))
}

/// The job's end could not be written in repeated attempts.
#[must_use]
pub fn settlement_failed(job: JobId) -> JobError {
    error(
        JobErrorCode::SettlementFailed,
        format!(
            "The job's end and its charge could not be recorded; nothing is charged until an operator settles its calls. The reference is {job}."
        ),
        None,
    )
}

/// The job ran out of time.
#[must_use]
pub fn deadline_exceeded(seconds: u64) -> JobError {
    error(
        JobErrorCode::DeadlineExceeded,
        format!("The job was not done within {seconds} seconds."),
        Some(json!({"seconds": seconds})),
    )
}

/// Any other internal error. The log has the cause under the job's id.
#[must_use]
pub fn internal(job: JobId) -> JobError {
    error(
        JobErrorCode::InternalError,
        format!("The job could not be completed; the reference is {job}."),
        None,
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_connection_lacks_is_told() {
        let lacks = connector_not_configured("model.complete", &["api_key".to_owned()]);
        assert!(lacks.message.ends_with("lacks api_key."), "{lacks:?}");
        let details = json!({"capability": "model.complete", "lacking": ["api_key"]});
        assert_eq!(lacks.details, Some(details));
        let unbound = connector_not_configured("web.fetch", &[]);
        assert_eq!(unbound.code, lacks.code);
        assert_eq!(unbound.details, Some(json!({"capability": "web.fetch"})));
    }

    #[test]
    fn no_caller_is_told_which_backend_was_bound() {
        let text = json!(backend_gone()).to_string();
        for word in ["digest", "version", "key"] {
            assert!(!text.contains(word), "{text}");
        }
    }
}
