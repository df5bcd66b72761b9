#![allow(clippy::unwrap_used)]
mod any_file;
mod csv;
mod shown_texts;

use serde_json::{Value, json};

use super::*;
use crate::outcome_ledger::{Person, SubjectType};
use crate::prospecting::QualificationStatus;

fn terms() -> ImportTerms {
    let at = |text: &str| text.parse().unwrap();
    ImportTerms {
        synthetic: None,
        now: at("2026-03-04T10:00:00Z"),
        expires_at: at("2026-04-03T10:00:00Z"),
        job_expires_at: at("2026-04-03T10:00:00Z"),
        quotes: |content, excerpt| match std::str::from_utf8(content) {
            // An address that must not be shown is refused for that.
            Ok(content) if content.contains(excerpt) || excerpt.contains(['@', '&']) => {
                Quotation::Stands
            }
            Ok(_) => Quotation::Absent,
            Err(_) => Quotation::Unreadable,
        },
    }
}

fn provenance() -> Value {
    json!({
        "kind": "address_provenance", "url": "https://acme-estates.example/team", "retrieved_at": "2026-03-01T12:00:00Z",
        "content": "<p>Sam Okafor, Head of operations</p>", "excerpt": "Sam Okafor, Head of operations",
        "address_source_class": "published_by_company",
    })
}

fn sam() -> Value {
    json!({
        "synthetic": false,
        "qualification": {"status": "accepted", "reason": "ICP match", "decided_at": "2026-03-01T12:10:00Z"},
        "person": {"first_name": "Sam", "full_name": "Sam Okafor", "role": "Head of operations"},
        "company": {"name": "Acme Estates", "domain": "Acme-Estates.example", "country": "GB",
            "legal_form": "limited_company", "industry": "Property", "location": "Leeds"},
        "address": "Sam@acme-estates.example",
        "evidence": [
            provenance(),
            {"kind": "lawful_basis", "source_label": "Assessment 12", "retrieved_at": "2026-03-01T12:00:00Z",
                "content": "Interests were weighed.", "excerpt": "Interests were weighed.", "lawful_basis": "legitimate_interests"},
            {"kind": "personalization", "url": "https://acme-estates.example/news", "source_label": "News",
                "retrieved_at": "2026-03-01T12:00:00Z", "observed_on": "2026-02-28",
                "content_digest": format!("sha256:{}", "9".repeat(64)), "excerpt": "The block opens in June.",
                "hook": "Your notice says the Canal Street block opens in June."},
        ],
    })
}

fn file(candidate: &Value) -> Value {
    json!({ "candidates": [candidate] })
}

fn told(value: &Value, terms: &ImportTerms) -> Vec<String> {
    let faults = read_json(value, terms).unwrap_err();
    faults.iter().map(ToString::to_string).collect()
}

/// The one fault of a candidate in which one member was replaced; `null` takes it away.
fn fault_at(pointer: &str, value: Value) -> String {
    let mut candidate = sam();
    let (around, name) = pointer.rsplit_once('/').unwrap();
    let around = candidate.pointer_mut(around).unwrap();
    match around.as_array_mut() {
        Some(list) => list[name.parse::<usize>().unwrap()] = value,
        None => {
            around
                .as_object_mut()
                .unwrap()
                .insert(name.to_owned(), value);
        }
    }
    let faults = told(&file(&candidate), &terms());
    assert_eq!(faults.len(), 1, "{pointer}: {faults:#?}");
    faults[0].clone()
}

#[test]
fn a_reviewed_candidate_is_read() {
    let read = read_json(&file(&sam()), &terms()).unwrap();
    let sam = &read[0];
    assert_eq!(sam.address.masked(), "s***@acme-estates.example");
    assert_eq!(sam.company.domain.as_deref(), Some("acme-estates.example"));
    assert_eq!(sam.qualification.status, QualificationStatus::Accepted);
    assert_eq!(
        sam.expires_at,
        terms().expires_at,
        "the file's, if it says nothing else"
    );
    assert_eq!(
        sam.evidence[0].content_digest,
        Digest::of(b"<p>Sam Okafor, Head of operations</p>")
    );
    assert!(!sam.synthetic && sam.evidence.iter().all(|record| !record.synthetic));
    let types: Vec<SubjectType> = sam.subjects().iter().map(Subject::subject_type).collect();
    assert_eq!(
        types,
        [
            SubjectType::Address,
            SubjectType::Domain,
            // By the whole name, and by each of its two words with the initial of the other.
            SubjectType::Person,
            SubjectType::Person,
            SubjectType::Person
        ]
    );
    let result = counted(&read);
    assert_eq!(
        serde_json::to_value(result).unwrap(),
        json!({"candidates": 1, "accepted": 1, "rejected": 0, "pending": 0, "synthetic": 0})
    );
}

