//! What the operator is asked about, compared with what the gate allows: a request that a new version may
//! send and the approved one may not is always reported as a widening.

use std::collections::BTreeSet;

use http::{HeaderMap, HeaderName, HeaderValue};
use proptest::prelude::*;

use super::*;
use crate::egress::permit::{PrivateHosts, permit};
use crate::manifest::Manifest;
use crate::manifest::difference::widens;

const OVERRIDE: &str = "x-http-method-override";

fn manifest(egress: &[Value]) -> Manifest {
    let limits = json!({ "memory_bytes": 65536, "wall_ms": 1, "cpu_ms": 1, "egress_requests": 1,
        "egress_bytes_out": 1, "egress_bytes_in": 1 });
    let manifest = json!({
        "schema_version": "1", "kind": "connector", "key": "test", "publisher": "com.example",
        "manifest_version": "1.0.0", "name": "Test", "category": "other",
        "declared_integration_kinds": ["rest"], "capabilities": [], "stage": "ga", "license": "MIT",
        "egress": egress, "auth": { "schemes": [] }, "credential_fields": [], "limits": limits,
        "settings_schema": { "type": "object", "properties": { "url": { "type": "string" } } },
        "provenance": { "repository": null, "commit": null, "source_paths": ["x"] }
    });
    serde_json::from_value(manifest).unwrap()
}

/// Every request that the rules allow, including whether it may go to a private address.
fn let_through(
    egress: &[Value],
    setting: &str,
    paths: &BTreeSet<String>,
) -> BTreeSet<(String, bool)> {
    let policy = policy(&["a.example", "b.example", "setting.example"]);
    let private = PrivateHosts::of(&policy).unwrap();
    let grant = grant(json!({ "egress": egress, "settings": { "url": setting } }));
    let mut overriding = HeaderMap::new();
    overriding.insert(
        HeaderName::from_static(OVERRIDE),
        HeaderValue::from_static("DELETE"),
    );
    let mut found = BTreeSet::new();
    for origin in [
        "http://a.example",
        "https://a.example",
        "https://a.example:8443",
        "https://b.example",
        "http://setting.example",
        "https://setting.example",
        "https://setting.example:8443",
    ] {
        for path in paths {
            let target = Target::parse(&format!("{origin}{path}")).unwrap();
            for method in ["GET", "HEAD", "POST"] {
                for headers in [&HeaderMap::new(), &overriding] {
                    let permit = permit(&policy, &private, &grant, &target, method, headers);
                    let Ok(permit) = permit else { continue };
                    let request = format!("{method} {origin}{path} {}", headers.len());
                    found.insert((request.clone(), false));
                    if permit.private {
                        found.insert((request, true));
                    }
                }
            }
        }
    }
    found
}

fn prefix() -> impl Strategy<Value = String> {
    let segment = prop::sample::select(vec!["v1", "user", "user-admin", "users", ""]);
    prop::collection::vec(segment, 0..4).prop_map(|segments| format!("/{}", segments.join("/")))
}

fn rule() -> impl Strategy<Value = Value> {
    let methods = prop::sample::select(vec![json!(["GET"]), json!(["GET", "POST"]), json!(null)]);
    let literal = (
        prop::sample::select(vec!["a.example", "b.example"]),
        prop::sample::select(vec!["https", "https", "http"]),
        prop::option::weighted(0.3, prop::sample::select(vec![443_u16, 8443])),
        prop::collection::vec(prefix(), 0..3),
    );
    let parts = prop_oneof![
        literal.prop_map(|(host, scheme, port, prefixes)| {
            json!({ "host": host, "scheme": scheme, "port": port, "path_prefixes": prefixes })
        }),
        // Scheme, port and path come from the setting.
        Just(json!({ "host": "${setting.url}" })),
    ];
    (parts, methods, any::<bool>(), any::<bool>()).prop_map(
        |(mut rule, methods, overriding, private)| {
            if !methods.is_null() {
                rule["methods"] = methods;
            }
            if overriding {
                rule["override_headers"] = json!([OVERRIDE]);
            }
            if private {
                rule["private_network"] = json!("operator_opt_in");
            }
            rule
        },
    )
}

