//! Packages that must be refused, each made by corrupting a good one, and what the catalog says about them.

use std::fs;

use gtm_domain::Digest;
use gtm_runtime::{CatalogRecords, PackageRecord, PluginKind, RuntimeConfig, SignatureStatus};
use serde_json::{Value, json};

use crate::fixtures::{NOW, catalog_dir, config, misbehave, runtime, start};
use crate::workshop::{Workshop, copy};

#[tokio::test]
async fn a_package_that_was_signed_anew_loads() {
    let workshop = Workshop::connector();
    workshop.change(|manifest| manifest["name"] = json!("Renamed"));
    let runtime = workshop.start().await;
    let plugin = &runtime.catalog().plugins()[0];
    assert_eq!(
        plugin.signature,
        SignatureStatus::Trusted {
            key_id: "workshop".into()
        }
    );
    assert_eq!(plugin.manifest.name, "Renamed");
}

#[tokio::test]
async fn a_manifest_that_breaks_its_schema_is_refused() {
    let broken: [fn(&mut Value); 8] = [
        |m| m["unknown"] = json!(true),
        |m| m["limits"]["memory_bytes"] = json!("much"),
        |m| m["limits"]["memory_bytes"] = json!((256 << 20) + 1),
        |m| m["limits"]["output_bytes"] = json!((8 << 20) + 1),
        |m| m["operations"] = json!([]),
        |m| m["operations"][0]["side_effect"] = json!("write"),
        |m| m["egress"][0]["host"] = json!("*.example.com"),
        |m| m["availability"] = json!("available"),
    ];
    for change in broken {
        let workshop = Workshop::connector();
        workshop.change(change);
        assert_eq!(workshop.refusal().await, "manifest_schema");
    }
}

#[tokio::test]
async fn a_renderer_of_documents_may_ask_for_more_memory_and_output_than_others_but_not_for_all() {
    let workshop = Workshop::with("document_renderer", "echo-renderer");
    workshop.change(|manifest| {
        manifest["limits"]["memory_bytes"] = json!(768 << 20);
        manifest["limits"]["output_bytes"] = json!(32 << 20);
    });
    let runtime = workshop.start().await;
    let limits = &runtime.catalog().plugins()[0].manifest.limits;
    assert_eq!(limits.memory_bytes, 768 << 20);
    workshop.change(|manifest| manifest["limits"]["memory_bytes"] = json!((768 << 20) + 1));
    let runtime = workshop.start().await;
    assert_eq!(runtime.catalog().refused()[0].code, "manifest_schema");
}

#[tokio::test]
async fn a_manifest_that_breaks_a_rule_is_refused_with_the_rules_code() {
    type Change = fn(&mut Value);
    let broken: [(Change, &str); 10] = [
        (|m| m["capabilities"] = json!([]), "capability_not_listed"),
        (
            |m| m["capabilities"] = json!(["test.fault", "web.search"]),
            "capability_not_served",
        ),
        (|m| m["egress"] = json!([]), "connector_without_network"),
        (
            |m| {
                m["auth"]["schemes"] = json!([{ "id": "k", "type": "bearer", "hosts": ["evil.example"],
                "inject": [{ "in": "header", "name": "Authorization", "value": "Bearer ${credential.k}" }] }]);
            },
            "scheme_host_not_in_egress",
        ),
        (
            |m| {
                m["auth"]["schemes"] = json!([{ "id": "k", "type": "bearer", "hosts": ["api.fixture.example"],
                "inject": [{ "in": "header", "name": "Authorization", "value": "Bearer ${credential.k}" }] }]);
            },
            "template_credential_unknown",
        ),
        (
            |m| {
                m["verification"] = json!({ "request": { "method": "GET", "url": "https://evil.example/" },
                "valid": { "statuses": [200] }, "invalid": { "statuses": [401] } });
            },
            "verification_url_not_in_egress",
        ),
        (
            // The gate compares whole segments.
            |m| {
                m["egress"][0]["path_prefixes"] = json!(["/v1/user"]);
                m["verification"] = json!({ "request": { "method": "GET", "url": "https://api.fixture.example/v1/user-admin" },
                "valid": { "statuses": [200] }, "invalid": { "statuses": [401] } });
            },
            "verification_url_not_in_egress",
        ),
        (
            |m| m["egress"][0]["host"] = json!("${setting.base_url}"),
            "setting_unknown",
        ),
        (
            |m| {
                m["operations"][0]["input_schema"] = json!({ "$ref": "https://example.com/schema" })
            },
            "schema_unusable",
        ),
        (
            |m| m["requires"] = json!([{ "capability": "web.fetch" }]),
            "requires_not_allowed",
        ),
    ];
    for (change, code) in broken {
        let workshop = Workshop::connector();
        workshop.change(change);
        assert_eq!(workshop.refusal().await, code);
    }
}

