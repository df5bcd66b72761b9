//! The cost of authentication must not reveal what is known about a key: a valid, a wrong, an unknown, a
//! revoked and an expired key cause the same SQL statements. Above the rate limit, a key causes none.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use gtm_domain::ApiKeySecret;
use gtm_e2e::Database;
use gtm_e2e::client::Client;
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::tenant::Tenant;
use serde_json::Value;
use sqlx::Connection as _;

use crate::{database, on_both_engines};

/// An operation whose own answer does not read the database.
const CATALOG: &str = "/v1/connectors";

/// Gives a stored key another public ID, so that a request can pair a known ID with a wrong secret.
async fn rename_key(gtm: &Gtm, key: &str, public_id: &str) {
    let update = "UPDATE api_keys SET public_id = $1 WHERE public_id = $2";
    let old = ApiKeySecret::parse(key).unwrap().id().as_str().to_owned();
    let changed = match &gtm.options.database_url {
        None => {
            let url = format!("sqlite://{}", gtm.dir.path().join("gtm.db").display());
            let mut c = sqlx::SqliteConnection::connect(&url).await.unwrap();
            let done = sqlx::query(update).bind(public_id).bind(old);
            done.execute(&mut c).await.unwrap().rows_affected()
        }
        Some(url) => {
            let mut c = sqlx::PgConnection::connect(url).await.unwrap();
            let all = sqlx::query("SELECT set_config('gtm.project', '*', false)");
            all.execute(&mut c).await.unwrap();
            let done = sqlx::query(update).bind(public_id).bind(old);
            done.execute(&mut c).await.unwrap().rows_affected()
        }
    };
    assert_eq!(changed, 1);
}

/// The SQL statements that a request caused, in order, from the server's log.
fn statements(log: &str, request_id: &str) -> Vec<String> {
    let of_request = |line: &Value| {
        let spans = line["spans"].as_array().cloned().unwrap_or_default();
        spans.iter().any(|span| span["request_id"] == request_id)
    };
    log.lines()
        .filter_map(|line| serde_json::from_str::<Value>(line).ok())
        .filter(|line| line["target"] == "sqlx::query" && of_request(line))
        .map(|line| line["summary"].as_str().unwrap().to_owned())
        .collect()
}

/// The log, as soon as it contains this request.
async fn log_with(gtm: &Gtm, request_id: &str) -> String {
    let began = Instant::now();
    loop {
        let log = gtm.log();
        if log.contains(request_id) {
            return log;
        }
        assert!(began.elapsed() < Duration::from_secs(60), "no log");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

const STATEMENTS_IN_THE_LOG: &str =
    "[log]\nformat = \"json\"\nlevel = \"info,sqlx::query=trace\"\n";

async fn same_statements(kind: Database, test: &str) {
    let Some((database_url, _guard)) = database(kind, test) else {
        return;
    };
    let mut gtm = Gtm::prepare(Options {
        database_url,
        extra_toml: STATEMENTS_IN_THE_LOG.to_owned(),
        ..Options::default()
    });
    let tenant = Tenant::create(&gtm, "Acme");
    let make = |arguments: &[&str]| {
        let common = ["key", "create", "--project", &tenant.project];
        let made = gtm.cli(&[&common, arguments].concat());
        let text = |field: &str| made[field].as_str().unwrap().to_owned();
        (text("id"), text("secret"))
    };
    let mut rounds = Vec::new();
    // Two rounds, because in the first a database connection may not have prepared its statements yet. Each
    // round has its own keys, because the server remembers refusals.
    for round in 0..2 {
        let (_, expired) = make(&["--expires-in", "1s", "expired"]);
        let (id, revoked) = make(&["revoked"]);
        gtm.cli(&["key", "revoke", &id]);
        let (_, known) = make(&["of a known id"]);
        let wrong = ApiKeySecret::from_entropy(&[3 + round; 9], &[4; 32]);
        rename_key(&gtm, &known, wrong.id().as_str()).await;
        let unknown = ApiKeySecret::from_entropy(&[13 + round; 9], &[2; 32]);
        rounds.push([
            ("right", tenant.key.clone(), 200),
            ("wrong secret", wrong.reveal(), 401),
            ("unknown", unknown.reveal(), 401),
            ("revoked", revoked, 401),
            ("expired", expired, 401),
        ]);
    }
    gtm.start();
    tokio::time::sleep(Duration::from_millis(1100)).await;

    let (mut requests, mut repeated) = (Vec::new(), Vec::new());
    for (round, keys) in rounds.iter().enumerate() {
        for (what, key, status) in keys {
            let ask = async || {
                let answer = Client::new(&gtm.base(), key).get(CATALOG).await;
                assert_eq!(answer.status, *status, "{what}");
                answer.header("x-request-id").unwrap().to_owned()
            };
            requests.push((format!("{what}, round {round}"), ask().await));
            if *status == 401 {
                repeated.push((format!("{what}, again"), ask().await));
            }
        }
    }
    let log = log_with(&gtm, &repeated.last().unwrap().1).await;
    let costs: BTreeMap<_, _> = requests
        .iter()
        .map(|(what, id)| (what, statements(&log, id)))
        .collect();
    let right = costs.values().next().unwrap();
    assert!(
        right.iter().any(|sql| sql.contains("SELECT")),
        "the key was looked up: {costs:#?}"
    );
    for (what, sql) in &costs {
        assert_eq!(sql, right, "{what}: {costs:#?}");
    }
    // A key that was refused a moment ago causes no statement, whatever is wrong with it.
    for (what, id) in &repeated {
        let sql = statements(&log, id);
        assert!(sql.is_empty() && log.contains(id), "{what}: {sql:#?}");
    }
    println!("{kind:?}: authentication is {} statement(s)", right.len());
    for (_, key, _) in rounds.iter().flatten() {
        assert!(!log.contains(key), "no key in the log");
    }
}
on_both_engines!(every_key_costs_the_same_statements, super::same_statements);

/// At most one look-up per second, however often a key is used.
async fn few_statements(kind: Database, test: &str) {
    let Some((database_url, _guard)) = database(kind, test) else {
        return;
    };
    const LIMIT: usize = 3;
    let mut gtm = Gtm::prepare(Options {
        database_url,
        extra_toml: format!("{STATEMENTS_IN_THE_LOG}[limits]\nrequests_per_minute = {LIMIT}\n"),
        ..Options::default()
    });
    let tenant = Tenant::without_credit(&gtm, "Acme");
    gtm.start();
    let client = Client::new(&gtm.base(), &tenant.key);
    for _ in 0..LIMIT {
        assert_eq!(client.get(CATALOG).await.status, 200);
    }
    let mut over = Vec::new();
    let began = Instant::now();
    for _ in 0..100 {
        let answer = client.get(CATALOG).await;
        assert_eq!(answer.status, 429);
        over.push(answer.header("x-request-id").unwrap().to_owned());
    }
    let seconds = usize::try_from(began.elapsed().as_secs()).unwrap() + 1;
    let log = log_with(&gtm, &over[over.len() - 1]).await;
    let costly = over.iter().filter(|id| !statements(&log, id).is_empty());
    let looked_up = costly.count();
    assert!(
        (1..=seconds).contains(&looked_up),
        "{looked_up} look-ups for {} refusals in {seconds} s",
        over.len()
    );
}
on_both_engines!(above_the_limit_nothing_is_looked_up, super::few_statements);
