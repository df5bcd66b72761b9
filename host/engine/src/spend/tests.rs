#![allow(clippy::unwrap_used)]
use super::*;
use gtm_domain::{Failure, FailureKind};
use gtm_runtime::{RawTokens, Resources};
use proptest::prelude::*;
use serde_json::json;

fn outcome(
    result: Result<Value, Failure>,
    tokens: Option<RawTokens>,
    cost_usd: Option<f64>,
) -> ConnectorOutcome {
    ConnectorOutcome {
        result,
        exchanges: vec![],
        meters: Meters {
            tokens,
            cost_usd,
            requests: 1,
            ..Meters::default()
        },
        sendings: gtm_runtime::egress::Sendings::default(),
        resources: Resources::default(),
        logs: vec![],
        denied: vec![],
    }
}

fn table() -> Value {
    json!({"prices": {"input_per_million_usd": 2.0, "output_per_million_usd": 10.0}})
}

#[test]
fn prices_come_from_the_connections_settings() {
    assert_eq!(Price::of("web.fetch", false, &json!({})), Price::Free);
    assert_eq!(
        Price::of(MODEL_COMPLETE, true, &json!({"free": true})),
        Price::Free
    );
    assert_eq!(
        Price::of(MODEL_COMPLETE, false, &json!({})),
        Price::Unknown,
        "a model is never free by omission"
    );
    assert_eq!(
        Price::of(MODEL_COMPLETE, true, &json!({"free": "yes"})),
        Price::Unknown
    );
    assert_eq!(
        Price::of(
            MODEL_COMPLETE,
            true,
            &json!({"prices": {"input_per_million_usd": -1.0, "output_per_million_usd": 1.0}})
        ),
        Price::Unknown
    );
    assert!(matches!(
        Price::of(MODEL_COMPLETE, true, &table()),
        Price::Tokens(_)
    ));
    assert_eq!(
        Price::of(
            "web.search",
            true,
            &json!({"prices": {"per_request_usd": 0.005}})
        ),
        Price::PerRequest(MicroUsd::from_micros(5000))
    );
    assert_eq!(Price::Unknown.ceiling(&json!({}), &json!({})), None);
}

#[test]
fn a_search_for_people_is_charged_by_the_record() {
    let settings = json!({"prices": {"per_record_usd": 0.28, "per_request_usd": 0.1}});
    let price = Price::of(PEOPLE_SEARCH, true, &settings);
    assert_eq!(price, Price::PerRecord(MicroUsd::from_micros(280_000)));
    let of_requests = json!({"prices": {"per_request_usd": 0.1}});
    assert_eq!(Price::of(PEOPLE_SEARCH, true, &of_requests), Price::Unknown);
    let ceiling = price.ceiling(&json!({"limit": 10}), &settings).unwrap();
    assert_eq!(ceiling, MicroUsd::from_micros(2_800_000));
    assert_eq!(price.ceiling(&json!({}), &settings), None);
    let charge_of = |result, credits, statuses: &[u16]| {
        let mut outcome = outcome(result, None, None);
        outcome.meters.credits = credits;
        outcome.exchanges = statuses.iter().map(|status| answered(*status)).collect();
        let charge = price.charge(&outcome, None, ceiling);
        let reported = charge.reported.map(MicroUsd::micros);
        (charge.cost.micros(), reported)
    };
    let found = |count: usize| Ok(json!({"people": vec![json!({}); count]}));
    let charge = |result, credits| charge_of(result, credits, &[200]);
    assert_eq!(charge(found(3), Some(3.0)), (840_000, None));
    // Without a meter, nobody but the connector says how many there were.
    for count in [0, 3] {
        assert_eq!(charge(found(count), None), (2_800_000, None), "{count}");
    }
    // Nobody was found, or nobody was asked.
    assert_eq!(charge_of(found(0), None, &[404]), (0, None));
    assert_eq!(charge_of(found(0), None, &[]), (0, None));
    assert_eq!(charge_of(found(0), None, &[404, 200]), (2_800_000, None));
    assert_eq!(charge(found(3), Some(0.0)), (840_000, None), "not believed");
    assert_eq!(charge(found(0), Some(0.0)), (0, None));
    assert_eq!(charge(found(3), Some(20.0)), (2_800_000, Some(5_600_000)));
    let failure = || Err(Failure::new(FailureKind::Upstream, "http_500", "x"));
    assert_eq!(charge(failure(), Some(2.0)), (560_000, None));
    assert_eq!(charge(failure(), None), (0, None));
}

