//! Offers in the engine: the binding names one, jobs pin its approved revision, and later changes leave it alone.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use gtm_domain::binding::{BindingScope, BindingTarget, BindingTerms};
use gtm_domain::offer::{OfferContent, OfferInput};
use gtm_domain::{JobStatus, OfferId};
use gtm_engine::{CreateError, CreateOutcome, Engine, OfferProblem, Workers};
use serde_json::{Value, json};

use crate::harness::{Harness, answer, input};
use crate::replays::reader;
use crate::scripted::{Script, ScriptedConnectors, empty_draft, pages, script};

fn content(proof: &str) -> OfferContent {
    let written = json!({
        "name": "Handover meters",
        "proof_points": [{"key": "a", "text": proof}],
        "pricing": {"model": "per_unit_month", "display": "from £3.20 per flat"},
        "forbidden_claims": ["guaranteed savings"],
    });
    OfferInput::read(&written).unwrap().content
}

/// A backend that records the offer it receives, and cites its proof point and a forbidden claim.
fn selling(seen: Arc<Mutex<Vec<Value>>>) -> Script {
    script(move |_, request| {
        let offer = request.input["offer"].clone();
        seen.lock().unwrap().push(offer.clone());
        async move {
            let basis = |index: usize| {
                json!({"pointer": format!("/proof_points/{index}"), "basis": "provided", "reasoning": null,
                    "excerpts": [], "receipt_ids": []})
            };
            let mut draft = empty_draft();
            draft["result"]["proof_points"] = json!([
                {"text": offer["proof_points"][0]["text"], "origin": "brand"},
                {"text": "Handover meters with guaranteed savings", "origin": "offer"},
            ]);
            draft["basis"] = (0..2).map(basis).collect();
            Ok(draft)
        }
    })
}

async fn bind(harness: &Harness, offer: Option<OfferId>) {
    let target = BindingTarget::Backend {
        key: "playbook".to_owned(),
        version: Some("1.0.0".to_owned()),
    };
    let scope = BindingScope::Project(harness.project);
    let terms = BindingTerms {
        offer,
        ..BindingTerms::default()
    };
    let operator = harness.store.operator();
    let bound = operator.set_binding_on(scope, "playbooks", target, json!({}), terms);
    bound.await.unwrap();
}

async fn refusal(harness: &Harness, engine: &Engine) -> CreateError {
    let made = engine.create_for_brand(&harness.scope, input(), None, |job| {
        answer(job.id.to_string())
    });
    made.await.unwrap_err()
}

#[tokio::test]
async fn a_playbook_sells_the_revision_that_was_approved_when_it_was_created() {
    let harness = Harness::new(ScriptedConnectors::new(pages())).await;
    let seen = Arc::new(Mutex::new(Vec::new()));
    let engine = harness.engine(selling(seen.clone()));
    let operator = harness.store.operator();
    let organization = harness.scope.organization();
    let key = "handover".parse().unwrap();
    let made = operator.create_offer(organization, key, content("18,000 flats billed monthly"));
    let made = made.await.unwrap();
    let id = made.offer.id;
    operator.approve_offer(id, Some(1), "Ada").await.unwrap();
    bind(&harness, Some(id)).await;

    let first = harness.create(&engine).await;
    // All of this happens before a worker takes the job.
    operator
        .revise_offer(id, None, content("20,000 flats billed monthly"))
        .await
        .unwrap();
    operator.approve_offer(id, Some(2), "Ada").await.unwrap();
    let second = harness.create(&engine).await;
    operator.archive_offer(id).await.unwrap();
    let refused = refusal(&harness, &engine).await;
    assert!(
        matches!(refused, CreateError::Offer(OfferProblem::Archived(offer)) if offer == id),
        "{refused}"
    );

    let workers = Workers::start(&engine);
    let mut hashes = Vec::new();
    for (job, revision, proof) in [
        (first, 1, "18,000 flats billed monthly"),
        (second, 2, "20,000 flats billed monthly"),
    ] {
        let ended = harness.ended(job).await;
        assert_eq!(ended.status, JobStatus::Succeeded, "{:?}", ended.error);
        assert_eq!(ended.pins["offer"]["revision"], revision);
        let result = ended.result.clone().unwrap();
        assert_eq!(result["offer"], ended.pins["offer"]);
        assert_eq!(
            result["proof_points"],
            json!([{"text": proof, "origin": "offer"}]),
            "the forbidden claim is left out"
        );
        assert_eq!(result["basis"][0]["basis"], "provided");
        hashes.push(result["offer"]["offer_hash"].clone());
        let replayed = engine.replay(ended.clone(), reader(&harness, &ended)).await;
        assert!(replayed.unwrap().is_same());
    }
    workers.shutdown(Duration::from_secs(1)).await;
    assert_eq!(hashes[0], json!(made.revision.hash));
    assert_ne!(hashes[0], hashes[1]);
    for offer in seen.lock().unwrap().iter() {
        assert_eq!(offer["forbidden_claims"], json!(["guaranteed savings"]));
        assert_eq!(
            offer["pricing"],
            Value::Null,
            "a price that must not be disclosed"
        );
    }

    // Without an offer, a backend is told of none.
    bind(&harness, None).await;
    let created = engine.create_for_brand(&harness.scope, input(), None, |job| {
        answer(job.id.to_string())
    });
    let Ok(CreateOutcome::Created { resource, .. }) = created.await else {
        panic!("refused without an offer")
    };
    assert_eq!(resource.pins.get("offer"), None);
}
