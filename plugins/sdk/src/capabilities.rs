//! The host's capabilities, served by whichever connection the tenant has bound.

use serde::de::DeserializeOwned;

use crate::{Failure, Value, host};

/// One call of a capability.
#[derive(Debug, Clone, PartialEq)]
pub struct Call {
    /// Name of the contract, for example `web.fetch`.
    pub capability: String,
    /// Input that matches the contract's input schema.
    pub input: Value,
}

impl Call {
    /// Creates a call.
    pub fn new(capability: impl Into<String>, input: Value) -> Self {
        Self {
            capability: capability.into(),
            input,
        }
    }
}

/// Performs one call.
pub fn invoke(capability: &str, input: Value) -> Result<Value, Failure> {
    invoke_all(&[Call::new(capability, input)])
        .pop()
        .unwrap_or_else(|| {
            Err(Failure::internal(
                "missing_answer",
                "The host answered fewer calls than it was given.",
            ))
        })
}

/// Performs one call and reads its output as `T`.
pub fn invoke_as<T: DeserializeOwned>(capability: &str, input: Value) -> Result<T, Failure> {
    let output = invoke(capability, input)?;
    serde_json::from_value(output).map_err(|error| {
        Failure::upstream(
            "invalid_provider_response",
            format!("The output of {capability} has an unexpected form: {error}."),
        )
    })
}

/// Performs several calls at once; returns the answers in the order of the calls. Every call is journaled,
/// so a resumed job gets the same answers again.
pub fn invoke_all(calls: &[Call]) -> Vec<Result<Value, Failure>> {
    host::capabilities_invoke(calls)
}

/// Whether a connection serves this capability for this job.
pub fn bound(capability: &str) -> bool {
    host::capabilities_bound(capability)
}
