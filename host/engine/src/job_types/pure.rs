//! Runs the renderers and evaluators that a job has pinned. They see only their input and their answers
//! follow from it, so nothing is journaled, and a resumed job runs them again.

use std::collections::BTreeMap;
use std::sync::atomic::Ordering;

use gtm_domain::JobErrorCode;
use gtm_domain::job::JobError;
use gtm_domain::message::rubric::Judge;
use gtm_runtime::{
    Artifact, Asset, EvaluateOutcome, PluginError, PluginKind, RenderOutcome, Resources,
};
use serde_json::{Value, json};
use tokio::time::Instant;

use super::JobRun;
use crate::ending::Ending;
use crate::failure_messages::Reason;
use crate::plan::Role;
use crate::plugins::{EvaluateRequest, PluginIdentity, RenderRequest};
use crate::stop::StopReason;
use crate::{failure_details, failure_messages, job_error};

/// Outcome of a renderer.
#[derive(Debug)]
pub struct Rendered {
    pub answer: Value,
    /// Its files, in the order in which they were finished.
    pub files: Vec<Artifact>,
}

impl JobRun {
    /// Lets the renderer of a role make files from a document.
    ///
    /// # Errors
    /// How the job ends if the renderer failed.
    pub async fn render(
        &self,
        role: &Role,
        document: Value,
        assets: BTreeMap<String, Asset>,
    ) -> Result<Rendered, Ending> {
        let (renderer, settings) = self.pinned(PluginKind::DocumentRenderer, role)?;
        let request = RenderRequest {
            renderer,
            document,
            settings,
            assets,
            started_at: self.started_at,
            deadline: self.ends_at.saturating_duration_since(Instant::now()),
            cancel: self.stop.free_token().clone(),
            labels: self.labels(),
        };
        let outcome = tokio::select! {
            outcome = self.plugins.pure.render(request) => outcome,
            () = self.stop.cut_and_noticed() => RenderOutcome {
                result: Err(PluginError::Canceled),
                artifacts: Vec::new(),
                resources: Resources::default(),
                logs: Vec::new(),
            },
        };
        for line in &outcome.logs {
            tracing::debug!(level = ?line.level, message = %line.message, "renderer log");
        }
        self.count(PluginKind::DocumentRenderer, role, outcome.resources);
        let answer = self.answered(PluginKind::DocumentRenderer, outcome.result)?;
        Ok(Rendered {
            answer,
            files: outcome.artifacts,
        })
    }

    /// Whether a renderer is pinned for the role, so that a job without one fails before it costs anything.
    ///
    /// # Errors
    /// How the job ends without it.
    pub fn has_renderer(&self, role: &Role) -> Result<(), Ending> {
        self.pinned(PluginKind::DocumentRenderer, role).map(|_| ())
    }

    /// The evaluator that is pinned for a role, for results that name it.
    ///
    /// # Errors
    /// How the job ends without it.
    pub fn judge(&self, role: &Role) -> Result<Judge, Ending> {
        let (identity, _) = self.pinned(PluginKind::Evaluator, role)?;
        Ok(Judge {
            key: identity.key,
            version: identity.version,
            digest: identity.digest,
        })
    }

    /// Lets the evaluator of a role assess an input; returns its answer.
    ///
    /// # Errors
    /// How the job ends if the evaluator failed.
    pub async fn evaluate(&self, role: &Role, input: Value) -> Result<Value, Ending> {
        let (evaluator, _) = self.pinned(PluginKind::Evaluator, role)?;
        let request = EvaluateRequest {
            evaluator,
            input,
            deadline: self.ends_at.saturating_duration_since(Instant::now()),
            cancel: self.stop.free_token().clone(),
            labels: self.labels(),
        };
        let outcome = tokio::select! {
            outcome = self.plugins.pure.evaluate(request) => outcome,
            () = self.stop.cut_and_noticed() => EvaluateOutcome {
                result: Err(PluginError::Canceled),
                resources: Resources::default(),
            },
        };
        self.count(PluginKind::Evaluator, role, outcome.resources);
        self.answered(PluginKind::Evaluator, outcome.result)
    }

    /// Adds what a plug-in used to the job's usage, whether or not it answered.
    fn count(&self, kind: PluginKind, role: &Role, used: Resources) {
        self.pure_cpu_ms.fetch_add(used.cpu_ms, Ordering::Relaxed);
        tracing::debug!(
            kind = kind.key(),
            role = role.as_str(),
            cpu_ms = used.cpu_ms,
            wall_ms = used.wall_ms,
            peak_memory_bytes = used.peak_memory_bytes,
            "plug-in call ended"
        );
    }

    /// The plug-in pinned for a role, with its settings.
    fn pinned(&self, kind: PluginKind, role: &Role) -> Result<(PluginIdentity, Value), Ending> {
        let Some(pinned) = self.pins.plugins.get(role) else {
            return Err(Ending::Failed(not_configured(kind, role)));
        };
        let identity = pinned
            .identity()
            .ok_or_else(|| Ending::Failed(unavailable(kind)))?;
        Ok((identity, pinned.settings.clone()))
    }

