//! One round of writing: one call of the model.

use gtm_site_research::failure::{self, Failure, FailureKind};
use gtm_site_research::host::{Host, MODEL_COMPLETE, invoke_one, stage};
use gtm_writing::answer;
use serde_json::{Value, json};

use crate::context::context;
use crate::draft::draft;
use crate::instructions::instructions;
use crate::missing::missing;
use crate::request::Request;
use crate::response_form;
use crate::settings::Settings;

/// The task that this backend performs.
pub const TASK: &str = "message_templates";

/// Writes a draft, or says what the caller has to add.
///
/// # Errors
/// A failure with a code of annex A11: `connector_not_configured` without a model, `backend_refused` if it declined,
/// `backend_invalid_response` if its answer is no draft, and those of a call that failed.
pub fn generate(host: &dyn Host, task: &str, input: Value) -> Result<Value, Failure> {
    if task != TASK {
        return Err(Failure::new(
            FailureKind::InvalidInput,
            "invalid_request",
            format!("This backend generates {TASK}, not {task}."),
        ));
    }
    let request = Request::read(input)?;
    let missing = missing(&request);
    if !missing.is_empty() {
        return Ok(json!({ "needs_input": missing }));
    }
    let settings = Settings::read(host.settings()?)?;
    if !host.bound(MODEL_COMPLETE) {
        return Err(Failure::new(
            FailureKind::Denied,
            "connector_not_configured",
            "No connection is bound for model.complete, and a message template can't be written without a model.",
        ));
    }
    stage(host, "compose", || write(host, &request, &settings))
}

fn write(host: &dyn Host, request: &Request, settings: &Settings) -> Result<Value, Failure> {
    host.report(10, &milestone(request));
    let system = instructions(request);
    let room = settings
        .model_context_chars
        .saturating_sub(system.chars().count());
    let messages = json!([
        {"role": "system", "content": system},
        {"role": "user", "content": context(request, room)},
    ]);
    let call = settings
        .model()
        .call(messages, response_form::schema(), response_form::NAME);
    let answer = invoke_one(host, call).map_err(failure::of_model_call)?;
    let written = answer::read(&answer, "message template")?;
    let draft = draft(&written, &request.placeholders)?;
    Ok(json!({"draft": draft, "notes": null}))
}

fn milestone(request: &Request) -> String {
    match (&request.previous, request.faults.len()) {
        (None, _) => "Asking the model for a draft".to_owned(),
        (Some(_), 1) => format!(
            "Asking the model to mend one fault of draft {}",
            request.attempt.saturating_sub(1).max(1)
        ),
        (Some(_), faults) => format!(
            "Asking the model to mend {faults} faults of draft {}",
            request.attempt.saturating_sub(1).max(1)
        ),
    }
}
