//! Checks the connector against its cassettes and its contract.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

use gtm_people_data_labs::PeopleDataLabs;
use gtm_sdk::testing::{ConnectorFiles, CredentialCheck, Host, Run};
use gtm_sdk::{Connector, Failure, FailureKind, Value, json::json};

fn files() -> ConnectorFiles {
    ConnectorFiles::new(env!("CARGO_MANIFEST_DIR"))
}

fn play_with(settings: Value, cassette: &str, input: Value) -> Run<Result<Value, Failure>> {
    files().check_settings(&settings);
    files().check_input("enrich_company", &input);
    let run = Host::new()
        .settings(settings)
        .cassette(files().cassette(cassette))
        .run(|| PeopleDataLabs::invoke("enrich_company", input));
    if let Ok(output) = &run.output {
        files().check_output("enrich_company", output);
    }
    run
}

fn play(cassette: &str) -> Result<Value, Failure> {
    let settings = json!({"prices": {"per_request_usd": 0.28}});
    play_with(settings, cassette, fernhollow()).output
}

/// A domain and a name; the connector queries only the domain.
fn fernhollow() -> Value {
    json!({"domain": "fernhollow.example", "name": "Fernhollow"})
}

fn exchange(cassette: &str) -> Value {
    let text = std::fs::read_to_string(files().cassette(cassette)).unwrap();
    serde_json::from_str(&text).unwrap()
}

#[test]
fn a_company_is_told_as_the_record_has_it() {
    assert_eq!(
        play("company").unwrap(),
        json!({
            "receipt_id": "rcpt_test_01",
            "publisher": "People Data Labs",
            "company": {
                "domain": "fernhollow.example",
                "legal_name": null,
                "description": "Fernhollow composts what the city leaves.",
                "industry": "Environmental Services",
                "founded_year": 2015,
                "employee_count": 83,
                "locality": "Leeds",
                "region": "West Yorkshire",
                "country": "United Kingdom",
                "ticker": null,
                "profiles": [
                    "https://linkedin.com/company/fernhollow",
                    "https://facebook.com/fernhollow",
                    "https://linkedin.com/company/18170482",
                    "https://crunchbase.com/organization/fernhollow",
                ],
            },
        })
    );
}

/// Danger: the host can prove a claim only with the bytes that it stores. So every fact of the output must
/// appear in the answer's bytes.
#[test]
fn every_fact_stands_in_the_answer() {
    for cassette in ["company", "public-company"] {
        let answer = exchange(cassette)["response"]["body"].to_string();
        let output = play(cassette).unwrap();
        for (name, fact) in output["company"].as_object().unwrap() {
            match fact {
                Value::Null => {}
                Value::Array(addresses) => {
                    for address in addresses {
                        let bare = address.as_str().unwrap().replacen("https://", "", 1);
                        assert!(answer.contains(&format!("\"{bare}\"")), "{bare}");
                    }
                }
                Value::String(host) if name == "domain" => assert!(answer.contains(host.as_str())),
                fact => assert!(answer.contains(&fact.to_string()), "{name}: {fact}"),
            }
        }
    }
}

#[test]
fn a_public_company_has_a_symbol() {
    let company = &play("public-company").unwrap()["company"];
    assert_eq!(company["ticker"], "FERN");
    assert_eq!(company["employee_count"], 12_000);
    assert_eq!(company["industry"], "Waste Treatment And Disposal");
    assert_eq!(company["domain"], "www.fernhollow.example");
    assert_eq!(
        company["description"],
        Value::Null,
        "too long to be told whole"
    );
}

#[test]
fn a_name_is_asked_for_without_a_domain() {
    let settings = json!({"free": true, "min_likelihood": 6});
    let run = play_with(
        settings,
        "company-by-name",
        json!({"name": "Fernhollow & Sons"}),
    );
    assert_eq!(run.output.unwrap()["company"]["founded_year"], 2015);
    let settings = json!({"free": true});
    let run = Host::new()
        .settings(settings)
        .run(|| PeopleDataLabs::invoke("enrich_company", json!({})));
    let failure = run.output.unwrap_err();
    assert!(failure.is(FailureKind::InvalidInput, "invalid_input"));
}