    /// The answer, unless the job is stopped or the plug-in failed.
    fn answered(
        &self,
        kind: PluginKind,
        result: Result<Value, PluginError>,
    ) -> Result<Value, Ending> {
        // The plug-in's time may end a moment before the job's clock is seen to.
        let over = self.ends_at <= Instant::now();
        let reason = self.stop.reason();
        match (result, reason.or(over.then_some(StopReason::Deadline))) {
            (_, Some(StopReason::LeaseLost)) => Err(Ending::LeaseLost),
            (_, Some(StopReason::Canceled)) => Err(Ending::Canceled),
            (Ok(answer), _) => Ok(answer),
            (Err(_), Some(StopReason::Deadline)) => Err(Ending::Failed(
                job_error::deadline_exceeded(self.config.job_deadline.as_secs()),
            )),
            (Err(_), Some(StopReason::Draining)) => {
                Err(Ending::HandBack("the node shuts down".to_owned()))
            }
            (Err(error), None) => {
                tracing::info!(%error, kind = kind.key(), "a plug-in ended without an answer");
                Err(Ending::Failed(meaning(kind, &error)))
            }
        }
    }
}

/// No plug-in of the right kind was bound to the role when the job was created.
fn not_configured(kind: PluginKind, role: &Role) -> JobError {
    let (code, what) = match kind {
        PluginKind::DocumentRenderer => (JobErrorCode::RendererNotConfigured, word(kind)),
        _ => (JobErrorCode::BackendNotConfigured, word(kind)),
    };
    let message = format!("No {what} is bound to {}.", role.as_str());
    job_error::error(code, message, Some(json!({"role": role.as_str()})))
}

fn unavailable(kind: PluginKind) -> JobError {
    let message = format!(
        "The {} that this job was created with is not available.",
        word(kind)
    );
    let details = json!({"kind": kind.key()});
    job_error::error(JobErrorCode::PluginUnavailable, message, Some(details))
}

/// What the end of a renderer or evaluator means for its job, in the host's words: callers never see a
/// plug-in's own texts (decision 0055).
fn meaning(kind: PluginKind, end: &PluginError) -> JobError {
    let what = word(kind);
    let (code, message, details) = match end {
        PluginError::Failure(failure) | PluginError::Aborted(failure) => {
            let claimed = match kind {
                PluginKind::DocumentRenderer => JobErrorCode::claimed(&failure.code),
                _ => None,
            };
            let otherwise = match kind {
                PluginKind::DocumentRenderer => JobErrorCode::RenderFailed,
                _ => JobErrorCode::BackendError,
            };
            let code = match claimed {
                Some(code @ JobErrorCode::OutputTooLarge) => code,
                _ => otherwise,
            };
            let known = failure_details::known(code, failure.detail.as_ref());
            let reason = known.get("reason").and_then(Value::as_str);
            match reason
                .and_then(Reason::parse)
                .filter(|_| code == JobErrorCode::RenderFailed)
            {
                Some(reason) => (
                    code,
                    failure_messages::of(code, Some(reason)).to_owned(),
                    Some(json!({"reason": reason.as_str()})),
                ),
                None => (code, format!("The {what} could not do its work."), None),
            }
        }
        PluginError::Trapped(_) => (
            JobErrorCode::PluginTrapped,
            format!("The {what} crashed."),
            None,
        ),
        PluginError::LimitExceeded { limit, .. } => (
            JobErrorCode::PluginLimitExceeded,
            format!("The {what} went over its {limit} limit."),
            Some(json!({"limit": limit})),
        ),
        PluginError::ContractViolation(_) => (
            JobErrorCode::PluginContractViolation,
            format!("The {what} broke its contract."),
            None,
        ),
        PluginError::Unavailable(_) => return unavailable(kind),
        PluginError::Canceled => (
            JobErrorCode::BackendError,
            format!("The {what} ended without an answer."),
            None,
        ),
    };
    job_error::error(code, message, details)
}

const fn word(kind: PluginKind) -> &'static str {
    match kind {
        PluginKind::DocumentRenderer => "renderer",
        PluginKind::Evaluator => "evaluator",
        PluginKind::GenerationBackend => "generation backend",
        PluginKind::Connector => "connector",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use gtm_domain::{Failure, FailureKind};

    fn failed(kind: PluginKind, code: &str) -> JobError {
        let failure = Failure::new(FailureKind::Internal, code, "<b>its own words</b>");
        meaning(kind, &PluginError::Failure(failure))
    }

    #[test]
    fn a_failure_is_worded_by_the_host() {
        let renderer = PluginKind::DocumentRenderer;
        for (kind, code, told) in [
            (renderer, "overflow", "render_failed"),
            (renderer, "output_too_large", "output_too_large"),
            (renderer, "insufficient_credits", "render_failed"),
            (PluginKind::Evaluator, "output_too_large", "backend_error"),
        ] {
            let error = failed(kind, code);
            assert_eq!(error.code, told);
            assert!(!error.message.contains("own words"), "{}", error.message);
        }
        let reason = |reason: &str| {
            let failure = Failure::new(FailureKind::InvalidInput, "render_failed", "its own words")
                .with_detail(json!({"reason": reason}));
            meaning(renderer, &PluginError::Failure(failure))
        };
        let unreadable = reason("missing_glyphs");
        assert_eq!(
            unreadable.details,
            Some(json!({"reason": "missing_glyphs"}))
        );
        assert!(unreadable.message.starts_with("No font"), "{unreadable:?}");
        assert_eq!(reason("the_offer_is_secret").details, None);
        let trapped = meaning(renderer, &PluginError::Trapped("stack".into()));
        assert_eq!(trapped.message, "The renderer crashed.");
    }

    #[test]
    fn what_is_not_bound_is_named_by_its_role() {
        let role = Role::named("render.pptx");
        let error = not_configured(PluginKind::DocumentRenderer, &role);
        assert_eq!(error.code, "renderer_not_configured");
        assert_eq!(error.message, "No renderer is bound to render.pptx.");
        let error = not_configured(PluginKind::Evaluator, &Role::named("judge"));
        assert_eq!(error.code, "backend_not_configured");
    }
}
