//! What pages say in their own words stands only if the bytes have every word.

use super::*;

fn digest(entry: Value, basis: Value) -> Checked {
    run(
        json!({"language": "de", "site_digest": [entry]}),
        json!([basis]),
    )
}

/// A basis with several quotations of the first page.
fn quoted(texts: &[&str]) -> Value {
    let excerpts: Vec<Value> = texts
        .iter()
        .map(|text| json!({"receipt_id": id(1), "text": text}))
        .collect();
    json!({"pointer": "/site_digest/0", "basis": "stated", "reasoning": null, "excerpts": excerpts, "receipt_ids": []})
}

#[test]
fn quotations_of_one_page_stand_with_their_heading() {
    let entry = json!({"page": "Über Acme", "heading": "Über Acme",
        "text": "Acme baut Zähler in 14 Städten. · We bill 1,200 flats."});
    let basis = quoted(&[
        "Über Acme Acme baut Zähler in 14 Städten.",
        "We bill 1,200 flats.",
    ]);
    let result = digest(entry.clone(), basis).result;
    assert_eq!(serde_json::to_value(&result.site_digest[0]).unwrap(), entry);
    assert_eq!(result.basis[0].pointer, "/site_digest/0");
    assert_eq!(result.basis[0].confidence, Some(Confidence::High));
    assert_eq!(result.basis[0].basis, Basis::Stated);
}

#[test]
fn what_the_bytes_lack_is_dropped() {
    let good = "Acme baut Zähler in 14 Städten.";
    let elsewhere = json!({"pointer": "/site_digest/0", "basis": "stated", "reasoning": null, "receipt_ids": [],
        "excerpts": [{"receipt_id": id(1), "text": good}, {"receipt_id": id(2), "text": "Acme opened a second office"}]});
    let inferred = json!({"pointer": "/site_digest/0", "basis": "inferred", "reasoning": "It says so.", "excerpts": [],
        "receipt_ids": [id(1)]});
    for (heading, text, basis) in [
        // A word is added, in the text, among several quotations, and in the heading.
        (
            None,
            "Acme baut gute Zähler in 14 Städten.",
            quoted(&[good]),
        ),
        (
            None,
            "Acme baut Zähler in 14 Städten. · Marktführer",
            quoted(&[good]),
        ),
        (Some("Marktführer"), good, quoted(&[good])),
        // The excerpts are not on the page, are of two pages, or are none.
        (None, "Acme baut Züge.", quoted(&["Acme baut Züge."])),
        (
            None,
            "Acme baut Zähler in 14 Städten. · Acme opened a second office",
            elsewhere,
        ),
        (None, good, inferred),
        (None, good, quoted(&[])),
    ] {
        let entry = json!({"page": null, "heading": heading, "text": text});
        let checked = digest(entry, basis);
        assert!(checked.result.site_digest.is_empty(), "{heading:?} {text}");
        assert_eq!(checked.dropped.len(), 1);
        assert!(unverified(&checked.result.unknowns).contains(&"/site_digest"));
    }
}

#[test]
fn a_page_keeps_only_a_name_that_it_has() {
    let text = "Acme baut Zähler in 14 Städten.";
    let page = |name: &str| {
        let entry = json!({"page": name, "heading": null, "text": text});
        digest(entry, quoted(&[text])).result.site_digest[0]
            .page
            .clone()
    };
    let title = "Acme – Zähler für alle";
    assert_eq!(page(title).as_deref(), Some(title));
    assert_eq!(page("Marktführer"), None);
}

#[test]
fn it_comes_with_the_profile_of_the_company() {
    let text = "Acme baut Zähler in 14 Städten.";
    let input = PlaybookInput {
        sections: Some(vec![PlaybookSection::BusinessSummary]),
        ..input()
    };
    let result =
        json!({"language": "de", "site_digest": [{"page": null, "heading": null, "text": text}]});
    let checked = run_with(&input, result, json!([quoted(&[text])]), json!([]));
    assert!(checked.result.site_digest.is_empty());
    assert!(checked.dropped.is_empty(), "nobody asked for it");
}
