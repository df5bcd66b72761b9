#![allow(clippy::unwrap_used)]
use proptest::prelude::*;
use serde_json::{Value, json};
use uuid::Uuid;

use super::forbidden::first_forbidden;
use super::reading::MAX_FAULTS;
use super::*;

fn written() -> Value {
    json!({
        "key": "submetering-handover",
        "name": " Handover-ready sub-metering ",
        "summary": "Meters installed before handover, one bill per flat.",
        "url": "https://northwind-metering.example/handover",
        "facts": [{"key": "battery", "text": "The battery lasts ten years."}],
        "value_propositions": [{"key": "vp-1", "text": "One bill per flat from day one."}],
        "proof_points": [{"key": "pp-1", "text": "18,000 flats billed monthly", "numeric_values": ["18,000"],
            "source_url": "https://northwind-metering.example/"}],
        "pricing": {"model": "per_unit_month", "currency": "GBP", "display": "from £3.20 per flat per month"},
        "icp": {"segments": ["build-to-rent"], "roles": ["head of operations"], "countries": ["GB"]},
        "stage_fit": ["prospecting", "evaluation"],
        "allowed_link_hosts": ["Northwind-Metering.example"],
        "forbidden_claims": ["guaranteed savings"],
    })
}

fn ids() -> (OfferId, OrganizationId) {
    let of = |number| Uuid::from_u128(number);
    (OfferId::from_uuid(of(1)), OrganizationId::from_uuid(of(2)))
}

#[test]
fn an_offer_is_read_and_normalized() {
    let OfferInput { key, content } = OfferInput::read(&written()).unwrap();
    assert_eq!(key.unwrap().as_str(), "submetering-handover");
    assert_eq!(content.name, "Handover-ready sub-metering");
    assert_eq!(content.allowed_link_hosts, ["northwind-metering.example"]);
    assert_eq!(content.icp.exclusions, [""; 0]);
    let pricing = content.pricing.clone().unwrap();
    assert!(!pricing.disclose_in_copy, "what nobody decided");
    // What was read is a valid offer itself, and nothing changes the second time.
    let again = serde_json::to_value(&content).unwrap();
    assert_eq!(OfferInput::read(&again).unwrap().content, content);
    let least = OfferInput::read(&json!({"name": "Meters"})).unwrap();
    assert_eq!((least.key, least.content.name.as_str()), (None, "Meters"));
}

#[test]
fn each_fault_names_its_place() {
    let long = "x".repeat(241);
    let many = vec!["x"; 41];
    for (pointer, value, told) in [
        ("/key", json!("No Key"), "lower-case"),
        ("/name", json!(" "), "blank"),
        ("/name", json!(long), "at most 240 characters, and has 241"),
        ("/name", json!("a\nb"), "line breaks"),
        ("/name", json!("a\u{2028}b"), "line breaks"),
        ("/name", json!("a\u{202e}b"), "direction of text"),
        ("/name", json!(7), "in quotes"),
        ("/name", Value::Null, "required"),
        ("/nmae", json!("x"), "not known"),
        ("/facts", json!({}), "a list"),
        ("/facts/0", json!("The battery lasts."), "an object"),
        ("/facts/0/text", Value::Null, "required"),
        ("/facts/0/key", json!("Ä"), "lower-case"),
        ("/facts/0/source", json!("x"), "not known"),
        (
            "/proof_points/0/numeric_values/0",
            json!("19,000"),
            "stands in the text",
        ),
        (
            "/proof_points/0/numeric_values/0",
            json!("flats"),
            "stands in the text",
        ),
        (
            "/proof_points/0/source_url",
            json!("ftp://a.example/"),
            "https or http",
        ),
        (
            "/proof_points/0/source_url",
            json!("https://me:pw@a.example/"),
            "password",
        ),
        ("/pricing/model", Value::Null, "required"),
        ("/pricing/model", json!("per unit"), "underscores"),
        ("/pricing/currency", json!("Pounds"), "ISO 4217"),
        ("/pricing/disclose_in_copy", json!("no"), "true or false"),
        ("/icp/segments", json!(many), "at most 40"),
        ("/icp/countries/0", json!("Norway"), "ISO 3166-1"),
        ("/icp/countries/0", json!(false), "in quotes"),
        ("/stage_fit/1", json!("closing"), "one of prospecting"),
        (
            "/allowed_link_hosts/0",
            json!("https://a.example"),
            "without a scheme",
        ),
        ("/forbidden_claims/0", json!("…!"), "a word"),
        (
            "/url",
            json!("http://northwind-metering.example/"),
            "with https",
        ),
        (
            "/url",
            json!("https://elsewhere.example/"),
            "allowed_link_hosts",
        ),
        (
            "/value_propositions/0/text",
            json!("Guaranteed  savings!"),
            "forbidden claim",
        ),
    ] {
        let mut offer = written();
        let (parent, member) = pointer.rsplit_once('/').unwrap();
        match offer.pointer_mut(parent).unwrap() {
            Value::Array(items) => items[member.parse::<usize>().unwrap()] = value,
            object => object[member] = value,
        }
        let faults = OfferInput::read(&offer).unwrap_err();
        assert_eq!(faults.len(), 1, "{pointer}: {faults:?}");
        assert_eq!(faults[0].pointer, pointer);
        assert!(faults[0].message.contains(told), "{}", faults[0]);
    }
    assert_eq!(OfferInput::read(&json!([])).unwrap_err()[0].pointer, "");
    let mut twice = written();
    let again = twice["facts"][0].clone();
    twice["facts"].as_array_mut().unwrap().push(again);
    assert_eq!(
        OfferInput::read(&twice).unwrap_err()[0].pointer,
        "/facts/1/key"
    );
}

