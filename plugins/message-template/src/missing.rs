//! What the caller has to add before anything can be written.

use serde_json::{Value, json};

use crate::request::Request;

/// What is missing, as the result's `needs_input`; empty if nothing is. Blank counts as missing. The host asks the
/// same before it calls: a model would fill the gap with something invented.
#[must_use]
pub fn missing(request: &Request) -> Vec<Value> {
    let input = &request.input;
    let offered = request.offer.is_some() || is_given(input.offer_summary.as_deref());
    let asked = [
        (
            is_given(input.audience.as_deref()),
            "audience",
            "/audience",
            "Say whom the message is for.",
        ),
        (
            is_given(input.objective.as_deref()),
            "objective",
            "/objective",
            "Say what the message is meant to achieve.",
        ),
        (
            offered,
            "offer",
            "/offer_summary",
            "Name an approved offer or summarize what is offered.",
        ),
        (
            is_given(input.desired_next_step.as_deref()),
            "desired_next_step",
            "/desired_next_step",
            "Say what the recipient is asked to do.",
        ),
    ];
    asked
        .iter()
        .filter(|(given, ..)| !given)
        .map(|(_, name, pointer, message)| {
            json!({"code": format!("{name}_missing"), "pointer": pointer, "message": message})
        })
        .collect()
}

fn is_given(text: Option<&str>) -> bool {
    text.is_some_and(|text| text.chars().any(char::is_alphanumeric))
}
