//! What comes with a section, what was left out, and what a provider of company data says.
use gtm_domain::playbook::{Fit, FitVerdict};

use super::*;

#[test]
fn what_the_backend_left_out_is_unknown_and_told() {
    let draft = json!({
        "result": {
            "fit": {"verdict": "good", "reasons": ["They bill by hand in 77 blocks."]},
            "why_now": ["Acme opened a second office in Leeds in March 2026."],
        },
        "basis": [
            stated("/fit/reasons/0", 1, "We bill 1,200 flats."),
            stated("/why_now/0", 2, "In March 2026 Acme opened a second office in Leeds"),
        ],
        "sources": [],
        "unknowns": [
            {"pointer": "/buying_signals", "reason": "blocked"},
            {"pointer": "/why_now", "reason": "blocked"},
            {"pointer": "/next_steps", "reason": "blocked"},
        ],
        "left_out": [
            {"pointer": "/sales_angles", "reason": "number", "count": 6},
            {"pointer": "/talk_track/ask", "reason": "no_answer", "count": 1},
        ],
    });
    let draft = Draft::read(&draft).unwrap();
    let input = PlaybookInput {
        sections: Some(vec![
            PlaybookSection::SalesAngles,
            PlaybookSection::BuyingSignals,
        ]),
        ..input()
    };
    let by = CheckInput {
        input: &input,
        brand: None,
        guideline: None,
        offer: None,
        start_urls: &StartUrls::default(),
        library: &library(),
        duration_seconds: 1.5,
        stop: &StopFlag::default(),
    };
    let checked = check(&draft, &by).unwrap();
    assert_eq!(
        checked.result.fit.verdict, None,
        "its only reason is made up"
    );
    assert_eq!(checked.result.why_now.len(), 1);
    let mut lacking = unverified(&checked.result.unknowns);
    lacking.sort_unstable();
    assert_eq!(
        lacking,
        ["/fit/reasons", "/sales_angles"],
        "only of requested sections"
    );
    let reason = |pointer: &str| {
        let known = checked
            .result
            .unknowns
            .iter()
            .find(|u| u.pointer == pointer);
        known.map(|known| known.reason)
    };
    assert_eq!(reason("/buying_signals"), Some(UnknownReason::Blocked));
    assert_eq!(reason("/why_now"), None, "it is known");
    assert_eq!(reason("/next_steps"), None, "nobody asked for it");
    let counts: Vec<_> = checked
        .left_out
        .iter()
        .map(|left| (left.pointer.as_str(), left.count))
        .collect();
    assert_eq!(
        counts,
        [
            ("/fit/reasons", 1),
            ("/sales_angles", 6),
            ("/talk_track/ask", 1)
        ]
    );
}

#[test]
fn what_comes_with_a_section_is_empty_without_it() {
    let mut only_risks = input();
    only_risks.sections = Some(vec![PlaybookSection::Risks]);
    let result = json!({
        "fit": {"verdict": "poor", "reasons": ["They bill 1,200 flats."]},
        "why_now": ["They bill 1,200 flats."],
        "messages_by_persona": [{"role": "Head of Billing", "message": "You bill 1,200 flats."}],
        "business_case": [{"text": "1,200 flats at 9 EUR.", "formula": "1200*9=10800"}],
    });
    let places = [
        "/fit/reasons/0",
        "/why_now/0",
        "/messages_by_persona/0",
        "/business_case/0",
    ];
    let basis: Vec<Value> = places
        .iter()
        .map(|place| stated(place, 1, "We bill 1,200 flats."))
        .collect();
    let all = run(result.clone(), json!(basis)).result;
    assert_eq!(all.basis.len(), places.len());
    assert_eq!(all.fit.verdict, Some(FitVerdict::Poor));
    let none = run_with(&only_risks, result, json!(basis), json!([])).result;
    assert_eq!(none.fit, Fit::default());
    assert!(none.why_now.is_empty() && none.messages_by_persona.is_empty());
    assert!(none.business_case.is_empty() && none.basis.is_empty());
    assert!(none.unknowns.is_empty(), "nobody asked for them");
}

#[test]
fn sums_of_the_business_case_are_calculated_again() {
    let item = |text: &str, formula: &str| json!({"text": text, "formula": formula});
    let checked = run(
        json!({"business_case": [
            item("1,200 flats at 9 EUR are 10,800 EUR a month.", "1200*9=10800"),
            item("1,200 flats in 14 cities are about 100 each.", "1200/14=100"),
            item("1,200 flats at 31 euros are 37,200 euros.", "1200*31=37200"),
            item("1,200 flats and 40 cellars.", "1200*1=1200"),
        ]}),
        json!([
            stated("/business_case/0", 1, "We bill 1,200 flats."),
            stated("/business_case/1", 1, "We bill 1,200 flats."),
            stated("/business_case/2", 1, "We bill 1,200 flats."),
            stated("/business_case/3", 1, "We bill 1,200 flats."),
        ]),
    );
    let formulas: Vec<&str> = checked
        .result
        .business_case
        .iter()
        .map(|item| item.formula.as_str())
        .collect();
    assert_eq!(
        formulas,
        ["1200*9=10800"],
        "not a wrong one, nor one with a number of nobody: {:?}",
        checked.dropped
    );
    assert_eq!(unverified(&checked.result.unknowns)[0], "/business_case");
}

#[test]
fn a_provider_of_company_data_says_a_number_for_a_range() {
    let range = |text: &str, pointer: &str| {
        let draft = json!({
            "result": {"company_profile": {"employee_range": "51-200", "offerings": [], "markets": []}},
            "basis": [stated(pointer, 3, text)], "sources": [],
        });
        let bytes = Bytes::from_static(br#"{"people": 140, "about": "We have 151 lines."}"#);
        let mut receipt = receipt(3, "https://facts.example/companies", &bytes);
        receipt.content_type = Some("application/json".into());
        let facts = Reported::of(&json!({"publisher": "Facts Inc"}));
        let mut library = library();
        library.insert(Stored::of(receipt, &bytes, connector(), facts, MAX_JOB_TEXT).unwrap());
        let by = CheckInput {
            input: &input(),
            brand: None,
            guideline: None,
            offer: None,
            start_urls: &StartUrls::default(),
            library: &library,
            duration_seconds: 1.5,
            stop: &StopFlag::default(),
        };
        let checked = check(&Draft::read(&draft).unwrap(), &by).unwrap();
        checked.result.company_profile.employee_range
    };
    let pointer = "/company_profile/employee_range";
    assert_eq!(range("140", pointer).as_deref(), Some("51-200"));
    // A number inside a text may count anything.
    assert_eq!(range("151", pointer), None);
    assert_eq!(range("1,200", pointer), None);
}