#[test]
fn entries_under_the_company_and_under_the_mailbox_both_count() {
    let subjects = |candidate: &Value| {
        let read = read_json(&file(candidate), &terms()).unwrap();
        read[0].subjects()
    };
    let person = |name: &str, domain: &str| {
        Subject::Person(Person::new(name, &domain.parse().unwrap()).unwrap())
    };
    // A company without a domain hides nobody.
    let mut unknown = sam();
    unknown["company"]["domain"] = Value::Null;
    assert!(subjects(&unknown).contains(&person("Okafor, Sam", "acme-estates.example")));
    let mut elsewhere = sam();
    elsewhere["address"] = json!("sam@group.example");
    let found = subjects(&elsewhere);
    assert!(found.contains(&Subject::of_domain("acme-estates.example").unwrap()));
    assert!(found.contains(&Subject::of_domain("group.example").unwrap()));
    assert!(found.contains(&person("Sam Okafor", "acme-estates.example")));
    assert!(found.contains(&person("Sam Okafor", "group.example")));
}

#[test]
fn content_without_text_needs_its_digest_only() {
    let mut candidate = sam();
    let evidence = candidate.pointer_mut("/evidence/1").unwrap();
    evidence.as_object_mut().unwrap().remove("content");
    evidence["content_base64"] = json!("/9j/4A==");
    assert_eq!(
        told(&file(&candidate), &terms()),
        [
            "/candidates/0/evidence/1/content_base64 has no text that the excerpt can be compared with; give its SHA-256 as content_digest instead"
        ]
    );
}

#[test]
fn nobody_is_real_or_made_up_by_default() {
    let mut unsaid = sam();
    unsaid["synthetic"] = Value::Null;
    let faults = told(&file(&unsaid), &terms());
    assert!(
        faults[0].starts_with("/candidates/0/synthetic is required"),
        "{faults:?}"
    );
    let said = |file_says: Value, importer: Option<bool>| {
        let value = json!({"synthetic": file_says, "candidates": [unsaid.clone()]});
        let terms = ImportTerms {
            synthetic: importer,
            ..terms()
        };
        read_json(&value, &terms).map(|read| read[0].synthetic)
    };
    assert_eq!(said(json!(true), None), Ok(true));
    assert_eq!(said(json!(false), None), Ok(false));
    assert_eq!(said(Value::Null, Some(true)), Ok(true));
    assert_eq!(said(json!(true), Some(true)), Ok(true));
    let faults = said(json!(true), Some(false)).unwrap_err();
    assert_eq!(
        faults[0].to_string(),
        "/synthetic is true, but the importer said false"
    );
    // A candidate says it of itself, whatever the file says; its evidence follows.
    unsaid["synthetic"] = json!(true);
    let value = json!({"synthetic": false, "candidates": [unsaid.clone()]});
    let read = read_json(&value, &terms()).unwrap();
    assert!(read[0].synthetic && read[0].evidence.iter().all(|record| record.synthetic));
    unsaid["evidence"][0]["synthetic"] = json!(false);
    assert!(told(&file(&unsaid), &terms())[0].contains("no real evidence"));
    // Made-up evidence of a real person stays what it is.
    let mut mixed = sam();
    mixed["evidence"][2]["synthetic"] = json!(true);
    let read = read_json(&file(&mixed), &terms()).unwrap();
    assert!(!read[0].synthetic && read[0].evidence[2].synthetic);
}

