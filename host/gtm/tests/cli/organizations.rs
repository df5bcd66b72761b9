//! What `gtm org` shows about an organization's usage tier and about what it may use.

use serde_json::{Value, json};

use crate::process::{Gtm, text};

fn shown(gtm: &Gtm, id: &str) -> String {
    String::from_utf8(gtm.run(&["org", "show", id]).stdout).unwrap()
}

/// The line with this label.
fn line<'t>(text: &'t str, name: &str) -> &'t str {
    let found = text.lines().find(|line| line.starts_with(name));
    found.unwrap_or_else(|| panic!("no {name} in\n{text}"))
}

#[test]
fn the_tier_that_holds_is_shown_with_how_it_came_about() {
    let gtm = Gtm::new();
    let id = text(&gtm.json(&["org", "create", "Acme"]), "id");
    let grown = gtm.json(&["org", "show", &id]);
    assert_eq!(
        grown["usage_tier"],
        json!({
            "key": "tier_1", "name": "Tier 1", "rank": 1, "rate_limit_per_minute": 120,
            "monthly_cost_cap_usd": 100.0,
        }),
        "exactly the API's members"
    );
    assert_eq!(grown["usage_tier_origin"], "grown");
    assert_eq!(
        grown["next_usage_tier"],
        json!({
            "key": "tier_2", "name": "Tier 2", "from_paid_usd": 50.0, "from_age_days": 7,
            "missing_paid_usd": 50.0, "missing_days": 7,
        })
    );
    let people = shown(&gtm, &id);
    assert!(line(&people, "usage tier").contains("tier_1 (Tier 1), grown"));
    assert!(line(&people, "next tier").contains("lacks $50.000000 and 7 days"));

    gtm.json(&["org", "update", &id, "--tier", "tier_3"]);
    let pinned = gtm.json(&["org", "show", &id]);
    assert_eq!(
        (
            &pinned["usage_tier"]["key"],
            &pinned["usage_tier_origin"],
            &pinned["pinned_tier"],
            &pinned["next_usage_tier"]
        ),
        (
            &json!("tier_3"),
            &json!("pinned"),
            &json!("tier_3"),
            &Value::Null
        )
    );
    let people = shown(&gtm, &id);
    assert!(line(&people, "usage tier").contains("pinned"));
    assert!(line(&people, "next tier").contains("returns to tier_1"));
    let list = gtm.json(&["org", "list"]);
    assert_eq!(list["organizations"][0]["usage_tier"]["key"], "tier_3");
}

#[test]
fn only_what_this_build_has_is_said_to_be_enabled() {
    let gtm = Gtm::new();
    let id = text(&gtm.json(&["org", "create", "Acme"]), "id");
    let state = |key: &str| {
        let shown = gtm.json(&["org", "show", &id]);
        let list = shown["capabilities"].as_array().unwrap().clone();
        list.into_iter().find(|c| c["key"] == key).unwrap()
    };
    let playbooks = state("playbooks");
    assert_eq!(
        (&playbooks["enabled"], &playbooks["implemented"]),
        (&json!(true), &json!(true))
    );
    let templates = state("message_templates");
    assert_eq!(
        (
            &templates["enabled"],
            &templates["implemented"],
            &templates["allowed"]
        ),
        (&json!(true), &json!(true), &json!(true))
    );
    let people = shown(&gtm, &id);
    assert!(line(&people, "playbooks").ends_with("enabled"));
    assert!(line(&people, "message_templates").ends_with("enabled"));

    gtm.json(&["org", "capability", "disable", &id, "playbooks"]);
    assert_eq!(state("playbooks")["enabled"], false);
    assert!(line(&shown(&gtm, &id), "playbooks").contains("disabled for this organization"));
    gtm.json(&["org", "capability", "enable", &id, "playbooks"]);
    gtm.configure("disabled_capabilities = [\"playbooks\"]\n");
    let off = state("playbooks");
    assert_eq!(
        (&off["enabled"], &off["offered"], &off["allowed"]),
        (&json!(false), &json!(false), &json!(true))
    );
    assert!(line(&shown(&gtm, &id), "playbooks").contains("disabled_capabilities"));
}
