#![allow(clippy::unwrap_used, clippy::panic)]

use super::*;
use serde_json::json;

mod access;
mod operations;

fn manifest() -> Value {
    json!({
        "schema_version": "1", "kind": "connector", "key": "weather", "publisher": "com.example",
        "manifest_version": "1.0.0", "name": "Weather", "category": "other",
        "declared_integration_kinds": ["rest"], "capabilities": ["weather.today"], "stage": "ga",
        "license": "MIT",
        "component": { "path": "component.wasm", "digest": format!("sha256:{}", "0".repeat(64)),
            "size_bytes": 1, "world": "gtm:plugin/connector@0.1.0", "host_imports": [] },
        "egress": [
            { "host": "weather.example", "methods": ["GET", "POST"], "path_prefixes": ["/v1/"] },
            { "host": "${setting.base_url}" }
        ],
        "auth": { "schemes": [{ "id": "key", "type": "api_key", "hosts": ["weather.example"],
            "inject": [{ "in": "header", "name": "x-api-key", "value": "${credential.api_key}" }] }] },
        "credential_fields": [{ "key": "api_key", "label": "Key", "description": "Key",
            "environment_aliases": ["WEATHER_API_KEY"], "required": true, "secret": true }],
        "settings_schema": { "type": "object", "properties": {
            "base_url": { "type": "string", "format": "uri" }, "units": { "type": "string" } } },
        "verification": { "request": { "method": "GET", "url": "https://weather.example/v1/me" },
            "valid": { "statuses": [200] }, "invalid": { "statuses": [401] } },
        "limits": { "memory_bytes": 1000, "wall_ms": 1000, "cpu_ms": 100, "egress_requests": 3,
            "egress_bytes_out": 100, "egress_bytes_in": 100 },
        "operations": [{ "id": "today", "capability": "weather.today",
            "input_schema": { "type": "object", "required": ["city"] },
            "output_schema": { "type": "object", "required": ["celsius"] },
            "side_effect": "read", "replay_safe": false }],
        "provenance": { "repository": null, "commit": null, "source_paths": ["x"] }
    })
}

fn differences_of(change: impl FnOnce(&mut Value)) -> Vec<Difference> {
    let old: Manifest = serde_json::from_value(manifest()).unwrap();
    let mut new = manifest();
    change(&mut new);
    let new: Manifest = serde_json::from_value(new).unwrap();
    differences(&old, &new)
}

type Change = fn(&mut Value);

#[test]
fn what_a_version_may_do_more_widens() {
    let changes: [(Change, &str); 27] = [
        (|m| m["publisher"] = json!("com.other"), "publisher"),
        (|m| m["egress"][0]["host"] = json!("evil.example"), "egress"),
        (|m| m["egress"][0]["scheme"] = json!("http"), "egress"),
        (|m| m["egress"][0]["port"] = json!(8443), "egress"),
        (
            |m| m["egress"][0]["methods"] = json!(["GET", "DELETE"]),
            "egress",
        ),
        (|m| m["egress"][0]["path_prefixes"] = json!([]), "egress"),
        (
            |m| m["egress"][0]["path_prefixes"] = json!(["/v1/", "/v"]),
            "egress",
        ),
        (
            |m| m["egress"][0]["path_prefixes"] = json!(["/v1-admin"]),
            "egress",
        ),
        (
            |m| m["egress"][1]["private_network"] = json!("operator_opt_in"),
            "egress",
        ),
        (
            |m| {
                m["settings_schema"]["properties"]["base_url"]["default"] =
                    json!("https://evil.example")
            },
            "settings_schema",
        ),
        (
            |m| {
                m["auth"]["schemes"][0]["hosts"] = json!(["weather.example", "${setting.base_url}"])
            },
            "auth",
        ),
        (
            |m| m["auth"]["schemes"][0]["inject"][0]["name"] = json!("x-key"),
            "auth",
        ),
        (|m| m["auth"]["schemes"][0]["id"] = json!("other"), "auth"),
        (
            |m| m["credential_fields"][0]["key"] = json!("other"),
            "credential_fields",
        ),
        (
            |m| m["credential_fields"][0]["secret"] = json!(false),
            "credential_fields",
        ),
        (
            |m| m["credential_fields"][0]["environment_aliases"] = json!(["WEATHER_OTHER"]),
            "credential_fields",
        ),
        (
            |m| m["verification"]["request"]["url"] = json!("https://weather.example/v1/other"),
            "verification",
        ),
        (
            |m| m["verification"]["billable"] = json!(true),
            "verification",
        ),
        (|m| m["grants"] = json!(["open_web"]), "grants"),
        (|m| m["limits"]["memory_bytes"] = json!(1001), "limits"),
        (|m| m["limits"]["egress_requests"] = json!(4), "limits"),
        (|m| m["limits"]["output_bytes"] = json!(2_000_000), "limits"),
        (|m| m["limits"]["capability_calls"] = json!(501), "limits"),
        (
            |m| m["operations"][0]["side_effect"] = json!("billable_read"),
            "operations",
        ),
        (
            |m| m["operations"][0]["replay_safe"] = json!(true),
            "operations",
        ),
        (
            |m| m["operations"][0]["personal_data"] = json!(true),
            "operations",
        ),
        (
            |m| m["requires"] = json!([{ "capability": "web.fetch" }]),
            "requires",
        ),
    ];
    for (index, (change, member)) in changes.into_iter().enumerate() {
        let found = differences_of(change);
        assert!(
            found
                .iter()
                .any(|d| d.effect == Effect::Widens && d.member == member),
            "{index} {member}: {found:?}"
        );
    }
}

