//! The three policies, asked with the host's own types: what they answer, in which form, and that they never
//! say `met` where the facts don't tell.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use std::fs;
use std::path::Path;

use gtm_domain::message::compliance::{AddressSourceClass, LawfulBasis};
use gtm_domain::message::prospect_message::MessagePurpose;
use gtm_domain::policy::{BasisEvidence, Finding, PolicyQuestion, PolicyVerdict};
use gtm_domain::prospecting::{EvidenceKind, LegalForm};
use gtm_policy_de::Germany;
use gtm_policy_gb::UnitedKingdom;
use gtm_policy_us::UnitedStates;
use gtm_sdk::{Evaluator, FailureKind, Value, json::json};
use jsonschema::Validator;

use Finding::{Met, NotMet, Unknown};
use LawfulBasis::{Consent, ExistingCustomer, LegitimateInterests, NotRequired};

fn schema(name: &str) -> Validator {
    let path =
        Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../../wit/results/{name}.schema.json"));
    let schema: Value = serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap();
    jsonschema::validator_for(&schema).unwrap()
}

fn question(country: &str) -> PolicyQuestion {
    PolicyQuestion {
        policy_ref: "outreach".to_owned(),
        policy_version: "2026-01".to_owned(),
        purpose: MessagePurpose::RealRecipient,
        recipient_country: Some(country.to_owned()),
        legal_form: Some("limited_company".to_owned()),
        language: "en-GB".to_owned(),
        address_source_class: AddressSourceClass::PublishedByCompany,
        basis_evidence: None,
        retained_kinds: vec![EvidenceKind::AddressProvenance],
        consent_recorded: false,
    }
}

fn on(mut question: PolicyQuestion, ground: LawfulBasis) -> PolicyQuestion {
    question.basis_evidence = Some(BasisEvidence {
        kind: EvidenceKind::LawfulBasis,
        lawful_basis: Some(ground),
    });
    question
}

fn recorded(mut question: PolicyQuestion) -> PolicyQuestion {
    question.consent_recorded = true;
    question.retained_kinds.push(EvidenceKind::ConsentRecord);
    question
}

fn from(mut question: PolicyQuestion, source: AddressSourceClass) -> PolicyQuestion {
    question.address_source_class = source;
    question
}

fn with_form(mut question: PolicyQuestion, form: Option<&str>) -> PolicyQuestion {
    question.legal_form = form.map(str::to_owned);
    question
}

/// Asks as the host does: through JSON that fits the schemas, into the host's closed type.
fn ask<P: Evaluator>(question: &PolicyQuestion) -> PolicyVerdict {
    let input = serde_json::to_value(question).unwrap();
    assert!(schema("policy-question").is_valid(&input), "{input}");
    let output = P::evaluate(input).unwrap();
    let violations: Vec<String> = schema("policy-verdict")
        .iter_errors(&output)
        .map(|error| error.to_string())
        .collect();
    assert!(violations.is_empty(), "{violations:?}\n{output}");
    serde_json::from_value(output).unwrap()
}

/// Finding, accepted ground, rule and whether consent is wanted.
type Verdict = (
    Finding,
    Option<LawfulBasis>,
    Option<&'static str>,
    Option<bool>,
);

#[track_caller]
fn assert_ground<P: Evaluator>(question: &PolicyQuestion, expected: Verdict) {
    let verdict = ask::<P>(question);
    let found = (
        verdict.basis,
        verdict.lawful_basis,
        verdict.basis_rule.as_deref(),
        verdict.opt_in_required,
    );
    assert_eq!(found, expected, "{question:?}");
}

#[test]
fn another_country_or_none_gets_no_verdict() {
    fn check<P: Evaluator>(own: &str) {
        for country in [
            "US", "GB", "DE", "FR", "JE", "gb", "", "Germany", "U1", "ÜS",
        ] {
            let asked = recorded(on(question(country), Consent));
            let verdict = ask::<P>(&asked);
            if country == own {
                assert_eq!(
                    (verdict.jurisdiction, verdict.basis),
                    (Met, Met),
                    "{country}"
                );
                continue;
            }
            let code = country.len() == 2 && country.chars().all(|c| c.is_ascii_uppercase());
            assert_eq!(verdict.jurisdiction, if code { NotMet } else { Unknown });
            assert_eq!((verdict.basis, verdict.address_source), (Unknown, Unknown));
            assert_eq!((verdict.basis_rule, verdict.opt_in_required), (None, None));
            assert_eq!(verdict.lawful_basis, None);
            assert!(verdict.privacy_notice_required && verdict.privacy_notice_text.is_some());
        }
        let mut nowhere = on(question(own), LegitimateInterests);
        nowhere.recipient_country = None;
        assert_eq!(ask::<P>(&nowhere).jurisdiction, Unknown);
    }
    check::<UnitedStates>("US");
    check::<UnitedKingdom>("GB");
    check::<Germany>("DE");
}

