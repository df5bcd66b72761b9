//! Drafts that are supported, partly supported, and made up.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
use super::*;
use crate::left_out::Reason;
use crate::library::{MAX_JOB_TEXT, Reported, Stored};
use crate::origin::tests::receipt;
use crate::stop_flag::StopFlag;
use bytes::Bytes;
use gtm_domain::Digest;
use gtm_domain::ReceiptId;
use gtm_domain::evidence::{Basis, Confidence, ConnectorRef, SourceKind, Unknown, UnknownReason};
use gtm_domain::playbook::Tone;
use proptest::prelude::*;

mod companions;
mod numbers;
mod offers;
mod said_by_the_caller;
mod site_digest;

const OWN: &str = "<html><head><title>Acme – Zähler für alle</title></head><body><main><h1>Über Acme</h1>\
    <p>Acme baut Zähler in 14 Städten. 🚀 We bill 1,200 flats.</p><p>Write to sales@acme.example today.</p></main></body></html>";
const NEWS: &str = "<html><body><p>In March 2026 Acme opened a second office in Leeds, people say.</p></body></html>";

fn input() -> PlaybookInput {
    PlaybookInput {
        target_company: Some("Acme".into()),
        target_company_domain: Some("acme.example".into()),
        anchor_company: Some("Northwind".into()),
        product_info: Some("Sub-metering from 9 EUR a month with a 30-day trial".into()),
        tone: Tone::Consultative,
        sections: None,
        model: "default".into(),
        brand_profile_id: None,
        brand_profile_key: None,
    }
}

fn connector() -> ConnectorRef {
    ConnectorRef {
        key: "web-fetch".into(),
        version: "1.0.0".into(),
        component_digest: Digest::of(b"wasm"),
    }
}

fn id(number: u128) -> String {
    ReceiptId::from_uuid(uuid::Uuid::from_u128(number)).to_string()
}

fn library() -> Library {
    let mut library = Library::default();
    for (number, url, body, output) in [
        (
            1,
            "https://www.acme.example/",
            OWN,
            json!({"title": "Acme – Zähler für alle", "site_name": "Acme"}),
        ),
        (
            2,
            "https://news.example/a",
            NEWS,
            json!({"title": "Acme opens", "published_at": "2026-03-09"}),
        ),
    ] {
        let bytes = Bytes::from_static(body.as_bytes());
        library.insert(
            Stored::of(
                receipt(number, url, &bytes),
                &bytes,
                connector(),
                Reported::of(&output),
                MAX_JOB_TEXT,
            )
            .unwrap(),
        );
    }
    library
}

fn run_with(input: &PlaybookInput, result: Value, basis: Value, sources: Value) -> Checked {
    let draft =
        Draft::read(&json!({"result": result, "basis": basis, "sources": sources})).unwrap();
    let by = CheckInput {
        input,
        brand: None,
        guideline: None,
        offer: None,
        start_urls: &StartUrls::default(),
        library: &library(),
        duration_seconds: 1.5,
        stop: &StopFlag::default(),
    };
    check(&draft, &by).unwrap()
}

fn run(result: Value, basis: Value) -> Checked {
    run_with(&input(), result, basis, json!([]))
}

/// Where something was drafted and left out.
fn unverified(unknowns: &[Unknown]) -> Vec<&str> {
    unknowns
        .iter()
        .filter(|unknown| unknown.reason == UnknownReason::Unverified)
        .map(|unknown| unknown.pointer.as_str())
        .collect()
}

fn stated(pointer: &str, receipt: u128, text: &str) -> Value {
    json!({"pointer": pointer, "basis": "stated", "reasoning": null, "excerpts": [{"receipt_id": id(receipt), "text": text}], "receipt_ids": []})
}

/// A basis entry without excerpts.
fn provided(pointer: &str) -> Value {
    json!({"pointer": pointer, "basis": "provided", "reasoning": null, "excerpts": [], "receipt_ids": []})
}

#[test]
fn the_seller_s_words_are_a_source_of_their_own() {
    let proof = |text: &str| {
        let result =
            json!({"language": "en", "proof_points": [{"text": text, "origin": "public"}]});
        run(result, json!([provided("/proof_points/0")])).result
    };
    let told = proof("Sub-metering costs 9 EUR a month, and a trial takes 30 days.");
    assert_eq!(told.proof_points.len(), 1);
    assert_eq!(
        serde_json::to_value(&told.proof_points[0]).unwrap()["origin"],
        "offer"
    );
    assert_eq!(told.basis[0].confidence, Some(Confidence::Low));
    let quoted = proof("Sub-metering from 9 EUR a month");
    assert_eq!(quoted.basis[0].confidence, Some(Confidence::High));
    assert!(
        proof("Sub-metering from 7 EUR a month with a trial")
            .proof_points
            .is_empty()
    );
    assert!(
        proof("Insurers rely on every one of our engineers")
            .proof_points
            .is_empty()
    );
}

