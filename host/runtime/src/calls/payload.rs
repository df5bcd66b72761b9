//! JSON that crosses the sandbox boundary, checked before a guest sees it and after a guest produced it.
//!
//! Danger: a stranger's schema or answer must not hold up the event loop, so parsing and checking have
//! threads of their own.

use std::sync::Arc;

use gtm_domain::{Failure, FailureKind};
use serde_json::{Value, json};

use crate::catalog::Plugin;
use crate::catalog::contracts::{CapabilityContract, OperationContract};
use crate::check_places::CheckPlaces;
use crate::config::HostLimits;
use crate::error::PluginError;
use crate::interfaces::failure::from_guest;
use crate::sandbox::bindings::interfaces::types;
use crate::schema::{MAX_NODES, Violation, depth, describe, nodes_of_text};

/// Deepest nesting of a payload. serde_json has a similar limit, so whatever passes here can be parsed.
const MAX_DEPTH: usize = 100;

/// The text of an input that matches its operation's schema.
///
/// # Errors
/// `unknown_operation`, `input_too_large`, `input_too_deep`, `invalid_input`, `invalid_settings`, or
/// `plugin_limit_exceeded` if checking takes too long.
pub async fn input_text(
    plugin: &Arc<Plugin>,
    operation: &str,
    input: Value,
    settings: &Value,
    limits: &HostLimits,
) -> Result<String, Failure> {
    let places = plugin.checks.clone();
    let (plugin, operation) = (Arc::clone(plugin), operation.to_owned());
    let (settings, limits) = (settings.clone(), limits.clone());
    let work = move || {
        let contract = contract(&plugin, &operation)?;
        checked_input(&plugin, contract, &input, &settings, &limits)
    };
    places
        .check("the input", work)
        .await
        .map_err(PluginError::into_failure)?
}

fn checked_input(
    plugin: &Plugin,
    operation: &OperationContract,
    input: &Value,
    settings: &Value,
    limits: &HostLimits,
) -> Result<String, Failure> {
    let invalid =
        |code: &str, message: String| Failure::new(FailureKind::InvalidInput, code, message);
    if depth(input) > MAX_DEPTH || depth(settings) > MAX_DEPTH {
        return Err(invalid(
            "input_too_deep",
            format!("nested deeper than {MAX_DEPTH}"),
        ));
    }
    plugin
        .contracts
        .check_settings(settings)
        .map_err(|violations| {
            invalid("invalid_settings", describe(&violations)).with_detail(pointers(&violations))
        })?;
    operation.check_input(input).map_err(|violations| {
        invalid("invalid_input", describe(&violations)).with_detail(pointers(&violations))
    })?;
    let text = input.to_string();
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > limits.input_bytes {
        return Err(invalid(
            "input_too_large",
            format!("longer than {} bytes", limits.input_bytes),
        ));
    }
    Ok(text)
}

/// The contract of one of the plug-in's operations.
///
/// # Errors
/// `unknown_operation`.
fn contract<'a>(plugin: &'a Plugin, operation: &str) -> Result<&'a OperationContract, Failure> {
    plugin.contracts.operation(operation).ok_or_else(|| {
        Failure::new(
            FailureKind::InvalidInput,
            "unknown_operation",
            format!("{} has no operation with that id", plugin.key),
        )
    })
}

fn pointers(violations: &[Violation]) -> Value {
    json!({ "violations": violations.iter().map(|v| json!({"pointer": v.pointer, "message": v.message})).collect::<Vec<_>>() })
}

/// The input of a capability that a guest asks for, checked in the guest's places, if it matches the
/// contract. `invalid_json` and `invalid_input` are for the guest to handle: they are the same on every run
/// of the job.
///
/// # Errors
/// If checking takes too long, which may differ on the next run.
pub async fn capability_input(
    places: &CheckPlaces,
    text: String,
    contract: Option<Arc<CapabilityContract>>,
) -> Result<Result<Value, Failure>, PluginError> {
    let invalid =
        |code: &str, message: String| Failure::new(FailureKind::InvalidInput, code, message);
    let work = move || {
        let input: Value = serde_json::from_str(&text).map_err(|error| {
            invalid(
                "invalid_json",
                format!("the input is not valid JSON: {error}"),
            )
        })?;
        if let Some(contract) = contract {
            contract
                .input
                .check(&input)
                .map_err(|violations| invalid("invalid_input", describe(&violations)))?;
        }
        Ok(input)
    };
    places.check("the input", work).await
}

/// The value that a guest answered, if it matches its operation's schema.
///
/// # Errors
/// Why there is no answer, the guest's own failure, the `output` limit, a broken contract, or the `time`
/// limit if checking takes too long.
pub async fn output_value(
    answer: Result<Result<String, types::Failure>, PluginError>,
    plugin: &Arc<Plugin>,
    operation: &str,
    max_bytes: u64,
) -> Result<Value, PluginError> {
    let text = answer?.map_err(|failure| PluginError::Failure(from_guest(failure)))?;
    let places = plugin.checks.clone();
    let (plugin, operation) = (Arc::clone(plugin), operation.to_owned());
    let work = move || {
        let contract = contract(&plugin, &operation).map_err(PluginError::Failure)?;
        checked_output(&text, contract, max_bytes)
    };
    places.check("the answer", work).await?
}

fn checked_output(
    text: &str,
    operation: &OperationContract,
    max_bytes: u64,
) -> Result<Value, PluginError> {
    let exceeded = |message: String| PluginError::LimitExceeded {
        limit: "output",
        message,
    };
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > max_bytes {
        return Err(exceeded(format!(
            "an answer of more than {max_bytes} bytes"
        )));
    }
    if nodes_of_text(text) > MAX_NODES {
        return Err(exceeded(format!(
            "an answer of more than {MAX_NODES} values"
        )));
    }
    let value: Value = serde_json::from_str(text).map_err(|error| {
        PluginError::ContractViolation(format!("the answer is not valid JSON: {error}"))
    })?;
    if depth(&value) > MAX_DEPTH {
        return Err(PluginError::ContractViolation(format!(
            "the answer is nested deeper than {MAX_DEPTH}"
        )));
    }
    operation.check_output(&value).map_err(|violations| {
        PluginError::ContractViolation(format!(
            "the answer violates its schema: {}",
            describe(&violations)
        ))
    })?;
    Ok(value)
}