/// Two versions with much in common, so that the effect of one change shows.
fn versions() -> impl Strategy<Value = (Vec<Value>, Vec<Value>)> {
    let change = prop::sample::select(vec![
        "path_prefixes",
        "methods",
        "override_headers",
        "private_network",
        "port",
        "scheme",
        "rule",
        "order",
        "added",
        "removed",
    ]);
    let old = prop::collection::vec(rule(), 1..4);
    (old, change, any::<prop::sample::Index>(), rule()).prop_map(|(old, change, place, other)| {
        let mut new = old.clone();
        let place = place.index(new.len());
        match change {
            "rule" => new[place] = other,
            "order" => new.swap(0, place),
            "added" => new.insert(place, other),
            "removed" => drop(new.remove(place)),
            // A rule whose host is a setting has neither.
            "path_prefixes" | "port" | "scheme" if other[change].is_null() => {}
            "path_prefixes" | "port" | "scheme" if new[place]["scheme"].is_null() => {}
            member => match other.get(member) {
                Some(value) => new[place][member] = value.clone(),
                None => drop(new[place].as_object_mut().unwrap().remove(member)),
            },
        }
        (old, new)
    })
}

/// Paths that distinguish rules: at each prefix, below it, and beside it.
fn paths(prefixes: impl IntoIterator<Item = String>) -> BTreeSet<String> {
    let mut paths: BTreeSet<String> = ["/", "/v1", "/base", "/base/x", "/other"]
        .map(str::to_owned)
        .into();
    for prefix in prefixes {
        let named = prefix.trim_matches('/');
        paths.extend([
            format!("/{named}"),
            format!("/{named}/x"),
            format!("/{named}-x"),
        ]);
        paths.insert(prefix);
    }
    paths
}

fn prefixes_of(rules: &[Value]) -> Vec<String> {
    let listed = rules
        .iter()
        .filter_map(|rule| rule["path_prefixes"].as_array());
    let listed = listed.flatten().filter_map(Value::as_str);
    listed.map(str::to_owned).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(512))]

    #[test]
    fn a_request_that_was_not_let_through_before_is_a_widening(
        (old, new) in versions(),
        setting in prop::sample::select(vec![
            "https://setting.example/base", "http://setting.example", "https://setting.example:8443/",
            "setting.example",
        ]),
    ) {
        let paths = paths([prefixes_of(&old), prefixes_of(&new)].concat());
        let before = let_through(&old, setting, &paths);
        let now = let_through(&new, setting, &paths);
        let added: Vec<_> = now.difference(&before).collect();
        if !added.is_empty() {
            prop_assert!(widens(&manifest(&old), &manifest(&new)), "{added:?}");
        }
    }

    /// Here the reverse holds too: with paths alone, something widens only if it allows more.
    #[test]
    fn prefixes_widen_if_they_let_more_paths_through_and_only_then(
        old in prop::collection::vec(prefix(), 1..4),
        new in prop::collection::vec(prefix(), 1..4),
    ) {
        let paths = paths([old.clone(), new.clone()].concat());
        let rules = |prefixes| [json!({ "host": "a.example", "methods": ["GET"], "path_prefixes": prefixes })];
        let (old, new) = (rules(old), rules(new));
        let before = let_through(&old, "setting.example", &paths);
        let added = let_through(&new, "setting.example", &paths).difference(&before).count();
        prop_assert_eq!(widens(&manifest(&old), &manifest(&new)), added > 0);
    }
}

#[test]
fn a_prefix_stands_for_whole_segments() {
    let at = |prefix: &str| manifest(&[json!({ "host": "a.example", "path_prefixes": [prefix] })]);
    for wider in ["/v1/user-admin", "/v1/users", "/v1"] {
        assert!(widens(&at("/v1/user"), &at(wider)), "{wider}");
    }
    for within in ["/v1/user", "/v1/user/", "/v1/user/7"] {
        assert!(!widens(&at("/v1/user"), &at(within)), "{within}");
    }
}

#[test]
fn a_rule_that_kept_a_setting_out_of_private_networks_is_not_dropped_unseen() {
    let open = json!({ "host": "${setting.url}", "private_network": "operator_opt_in" });
    let shut = json!({ "host": "${setting.url}" });
    let rules =
        |rules: &[&Value]| manifest(&rules.iter().map(|r| (*r).clone()).collect::<Vec<_>>());
    let held = rules(&[&shut, &open]);
    assert!(widens(&held, &rules(&[&open])));
    assert!(widens(&held, &rules(&[&open, &shut])));
    assert!(!widens(&held, &rules(&[&shut, &open])));
    assert!(!widens(&rules(&[&open, &shut]), &rules(&[&open])));
}
