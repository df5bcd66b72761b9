//! The policy for the United Kingdom: opt-out for corporate subscribers, opt-in for individual subscribers
//! (PECR reg. 22), each with a ground under the UK GDPR. A fixture for counsel to review, not legal advice; the
//! README names the source of each rule.
#![forbid(unsafe_code)]

mod subscriber;

use gtm_policy_rules::{Claim, Finding, Ground, LawfulBasis, OptOutForm, Policy, PolicyQuestion};
use gtm_sdk::{Evaluator, Failure, Value};

use subscriber::Subscriber;

/// PECR reg. 22 does not ask corporate subscribers for consent.
const CORPORATE: &str = "corporate_subscriber";
/// PECR reg. 22 (2).
const INDIVIDUAL: &str = "individual_subscriber";
/// PECR reg. 22 (3).
const SOFT_OPT_IN: &str = "soft_opt_in";

/// The policy.
#[derive(Debug, Clone, Copy)]
pub struct UnitedKingdom;

impl Policy for UnitedKingdom {
    const COUNTRY: &'static str = "GB";
    const OPT_OUT: OptOutForm = OptOutForm::Plain;
    const PRIVACY_NOTICE: bool = true;

    fn ground(question: &PolicyQuestion) -> Ground {
        let claim = Claim::of(question);
        match Subscriber::of(question.legal_form.as_deref()) {
            Subscriber::Corporate => corporate(claim),
            Subscriber::Individual => individual(claim),
            // Consent is good for either.
            Subscriber::Unknown if claim == Claim::Consent => individual(claim),
            Subscriber::Unknown => Ground::UNDECIDED,
        }
    }

    /// An address that was never published or given is not one that its owner expects to be written to at,
    /// and may be another person's.
    fn derived_address() -> Finding {
        Finding::NotMet
    }
}

/// No consent is needed, but a person reads the mailbox, and writing to a person needs a ground.
fn corporate(claim: Claim) -> Ground {
    let accepted = |ground| Ground::accepted(CORPORATE, false, ground);
    match claim {
        Claim::Consent => accepted(LawfulBasis::Consent),
        Claim::LegitimateInterests => accepted(LawfulBasis::LegitimateInterests),
        // A customer is written to in the writer's legitimate interests, wherever the address is from.
        Claim::CustomerWhoGaveTheAddress
        | Claim::CustomerWithUnknownAddress
        | Claim::CustomerWithFoundAddress => accepted(LawfulBasis::ExistingCustomer),
        Claim::Untold => Ground::short_of(CORPORATE, false, Finding::Unknown),
        Claim::Unfit | Claim::ConsentWithoutRecord | Claim::NotRequired => {
            Ground::short_of(CORPORATE, false, Finding::NotMet)
        }
    }
}

fn individual(claim: Claim) -> Ground {
    match claim {
        Claim::Consent => Ground::accepted(INDIVIDUAL, true, LawfulBasis::Consent),
        Claim::CustomerWhoGaveTheAddress => {
            Ground::accepted(SOFT_OPT_IN, false, LawfulBasis::ExistingCustomer)
        }
        Claim::Untold | Claim::CustomerWithUnknownAddress => {
            Ground::short_of(INDIVIDUAL, true, Finding::Unknown)
        }
        Claim::Unfit
        | Claim::ConsentWithoutRecord
        | Claim::LegitimateInterests
        | Claim::CustomerWithFoundAddress
        | Claim::NotRequired => Ground::short_of(INDIVIDUAL, true, Finding::NotMet),
    }
}

impl Evaluator for UnitedKingdom {
    fn evaluate(question: Value) -> Result<Value, Failure> {
        gtm_policy_rules::answer::<Self>(question)
    }
}

gtm_sdk::evaluator!(UnitedKingdom);