#[test]
fn what_a_version_may_do_less_does_not_widen() {
    let changes: [Change; 12] = [
        |_| {},
        |m| m["egress"][0]["path_prefixes"] = json!(["/v1"]),
        |m| m["egress"][0]["path_prefixes"] = json!(["/v1/today", "/v1/user"]),
        |m| m["name"] = json!("Weather!"),
        |m| m["egress"] = json!([{ "host": "weather.example", "path_prefixes": ["/v1/today/", "/v1/"], "methods": ["GET"] }]),
        |m| {
            // One rule split in two.
            m["egress"] = json!([
                { "host": "weather.example", "port": 443, "methods": ["GET"], "path_prefixes": ["/v1/a"] },
                { "host": "weather.example", "methods": ["POST"], "path_prefixes": ["/v1/"] },
                { "host": "${setting.base_url}", "methods": ["GET"] }
            ]);
        },
        |m| m["auth"]["schemes"] = json!([{ "type": "none" }]),
        |m| m["credential_fields"] = json!([]),
        |m| m["verification"] = Value::Null,
        |m| m["limits"]["cpu_ms"] = json!(1),
        |m| m["settings_schema"]["properties"]["units"]["enum"] = json!(["c", "f"]),
        |m| m["component"]["digest"] = json!(format!("sha256:{}", "1".repeat(64))),
    ];
    for (index, change) in changes.into_iter().enumerate() {
        let found = differences_of(change);
        assert!(
            found.iter().all(|d| d.effect != Effect::Widens),
            "{index}: {found:?}"
        );
    }
    assert!(differences_of(|_| {}).is_empty());
}

#[test]
fn what_users_must_react_to_breaks() {
    let changes: [(Change, &str); 9] = [
        (
            |m| m["settings_schema"]["required"] = json!(["units"]),
            "settings_schema",
        ),
        (
            |m| {
                m["settings_schema"]["properties"] =
                    json!({ "base_url": { "type": "string", "format": "uri" } })
            },
            "settings_schema",
        ),
        (
            |m| {
                let mut second = m["credential_fields"][0].clone();
                second["key"] = json!("second");
                m["credential_fields"].as_array_mut().unwrap().push(second);
            },
            "credential_fields",
        ),
        (
            |m| m["operations"][0]["id"] = json!("tomorrow"),
            "operations",
        ),
        (
            |m| {
                m["capabilities"] = json!(["weather.now"]);
                m["operations"][0]["capability"] = json!("weather.now");
            },
            "operations",
        ),
        (
            |m| m["operations"][0]["input_schema"]["required"] = json!(["city", "day"]),
            "operations",
        ),
        (
            |m| m["operations"][0]["output_schema"] = json!({ "type": "object" }),
            "operations",
        ),
        (
            |m| m["requires"] = json!([{ "capability": "web.fetch" }]),
            "requires",
        ),
        (
            |m| {
                m["breaking_changes"] = json!([{ "version": "1.0.0", "message": "Days are UTC.",
                    "upgrade_by": "2027-01-01" }]);
            },
            "breaking_changes",
        ),
    ];
    for (index, (change, member)) in changes.into_iter().enumerate() {
        let found = differences_of(change);
        assert!(
            found
                .iter()
                .any(|d| d.effect == Effect::Breaks && d.member == member),
            "{index} {member}: {found:?}"
        );
    }
}

fn widening(found: &[Difference]) -> Vec<&str> {
    let found = found.iter().filter(|d| d.effect == Effect::Widens);
    found.map(|d| d.text.as_str()).collect()
}

