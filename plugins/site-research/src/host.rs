//! What a backend asks of its host: capabilities, progress, settings and time.
//!
//! Research knows only this trait. [`SdkHost`] implements it with the SDK: in the component on the real
//! host, in native tests on a scripted one.

use gtm_sdk::{capabilities, context, log, progress};
use serde_json::Value;

use crate::failure::{self, Failure, FailureKind};

pub use crate::capabilities::{COMPANY_ENRICH, MODEL_COMPLETE, NEWS_SEARCH, WEB_FETCH, WEB_SEARCH};
pub use gtm_sdk::progress::StageStatus;

/// One capability call: the contract's name and its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Name of the contract, for example `web.fetch`.
    pub capability: &'static str,
    /// Input that matches the contract's input schema.
    pub input: Value,
}

/// The backend's whole view of the outside world.
pub trait Host {
    /// Performs the calls at once; returns the answers in the order of the calls.
    fn invoke(&self, calls: &[Call]) -> Vec<Result<Value, Failure>>;
    /// Whether a connection serves this capability for this job.
    fn bound(&self, capability: &str) -> bool;
    /// Reports the state of a named stage.
    fn stage(&self, key: &str, status: StageStatus);
    /// Reports the percentage done (0 to 100) and a milestone for people.
    fn report(&self, percent: u8, milestone: &str);
    /// Whether the job has been canceled.
    fn canceled(&self) -> bool;
    /// Writes a line to the operator's log; it must contain no page text.
    fn note(&self, message: &str);
    /// The binding's settings.
    ///
    /// # Errors
    /// When they are not JSON.
    fn settings(&self) -> Result<Value, Failure>;
    /// The job's start in milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;
}

/// Performs a call that must have exactly one answer.
///
/// # Errors
/// The call's own failure, or `backend_error` when the host did not return exactly one result.
pub fn invoke_one(host: &dyn Host, call: Call) -> Result<Value, Failure> {
    let mut answers = host.invoke(&[call]).into_iter();
    match (answers.next(), answers.next()) {
        (Some(answer), None) => answer,
        _ => Err(Failure::new(
            FailureKind::Internal,
            "backend_error",
            "The host did not return exactly one result for one call.",
        )),
    }
}

/// The host behind the SDK, which a component runs on.
#[derive(Debug, Clone, Copy)]
pub struct SdkHost;

impl Host for SdkHost {
    fn invoke(&self, calls: &[Call]) -> Vec<Result<Value, Failure>> {
        let calls: Vec<capabilities::Call> = calls
            .iter()
            .map(|call| capabilities::Call::new(call.capability, call.input.clone()))
            .collect();
        capabilities::invoke_all(&calls)
    }

    fn bound(&self, capability: &str) -> bool {
        capabilities::bound(capability)
    }

    fn stage(&self, key: &str, status: StageStatus) {
        progress::stage(key, status);
    }

    fn report(&self, percent: u8, milestone: &str) {
        progress::report(percent, Some(milestone));
    }

    fn canceled(&self) -> bool {
        progress::canceled()
    }

    fn note(&self, message: &str) {
        log::info(message);
    }

    fn settings(&self) -> Result<Value, Failure> {
        context::settings()
    }

    fn now_ms(&self) -> u64 {
        context::now_ms()
    }
}

/// Does the work of a named stage, and reports how it went.
///
/// # Errors
/// `canceled` when the job was already canceled, else the work's failure.
pub fn stage<T>(
    host: &dyn Host,
    key: &str,
    work: impl FnOnce() -> Result<T, Failure>,
) -> Result<T, Failure> {
    if host.canceled() {
        return Err(failure::canceled());
    }
    host.stage(key, StageStatus::Started);
    let outcome = work();
    host.stage(
        key,
        if outcome.is_ok() {
            StageStatus::Succeeded
        } else {
            StageStatus::Failed
        },
    );
    outcome
}
