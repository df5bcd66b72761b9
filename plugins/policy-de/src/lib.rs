//! The policy for Germany: express consent before the first message, to companies as well (UWG § 7). A fixture
//! for counsel to review, not legal advice; the README names the source of each rule.
#![forbid(unsafe_code)]

use gtm_policy_rules::{Claim, Finding, Ground, LawfulBasis, OptOutForm, Policy, PolicyQuestion};
use gtm_sdk::{Evaluator, Failure, Value};

/// UWG § 7 (2) No. 2.
const PRIOR_CONSENT: &str = "prior_express_consent";
/// UWG § 7 (3).
const EXISTING_CUSTOMER: &str = "existing_customer";

/// The policy.
#[derive(Debug, Clone, Copy)]
pub struct Germany;

impl Policy for Germany {
    const COUNTRY: &'static str = "DE";
    const OPT_OUT: OptOutForm = OptOutForm::RightToObject;
    const PRIVACY_NOTICE: bool = true;

    /// The legal form doesn't matter: the law protects whoever owns the mailbox.
    fn ground(question: &PolicyQuestion) -> Ground {
        match Claim::of(question) {
            Claim::Consent => Ground::accepted(PRIOR_CONSENT, true, LawfulBasis::Consent),
            Claim::CustomerWhoGaveTheAddress => {
                Ground::accepted(EXISTING_CUSTOMER, false, LawfulBasis::ExistingCustomer)
            }
            Claim::Untold | Claim::CustomerWithUnknownAddress => {
                Ground::short_of(PRIOR_CONSENT, true, Finding::Unknown)
            }
            Claim::Unfit
            | Claim::ConsentWithoutRecord
            | Claim::LegitimateInterests
            | Claim::CustomerWithFoundAddress
            | Claim::NotRequired => Ground::short_of(PRIOR_CONSENT, true, Finding::NotMet),
        }
    }

    /// Nobody consents with an address that somebody else guessed, and no customer gave it.
    fn derived_address() -> Finding {
        Finding::NotMet
    }
}

impl Evaluator for Germany {
    fn evaluate(question: Value) -> Result<Value, Failure> {
        gtm_policy_rules::answer::<Self>(question)
    }
}

gtm_sdk::evaluator!(Germany);
