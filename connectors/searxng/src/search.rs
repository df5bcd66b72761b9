//! The operation `search`: one request, one list.

use gtm_sdk::http::Request;
use gtm_sdk::{Failure, Value, context, json};
use serde::Deserialize;

use crate::{answer, query, refusal};

/// Time limit for one exchange if the settings have none, in milliseconds: SearXNG waits for its engines.
const DEFAULT_TIMEOUT_MS: u32 = 20_000;
/// Limit on an answer, in bytes. A page of results has some tens of thousands.
const MAX_ANSWER_BYTES: u64 = 2_000_000;
/// Number of results if the call does not say.
const DEFAULT_RESULTS: usize = 10;

/// The connection's settings, as `manifest.json` describes them.
#[derive(Deserialize)]
struct Settings {
    base_url: String,
    timeout_ms: Option<u32>,
}

#[derive(Deserialize)]
struct Input {
    query: String,
    max_results: Option<usize>,
    language: Option<String>,
    country: Option<String>,
}

/// Performs the operation.
pub(crate) fn search(input: Value) -> Result<Value, Failure> {
    let input: Input = json::read(input)?;
    let settings: Settings = context::settings()?;
    let words = query::plain(&input.query);
    if words.is_empty() {
        return Err(Failure::invalid_input(
            "empty_query",
            "The query has no words to search for.",
        ));
    }
    let base_url = settings.base_url.trim_end_matches('/');
    let mut request = Request::get(format!("{base_url}/search"))
        .header("accept", "application/json")
        .timeout_ms(settings.timeout_ms.unwrap_or(DEFAULT_TIMEOUT_MS))
        .max_body_bytes(MAX_ANSWER_BYTES)
        .query("q", &words)
        .query("format", "json")
        .query("categories", "general");
    let country = input.country.as_deref();
    if let Some(language) = input
        .language
        .and_then(|tag| query::language(&tag, country))
    {
        request = request.query("language", &language);
    }
    let answer = request.send()?;
    if !answer.is_success() {
        return Err(refusal::of(&answer));
    }
    let results = answer::results(&answer, input.max_results.unwrap_or(DEFAULT_RESULTS))?;
    Ok(json::json!({"receipt_id": answer.receipt_id, "results": results}))
}
