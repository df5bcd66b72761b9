//! Who may call the API, how often, and for what: keys, usage tiers, capabilities and the shared rate limit,
//! from operator settings to what a caller sees.

use std::time::{Duration, Instant};

use gtm_e2e::Database;
use gtm_e2e::client::{Answer, Client};
use gtm_e2e::fake_site::FakeSite;
use gtm_e2e::gtm_process::{Gtm, Options};
use gtm_e2e::tenant::Tenant;
use gtm_test_support::redis;
use serde_json::{Value, json};

use crate::{World, database, on_both_engines};

const NOTHING: &str = "/v1/jobs/job_01jz8q7b0x5f8s1t4v6w9y2a3c";

fn limit(answer: &Answer) -> Option<(u32, u32)> {
    let number = |name| answer.header(name)?.parse().ok();
    Some((number("ratelimit-limit")?, number("ratelimit-remaining")?))
}

fn text<'v>(value: &'v Value, field: &str) -> &'v str {
    value[field]
        .as_str()
        .unwrap_or_else(|| panic!("no {field}: {value}"))
}

async fn a_key_is_replaced_with_an_overlap(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, FakeSite::start([]).await).await else {
        return;
    };
    let (gtm, tenant) = (&world.gtm, &world.tenant);
    let made = gtm.cli(&[
        "key",
        "create",
        "--project",
        &tenant.project,
        "--scopes",
        "read_only",
        "--requests-per-minute",
        "9",
        "worker",
    ]);
    let old = Client::new(&gtm.base(), text(&made, "secret"));
    let answer = old.get(NOTHING).await;
    assert_eq!((answer.status, limit(&answer)), (404, Some((9, 8))));

    let rotated = gtm.cli(&["key", "rotate", text(&made, "id"), "--overlap", "15s"]);
    assert_eq!(rotated["rotates_from"], made["id"]);
    assert_eq!(rotated["requests_per_minute"], 9);
    assert_eq!(rotated["scopes"], made["scopes"]);
    assert_eq!(rotated["rotated"]["id"], made["id"]);
    let new = Client::new(&gtm.base(), text(&rotated, "secret"));
    assert_eq!(
        limit(&new.get(NOTHING).await),
        Some((9, 8)),
        "its own window"
    );
    assert_eq!(
        old.get(NOTHING).await.status,
        404,
        "the overlap has not ended"
    );
    let started = Instant::now();
    while old.get(NOTHING).await.status != 401 {
        assert!(started.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(700)).await;
    }
    let answer = old.get(NOTHING).await;
    assert_eq!(answer.error_code(), "expired_api_key");
    assert_eq!((limit(&answer), answer.header("retry-after")), (None, None));
    assert_eq!(new.get(NOTHING).await.status, 404);

    let shown = gtm.cli(&["key", "show", text(&made, "id")]);
    assert_eq!(shown["status"], "expired");
    let refused = gtm.cli_output(&["key", "rotate", text(&made, "id")], &[]);
    assert!(!refused.status.success());
    assert!(String::from_utf8_lossy(&refused.stderr).contains("expired"));
    let last = gtm.cli(&["key", "rotate", text(&rotated, "id"), "--overlap", "0s"]);
    assert_eq!(new.get(NOTHING).await.error_code(), "expired_api_key");
    gtm.cli(&["key", "revoke", text(&last, "id")]);
    let revoked = Client::new(&gtm.base(), text(&last, "secret"));
    assert_eq!(revoked.get(NOTHING).await.error_code(), "invalid_api_key");
}
on_both_engines!(key_rotation, super::a_key_is_replaced_with_an_overlap);