/// Changes one member after another; the listed differences are all that is found.
#[test]
fn each_change_is_named_and_nothing_else() {
    use Effect::{Breaks, Changes, Widens};
    let cases: [(Change, &[(Effect, &str)]); 21] = [
        // A usage source may name an operation that does not exist yet: it may come with the next version.
        (
            |m| {
                m["usage"] = json!([{ "meter": "credits", "from": "header:x-credits",
                    "operations": ["tomorrow"] }]);
            },
            &[(Widens, "usage is read from a different source")],
        ),
        (
            |m| m["credential_fields"][0]["required"] = json!(false),
            &[],
        ),
        (
            |m| {
                m["credential_fields"][0]["required_unless"] =
                    json!({ "setting": "units", "equals": "c" })
            },
            &[(Breaks, "the credential api_key must be given in more cases")],
        ),
        (
            |m| {
                m["credential_fields"][0]["required"] = json!(false);
                m["credential_fields"][0]["required_unless"] =
                    json!({ "setting": "units", "equals": "c" });
            },
            &[(Breaks, "the credential api_key must be given in more cases")],
        ),
        (
            |m| m["credential_fields"][0]["pattern"] = json!("^k-"),
            &[(Changes, "the credential api_key accepts other values")],
        ),
        (
            |m| {
                let mut second = m["credential_fields"][0].clone();
                second["key"] = json!("second");
                second["required"] = json!(false);
                m["credential_fields"].as_array_mut().unwrap().push(second);
            },
            &[(Widens, "asks for the credential second")],
        ),
        (
            |m| {
                let mut second = m["auth"]["schemes"][0].clone();
                second["id"] = json!("second");
                m["auth"]["schemes"].as_array_mut().unwrap().push(second);
            },
            &[(Widens, "a new scheme second for weather.example")],
        ),
        (
            |m| m["auth"]["schemes"] = json!([]),
            &[(Changes, "the scheme key is gone")],
        ),
        (
            |m| m["verification"] = Value::Null,
            &[(Changes, "credentials can no longer be verified")],
        ),
        (
            |m| m["verification"]["billable"] = json!(true),
            &[(Widens, "the provider charges for a verification")],
        ),
        (
            |m| m["verification"]["request"]["method"] = json!("POST"),
            &[(
                Widens,
                "credentials are verified with POST https://weather.example/v1/me",
            )],
        ),
        (
            |m| m["operations"][0]["personal_data"] = json!(true),
            &[(Widens, "today answers with personal data")],
        ),
        (
            |m| m["synthetic"] = json!(true),
            &[(Breaks, "what it answers is made up")],
        ),
        (
            |m| m["requires"] = json!([{ "capability": "web.fetch", "optional": true }]),
            &[(Widens, "invokes web.fetch")],
        ),
        (
            |m| m["requires"] = json!([{ "capability": "web.fetch" }]),
            &[
                (Widens, "invokes web.fetch"),
                (Breaks, "does not work unless something serves web.fetch"),
            ],
        ),
        (
            |m| m["stage"] = json!("beta"),
            &[(Changes, "the stage is beta")],
        ),
        (
            |m| m["sunset_at"] = json!("2027-01-01"),
            &[(Changes, "the stage is ga until 2027-01-01")],
        ),
        (
            |m| m["usage"] = json!([{ "meter": "credits", "from": "header:x-credits" }]),
            &[(Widens, "usage is read from a different source")],
        ),
        (
            |m| {
                m["usage"] = json!([{ "meter": "credits", "from": "header:x-credits",
                    "operations": ["today"] }]);
            },
            &[(Widens, "usage is read from a different source")],
        ),
        (
            |m| m["limits"]["memory_bytes"] = json!(999),
            &[(Changes, "memory_bytes is 999, not 1000")],
        ),
        (
            |m| m["component"]["world"] = json!("gtm:plugin/connector@0.2.0"),
            &[(Changes, "targets gtm:plugin/connector@0.2.0")],
        ),
    ];
    for (index, (change, wanted)) in cases.into_iter().enumerate() {
        let found = differences_of(change);
        let found: Vec<_> = found.iter().map(|d| (d.effect, d.text.as_str())).collect();
        assert_eq!(found, wanted, "{index}");
    }
}

#[test]
fn what_is_required_of_all_or_of_some_is_told_apart() {
    let with = |requires: Value| {
        let mut all = manifest();
        all["requires"] = requires;
        serde_json::from_value::<Manifest>(all).unwrap()
    };
    let optional = with(json!([{ "capability": "web.fetch", "optional": true }]));
    let needed = with(json!([{ "capability": "web.fetch" }]));
    let texts = |old: &Manifest, new: &Manifest| -> Vec<(Effect, String)> {
        let found = differences(old, new).into_iter();
        found.map(|d| (d.effect, d.text)).collect()
    };
    assert_eq!(
        texts(&optional, &needed),
        [(
            Effect::Breaks,
            "no longer works without web.fetch".to_owned()
        )]
    );
    assert_eq!(texts(&needed, &optional), []);
}

#[test]
fn a_grant_that_is_asked_for_no_longer_is_named_and_one_that_stays_is_not() {
    let mut all = manifest();
    let without: Manifest = serde_json::from_value(all.clone()).unwrap();
    all["grants"] = json!(["open_web"]);
    let with: Manifest = serde_json::from_value(all).unwrap();
    let found = differences(&with, &without);
    let [gone] = found.as_slice() else {
        panic!("{found:?}")
    };
    assert_eq!(gone.effect, Effect::Changes);
    assert_eq!(gone.text, "no longer asks for the grant open_web");
    assert_eq!(differences(&with, &with), []);
}
