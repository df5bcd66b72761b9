//! Every range in every spelling and in every kind of DNS answer: the canary must see no connection.

use std::net::IpAddr;

use super::*;
use async_trait::async_trait;

/// Addresses that must never be reached, one or two of each range of reliability.md §4.
const SHUT: &[&str] = &[
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.100.100.200",
    "127.0.0.1",
    "127.255.255.254",
    "168.63.129.16",
    "169.254.169.254",
    "172.16.0.1",
    "172.31.255.255",
    "192.0.0.192",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "::",
    "::1",
    "::127.0.0.1",
    "::ffff:127.0.0.1",
    "::ffff:10.0.0.1",
    "::ffff:169.254.169.254",
    "64:ff9b::127.0.0.1",
    "64:ff9b::8.8.8.8",
    "64:ff9b:1::1",
    "100::1",
    "2001::1",
    "2001:0:7f00:1::",
    "2001:db8::1",
    "2002:7f00:1::1",
    "2002:a9fe:a9fe::1",
    "2620:4f:8000::1",
    "3fff::1",
    "4000::1",
    "fc00::1",
    "fd00:ec2::23",
    "fd00:ec2::254",
    "fe80::1",
    "fec0::1",
    "ff02::1",
];

fn rule(url: &str) -> CallGrant {
    grant(json!({
        "egress": [{ "host": "${setting.base_url}", "private_network": "operator_opt_in" }],
        "settings": { "base_url": url },
    }))
}

/// Ways to write an IPv4 address that some parser accepts.
fn spellings(address: std::net::Ipv4Addr) -> Vec<String> {
    let [a, b, c, d] = address.octets();
    let bits = address.to_bits();
    let v6 = address.to_ipv6_mapped();
    let [.., high, low] = v6.segments();
    vec![
        address.to_string(),
        bits.to_string(),
        format!("0x{bits:x}"),
        format!("0X{bits:X}"),
        format!("0{bits:o}"),
        format!("0x{a:x}.0x{b:x}.0x{c:x}.0x{d:x}"),
        format!("0{a:o}.0{b:o}.0{c:o}.0{d:o}"),
        format!("000{a:o}.{b}.0x{c:02x}.{d}"),
        format!("{a}.{}", bits & 0xff_ffff),
        format!("{a}.{b}.{}", bits & 0xffff),
        format!("{address}."),
        format!(
            "%{:02x}{}",
            address.to_string().as_bytes()[0],
            &address.to_string()[1..]
        ),
        address.to_string().replace('.', "\u{3002}"),
        address.to_string().replace('.', "%2e"),
        address
            .to_string()
            .chars()
            .map(|c| {
                c.to_digit(10)
                    .map_or(c, |n| char::from_u32(0xff10 + n).unwrap())
            })
            .collect(),
        format!("[{v6}]"),
        format!("[::ffff:{high:x}:{low:x}]"),
        format!("[0:0:0:0:0:ffff:{address}]"),
        format!("[::{address}]"),
        format!("[64:ff9b::{address}]"),
        format!("[2002:{high:x}:{low:x}::1]"),
        format!("[::ffff:{address}%25lo]"),
    ]
}

