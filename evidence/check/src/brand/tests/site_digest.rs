//! What pages say in their own words stands in the research, if the bytes have every word.
use gtm_domain::guideline::markdown::markdown;

use super::*;

fn with_digest(text: &str, excerpt: &str) -> Checked {
    let mut draft = empty();
    draft["digest"] = json!([{"page": "Acme – Zähler für alle", "heading": "Zähler, die jeder versteht", "text": text}]);
    let excerpts = ["Zähler, die jeder versteht", excerpt]
        .map(|text| json!({"receipt_id": id(1), "text": text}));
    draft["basis"] =
        json!([{"pointer": "/research/digest/0", "basis": "stated", "excerpts": excerpts}]);
    run(&draft)
}

#[test]
fn a_quotation_stands_with_its_source_and_is_shown() {
    let text = "Acme baut Zähler in 14 Städten und rechnet 1.200 Wohnungen ab.";
    let guideline = with_digest(text, text).completed.guideline;
    let [entry] = guideline.research.digest.as_slice() else {
        panic!("{:?}", guideline.research.digest);
    };
    assert_eq!(entry.text, text);
    assert_eq!(entry.page.as_deref(), Some("Acme – Zähler für alle"));
    assert_eq!((entry.source_ids.len(), entry.excerpt_ids.len()), (1, 2));
    let shown = markdown(&guideline);
    assert!(
        shown.contains("**Zähler, die jeder versteht** Acme baut"),
        "{shown}"
    );
}

#[test]
fn what_the_bytes_lack_is_dropped() {
    let quoted = "Acme baut Zähler in 14 Städten und rechnet 1.200 Wohnungen ab.";
    for (text, excerpt) in [
        ("Acme ist Marktführer.", quoted),
        ("Acme ist Marktführer.", "Acme ist Marktführer."),
    ] {
        let checked = with_digest(text, excerpt);
        assert!(checked.completed.guideline.research.digest.is_empty());
        assert_eq!(checked.dropped[0].0, "/research/digest/0");
    }
}
