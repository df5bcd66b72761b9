//! `capabilities`: what a generation backend asks of the engine. Calls are checked here against the
//! manifest's `requires`, the job's bindings and the capability's contract; the engine performs and
//! journals them.

use std::sync::Arc;

use gtm_domain::{Failure, FailureKind};
use serde_json::json;

use super::failure::to_guest;
use super::text::one_line;
use crate::backend_host::CapabilityCall;
use crate::calls::payload;
use crate::catalog::contracts::capability_contract;
use crate::guest::backend::BackendState;
use crate::outcome::Denial;
use crate::sandbox::Abort;
use crate::sandbox::bindings::interfaces::capabilities::{Call, Host};
use crate::sandbox::bindings::interfaces::types;
use crate::schema::{MAX_NODES, nodes_of_text};

/// Maximum number of calls in one list.
const MAX_CALLS: usize = 64;

impl BackendState {
    /// Whether the backend may make a call.
    fn allow(&mut self, call: &Call) -> Result<(), Failure> {
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
        Ok(())
    }

    /// Checks a call. Whatever is refused here is refused on every run of the job, so it needs no journal
    /// entry; a check whose result may differ next time ends the run instead.
    async fn admit(
        &mut self,
        call: Call,
        nodes_left: &mut usize,
    ) -> Result<Result<CapabilityCall, Failure>, Abort> {
        if let Err(failure) = self.allow(&call) {
            return Ok(Err(failure));
        }
        let Some(left) = nodes_left.checked_sub(nodes_of_text(&call.input)) else {
            return Ok(Err(Failure::new(
                FailureKind::InvalidInput,
                "input_too_large",
                format!("the inputs of one list hold more than {MAX_NODES} values"),
            )));
        };
        *nodes_left = left;
        let contract = capability_contract(&call.capability);
        let cpu = Arc::clone(&self.core.cpu);
        let input = cpu
            .leave_out(payload::capability_input(
                &self.checks,
                call.input,
                contract,
            ))
            .await
            .map_err(|error| Abort(error.into_failure()))?;
        let capability = call.capability;
        Ok(match input {
            Ok(input) => Ok(CapabilityCall { capability, input }),
            Err(failure) if failure.code == "invalid_input" => {
                let detail = json!({ "capability": one_line(&capability, 64) });
                Err(failure.with_detail(detail))
            }
            Err(failure) => Err(failure),
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
                format!("at most {MAX_CALLS} calls are allowed at once"),
            );
            return Ok(calls
                .iter()
                .map(|_| Err(to_guest(failure.clone())))
                .collect());
        }
        let mut answers: Vec<Option<Result<String, types::Failure>>> =
            Vec::with_capacity(calls.len());
        let (mut admitted, mut nodes_left) = (Vec::new(), MAX_NODES);
        for call in calls {
            match self.admit(call, &mut nodes_left).await? {
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
                "the engine answered a different number of calls",
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