async fn a_key_is_bound_to_addresses(kind: Database, test: &str) {
    let site = FakeSite::start([]).await;
    let Some(world) = World::start(kind, test, site).await else {
        return;
    };
    let (gtm, project) = (&world.gtm, world.tenant.project.as_str());
    let create = ["key", "create", "--project", project];
    let ranges = [
        "--requests-per-minute",
        "9",
        "--allowed-cidr",
        "10.0.0.0/8",
        "--allowed-cidr",
        "192.0.2.7",
        "bound",
    ];
    let made = gtm.cli(&[&create[..], &ranges].concat());
    let id = text(&made, "id");
    assert_eq!(made["allowed_cidrs"], json!(["10.0.0.0/8", "192.0.2.7/32"]));
    let bound = Client::new(&gtm.base(), text(&made, "secret"));
    let answer = bound.get(NOTHING).await;
    assert_eq!(
        (answer.status, answer.error_code().as_str()),
        (403, "forbidden")
    );
    assert_eq!(limit(&answer), Some((9, 8)), "it counts");

    gtm.cli(&["key", "update", id, "--allowed-cidr", "127.0.0.0/8"]);
    assert_eq!(bound.get(NOTHING).await.status, 404);
    let rotated = gtm.cli(&["key", "rotate", id, "--overlap", "1h"]);
    assert_eq!(rotated["allowed_cidrs"], json!(["127.0.0.0/8"]));
    gtm.cli(&["key", "update", id, "--from-anywhere"]);
    assert_eq!(gtm.cli(&["key", "show", id])["allowed_cidrs"], json!([]));
    assert_eq!(bound.get(NOTHING).await.status, 404);

    for (bad, said) in [
        (&["key", "update", id][..], "--allowed-cidr"),
        (
            &["key", "update", id, "--allowed-cidr", "10.0.0.1/8"],
            "10.0.0.0/8",
        ),
        (
            &["key", "update", id, "--allowed-cidr", "here"],
            "2001:db8::/32",
        ),
    ] {
        let refused = gtm.cli_output(bad, &[]);
        assert!(!refused.status.success(), "{bad:?}");
        let message = String::from_utf8_lossy(&refused.stderr).into_owned();
        assert!(message.contains(said), "{message}");
    }
    let log = gtm.cli(&["audit", "list", "--action", "api_key.updated"]);
    assert_eq!(log["entries"].as_array().map(Vec::len), Some(2), "{log}");
}
on_both_engines!(key_addresses, super::a_key_is_bound_to_addresses);

async fn a_capability_is_an_organizations_own(kind: Database, test: &str) {
    let Some(world) = World::start(kind, test, FakeSite::start([]).await).await else {
        return;
    };
    let (gtm, organization) = (&world.gtm, world.tenant.organization.as_str());
    let other = Tenant::create(gtm, "Other").client(gtm);
    let body = json!({"target_company_domain": "a.example"});
    let shown = gtm.cli(&["org", "capability", "disable", organization, "playbooks"]);
    let state = |key: &str| {
        let list = shown["capabilities"].as_array().unwrap();
        let found = list.iter().find(|c| c["key"] == key).unwrap();
        (found["allowed"].clone(), found["enabled"].clone())
    };
    assert_eq!(state("playbooks"), (json!(false), json!(false)));
    assert_eq!(state("documents").0, true, "each has a switch of its own");
    assert_eq!(gtm.cli(&["org", "show", organization]), shown);
    let answer = world.client.post("/v1/playbooks", &body, None).await;
    assert_eq!(
        (answer.status, answer.error_code().as_str()),
        (403, "capability_disabled")
    );
    assert!(limit(&answer).is_some());
    assert_eq!(
        world.client.get(NOTHING).await.status,
        404,
        "reading goes on"
    );
    assert_eq!(other.post("/v1/playbooks", &body, None).await.status, 202);
    gtm.cli(&["org", "capability", "enable", organization, "playbooks"]);
    let answer = world.client.post("/v1/playbooks", &body, None).await;
    assert_eq!(answer.status, 202);
    let unknown = gtm.cli_output(&["org", "capability", "disable", organization, "x"], &[]);
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("message_templates"));
}
on_both_engines!(
    organization_capabilities,
    super::a_capability_is_an_organizations_own
);

