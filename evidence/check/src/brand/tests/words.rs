//! The words of a claim: quoted, inferred, given by the caller, and made up.
use proptest::prelude::*;

use super::*;

#[test]
fn a_value_in_other_words_is_an_inference() {
    let quote = "Acme baut Zähler in 14 Städten";
    stands(
        &stated(
            "/identity/description_short",
            json!("Acme makes meters in 14 cities."),
            &[(1, quote)],
        ),
        "low",
        "inferred",
    );
    stands(
        &stated("/identity/description_short", json!(quote), &[(1, quote)]),
        "high",
        "stated",
    );
    stands(
        &stated(
            "/identity/description_short",
            json!("Acme opened in Leeds"),
            &[(2, "Acme opened in Leeds in March 2026")],
        ),
        "medium",
        "stated",
    );
    // A second reader found that the excerpt says it.
    let quotations: &[(u128, &str)] = &[(1, quote)];
    let retold = |at: &str, text: &str, receipts: &[u128]| {
        one(at, json!(text), "observed", quotations, receipts)
    };
    let at = "/identity/description_short";
    stands(
        &retold(at, "Acme makes meters in 14 cities.", &[1]),
        "medium",
        "observed",
    );
    // That the excerpt says nothing of it, code can tell.
    stands(
        &retold(at, "Boats carry winter coal to distant islands.", &[1]),
        "low",
        "inferred",
    );
    assert_eq!(
        verdict(&retold(at, "Acme makes meters in 15 cities.", &[1])),
        None
    );
    assert_eq!(
        verdict(&retold(
            "/governance/trademark_usage",
            "Acme is a mark.",
            &[1]
        )),
        None
    );
    stands(
        &one("/voice/summary", json!("Plain."), "inferred", &[], &[1]),
        "low",
        "inferred",
    );
    stands(
        &one("/voice/summary", json!("Plain."), "observed", &[], &[1]),
        "low",
        "inferred",
    );
}

#[test]
fn lies_about_words_are_dropped() {
    let at = "/foundations/mission";
    for (why, place) in [
        (
            "an excerpt that is not there",
            stated(at, json!("We lead."), &[(1, "We lead the whole market")]),
        ),
        (
            "another job's receipt",
            stated(at, json!("x"), &[(99, "Acme baut Zähler in 14 Städten")]),
        ),
        (
            "no evidence",
            one(at, json!("We lead."), "inferred", &[], &[]),
        ),
        (
            "a made-up number",
            one(at, json!("We serve 9,000 flats."), "inferred", &[], &[1]),
        ),
        (
            "a made-up number beside a real quotation",
            stated(
                at,
                json!("Acme bills 1300 flats"),
                &[(1, "rechnet 1.200 Wohnungen ab")],
            ),
        ),
        (
            "a number of a style sheet",
            one(at, json!("We serve 222222 flats."), "inferred", &[], &[3]),
        ),
        (
            "a planted address",
            one(at, json!("Write to x@evil.example"), "inferred", &[], &[1]),
        ),
        (
            "a planted link",
            one(
                at,
                json!("See https://evil.example/"),
                "inferred",
                &[],
                &[1],
            ),
        ),
        (
            "the caller never said it",
            one(at, json!("We lead."), "provided", &[], &[]),
        ),
        (
            "the caller's name as another field",
            one(at, json!("Acme"), "provided", &[], &[]),
        ),
        (
            "nothing visible",
            stated(at, json!("\u{200b}"), &[(1, "Acme baut Zähler")]),
        ),
        ("part of a word", stated(at, json!("Wohn"), &[(1, "Wohn")])),
    ] {
        assert_eq!(verdict(&place), None, "{why}");
    }
    let mut draft = with(at, json!("Wir glauben"));
    draft["basis"] = json!([]);
    let checked = run(&draft);
    assert_eq!(checked.dropped, [(at.to_owned(), Dropped::NoBasis)]);
    let unknowns = &checked.completed.guideline.research.unknowns;
    assert!(
        unknowns
            .iter()
            .any(|u| u.pointer == at && u.reason == UnknownReason::Unverified)
    );
}

#[test]
fn an_idle_first_party_quotation_lends_no_weight() {
    let place = stated(
        "/foundations/mission",
        json!("Acme opened in Leeds"),
        &[
            (2, "Acme opened in Leeds in March 2026"),
            (1, "Acme baut Zähler in 14 Städten"),
        ],
    );
    stands(&place, "medium", "stated");
    assert_eq!(place["source_ids"].as_array().unwrap().len(), 1);
}

#[test]
fn the_callers_words() {
    stands(
        &one("/identity/brand_name", json!("Acme"), "provided", &[], &[]),
        "high",
        "provided",
    );
    assert_eq!(
        verdict(&one(
            "/identity/brand_name",
            json!("Beta"),
            "provided",
            &[],
            &[]
        )),
        None
    );
    assert_eq!(
        verdict(&one(
            "/identity/ownership",
            json!("private"),
            "provided",
            &[],
            &[]
        )),
        None
    );
}

#[test]
fn verbatim_means_verbatim() {
    let at = "/voice/samples";
    stands(
        &stated(
            at,
            json!("Zähler, die jeder versteht"),
            &[(1, "Zähler, die jeder versteht")],
        ),
        "high",
        "stated",
    );
    assert_eq!(
        verdict(&stated(
            at,
            json!("Meters for all"),
            &[(1, "Zähler, die jeder versteht")]
        )),
        None
    );
    assert_eq!(
        verdict(&one(at, json!("Meters for all"), "inferred", &[], &[1])),
        None
    );
}

/// Words of the page, and words that the page lacks.
fn drafted_text() -> impl Strategy<Value = String> {
    prop_oneof![
        Just("Acme baut Zähler in 14 Städten".to_owned()),
        Just("Wir glauben".to_owned()),
        "[a-z]{3,9} [0-9]{1,4} [a-z]{3,9}",
        "\\PC{1,30}",
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]
    /// Whatever a backend drafts, a stated value occurs word for word in a page of the job.
    #[test]
    fn nothing_stated_is_unsupported(
        values in prop::collection::vec((drafted_text(), drafted_text(), 0u128..4, 0usize..3), 1..8),
    ) {
        let mut draft = empty();
        let (mut bases, mut commitments) = (Vec::new(), Vec::new());
        for (index, (value, quote, receipt, kind)) in values.iter().enumerate() {
            let kind = ["stated", "observed", "inferred"][*kind];
            bases.push(basis(&format!("/foundations/commitments/{index}"), kind, &[(*receipt, quote)], &[*receipt]));
            commitments.push(json!(value));
        }
        draft["guideline"]["foundations"]["commitments"] = json!(commitments);
        draft["basis"] = json!(bases);
        let document = run(&draft).completed.document;
        let pages = [HOME, PRESS].map(|html| gtm_page_text::extract(Some("text/html; charset=utf-8"), html.as_bytes()).evidence_text().to_lowercase());
        for claim in document["foundations"]["commitments"].as_array().unwrap() {
            let value = claim["value"].as_str().unwrap().to_lowercase();
            if claim["basis"] == "stated" {
                let stands = pages.iter().any(|page| gtm_page_text::find_excerpt(page, &value).is_some());
                prop_assert!(stands, "{value}");
            }
        }
    }
}
