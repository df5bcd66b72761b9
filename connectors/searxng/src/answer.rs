//! Reads SearXNG's JSON and decides what of it is a result.

use gtm_sdk::http::Response;
use gtm_sdk::{Failure, Value, json::json};
use serde::Deserialize;
use url::Url;

/// Maximum number of engines that a failure names.
const MAX_ENGINES: usize = 20;
/// Longest engine name that a failure repeats, in characters.
const MAX_NAME_CHARS: usize = 40;

#[derive(Deserialize)]
struct Answer {
    results: Vec<Value>,
    /// Pairs of an engine's name and why it did not answer.
    #[serde(default)]
    unresponsive_engines: Vec<Value>,
}

/// The results in SearXNG's order, at most `max_results`.
pub(crate) fn results(answer: &Response, max_results: usize) -> Result<Vec<Value>, Failure> {
    let found: Answer = answer.json().map_err(|failure| {
        // A web page in place of JSON means that this is not SearXNG but another server.
        if answer.text().trim_start().starts_with('<') {
            Failure::upstream(
                "invalid_provider_response",
                "The server answered with a web page instead of JSON: base_url may not be the address of a SearXNG.",
            )
        } else {
            failure
        }
        .with_detail(json!({"receipt_id": answer.receipt_id}))
    })?;
    let results: Vec<Value> = found
        .results
        .iter()
        .filter_map(result)
        .take(max_results)
        .collect();
    if results.is_empty() && !found.unresponsive_engines.is_empty() {
        return Err(silence(&found.unresponsive_engines, &answer.receipt_id));
    }
    Ok(results)
}

/// A result as the contract has it. Results that do not lead to a web page are left out.
fn result(found: &Value) -> Option<Value> {
    let text = |name: &str| found[name].as_str().unwrap_or_default();
    let url = Url::parse(text("url")).ok()?;
    let is_page = matches!(url.scheme(), "http" | "https") && url.has_host();
    let published_at = found["publishedDate"].as_str().filter(|d| !d.is_empty());
    is_page.then(|| {
        json!({
            "url": text("url"),
            "title": text("title"),
            "snippet": text("content"),
            "published_at": published_at,
        })
    })
}

/// If nothing was found while engines did not answer (blocked, timed out), there may still be something.
fn silence(engines: &[Value], receipt_id: &str) -> Failure {
    let names: Vec<String> = engines
        .iter()
        .filter_map(|engine| engine[0].as_str())
        .map(|name| name.chars().take(MAX_NAME_CHARS).collect())
        .take(MAX_ENGINES)
        .collect();
    Failure::upstream(
        "engines_unresponsive",
        format!(
            "SearXNG has no results, and {} of its search engines did not answer it, so nothing is known.",
            engines.len()
        ),
    )
    .with_detail(json!({"receipt_id": receipt_id, "engines": names}))
}
