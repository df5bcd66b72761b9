//! `gtm policy …`. The catalog of these tests is empty; allowing one of the shipped policies is tested with them.

use serde_json::json;

use crate::process::Gtm;

#[test]
fn nothing_is_allowed_at_first_and_what_is_not_there_is_told() {
    let gtm = Gtm::new();
    gtm.tenant();
    assert_eq!(gtm.json(&["policy", "list"]), json!({ "policies": [] }));
    let told = gtm.fails(1, &["policy", "revoke", "gb-corporate-outreach", "2026-01"]);
    assert!(
        told.contains("policy gb-corporate-outreach 2026-01 is not allowed"),
        "{told}"
    );
    let allow = [
        "policy",
        "allow",
        "gb-corporate-outreach",
        "2026-01",
        "--evaluator",
    ];
    let told = gtm.fails(1, &[&allow[..], &["policy-gb"]].concat());
    assert!(
        told.contains("the catalog has no evaluator policy-gb"),
        "{told}"
    );
    let told = gtm.fails(2, &[&allow[..], &["policy-gb@"]].concat());
    assert!(told.contains("expected KEY or KEY@VERSION"), "{told}");
    let told = gtm.fails(
        2,
        &["policy", "allow", "a b", "1", "--evaluator", "policy-gb"],
    );
    assert!(told.contains("letters, digits, dots"), "{told}");
}