#[test]
fn a_supported_claim_stands_with_offsets_in_code_points() {
    let checked = run(
        json!({"business_summary": "Acme makes meters in 14 cities.", "language": "de"}),
        json!([stated(
            "/business_summary",
            1,
            "Acme baut  Zähler in 14 Städten. 🚀"
        )]),
    );
    let result = checked.result;
    assert_eq!(result.basis.len(), 1);
    assert_eq!(result.basis[0].confidence, Some(Confidence::High));
    assert_eq!(result.basis[0].source_ids, ["src_01"]);
    assert_eq!(result.basis[0].excerpt_ids, ["ex_01"]);
    let source = &result.sources[0];
    assert_eq!(source.kind, SourceKind::FirstParty);
    let excerpt = &source.excerpts[0];
    let text = gtm_page_text::extract(Some("text/html; charset=utf-8"), OWN.as_bytes()).text();
    let cut: String = text
        .chars()
        .skip(usize::try_from(excerpt.text_start).unwrap())
        .take(usize::try_from(excerpt.text_end - excerpt.text_start).unwrap())
        .collect();
    assert_eq!(cut, excerpt.text);
    assert_eq!(excerpt.text, "Acme baut Zähler in 14 Städten. 🚀");
    assert!(result.risks.is_empty() && unverified(&result.unknowns).is_empty());
    assert_eq!(result.included_sections.len(), 15);
    assert_eq!(result.duration_seconds, 1.5);
}

#[test]
fn an_excerpt_that_is_not_there_takes_its_claim_with_it() {
    let checked = run(
        json!({"business_summary": "Acme is the market leader."}),
        json!([stated(
            "/business_summary",
            1,
            "Acme is the undisputed market leader"
        )]),
    );
    assert_eq!(checked.result.business_summary, None);
    assert_eq!(
        checked.dropped,
        [("/business_summary".to_owned(), Dropped::Unsupported)]
    );
    assert!(checked.result.basis.is_empty() && checked.result.sources.is_empty());
    assert!(checked.result.risks.is_empty(), "it is no risk of the sale");
    assert_eq!(unverified(&checked.result.unknowns), ["/business_summary"]);
    let told: Vec<String> = checked.left_out.iter().map(LeftOut::in_words).collect();
    assert_eq!(
        told,
        [
            "Left out of business summary: 1 statement, because the cited evidence could not be verified in the fetched sources."
        ]
    );
}

#[test]
fn lists_close_up_and_pointers_follow() {
    let checked = run(
        json!({"sales_angles": ["No basis here.", "They bill 1200 flats.", "Invented quote.", "They grow 40%.", "Meters from Acme."]}),
        json!([
            stated("/sales_angles/1", 1, "We bill 1,200 flats."),
            stated("/sales_angles/2", 1, "this text stands nowhere"),
            stated("/sales_angles/3", 1, "We bill 1,200 flats."),
            stated("/sales_angles/4", 1, "Acme baut Zähler"),
        ]),
    );
    assert_eq!(
        checked.result.sales_angles,
        ["They bill 1200 flats.", "Meters from Acme."]
    );
    let pointers: Vec<_> = checked
        .result
        .basis
        .iter()
        .map(|b| b.pointer.as_str())
        .collect();
    assert_eq!(pointers, ["/sales_angles/0", "/sales_angles/1"]);
    assert_eq!(
        checked.dropped,
        [
            ("/sales_angles/0".to_owned(), Dropped::NoBasis),
            ("/sales_angles/2".to_owned(), Dropped::Unsupported),
            ("/sales_angles/3".to_owned(), Dropped::Invented),
        ]
    );
    let told: Vec<_> = checked.left_out.iter().map(|left| left.reason).collect();
    assert_eq!(
        told,
        [Reason::NoCitation, Reason::Unsupported, Reason::Invented]
    );
    assert_eq!(checked.result.sources[0].excerpts.len(), 2);
}

#[test]
fn provided_means_the_caller_said_it() {
    let checked = run(
        json!({"value_map": [
            {"pain": "Sub-metering", "capability": "30-day trial", "outcome": null},
            {"pain": "High churn", "capability": "30-day trial", "outcome": null}
        ]}),
        json!([{"pointer": "/value_map/0", "basis": "provided"}, {"pointer": "/value_map/1", "basis": "provided"}]),
    );
    assert_eq!(checked.result.value_map.len(), 1);
    assert_eq!(checked.result.basis[0].basis, Basis::Provided);
    assert!(checked.result.basis[0].source_ids.is_empty());
    assert_eq!(checked.dropped[0].1, Dropped::NotProvided);
}

