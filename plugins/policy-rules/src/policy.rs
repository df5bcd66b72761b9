//! From a question to a verdict.

use gtm_sdk::{Failure, Value, json};

use crate::ground::Ground;
use crate::notices::{self, OptOutForm};
use crate::question::{AddressSourceClass, PolicyQuestion};
use crate::verdict::{Finding, PolicyVerdict};

/// What the law of one country asks for.
pub trait Policy {
    /// ISO 3166-1 alpha-2 of the country that it covers.
    const COUNTRY: &'static str;
    /// What its notice on objecting must say.
    const OPT_OUT: OptOutForm;
    /// Whether a message must point to a privacy notice.
    const PRIVACY_NOTICE: bool;

    /// Judges the ground for writing to a recipient in the country.
    fn ground(question: &PolicyQuestion) -> Ground;

    /// Judges an address that was guessed from the pattern of other addresses.
    fn derived_address() -> Finding;
}

/// Answers a question under a policy.
///
/// # Errors
/// `invalid_input` if the question has an unexpected form.
pub fn answer<P: Policy>(question: Value) -> Result<Value, Failure> {
    json::write(&verdict::<P>(&json::read(question)?))
}

fn verdict<P: Policy>(question: &PolicyQuestion) -> PolicyVerdict {
    let jurisdiction = jurisdiction(question.recipient_country.as_deref(), P::COUNTRY);
    let covered = jurisdiction == Finding::Met;
    let (ground, address_source) = if covered {
        (P::ground(question), address_source::<P>(question))
    } else {
        (Ground::UNDECIDED, Finding::Unknown)
    };
    let notices = notices::of(&question.language);
    // Another country's law may well want a notice.
    let privacy_notice_required = P::PRIVACY_NOTICE || !covered;
    PolicyVerdict {
        jurisdiction,
        basis_rule: ground.rule,
        opt_in_required: ground.opt_in_required,
        basis: ground.finding,
        lawful_basis: ground.accepted,
        address_source,
        privacy_notice_required,
        privacy_notice_text: privacy_notice_required.then_some(notices.privacy()),
        opt_out: notices.opt_out(P::OPT_OUT),
        demonstration_marker: notices.demonstration_marker(),
    }
}

/// Whether the country is the policy's. What isn't a country's code is no knowledge.
fn jurisdiction(country: Option<&str>, covered: &str) -> Finding {
    match country {
        Some(country) if country == covered => Finding::Met,
        Some(country)
            if country.len() == 2 && country.bytes().all(|byte| byte.is_ascii_uppercase()) =>
        {
            Finding::NotMet
        }
        _ => Finding::Unknown,
    }
}

fn address_source<P: Policy>(question: &PolicyQuestion) -> Finding {
    match question.address_source_class {
        AddressSourceClass::PublishedByCompany
        | AddressSourceClass::PublishedByPerson
        | AddressSourceClass::ProfessionalRegister
        | AddressSourceClass::ProvidedBySubject
        | AddressSourceClass::LicensedProvider => Finding::Met,
        AddressSourceClass::DerivedPattern => P::derived_address(),
        AddressSourceClass::Unknown => Finding::Unknown,
    }
}
