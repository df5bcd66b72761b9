//! Which responses carry which codes, and which codes exist.

use gtm_api::error_status::status_of;
use gtm_domain::ErrorCode;

use super::*;

/// The specification's table of errors, with the codes that it names for creates. Their statuses come from
/// annex A11.
const CODES: [(&str, &[u16]); 34] = [
    ("invalid_request", &[400, 422]),
    ("invalid_cursor", &[400]),
    ("brand_profile_mismatch", &[400]),
    ("missing_api_key", &[401]),
    ("invalid_api_key", &[401]),
    ("expired_api_key", &[401]),
    ("insufficient_credits", &[402]),
    ("forbidden", &[403]),
    ("project_archived", &[403]),
    ("capability_disabled", &[403]),
    ("not_found", &[404]),
    ("result_unavailable", &[404]),
    ("brand_profile_not_found", &[404]),
    ("brand_not_found", &[404]),
    ("offer_not_found", &[404]),
    ("not_ready", &[409]),
    ("idempotency_key_reused", &[409]),
    ("idempotency_in_progress", &[409]),
    ("campaign_archived", &[409]),
    ("cycle_in_progress", &[409]),
    ("brand_profile_archived", &[409]),
    ("brand_profile_not_ready", &[409]),
    ("missing_default_brand_profile", &[409]),
    ("brand_guideline_missing", &[409]),
    ("offer_archived", &[409]),
    ("audiences_result_unavailable", &[409]),
    ("job_expired", &[410]),
    ("rate_limit_exceeded", &[429]),
    ("quota_exceeded", &[429]),
    ("budget_exceeded", &[429]),
    ("internal_error", &[500]),
    ("audiences_backend_error", &[502]),
    ("audiences_backend_invalid_response", &[502]),
    ("audiences_backend_unavailable", &[503]),
];

/// Codes that the specification calls transient.
const TRANSIENT: [&str; 5] = [
    "rate_limit_exceeded",
    "internal_error",
    "audiences_backend_error",
    "audiences_backend_invalid_response",
    "audiences_backend_unavailable",
];

/// Statuses that carry the code of another status (decision 0004).
const BORROWED: [(u16, &str); 8] = [
    (405, "invalid_request"),
    (408, "invalid_request"),
    (413, "invalid_request"),
    (414, "invalid_request"),
    (415, "invalid_request"),
    (416, "invalid_request"),
    (431, "invalid_request"),
    (503, "internal_error"),
];

#[test]
fn no_response_names_a_code_that_its_status_does_not_have() {
    let document = Document::published();
    for operation in document.operations() {
        for (at, status, response) in document.responses(&operation) {
            if status < 400 {
                assert!(response.get("x-error-codes").is_none(), "{at}");
                continue;
            }
            let codes = response["x-error-codes"].as_array().unwrap();
            assert!(
                !codes.is_empty(),
                "{at}: begin the description with its codes"
            );
            for code in codes {
                let code = code.as_str().unwrap();
                let own = ErrorCode::ALL
                    .iter()
                    .any(|c| c.as_str() == code && status_of(*c) == status);
                assert!(own || BORROWED.contains(&(status, code)), "{at}: {code}");
                assert!(
                    response["description"]
                        .as_str()
                        .unwrap()
                        .contains(&format!("`{code}`")),
                    "{at}"
                );
            }
            let media = &response["content"]["application/json"];
            assert_eq!(
                examples(media).len(),
                codes.len(),
                "{at}: one example for each code"
            );
        }
    }
    let waits = |name: &str| document.0["components"]["responses"][name]["x-error-codes"].clone();
    assert_eq!(waits("RateLimited"), json!(["rate_limit_exceeded"]));
    assert_eq!(
        waits("TooManyJobs"),
        json!(["rate_limit_exceeded", "quota_exceeded"])
    );
    assert_eq!(
        waits("TooManyRequests"),
        json!(["rate_limit_exceeded", "quota_exceeded", "budget_exceeded"])
    );
}

/// A message that mentions the project would make the reader try another project's key, which would not
/// help.
#[test]
fn brands_and_offers_are_said_to_be_the_organization_s() {
    let document = Document::published();
    let code = &document.0["components"]["schemas"]["ErrorEnvelope"]["properties"]["error"]["properties"]
        ["code"];
    let rows = code["x-error-codes"].as_array().unwrap();
    for name in [
        "brand_not_found",
        "brand_profile_not_found",
        "offer_not_found",
    ] {
        let row = rows.iter().find(|row| row["code"] == name).unwrap();
        let said = format!("{} {}", row["condition"], row["action"]);
        assert!(
            said.contains("organization") && !said.contains("project"),
            "{name}: {said}"
        );
    }
}

#[test]
fn the_published_codes_are_the_specification_s() {
    let document = Document::published();
    let code = &document.0["components"]["schemas"]["ErrorEnvelope"]["properties"]["error"]["properties"]
        ["code"];
    let published: Vec<(&str, Vec<u16>)> = code["x-error-codes"]
        .as_array()
        .unwrap()
        .iter()
        .map(|row| {
            let statuses = row["statuses"].as_array().unwrap().iter();
            let statuses = statuses.map(|s| u16::try_from(s.as_u64().unwrap()).unwrap());
            (row["code"].as_str().unwrap(), statuses.collect())
        })
        .collect();
    let specified: Vec<(&str, Vec<u16>)> = CODES.iter().map(|(c, s)| (*c, s.to_vec())).collect();
    assert_eq!(published, specified);
    let names: Vec<&str> = CODES.iter().map(|(code, _)| *code).collect();
    assert_eq!(code["x-extensible-enum"], json!(names));
    let transient: Vec<&str> = code["x-error-codes"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|row| row["transient"] == true)
        .map(|row| row["code"].as_str().unwrap())
        .collect();
    assert_eq!(transient, TRANSIENT);
    for code in ErrorCode::ALL {
        let specified = CODES.iter().find(|(name, _)| *name == code.as_str());
        assert!(
            specified.is_some_and(|(_, statuses)| statuses.contains(&status_of(code).as_u16())),
            "{code:?}"
        );
    }
}
