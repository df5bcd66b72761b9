#![allow(clippy::unwrap_used)]
use super::*;
use crate::prospecting::import::{ImportedEvidence, shows_an_address};
use crate::prospecting::{EvidenceKind, QualificationStatus};

const AT: Timestamp = Timestamp::from_millis(1_700_000_000_000);
const LATER: Timestamp = Timestamp::from_millis(1_702_000_000_000);
const URL: &str = "https://api.people.example/v5/person/search";

fn record(email: &str) -> Value {
    json!({
        "full_name": "Sam Okafor", "first_name": "Sam", "job_title": "Head of operations", "work_email": email,
        "mobile_phone": "+44 20 7946 0000", "job_company_name": "Acme Estates",
        "job_company_website": "www.acme-estates.example", "job_company_location_country": "United Kingdom",
        "job_company_industry": "Real Estate", "job_company_location_locality": "Leeds",
    })
}

fn person(index: usize, record: &Value) -> Value {
    json!({
        "record": format!("/data/{index}"),
        "full_name": record["full_name"], "first_name": record["first_name"], "role": record["job_title"],
        "company": {
            "name": record["job_company_name"], "domain": record["job_company_website"],
            "country": record["job_company_location_country"], "industry": record["job_company_industry"],
            "locality": record["job_company_location_locality"],
        },
        "email": record["work_email"], "email_origin": "licensed",
    })
}

fn gb(name: &str) -> Option<&'static str> {
    (name == "United Kingdom").then_some("GB")
}

/// The candidates of an answer with these records, of which the connector tells this.
fn made(
    records: &[Value],
    people: Vec<Value>,
    synthetic: bool,
) -> (Vec<ImportedCandidate>, LeftOut) {
    let answer = json!({"status": 200, "data": records}).to_string();
    made_of(&answer, &json!(people), synthetic)
}

/// What a connector tells of a person of whom it knows only this.
fn only(record: &str, full_name: &Value, email: &str) -> Value {
    json!({
        "record": record, "full_name": full_name, "first_name": null, "role": null,
        "company": {"name": null, "domain": null, "country": null, "industry": null, "locality": null},
        "email": email, "email_origin": null,
    })
}

/// The candidates of an answer as it is written.
fn made_of(answer: &str, people: &Value, synthetic: bool) -> (Vec<ImportedCandidate>, LeftOut) {
    let found: FoundPeople = serde_json::from_value(json!({
        "receipt_id": "rcp_1", "publisher": "People of a test", "people": people,
    }))
    .unwrap();
    let told = Told {
        answer: answer.as_bytes(),
        digest: Digest::of(answer.as_bytes()),
        url: URL,
        retrieved_at: AT,
        synthetic,
        expires_at: LATER,
    };
    candidates(&found, 100, &told, &gb)
}

#[test]
fn an_escaped_address_is_no_name() {
    for name in [
        r#""full_name":"sam\u0040acme.example""#,
        r#""full_name":"ada@quiet\u002eexample""#,
        r#""\u0073am@acme.example":"Sam Okafor""#,
    ] {
        let answer = format!(r#"{{"data":[{{{name},"work_email":"sam@acme.example"}}]}}"#);
        let read: Value = serde_json::from_str(&answer).unwrap();
        let shown = read["data"][0].as_object().unwrap();
        let named = shown.iter().find(|(name, _)| *name != "work_email");
        let people = json!([only("/data/0", named.unwrap().1, "sam@acme.example")]);
        let (found, _) = made_of(&answer, &people, false);
        let shown: Vec<&ImportedEvidence> = found.iter().flat_map(|it| &it.evidence).collect();
        let shows = |it: &&&ImportedEvidence| shows_an_address(&it.excerpt);
        assert_eq!(shown.iter().find(shows), None, "{answer}");
        assert!(
            found.iter().all(|it| it.person.full_name.is_none()),
            "{answer}"
        );
    }
}

#[test]
fn a_name_belongs_to_no_address_of_another_element() {
    let answer = r#"{"all":{"people":[
        {"full_name":"Ada Brown","work_email":"ada@acme.example"},
        {"full_name":"Sam Okafor","emails":[{"address":"s@acme.example"},{"address":"sam@acme.example"}]}
    ]}}"#;
    let person = |name: &str| json!([only("/all", &json!(name), "sam@acme.example")]);
    let (found, _) = made_of(answer, &person("Sam Okafor"), false);
    assert_eq!(found[0].person.full_name.as_deref(), Some("Sam Okafor"));
    let (found, _) = made_of(answer, &person("Ada Brown"), false);
    assert!(
        found
            .iter()
            .all(|candidate| candidate.person.full_name.is_none()),
        "{found:?}"
    );
}