#[test]
fn a_repair_doubles_the_ceiling_at_least() {
    let price = Price::of(MODEL_COMPLETE, true, &table());
    let plain = price
        .ceiling(&json!({"messages": [], "max_output_tokens": 100}), &table())
        .unwrap();
    let checked = price
        .ceiling(
            &json!({"messages": [], "max_output_tokens": 100, "response_schema": {}}),
            &table(),
        )
        .unwrap();
    assert!(checked > plain + plain);
    let by_setting = price
        .ceiling(&json!({"messages": []}), &json!({"max_output_tokens": 7}))
        .unwrap();
    let by_default = price.ceiling(&json!({"messages": []}), &json!({})).unwrap();
    assert!(by_setting < by_default);
    let whole = |most: Value| {
        price.ceiling(
            &json!({"messages": [], "max_output_tokens": most}),
            &table(),
        )
    };
    assert!(whole(json!(200_000.0)) > whole(json!(199_000)));
}

#[test]
fn what_was_used_is_charged_even_if_the_call_failed() {
    let price = Price::of(MODEL_COMPLETE, true, &table());
    let used = RawTokens {
        input: Some(1000),
        output: Some(100),
        ..RawTokens::default()
    };
    let ceiling = MicroUsd::from_micros(99_999);
    let cost = |outcome: &ConnectorOutcome| {
        let charge = price.charge(outcome, tokens(outcome).as_ref(), ceiling);
        assert_eq!(charge.reported, None);
        charge.cost
    };
    let failure = || {
        Err(Failure::new(
            FailureKind::Upstream,
            "invalid_model_output",
            "x",
        ))
    };
    assert_eq!(
        cost(&outcome(failure(), Some(used), None)),
        MicroUsd::from_micros(3000)
    );
    assert_eq!(cost(&outcome(failure(), None, None)), MicroUsd::ZERO);
    assert_eq!(
        cost(&outcome(Ok(json!({})), Some(used), Some(0.025))),
        MicroUsd::from_micros(25_000)
    );
    assert_eq!(cost(&outcome(Ok(json!({})), None, None)), ceiling);
    let free = outcome(Ok(json!({})), Some(used), Some(0.25));
    let free = Price::Free.charge(&free, None, MicroUsd::ZERO);
    assert_eq!((free.cost, free.reported), (MicroUsd::ZERO, None));
}

#[test]
fn no_figure_is_charged_over_the_ceiling() {
    let price = Price::of(MODEL_COMPLETE, true, &table());
    let ceiling = MicroUsd::from_micros(1000);
    let charge = |tokens: Option<TokenUsage>, cost_usd| {
        let outcome = outcome(Ok(json!({})), None, cost_usd);
        let charge = price.charge(&outcome, tokens.as_ref(), ceiling);
        assert!(charge.cost >= MicroUsd::ZERO && charge.cost <= ceiling);
        (charge.cost.micros(), charge.reported.map(MicroUsd::micros))
    };
    let tokens = |output| TokenUsage {
        output,
        ..TokenUsage::default()
    };
    assert_eq!(charge(Some(tokens(100)), None), (1000, None));
    assert_eq!(charge(Some(tokens(101)), None), (1000, Some(1010)));
    assert_eq!(charge(Some(tokens(u64::MAX)), None).1, Some(i64::MAX));
    assert_eq!(
        charge(Some(tokens(1)), Some(1e12)),
        (1000, Some(1_000_000_000_000_000_000))
    );
    // Where a price is set, a cost of zero, or below that of the tokens, does not count as stated.
    for less in [-0.0, 0.0, 0.000_009] {
        assert_eq!(charge(Some(tokens(1)), Some(less)), (10, None));
    }
    assert_eq!(charge(Some(tokens(1)), Some(0.000_011)), (11, None));
    assert_eq!(charge(None, Some(0.0)), (1000, None), "as if not said");
    assert_eq!(charge(None, Some(0.000_001)), (1, None));
    // A figure that is not an amount states nothing, so the tokens decide.
    for nonsense in [1e18, 1e300, f64::NAN, f64::INFINITY, -1.0] {
        assert_eq!(charge(Some(tokens(1)), Some(nonsense)), (10, None));
    }
}

