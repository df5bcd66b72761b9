//! Tests of verification against a local provider: what is checked, and how.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::net::SocketAddr;

use gtm_domain::connection::ConnectionStatus;
use gtm_domain::{Clock, ConnectionId, OrganizationId, ProjectId, Timestamp};
use gtm_runtime::egress::{EgressPolicy, PrivateHost};
use secrecy::SecretString;
use serde_json::json;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpListener;
use uuid::Uuid;

use super::*;

const NOW: Timestamp = Timestamp::from_millis(1_800_000_000_000);

struct StillClock;

impl Clock for StillClock {
    fn now(&self) -> Timestamp {
        NOW
    }
}

/// A connector with one required credential and the setting `url`.
fn manifest() -> Manifest {
    let digest = format!("sha256:{}", "0".repeat(64));
    serde_json::from_value(json!({
        "schema_version": "1", "kind": "connector", "key": "sample", "publisher": "com.example", "manifest_version": "1.0.0", "name": "Sample",
        "category": "other", "declared_integration_kinds": ["rest"], "capabilities": ["web.fetch"], "stage": "preview",
        "license": "Apache-2.0", "egress": [], "auth": { "schemes": [] }, "operations": [],
        "component": { "path": "component.wasm", "digest": digest, "size_bytes": 1, "world": "w", "host_imports": [] },
        "credential_fields": [{
            "key": "api_key", "label": "Key", "description": "Key", "environment_aliases": [],
            "required": true, "secret": true, "pattern": "^sk-[a-z0-9-]+$",
        }],
        "settings_schema": { "type": "object", "properties": { "url": { "type": "string" } } },
        "limits": {
            "memory_bytes": 1, "wall_ms": 1, "cpu_ms": 1, "egress_requests": 1, "egress_bytes_out": 100_000,
            "egress_bytes_in": 100_000, "output_bytes": 1, "log_lines": 1,
        },
        "provenance": { "repository": "r", "commit": "c", "source_paths": [] },
    }))
    .unwrap()
}

/// Like [`manifest`], with a probe at `/me` of the server in the setting.
fn probed(billable: bool) -> Manifest {
    let mut value = serde_json::to_value(manifest()).unwrap();
    value["egress"] = json!([{ "host": "${setting.url}", "private_network": "operator_opt_in" }]);
    value["auth"]["schemes"] = json!([{ "type": "bearer", "id": "key", "hosts": ["${setting.url}"],
        "inject": [{ "in": "header", "name": "Authorization", "value": "Bearer ${credential.api_key}" }] }]);
    value["verification"] = json!({
        "request": { "method": "GET", "url": "${setting.url}/me" }, "billable": billable,
        "valid": { "statuses": [200] }, "invalid": { "statuses": [401] }, "quota": { "left": "/left" },
    });
    serde_json::from_value(value).unwrap()
}

fn stored(url: &str, key: Option<&str>) -> ConnectionSecrets {
    let zero = Uuid::nil();
    let connection = Connection {
        id: ConnectionId::from_uuid(zero),
        project: ProjectId::from_uuid(zero),
        organization: OrganizationId::from_uuid(zero),
        provider_key: "sample".to_owned(),
        manifest_version: "1.0.0".to_owned(),
        name: "sample".to_owned(),
        status: ConnectionStatus::Configured,
        settings: json!({ "url": url }),
        configured_fields: Vec::new(),
        credentials_version: 1,
        created_at: NOW,
        updated_at: NOW,
    };
    let credentials = key
        .map(|key| ("api_key".to_owned(), SecretString::from(key.to_owned())))
        .into_iter()
        .collect();
    ConnectionSecrets {
        connection,
        credentials,
    }
}

/// A provider that accepts one key, and fails on a second one.
async fn provider() -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    tokio::spawn(async move {
        while let Ok((mut stream, _)) = listener.accept().await {
            let mut head = Vec::new();
            while !head.ends_with(b"\r\n\r\n") {
                let Ok(byte) = stream.read_u8().await else {
                    break;
                };
                head.push(byte);
            }
            let head = String::from_utf8_lossy(&head).to_lowercase();
            let status = match () {
                () if !head.starts_with("get /me ") => "404 Not Found",
                () if head.contains("authorization: bearer sk-good\r\n") => "200 OK",
                () if head.contains("authorization: bearer sk-breaks\r\n") => "500 Oh",
                () => "401 Unauthorized",
            };
            let answer = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\ncontent-length: 11\r\nconnection: close\r\n\r\n{{\"left\": 3}}"
            );
            let _ = stream.write_all(answer.as_bytes()).await;
        }
    });
    address
}

