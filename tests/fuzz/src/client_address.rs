//! Finding the address of the client that sent a request. The first line of the input is the address of the
//! peer. Each further line is a header as it arrived: `Forwarded` if it begins with `f `, otherwise
//! `X-Forwarded-For`.

use std::net::IpAddr;

use gtm_api::client_address::{network, of};
use gtm_domain::{Cidr, CidrList};
use http::header::FORWARDED;
use http::{HeaderMap, HeaderName, HeaderValue};

pub const TARGET: crate::Target = crate::Target {
    name: "client_address",
    run,
    dictionary: &[
        b"10.0.0.1",
        b"192.0.2.1",
        b"2001:db8::1",
        b"[2001:db9::1]:4711",
        b"::ffff:10.0.0.2",
        b"unknown",
        b"_hidden",
        b"f ",
        b"for=",
        b"For = ",
        b";",
        b";by=",
        b",",
        b"\"",
        b"\\\"",
        b"\\",
        b"\n",
        b"\nf ",
        b"\xff",
    ],
};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");
/// The operator's trusted proxies.
const PROXIES: [&str; 2] = ["10.0.0.0/8", "2001:db8::/32"];
/// A client that a proxy names, and its spelling in `Forwarded` and `X-Forwarded-For`.
const CLIENT: &str = "203.0.113.9";
const NAMED: [(HeaderName, &str); 3] = [
    (FORWARDED, "for=203.0.113.9"),
    (FORWARDED, "by=10.0.0.1;for=\"203.0.113.9:4711\""),
    (X_FORWARDED_FOR, "203.0.113.9"),
];

fn run(input: &[u8]) -> String {
    let mut lines = input.split(|byte| *byte == b'\n');
    let peer = lines
        .next()
        .and_then(|line| std::str::from_utf8(line).ok())
        .and_then(|line| line.parse::<IpAddr>().ok())
        .unwrap_or(IpAddr::from([10, 0, 0, 1]));
    let proxies = PROXIES.map(|range| range.parse::<Cidr>().expect("it is a range"));
    let trusted = CidrList::from(proxies.to_vec());
    let mut headers = HeaderMap::new();
    for line in lines.take(100) {
        let (name, value) = match line.strip_prefix(b"f ") {
            Some(value) => (FORWARDED, value),
            None => (X_FORWARDED_FOR, line),
        };
        if let Ok(value) = HeaderValue::from_bytes(value) {
            headers.append(name, value);
        }
    }
    let client = of(peer, &headers, &trusted);
    let peer = peer.to_canonical();
    if let Some(client) = client {
        assert_eq!(client, client.to_canonical());
        let counted = network(client);
        assert_eq!(network(counted), counted, "a network is its own");
        assert_eq!(counted.is_ipv4(), client.is_ipv4());
    }
    if !trusted.contains(peer) {
        assert_eq!(client, Some(peer), "a stranger is believed");
        return "stranger".to_owned();
    }
    assert!(!headers.is_empty() || client == Some(peer));
    chooses_nothing(&headers, &trusted);
    let whose = match client {
        None => "nobody's",
        Some(client) if client == peer => "the peer's",
        Some(client) if trusted.contains(client) => "a proxy's",
        Some(_) => "a client's",
    };
    let both = headers.keys_len() == 2;
    format!("{whose}, {} lines, both {both}", headers.len().min(3))
}

/// A client must not choose the address it is known by. It sends these headers to a proxy, which appends
/// the client's real address, on the same line or on a new one. The result must be that address, or none.
fn chooses_nothing(said: &HeaderMap, trusted: &CidrList) {
    let proxy = IpAddr::from([10, 0, 0, 1]);
    let client: IpAddr = CLIENT.parse().expect("it is an address");
    for (name, named) in NAMED {
        let mut lines = said.clone();
        lines.append(&name, HeaderValue::from_static(named));
        let mut one_line = said.clone();
        let values: Vec<&[u8]> = said
            .get_all(&name)
            .iter()
            .map(HeaderValue::as_bytes)
            .collect();
        let value = [values.join(&b", "[..]), named.into()].join(&b", "[..]);
        one_line.insert(
            name,
            HeaderValue::from_bytes(&value).expect("it is a value"),
        );
        for headers in [lines, one_line] {
            let told = of(proxy, &headers, trusted);
            assert!(
                told.is_none_or(|told| told == client),
                "a client chose {told:?} by {headers:?}"
            );
        }
    }
}
