//! `capabilities`: what a generation backend asks of the engine. Checked here against the manifest's
//! `requires`, the job's bindings and the capability's contract; performed and journaled there.

use std::sync::Arc;

use gtm_domain::{Failure, FailureKind};
use serde_json::{Value, json};

use super::failure::to_guest;
use super::text::one_line;
use crate::calls::backend::BackendState;
use crate::calls::{CapabilityCall, Denial};
use crate::catalog::contracts::capability_contract;
use crate::sandbox::Abort;
use crate::sandbox::bindings::interfaces::capabilities::{Call, Host};
use crate::sandbox::bindings::interfaces::types;
use crate::schema::describe;

/// Calls in one list.
const MAX_CALLS: usize = 64;

impl BackendState {
    /// Whether the backend may make a call, and its input. What is refused here is refused on every
    /// run of the job alike, so none of it needs to be journaled.
    fn admit(&mut self, call: &Call) -> Result<CapabilityCall, Failure> {
        if self.calls_left == 0 {
            return Err(Failure::new(
                FailureKind::Quota,
                "capability_budget_exceeded",
                "the budget of capability calls is used up",
            ));
        }
        self.calls_left -= 1;
        let shown = one_line(&call.capability, 64);
        if !self.declared.contains(&call.capability) {
            return Err(Failure::denied(
                "capability_not_declared",
                format!("the manifest does not require `{shown}`"),
            ));
        }
        if !self.host.bound(&call.capability) {
            return Err(Failure::denied(
                "capability_not_bound",
                format!("nothing serves `{shown}` for this job"),
            ));
        }
        if call.input.len() > self.max_input_bytes {
            return Err(Failure::new(
                FailureKind::InvalidInput,
                "input_too_large",
                "the input is too long",
            ));
        }
        let input: Value = serde_json::from_str(&call.input).map_err(|error| {
            Failure::new(
                FailureKind::InvalidInput,
                "invalid_json",
                format!("the input is no JSON: {error}"),
            )
        })?;
        if let Some(contract) = capability_contract(&call.capability)
            && let Err(violations) = contract.input.check(&input)
        {
            return Err(Failure::new(
                FailureKind::InvalidInput,
                "invalid_input",
                describe(&violations),
            )
            .with_detail(json!({ "capability": shown })));
        }
        Ok(CapabilityCall {
            capability: call.capability.clone(),
            input,
        })
    }
}

impl Host for BackendState {
    async fn invoke(
        &mut self,
        calls: Vec<Call>,
    ) -> wasmtime::Result<Vec<Result<String, types::Failure>>> {
        if calls.len() > MAX_CALLS {
            let failure = Failure::new(
                FailureKind::InvalidInput,
                "too_many_calls",
                format!("at most {MAX_CALLS} calls at once"),
            );
            return Ok(calls
                .iter()
                .map(|_| Err(to_guest(failure.clone())))
                .collect());
        }
        let mut answers: Vec<Option<Result<String, types::Failure>>> =
            Vec::with_capacity(calls.len());
        let mut admitted = Vec::new();
        for call in &calls {
            match self.admit(call) {
                Ok(call) => {
                    admitted.push(call);
                    answers.push(None);
                }
                Err(failure) => {
                    if failure.kind == FailureKind::Denied {
                        self.core.denied.push(Denial {
                            interface: "capabilities",
                            code: failure.code.clone(),
                            message: failure.message.clone(),
                        });
                    }
                    answers.push(Some(Err(to_guest(failure))));
                }
            }
        }
        let asked = admitted.len();
        let mut outcomes = if admitted.is_empty() {
            Vec::new()
        } else {
            let (cpu, host) = (Arc::clone(&self.core.cpu), Arc::clone(&self.host));
            cpu.leave_out(host.invoke(admitted))
                .await
                .map_err(|abort| Abort(abort.0))?
        }
        .into_iter();
        if outcomes.len() != asked {
            let failure = Failure::new(
                FailureKind::Internal,
                "internal_error",
                "the engine answered another number of calls",
            );
            return Err(Abort(failure).into());
        }
        Ok(answers
            .into_iter()
            .map(|answer| {
                answer.unwrap_or_else(|| match outcomes.next() {
                    Some(Ok(value)) => Ok(value.to_string()),
                    Some(Err(failure)) => Err(to_guest(failure)),
                    None => Err(to_guest(Failure::new(
                        FailureKind::Internal,
                        "internal_error",
                        "an answer is missing",
                    ))),
                })
            })
            .collect())
    }

    fn bound(&mut self, capability: String) -> wasmtime::Result<bool> {
        Ok(self.declared.contains(&capability) && self.host.bound(&capability))
    }
}
