#![allow(clippy::unwrap_used)]

use super::*;
use serde_json::json;

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
            // One rule as two.
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
