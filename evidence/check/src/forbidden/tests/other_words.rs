//! Tests of claims in other words.

use proptest::prelude::*;

use super::found;

#[test]
fn claims_are_found_in_the_usual_other_words() {
    for (claim, text) in [
        ("guaranteed savings", "We guarantee that you save."),
        ("guaranteed savings", "You save, and we guarantee it."),
        ("guaranteed savings", "We assure you that you will save."),
        ("guaranteed savings", "Savings assured."),
        ("guaranteed savings", "Assured: lower bills."),
        ("guaranteed savings", "We promise savings."),
        ("guaranteed savings", "You are bound to save."),
        ("guaranteed savings", "You save without fail."),
        ("guaranteed savings", "We ensure that you spend less."),
        ("guaranteed savings", "You save. Guaranteed."),
        ("guaranteed ROI", "We promise you an ROI."),
        ("guaranteed delivery", "We promise delivery."),
        ("savings that are guaranteed", "We promise that you save."),
        ("risk-free", "Try it without any risk."),
        ("risk-free trial", "The trial is without risk."),
        ("no risk", "It is risk-free."),
        (
            "garantierte Einsparung",
            "Wir versprechen Ihnen, dass Sie sparen.",
        ),
        (
            "garantierte Einsparung",
            "Wir sichern zu: Sie sparen, garantiert.",
        ),
        (
            "garantierte Einsparung",
            "Mit Sicherheit sparen Sie mit uns.",
        ),
        ("ohne Risiko", "Das ist risikofrei."),
        (
            "économies garanties",
            "Nous garantissons que vous économisez.",
        ),
        (
            "économies garanties",
            "Nous vous promettons de payer moins.",
        ),
        ("sans risque", "Un essai sans aucun risque."),
        ("ahorro garantizado", "Le aseguramos que ahorrará."),
        ("risparmio garantito", "Vi assicuriamo che risparmierete."),
        ("gegarandeerde besparing", "Wij beloven dat u bespaart."),
        ("poupança garantida", "Asseguramos que poupa."),
        // A claim in another language than the text.
        ("guaranteed savings", "Wir garantieren, dass Sie sparen."),
    ] {
        assert!(found(claim, text), "{claim}: {text}");
    }
}

#[test]
fn what_is_denied_or_said_of_something_else_is_no_claim_in_other_words() {
    for (claim, text) in [
        ("guaranteed savings", "We do not promise that you save."),
        ("guaranteed savings", "We cannot assure savings."),
        ("guaranteed savings", "Savings are not certain to come."),
        (
            "guaranteed savings",
            "We ensure that each meter of each of your houses is read, so you save time.",
        ),
        (
            "guaranteed savings",
            "We promise delivery. Energy savings depend on you.",
        ),
        ("guaranteed savings", "You save time with each reading."),
        (
            "risk-free trial",
            "The risk is yours, and the trial is free.",
        ),
        ("risk-free", "See each risk for yourself."),
        (
            "garantierte Einsparung",
            "Wir versprechen nicht, dass Sie sparen.",
        ),
        (
            "économies garanties",
            "Nous ne promettons pas que vous économisez.",
        ),
        // A single word says what it says.
        ("promise", "We guarantee delivery."),
        ("savings", "You pay less."),
        // What a synonym is in general, no list tells.
        (
            "guaranteed savings",
            "Your bill will shrink, come what may.",
        ),
    ] {
        assert!(!found(claim, text), "{claim}: {text}");
    }
}

proptest! {
    /// In whatever order and form, with small words between, and not where it is denied.
    #[test]
    fn each_promise_of_each_saving_is_the_claim(
        promise in prop::sample::select(vec!["guarantee", "promise", "assure", "ensure", "pledge"]),
        saving in prop::sample::select(vec!["you save", "you pay less", "savings", "you spend less", "you are saving"]),
        joint in prop::sample::select(vec![" ", " that ", " you ", " you that "]),
    ) {
        let said = format!("We {promise}{joint}{saving}.");
        prop_assert!(found("guaranteed savings", &said), "{}", said);
        let denied = format!("We do not {promise}{joint}{saving}.");
        prop_assert!(!found("guaranteed savings", &denied), "{}", denied);
        let twice = format!("We do not {promise} delivery, and we {promise}{joint}{saving}.");
        prop_assert!(found("guaranteed savings", &twice), "{}", twice);
    }

    #[test]
    fn no_text_breaks_the_comparison_in_other_words(
        claim in "(risk free |guaranteed |savings |\\PC{0,4} ){0,5}", text in "(no |that |save |promise |\\PC{0,6} ){0,20}",
    ) {
        let _ = found(&claim, &text);
    }
}