#[test]
fn a_third_party_cannot_call_itself_first_party() {
    let sources = json!([
        {"receipt_id": id(2), "kind": "first_party", "publisher": "Fake News", "title": "Acme opens", "published_at": "2026-03-09"},
        {"receipt_id": id(1), "kind": "first_party", "title": "Made up title"},
        {"receipt_id": id(77), "kind": "news"}
    ]);
    let claim = json!({"buying_signals": [{"signal": "A second office in Leeds", "kind": "expansion", "observed_at": "2026-03-01"}]});
    let checked = run_with(
        &input(),
        claim,
        json!([stated(
            "/buying_signals/0",
            2,
            "Acme opened a second office in Leeds"
        )]),
        sources,
    );
    let [news, own] = checked.result.sources.as_slice() else {
        panic!("{:?}", checked.result.sources)
    };
    assert_eq!(
        (news.kind, news.publisher.as_deref()),
        (SourceKind::Other, None),
        "the page does not say so"
    );
    assert_eq!(
        (news.title.as_deref(), news.published_at.as_deref()),
        (Some("Acme opens"), Some("2026-03-09"))
    );
    assert_eq!(
        (own.kind, own.title.as_deref()),
        (SourceKind::FirstParty, None)
    );
    assert_eq!(checked.result.basis[0].confidence, Some(Confidence::Medium));
    assert_eq!(
        checked.result.buying_signals[0].observed_at.as_deref(),
        Some("2026-03-01")
    );
}

#[test]
fn a_date_from_nowhere_becomes_unknown() {
    let claim = json!({"buying_signals": [{"signal": "A second office in Leeds", "kind": "expansion", "observed_at": "2024-03-01"}]});
    let checked = run(
        claim,
        json!([stated(
            "/buying_signals/0",
            2,
            "Acme opened a second office in Leeds"
        )]),
    );
    assert_eq!(checked.result.buying_signals[0].observed_at, None);
}

#[test]
fn sections_that_were_not_asked_for_stay_empty() {
    let mut input = input();
    input.sections = Some(vec![PlaybookSection::BusinessSummary]);
    let checked = run_with(
        &input,
        json!({"business_summary": "Acme baut Zähler.", "sales_angles": ["Acme baut Zähler."], "risks": [{"text": "x", "kind": "unknown"}], "talk_track": {"opening": "Hi", "bridge": null, "ask": null}}),
        json!([
            stated("/business_summary", 1, "Acme baut Zähler"),
            stated("/sales_angles/0", 1, "Acme baut Zähler")
        ]),
        json!([]),
    );
    let result = checked.result;
    assert_eq!(result.included_sections, [PlaybookSection::BusinessSummary]);
    assert!(
        result.sales_angles.is_empty()
            && result.risks.is_empty()
            && result.talk_track.opening.is_none()
    );
    assert_eq!(result.basis.len(), 1);
}

#[test]
fn what_was_left_out_is_named_even_if_no_risks_were_asked_for() {
    let without_risks = PlaybookInput {
        target_company: None,
        sections: Some(vec![
            PlaybookSection::BusinessSummary,
            PlaybookSection::BuyingSignals,
            PlaybookSection::SalesAngles,
        ]),
        ..input()
    };
    let signal = |date: &str| json!({"signal": "Acme opened an office in Leeds.", "kind": "expansion", "observed_at": date});
    let result = json!({
        "target": {"company": "Globex 4711", "domain": "acme.example"},
        "business_summary": "Acme leads the market.",
        "sales_angles": ["No basis.", "They bill 1200 flats.", "They grow 40%."],
        "buying_signals": [signal("2026-03"), signal("2019-03")],
        "next_steps": ["Not asked for, so not unknown either."],
    });
    let news = "In March 2026 Acme opened a second office in Leeds";
    let basis = json!([
        stated("/business_summary", 1, "Acme is the undisputed leader"),
        stated("/sales_angles/1", 1, "We bill 1,200 flats."),
        stated("/sales_angles/2", 1, "We bill 1,200 flats."),
        stated("/buying_signals/0", 2, news),
        stated("/buying_signals/1", 2, news),
    ]);
    let checked = run_with(&without_risks, result, basis, json!([]));
    assert!(checked.result.risks.is_empty());
    let unknowns = &checked.result.unknowns;
    let mut pointers = unverified(unknowns);
    pointers.sort_unstable();
    assert_eq!(
        pointers,
        [
            "/business_summary",
            "/buying_signals/1/observed_at",
            "/sales_angles",
            "/sales_angles",
            "/target/company",
        ]
    );
}