#[test]
fn a_candidate_rests_on_the_bytes_and_waits_for_a_person() {
    let sam = record("Sam@acme-estates.example");
    let (found, left_out) = made(std::slice::from_ref(&sam), vec![person(0, &sam)], false);
    assert_eq!(left_out, LeftOut::default());
    let [candidate] = &found[..] else {
        unreachable!("one candidate")
    };
    assert_eq!(candidate.qualification.status, QualificationStatus::Pending);
    assert_eq!(candidate.qualification.decided_at, None);
    assert!(!candidate.synthetic);
    assert_eq!(candidate.person.full_name.as_deref(), Some("Sam Okafor"));
    assert_eq!(candidate.person.role.as_deref(), Some("Head of operations"));
    let company = &candidate.company;
    assert_eq!(company.domain.as_deref(), Some("acme-estates.example"));
    assert_eq!(company.country.as_deref(), Some("GB"));
    assert_eq!(company.legal_form, None);
    assert_eq!(candidate.address.in_clear(), "sam@acme-estates.example");
    assert_eq!(candidate.expires_at, LATER);
    let [provenance, fact] = &candidate.evidence[..] else {
        unreachable!("two records")
    };
    assert_eq!(provenance.kind, EvidenceKind::AddressProvenance);
    assert_eq!(
        provenance.address_source_class,
        Some(AddressSourceClass::LicensedProvider)
    );
    assert_eq!(provenance.url.as_deref(), Some(URL));
    assert_eq!(provenance.retrieved_at, AT);
    let answer = json!({"status": 200, "data": [sam]}).to_string();
    assert_eq!(provenance.content_digest, Digest::of(answer.as_bytes()));
    assert_eq!(
        provenance.excerpt,
        r#""full_name":"Sam Okafor" … "job_title":"Head of operations" … "work_email":"s***@acme-estates.example""#
    );
    assert_eq!(fact.kind, EvidenceKind::CompanyFact);
    assert!(
        fact.excerpt
            .starts_with(r#""job_company_name":"Acme Estates""#)
    );
    for record in &candidate.evidence {
        let shown = record.excerpt.to_lowercase();
        assert!(
            !shown.contains("sam@") && !shown.contains("7946"),
            "{shown}"
        );
    }
}

#[test]
fn the_mark_of_a_fixture_is_carried() {
    let sam = record("sam@acme-estates.example");
    let (found, _) = made(std::slice::from_ref(&sam), vec![person(0, &sam)], true);
    assert!(found[0].synthetic);
    assert!(found[0].evidence.iter().all(|record| record.synthetic));
}

#[test]
fn how_an_address_came_to_be_known_is_the_providers_word() {
    for (origin, class) in [
        (json!("licensed"), AddressSourceClass::LicensedProvider),
        (json!("guessed"), AddressSourceClass::DerivedPattern),
        (Value::Null, AddressSourceClass::Unknown),
    ] {
        let sam = record("sam@acme-estates.example");
        let mut told = person(0, &sam);
        told["email_origin"] = origin;
        let (found, _) = made(&[sam], vec![told], false);
        assert_eq!(found[0].evidence[0].address_source_class, Some(class));
    }
}

#[test]
fn nothing_is_believed_that_the_record_does_not_say() {
    let sam = record("sam@acme-estates.example");
    let ada = json!({"full_name": "Ada Byron", "work_email": "ada@acme-estates.example"});
    let mut told = person(0, &sam);
    told["full_name"] = json!("Ada Byron");
    told["role"] = json!("Chief executive");
    told["company"]["domain"] = json!("other.example");
    told["company"]["country"] = json!("France");
    let (found, _) = made(&[sam.clone(), ada.clone()], vec![told], false);
    assert_eq!(
        found[0].person.full_name, None,
        "it stands in another record"
    );
    assert_eq!(found[0].person.role, None);
    assert_eq!(found[0].company.domain, None);
    assert_eq!(found[0].company.country, None);
    let mut made_up = person(0, &sam);
    made_up["email"] = json!("boss@acme-estates.example");
    let mut others = person(0, &sam);
    others["email"] = json!("ada@acme-estates.example");
    let mut nowhere = person(0, &sam);
    nowhere["record"] = json!("/data/7");
    let (found, left_out) = made(&[sam, ada], vec![made_up, others, nowhere], false);
    assert_eq!(found, []);
    assert_eq!(left_out.not_in_answer, 3);
}

#[test]
fn who_cannot_be_a_candidate_is_counted() {
    let sam = record("sam@acme-estates.example");
    let mut silent = record("x");
    silent["work_email"] = Value::Null;
    let broken = record("sam at acme");
    let mut shown = record("ada@acme-estates.example");
    shown["job_company_name"] = json!("Acme (write to ada@acme-estates.example)");
    let records = [sam.clone(), silent, broken, shown, sam];
    let people = (0..)
        .zip(&records)
        .map(|(index, record)| person(index, record));
    let (found, left_out) = made(&records, people.collect(), false);
    assert_eq!(found.len(), 1);
    assert_eq!(
        left_out,
        LeftOut {
            no_address: 1,
            unfit: 2,
            repeated: 1,
            ..LeftOut::default()
        }
    );
}

#[test]
fn a_fact_that_breaks_a_rule_is_unknown() {
    let mut sam = record("sam@acme-estates.example");
    sam["job_title"] = json!("x".repeat(121));
    sam["first_name"] = json!("Sam\nOkafor");
    sam["job_company_industry"] = json!("y".repeat(81));
    sam["job_company_location_country"] = json!("Utopia");
    let (found, _) = made(std::slice::from_ref(&sam), vec![person(0, &sam)], false);
    let candidate = &found[0];
    assert_eq!(candidate.person.full_name.as_deref(), Some("Sam Okafor"));
    assert_eq!(candidate.person.role, None);
    assert_eq!(candidate.person.first_name, None);
    assert_eq!(candidate.company.industry, None);
    assert_eq!(candidate.company.country, None);
}

#[test]
fn a_person_is_never_printed() {
    let sam: FoundPerson =
        serde_json::from_value(person(0, &record("sam@acme-estates.example"))).unwrap();
    let printed = format!("{sam:?}");
    assert!(
        !printed.contains("sam@") && !printed.contains("Okafor"),
        "{printed}"
    );
}
