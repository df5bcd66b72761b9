//! What counts as said by the caller.
use super::*;

/// What is kept of claims that are said to come from the caller.
fn kept(field: &str, claims: Value) -> usize {
    let basis: Vec<Value> = (0..claims.as_array().unwrap().len())
        .map(|index| provided(&format!("/{field}/{index}")))
        .collect();
    let result = json!({"language": "en", field: claims});
    let checked = run(result, json!(basis)).result;
    let result = serde_json::to_value(&checked).unwrap();
    result[field].as_array().unwrap().len()
}

#[test]
fn an_answer_that_says_nothing_of_the_seller_is_not_the_caller_s() {
    let objected = |objection: &str, response: &str| {
        kept(
            "objections",
            json!([{"objection": objection, "response": response}]),
        )
    };
    let supposed = "We are under criminal investigation";
    assert_eq!(objected(supposed, "They lied to auditors for years."), 0);
    assert_eq!(objected(supposed, "You lied to your auditors."), 0);
    assert_eq!(objected(supposed, "Acme lied to its auditors."), 0);
    // What a buyer may object needs no evidence, if the answer is the caller's.
    let told = "Sub-metering costs 9 EUR a month, with a trial.";
    assert_eq!(objected("It is too expensive", told), 1);
}

#[test]
fn each_advantage_over_an_alternative_must_be_the_caller_s() {
    let position = |wins: &[&str]| {
        let claim = json!({"alternative": "Meters by hand", "where_we_win": wins, "where_they_win": ["Known to all"]});
        kept("competitive_position", json!([claim]))
    };
    assert_eq!(position(&["Sub-metering from 9 EUR a month"]), 1);
    assert_eq!(position(&[]), 0);
    let one_of_two = [
        "Sub-metering from 9 EUR a month",
        "They lied to auditors for years",
    ];
    assert_eq!(position(&one_of_two), 0);
}

#[test]
fn a_proposal_names_only_what_the_caller_names() {
    let step = |text: &str| kept("next_steps", json!([text]));
    assert_eq!(
        step("Offer them a short call about sub-metering and a trial of it."),
        1
    );
    assert_eq!(
        step("Offer them a short call about sub-metering and a trial at Globex."),
        0
    );
    assert_eq!(
        step("Offer them a short call about sub-metering and a trial for 470 EUR."),
        0
    );
    assert_eq!(step("Send them a long letter about their accounts."), 0);
}

#[test]
fn a_sum_of_the_caller_s_numbers_needs_none_of_its_words() {
    let sum = |text: &str, formula: &str| {
        let (formula, result) = formula.split_once('=').unwrap();
        let mut basis = read_as("inferred", "/business_case/0");
        basis["derivations"] = json!([{"formula": formula, "result": result}]);
        let claim = json!({"text": text, "formula": format!("{formula}={result}")});
        let result = json!({"language": "ja", "business_case": [claim]});
        run(result, json!([basis])).result.business_case.len()
    };
    assert_eq!(sum("一棟の費用は年108ユーロです。", "9*12=108"), 1);
    assert_eq!(sum("一棟の費用は年120ユーロです。", "10*12=120"), 0);
    assert_eq!(sum("一棟の費用は年109ユーロです。", "9*12=108"), 0);
    assert_eq!(sum("Sub-metering costs 108 EUR a year.", "9*12=108"), 1);
    for untold in [
        "Acme's board lied to its auditors, 108 EUR a year.",
        "Sub-metering by Zenoti, 108 EUR.",
    ] {
        assert_eq!(sum(untold, "9*12=108"), 0, "{untold}");
    }
}

/// A basis entry of a claim that a second reader read.
fn read_as(finding: &str, pointer: &str) -> Value {
    let mut basis = provided(pointer);
    basis["second_reading"] = json!(finding);
    basis
}

/// What is kept of claims in a language that an English caller does not speak, and that a second reader read.
fn kept_in(language: &str, field: &str, claim: &Value) -> usize {
    let basis = read_as("inferred", &format!("/{field}/0"));
    let (result, _) = told_in(language, field, claim, &basis);
    let basis = result["basis"].as_array().unwrap();
    assert!(basis.iter().all(|entry| entry["confidence"] == "low"));
    result[field].as_array().unwrap().len()
}