const TIERS: &str = "usage_tiers = [\
    {key = \"free\", name = \"Free\", monthly_cost_cap_usd = 1},\
    {key = \"paid\", name = \"Paid\", monthly_cost_cap_usd = 5, rate_limit_per_minute = 40, from_paid_usd = 10}]\n\
    [limits]\nrequests_per_minute = 4\n";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn usage_tiers_come_from_the_configuration() {
    let site = FakeSite::start([]).await;
    let test = "usage_tiers_come_from_the_configuration";
    let world = World::start_with(Database::Sqlite, test, site, &[], TIERS)
        .await
        .unwrap();
    assert_eq!(limit(&world.client.get(NOTHING).await), Some((4, 3)));
    for _ in 0..3 {
        assert_eq!(world.client.get(NOTHING).await.status, 404);
    }
    let over = world.client.get(NOTHING).await;
    assert_eq!(
        (over.status, over.error_code().as_str()),
        (429, "rate_limit_exceeded")
    );
    assert_eq!(limit(&over), Some((4, 0)));
    let wait: u64 = over.header("retry-after").unwrap().parse().unwrap();
    assert!((1..=60).contains(&wait));

    let checked = world.gtm.cli(&["config", "check"]);
    let settings = checked["settings"].as_array().unwrap();
    let tiers = settings
        .iter()
        .find(|s| s["name"] == "usage_tiers")
        .unwrap();
    assert_eq!(tiers["value"][1]["rate_limit_per_minute"], 40);
    assert_eq!(tiers["value"][0]["rate_limit_per_minute"], Value::Null);

    let mut broken = world.gtm;
    broken.terminate(Duration::from_secs(20));
    broken.options.extra_toml = "usage_tiers = []\n".to_owned();
    broken.write_config();
    let refused = broken.cli_output(&["config", "check"], &[]);
    assert!(!refused.status.success());
    let said = String::from_utf8_lossy(&refused.stderr).into_owned();
    assert!(
        said.contains("usage_tiers") && said.contains("at least one"),
        "{said}"
    );
}

/// Two nodes on one PostgreSQL and one Redis; Redis is killed under load and then restarted.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_nodes_share_one_limit_and_survive_redis() {
    let test = "two_nodes_share_one_limit_and_survive_redis";
    let Some(mut server) = redis::server(test) else {
        return;
    };
    let Some((database_url, _guard)) = database(Database::Postgres, test) else {
        return;
    };
    let toml = format!(
        "redis_url = {:?}\nredis_timeout_ms = 1000\n[limits]\nrequests_per_minute = 30\n",
        server.url()
    );
    let options = Options {
        database_url,
        extra_toml: toml,
        ..Options::default()
    };
    let mut first = Gtm::prepare(options.clone());
    first.start();
    let mut second = Gtm::prepare(options);
    std::fs::copy(
        first.dir.path().join("master.key"),
        second.dir.path().join("master.key"),
    )
    .unwrap();
    second.start();
    let tenant = Tenant::without_credit(&first, "Acme");
    let clients = [tenant.client(&first), tenant.client(&second)];
    let mut admitted = 0;
    for n in 0..40 {
        let answer = clients[n % 2].get(NOTHING).await;
        assert!(matches!(answer.status, 404 | 429), "{}", answer.status);
        admitted += usize::from(answer.status == 404);
    }
    assert_eq!(admitted, 30, "one limit on two nodes");

    server.stop();
    for n in 0..80 {
        let answer = clients[n % 2].get(NOTHING).await;
        assert!(matches!(answer.status, 404 | 429), "{}", answer.status);
        assert!(limit(&answer).is_some());
        admitted += usize::from(answer.status == 404);
    }
    assert_eq!(admitted, 30 + 2 * 30, "each node counts for itself");
    for node in [&first, &second] {
        let warnings = node.log().matches("Redis does not answer").count();
        assert_eq!(warnings, 1, "one outage, one line:\n{}", node.log());
    }

    server.start();
    let started = Instant::now();
    while !first.log().contains("Redis answers again")
        || !second.log().contains("Redis answers again")
    {
        assert!(started.elapsed() < Duration::from_secs(60));
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // The new Redis has counted no request: the nodes share one fresh window.
    assert_eq!(limit(&clients[0].get(NOTHING).await), Some((30, 29)));
    assert_eq!(limit(&clients[1].get(NOTHING).await), Some((30, 28)));
}

