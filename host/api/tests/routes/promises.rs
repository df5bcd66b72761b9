//! Checks every answer that a test gets through [`crate::world::World`] against the published description:
//! the operation must declare the answer's status and, for an error, its code.

use std::sync::LazyLock;

use http::{Method, StatusCode};
use serde_json::Value;

static DOCUMENT: LazyLock<Value> = LazyLock::new(gtm_api::openapi);

/// Panics if the operation does not declare this answer. Paths without an operation declare nothing.
pub fn hold(method: &Method, path: &str, status: StatusCode, body: &[u8]) {
    let Some(operation) = operation(method, path) else {
        return;
    };
    let status = status.as_u16();
    let at = format!("{method} {path}: {status}");
    let declared = &operation["responses"][status.to_string()];
    let declared = match declared["$ref"].as_str() {
        Some(reference) => DOCUMENT.pointer(reference.trim_start_matches('#')).unwrap(),
        None => declared,
    };
    assert!(
        declared.is_object(),
        "{at} is not declared; add it to the operation's ERRORS"
    );
    if status < 400 || body.is_empty() {
        return;
    }
    let error: Value = serde_json::from_slice(body).unwrap();
    // The envelope has the code inside `error`; problem details have it at the top level.
    let code = error.pointer("/error/code").unwrap_or(&error["code"]);
    let codes = declared["x-error-codes"].as_array().unwrap();
    assert!(
        codes.contains(code),
        "{at} {code} is not declared; add it to the operation's ERRORS, which are {codes:?}"
    );
}

fn operation(method: &Method, path: &str) -> Option<&'static Value> {
    let method = match *method {
        // HEAD is answered wherever GET is.
        Method::HEAD => "get".to_owned(),
        _ => method.as_str().to_ascii_lowercase(),
    };
    let segments: Vec<&str> = path.split('/').collect();
    let fits = |template: &str| {
        let template: Vec<&str> = template.split('/').collect();
        let same = |(wanted, given): (&&str, &&str)| wanted.starts_with('{') || wanted == given;
        template.len() == segments.len() && template.iter().zip(&segments).all(same)
    };
    let paths = DOCUMENT["paths"].as_object().unwrap();
    let (_, item) = paths.iter().find(|(template, _)| fits(template))?;
    item.get(method)
}
