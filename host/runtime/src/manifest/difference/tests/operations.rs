//! Differences in what calls cost, and in how often they are made.

use super::*;

/// The differences between two lists of operations, each given as its deviations from the operation above.
fn between(old: Value, new: Value) -> Vec<Difference> {
    let with = |operations: Value| -> Manifest {
        let mut all = manifest();
        let first = all["operations"][0].clone();
        let operations = operations.as_array().unwrap().iter().map(|change| {
            let mut operation = first.clone();
            for (name, member) in change.as_object().unwrap() {
                operation[name.as_str()] = member.clone();
            }
            operation
        });
        let operations = operations.collect();
        all["operations"] = operations;
        serde_json::from_value(all).unwrap()
    };
    differences(&with(old), &with(new))
}

#[test]
fn an_operation_that_counts_as_free_widens() {
    let found = between(
        json!([{ "side_effect": "billable_read" }]),
        json!([{ "side_effect": "read" }]),
    );
    assert_eq!(
        widening(&found),
        ["calls of today count as free of charge"],
        "{found:?}"
    );
}

#[test]
fn operations_in_another_order_are_compared_by_what_serves_a_capability() {
    let (one, other) = (
        json!({ "id": "one", "side_effect": "billable_read" }),
        json!({ "id": "other", "side_effect": "read", "replay_safe": true, "personal_data": true }),
    );
    let found = between(json!([one, other]), json!([other, one]));
    assert_eq!(
        widening(&found),
        [
            "other answers with personal data",
            "calls of other count as free of charge",
            "a call of other whose outcome is unknown is repeated"
        ],
        "{found:?}"
    );
    let found = between(json!([other, one]), json!([one, other]));
    assert_eq!(
        widening(&found),
        ["the provider charges for one"],
        "{found:?}"
    );
}

#[test]
fn another_id_hides_nothing() {
    for (change, wanted) in [
        (
            json!({ "replay_safe": true }),
            "a call of now whose outcome is unknown is repeated",
        ),
        (
            json!({ "personal_data": true }),
            "now answers with personal data",
        ),
        (
            json!({ "idempotency_header": "x-key" }),
            "now takes its idempotency key in x-key",
        ),
    ] {
        let mut renamed = change.clone();
        renamed["id"] = json!("now");
        let found = between(json!([{}]), json!([renamed]));
        assert_eq!(widening(&found), [wanted], "{found:?}");
    }
    // Next to another operation that costs money.
    let paid =
        json!({ "id": "paid", "capability": "weather.past", "side_effect": "billable_read" });
    let found = between(
        json!([paid, {}]),
        json!([paid, { "id": "now", "side_effect": "billable_read" }]),
    );
    assert_eq!(
        widening(&found),
        ["the provider charges for now"],
        "{found:?}"
    );
    // A new name alone changes nothing.
    let found = between(json!([{}]), json!([{ "id": "now" }]));
    assert!(widening(&found).is_empty(), "{found:?}");
}

#[test]
fn other_meters_repetitions_and_idempotency_keys_widen() {
    let changes: [(Change, &str); 5] = [
        (
            |m| m["usage"] = json!([{ "meter": "total_tokens", "from": "const:1" }]),
            "usage",
        ),
        (
            |m| m["rate"] = json!({ "retry": { "max_attempts": 4 } }),
            "rate",
        ),
        (
            |m| m["rate"] = json!({ "retry": { "statuses": [500] } }),
            "rate",
        ),
        (
            |m| m["rate"] = json!({ "retry": { "exhausted": [{ "statuses": [402] }] } }),
            "rate",
        ),
        (
            |m| m["operations"][0]["idempotency_header"] = json!("x-key"),
            "operations",
        ),
    ];
    for (index, (change, member)) in changes.into_iter().enumerate() {
        let found = differences_of(change);
        assert!(
            matches!(found.as_slice(), [only] if only.effect == Effect::Widens && only.member == member),
            "{index} {member}: {found:?}"
        );
    }
    // With another header, the provider may no longer recognize a call; without one, nothing is repeated.
    let key = |header: &str| json!([{ "idempotency_header": header }]);
    assert_eq!(
        widening(&between(key("x-key"), key("x-other"))),
        ["today takes its idempotency key in x-other"]
    );
    let found = between(key("x-key"), json!([{}]));
    assert!(found.len() == 1 && widening(&found).is_empty(), "{found:?}");
    // Without its key, a call that is repeated anyway is charged each time.
    let safe = |header: Value| json!([{ "idempotency_header": header, "replay_safe": true }]);
    assert_eq!(
        widening(&between(safe(json!("x-key")), safe(Value::Null))),
        ["calls of today are repeated without an idempotency key"]
    );
    // Rate limits are the provider's, and cost nothing.
    let found = differences_of(|m| m["rate"] = json!({ "max_concurrent": 4 }));
    assert!(found.len() == 1 && widening(&found).is_empty(), "{found:?}");
}