#[test]
fn every_fault_is_told_where_it_stands() {
    let long = "x".repeat(300);
    for (pointer, value, wanted) in [
        (
            "/address",
            json!("sam"),
            "/candidates/0/address must be an e-mail address alone",
        ),
        ("/address", Value::Null, "/candidates/0/address is required"),
        ("/adress", json!("sam"), "/candidates/0/adress is not known"),
        (
            "/qualification",
            Value::Null,
            "/candidates/0/qualification is required",
        ),
        (
            "/qualification/status",
            json!("maybe"),
            "/candidates/0/qualification/status must be one of accepted, rejected, pending",
        ),
        (
            "/qualification/decided_at",
            Value::Null,
            "/candidates/0/qualification/decided_at is required",
        ),
        (
            "/qualification/decided_at",
            json!("2026-03-05T00:00:00Z"),
            "/candidates/0/qualification/decided_at must not be in the future",
        ),
        (
            "/qualification/status",
            json!("pending"),
            "/candidates/0/qualification/decided_at must not be given",
        ),
        (
            "/person/first_name",
            json!(7),
            "/candidates/0/person/first_name must be a text",
        ),
        (
            "/person/full_name",
            json!("Sam\u{202e}Okafor"),
            "/candidates/0/person/full_name must not contain characters that change the direction",
        ),
        (
            "/person/role",
            json!("sam@ACME-estates.example"),
            "/candidates/0/person/role must not contain the address",
        ),
        (
            "/company/name",
            json!(long.clone()),
            "/candidates/0/company/name must have at most 120 characters, and has 300",
        ),
        (
            "/company/domain",
            json!("https://acme.example"),
            "/candidates/0/company/domain must be a domain",
        ),
        (
            "/company/country",
            json!("UK"),
            "/candidates/0/company/country must be a country of ISO 3166-1",
        ),
        (
            "/company/country",
            json!("gb"),
            "/candidates/0/company/country must be a country of ISO 3166-1",
        ),
        (
            "/company/legal_form",
            json!("GmbH"),
            "/candidates/0/company/legal_form must be one of limited_company, ",
        ),
        (
            "/company/legal_form",
            json!("trust"),
            "/candidates/0/company/legal_form must be one of limited_company,",
        ),
        (
            "/expires_at",
            json!("2026-03-04T10:00:00Z"),
            "/candidates/0/expires_at must be in the future",
        ),
        (
            "/expires_at",
            json!("2026-04-04T10:00:00Z"),
            "/candidates/0/expires_at must not be after 2026-04-03T10:00:00.000Z",
        ),
        (
            "/evidence",
            json!([]),
            "/candidates/0/evidence must be a list with at least",
        ),
        (
            "/evidence/0/kind",
            json!("hearsay"),
            "/candidates/0/evidence/0/kind must be one of address_provenance",
        ),
        (
            "/evidence/0/url",
            Value::Null,
            "/candidates/0/evidence/0/url is required",
        ),
        (
            "/evidence/0/url",
            json!("ftp://acme.example"),
            "/candidates/0/evidence/0/url must be a URL",
        ),
        (
            "/evidence/0/url",
            json!("https://acme.example/?q=sam%40acme-estates.example"),
            "/candidates/0/evidence/0/url must not contain the address",
        ),
        (
            "/evidence/0/excerpt",
            json!("Ask s&#97;m&#64;acme-estates.example"),
            "/candidates/0/evidence/0/excerpt must not contain the address",
        ),
        (
            "/evidence/2/hook",
            json!("You wrote as ada@m\u{fc}ller.example."),
            "/candidates/0/evidence/2/hook must not contain anybody's address",
        ),
        (
            "/evidence/2/excerpt",
            json!("Post by @ada@social.example"),
            "/candidates/0/evidence/2/excerpt must not contain anybody's address or handle with a domain, because it is shown in clear; write a***@social.example or leave it out",
        ),
        (
            "/evidence/0/excerpt",
            json!("Or info@acme-estates.example"),
            "/candidates/0/evidence/0/excerpt must not contain anybody's address or handle with a domain, because it is shown in clear; write i***@acme-estates.example or leave it out",
        ),
        (
            "/evidence/0/url",
            json!(
                "https://acme.example/?utm_source=a-newsletter-with-a-long-name&utm_campaign=spring&email=sam%40acme-estates.example"
            ),
            "/candidates/0/evidence/0/url must not contain the address",
        ),
        (
            "/evidence/0/excerpt",
            json!("Contact\u{2026}sam@acme-estates.example"),
            "/candidates/0/evidence/0/excerpt must not contain the address",
        ),
        (
            "/person/full_name",
            json!("Sam\u{fff9}Okafor"),
            "/candidates/0/person/full_name must not contain characters that change the direction of text or annotate it",
        ),
        (
            "/person/full_name",
            json!("Sam\u{2028}Okafor"),
            "/candidates/0/person/full_name must not contain line breaks",
        ),
        (
            "/qualification/reason",
            json!("Named by ada@other.example"),
            "/candidates/0/qualification/reason must not contain anybody's address",
        ),
        (
            "/evidence/0/retrieved_at",
            Value::Null,
            "/candidates/0/evidence/0/retrieved_at is required",
        ),
        (
            "/evidence/0/retrieved_at",
            json!("yesterday"),
            "/candidates/0/evidence/0/retrieved_at must be an instant",
        ),
        (
            "/evidence/0/content",
            Value::Null,
            "/candidates/0/evidence/0/content_digest is required",
        ),
        (
            "/evidence/0/content_base64",
            json!("eA=="),
            "/candidates/0/evidence/0/content_base64 must not be given beside content",
        ),
        (
            "/evidence/0/content_digest",
            json!(format!("sha256:{}", "9".repeat(64))),
            "/candidates/0/evidence/0/content_digest is not the SHA-256",
        ),
        (
            "/evidence/0/excerpt",
            json!("Sam Okafor, Head of finance"),
            "/candidates/0/evidence/0/excerpt must stand in the content beside it word for word",
        ),
        (
            "/evidence/1/content",
            json!("No interests were."),
            "/candidates/0/evidence/1/excerpt must stand in the content beside it word for word",
        ),
        (
            "/evidence/2/content_digest",
            json!("md5:1"),
            "/candidates/0/evidence/2/content_digest must be sha256:",
        ),
        (
            "/evidence/0/excerpt",
            Value::Null,
            "/candidates/0/evidence/0/excerpt is required",
        ),
        (
            "/evidence/0/excerpt",
            json!("Mail: sam@acme-estates.example"),
            "/candidates/0/evidence/0/excerpt must not contain the address, which nobody is shown in clear; write s***@acme-estates.example",
        ),
        (
            "/evidence/0/address_source_class",
            Value::Null,
            "/candidates/0/evidence/0/address_source_class is required for evidence of this kind",
        ),
        (
            "/evidence/0/hook",
            json!("Hello."),
            "/candidates/0/evidence/0/hook must not be given for evidence of this kind",
        ),
        (
            "/evidence/1/lawful_basis",
            Value::Null,
            "/candidates/0/evidence/1/lawful_basis is required for evidence of this kind",
        ),
        (
            "/evidence/1/source_label",
            Value::Null,
            "/candidates/0/evidence/1/source_label is required for evidence without a url",
        ),
        (
            "/evidence/1/kind",
            json!("consent_record"),
            "/candidates/0/evidence/1/lawful_basis must be consent",
        ),
        (
            "/evidence/2/hook",
            Value::Null,
            "/candidates/0/evidence/2/hook is required for evidence of this kind",
        ),
        (
            "/evidence/2/hook",
            json!("Your block opens in June"),
            "/candidates/0/evidence/2/hook must be a whole sentence with the mark that ends it",
        ),
        (
            "/evidence/2/hook",
            json!("Your block **opens** in June."),
            "/candidates/0/evidence/2/hook must not contain marks of Markdown",
        ),
        (
            "/evidence/2/hook",
            json!(long),
            "/candidates/0/evidence/2/hook must have at most 240 characters",
        ),
        (
            "/evidence/2/observed_on",
            json!("2026-02-30"),
            "/candidates/0/evidence/2/observed_on must be a day",
        ),
        (
            "/evidence/2/observed_on",
            json!("2026-03-05"),
            "/candidates/0/evidence/2/observed_on must not be in the future",
        ),
    ] {
        let told = fault_at(pointer, value);
        assert!(told.starts_with(wanted), "{told}\nis not\n{wanted}");
    }
}