#[test]
fn the_united_states_ask_for_a_record_and_no_ground() {
    let rule = Some("can_spam_opt_out");
    for ground in [LegitimateInterests, Consent, ExistingCustomer, NotRequired] {
        let expected = (Met, Some(NotRequired), rule, Some(false));
        assert_ground::<UnitedStates>(&on(question("US"), ground), expected);
    }
    assert_ground::<UnitedStates>(&question("US"), (Unknown, None, rule, Some(false)));
    let verdict = ask::<UnitedStates>(&on(question("US"), NotRequired));
    assert!(!verdict.privacy_notice_required);
    assert_eq!(verdict.privacy_notice_text, None);
    assert_eq!(verdict.opt_out.notice_id, "opt-out-commercial-en-1");
    assert!(
        verdict
            .opt_out
            .text
            .starts_with("This is a commercial message.")
    );
}

#[test]
fn british_companies_may_object_and_persons_must_consent() {
    let corporate = Some("corporate_subscriber");
    for form in [
        "limited_company",
        "public_limited_company",
        "limited_liability_partnership",
        "scottish_partnership",
    ] {
        let of = |ground| on(with_form(question("GB"), Some(form)), ground);
        for ground in [LegitimateInterests, ExistingCustomer] {
            let expected = (Met, Some(ground), corporate, Some(false));
            assert_ground::<UnitedKingdom>(&of(ground), expected);
        }
        assert_ground::<UnitedKingdom>(
            &recorded(of(Consent)),
            (Met, Some(Consent), corporate, Some(false)),
        );
        for ground in [Consent, NotRequired] {
            let expected = (NotMet, None, corporate, Some(false));
            assert_ground::<UnitedKingdom>(&of(ground), expected);
        }
    }
    let individual = Some("individual_subscriber");
    for form in [
        "sole_trader",
        "partnership",
        "individual",
        "unincorporated_association",
    ] {
        let of = |ground| on(with_form(question("GB"), Some(form)), ground);
        for ground in [LegitimateInterests, Consent, NotRequired, ExistingCustomer] {
            let expected = (NotMet, None, individual, Some(true));
            assert_ground::<UnitedKingdom>(&of(ground), expected);
        }
        assert_ground::<UnitedKingdom>(
            &recorded(of(Consent)),
            (Met, Some(Consent), individual, Some(true)),
        );
        assert_ground::<UnitedKingdom>(
            &from(of(ExistingCustomer), AddressSourceClass::ProvidedBySubject),
            (
                Met,
                Some(ExistingCustomer),
                Some("soft_opt_in"),
                Some(false),
            ),
        );
        assert_ground::<UnitedKingdom>(
            &from(of(ExistingCustomer), AddressSourceClass::Unknown),
            (Unknown, None, individual, Some(true)),
        );
    }
    assert!(ask::<UnitedKingdom>(&question("GB")).privacy_notice_required);
}

#[test]
fn a_british_legal_form_that_tells_nothing_leaves_only_consent() {
    for form in [None, Some("public_body"), Some("GmbH"), Some("")] {
        let of = |ground| on(with_form(question("GB"), form), ground);
        for ground in [LegitimateInterests, ExistingCustomer, NotRequired, Consent] {
            assert_ground::<UnitedKingdom>(&of(ground), (Unknown, None, None, None));
        }
        assert_ground::<UnitedKingdom>(
            &recorded(of(Consent)),
            (
                Met,
                Some(Consent),
                Some("individual_subscriber"),
                Some(true),
            ),
        );
    }
}

/// Imports refuse forms that are not on the host's list, so what a policy asks for must be on it.
#[test]
fn imports_take_every_legal_form_by_which_a_policy_decides() {
    let mut told = 0;
    for form in LegalForm::ALL {
        let asked = |country| {
            let question = with_form(question(country), Some(&form.name()));
            on(question, LegitimateInterests)
        };
        told += usize::from(ask::<UnitedKingdom>(&asked("GB")).basis != Unknown);
        // The others decide without it.
        let of_none = |country| on(with_form(question(country), None), LegitimateInterests);
        assert_eq!(
            ask::<Germany>(&asked("DE")),
            ask::<Germany>(&of_none("DE")),
            "{form:?}"
        );
        assert_eq!(
            ask::<UnitedStates>(&asked("US")),
            ask::<UnitedStates>(&of_none("US")),
            "{form:?}"
        );
    }
    // As many as the British one tells apart.
    assert_eq!(told, 16);
}