#[test]
fn what_the_record_lacks_is_unknown() {
    for cassette in ["sparse-company", "odd-company"] {
        let company = &play(cassette).unwrap()["company"];
        for (name, fact) in company.as_object().unwrap() {
            let known = (cassette, name.as_str()) == ("odd-company", "description")
                || (cassette, name.as_str()) == ("odd-company", "industry");
            let empty = fact.is_null() || *fact == json!([]);
            assert_eq!(empty, !known, "{cassette} {name}: {fact}");
        }
    }
}

#[test]
fn a_company_that_nobody_knows_is_null() {
    let output = play("unknown-company").unwrap();
    assert_eq!(
        output,
        json!({"receipt_id": "rcpt_test_01", "publisher": "People Data Labs", "company": null})
    );
}

#[test]
fn refusals_have_their_failures() {
    let upstream = FailureKind::Upstream;
    let invalid = "invalid_provider_response";
    for (cassette, kind, code, retry_after_ms) in [
        ("status-400", FailureKind::InvalidInput, "http_400", None),
        ("status-401", FailureKind::Unauthorized, "http_401", None),
        ("status-403", FailureKind::Unauthorized, "http_403", None),
        ("status-402", FailureKind::Quota, "credits_exhausted", None),
        ("status-404-html", FailureKind::NotFound, "http_404", None),
        ("status-429", FailureKind::RateLimited, "http_429", None),
        (
            "status-429-retry-after",
            FailureKind::RateLimited,
            "http_429",
            Some(7000),
        ),
        ("status-500", upstream, "http_500", None),
        ("status-503-html", upstream, "http_503", None),
        ("malformed-json", upstream, invalid, None),
        ("truncated-body", upstream, invalid, None),
        ("html-instead-of-json", upstream, invalid, None),
        ("no-record", upstream, invalid, None),
        ("timeout", FailureKind::Timeout, "timeout", None),
    ] {
        let failure = play(cassette).unwrap_err();
        assert!(failure.is(kind, code), "{cassette}: {failure:?}");
        assert_eq!(failure.retry_after_ms, retry_after_ms, "{cassette}");
        for words in ["Request contained", "account maximum", "<"] {
            assert!(!failure.message.contains(words), "{cassette}: {failure}");
        }
    }
    let detail = play("status-401").unwrap_err().detail.unwrap();
    assert_eq!(
        (&detail["status"], &detail["provider_code"]),
        (&json!(401), &json!("authentication_error"))
    );
}

#[test]
fn only_gone_credits_are_exhausted() {
    let body = |cassette: &str| exchange(cassette)["response"]["body"].to_string();
    assert!(files().is_exhausted(402, &body("status-402")));
    for (status, cassette) in [
        (401, "status-401"),
        (429, "status-429"),
        (404, "unknown-company"),
    ] {
        assert!(!files().is_exhausted(status, &body(cassette)), "{status}");
    }
    let retried = &files().manifest()["rate"]["retry"]["statuses"];
    assert!(!retried.as_array().unwrap().contains(&json!(402)));
}

#[test]
fn credits_are_counted_where_the_provider_says_them() {
    let manifest = files().manifest();
    let usage = &manifest["usage"][0];
    assert_eq!(usage["meter"], "credits");
    let header = usage["from"].as_str().unwrap().strip_prefix("header:");
    let spent = |cassette: &str| exchange(cassette)["response"]["headers"][header.unwrap()].clone();
    assert_eq!(spent("company"), "1");
    assert_eq!(spent("unknown-company"), "0");
    // A rejected request costs nothing and reports no usage, so the figure must be optional.
    assert_eq!(spent("status-401"), Value::Null);
    assert_eq!(usage["optional"], true);
    assert_eq!(manifest["operations"][0]["side_effect"], "billable_read");
    assert_eq!(
        manifest["operations"][0]["replay_safe"], false,
        "a match that is asked for twice is paid for twice"
    );
}

