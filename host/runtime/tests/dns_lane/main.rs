//! Hostile names against the real resolver, in a network namespace: every tested address belongs to this
//! machine, a test DNS server answers, and a canary counts connections.
//!
//! The test starts itself again inside the namespace. If the kernel does not provide one, the test is
//! skipped with a message.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::print_stdout
)]

mod canary;
mod name_server;
use gtm_test_support::skips;

use std::process::Command;
use std::sync::Arc;
use std::time::Duration;

use gtm_domain::clock::ManualClock;
use gtm_runtime::Credentials;
use gtm_runtime::egress::{
    CallBudget, CallGrant, EgressGate, EgressPolicy, Exchanged, GrantParts, HttpRequest, LimitKey,
    PrivateHost,
};
use gtm_runtime::manifest::Rate;
use serde_json::{Value, json};
use tokio_util::sync::CancellationToken;

use canary::Canary;
use name_server::{NameServer, Zone};

/// The search domain, and shorter time-outs than a system's default.
const OPTIONS: &str = "search corp.example\noptions timeout:2 attempts:1\n";
const TEST: &str = "names_lead_to_public_addresses_only";
/// Set inside the namespace; names the folder of the test's files.
const INSIDE: &str = "GTM_DNS_LANE";

/// The only address whose server may be reached.
pub const PUBLIC: &str = "93.184.216.34";
/// Addresses that must never be reached; here all of them belong to this machine.
const SHUT: [&str; 7] = [
    "10.0.0.1",
    "100.64.0.1",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "192.168.0.1",
    "93.184.217.9",
];
const SHUT_V6: [&str; 2] = ["fd00::1", "fe80::1"];
/// A public network that the operator denies; `93.184.217.9` lies in it.
const DENIED: &str = "93.184.217.0/24";
/// Unanswered names looked up at once: more than the blocking pool has threads.
const SILENT: usize = 600;

#[test]
fn names_lead_to_public_addresses_only() {
    if let Some(folder) = std::env::var_os(INSIDE) {
        set_up(folder.as_ref());
        tokio::runtime::Runtime::new()
            .unwrap()
            .block_on(lane(folder.as_ref()));
        return;
    }
    let namespaces = ["--net", "--mount"];
    let allowed = Command::new("unshare")
        .args(namespaces)
        .arg("true")
        .output();
    if !allowed.is_ok_and(|output| output.status.success()) {
        return skips::skip(TEST, "the kernel gives no network namespace");
    }
    let folder = tempfile::tempdir().unwrap();
    let status = Command::new("unshare")
        .args(namespaces)
        .arg(std::env::current_exe().unwrap())
        .args(["--exact", TEST, "--nocapture"])
        .env(INSIDE, folder.path())
        .status()
        .unwrap();
    assert!(status.success(), "the lane failed: {status}");
}

/// Addresses, name servers and hosts file of the namespace.
fn set_up(folder: &std::path::Path) {
    run("ip", &["link", "set", "lo", "up"]);
    for address in SHUT.iter().chain([&PUBLIC]) {
        run(
            "ip",
            &["addr", "add", &format!("{address}/32"), "dev", "lo"],
        );
    }
    for address in SHUT_V6 {
        // A machine without IPv6 refuses these names anyway.
        let _ = Command::new("ip")
            .args(["addr", "add", &format!("{address}/128"), "dev", "lo"])
            .output();
    }
    let files = [
        ("resolv.conf", format!("{OPTIONS}nameserver 127.0.0.1\n")),
        (
            "hosts",
            format!("127.0.0.1 localhost\n{PUBLIC} listed.example\n"),
        ),
    ];
    for (name, text) in files {
        let file = folder.join(name);
        std::fs::write(&file, text).unwrap();
        run(
            "mount",
            &["--bind", file.to_str().unwrap(), &format!("/etc/{name}")],
        );
    }
}

fn run(program: &str, arguments: &[&str]) {
    let output = Command::new(program).args(arguments).output().unwrap();
    assert!(
        output.status.success(),
        "{program} {arguments:?}: {}",
        String::from_utf8_lossy(&output.stderr)
    );
}

fn gate() -> EgressGate {
    let inside = PrivateHost {
        host: "inside.example".to_owned(),
        port: Some(80),
        connectors: ["reader".to_owned()].into(),
        open_web: true,
    };
    let policy = EgressPolicy {
        private_hosts: vec![inside],
        deny_networks: vec![DENIED.parse().unwrap()],
        open_web: ["reader".to_owned()].into(),
        retry_base: Duration::from_millis(5),
        connect_timeout: Duration::from_secs(4),
        ..EgressPolicy::default()
    };
    let clock = ManualClock::at("2026-11-21T12:00:00Z".parse().unwrap());
    EgressGate::new(policy, Arc::new(clock)).unwrap()
}

/// The grant of the page reader: the open web.
fn grant(project: &str) -> CallGrant {
    CallGrant::for_call(GrantParts {
        connector: "reader",
        egress: &[],
        open_web: true,
        schemes: &[],
        rate: &serde_json::from_value::<Rate>(json!({ "retry": { "max_attempts": 1 } })).unwrap(),
        limit_key: Some(LimitKey {
            account: "reader".to_owned(),
            tenant: project.to_owned(),
            operation: "fetch".to_owned(),
        }),
        settings: &Value::Null,
        credentials: Credentials::new(),
        replay_safe: true,
        idempotency: None,
        budget: Arc::new(CallBudget::within(
            100,
            1 << 20,
            1 << 24,
            Duration::from_secs(60),
        )),
        cancel: CancellationToken::new(),
    })
    .unwrap()
}

async fn get(gate: &EgressGate, url: &str) -> Exchanged {
    get_for(gate, "one", url).await
}