#[test]
fn a_capability_whose_new_operation_is_not_metered_widens() {
    let mut old = manifest();
    let mut second = old["operations"][0].clone();
    second["id"] = json!("second");
    old["operations"].as_array_mut().unwrap().push(second);
    old["usage"] =
        json!([{ "meter": "credits", "from": "header:x-credits", "operations": ["today"] }]);
    let mut new = old.clone();
    new["operations"].as_array_mut().unwrap().reverse();
    let read = |manifest: &Value| -> Manifest { serde_json::from_value(manifest.clone()).unwrap() };
    let found = differences(&read(&old), &read(&new));
    assert_eq!(
        widening(&found),
        ["usage is read from a different source"],
        "{found:?}"
    );
}

#[test]
fn a_capability_that_was_not_served_before_widens_with_what_it_costs() {
    let costly = json!([{ "side_effect": "billable_read" }]);
    let second = |more: Value| {
        let mut second = json!({ "id": "second", "capability": "weather.week" });
        for (name, member) in more.as_object().unwrap() {
            second[name.as_str()] = member.clone();
        }
        json!([{ "side_effect": "billable_read" }, second])
    };
    for (more, wanted) in [
        (
            json!({ "side_effect": "read" }),
            "second serves weather.week: calls count as free of charge",
        ),
        (
            json!({ "side_effect": "billable_read" }),
            "second serves weather.week: the provider charges for calls",
        ),
        (
            json!({ "side_effect": "billable_read", "replay_safe": true }),
            "second serves weather.week: the provider charges for calls, and one whose outcome is unknown is repeated",
        ),
        (
            json!({ "side_effect": "billable_read", "replay_safe": true, "idempotency_header": "X-Key" }),
            "second serves weather.week: the provider charges for calls, and one whose outcome is unknown is repeated, with a key in X-Key",
        ),
    ] {
        let found = between(costly.clone(), second(more));
        assert_eq!(widening(&found), [wanted], "{found:?}");
    }
    let personal = between(
        json!([{ "personal_data": true }]),
        json!([{ "personal_data": true }, { "id": "second", "capability": "weather.week", "personal_data": true }]),
    );
    assert_eq!(widening(&personal).len(), 2, "{personal:?}");
}

#[test]
fn an_operation_is_gone_only_if_none_of_the_new_ones_has_its_id() {
    let past = json!({ "id": "past", "capability": "weather.past" });
    let breaks = |old: Value, new: Value| -> Vec<String> {
        let found = between(old, new).into_iter();
        let broken = found.filter(|d| d.effect == Effect::Breaks);
        broken.map(|d| d.text).collect()
    };
    // Adding an operation removes nothing.
    let none: [&str; 0] = [];
    assert_eq!(breaks(json!([{}]), json!([{}, past])), none);
    assert_eq!(
        breaks(json!([{}, past]), json!([{}])),
        ["the operation past is gone"]
    );
    // Also if the new version does nothing at all.
    assert_eq!(
        breaks(json!([{}]), json!([])),
        ["the operation today is gone"]
    );
}
