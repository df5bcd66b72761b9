//! The client's address: the peer of the connection, or, behind proxies that the operator trusts, the
//! client that they name. What anybody else says about addresses is not believed.

use std::net::{IpAddr, Ipv6Addr, SocketAddr};

use gtm_domain::CidrList;
use http::header::FORWARDED;
use http::{HeaderMap, HeaderName};

const X_FORWARDED_FOR: HeaderName = HeaderName::from_static("x-forwarded-for");

/// The right-most address that is not a trusted proxy's, from the peer back through `Forwarded` (RFC 7239)
/// or `X-Forwarded-For`; the farthest one if all are trusted. `None` if a trusted proxy names no address,
/// if a quotation in `Forwarded` does not end, or if the two headers disagree: one of them then came from
/// the client, and it is unknown which.
#[must_use]
pub fn of(peer: IpAddr, headers: &HeaderMap, trusted: &CidrList) -> Option<IpAddr> {
    let peer = peer.to_canonical();
    if !trusted.contains(peer) {
        return Some(peer);
    }
    let forwarded = list(headers, &FORWARDED).map(|text| walk(forwarded(&text), trusted));
    let x_forwarded = list(headers, &X_FORWARDED_FOR)
        .map(|text| walk(text.split(',').map(address).collect(), trusted));
    match (forwarded, x_forwarded) {
        (None, None) => Some(peer),
        (Some(one), None) | (None, Some(one)) => one,
        (Some(one), Some(other)) => one.filter(|_| one == other),
    }
}

/// Bits of an IPv6 address that name the network; the subscriber chooses the rest.
const IPV6_NETWORK_BITS: u32 = 64;
/// Bits of an IPv6 address that name the site: providers give one subscriber up to that many networks.
const IPV6_SITE_BITS: u32 = 48;

/// What a client is counted by: its IPv4 address, or the /64 network of its IPv6 address, in which it has
/// every address.
#[must_use]
pub fn network(address: IpAddr) -> IpAddr {
    prefix(address, IPV6_NETWORK_BITS)
}

/// What may all belong to one subscriber: an IPv4 address, or the /48 site of an IPv6 address.
#[must_use]
pub fn site(address: IpAddr) -> IpAddr {
    prefix(address, IPV6_SITE_BITS)
}

/// The address, or the first bits of an IPv6 address.
fn prefix(address: IpAddr, ipv6_bits: u32) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(ip) => Ipv6Addr::from_bits(ip.to_bits() & !(u128::MAX >> ipv6_bits)).into(),
        v4 => v4,
    }
}

/// All values of a header as one list; a value that is not text becomes an element that names nobody.
fn list(headers: &HeaderMap, name: &HeaderName) -> Option<String> {
    let values: Vec<&str> = headers
        .get_all(name)
        .iter()
        .map(|value| value.to_str().unwrap_or("?"))
        .collect();
    (!values.is_empty()).then(|| values.join(","))
}

fn walk(hops: Vec<Option<IpAddr>>, trusted: &CidrList) -> Option<IpAddr> {
    let mut farthest = None;
    for hop in hops.into_iter().rev() {
        let hop = hop?;
        if !trusted.contains(hop) {
            return Some(hop);
        }
        farthest = Some(hop);
    }
    farthest
}

/// The `for` of each element.
fn forwarded(text: &str) -> Vec<Option<IpAddr>> {
    let address_of = |element: &str| {
        let pairs = unquoted(element, ';').unwrap_or_default();
        let mut named = pairs.into_iter().filter_map(|pair| {
            let (name, value) = pair.split_once('=')?;
            let value = value.trim();
            let value = value
                .strip_prefix('"')
                .and_then(|value| value.strip_suffix('"'))
                .unwrap_or(value);
            name.trim()
                .eq_ignore_ascii_case("for")
                .then(|| address(value))
        });
        let one = named.next().flatten();
        one.filter(|_| named.next().is_none())
    };
    match unquoted(text, ',') {
        Some(elements) => elements.into_iter().map(address_of).collect(),
        None => vec![None],
    }
}

/// The parts between separators outside quoted strings. `None` if a quotation does not end. Danger: such a
/// quotation would swallow what the proxies added after it, and the client could choose its own address.
fn unquoted(text: &str, separator: char) -> Option<Vec<&str>> {
    let (mut quoted, mut escaped) = (false, false);
    let parts = text.split(|c: char| {
        if escaped {
            escaped = false;
        } else if c == '"' {
            quoted = !quoted;
        } else if quoted && c == '\\' {
            escaped = true;
        }
        c == separator && !quoted
    });
    let parts: Vec<&str> = parts.collect();
    (!quoted).then_some(parts)
}

