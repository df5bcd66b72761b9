//! SIGKILL at random moments while many callers create jobs under idempotency keys. Afterwards each key has
//! exactly one job, an acknowledged create gets the same answer byte for byte, no key is stuck, and ledger
//! and usage agree with the jobs.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

use futures::StreamExt as _;
use futures::future::join_all;
use gtm_e2e::Database;
use gtm_e2e::client::{Answer, Client};
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::tenant::Tenant;
use serde_json::{Value, json};

use crate::faults::job_count;
use crate::{database, on_both_engines};

/// Seed of the random moments; `GTM_KILL_SEED` overrides it, and `GTM_KILL_ROUNDS` the number of rounds.
const SEED: u64 = 20_261_121;
const ROUNDS: u64 = 4;
/// Concurrent callers. Each sends every key twice at the same time.
const CALLERS: u64 = 6;

fn from_environment(name: &str, default: u64) -> u64 {
    std::env::var(name)
        .ok()
        .and_then(|text| text.parse().ok())
        .unwrap_or(default)
}

/// The next number of SplitMix64.
fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut z = *state;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}

/// A sent key, and the answer if one arrived.
struct Sent {
    key: String,
    acknowledged: Option<Vec<u8>>,
}

fn body_of(key: &str) -> Value {
    json!({"target_company": format!("Company {key}")})
}

async fn create(client: &Client, key: &str) -> reqwest::Result<Answer> {
    let request = client
        .request("POST", "/v1/playbooks")
        .bearer_auth(&client.key)
        .header("content-type", "application/json")
        .header("idempotency-key", key)
        .body(body_of(key).to_string());
    client.try_send(request).await
}

/// Creates jobs one after another until the server is gone.
async fn create_until_killed(
    client: Client,
    caller: String,
    answered: Arc<AtomicU64>,
) -> Vec<Sent> {
    let mut sent = Vec::new();
    for n in 0.. {
        let key = format!("{caller}-{n}");
        let answers = join_all([create(&client, &key), create(&client, &key)]).await;
        let mut acknowledged = None;
        let mut gone = false;
        for answer in answers {
            match answer {
                Ok(answer) if answer.status == 202 => {
                    let first = acknowledged.get_or_insert_with(|| answer.bytes.clone());
                    assert_eq!(*first, answer.bytes, "{key}");
                }
                Ok(answer) => assert_eq!(answer.error_code(), "idempotency_in_progress", "{key}"),
                Err(_) => gone = true,
            }
        }
        sent.push(Sent { key, acknowledged });
        answered.fetch_add(1, Ordering::SeqCst);
        if gone {
            break;
        }
        tokio::time::sleep(Duration::from_millis(15)).await;
    }
    sent
}

/// Retries a key as its caller would; returns its job's ID.
async fn retry(client: &Client, sent: &Sent) -> String {
    let key = &sent.key;
    let began = Instant::now();
    let answer = loop {
        let answer = create(client, key).await.unwrap();
        if answer.status != 409 {
            break answer;
        }
        assert_eq!(answer.error_code(), "idempotency_in_progress", "{key}");
        // A database server may take a moment to notice that its client is dead, but not forever.
        assert!(began.elapsed() < Duration::from_secs(60), "{key} is stuck");
        tokio::time::sleep(Duration::from_millis(50)).await;
    };
    assert_eq!(answer.status, 202, "{key}: {}", answer.json());
    if let Some(acknowledged) = &sent.acknowledged {
        assert_eq!(answer.header("idempotency-replayed"), Some("true"), "{key}");
        assert_eq!(*acknowledged, answer.bytes, "{key}");
    }
    let again = create(client, key).await.unwrap();
    assert_eq!(again.header("idempotency-replayed"), Some("true"), "{key}");
    assert_eq!(again.bytes, answer.bytes, "{key}");
    answer.json()["id"].as_str().unwrap().to_owned()
}

async fn each_key_has_one_job(kind: Database, test: &str) {
    let Some((database_url, _guard)) = database(kind, test) else {
        return;
    };
    let seed = from_environment("GTM_KILL_SEED", SEED);
    let rounds = from_environment("GTM_KILL_ROUNDS", ROUNDS);
    println!("{kind:?}: GTM_KILL_SEED={seed} GTM_KILL_ROUNDS={rounds}");
    let mut gtm = Gtm::prepare(Options {
        database_url,
        extra_toml: "[limits]\nrequests_per_minute = 1000000\n[engine]\nlease_seconds = 2\n"
            .to_owned(),
        ..Options::default()
    });
    // No backend is bound, so jobs fail as soon as they run, and cost nothing.
    let tenant = Tenant::create(&gtm, "Acme");
    let (mut state, mut keys, mut jobs) = (seed, 0, BTreeSet::new());
    let (mut in_doubt, mut made_in_doubt) = (0, 0);
    gtm.start();
    for round in 0..rounds {
        let client = tenant.client(&gtm);
        let answered = Arc::new(AtomicU64::new(0));
        let callers: Vec<_> = (0..CALLERS)
            .map(|caller| format!("{seed}-{round}-{caller}"))
            .map(|caller| create_until_killed(client.clone(), caller, answered.clone()))
            .map(tokio::spawn)
            .collect();
        let began = Instant::now();
        while answered.load(Ordering::SeqCst) < CALLERS {
            assert!(began.elapsed() < Duration::from_secs(120), "no answers");
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        let moment = Duration::from_micros(random(&mut state) % 300_000);
        tokio::time::sleep(moment).await;
        gtm.kill();
        let mut sent = Vec::new();
        for caller in callers {
            sent.extend(caller.await.unwrap());
        }
        let open: Vec<_> = sent.iter().filter(|s| s.acknowledged.is_none()).collect();
        in_doubt += open.len();
        let stored = job_count(&gtm);
        assert!(
            stored <= keys + sent.len(),
            "{stored} jobs of {} keys",
            keys + sent.len()
        );
        made_in_doubt += stored - keys - (sent.len() - open.len());
        keys += sent.len();

        gtm.start();
        let client = tenant.client(&gtm);
        let ids: Vec<String> = futures::stream::iter(&sent)
            .map(|one| retry(&client, one))
            .buffer_unordered(16)
            .collect()
            .await;
        jobs.extend(ids);
        assert_eq!(
            jobs.len(),
            keys,
            "round {round}: a job of its own for each key"
        );
        assert_eq!(job_count(&gtm), keys, "round {round}: and no others");
    }
    println!(
        "{kind:?}: {rounds} SIGKILLs, {keys} keys, as many jobs; {in_doubt} keys unanswered at the \
         kill, {made_in_doubt} of them with a job"
    );
    assert!(in_doubt > 0, "every kill came between two requests");

    let client = tenant.client(&gtm);
    let began = Instant::now();
    let counts = loop {
        let counts = client.get("/v1/usage").await.json()["totals"]["jobs"].clone();
        if counts["active"] == 0 {
            break counts;
        }
        assert!(began.elapsed() < Duration::from_secs(300), "{counts}");
        tokio::time::sleep(Duration::from_millis(200)).await;
    };
    assert_eq!(
        counts,
        json!({"created": keys, "succeeded": 0, "failed": keys, "canceled": 0, "active": 0})
    );
    let ledger = gtm.cli(&["ledger", "verify"]);
    assert_eq!(ledger["balanced"], true, "{ledger}");
}
on_both_engines!(sigkill_while_creating, super::each_key_has_one_job);