#[tokio::test]
async fn a_manifest_that_puts_a_header_where_none_belongs_is_refused() {
    type Change = fn(&mut Value);
    fn inject(m: &mut Value, name: &str) {
        m["auth"]["schemes"] = json!([{ "id": "k", "type": "api_key", "hosts": ["api.fixture.example"],
            "inject": [{ "in": "header", "name": name, "value": "${credential.k}" }] }]);
        m["credential_fields"] = json!([{ "key": "k", "label": "K", "description": "K",
            "environment_aliases": [], "required": true, "secret": true }]);
    }
    let broken: [(Change, &str); 14] = [
        (
            |m| m["operations"][0]["idempotency_header"] = json!("host"),
            "idempotency_header_forbidden",
        ),
        (
            |m| m["operations"][0]["idempotency_header"] = json!("Content-Length"),
            "idempotency_header_forbidden",
        ),
        (
            |m| m["operations"][0]["idempotency_header"] = json!("transfer_encoding"),
            "manifest_schema",
        ),
        (
            |m| m["operations"][0]["idempotency_header"] = json!("Authorization"),
            "idempotency_header_forbidden",
        ),
        (
            |m| m["operations"][0]["idempotency_header"] = json!("X-HTTP-Method-Override"),
            "idempotency_header_forbidden",
        ),
        (
            |m| {
                inject(m, "X-Key");
                m["operations"][0]["idempotency_header"] = json!("x-key");
            },
            "idempotency_header_forbidden",
        ),
        (|m| inject(m, "Expect"), "injected_header_forbidden"),
        (|m| inject(m, "HTTP2-Settings"), "injected_header_forbidden"),
        (
            |m| inject(m, "Proxy-Authorization"),
            "injected_header_forbidden",
        ),
        (
            |m| inject(m, "transfer_encoding"),
            "injected_header_forbidden",
        ),
        (|m| inject(m, "X-Original-URL"), "injected_header_forbidden"),
        (
            |m| m["egress"][0]["override_headers"] = json!(["X-Api-Key"]),
            "override_header_unknown",
        ),
        (
            |m| {
                inject(m, "X-Key");
                m["egress"][0]["scheme"] = json!("http");
            },
            "scheme_host_needs_https",
        ),
        (|m| m["grants"] = json!(["free_urls"]), "grant_not_allowed"),
    ];
    for (change, code) in broken {
        let workshop = Workshop::connector();
        workshop.change(change);
        assert_eq!(workshop.refusal().await, code);
    }
    let listed: [Change; 2] = [
        |m| {
            inject(m, "X-Original-URL");
            m["egress"][0]["override_headers"] = json!(["x-original-url"]);
        },
        |m| m["operations"][0]["idempotency_header"] = json!("Idempotency-Key"),
    ];
    for change in listed {
        let workshop = Workshop::connector();
        workshop.change(change);
        assert_eq!(workshop.start().await.catalog().plugins().len(), 1);
    }
}

#[tokio::test]
async fn a_component_that_is_not_the_signed_one_is_refused() {
    let workshop = Workshop::connector();
    let path = workshop.package.join("component.wasm");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, &bytes).unwrap();
    assert_eq!(workshop.refusal().await, "component_digest");
    bytes.push(0);
    fs::write(&path, &bytes).unwrap();
    assert_eq!(workshop.refusal().await, "component_size");
    fs::remove_file(&path).unwrap();
    assert_eq!(workshop.refusal().await, "component_missing");
}

#[tokio::test]
async fn a_signature_that_does_not_fit_or_is_missing_is_refused() {
    let workshop = Workshop::connector();
    let mut manifest = workshop.manifest();
    manifest["name"] = json!("Changed after signing");
    fs::write(workshop.package.join("manifest.json"), manifest.to_string()).unwrap();
    assert_eq!(workshop.refusal().await, "signature_invalid");
    fs::remove_file(workshop.package.join("manifest.sig")).unwrap();
    assert_eq!(workshop.refusal().await, "signature_missing");

    let mut config = workshop.config();
    config.allow_unsigned = true;
    let runtime = start(config).await;
    assert_eq!(
        runtime.catalog().plugins()[0].signature,
        SignatureStatus::Unsigned
    );

    workshop.sign(&manifest);
    let mut config = workshop.config();
    config.trusted_publishers.iter_mut().for_each(|publisher| {
        publisher.not_after = Some(NOW.minus(std::time::Duration::from_secs(1)))
    });
    assert_eq!(
        start(config).await.catalog().refused()[0].code,
        "signature_not_valid_now"
    );
    let mut config = workshop.config();
    config.trusted_publishers.clear();
    assert_eq!(
        start(config).await.catalog().refused()[0].code,
        "signature_unknown_key"
    );
}