/// Redis over TLS, with its own root certificates: two nodes share one window, and a node that does not trust
/// the certificate refuses to talk to Redis.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn the_limit_is_shared_over_tls() {
    let test = "the_limit_is_shared_over_tls";
    let Some(server) = redis::tls_server(test) else {
        return;
    };
    let Some((database_url, _guard)) = database(Database::Postgres, test) else {
        return;
    };
    let start = |further: String, key_of: Option<&Gtm>| {
        let mut gtm = Gtm::prepare(Options {
            database_url: database_url.clone(),
            extra_toml: format!(
                "redis_url = {:?}\nredis_timeout_ms = 1000\n{further}\n[limits]\nrequests_per_minute = 12\n",
                server.url()
            ),
            ..Options::default()
        });
        if let Some(other) = key_of {
            let key = |gtm: &Gtm| gtm.dir.path().join("master.key");
            std::fs::copy(key(other), key(&gtm)).unwrap();
        }
        gtm.start();
        gtm
    };
    let roots = format!("redis_root_certificates = {:?}", redis::tls_root());
    let first = start(roots.clone(), None);
    let second = start(roots, Some(&first));
    let stranger = start(String::new(), Some(&first));
    let tenant = Tenant::without_credit(&first, "Acme");
    let clients = [tenant.client(&first), tenant.client(&second)];
    for n in 0..16 {
        let answer = clients[n % 2].get(NOTHING).await;
        let wanted = if n < 12 { 404 } else { 429 };
        assert_eq!(answer.status, wanted, "request {n} of one window");
    }
    for node in [&first, &second] {
        assert!(
            !node.log().contains("Redis does not answer"),
            "{}",
            node.log()
        );
    }
    let alone = tenant.client(&stranger).get(NOTHING).await;
    assert_eq!(
        (alone.status, limit(&alone)),
        (404, Some((12, 11))),
        "it counts for itself"
    );
    let log = stranger.log();
    let warning = log.lines().find(|l| l.contains("Redis does not answer"));
    assert!(
        warning.is_some_and(|l| l.to_lowercase().contains("certificate")),
        "the log says why: {log}"
    );
}

/// Configured root certificates imply TLS: the host refuses a URL without TLS, and a file without
/// certificates.
#[test]
fn redis_certificates_that_would_not_be_used_are_refused() {
    let refused = |url: &str, file: &std::path::Path| {
        let gtm = Gtm::prepare(Options {
            extra_toml: format!("redis_url = {url:?}\nredis_root_certificates = {file:?}\n"),
            ..Options::default()
        });
        let output = gtm.cli_output(&["serve", "--listen", "127.0.0.1:0"], &[]);
        assert!(!output.status.success(), "{url} {}", file.display());
        String::from_utf8(output.stderr).unwrap()
    };
    let told = refused("redis://127.0.0.1:1", &redis::tls_root());
    assert!(told.contains("rediss://"), "{told}");
    let empty = tempfile::NamedTempFile::new().unwrap();
    for file in [empty.path(), std::path::Path::new("/nowhere.pem")] {
        let told = refused("rediss://127.0.0.1:1", file);
        assert!(told.contains("redis_root_certificates"), "{told}");
    }
}
