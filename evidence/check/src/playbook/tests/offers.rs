//! What an offer adds to the seller's words, and what it forbids.

use gtm_domain::OfferId;
use gtm_domain::offer::{OfferBinding, OfferContent, OfferInput};
use gtm_domain::playbook::ProofOrigin;

use super::*;

fn offer(disclosed: bool) -> OfferContent {
    let written = json!({
        "name": "Handover meters",
        "proof_points": [{"key": "a", "text": "18,000 flats billed monthly", "numeric_values": ["18,000"]}],
        "pricing": {"model": "per_unit_month", "display": "from 3.20 GBP per flat", "disclose_in_copy": disclosed},
        "forbidden_claims": ["guaranteed savings"],
    });
    OfferInput::read(&written).unwrap().content
}

fn bound() -> OfferBinding {
    OfferBinding {
        offer_id: OfferId::from_uuid(uuid::Uuid::from_u128(1)),
        revision: 2,
        offer_hash: Digest::of(b"offer"),
    }
}

fn run_selling(offer: Option<&OfferContent>, result: Value, basis: Value) -> Checked {
    let draft = Draft::read(&json!({"result": result, "basis": basis, "sources": []})).unwrap();
    let (input, bound) = (input(), bound());
    let by = CheckInput {
        input: &input,
        brand: None,
        guideline: None,
        offer: offer.map(|content| (&bound, content)),
        start_urls: &StartUrls::default(),
        library: &library(),
        duration_seconds: 1.5,
        stop: &StopFlag::default(),
    };
    check(&draft, &by).unwrap()
}

fn proofs(texts: &[&str]) -> (Value, Value) {
    let points: Vec<Value> = texts
        .iter()
        .map(|text| json!({"text": text, "origin": "public"}))
        .collect();
    let basis: Vec<Value> = (0..texts.len())
        .map(|index| provided(&format!("/proof_points/{index}")))
        .collect();
    (json!({ "proof_points": points }), json!(basis))
}

#[test]
fn the_offer_s_words_are_the_seller_s() {
    let texts = ["18,000 flats billed monthly", "from 3.20 GBP per flat"];
    let kept = |offer: Option<&OfferContent>| {
        let (result, basis) = proofs(&texts);
        let checked = run_selling(offer, result, basis);
        let points = checked.result.proof_points;
        assert!(points.iter().all(|p| p.origin == ProofOrigin::Offer));
        (
            points.into_iter().map(|p| p.text).collect::<Vec<_>>(),
            checked.result.offer,
        )
    };
    assert_eq!(
        kept(Some(&offer(true))),
        (texts.map(str::to_owned).to_vec(), Some(bound()))
    );
    // A price that must not be disclosed is nobody's word, whoever guessed it.
    assert_eq!(kept(Some(&offer(false))).0, [texts[0]]);
    assert_eq!(kept(None), (Vec::new(), None));
}

#[test]
fn a_forbidden_claim_is_left_out_wherever_it_stands() {
    let result = json!({
        "sales_angles": ["They bill 1,200 flats; offer them guaranteed   Savings."],
        "talk_track": {"opening": "You bill 1,200 flats with guaranteed savings.", "bridge": null, "ask": null},
        "risks": [{"text": "Guaranteed savings are expected.", "kind": "unknown"}],
    });
    let quoted = "We bill 1,200 flats.";
    let basis = json!([
        stated("/sales_angles/0", 1, quoted),
        stated("/talk_track/opening", 1, quoted),
    ]);
    let free = run_selling(None, result.clone(), basis.clone()).result;
    assert_eq!(free.sales_angles.len(), 1, "without the offer it stands");
    assert!(free.talk_track.opening.is_some() && free.risks.len() == 1);
    let checked = run_selling(Some(&offer(true)), result, basis);
    assert!(checked.result.sales_angles.is_empty());
    assert_eq!(checked.result.talk_track.opening, None);
    assert!(checked.result.risks.is_empty());
    let reasons: Vec<Dropped> = checked.dropped.iter().map(|(_, reason)| *reason).collect();
    assert_eq!(reasons, [Dropped::Forbidden; 2]);
    let mut lacking = unverified(&checked.result.unknowns);
    lacking.sort_unstable();
    assert_eq!(lacking, ["/sales_angles", "/talk_track/opening"]);
    let told: Vec<String> = checked
        .left_out
        .iter()
        .map(|left| left.in_words())
        .collect();
    assert!(
        told.iter().all(|text| text.contains("the offer forbids")),
        "{told:?}"
    );
}
