//! Examples of bodies: moves those of a schema file to the media types that use the schema, where readers
//! and tools look for them.

use serde_json::{Map, Value, json};

/// Gives every JSON body of an operation the examples of its schema, unless it has its own.
pub fn add(operation: &mut Value, schemas: &Map<String, Value>) {
    if let Some(body) = operation.get_mut("requestBody") {
        add_to(body, None, schemas);
    }
    let responses = operation
        .get_mut("responses")
        .and_then(Value::as_object_mut);
    for (status, response) in responses.into_iter().flatten() {
        add_to(response, Some(status), schemas);
    }
}

fn add_to(body: &mut Value, status: Option<&str>, schemas: &Map<String, Value>) {
    let Some(media) = body.pointer_mut("/content/application~1json") else {
        return;
    };
    if media.get("examples").is_some() || media.get("example").is_some() {
        return;
    }
    let name = media
        .pointer("/schema/$ref")
        .and_then(Value::as_str)
        .and_then(|reference| reference.rsplit('/').next());
    let examples = name
        .and_then(|name| schemas.get(name)?.get("examples")?.as_array())
        .cloned()
        .unwrap_or_default();
    let mut named = Map::new();
    for (number, example) in (1u32..).zip(examples) {
        let state = example.get("status").and_then(Value::as_str);
        // A job that was just accepted has not run yet.
        if status == Some("202") && state.is_some_and(|state| state != "queued") {
            continue;
        }
        let name = state.map_or_else(|| format!("example_{number}"), str::to_owned);
        // Jobs of several types pass through the same states.
        let name = match example.get("type").and_then(Value::as_str) {
            Some(kind) if named.contains_key(&name) => format!("{name}_{kind}"),
            _ => name,
        };
        named.insert(name, json!({ "value": example }));
    }
    if !named.is_empty() {
        media["examples"] = Value::Object(named);
    }
}
