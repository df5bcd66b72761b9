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
