//! Tests of how much is held for a call whose cost is in doubt: it depends on what was sent and what was
//! counted.

use gtm_domain::{Failure, FailureKind, JobStatus, MicroUsd};
use gtm_runtime::ConnectorOutcome;
use gtm_runtime::egress::Sendings;
use serde_json::{Value, json};

use crate::harness::Harness;
use crate::scripted::{ask, complete, completion, script, small_draft};
use crate::unsettled::{by_tokens, marked, priced_by, sound};

/// A change to an answer that was charged as it should be.
pub type Change = fn(&mut ConnectorOutcome);

/// The amounts that wait for an operator, given the call's ceiling: what is already charged, and what is
/// held.
type Waits = Option<Box<dyn Fn(i64) -> (i64, i64)>>;

fn fails(outcome: &mut ConnectorOutcome, code: &str) {
    let kind = FailureKind::Timeout;
    outcome.result = Err(Failure::new(kind, code, "x"));
    outcome.meters.tokens = None;
}

/// Loses the answer of the only exchange, after these requests were sent.
fn lost(outcome: &mut ConnectorOutcome, sendings: Sendings) {
    fails(outcome, "timeout");
    outcome.exchanges[0].receipt.status = None;
    outcome.sendings = sendings;
}

fn answered_again(outcome: &mut ConnectorOutcome, times: usize) {
    for _ in 0..times {
        let more = completion("more", 0, 0).exchanges;
        outcome.exchanges.extend(more);
    }
    outcome.sendings.sent += u32::try_from(times).unwrap();
}

/// A finished job whose only call had this answer, and the cost of the job.
pub async fn made(shown: &str, prices: Value, change: Change) -> (Harness, MicroUsd) {
    let (harness, _) = priced_by(prices, move || {
        let mut outcome = completion("hi", 100, 10);
        change(&mut outcome);
        outcome
    })
    .await;
    let job = harness
        .run(script(|host, _| async move {
            ask(&host, vec![complete("first", 100)]).await?;
            Ok(small_draft())
        }))
        .await;
    assert_eq!(job.status, JobStatus::Succeeded, "{shown}: {:?}", job.error);
    (harness, job.usage.cost)
}

async fn holds(prices: Value, cases: Vec<(&str, Change, Waits)>) {
    for (shown, change, waits) in cases {
        let (harness, cost) = made(shown, prices.clone(), change).await;
        let calls = marked(&harness).await;
        assert_eq!(
            calls.len(),
            usize::from(waits.is_some()),
            "{shown}: {calls:?}"
        );
        if let Some(wanted) = waits {
            let ceiling = calls[0].ceiling.unwrap().micros();
            assert_eq!(
                (cost.micros(), calls[0].held.micros()),
                wanted(ceiling),
                "{shown}, at most {ceiling}"
            );
        }
        sound(&harness).await;
    }
}

#[tokio::test]
async fn by_tokens_each_lost_request_may_have_cost_the_ceiling() {
    let waits = |charged: i64, held: fn(i64) -> i64| -> Waits {
        Some(Box::new(move |ceiling| (charged, held(ceiling))))
    };
    let cases: Vec<(&str, Change, Waits)> = vec![
        ("an answer as it should be", |_| {}, None),
        (
            "a provider that was never reached",
            |outcome| {
                lost(outcome, Sendings::default());
                fails(outcome, "connect_failed");
            },
            None,
        ),
        (
            "cut off before anything was sent",
            |outcome| {
                lost(outcome, Sendings::default());
                outcome.exchanges.clear();
            },
            None,
        ),
        (
            "a request without an answer",
            |outcome| lost(outcome, Sendings { sent: 1, lost: 1 }),
            waits(0, |ceiling| ceiling),
        ),
        (
            "a request that was cut off within its exchange",
            |outcome| {
                lost(outcome, Sendings { sent: 1, lost: 1 });
                outcome.exchanges.clear();
            },
            waits(0, |ceiling| ceiling),
        ),
        (
            "one that was sent three times",
            |outcome| lost(outcome, Sendings { sent: 3, lost: 3 }),
            waits(0, |ceiling| 3 * ceiling),
        ),
        (
            "one that was answered the second time",
            |outcome| outcome.sendings = Sendings { sent: 2, lost: 1 },
            waits(200, |ceiling| ceiling),
        ),
        (
            "an answer that was not read",
            |outcome| fails(outcome, "invalid_output"),
            waits(0, |ceiling| ceiling),
        ),
        (
            "an answer that was counted, and one that was not",
            |outcome| outcome.meters.partial = true,
            waits(200, |ceiling| ceiling - 200),
        ),
        (
            "a figure that cannot be true",
            |outcome| outcome.meters.implausible = true,
            waits(200, |ceiling| ceiling - 200),
        ),
        (
            "more than it can have cost",
            |outcome| outcome.meters.cost_usd = Some(1e6),
            Some(Box::new(|ceiling| (ceiling, 0))),
        ),
        (
            "a total over its parts, charged as output",
            |outcome| outcome.meters.tokens.as_mut().unwrap().total = Some(130),
            waits(400, |_| 0),
        ),
    ];
    holds(by_tokens(), cases).await;
}

#[tokio::test]
async fn by_requests_what_we_counted_ourselves_is_held() {
    let prices = json!({"prices": {"per_request_usd": 0.005}});
    let waits = |charged: i64, held: i64| -> Waits { Some(Box::new(move |_| (charged, held))) };
    let cases: Vec<(&str, Change, Waits)> = vec![
        ("one request", |_| {}, None),
        (
            "three answered requests",
            |outcome| answered_again(outcome, 2),
            waits(5_000, 10_000),
        ),
        (
            "one answered, and one lost",
            |outcome| {
                fails(outcome, "timeout");
                outcome.sendings = Sendings { sent: 2, lost: 1 };
            },
            waits(5_000, 5_000),
        ),
        (
            "two answered, and one lost, of a call that succeeded all the same",
            |outcome| {
                answered_again(outcome, 1);
                outcome.sendings = Sendings { sent: 3, lost: 1 };
            },
            waits(5_000, 10_000),
        ),
        (
            "one lost",
            |outcome| lost(outcome, Sendings { sent: 1, lost: 1 }),
            waits(0, 5_000),
        ),
        (
            "a provider that was never reached",
            |outcome| lost(outcome, Sendings::default()),
            None,
        ),
    ];
    holds(prices, cases).await;
}