#[tokio::test]
async fn a_component_of_another_world_is_refused() {
    // The manifest names another world.
    let workshop = Workshop::connector();
    workshop
        .change(|manifest| manifest["component"]["world"] = json!("gtm:plugin/evaluator@0.1.0"));
    assert_eq!(workshop.refusal().await, "wrong_world");

    // A connector's manifest with a backend's component; its imports are declared.
    let workshop = Workshop::connector();
    let foreign = copy("generation_backend", "echo-backend", workshop.root.path());
    let manifest: Value =
        serde_json::from_slice(&fs::read(foreign.join("manifest.json")).unwrap()).unwrap();
    let bytes = fs::read(foreign.join("component.wasm")).unwrap();
    fs::remove_dir_all(workshop.root.path().join("generation_backend")).unwrap();
    workshop.replace_component(&bytes);
    workshop.change(|own| {
        own["component"]["host_imports"] = manifest["component"]["host_imports"].clone()
    });
    assert_eq!(workshop.refusal().await, "import_not_in_world");

    // Only imports that every world has, but the wrong export.
    let workshop = Workshop::connector();
    let foreign = copy("evaluator", "echo-evaluator", workshop.root.path());
    let manifest: Value =
        serde_json::from_slice(&fs::read(foreign.join("manifest.json")).unwrap()).unwrap();
    let bytes = fs::read(foreign.join("component.wasm")).unwrap();
    fs::remove_dir_all(workshop.root.path().join("evaluator")).unwrap();
    workshop.replace_component(&bytes);
    workshop.change(|own| {
        own["component"]["host_imports"] = manifest["component"]["host_imports"].clone()
    });
    assert_eq!(workshop.refusal().await, "world_not_implemented");
}

#[tokio::test]
async fn imports_that_are_not_those_of_the_manifest_are_refused() {
    let workshop = Workshop::connector();
    workshop.change(|manifest| {
        let imports = manifest["component"]["host_imports"]
            .as_array_mut()
            .unwrap();
        imports.retain(|name| name != "gtm:plugin/http@0.1.0");
    });
    assert_eq!(workshop.refusal().await, "imports_differ");
    let workshop = Workshop::connector();
    workshop.change(|manifest| {
        manifest["component"]["host_imports"]
            .as_array_mut()
            .unwrap()
            .push(json!("gtm:plugin/zzz@0.1.0"))
    });
    assert_eq!(workshop.refusal().await, "imports_differ");
}

#[tokio::test]
async fn bytes_that_are_no_component_are_refused() {
    for bytes in [&b"\0asm\x01\0\0\0"[..], b"#!/bin/sh\nexit 0\n", &[0; 64]] {
        let workshop = Workshop::connector();
        workshop.replace_component(bytes);
        assert_eq!(workshop.refusal().await, "not_a_component");
    }
    // A component, but a corrupted one.
    let workshop = Workshop::connector();
    let mut bytes = fs::read(workshop.package.join("component.wasm")).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle..middle + 64].fill(0xff);
    workshop.replace_component(&bytes);
    assert!(["compile_failed", "not_a_component"].contains(&workshop.refusal().await));
}

#[tokio::test]
async fn a_pipe_in_a_package_is_refused_and_holds_nothing_up() {
    for name in ["manifest.json", "manifest.sig", "component.wasm"] {
        let workshop = Workshop::connector();
        let path = workshop.package.join(name);
        fs::remove_file(&path).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&path).status();
        assert!(made.unwrap().success());
        let code = workshop.refusal().await;
        let fitting = ["package_unreadable", "component_missing"];
        assert!(fitting.contains(&code), "{name}: {code}");
    }
}

#[tokio::test]
async fn a_manifest_cannot_point_out_of_its_package() {
    let workshop = Workshop::connector();
    let bytes = fs::read(workshop.package.join("component.wasm")).unwrap();
    fs::write(workshop.root.path().join("outside.wasm"), bytes).unwrap();
    workshop.change(|manifest| manifest["component"]["path"] = json!("../../../outside.wasm"));
    assert_eq!(workshop.refusal().await, "component_missing");

    let workshop = Workshop::connector();
    let bytes = fs::read(workshop.package.join("component.wasm")).unwrap();
    let outside = workshop.root.path().join("outside.wasm");
    fs::write(&outside, bytes).unwrap();
    fs::remove_file(workshop.package.join("component.wasm")).unwrap();
    std::os::unix::fs::symlink(&outside, workshop.package.join("component.wasm")).unwrap();
    assert_eq!(workshop.refusal().await, "component_missing");
}

