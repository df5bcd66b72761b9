//! JSON that crosses the border: checked before a guest sees it and after a guest made it.

use gtm_domain::{Failure, FailureKind};
use serde_json::{Value, json};

use crate::catalog::Plugin;
use crate::catalog::contracts::OperationContract;
use crate::config::HostLimits;
use crate::error::PluginError;
use crate::interfaces::failure::from_guest;
use crate::sandbox::bindings::interfaces::types;
use crate::schema::{Violation, depth, describe};

/// Deepest nesting of a payload. serde_json reads no deeper either, so what passes here passes there.
const MAX_DEPTH: usize = 100;

/// The text of an input that fits its operation.
///
/// # Errors
/// `input_too_large`, `input_too_deep`, `invalid_input` or `invalid_settings`.
pub fn input_text(
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

/// The schemas of an operation.
///
/// # Errors
/// `unknown_operation`.
pub fn contract<'a>(plugin: &'a Plugin, operation: &str) -> Result<&'a OperationContract, Failure> {
    plugin.contracts.operation(operation).ok_or_else(|| {
        Failure::new(
            FailureKind::InvalidInput,
            "unknown_operation",
            format!("{} has no such operation", plugin.key),
        )
    })
}

fn pointers(violations: &[Violation]) -> Value {
    json!({ "violations": violations.iter().map(|v| json!({"pointer": v.pointer, "message": v.message})).collect::<Vec<_>>() })
}

/// The value that a guest answered, if it fits its operation.
///
/// # Errors
/// The guest's own failure, `output` limit exceeded, or a broken contract.
pub fn output_value(
    answer: Result<String, types::Failure>,
    operation: &OperationContract,
    max_bytes: u64,
) -> Result<Value, PluginError> {
    let text = answer.map_err(|failure| PluginError::Failure(from_guest(failure)))?;
    if u64::try_from(text.len()).unwrap_or(u64::MAX) > max_bytes {
        return Err(PluginError::LimitExceeded {
            limit: "output",
            message: format!("an answer of more than {max_bytes} bytes"),
        });
    }
    let value: Value = serde_json::from_str(&text).map_err(|error| {
        PluginError::ContractViolation(format!("the answer is no JSON: {error}"))
    })?;
    if depth(&value) > MAX_DEPTH {
        return Err(PluginError::ContractViolation(format!(
            "the answer is nested deeper than {MAX_DEPTH}"
        )));
    }
    operation.check_output(&value).map_err(|violations| {
        PluginError::ContractViolation(format!(
            "the answer breaks its schema: {}",
            describe(&violations)
        ))
    })?;
    Ok(value)
}
