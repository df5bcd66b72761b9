//! Capabilities, connectors and connections.

use std::collections::{BTreeMap, BTreeSet};

use gtm_api::ApiConfig;
use gtm_store::NewConnection;
use serde_json::{Value, json};

use crate::world::World;

const PATHS: [&str; 3] = ["/v1/capabilities", "/v1/connectors", "/v1/connections"];

fn members(value: &Value) -> BTreeSet<&str> {
    value
        .as_object()
        .unwrap()
        .keys()
        .map(String::as_str)
        .collect()
}

/// Whether an answer conforms to the schema that the OpenAPI document publishes for it.
fn fits(name: &str, answer: &Value) {
    let schema = gtm_api::openapi()["components"]["schemas"][name].take();
    let validator = jsonschema::draft202012::new(&schema).unwrap();
    validator
        .validate(answer)
        .unwrap_or_else(|error| panic!("{name}: {error}: {answer}"));
    listed(&schema, answer);
    for example in schema["examples"].as_array().unwrap() {
        assert!(validator.is_valid(example), "{name}: its own example");
        listed(&schema, example);
    }
}

/// Panics unless the answer uses only listed values of its schema's open enumerations: they bind the
/// server, but not its clients.
fn listed(schema: &Value, answer: &Value) {
    if let Some(values) = schema["x-extensible-enum"].as_array() {
        assert!(
            values.contains(answer),
            "{answer} is not listed in {schema}"
        );
    }
    for (name, member) in schema["properties"].as_object().into_iter().flatten() {
        if let Some(value) = answer.get(name) {
            listed(member, value);
        }
    }
    for element in answer.as_array().into_iter().flatten() {
        listed(&schema["items"], element);
    }
}

#[tokio::test]
async fn each_needs_its_permission() {
    let world = World::start().await;
    for (path, needs) in PATHS
        .iter()
        .zip(["catalog:read", "catalog:read", "connections:read"])
    {
        let allowed = world.new_key(needs, None).await;
        assert_eq!(
            world.get_as(path, &allowed).await.status.as_u16(),
            200,
            "{path}"
        );
        let denied = world.new_key("jobs:read", None).await;
        assert_eq!(
            world.get_as(path, &denied).await.error(),
            (403, "forbidden".into())
        );
        assert_eq!(
            world.get_as(path, "wrong").await.error(),
            (401, "invalid_api_key".into())
        );
    }
}

#[tokio::test]
async fn capabilities_are_listed_if_they_are_built_and_offered() {
    let world = World::start().await;
    let answer = world.get("/v1/capabilities").await.json();
    fits("CapabilityList", &answer);
    let list = answer["capabilities"].as_array().unwrap();
    let by_key: BTreeMap<&str, &Value> = list
        .iter()
        .map(|c| (c["key"].as_str().unwrap(), c))
        .collect();
    let keys: Vec<&str> = by_key.keys().copied().collect();
    assert_eq!(
        keys,
        ["brands", "documents", "message_templates", "playbooks"]
    );
    let playbooks = by_key["playbooks"];
    assert_eq!(
        (&playbooks["category"], &playbooks["status"]),
        (&json!("Generation"), &json!("ga"))
    );
    assert_eq!(
        members(playbooks),
        [
            "category",
            "description",
            "docs_slug",
            "enabled",
            "key",
            "name",
            "status"
        ]
        .into()
    );
    // The list matches what a create would meet: a capability without an operation is not listed.
    for capability in ["brands", "documents", "message_templates", "playbooks"] {
        let path = match capability {
            "message_templates" => "/v1/message-template-revisions".to_owned(),
            other => format!("/v1/{other}"),
        };
        let there = world.get(&path).await.status.as_u16() != 404;
        assert_eq!(by_key.contains_key(capability), there, "{path}");
    }
    assert!(list.iter().all(|c| c["enabled"] == true));
    let off = ApiConfig {
        disabled_capabilities: BTreeSet::from(["playbooks".to_owned()]),
        ..ApiConfig::default()
    };
    let world = World::with(off).await;
    let answer = world.get("/v1/capabilities").await.json();
    let keys: Vec<&Value> = answer["capabilities"]
        .as_array()
        .unwrap()
        .iter()
        .map(|c| &c["key"])
        .collect();
    assert_eq!(keys, ["brands", "documents", "message_templates"]);
    let refused = world
        .post(json!({"target_company": "A"}).to_string(), &[])
        .await;
    assert_eq!(refused.error(), (403, "capability_disabled".into()));
}

#[tokio::test]
async fn an_empty_catalog_has_a_version() {
    let world = World::start().await;
    let answer = world.get("/v1/connectors").await.json();
    fits("ConnectorCatalog", &answer);
    assert_eq!(members(&answer), ["catalog_version", "connectors"].into());
    assert_eq!(answer["connectors"], json!([]));
    let again = world.get("/v1/connectors").await.json();
    assert_eq!(answer, again);
}

#[tokio::test]
async fn connections_are_the_projects_own_and_hold_no_value() {
    let world = World::start().await;
    let new = NewConnection {
        provider_key: "sample".to_owned(),
        manifest_version: "1.0.0".to_owned(),
        name: "My provider".to_owned(),
        settings: json!({"base_url": "https://canary-setting.example"}),
        credentials: ["api_key", "client_secret", "account"]
            .map(|f| (f.to_owned(), format!("canary-{f}").into()))
            .into(),
    };
    let operator = world.store.operator();
    let made = operator
        .create_connection(world.project, new)
        .await
        .unwrap();
    let answer = world.get("/v1/connections").await;
    assert!(!String::from_utf8_lossy(&answer.body).contains("canary"));
    let answer = answer.json();
    fits("ConnectionList", &answer);
    assert_eq!(
        answer,
        json!({ "connections": [{
            "id": made.id, "project_id": world.project, "provider_key": "sample", "manifest_version": "1.0.0",
            "name": "My provider", "configured_fields": ["account", "api_key", "base_url", "client_secret"],
            "credentials_version": 1, "status": "configured",
            "verification": { "mode": "unavailable", "status": "unavailable", "network_request_made": false },
            "created_at": "2026-03-02T09:00:00.000Z", "updated_at": "2026-03-02T09:00:00.000Z",
        }] })
    );
    operator.disable_connection(made.id).await.unwrap();
    let answer = world.get("/v1/connections").await.json();
    assert_eq!(answer["connections"][0]["status"], "disabled");
    let stranger = world.stranger().await;
    let theirs = world.get_as("/v1/connections", &stranger).await.json();
    assert_eq!(theirs, json!({ "connections": [] }));
}