#[tokio::test]
async fn a_version_means_one_component_for_ever() {
    let workshop = Workshop::connector();
    workshop.change(|_| {});
    let known = workshop
        .start()
        .await
        .catalog()
        .sightings()
        .remove(0)
        .package;
    let with = |record: PackageRecord| RuntimeConfig {
        records: CatalogRecords {
            packages: vec![record],
            ..CatalogRecords::default()
        },
        ..workshop.config()
    };
    assert_eq!(
        start(with(known.clone())).await.catalog().plugins().len(),
        1
    );
    let other_component = PackageRecord {
        component: Some(Digest::of(b"another")),
        ..known.clone()
    };
    let other_manifest = PackageRecord {
        manifest_digest: Digest::of(b"another"),
        ..known.clone()
    };
    for (record, code) in [
        (other_component, "known_digest_differs"),
        (other_manifest, "known_manifest_differs"),
    ] {
        let runtime = start(with(record.clone())).await;
        assert_eq!(runtime.catalog().refused()[0].code, code);
        let development = RuntimeConfig {
            allow_changed_packages: true,
            ..with(record)
        };
        assert_eq!(start(development).await.catalog().plugins().len(), 1);
    }
}

#[tokio::test]
async fn a_package_stands_where_its_manifest_says_and_only_once() {
    let workshop = Workshop::connector();
    workshop.change(|manifest| manifest["manifest_version"] = json!("0.2.0"));
    assert_eq!(workshop.refusal().await, "location_mismatch");

    let first = Workshop::connector();
    let config = config(vec![
        first.root.path().into(),
        catalog_dir(),
        first.root.path().join("absent"),
    ]);
    let runtime = start(config).await;
    let refused = runtime.catalog().refused();
    assert_eq!(refused.len(), 1);
    assert_eq!(refused[0].code, "duplicate");
}

#[tokio::test]
async fn one_bad_package_leaves_the_rest_alone() {
    let workshop = Workshop::connector();
    copy("evaluator", "echo-evaluator", workshop.root.path());
    fs::write(workshop.package.join("manifest.json"), "{").unwrap();
    fs::create_dir_all(workshop.root.path().join("sorcerer/x/1.0.0")).unwrap();
    fs::create_dir_all(workshop.root.path().join("connector/empty/1.0.0")).unwrap();
    let runtime = workshop.start().await;
    let codes: Vec<_> = runtime
        .catalog()
        .refused()
        .iter()
        .map(|package| package.code)
        .collect();
    assert_eq!(
        codes,
        ["manifest_missing", "manifest_not_json", "not_a_package"]
    );
    assert!(
        runtime
            .catalog()
            .find(PluginKind::Evaluator, "echo-evaluator", None)
            .is_some()
    );
}

#[tokio::test]
async fn the_highest_release_is_found_and_a_pinned_one_stays() {
    let workshop = Workshop::connector();
    let base = workshop.package.parent().unwrap().to_owned();
    let original = fs::read(workshop.package.join("component.wasm")).unwrap();
    for version in ["0.9.0", "0.10.0", "1.0.0-beta.1"] {
        let package = base.join(version);
        fs::create_dir_all(&package).unwrap();
        fs::write(package.join("component.wasm"), &original).unwrap();
        let mut manifest = workshop.manifest();
        manifest["manifest_version"] = json!(version);
        fs::write(package.join("manifest.json"), manifest.to_string()).unwrap();
    }
    let mut config = workshop.config();
    config.allow_unsigned = true;
    let runtime = start(config).await;
    let catalog = runtime.catalog();
    let find = |version| {
        catalog
            .find(PluginKind::Connector, "misbehaving-connector", version)
            .map(|p| p.version.to_string())
    };
    assert_eq!(find(None).as_deref(), Some("0.10.0"));
    assert_eq!(find(Some("0.9.0")).as_deref(), Some("0.9.0"));
    assert_eq!(find(Some("1.0.0-beta.1")).as_deref(), Some("1.0.0-beta.1"));
    assert_eq!(find(Some("7.0.0")), None);
}

#[tokio::test]
async fn two_hosts_with_one_catalog_agree_on_its_version() {
    let (one, two) = (runtime().await, runtime().await);
    assert_eq!(
        one.catalog().catalog_version(),
        two.catalog().catalog_version()
    );
    assert!(one.catalog().catalog_version().starts_with("sha256:"));
    let plugin = &one.catalog().plugins()[0];
    assert_eq!(
        plugin.manifest_digest,
        two.catalog().plugins()[0].manifest_digest
    );
    let workshop = Workshop::connector();
    assert_ne!(
        workshop.start().await.catalog().catalog_version(),
        one.catalog().catalog_version()
    );
    assert!(misbehave(&one, "none", 0).await.result.is_ok());
}