#[test]
fn all_faults_are_told_at_once_but_not_without_end() {
    let mut offer = written();
    offer["name"] = json!("");
    offer["pricing"]["display"] = json!("");
    assert_eq!(OfferInput::read(&offer).unwrap_err().len(), 2);
    let strange: serde_json::Map<String, Value> =
        (0..500).map(|n| (format!("m{n}"), json!(n))).collect();
    assert_eq!(
        OfferInput::read(&Value::Object(strange)).unwrap_err().len(),
        MAX_FAULTS
    );
}

#[test]
fn a_hash_covers_content_and_identity() {
    let (offer, organization) = ids();
    let key: OfferKey = "a".parse().unwrap();
    let content = OfferInput::read(&written()).unwrap().content;
    let hash = |offer, revision, content: &OfferContent| {
        offer_hash(offer, organization, &key, revision, content).unwrap()
    };
    let one = hash(offer, 1, &content);
    assert_eq!(one, hash(offer, 1, &content.clone()));
    assert_ne!(one, hash(offer, 2, &content));
    assert_ne!(
        one,
        hash(OfferId::from_uuid(Uuid::from_u128(9)), 1, &content)
    );
    let other = OfferContent {
        forbidden_claims: Vec::new(),
        ..content
    };
    assert_ne!(one, hash(offer, 1, &other));
}

#[test]
fn an_offer_goes_from_draft_to_archive() {
    let (id, organization) = ids();
    let [one, two] = [1, 2].map(Timestamp::from_millis);
    let key: OfferKey = "a".parse().unwrap();
    let draft = Offer::new(id, organization, key.clone(), one);
    assert_eq!(draft.status(), OfferStatus::Draft);
    let active = draft.approved(Some(1), two).unwrap().unwrap();
    assert_eq!(
        (active.status(), active.approved_revision),
        (OfferStatus::Active, Some(1))
    );
    assert_eq!(active.approved(None, two), Ok(None), "already");
    // A revision leaves the approved one in use.
    let revised = active.revised(Some(&key), two).unwrap();
    assert_eq!(
        (
            revised.status(),
            revised.revision,
            revised.approved_revision
        ),
        (OfferStatus::Active, 2, Some(1))
    );
    assert_eq!(
        revised.approved(Some(1), two).unwrap_err(),
        OfferRefusal::NotNewest {
            offer: id,
            wanted: 1,
            newest: 2
        }
    );
    assert!(active.revised(Some(&"b".parse().unwrap()), two).is_err());
    let archived = revised.archived(two).unwrap();
    assert_eq!(archived.status(), OfferStatus::Archived);
    assert_eq!(archived.archived(two), None);
    let refused = OfferRefusal::Archived(id);
    assert_eq!(archived.revised(None, two).unwrap_err(), refused);
    assert_eq!(archived.approved(None, two).unwrap_err(), refused);
}

