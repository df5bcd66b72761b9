//! The operation `search_people`: one request for people at companies.

use gtm_sdk::http::Request;
use gtm_sdk::{Failure, Value, json};
use serde::Deserialize;

use crate::{person, refusal};

pub(crate) const ENDPOINT: &str = "https://api.peopledatalabs.com/v5/person/search";
/// The publisher's name for people.
const PUBLISHER: &str = "People Data Labs";
/// Time limit for one exchange, in milliseconds.
const TIMEOUT_MS: u32 = 20_000;
/// Limit on an answer, in bytes: twice the provider's own limit of 1 MiB.
const MAX_ANSWER_BYTES: u64 = 2_097_152;

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    roles: Vec<String>,
    #[serde(default)]
    company_domains: Vec<String>,
    #[serde(default)]
    countries: Vec<Country>,
    limit: u16,
    #[serde(default)]
    require_email: bool,
}

#[derive(Deserialize)]
struct Country {
    name: String,
}

/// Performs the operation at the provider's address.
pub(crate) fn search_people(endpoint: &str, input: Value) -> Result<Value, Failure> {
    let input: Input = json::read(input)?;
    let body = json::json!({
        "query": query(&input),
        "size": input.limit,
        // Otherwise every name comes in lower case.
        "titlecase": true,
        // The host keeps the answer: nothing is asked for that the contract has no place for, such as
        // private addresses and telephone numbers.
        "data_include": person::MEMBERS.join(","),
    });
    let answer = Request::post(endpoint)
        .header("accept", "application/json")
        .json(&body)
        .credential("key")
        .timeout_ms(TIMEOUT_MS)
        .max_body_bytes(MAX_ANSWER_BYTES)
        .send()?;
    let people = if answer.is_success() {
        person::people(&answer, usize::from(input.limit))?
    } else if refusal::is_no_match(&answer) {
        Vec::new()
    } else {
        return Err(refusal::of(&answer));
    };
    Ok(json::json!({
        "receipt_id": answer.receipt_id,
        "publisher": PUBLISHER,
        "people": people,
    }))
}

/// The provider keeps all texts in lower case and compares them as they are.
fn query(input: &Input) -> Value {
    let mut must = Vec::new();
    if !input.roles.is_empty() {
        // The title itself is compared as a whole; its words are in `.text`. A list of `should` alone needs
        // one of them, and the provider refuses to be told so.
        let any: Vec<Value> = input
            .roles
            .iter()
            .map(|role| json::json!({"match_phrase": {"job_title.text": role.to_lowercase()}}))
            .collect();
        must.push(json::json!({"bool": {"should": any}}));
    }
    if !input.company_domains.is_empty() {
        let any: Vec<String> = input
            .company_domains
            .iter()
            .map(|domain| domain.to_lowercase())
            .collect();
        must.push(json::json!({"terms": {"job_company_website": any}}));
    }
    if !input.countries.is_empty() {
        let any: Vec<String> = input
            .countries
            .iter()
            .map(|country| country.name.to_lowercase())
            .collect();
        must.push(json::json!({"terms": {"job_company_location_country": any}}));
    }
    if input.require_email {
        must.push(json::json!({"exists": {"field": "work_email"}}));
    }
    json::json!({"bool": {"must": must}})
}
