//! What the binding and a bound brand add to a job with a model: the language, and whom the seller sells to.

use gtm_sdk::json::json;

use crate::model::{good, with_model};
use crate::run::{answered, basis, number_of, shared, step};

#[test]
fn what_a_brand_says_of_its_customers_reaches_the_prompt_and_may_be_used() {
    let seen = shared(String::new());
    let record = seen.clone();
    let mut job = with_model(move |input| {
        if step(input) == "brief" {
            let user = input["messages"][1]["content"].as_str().unwrap();
            *record.borrow_mut() = user.to_owned();
        }
        let mut answer = good(input);
        let cited = json!([number_of(input, "copied into the maintenance system by hand")]);
        answer["objections"] = json!([{"objection": "Too dear.", "response": "It is paid back in 9 months.", "citations": cited}]);
        Ok(answered(answer))
    })
    .only(&["objections", "sales_angles"]);
    job.brand = json!({"guideline": {
        "audience": {"segments": [{"value": {"name": "Cold stores", "needs": ["fewer alarms"]}}], "exclusions": [{"value": "Shops"}],
            "personas": [{"value": {"role": "Head of Engineering", "goals": ["quiet nights"]}}]},
        "positioning": {"value_propositions": [{"value": {"statement": "Gateways that copy", "benefit": "No typing"}}]},
        "messaging": {"objections": [{"value": {"objection": "Too dear", "response": "Paid back in 9 months"}}]}}});
    let draft = job.draft();
    let seen = seen.borrow();
    let excerpts = seen.find("<<<EXCERPTS").unwrap();
    for (heading, said) in [
        ("Segments", "fewer alarms"),
        ("Exclusions", "Shops"),
        ("Personas", "quiet nights"),
        ("Value propositions", "No typing"),
        ("Objections", "Paid back in 9 months"),
    ] {
        let heading = seen.find(heading).unwrap();
        let said = seen.find(said).unwrap();
        assert!(heading < said && said < excerpts);
    }
    assert_eq!(
        draft["result"]["objections"][0]["response"], "It is paid back in 9 months.",
        "{}",
        draft["left_out"]
    );
}

#[test]
fn the_binding_chooses_the_language_of_prose_and_fixed_sentences() {
    let draft = with_model(|input| {
        let system = input["messages"][0]["content"].as_str().unwrap();
        assert!(system.contains("in the language ja"), "{system}");
        Ok(answered(good(input)))
    })
    .set("language", json!("ja"))
    .draft();
    assert_eq!(draft["result"]["language"], "ja");
    let own = basis(&draft, "/proof_points/0");
    assert_eq!(
        own["reasoning"], "依頼の製品情報に記載されています。",
        "{own}"
    );
    let refused = with_model(|input| Ok(answered(good(input))))
        .set("language", json!("no tag"))
        .failure();
    assert_eq!(refused.code, "backend_error");
}
