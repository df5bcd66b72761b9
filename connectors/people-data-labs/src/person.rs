//! People's records: which of their members are facts of the contract.
//!
//! A fact is returned exactly as the answer has it, else it is null. DANGER: the host proves each of them with
//! the answer's bytes, and shows none that it does not find there.

use gtm_sdk::http::Response;
use gtm_sdk::{Failure, Value, json::json};

use crate::texts::{host_of, text};

/// What is asked for of a record, and no more.
pub(crate) const MEMBERS: [&str; 10] = [
    "id",
    "full_name",
    "first_name",
    "job_title",
    "work_email",
    "job_company_name",
    "job_company_website",
    "job_company_industry",
    "job_company_location_locality",
    "job_company_location_country",
];

/// The people in a successful answer, in its order.
pub(crate) fn people(answer: &Response, limit: usize) -> Result<Vec<Value>, Failure> {
    let invalid = |failure: Failure| failure.with_detail(json!({"receipt_id": answer.receipt_id}));
    let no_list = || {
        invalid(Failure::upstream(
            "invalid_provider_response",
            "The provider's answer is not a list of people.",
        ))
    };
    let body: Value = answer.json().map_err(invalid)?;
    let records = body["data"].as_array().ok_or_else(no_list)?;
    if records.iter().any(|record| !record.is_object()) {
        return Err(no_list());
    }
    Ok((0..)
        .zip(records)
        .take(limit)
        .map(|(index, record)| person(index, record))
        .collect())
}

fn person(index: usize, record: &Value) -> Value {
    let member = |name: &str, max_chars: usize| text(&record[name], max_chars);
    // A plan without addresses says only whether there is one.
    let email = member("work_email", 254).filter(|address| address.contains('@'));
    json!({
        "record": format!("/data/{index}"),
        "full_name": member("full_name", 300),
        "first_name": member("first_name", 300),
        "role": member("job_title", 300),
        "company": {
            "name": member("job_company_name", 300),
            "domain": member("job_company_website", 253).map(host_of).filter(|host| !host.is_empty()),
            "country": member("job_company_location_country", 100),
            "industry": member("job_company_industry", 200),
            "locality": member("job_company_location_locality", 200),
        },
        "email": email,
        "email_origin": email.map(|_| "licensed"),
    })
}