#[test]
fn no_tokens_at_all_count_as_not_said() {
    let price = Price::of(MODEL_COMPLETE, true, &table());
    let ceiling = MicroUsd::from_micros(1_000_000);
    let charged = |result, total| {
        let raw = RawTokens {
            input: Some(0),
            output: Some(0),
            total,
            ..RawTokens::default()
        };
        let outcome = outcome(result, Some(raw), None);
        let cost = price.charge(&outcome, tokens(&outcome).as_ref(), ceiling);
        (cost.cost.micros(), has_tokens_of_no_kind(&outcome))
    };
    let failure = || Err(Failure::new(FailureKind::Upstream, "invalid_output", "x"));
    assert_eq!(charged(Ok(json!({})), None), (1_000_000, false));
    assert_eq!(charged(Ok(json!({})), Some(0)), (1_000_000, false));
    assert_eq!(charged(failure(), None), (0, false));
    // A total beyond them is charged at the dearer price, and nobody knows what the excess was.
    assert_eq!(charged(Ok(json!({})), Some(50_000)), (500_000, true));
    assert_eq!(charged(failure(), Some(50_000)), (500_000, true));
    assert_eq!(charged(Ok(json!({})), Some(500_000)), (1_000_000, true));
}

fn answered(status: u16) -> gtm_runtime::Exchange {
    let url = "https://search.example/".to_owned();
    gtm_runtime::Exchange {
        receipt: gtm_domain::receipt::Receipt {
            id: gtm_domain::ReceiptId::from_uuid(uuid::Uuid::from_u128(1)),
            method: "GET".into(),
            url: url.clone(),
            final_url: url,
            host: "search.example".into(),
            port: 443,
            status: Some(status),
            content_type: None,
            request_bytes: 0,
            response_bytes: 0,
            response_digest: None,
            at: gtm_domain::Timestamp::EPOCH,
            duration_ms: 1,
            attempts: 1,
            decision: "allowed".into(),
            credentials: Vec::new(),
        },
        body: bytes::Bytes::new().into(),
    }
}

#[test]
fn a_price_for_each_request_is_charged_once_a_call() {
    let price = MicroUsd::from_micros(5000);
    let charge = |statuses: &[u16]| {
        let mut outcome = outcome(Ok(json!({})), None, Some(9.0));
        outcome.exchanges = statuses.iter().map(|status| answered(*status)).collect();
        let per_request = Price::PerRequest(price);
        let ceiling = per_request.ceiling(&json!({}), &json!({})).unwrap();
        let charge = per_request.charge(&outcome, None, ceiling);
        (charge.cost.micros(), charge.reported.map(MicroUsd::micros))
    };
    assert_eq!(charge(&[503, 503]), (0, None));
    assert_eq!(charge(&[503, 200]), (5000, None));
    assert_eq!(charge(&[200, 200, 201]), (5000, Some(15_000)));
}

proptest! {
    /// As long as no call costs more than its ceiling, the cap is never exceeded.
    #[test]
    fn the_cap_holds(cap in 0i64..10_000, calls in proptest::collection::vec((0i64..3000, 0i64..=100, any::<bool>()), 0..40)) {
        let nothing = MicroUsd::ZERO;
        let mut budget = Budget::new(MicroUsd::from_micros(cap), nothing, nothing);
        let mut open = Vec::new();
        for (ceiling, percent, end_one) in calls {
            let ceiling = MicroUsd::from_micros(ceiling);
            if budget.reserve(ceiling).is_ok() {
                open.push((ceiling, MicroUsd::from_micros(ceiling.micros() * percent / 100)));
            }
            prop_assert!((budget.settled + budget.under_way).micros() <= cap);
            if end_one && let Some((ceiling, actual)) = open.pop() {
                budget.settle(ceiling, actual, nothing);
            }
        }
        for (ceiling, actual) in open { budget.settle(ceiling, actual, nothing); }
        prop_assert_eq!(budget.under_way, MicroUsd::ZERO);
        prop_assert!(budget.settled().micros() <= cap);
    }
}
