//! What the backend asks of whoever runs it: capabilities, progress, settings and time.
//!
//! The pure part of the crate knows only this trait. In the component it is served by the SDK
//! (`lib.rs`), in native tests by a scripted host.

use serde_json::Value;

use crate::failure::{Failure, FailureKind};

pub use gtm_sdk::progress::StageStatus;

/// Name of the capability that reads web pages.
pub const WEB_FETCH: &str = "web.fetch";
/// Name of the capability that searches the web.
pub const WEB_SEARCH: &str = "web.search";
/// Name of the capability that lets a language model write.
pub const MODEL_COMPLETE: &str = "model.complete";

/// One capability call: the contract's name and its input.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Name of the contract, for example `web.fetch`.
    pub capability: &'static str,
    /// Input that fits the contract's input schema.
    pub input: Value,
}

/// The backend's whole view of the outside.
pub trait Host {
    /// Perform the calls at once; the answers stand in the order of the calls.
    fn invoke(&self, calls: &[Call]) -> Vec<Result<Value, Failure>>;
    /// Whether something serves this capability for this job.
    fn bound(&self, capability: &str) -> bool;
    /// Report how a named stage stands.
    fn stage(&self, key: &str, status: StageStatus);
    /// Report percent done (0 to 100) and a milestone for people.
    fn report(&self, percent: u8, milestone: &str);
    /// Whether the job has been canceled.
    fn canceled(&self) -> bool;
    /// Write a line to the operator's log; holds no page text.
    fn note(&self, message: &str);
    /// The binding's settings.
    ///
    /// # Errors
    /// When they are no JSON.
    fn settings(&self) -> Result<Value, Failure>;
    /// The job's start in milliseconds since the Unix epoch.
    fn now_ms(&self) -> u64;
}

/// A call that must have exactly one answer.
///
/// # Errors
/// The call's own failure, or `backend_error` when the host answered with another number of results.
pub fn invoke_one(host: &dyn Host, call: Call) -> Result<Value, Failure> {
    let mut answers = host.invoke(&[call]).into_iter();
    match (answers.next(), answers.next()) {
        (Some(answer), None) => answer,
        _ => Err(Failure::new(
            FailureKind::Internal,
            "backend_error",
            "The host answered one call with another number of results.",
        )),
    }
}