#[test]
fn a_verification_costs_nothing_and_believes_only_what_it_sees() {
    use CredentialCheck::{Inconclusive, Invalid, Valid};
    for (status, body, want) in [
        (200, r#"{"data": [], "fields": [], "status": 200}"#, Valid),
        (
            401,
            r#"{"status": 401, "error": {"type": "authentication_error", "message": "no"}}"#,
            Invalid,
        ),
        // A 403 may block the request for reasons other than the key.
        (403, "<h1>Forbidden</h1>", Inconclusive),
        (402, r#"{"status": 402}"#, Inconclusive),
        (404, r#"{"status": 404}"#, Inconclusive),
        (429, r#"{"status": 429}"#, Inconclusive),
        (500, "", Inconclusive),
    ] {
        assert_eq!(files().verdict(status, body), want, "{status}");
    }
    let verification = &files().manifest()["verification"];
    assert_eq!(verification["billable"], false);
    assert_eq!(verification["request"]["credential"], "key");
}

fn search(cassette: &str, input: Value) -> Result<Value, Failure> {
    let settings = json!({"prices": {"per_record_usd": 0.28}});
    files().check_settings(&settings);
    files().check_input("search_people", &input);
    let run = Host::new()
        .settings(settings)
        .cassette(files().cassette(cassette))
        .run(|| PeopleDataLabs::invoke("search_people", input));
    if let Ok(output) = &run.output {
        files().check_output("search_people", output);
    }
    run.output
}

fn people(cassette: &str) -> Result<Value, Failure> {
    let input = json!({
        "roles": ["Head of operations", "Facilities Manager"],
        "company_domains": ["Acme-Estates.example"],
        "countries": [{"code": "GB", "name": "United Kingdom"}],
        "limit": 3,
        "require_email": true,
    });
    search(cassette, input)
}

#[test]
fn people_are_told_as_their_records_have_them() {
    let output = people("people-found").unwrap();
    assert_eq!(output["receipt_id"], "rcpt_test_01");
    assert_eq!(output["publisher"], "People Data Labs");
    assert_eq!(
        output["people"][0],
        json!({
            "record": "/data/0",
            "full_name": "Sam Okafor",
            "first_name": "Sam",
            "role": "Head Of Operations",
            "company": {
                "name": "Acme Estates",
                "domain": "acme-estates.example",
                "country": "United Kingdom",
                "industry": "Real Estate",
                "locality": "Leeds",
            },
            "email": "sam.okafor@acme-estates.example",
            "email_origin": "licensed",
        })
    );
    let (ada, jose) = (&output["people"][1], &output["people"][2]);
    assert_eq!(ada["company"]["domain"], "www.acme-estates.example");
    assert_eq!(jose["full_name"], "José Núñez");
    for unknown in ["role", "email", "email_origin"] {
        assert_eq!(jose[unknown], Value::Null, "{unknown}");
    }
    let answer = &exchange("people-found")["response"]["body"];
    for person in output["people"].as_array().unwrap() {
        let record = answer.pointer(person["record"].as_str().unwrap()).unwrap();
        let record = record.to_string();
        let own = [&person["full_name"], &person["role"], &person["email"]];
        let company = person["company"].as_object().unwrap().values();
        for fact in own.into_iter().chain(company).filter_map(Value::as_str) {
            assert!(record.contains(fact), "{fact} in {record}");
        }
    }
}

#[test]
fn what_a_record_does_not_tell_of_a_person_is_unknown() {
    let output = people("people-odd").unwrap();
    let found = output["people"].as_array().unwrap();
    assert_eq!(found.len(), 3, "not more than were asked for");
    for person in &found[..2] {
        let own = ["full_name", "first_name", "role", "email", "email_origin"];
        assert!(own.iter().all(|name| person[name].is_null()), "{person}");
        let company = person["company"].as_object().unwrap();
        let told: Vec<_> = company.iter().filter(|(_, fact)| !fact.is_null()).collect();
        assert!(told.iter().all(|(name, _)| *name == "locality"), "{person}");
    }
}

#[test]
fn nobody_is_no_failure() {
    for cassette in ["people-none", "people-empty"] {
        assert_eq!(people(cassette).unwrap()["people"], json!([]), "{cassette}");
    }
}

#[test]
fn only_what_is_asked_for_narrows_a_search() {
    let input = json!({"company_domains": ["acme-estates.example", "acme.example"], "limit": 100});
    let output = search("people-by-domain", input).unwrap();
    assert_eq!(output["people"].as_array().unwrap().len(), 1);
}

#[test]
fn refusals_of_a_search_have_their_failures() {
    let upstream = FailureKind::Upstream;
    let invalid = "invalid_provider_response";
    for (cassette, kind, code, retry_after_ms) in [
        (
            "people-status-400",
            FailureKind::InvalidInput,
            "http_400",
            None,
        ),
        (
            "people-status-401",
            FailureKind::Unauthorized,
            "http_401",
            None,
        ),
        (
            "people-status-403",
            FailureKind::Unauthorized,
            "http_403",
            None,
        ),
        (
            "people-status-402",
            FailureKind::Quota,
            "credits_exhausted",
            None,
        ),
        (
            "people-status-404-html",
            FailureKind::NotFound,
            "http_404",
            None,
        ),
        (
            "people-status-429",
            FailureKind::RateLimited,
            "http_429",
            None,
        ),
        (
            "people-status-429-retry-after",
            FailureKind::RateLimited,
            "http_429",
            Some(7000),
        ),
        ("people-status-500", upstream, "http_500", None),
        ("people-status-503-html", upstream, "http_503", None),
        ("people-malformed-json", upstream, invalid, None),
        ("people-truncated-body", upstream, invalid, None),
        ("people-no-list", upstream, invalid, None),
        ("people-list-of-texts", upstream, invalid, None),
        ("people-timeout", FailureKind::Timeout, "timeout", None),
    ] {
        let failure = people(cassette).unwrap_err();
        assert!(failure.is(kind, code), "{cassette}: {failure:?}");
        assert_eq!(failure.retry_after_ms, retry_after_ms, "{cassette}");
        for words in ["Request contained", "account maximum", "sam.okafor", "<"] {
            assert!(!failure.message.contains(words), "{cassette}: {failure}");
        }
    }
}

#[test]
fn a_search_is_paid_by_the_record_and_never_repeated() {
    let manifest = files().manifest();
    let search = &manifest["operations"][1];
    assert_eq!(search["capability"], "people.search");
    assert_eq!(search["side_effect"], "billable_read");
    assert_eq!(search["replay_safe"], false);
    assert_eq!(search["personal_data"], true);
    let spent =
        |cassette: &str| exchange(cassette)["response"]["headers"]["x-call-credits-spent"].clone();
    assert_eq!(spent("people-found"), "3");
    assert_eq!(spent("people-none"), "0");
}

#[test]
fn an_unknown_operation_is_refused() {
    for operation in ["enrich_person", ""] {
        let run = Host::new().run(|| PeopleDataLabs::invoke(operation, json!({})));
        let failure = run.output.unwrap_err();
        assert!(failure.is(FailureKind::InvalidInput, "unknown_operation"));
    }
}

#[test]
fn manifest_and_cassettes_are_whole() {
    files().check_manifest(env!("CARGO_PKG_VERSION"));
    files().check_cassettes_are_played("cassettes.rs");
}
