//! Credential schemes that a manifest must not have.
#![allow(clippy::unwrap_used)]

use serde_json::{Value, json};

use super::read::check_manifest;

const KINDS: [&str; 4] = ["api_key", "basic", "bearer", "oauth2_client_credentials"];

/// Why a manifest is refused whose only scheme injects these values into a header and the query.
fn refusal(kind: &str, values: [&str; 2]) -> Option<&'static str> {
    let fixture = include_str!("../../../../tests/fixtures/http-probe/manifest.json");
    let mut manifest: Value = serde_json::from_str(fixture).unwrap();
    manifest["component"] = json!({ "path": "component.wasm", "digest": format!("sha256:{}", "0".repeat(64)),
        "size_bytes": 8, "world": "gtm:plugin/connector@0.1.0", "host_imports": [] });
    manifest["provenance"] = json!({ "repository": null, "commit": null, "source_paths": ["x"] });
    manifest["egress"] = json!([{ "host": "api.fixture.example", "methods": ["GET", "POST"] }]);
    let mut scheme = json!({
        "id": "key", "type": kind, "hosts": ["api.fixture.example"],
        "inject": [
            { "in": "header", "name": "X-Key", "value": values[0] },
            { "in": "query", "name": "key", "value": values[1] },
        ],
    });
    if kind == "oauth2_client_credentials" {
        scheme["token_request"] =
            json!({ "url": "https://api.fixture.example/token", "client_auth": "basic" });
    }
    manifest["auth"]["schemes"] = json!([scheme]);
    let field = |key: &str| {
        json!({ "key": key, "label": "K", "description": "K", "environment_aliases": [],
            "required": true, "secret": true })
    };
    manifest["credential_fields"] = json!([field("client_id"), field("client_secret")]);
    manifest.as_object_mut().unwrap().remove("verification");
    let checked = check_manifest(&manifest);
    checked
        .err()
        .inspect(|error| assert!(error.code != "manifest_schema", "{error}"))
        .map(|error| error.code)
}

#[test]
fn a_scheme_that_puts_no_credential_into_a_request_is_refused() {
    for kind in KINDS {
        let none = refusal(kind, ["guess-one", "guess-two"]);
        assert_eq!(none, Some("scheme_without_credential"), "{kind}");
        // One injection suffices.
        for value in [
            "${credential.client_id}",
            "Basic ${basic(credential.client_id,credential.client_secret)}",
        ] {
            assert_eq!(refusal(kind, ["constant", value]), None, "{kind} {value}");
        }
    }
    assert_eq!(refusal(KINDS[3], ["Bearer ${token}", "constant"]), None);
}
