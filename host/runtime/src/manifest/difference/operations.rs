//! Differences in the operations of a plug-in: what they cost, need and return.

use super::{Effect, Found, names};
use crate::manifest::{Operation, SideEffect};

impl Found {
    pub(super) fn operations(&mut self, old: &[Operation], new: &[Operation]) {
        for operation in new {
            let Operation {
                id,
                capability,
                summary: _,
                input_schema,
                output_schema,
                side_effect,
                personal_data,
                replay_safe,
                idempotency_header,
            } = operation;
            let by_id = old.iter().find(|held| held.id == *id);
            // A call goes to the first operation that serves its capability, whatever its id. So the cost
            // of a call, and whether it is repeated, are compared with what the capability had before.
            let first = new.iter().find(|other| other.capability == *capability);
            let before = if first.is_some_and(|first| first.id == *id) {
                old.iter().find(|held| held.capability == *capability)
            } else {
                None
            };
            if let Some(before) = before.filter(|before| before.id != *id) {
                let text = format!("{capability} is served by {id}, not {}", before.id);
                self.add(Effect::Changes, "operations", text);
            }
            let served_before = old.iter().any(|held| held.capability == *capability);
            if !served_before {
                // The operator has not agreed to what it costs.
                let text = format!("{id} serves {capability}: {}", terms(operation));
                self.add(Effect::Widens, "operations", text);
            }
            let personal_before = match before.or(by_id) {
                Some(held) => held.personal_data,
                // Another operation serves this capability, so this one is never called.
                None => served_before,
            };
            if *personal_data && !personal_before {
                let text = format!("{id} answers with personal data");
                self.add(Effect::Widens, "operations", text);
            }
            if let Some(held) = before.or(by_id).filter(|_| served_before) {
                if held.side_effect != *side_effect {
                    let text = match side_effect {
                        SideEffect::BillableRead => format!("the provider charges for {id}"),
                        SideEffect::Read => format!("calls of {id} count as free of charge"),
                    };
                    self.add(Effect::Widens, "operations", text);
                }
                if *replay_safe && !held.replay_safe {
                    let text = format!("a call of {id} whose outcome is unknown is repeated");
                    self.add(Effect::Widens, "operations", text);
                }
                match idempotency_header {
                    // Calls are repeated because the provider is trusted to recognize them by this header.
                    Some(header) if held.idempotency_header.as_ref() != Some(header) => {
                        let text = format!("{id} takes its idempotency key in {header}");
                        self.add(Effect::Widens, "operations", text);
                    }
                    // They are repeated anyway, and the provider may charge for each.
                    None if held.idempotency_header.is_some() && *replay_safe => {
                        let text = format!("calls of {id} are repeated without an idempotency key");
                        self.add(Effect::Widens, "operations", text);
                    }
                    None if held.idempotency_header.is_some() => {
                        let text = format!("{id} no longer takes an idempotency key");
                        self.add(Effect::Changes, "operations", text);
                    }
                    _ => {}
                }
            }
            let Some(held) = by_id else {
                let text = format!("a new operation {id} serves {capability}");
                self.add(Effect::Changes, "operations", text);
                continue;
            };
            if *capability != held.capability {
                let text = format!("{id} serves {capability}, not {}", held.capability);
                self.add(Effect::Breaks, "operations", text);
            }
            let required = names(Some(input_schema), "required");
            for name in required.difference(&names(Some(&held.input_schema), "required")) {
                let text = format!("the input of {id} needs {name}");
                self.add(Effect::Breaks, "operations", text);
            }
            let required = names(Some(&held.output_schema), "required");
            for name in required.difference(&names(Some(output_schema), "required")) {
                let text = format!("the output of {id} may lack {name}");
                self.add(Effect::Breaks, "operations", text);
            }
            if *input_schema != held.input_schema {
                let text = format!("{id} accepts other input");
                self.add(Effect::Changes, "operations", text);
            }
            if *output_schema != held.output_schema {
                let text = format!("{id} returns other output");
                self.add(Effect::Changes, "operations", text);
            }
        }
        for held in old {
            if !new.iter().any(|operation| operation.id == held.id) {
                let text = format!("the operation {} is gone", held.id);
                self.add(Effect::Breaks, "operations", text);
            }
        }
    }
}

/// What a call of an operation may cost, and whether it may be repeated.
fn terms(operation: &Operation) -> String {
    let mut terms = match operation.side_effect {
        SideEffect::BillableRead => "the provider charges for calls".to_owned(),
        SideEffect::Read => "calls count as free of charge".to_owned(),
    };
    if operation.replay_safe {
        terms.push_str(", and one whose outcome is unknown is repeated");
    }
    if let Some(header) = &operation.idempotency_header {
        terms.push_str(", with a key in ");
        terms.push_str(header);
    }
    terms
}
