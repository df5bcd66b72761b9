//! `gtm dev seed`: on a freshly seeded host, every key gets the answer that its case states.

use std::collections::BTreeSet;

use gtm_e2e::Database;
use gtm_e2e::client::Client;
use gtm_e2e::fake_site::FakeSite;
use serde_json::Value;

use crate::{World, on_both_engines};

async fn every_key_is_answered_as_the_seed_says(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, FakeSite::start([]).await).await else {
        return;
    };
    let seeded = world.gtm.cli(&["dev", "seed"]);
    let cases = seeded["cases"].as_array().unwrap();
    for case in cases {
        let (request, expected) = (&case["request"], &case["expected"]);
        let client = Client::new(&world.gtm.base(), case["secret"].as_str().unwrap());
        let path = request["path"].as_str().unwrap();
        let mut last = None;
        for _ in 0..request["times"].as_u64().unwrap() {
            last = Some(match &request["body"] {
                Value::Null => client.get(path).await,
                body => client.post(path, body, None).await,
            });
        }
        let answer = last.unwrap();
        let told = format!(
            "{}: {}",
            case["name"],
            String::from_utf8_lossy(&answer.bytes)
        );
        assert_eq!(
            u64::from(answer.status),
            expected["status"].as_u64().unwrap(),
            "{told}"
        );
        if let Some(code) = expected["code"].as_str() {
            assert_eq!(answer.json()["error"]["code"], code, "{told}");
        }
        if let Some(scope) = expected["scope"].as_str() {
            assert_eq!(answer.json()["error"]["details"]["scope"], scope, "{told}");
        }
        if let Some(limit) = expected["rate_limit"].as_u64() {
            assert_eq!(
                answer.header("ratelimit-limit"),
                Some(limit.to_string().as_str()),
                "{told}"
            );
        }
    }
    let names: Vec<_> = cases.iter().filter_map(|c| c["name"].as_str()).collect();
    for state in [
        "valid",
        "revoked",
        "expired",
        "archived_project",
        "capability_disabled",
        "no_credit",
        "budget_reached",
        "tier_tier_5",
    ] {
        assert!(names.contains(&state), "{state} is missing: {names:?}");
    }
    assert_eq!(seeded["earlier_organizations"], Value::Array(Vec::new()));

    // A second seed adds a new set and reports the earlier one.
    let organizations: BTreeSet<_> = cases.iter().map(|c| text(c, "organization_id")).collect();
    let again = world.gtm.cli(&["dev", "seed"]);
    let earlier = again["earlier_organizations"].as_array().unwrap().iter();
    let earlier: BTreeSet<_> = earlier.map(|id| id.as_str().unwrap()).collect();
    assert_eq!(earlier, organizations);
    for case in again["cases"].as_array().unwrap() {
        assert!(
            !organizations.contains(text(case, "organization_id")),
            "{case}"
        );
    }
    let valid = Client::new(&world.gtm.base(), text(&cases[0], "secret"));
    assert_eq!(
        valid.get("/v1/usage").await.status,
        200,
        "the first set is as it was"
    );
    assert!(text(&again, "base_url").starts_with("http://"));
}

fn text<'v>(value: &'v Value, member: &str) -> &'v str {
    value[member].as_str().unwrap()
}

on_both_engines!(seeded_keys, super::every_key_is_answered_as_the_seed_says);