#[test]
fn a_candidate_without_the_source_of_the_address_is_none() {
    let mut candidate = sam();
    candidate["evidence"].as_array_mut().unwrap().remove(0);
    let faults = told(&file(&candidate), &terms());
    assert!(faults[0].contains("kind address_provenance"), "{faults:?}");
}

#[test]
fn files_are_bounded_and_nobody_stands_in_them_twice() {
    let twice = json!({"candidates": [sam(), sam()]});
    assert_eq!(
        told(&twice, &terms()),
        ["/candidates/1/address is that of candidate 0, counted from 0"]
    );
    let many = json!({"candidates": vec![sam(); MAX_CANDIDATES + 1]});
    assert!(told(&many, &terms())[0].contains("at most 1000 candidates"));
    let mut much = sam();
    much["evidence"] = json!(vec![provenance(); MAX_EVIDENCE + 1]);
    assert!(told(&file(&much), &terms())[0].contains("at most 20 records"));
    assert!(told(&json!({"candidates": []}), &terms())[0].contains("at least one"));
    assert!(told(&json!([]), &terms())[0].starts_with("the file must be an object"));
    let faulty = json!({"candidates": vec![json!({}); 100]});
    assert_eq!(told(&faulty, &terms()).len(), MAX_FAULTS);
}
