//! The policy for the United States: opt-out, under the CAN-SPAM Act. A fixture for counsel to review, not
//! legal advice; the README names the source of each rule.
#![forbid(unsafe_code)]

use gtm_policy_rules::{Claim, Finding, Ground, LawfulBasis, OptOutForm, Policy, PolicyQuestion};
use gtm_sdk::{Evaluator, Failure, Value};

/// The rule that the verdict names.
const RULE: &str = "can_spam_opt_out";

/// The policy.
#[derive(Debug, Clone, Copy)]
pub struct UnitedStates;

impl Policy for UnitedStates {
    const COUNTRY: &'static str = "US";
    const OPT_OUT: OptOutForm = OptOutForm::Commercial;
    const PRIVACY_NOTICE: bool = false;

    /// The law asks for no ground. Still the request must name the record that says on what ground the writer
    /// acts: without it nobody could tell later why this person was written to.
    fn ground(question: &PolicyQuestion) -> Ground {
        match Claim::of(question) {
            Claim::Untold => Ground::short_of(RULE, false, Finding::Unknown),
            Claim::Unfit => Ground::short_of(RULE, false, Finding::NotMet),
            _ => Ground::accepted(RULE, false, LawfulBasis::NotRequired),
        }
    }

    /// The law punishes generating addresses by permutation more severely, where the message is unlawful
    /// anyway. A single address that follows the company's own pattern is no such list.
    fn derived_address() -> Finding {
        Finding::Met
    }
}

impl Evaluator for UnitedStates {
    fn evaluate(question: Value) -> Result<Value, Failure> {
        gtm_policy_rules::answer::<Self>(question)
    }
}

gtm_sdk::evaluator!(UnitedStates);