#[test]
fn germany_wants_consent_of_companies_too() {
    let rule = Some("prior_express_consent");
    for form in [None, Some("limited_company"), Some("sole_trader")] {
        let of = |ground| on(with_form(question("DE"), form), ground);
        for ground in [LegitimateInterests, NotRequired, Consent, ExistingCustomer] {
            assert_ground::<Germany>(&of(ground), (NotMet, None, rule, Some(true)));
        }
        assert_ground::<Germany>(
            &recorded(of(Consent)),
            (Met, Some(Consent), rule, Some(true)),
        );
        // A consent on record is no ground that somebody else's claim may borrow.
        assert_ground::<Germany>(
            &recorded(of(LegitimateInterests)),
            (NotMet, None, rule, Some(true)),
        );
        assert_ground::<Germany>(
            &from(of(ExistingCustomer), AddressSourceClass::ProvidedBySubject),
            (
                Met,
                Some(ExistingCustomer),
                Some("existing_customer"),
                Some(false),
            ),
        );
    }
    assert_ground::<Germany>(&question("DE"), (Unknown, None, rule, Some(true)));
    let mut german = question("DE");
    german.language = "de-DE".to_owned();
    let verdict = ask::<Germany>(&german);
    assert_eq!(verdict.opt_out.notice_id, "opt-out-objection-de-1");
    assert!(verdict.opt_out.text.contains("jederzeit widersprechen"));
    assert!(verdict.privacy_notice_required);
}

#[test]
fn evidence_of_something_else_is_no_ground() {
    fn check<P: Evaluator>(country: &str) {
        for kind in EvidenceKind::ALL {
            let mut asked = recorded(question(country));
            asked.basis_evidence = Some(BasisEvidence {
                kind,
                lawful_basis: Some(Consent),
            });
            let fits = matches!(
                kind,
                EvidenceKind::LawfulBasis | EvidenceKind::ConsentRecord
            );
            let expected = if fits { Met } else { NotMet };
            assert_eq!(ask::<P>(&asked).basis, expected, "{country} {kind:?}");
            asked.basis_evidence = Some(BasisEvidence {
                kind,
                lawful_basis: None,
            });
            let expected = if fits { Unknown } else { NotMet };
            assert_eq!(ask::<P>(&asked).basis, expected, "{country} {kind:?}");
        }
    }
    check::<UnitedStates>("US");
    check::<UnitedKingdom>("GB");
    check::<Germany>("DE");
}

#[test]
fn addresses_are_judged_by_their_source() {
    use AddressSourceClass as Source;
    fn check<P: Evaluator>(country: &str, derived: Finding) {
        for source in Source::ALL {
            let expected = match source {
                Source::DerivedPattern => derived,
                Source::Unknown => Unknown,
                _ => Met,
            };
            let verdict = ask::<P>(&from(question(country), source));
            assert_eq!(verdict.address_source, expected, "{country} {source:?}");
        }
    }
    check::<UnitedStates>("US", Met);
    check::<UnitedKingdom>("GB", NotMet);
    check::<Germany>("DE", NotMet);
}

#[test]
fn notices_come_in_the_language_of_the_message_and_say_so() {
    for language in gtm_policy_rules::languages() {
        let mut asked = question("GB");
        asked.language = language.to_owned();
        let verdict = ask::<UnitedKingdom>(&asked);
        assert_eq!(verdict.opt_out.language, language);
        assert_eq!(verdict.opt_out.notice_id, format!("opt-out-{language}-1"));
        asked.purpose = MessagePurpose::Demonstration;
        assert_eq!(
            ask::<UnitedKingdom>(&asked),
            verdict,
            "the law is the same for a preview"
        );
    }
    let mut finnish = question("GB");
    finnish.language = "fi".to_owned();
    assert_eq!(ask::<UnitedKingdom>(&finnish).opt_out.language, "en");
}

#[test]
fn a_question_of_another_form_is_refused() {
    let mut odd = serde_json::to_value(question("GB")).unwrap();
    odd["policy_approved"] = json!(true);
    for input in [odd, json!({}), json!(null), json!("GB")] {
        let failure = UnitedKingdom::evaluate(input).unwrap_err();
        assert!(
            failure.is(FailureKind::InvalidInput, "invalid_input"),
            "{failure:?}"
        );
    }
}
