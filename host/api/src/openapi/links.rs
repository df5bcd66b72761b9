//! Links between operations: from a create or a list to the operations that read what it created or listed,
//! and from any answer that is a job to those that read the job.

use serde_json::{Map, Value, json};

/// A GET operation with one path parameter.
struct Read {
    path: String,
    id: String,
    parameter: String,
}

/// Adds `links` to the successful responses of the document.
pub fn add(document: &mut Value) {
    let reads = reads(document);
    let schemas = document["components"]["schemas"].clone();
    let Some(paths) = document["paths"].as_object_mut() else {
        return;
    };
    for (path, item) in paths.iter_mut() {
        for (method, operation) in item.as_object_mut().into_iter().flatten() {
            let own = operation["operationId"]
                .as_str()
                .unwrap_or_default()
                .to_owned();
            let responses = operation["responses"].as_object_mut();
            for (status, response) in responses.into_iter().flatten() {
                if !status.starts_with('2') {
                    continue;
                }
                let Some(schema) = body_schema(response, &schemas) else {
                    continue;
                };
                let mut links = Map::new();
                for read in reads.iter().filter(|read| read.id != own) {
                    if let Some(source) = source(read, path, method, schema) {
                        links.insert(name(&read.id), json!({
                            "operationId": read.id, "parameters": { read.parameter.as_str(): source },
                        }));
                    }
                }
                if !links.is_empty() {
                    response["links"] = Value::Object(links);
                }
            }
        }
    }
}

fn reads(document: &Value) -> Vec<Read> {
    let paths = document["paths"].as_object().into_iter().flatten();
    paths
        .filter_map(|(path, item)| {
            let id = item.get("get")?["operationId"].as_str()?.to_owned();
            let (_, rest) = path.split_once('{')?;
            let (parameter, rest) = rest.split_once('}')?;
            (!rest.contains('{')).then(|| Read {
                path: path.clone(),
                id,
                parameter: parameter.to_owned(),
            })
        })
        .collect()
}

/// Where the response contains the value of the read's parameter, if it does.
fn source(read: &Read, path: &str, method: &str, schema: &Value) -> Option<String> {
    let (collection, _) = read.path.split_once("/{")?;
    if read.parameter == "job_id" && is_job(schema) {
        // No operation creates the jobs that have candidates: from others the link would lead nowhere.
        if read.path.ends_with("/candidates") {
            return None;
        }
        return Some("$response.body#/id".to_owned());
    }
    if collection != path {
        return None;
    }
    if method == "post" {
        return schema
            .pointer("/properties/id")
            .map(|_| "$response.body#/id".to_owned());
    }
    let members = schema["properties"].as_object()?;
    let (list, _) = members
        .iter()
        .find(|(_, member)| member.pointer("/items").is_some())?;
    Some(format!("$response.body#/{list}/0/id"))
}

/// Whether a schema describes a job, judged by its id.
fn is_job(schema: &Value) -> bool {
    schema
        .pointer("/properties/id/pattern")
        .and_then(Value::as_str)
        .is_some_and(|pattern| pattern.starts_with("^job_"))
}

fn body_schema<'s>(response: &Value, schemas: &'s Value) -> Option<&'s Value> {
    let reference = response
        .pointer("/content/application~1json/schema/$ref")?
        .as_str()?;
    let schema = referred(reference, schemas)?;
    // Of several forms, any will do: all of them have what links need.
    match schema.pointer("/oneOf/0/$ref").and_then(Value::as_str) {
        Some(first) => referred(first, schemas),
        None => Some(schema),
    }
}

fn referred<'s>(reference: &str, schemas: &'s Value) -> Option<&'s Value> {
    schemas.get(reference.rsplit('/').next()?)
}

/// The operation without the path at the end of its id: `get_job`.
fn name(operation_id: &str) -> String {
    let (name, _) = operation_id
        .split_once("_v1_")
        .unwrap_or((operation_id, ""));
    name.to_owned()
}
