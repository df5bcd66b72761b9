//! Numbers in claims: literal, in words, derived, free in proposals.

use super::*;

#[test]
fn a_sum_bears_out_its_own_claim_only() {
    let quoted = "We bill 1,200 flats.";
    let claim = json!({"language": "en", "sales_angles": ["At 9 EUR that is 10,800 EUR a month for 1,200 flats."]});
    let with = |sums: Value| {
        let mut basis = stated("/sales_angles/0", 1, quoted);
        basis["basis"] = json!("inferred");
        basis["receipt_ids"] = json!([id(1)]);
        basis["reasoning"] = json!("Price times flats (1200*9=10800)");
        basis["derivations"] = sums;
        run(claim.clone(), json!([basis])).result
    };
    let kept = with(json!([{"formula": "1200*9", "result": "10800"}]));
    assert_eq!(kept.sales_angles.len(), 1);
    let reasoning = kept.basis[0].reasoning.as_deref().unwrap();
    assert!(reasoning.contains("1200*9"), "{reasoning}");
    for sums in [
        json!([]),
        json!([{"formula": "1200*8", "result": "10800"}]),
        // A number of a page that this claim does not quote.
        json!([{"formula": "1200*9+14-14", "result": "10800"}]),
    ] {
        assert!(with(sums.clone()).sales_angles.is_empty(), "{sums}");
    }
}

#[test]
fn numbers_in_words_need_evidence_too() {
    let basis = || {
        json!([stated(
            "/business_summary",
            1,
            "Acme baut Zähler in 14 Städten."
        )])
    };
    let kept = |text: &str, language: &str| {
        let result = run(
            json!({"business_summary": text, "language": language}),
            basis(),
        )
        .result;
        result.business_summary.is_some()
    };
    assert!(kept("Acme makes meters in fourteen cities.", "en"));
    assert!(kept("Acme baut Zähler in vierzehn Städten.", "de"));
    assert!(!kept("Acme makes meters in seventeen cities.", "en"));
    assert!(!kept("Acme baut Zähler in siebzehn Städten.", "de"));
}

#[test]
fn a_number_of_the_target_is_no_property_of_the_product() {
    let mapped = |capability: &str| {
        let value =
            json!({"pain": "Flats are billed by hand", "capability": capability, "outcome": null});
        let basis = json!([stated("/value_map/0", 1, "We bill 1,200 flats.")]);
        run(json!({"language": "en", "value_map": [value]}), basis)
            .result
            .value_map
            .len()
    };
    assert_eq!(mapped("Sub-metering handles 1,200 flats at once"), 0);
    assert_eq!(mapped("Sub-metering from 9 EUR a month"), 1);
    assert_eq!(mapped("Sub-metering for all of your 1,200 flats"), 1);
}

#[test]
fn numbers_and_addresses_may_come_from_source_or_input_only() {
    let checked = run(
        json!({"next_steps": [
            "Offer the 30-day trial for 9 EUR.",
            "Write to sales@acme.example.",
            "Write to ceo@acme.example.",
            "See evil.example/offer for more.",
            "Call them about 45 meters."
        ]}),
        json!((0..5).map(|n| json!({"pointer": format!("/next_steps/{n}"), "basis": "inferred", "receipt_ids": [id(1)]})).collect::<Vec<_>>()),
    );
    assert_eq!(
        checked.result.next_steps,
        [
            "Offer the 30-day trial for 9 EUR.",
            "Write to sales@acme.example."
        ]
    );
    assert!(
        checked
            .result
            .basis
            .iter()
            .all(|b| b.confidence == Some(Confidence::Low))
    );
}

#[test]
fn a_proposal_may_say_how_long_and_with_how_many() {
    let quote = "Acme baut Zähler in 14 Städten.";
    let asked = |ask: &str| {
        let result = json!({"talk_track": {"ask": ask}, "priorities": [ask]});
        let basis = json!([
            stated("/talk_track/ask", 1, quote),
            stated("/priorities/0", 1, quote)
        ]);
        let checked = run(result, basis).result;
        (checked.talk_track.ask.is_some(), checked.priorities.len())
    };
    // A priority of the target is a fact, so its numbers must stand somewhere.
    assert_eq!(
        asked("Could we have 20 minutes with 3 colleagues?"),
        (true, 0)
    );
    assert_eq!(asked("Is a 45-minute call next week possible?"), (true, 0));
    assert_eq!(asked("Would 20 percent less help?"), (false, 0));
    assert_eq!(asked("Would 5,000 people notice?"), (false, 0));
    assert_eq!(asked("Why 14 and not more?"), (true, 1));
}

#[test]
fn headcount_labels_are_supported_by_a_number_inside() {
    let with = |label: &str| {
        run(
            json!({"company_profile": {"industry": null, "employee_range": label, "headquarters": null, "business_model": null, "offerings": [], "markets": []}}),
            json!([stated(
                "/company_profile/employee_range",
                1,
                "We bill 1,200 flats."
            )]),
        )
    };
    assert!(
        with("1001-5000")
            .result
            .company_profile
            .employee_range
            .is_some()
    );
    assert!(
        with("51-200")
            .result
            .company_profile
            .employee_range
            .is_none()
    );
}

#[test]
fn a_sum_may_go_on_from_one_that_stands() {
    let claim =
        json!({"language": "en", "sales_angles": ["That is 900 EUR a month over the year."]});
    let with = |sums: Value| {
        let mut basis = stated("/sales_angles/0", 1, "We bill 1,200 flats.");
        basis["basis"] = json!("inferred");
        basis["receipt_ids"] = json!([id(1)]);
        basis["derivations"] = sums;
        run(claim.clone(), json!([basis])).result.sales_angles.len()
    };
    let first = json!({"formula": "1200*9", "result": "10800"});
    let second = json!({"formula": "10800/12", "result": "900"});
    assert_eq!(with(json!([first, second])), 1);
    assert_eq!(with(json!([second])), 0);
}

#[test]
fn things_that_are_cited_one_by_one_are_counted() {
    let kept = |text: &str, cited: &[&str]| {
        let mut basis = stated("/business_summary", 1, "Acme baut Zähler in 14 Städten.");
        // A sentence with a number is none of the things.
        let sentence = ["Acme baut Zähler in 14 Städten."];
        let excerpts = cited
            .iter()
            .chain(&sentence)
            .map(|text| json!({"receipt_id": id(1), "text": text}));
        basis["excerpts"] = excerpts.collect();
        let claim = json!({"business_summary": text, "language": "en"});
        run(claim, json!([basis])).result.business_summary.is_some()
    };
    // Two whole lines.
    let things = ["Über Acme", "Acme – Zähler für alle"];
    assert!(kept("The page has 2 parts, and tells of Acme.", &things));
    assert!(!kept("The page has 5 parts, and tells of Acme.", &things));
    assert!(!kept("It costs Acme 2 EUR.", &things));
    assert!(!kept(
        "The page has 2 parts.",
        &["Über Acme", "Nowhere told"]
    ));
    assert!(!kept("The page has 2 parts.", &["Über Acme", "Über Acme"]));
    assert!(!kept("The page has 7 parts.", &["me"; 7]));
    assert!(!kept(
        "The page has 2 parts.",
        &["Acme baut Zähler", "We bill"]
    ));
}