#[test]
fn risks_may_not_make_things_up_either() {
    let checked = run(
        json!({"risks": [{"text": "Nothing was found about suppliers.", "kind": "unknown"}, {"text": "Call +49 30 1234567", "kind": "compliance"}]}),
        json!([]),
    );
    assert_eq!(checked.result.risks.len(), 1);
}

#[test]
fn tiny_excerpts_prove_only_themselves() {
    let claim = |text: &str| json!({"company_profile": {"industry": text, "employee_range": null, "headquarters": null, "business_model": null, "offerings": [], "markets": []}});
    let basis = json!([stated("/company_profile/industry", 1, "Zähler")]);
    assert!(
        run(claim("Zähler und Abrechnung"), basis.clone())
            .result
            .company_profile
            .industry
            .is_some()
    );
    assert!(
        run(claim("Aerospace"), basis)
            .result
            .company_profile
            .industry
            .is_none()
    );
}

#[test]
fn tampered_or_failed_answers_are_no_evidence() {
    let good = receipt(9, "https://acme.example/", b"a");
    let stored = Stored::of(
        good.clone(),
        &Bytes::from_static(b"b"),
        connector(),
        Reported::default(),
        MAX_JOB_TEXT,
    );
    assert_eq!(stored.unwrap_err(), crate::library::Unusable::Digest);
    let missing = gtm_domain::receipt::Receipt {
        status: Some(404),
        ..good
    };
    let stored = Stored::of(
        missing,
        &Bytes::from_static(b"a"),
        connector(),
        Reported::default(),
        MAX_JOB_TEXT,
    );
    assert_eq!(stored.unwrap_err(), crate::library::Unusable::NoAnswer);
}

proptest! {
    /// Whatever the backend claims, each element that is kept has exactly one basis entry, at its new place,
    /// and each basis entry points at something.
    #[test]
    fn pointers_and_elements_stay_together(marks in proptest::collection::vec(0u8..4, 0..12)) {
        let angles: Vec<String> = marks.iter().enumerate().map(|(n, m)| format!("Claim {}", if *m == 3 { format!("{}", n + 5000) } else { "text".into() })).collect();
        let basis: Vec<Value> = marks.iter().enumerate().filter(|(_, m)| **m != 0).map(|(n, m)| {
            stated(&format!("/sales_angles/{n}"), 1, if *m == 1 { "stands nowhere at all" } else { "We bill 1,200 flats." })
        }).collect();
        let checked = run(json!({"sales_angles": angles}), json!(basis));
        let standing = marks.iter().filter(|m| **m == 2).count();
        prop_assert_eq!(checked.result.sales_angles.len(), standing);
        let pointers: Vec<String> = checked.result.basis.iter().map(|b| b.pointer.clone()).collect();
        let wanted: Vec<String> = (0..standing).map(|n| format!("/sales_angles/{n}")).collect();
        prop_assert_eq!(pointers, wanted);
        prop_assert_eq!(checked.dropped.len(), marks.len() - standing);
        prop_assert_eq!(unverified(&checked.result.unknowns).len(), checked.dropped.len());
    }

    /// No draft text makes the check panic or fail.
    #[test]
    fn any_text_is_survived(text in "\\PC{0,60}", quote in "\\PC{0,40}") {
        let checked = run(json!({"business_summary": text, "language": quote}), json!([stated("/business_summary", 1, &quote)]));
        prop_assert!(checked.result.basis.len() <= 1);
    }
}

#[test]
fn only_what_stands_counts_as_something_said() {
    let unsupported = json!({"business_summary": "Acme leads the market.", "language": "en"});
    let basis = json!([stated("/business_summary", 1, "Acme leads the market")]);
    // What it says of what it lacks does not make this a playbook.
    let nothing = run(unsupported.clone(), basis.clone());
    assert!(!nothing.result.unknowns.is_empty() && !nothing.says_something());
    let one = json!({"business_summary": "Acme makes meters in 14 cities.", "language": "de"});
    let own = json!([stated(
        "/business_summary",
        1,
        "Acme baut Zähler in 14 Städten. 🚀"
    )]);
    assert!(run(one, own).says_something());
    // If only risks were requested, risks are enough.
    let mut only_risks = input();
    only_risks.sections = Some(vec![PlaybookSection::Risks]);
    let risk =
        json!({"risks": [{"text": "No supplier is named.", "kind": "unknown"}], "language": "en"});
    for (result, says) in [(risk, true), (unsupported, false)] {
        let checked = run_with(&only_risks, result, basis.clone(), json!([]));
        assert_eq!(checked.says_something(), says, "{:?}", checked.result.risks);
    }
}
