//! What changes in the operations of a plug-in: what they cost, need and answer.

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
            let Some(held) = old.iter().find(|held| held.id == *id) else {
                let text = format!("a new operation {id} serves {capability}");
                self.add(Effect::Changes, "operations", text);
                if *side_effect == SideEffect::BillableRead
                    && !old
                        .iter()
                        .any(|o| o.side_effect == SideEffect::BillableRead)
                {
                    let text = format!("the provider charges for {id}");
                    self.add(Effect::Widens, "operations", text);
                }
                if *personal_data && !old.iter().any(|o| o.personal_data) {
                    let text = format!("{id} answers with personal data");
                    self.add(Effect::Widens, "operations", text);
                }
                continue;
            };
            if *side_effect == SideEffect::BillableRead && held.side_effect != *side_effect {
                let text = format!("the provider charges for {id}");
                self.add(Effect::Widens, "operations", text);
            }
            if *personal_data && !held.personal_data {
                let text = format!("{id} answers with personal data");
                self.add(Effect::Widens, "operations", text);
            }
            if *replay_safe && !held.replay_safe {
                let text = format!("a call of {id} in doubt is repeated");
                self.add(Effect::Widens, "operations", text);
            }
            if *idempotency_header != held.idempotency_header {
                let text = format!("{id} takes its idempotency key in another header, or none");
                self.add(Effect::Changes, "operations", text);
            }
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
                let text = format!("another input fits {id}");
                self.add(Effect::Changes, "operations", text);
            }
            if *output_schema != held.output_schema {
                let text = format!("another output fits {id}");
                self.add(Effect::Changes, "operations", text);
            }
        }
        for held in old {
            if !new.iter().any(|operation| operation.id == held.id) {
                let text = format!("there is no operation {} any more", held.id);
                self.add(Effect::Breaks, "operations", text);
            }
        }
    }
}
