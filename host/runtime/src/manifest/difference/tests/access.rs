//! Differences in where a plug-in may go, and in what the host sends there for it.

use super::*;

#[test]
fn another_token_endpoint_widens_and_is_named() {
    let with = |url: &str| -> Manifest {
        let mut all = manifest();
        all["auth"] = json!({ "schemes": [{ "id": "app", "type": "oauth2_client_credentials",
            "hosts": ["weather.example"],
            "token_request": { "url": url, "client_auth": "body" },
            "inject": [{ "in": "header", "name": "authorization", "value": "Bearer ${token}" }] }] });
        serde_json::from_value(all).unwrap()
    };
    let held = with("https://weather.example/v1/token");
    let moved = differences(&held, &with("https://other.example/v1/token"));
    assert!(
        widening(&moved)
            .contains(&"the client secret of app goes to https://other.example/v1/token"),
        "{moved:?}"
    );
    assert!(differences(&held, &held).is_empty());
    let first: Manifest = serde_json::from_value(manifest()).unwrap();
    let added = differences(&first, &held);
    assert!(
        widening(&added)
            .contains(&"the client secret of app goes to https://weather.example/v1/token"),
        "{added:?}"
    );
}

#[test]
fn a_rule_that_may_reach_private_networks_is_covered_by_such_a_one_before_which_no_public_one_stands()
 {
    let private =
        json!({ "host": "in.example", "methods": ["GET"], "private_network": "operator_opt_in" });
    let narrow = json!({ "host": "in.example", "methods": ["GET"], "path_prefixes": ["/v1/"],
        "private_network": "operator_opt_in" });
    let public = |host: &str, method: &str| json!({ "host": host, "methods": [method] });
    let widens = |old: &[&Value], new: &[&Value]| {
        let with = |rules: &[&Value]| -> Manifest {
            let mut all = manifest();
            all["egress"] = json!(rules);
            serde_json::from_value(all).unwrap()
        };
        !widening(&differences(&with(old), &with(new))).is_empty()
    };
    assert!(!widens(&[&private], &[&narrow]));
    assert!(widens(&[&public("in.example", "GET")], &[&narrow]));
    // A public rule that comes first keeps out requests that the new one lets in.
    assert!(widens(
        &[&public("in.example", "GET"), &private],
        &[&narrow]
    ));
    // A rule for another method or host, or a private one, does not.
    assert!(!widens(
        &[&public("in.example", "POST"), &private],
        &[&narrow]
    ));
    assert!(!widens(
        &[&public("out.example", "GET"), &private],
        &[&narrow]
    ));
    assert!(!widens(&[&narrow, &private], &[&narrow]));
}

/// A rule allows each override header that it lists on its own; one that lists none allows none.
#[test]
fn a_header_by_which_a_request_is_taken_for_another_widens_unless_it_was_allowed() {
    let widens = |old: &[&str], new: &[&str]| {
        let with = |headers: &[&str]| -> Manifest {
            let mut all = manifest();
            all["egress"][0]["override_headers"] = json!(headers);
            serde_json::from_value(all).unwrap()
        };
        !widening(&differences(&with(old), &with(new))).is_empty()
    };
    let (method, url) = ("X-HTTP-Method-Override", "X-Original-URL");
    assert!(widens(&[], &[method]));
    assert!(widens(&[url], &[method]));
    assert!(widens(&[method], &[method, url]));
    assert!(!widens(&[method, url], &[url]));
    assert!(!widens(&[method, url], &["x-http-method-override"]));
    assert!(!widens(&[method], &[]));
}

/// Danger: the host sends such a request with the credentials, and nobody has agreed to it or to its cost.
#[test]
fn a_first_verification_widens_with_what_it_costs() {
    let with = |billable: Option<bool>| -> Manifest {
        let mut all = manifest();
        match billable {
            Some(billable) => all["verification"]["billable"] = json!(billable),
            None => all["verification"] = Value::Null,
        }
        serde_json::from_value(all).unwrap()
    };
    let sent = "credentials are verified with GET https://weather.example/v1/me";
    let charged = "the provider charges for a verification";
    let none = with(None);
    let found = differences(&none, &with(Some(false)));
    assert_eq!(widening(&found), [sent], "{found:?}");
    let found = differences(&none, &with(Some(true)));
    assert_eq!(widening(&found), [sent, charged], "{found:?}");
    let found = differences(&with(Some(true)), &with(Some(true)));
    assert!(found.is_empty(), "{found:?}");
}