fn told_in(
    language: &str,
    field: &str,
    claim: &Value,
    basis: &Value,
) -> (Value, Vec<(String, Dropped)>) {
    let of_english = PlaybookInput {
        product_info: Some(
            "We sell sub-metering for blocks of flats: our meters report their readings by radio, for 9 EUR a month and flat, with a \
             trial of 30 days and no fixed term."
                .into(),
        ),
        ..input()
    };
    let result = json!({"language": language, field: [claim]});
    let checked = run_with(&of_english, result, json!([basis]), json!([]));
    let result = serde_json::to_value(&checked.result).unwrap();
    (result, checked.dropped)
}

/// DANGER: code that compares no words lets any lie about the seller pass that has no name and no number.
#[test]
fn words_of_another_language_stand_only_if_a_reader_compared_them() {
    let told = |response: &str, basis: Value| {
        let claim = json!({"objection": "Encore un abonnement.", "response": response});
        told_in("fr", "objections", &claim, &basis)
    };
    let good = "9 euros par logement et par mois, sans durée minimale, et vous pouvez arrêter.";
    let lie = "Les compteurs sont certifiés par un laboratoire et ne tombent jamais en panne.";
    for text in [good, lie] {
        let (_, dropped) = told(text, provided("/objections/0"));
        assert_eq!(dropped[0].1, Dropped::Unread);
    }
    let (result, _) = told(good, read_as("supported", "/objections/0"));
    assert_eq!(result["basis"][0]["confidence"], "medium");
}

#[test]
fn what_a_reader_found_to_be_the_caller_s_needs_none_of_its_words() {
    let claim = |text: &str, finding: Option<&str>| {
        let claim = json!({"objection": "We have no time.", "response": text});
        let basis = match finding {
            Some(finding) => read_as(finding, "/objections/0"),
            None => provided("/objections/0"),
        };
        told_in("en", "objections", &claim, &basis)
    };
    let retold = "Nobody has to walk from door to door with pen and paper any more.";
    let (result, _) = claim(retold, Some("supported"));
    assert_eq!(result["basis"][0]["confidence"], "low");
    for unsure in [Some("inferred"), None] {
        assert_eq!(claim(retold, unsure).1[0].1, Dropped::NotProvided);
    }
    // Names and numbers stay the code's to check.
    let named = "Nobody has to walk from door to door as with Zenoti any more.";
    assert_eq!(claim(named, Some("supported")).1[0].1, Dropped::NotProvided);
    let counted = "Nobody has to walk from door to door for 4 hours any more.";
    assert_eq!(claim(counted, Some("supported")).1[0].1, Dropped::Invented);
}

#[test]
fn words_of_another_language_than_the_caller_s_are_not_compared() {
    let objection = |response: &str| {
        let claim = json!({"objection": "Encore un abonnement.", "response": response});
        kept_in("fr", "objections", &claim)
    };
    assert_eq!(
        objection("9 euros par logement et par mois, sans durée minimale, et vous pouvez arrêter."),
        1
    );
    // Numbers and names are nobody's who does not say them.
    assert_eq!(
        objection("7 euros par logement et par mois, sans durée minimale, et vous pouvez arrêter."),
        0
    );
    assert_eq!(
        objection("Le prix par logement et par mois est plus bas que celui de Zenoti, sans durée."),
        0
    );
    // What is in the caller's language shares words with it, or says something else.
    assert_eq!(objection("They lied to their auditors for many years."), 0);
    let step = |text: &str| kept_in("it", "next_steps", &json!(text));
    assert_eq!(
        step("Proporre una prova in un solo palazzo, senza impegno oltre il mese."),
        1
    );
    assert_eq!(
        step("Proporre una prova in un solo palazzo insieme alla ditta Zenoti."),
        0
    );
}

#[test]
fn a_proposal_that_a_reader_passed_needs_none_of_the_caller_s_words() {
    let step = |text: &str, basis: Value| {
        let (result, _) = told_in("en", "next_steps", &json!(text), &basis);
        result["next_steps"].as_array().unwrap().len()
    };
    let read = || read_as("inferred", "/next_steps/0");
    let text = "First find out who signs for the building.";
    assert_eq!(step(text, read()), 1);
    assert_eq!(step(text, provided("/next_steps/0")), 0);
    let named = "First find out who signs for the building at Zenoti.";
    assert_eq!(step(named, read()), 0);
}

#[test]
fn what_the_seller_asks_for_may_rest_on_the_caller() {
    let ask = |text: &str| {
        let result =
            json!({"language": "en", "talk_track": {"opening": null, "bridge": null, "ask": text}});
        let basis = json!([provided("/talk_track/ask")]);
        run(result, basis).result.talk_track.ask
    };
    assert!(ask("Shall we try sub-metering for a trial month?").is_some());
    assert!(ask("Shall we talk about the accounts of Globex?").is_none());
}