#[test]
fn an_offer_is_named_by_its_id_or_its_key() {
    let (id, _) = ids();
    assert_eq!(id.to_string().parse(), Ok(OfferSelection::Id(id)));
    let key = "starter-plan".parse().unwrap();
    assert_eq!("starter-plan".parse(), Ok(OfferSelection::Key(key)));
    for text in ["", "offr_1", "Starter", "a b", "-a"] {
        assert!(text.parse::<OfferSelection>().is_err(), "{text:?}");
    }
}

#[test]
fn a_forbidden_claim_is_found_in_any_dress() {
    let claims = ["Guaranteed savings", "100 %", "保証します", "don't pay"].map(str::to_owned);
    let found = |text: &str| first_forbidden(&claims, text).map(str::to_owned);
    for (text, claim) in [
        ("You get GUARANTEED\u{a0}SAVINGS.", "Guaranteed savings"),
        ("guaranteed-savings plan", "Guaranteed savings"),
        ("“Guaranteed” savings", "Guaranteed savings"),
        ("guaran\u{ad}teed savings", "Guaranteed savings"),
        ("100% uptime", "100 %"),
        ("１００％ uptime", "100 %"),
        ("当社は保証します。", "保証します"),
        ("You don’t pay twice", "don't pay"),
    ] {
        assert_eq!(found(text).as_deref(), Some(claim), "{text}");
    }
    for text in [
        "unguaranteed savings",
        "guaranteed savingsbook",
        "guaranteed by our savings",
        "100 flats",
        "1100 %",
        "",
    ] {
        assert_eq!(found(text), None, "{text}");
    }
}

#[test]
fn a_price_that_is_not_disclosed_is_nobody_s_word() {
    let mut offer = written();
    let words = |offer: &Value| OfferInput::read(offer).unwrap().content.words().join("\n");
    assert!(!words(&offer).contains("3.20"));
    assert!(!words(&offer).contains("guaranteed"));
    assert!(words(&offer).contains("18,000 flats"));
    let told = OfferInput::read(&offer).unwrap().content.for_texts();
    assert_eq!(told.pricing, None);
    offer["pricing"]["disclose_in_copy"] = json!(true);
    assert!(words(&offer).contains("from £3.20"));
    let told = OfferInput::read(&offer).unwrap().content.for_texts();
    assert!(told.pricing.is_some());
}

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        "\\PC{0,300}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 40, 6, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::from),
            prop::collection::vec(("[a-z_~/]{0,8}", inner), 0..6)
                .prop_map(|members| Value::Object(members.into_iter().collect())),
        ]
    })
}

proptest! {
    /// Whatever stands anywhere in an offer: it is read, or refused at places that exist in it or are missing.
    #[test]
    fn every_fault_points_into_the_offer(
        member in prop::sample::select(vec!["key", "name", "summary", "url", "facts", "value_propositions",
            "proof_points", "pricing", "icp", "stage_fit", "allowed_link_hosts", "forbidden_claims"]),
        value in any_json(),
    ) {
        let mut offer = written();
        offer[member] = value;
        match OfferInput::read(&offer) {
            Ok(read) => {
                let again = serde_json::to_value(&read.content).unwrap();
                prop_assert_eq!(OfferInput::read(&again).unwrap().content, read.content);
            }
            Err(faults) => {
                prop_assert!(!faults.is_empty() && faults.len() <= MAX_FAULTS);
                for fault in faults {
                    let parent = fault.pointer.rsplit_once('/').map_or("", |(parent, _)| parent);
                    prop_assert!(offer.pointer(parent).is_some(), "{}", fault);
                }
            }
        }
    }

    /// A claim is found in every text that contains it between spaces, and in itself.
    #[test]
    fn a_claim_is_found_where_it_stands(claim in "[a-zäß0-9%]{1,8}( [a-zäß0-9%]{1,8}){0,3}", around in "\\PC{0,20}") {
        let claims = [claim.clone()];
        let text = format!("{around} | {} | {around}", claim.to_uppercase());
        prop_assert_eq!(first_forbidden(&claims, &text), Some(claim.as_str()));
    }
}