async fn get_for(gate: &EgressGate, project: &str, url: &str) -> Exchanged {
    let request = HttpRequest {
        max_redirects: 5,
        ..HttpRequest::get(url)
    };
    gate.send(&grant(project), request).await
}

fn code(done: &Exchanged) -> &str {
    done.result
        .as_ref()
        .err()
        .map_or("ok", |failure| &failure.code)
}

async fn lane(folder: &std::path::Path) {
    let canary = Canary::start().await;
    let servers = NameServer::start("127.0.0.1:53", zone()).await;
    let gate = gate();

    assert_eq!(code(&get(&gate, "http://good.example/").await), "ok");
    let mut expected = vec![
        ("private.example", "private_address"),
        ("loopback.example", "private_address"),
        ("localhost", "private_address"),
        ("carrier.example", "private_address"),
        ("azure.example", "private_address"),
        ("metadata.example", "private_address"),
        ("mapped.example", "private_address"),
        ("local.example", "private_address"),
        ("mixed.example", "private_address"),
        ("mixed-families.example", "private_address"),
        ("alias.example", "private_address"),
        ("alias-alone.example", "dns_failed"),
        ("denied.example", "network_denied"),
        ("absent.example", "dns_failed"),
        ("silent.example", "dns_failed"),
        // A public page that redirects its reader to a private host, although the operator names that host.
        ("good.example/to-inside", "private_address"),
        ("good.example/to-private", "private_address"),
        ("good.example/to-alias", "private_address"),
        ("good.example/to-azure", "private_address"),
    ];
    expected.extend(
        SHUT[..6]
            .iter()
            .map(|address| (*address, "private_address")),
    );
    for (place, wanted) in &expected {
        let done = get(&gate, &format!("http://{place}/")).await;
        assert_eq!(code(&done), *wanted, "{place}");
    }
    // Public at first, private from then on, with a time to live of zero: each connection is checked.
    for wanted in ["ok", "private_address", "private_address"] {
        assert_eq!(code(&get(&gate, "http://rebind.example/").await), wanted);
    }
    // A redirect to its own name, which has another address by now.
    let done = get(&gate, "http://rebind-again.example/to-itself").await;
    assert_eq!(code(&done), "private_address");
    assert_eq!(canary.visitors(), 0, "somebody came: {:?}", canary.seen());

    // The hosts file, a search domain, and name servers that change while the host runs.
    assert_eq!(code(&get(&gate, "http://listed.example/").await), "ok");
    assert_eq!(servers.questions("listed.example"), 0);
    assert_eq!(code(&get(&gate, "http://intranet/").await), "ok");
    assert_eq!(
        code(&get(&gate, "http://split.example/").await),
        "dns_failed"
    );
    let _other = NameServer::start("127.0.0.2:53", Zone::new().a("split.example", &[PUBLIC])).await;
    let other = format!("{OPTIONS}nameserver 127.0.0.2\n");
    std::fs::write(folder.join("resolv.conf"), other).unwrap();
    assert_eq!(code(&get(&gate, "http://split.example/").await), "ok");
    let first = format!("{OPTIONS}nameserver 127.0.0.1\n");
    std::fs::write(folder.join("resolv.conf"), first).unwrap();

    starve(&gate, &servers).await;
    assert_eq!(canary.visitors(), 0, "somebody came: {:?}", canary.seen());

    // The canary would have seen connections: the host that the operator names is reached by its name.
    assert_eq!(code(&get(&gate, "http://inside.example/").await), "ok");
    assert_eq!(canary.visitors(), 1);
    println!(
        "dns lane: {} names, {SILENT} silent ones at once",
        expected.len() + 3
    );
}

/// Danger: names whose servers do not answer must not delay other projects or file operations.
async fn starve(gate: &EgressGate, servers: &NameServer) {
    let silent: Vec<_> = (0..SILENT)
        .map(|n| {
            let gate = gate.clone();
            tokio::spawn(async move {
                let done = get(&gate, &format!("http://n{n}.silent.example/")).await;
                code(&done).to_owned()
            })
        })
        .collect();
    // As many as one project may have in progress; `silent.example` itself was looked up before.
    while servers.questions("silent.example") < 1 + 16 {
        tokio::time::sleep(Duration::from_millis(5)).await;
    }
    let neighbour = get_for(gate, "another", "http://good.example/").await;
    assert_eq!(code(&neighbour), "ok");
    assert!(tokio::fs::read("/etc/hosts").await.is_ok());
    for one in silent {
        assert_eq!(one.await.unwrap(), "dns_failed");
    }
}

fn zone() -> Zone {
    Zone::new()
        .a("good.example", &[PUBLIC])
        .a("private.example", &["10.0.0.1"])
        .a("inside.example", &["10.0.0.1"])
        .a("loopback.example", &["127.0.0.1"])
        .a("carrier.example", &["100.64.0.1"])
        .a("azure.example", &["168.63.129.16"])
        .a("metadata.example", &["169.254.169.254"])
        .a("denied.example", &["93.184.217.9"])
        .aaaa("mapped.example", &["::ffff:127.0.0.1"])
        .aaaa("local.example", &["fd00::1"])
        .a("mixed.example", &[PUBLIC, "10.0.0.1"])
        .a("mixed-families.example", &[PUBLIC])
        .aaaa("mixed-families.example", &["::1"])
        .alias("alias.example", "private.example", true)
        .alias("alias-alone.example", "private.example", false)
        .a("intranet.corp.example", &[PUBLIC])
        .in_turn("rebind.example", &[PUBLIC, "10.0.0.1"])
        .in_turn("rebind-again.example", &[PUBLIC, "10.0.0.1"])
        .silent("silent.example")
}