#[tokio::test]
async fn literals_in_every_spelling_are_refused() {
    let canary = Server::canary().await;
    let mut open = policy(&["elsewhere.example"]);
    open.open_web.insert("test".into());
    let gate = gate_of(open);
    let mut tried = 0;
    for address in SHUT.iter().map(|a| a.parse::<IpAddr>().unwrap()) {
        let texts = match address {
            IpAddr::V4(v4) => spellings(v4),
            IpAddr::V6(v6) => vec![
                format!("[{v6}]"),
                format!("[{}]", v6.segments().map(|s| format!("{s:04X}")).join(":")),
            ],
        };
        for text in texts {
            for port in [canary.port(), 80] {
                let url = format!("http://{text}:{port}/latest/meta-data/");
                // A rule that would allow it, where the setting parses at all, and the open web.
                let mut grants = vec![CallGrant {
                    open_web: true,
                    ..grant(json!({}))
                }];
                if Target::parse(&url).is_ok() {
                    grants.push(rule(&format!("http://{text}:{port}/")));
                }
                for g in grants {
                    let done = gate.send(&g, HttpRequest::get(&url)).await;
                    let code = code(&done);
                    let open_port = g.open_web && port != 80;
                    assert!(
                        code == "private_address"
                            || code == "invalid_url"
                            || (open_port && code == "port_not_allowed"),
                        "{url}: {code}"
                    );
                    assert!(!done.request_sent && done.receipt.attempts == 0);
                    tried += 1;
                }
            }
        }
    }
    assert!(tried > 1500, "{tried}");
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn names_that_resolve_there_are_refused() {
    let canary = Server::canary().await;
    // A public address that no test connects to: the private answer next to it refuses the whole name.
    let public: IpAddr = "93.184.216.34".parse().unwrap();
    for address in SHUT.iter().map(|a| a.parse::<IpAddr>().unwrap()) {
        for answer in [
            vec![address],
            vec![address, public],
            vec![public, address],
            vec![public, public, address],
        ] {
            let resolver = Arc::new(FixedResolver::new().with("site.example", &answer));
            let gate = gate_of(EgressPolicy {
                resolver: ResolverChoice::Custom(resolver),
                ..policy(&["other.example"])
            });
            let url = format!("http://site.example:{}/", canary.port());
            let done = gate.send(&rule(&url), HttpRequest::get(&url)).await;
            assert_eq!(code(&done), "private_address", "{answer:?}");
            assert!(!done.request_sent && done.receipt.attempts == 0);
        }
    }
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn localhost_by_the_systems_resolver_is_refused() {
    let canary = Server::canary().await;
    for name in ["localhost", "LOCALHOST."] {
        let url = format!("http://{name}:{}/", canary.port());
        let done = gate_of(policy(&[]))
            .send(&rule(&url), HttpRequest::get(&url))
            .await;
        assert!(
            ["private_address", "dns_failed"].contains(&code(&done)),
            "{name}"
        );
    }
    assert_eq!(canary.hits(), 0);
}

#[tokio::test]
async fn an_operator_opens_exactly_what_is_named() {
    let server = Server::canary().await;
    let port = server.port();
    let url = server.url("/");
    for (named, works) in [
        (format!("127.0.0.1:{port}"), true),
        ("127.0.0.1".to_owned(), true),
        ("0x7f000001".to_owned(), true),
        ("127.0.0.1:1".to_owned(), false),
        ("127.0.0.2".to_owned(), false),
        ("localhost".to_owned(), false),
    ] {
        let done = gate_of(policy(&[&named]))
            .send(&rule(&url), HttpRequest::get(&url))
            .await;
        assert_eq!(done.result.is_ok(), works, "{named}");
    }
    let named = format!("http://localhost:{port}/");
    assert_eq!(
        body(
            &gate_of(policy(&["LOCALHOST."]))
                .send(&rule(&named), HttpRequest::get(&named))
                .await
        ),
        b"canary"
    );
}

#[tokio::test]
async fn a_setting_needs_the_manifest_and_the_operator() {
    let server = Server::canary().await;
    let url = server.url("/");
    let egress = |private: bool| {
        let mut egress = json!({ "host": "${setting.base_url}" });
        if private {
            egress["private_network"] = json!("operator_opt_in");
        }
        grant(json!({ "egress": [egress], "settings": { "base_url": url } }))
    };
    assert_eq!(
        code(
            &loopback_gate()
                .send(&egress(false), HttpRequest::get(&url))
                .await
        ),
        "private_address"
    );
    assert_eq!(
        code(
            &gate_of(policy(&[]))
                .send(&egress(true), HttpRequest::get(&url))
                .await
        ),
        "private_address"
    );
    assert_eq!(server.hits(), 0);
    assert_eq!(
        body(
            &loopback_gate()
                .send(&egress(true), HttpRequest::get(&url))
                .await
        ),
        b"canary"
    );
}

#[tokio::test]
async fn the_open_web_reaches_a_named_private_host_and_port_only() {
    let server = Server::canary().await;
    let mut policy = policy(&[&format!("127.0.0.1:{}", server.port())]);
    policy.open_web.insert("test".into());
    let gate = gate_of(policy);
    let g = CallGrant {
        open_web: true,
        ..grant(json!({}))
    };
    assert_eq!(
        body(&gate.send(&g, HttpRequest::get(server.url("/"))).await),
        b"canary"
    );
    assert_eq!(
        code(&gate.send(&g, HttpRequest::get("http://127.0.0.1/")).await),
        "private_address"
    );
    assert_eq!(
        code(
            &gate
                .send(&g, HttpRequest::get("http://127.0.0.1:22/"))
                .await
        ),
        "port_not_allowed"
    );
}

#[tokio::test]
async fn a_named_host_never_leads_to_a_metadata_service() {
    for address in [
        "169.254.169.254",
        "168.63.129.16",
        "fe80::1",
        "0.0.0.0",
        "::",
        "224.0.0.1",
        "2002:7f00:1::1",
        "192.0.2.1",
    ] {
        let gate = named_gate(&[("model.internal", address)]);
        let done = gate
            .send(
                &rule("http://model.internal/"),
                HttpRequest::get("http://model.internal/"),
            )
            .await;
        assert_eq!(code(&done), "private_address", "{address}");
    }
}

#[tokio::test]
async fn a_private_host_is_open_to_the_connectors_that_it_names_and_to_nobody_else() {
    let server = Server::canary().await;
    let named = format!("127.0.0.1:{}", server.port());
    let open = |entry: PrivateHost| {
        let mut policy = policy(&[]);
        policy.private_hosts = vec![entry];
        policy.open_web.insert("test".into());
        gate_of(policy)
    };
    let url = server.url("/");
    let reader = CallGrant {
        open_web: true,
        ..grant(json!({}))
    };
    let for_another = PrivateHost {
        connectors: ["openai-compatible".to_owned()].into(),
        ..private_host(&named)
    };
    let gate = open(for_another);
    let done = gate.send(&rule(&url), HttpRequest::get(&url)).await;
    assert_eq!(code(&done), "private_address");
    let done = gate.send(&reader, HttpRequest::get(&url)).await;
    assert_eq!(code(&done), "port_not_allowed");

    // Reachable by name and port for its own server, but not at whatever address a page names.
    let not_for_pages = PrivateHost {
        open_web: false,
        ..private_host(&named)
    };
    let gate = open(not_for_pages);
    let done = gate.send(&reader, HttpRequest::get(&url)).await;
    assert_eq!(code(&done), "port_not_allowed");
    assert_eq!(server.hits(), 0);
    let done = gate.send(&rule(&url), HttpRequest::get(&url)).await;
    assert_eq!(body(&done), b"canary");
}

#[tokio::test]
async fn a_denied_network_is_shut_whatever_else_is_open() {
    let server = Server::canary().await;
    let port = server.port();
    for (network, host) in [
        ("127.0.0.0/8", "127.0.0.1"),
        ("127.0.0.1", "[::ffff:127.0.0.1]"),
        ("127.0.0.1", "named.example"),
        ("93.184.216.0/24", "public.example"),
        ("2606:4700::/32", "[2606:4700::1111]"),
    ] {
        let names = FixedResolver::new()
            .with("named.example", &["127.0.0.1".parse().unwrap()])
            .with("public.example", &["93.184.216.34".parse().unwrap()]);
        let gate = gate_of(EgressPolicy {
            deny_networks: vec![network.parse().unwrap()],
            resolver: ResolverChoice::Custom(Arc::new(names)),
            private_hosts: vec![PrivateHost {
                host: host.to_owned(),
                ..private_host("any")
            }],
            ..policy(&[])
        });
        let url = format!("http://{host}:{port}/");
        let done = gate.send(&rule(&url), HttpRequest::get(&url)).await;
        assert_eq!(code(&done), "network_denied", "{host} in {network}");
        assert_eq!(done.receipt.decision, "network_denied");
    }
    assert_eq!(server.hits(), 0);
}

/// Counts lookups.
struct Counting(FixedResolver, AtomicUsize);

#[async_trait]
impl Resolver for Counting {
    async fn resolve(&self, name: &str, asker: &str) -> std::io::Result<Vec<IpAddr>> {
        self.1.fetch_add(1, Ordering::SeqCst);
        self.0.resolve(name, asker).await
    }
}

#[tokio::test]
async fn a_rebinding_name_reaches_only_what_was_judged() {
    // Both listen on the same port, so that only the address distinguishes them.
    let good = Server::start(|i, _| {
        if i == 0 {
            Reply::ok("good")
        } else {
            Reply::Close
        }
    })
    .await;
    let canary = Server::start_at(&format!("127.0.0.2:{}", good.port()), |_, _| {
        Reply::ok("canary")
    })
    .await;
    let answers = FixedResolver::new()
        .with("rebind.example", &["127.0.0.1".parse().unwrap()])
        .with(
            "rebind.example",
            &[
                "169.254.169.254".parse().unwrap(),
                "127.0.0.2".parse().unwrap(),
            ],
        );
    let resolver = Arc::new(Counting(answers, AtomicUsize::new(0)));
    let gate = gate_of(EgressPolicy {
        resolver: ResolverChoice::Custom(resolver.clone()),
        ..policy(&["rebind.example"])
    });
    let url = format!("http://rebind.example:{}/", good.port());
    let g = rule(&url);
    assert_eq!(body(&gate.send(&g, HttpRequest::get(&url)).await), b"good");
    assert_eq!(
        resolver.1.load(Ordering::SeqCst),
        1,
        "one lookup, no second by the connector"
    );
    assert_eq!(
        code(&gate.send(&g, HttpRequest::get(&url)).await),
        "private_address"
    );
    assert_eq!((good.hits(), canary.hits()), (1, 0));
}

#[tokio::test]
async fn a_retry_and_a_redirect_judge_again() {
    let server = Server::start(|i, _| {
        if i == 0 {
            Reply::Close
        } else {
            Reply::redirect(302, "/next")
        }
    })
    .await;
    let metadata: IpAddr = "169.254.169.254".parse().unwrap();
    let local: IpAddr = "127.0.0.1".parse().unwrap();
    for (answers, hits) in [
        (vec![local, metadata], 1),
        (vec![local, local, metadata], 2),
    ] {
        server.connections.store(0, Ordering::SeqCst);
        let resolver = answers
            .iter()
            .fold(FixedResolver::new(), |r, a| r.with("rebind.example", &[*a]));
        let gate = gate_of(EgressPolicy {
            resolver: ResolverChoice::Custom(Arc::new(resolver)),
            ..policy(&["rebind.example"])
        });
        let url = format!("http://rebind.example:{}/", server.port());
        let request = HttpRequest {
            max_redirects: 5,
            ..HttpRequest::get(&url)
        };
        assert_eq!(
            code(&gate.send(&rule(&url), request).await),
            "private_address"
        );
        assert_eq!(server.hits(), hits);
    }
}