/// An address with or without a port, an IPv6 one with or without brackets.
fn address(text: &str) -> Option<IpAddr> {
    let text = text.trim();
    let bare = text
        .strip_prefix('[')
        .and_then(|text| text.strip_suffix(']'))
        .unwrap_or(text);
    let address = bare
        .parse::<IpAddr>()
        .or_else(|_| text.parse::<SocketAddr>().map(|socket| socket.ip()));
    address.ok().map(|address| address.to_canonical())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use gtm_domain::Cidr;
    use http::HeaderValue;
    use proptest::prelude::*;

    fn resolved(peer: &str, headers: &[(&str, &str)]) -> Option<String> {
        let trusted: Vec<Cidr> = ["10.0.0.0/8", "2001:db8::/32"]
            .iter()
            .map(|range| range.parse().unwrap())
            .collect();
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(
                HeaderName::try_from(*name).unwrap(),
                HeaderValue::from_str(value).unwrap(),
            );
        }
        of(peer.parse().unwrap(), &map, &trusted.into()).map(|address| address.to_string())
    }

    #[test]
    fn only_trusted_proxies_are_believed() {
        let x = "x-forwarded-for";
        for (peer, headers, want) in [
            ("192.0.2.1", vec![(x, "198.51.100.7")], Some("192.0.2.1")),
            (
                "192.0.2.1",
                vec![("forwarded", "for=198.51.100.7")],
                Some("192.0.2.1"),
            ),
            ("10.0.0.1", vec![], Some("10.0.0.1")),
            ("10.0.0.1", vec![(x, "198.51.100.7")], Some("198.51.100.7")),
            (
                "::ffff:10.0.0.1",
                vec![(x, "::ffff:198.51.100.7")],
                Some("198.51.100.7"),
            ),
            // Whatever is farther to the left came from the client.
            (
                "10.0.0.1",
                vec![(x, "10.1.1.1, 203.0.113.9 ,10.0.0.2")],
                Some("203.0.113.9"),
            ),
            (
                "10.0.0.1",
                vec![(x, "192.0.2.99, 203.0.113.9")],
                Some("203.0.113.9"),
            ),
            (
                "10.0.0.1",
                vec![(x, "192.0.2.99"), (x, "203.0.113.9")],
                Some("203.0.113.9"),
            ),
            (
                "10.0.0.1",
                vec![(x, "10.0.0.3, 10.0.0.2")],
                Some("10.0.0.3"),
            ),
            (
                "10.0.0.1",
                vec![(x, "203.0.113.9:4711")],
                Some("203.0.113.9"),
            ),
            ("10.0.0.1", vec![(x, "unknown, 10.0.0.2")], None),
            ("10.0.0.1", vec![(x, "")], None),
            ("10.0.0.1", vec![(x, "203.0.113.9,")], None),
            (
                "2001:db8::1",
                vec![("forwarded", "for=192.0.2.60;proto=http;by=203.0.113.43")],
                Some("192.0.2.60"),
            ),
            (
                "10.0.0.1",
                vec![("Forwarded", "For=\"[2001:db9:cafe::17]:4711\"")],
                Some("2001:db9:cafe::17"),
            ),
            (
                "10.0.0.1",
                vec![(
                    "forwarded",
                    "for=1.1.1.1, proto=\"a,for=2.2.2.2\";for=192.0.2.43",
                )],
                Some("192.0.2.43"),
            ),
            ("10.0.0.1", vec![("forwarded", "for=_hidden")], None),
            ("10.0.0.1", vec![("forwarded", "proto=https")], None),
            (
                "10.0.0.1",
                vec![("forwarded", "for=1.1.1.1;for=2.2.2.2")],
                None,
            ),
            // The proxy's element would be taken for part of the client's quotation.
            (
                "10.0.0.1",
                vec![("forwarded", "for=6.6.6.6;x=\", for=203.0.113.9")],
                None,
            ),
            (
                "10.0.0.1",
                vec![
                    ("forwarded", "for=6.6.6.6;x=\"\\"),
                    ("forwarded", "for=\"203.0.113.9\""),
                ],
                None,
            ),
            // A proxy writes one of the two; the other one is the client's.
            (
                "10.0.0.1",
                vec![("forwarded", "for=1.1.1.1"), (x, "1.1.1.1")],
                Some("1.1.1.1"),
            ),
            (
                "10.0.0.1",
                vec![("forwarded", "for=2.2.2.2"), (x, "1.1.1.1")],
                None,
            ),
        ] {
            assert_eq!(
                resolved(peer, &headers).as_deref(),
                want,
                "{peer} {headers:?}"
            );
        }
    }

    #[test]
    fn an_ipv6_client_is_its_network() {
        for (address, counted) in [
            ("192.0.2.1", "192.0.2.1"),
            ("::ffff:192.0.2.1", "192.0.2.1"),
            ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
            ("2001:db8:1:2:ffff::", "2001:db8:1:2::"),
            ("2001:db8:1:3::1", "2001:db8:1:3::"),
        ] {
            let network = network(address.parse().unwrap());
            assert_eq!(network.to_string(), counted, "{address}");
        }
    }

    proptest! {
        #[test]
        fn no_header_panics(one in "[ -~]{0,60}", other in "[ -~]{0,60}") {
            let _ = resolved("10.0.0.1", &[("forwarded", &one), ("x-forwarded-for", &other)]);
        }

        /// Whatever a client puts before it, the address that the proxy added is found.
        #[test]
        fn a_client_cannot_choose_its_address(said in "[ -~]{0,60}") {
            let value = format!("{said}, 203.0.113.9");
            prop_assert_eq!(resolved("10.0.0.1", &[("x-forwarded-for", &value)]), Some("203.0.113.9".to_owned()));
        }
    }
}