/// Probes the provider at `address` through a connection to it, with these limits.
async fn ask(
    address: SocketAddr,
    limits: &HostLimits,
    manifest: &Manifest,
    stored: ConnectionSecrets,
) -> CredentialCheck {
    let policy = EgressPolicy {
        private_hosts: vec![PrivateHost {
            host: address.ip().to_string(),
            port: Some(address.port()),
            connectors: [manifest.key.clone()].into(),
            open_web: false,
        }],
        ..EgressPolicy::default()
    };
    let gate = EgressGate::new(policy, Arc::new(StillClock)).unwrap();
    let request = manifest.verification.as_ref().unwrap();
    probe(&gate, limits, manifest, request, stored)
        .await
        .unwrap()
}

#[test]
fn what_is_checked_follows_from_manifest_and_connection() {
    use VerificationMode as Mode;
    let good = || stored("http://127.0.0.1", Some("sk-good"));
    let none = || stored("http://127.0.0.1", None);
    let (nothing, lacks, charges) = ("no credentials", "lacks credentials", "charges");
    for (manifest, mode, stored, billable, wanted) in [
        (manifest(), Mode::Unavailable, good(), false, Err(nothing)),
        (manifest(), Mode::Format, good(), false, Ok(false)),
        (manifest(), Mode::Format, none(), false, Ok(false)),
        (probed(false), Mode::LiveProbe, good(), false, Ok(true)),
        (probed(false), Mode::LiveProbe, none(), false, Err(lacks)),
        (probed(true), Mode::LiveProbe, good(), false, Err(charges)),
        (probed(true), Mode::LiveProbe, none(), false, Err(lacks)),
        (probed(true), Mode::LiveProbe, good(), true, Ok(true)),
    ] {
        let case = format!("{mode:?} {billable} {wanted:?}");
        match (request_of(&manifest, mode, &stored, billable), wanted) {
            (Ok(request), Ok(wanted)) => assert_eq!(request.is_some(), wanted, "{case}"),
            (Err(reason), Err(wanted)) => assert!(reason.to_string().contains(wanted), "{case}"),
            (found, _) => panic!("{case}: {found:?}"),
        }
    }
}

#[test]
fn a_form_is_checked_without_a_request() {
    for (key, result, detail) in [
        (
            Some("sk-good"),
            VerificationResult::Verified,
            "only the form was checked",
        ),
        (
            Some("hunter2"),
            VerificationResult::Failed,
            "api_key does not have the form",
        ),
        (Some(" "), VerificationResult::Failed, "api_key is empty"),
        (None, VerificationResult::Failed, "api_key is missing"),
    ] {
        let check = check_form(&manifest(), &stored("http://127.0.0.1", key));
        assert_eq!(
            (check.method, check.result),
            (VerificationMethod::Format, result)
        );
        assert!(!check.network_request_made && check.http_status.is_none());
        let told = check.detail.unwrap();
        assert!(told.contains(detail) && !told.contains("hunter2"), "{told}");
    }
}

#[tokio::test]
async fn the_provider_has_the_last_word() {
    let address = provider().await;
    let url = format!("http://{address}");
    for (key, result, http) in [
        ("sk-good", VerificationResult::Verified, 200),
        ("sk-bad", VerificationResult::Failed, 401),
        ("sk-breaks", VerificationResult::Pending, 500),
    ] {
        let limits = HostLimits::default();
        let check = ask(address, &limits, &probed(false), stored(&url, Some(key))).await;
        assert_eq!(
            (check.result, check.http_status),
            (result, Some(http)),
            "{:?}",
            check.detail
        );
        assert!(check.network_request_made);
        assert_eq!(
            check.quota.contains_key("left"),
            result == VerificationResult::Verified
        );
    }
    // A provider that must not be asked gives no verdict.
    let elsewhere = stored("http://127.0.0.2:9", Some("sk-good"));
    let check = ask(address, &HostLimits::default(), &probed(false), elsewhere).await;
    assert_eq!(
        (check.result, check.network_request_made),
        (VerificationResult::Pending, false)
    );
    assert!(check.detail.is_some());
}

#[tokio::test]
async fn the_host_caps_a_verification_as_it_caps_every_call() {
    type Cap = fn(&mut HostLimits);
    let address = provider().await;
    let mut with_body = probed(false);
    if let Some(verification) = &mut with_body.verification {
        verification.request.body = Some(json!({ "twelve": 1 }));
    }
    let caps: [(Manifest, Cap, bool); 4] = [
        (probed(false), |_| {}, true),
        (probed(false), |limits| limits.egress_requests = 0, false),
        (probed(false), |limits| limits.egress_bytes_in = 10, true),
        (with_body, |limits| limits.egress_bytes_out = 11, false),
    ];
    for (index, (manifest, cap, sent)) in caps.into_iter().enumerate() {
        let mut limits = HostLimits::default();
        cap(&mut limits);
        let stored = stored(&format!("http://{address}"), Some("sk-good"));
        let check = ask(address, &limits, &manifest, stored).await;
        assert_eq!(
            check.network_request_made, sent,
            "{index}: {:?}",
            check.detail
        );
        let whole = check.quota.contains_key("left");
        assert_eq!(whole, index == 0, "{index}: {:?}", check.detail);
    }
}
