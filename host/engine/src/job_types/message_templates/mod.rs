//! Message-template jobs, of two operations (specification, Message template revision and prospect message). One
//! [generates](generate) a revision, with a backend; the other [writes to one prospect](prospect_message), with no
//! backend and no provider. Neither sends anything.

mod checks;
pub mod generate;
mod observed;
mod pointers;
pub mod prospect_message;
mod refused;

use futures::FutureExt;
use gtm_domain::JobType;
use gtm_domain::job::ProductKind;
use gtm_domain::message::prospect_message_result::PROSPECT_MESSAGE;
use serde_json::Value;

use super::{JobRun, JobTypeEntry};
use crate::plan::Plan;

/// The table entry of message-template jobs.
pub const ENTRY: JobTypeEntry = JobTypeEntry {
    job_type: JobType::MessageTemplates,
    product: ProductKind::TemplateRevision,
    plan,
    run: |job| run(job).boxed(),
    // The number of a revision is known when it is stored; a replay stores nothing.
    volatile: &["/revision"],
    replayable: |_| Ok(()),
};

fn plan(input: &Value) -> Plan {
    match is_prospect_message(input) {
        true => prospect_message::plan(input),
        false => generate::plan(input),
    }
}

async fn run(run: JobRun) -> (crate::ending::Ending, gtm_domain::Usage) {
    match is_prospect_message(&run.job.input) {
        true => prospect_message::run(run).await,
        false => generate::run(run).await,
    }
}

fn is_prospect_message(input: &Value) -> bool {
    input.get("operation").and_then(Value::as_str) == Some(PROSPECT_MESSAGE)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn a_message_to_a_prospect_pins_no_backend_and_reserves_nothing() {
        let plan = plan(&json!({
            "operation": "prospect_message",
            "policy": {"policy_ref": "gb", "policy_version": "1"},
            "external_ref": "crm-7",
        }));
        assert_eq!(plan.writer(), None);
        assert!(plan.roles.is_empty() && !plan.may_cost);
        assert_eq!(plan.policy.map(|it| it.policy_ref).as_deref(), Some("gb"));
        assert_eq!(plan.external_ref.as_deref(), Some("crm-7"));
    }
}
