//! The operation `enrich_company`: one request for one company.

use gtm_sdk::http::Request;
use gtm_sdk::{Failure, Value, context, json};
use serde::Deserialize;

use crate::{record, refusal};

const ENDPOINT: &str = "https://api.peopledatalabs.com/v5/company/enrich";
/// The publisher's name for people.
const PUBLISHER: &str = "People Data Labs";
/// Time limit for one exchange, in milliseconds.
const TIMEOUT_MS: u32 = 20_000;
/// Limit on an answer, in bytes: twice the provider's own limit of 1 MiB.
const MAX_ANSWER_BYTES: u64 = 2_097_152;

/// The settings that this connector needs. `prices` and `free` are for the host, which turns matches into
/// money.
#[derive(Deserialize)]
struct Settings {
    min_likelihood: Option<u8>,
}

#[derive(Deserialize)]
struct Input {
    domain: Option<String>,
    name: Option<String>,
}

/// Performs the operation.
pub(crate) fn enrich_company(input: Value) -> Result<Value, Failure> {
    let input: Input = json::read(input)?;
    let settings: Settings = context::settings()?;
    // A domain belongs to one company, but names are shared. With both, a company that only has the name
    // could match, and every match is paid for.
    let (parameter, value) = match (&input.domain, &input.name) {
        (Some(domain), _) => ("website", domain),
        (None, Some(name)) => ("name", name),
        (None, None) => {
            return Err(Failure::invalid_input(
                "invalid_input",
                "Neither a domain nor a name is given.",
            ));
        }
    };
    let mut request = Request::get(ENDPOINT)
        .header("accept", "application/json")
        .credential("key")
        .timeout_ms(TIMEOUT_MS)
        .max_body_bytes(MAX_ANSWER_BYTES)
        .query(parameter, value)
        // Otherwise every place comes in lower case.
        .query("titlecase", "true");
    if let Some(least) = settings.min_likelihood {
        request = request.query("min_likelihood", &least.to_string());
    }
    let answer = request.send()?;
    let company = if answer.is_success() {
        record::company(&answer)?
    } else if refusal::is_no_match(&answer) {
        Value::Null
    } else {
        return Err(refusal::of(&answer));
    };
    Ok(json::json!({
        "receipt_id": answer.receipt_id,
        "publisher": PUBLISHER,
        "company": company,
    }))
}
