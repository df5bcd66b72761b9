//! Tests the classes against the ranges of reliability.md §4, written independently as CIDR blocks.
#![allow(clippy::unwrap_used)]

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

use ipnet::{Ipv4Net, Ipv6Net};
use proptest::prelude::*;

use super::*;

const REFUSED_V4: &[&str] = &[
    "0.0.0.0/8",
    "10.0.0.0/8",
    "100.64.0.0/10",
    "127.0.0.0/8",
    "168.63.129.16/32",
    "169.254.0.0/16",
    "172.16.0.0/12",
    "192.0.0.0/24",
    "192.0.2.0/24",
    "192.88.99.0/24",
    "192.168.0.0/16",
    "198.18.0.0/15",
    "198.51.100.0/24",
    "203.0.113.0/24",
    "224.0.0.0/4",
    "240.0.0.0/4",
];
const REFUSED_V6: &[&str] = &[
    "2001::/23",
    "2001:db8::/32",
    "2002::/16",
    "3fff::/20",
    "2620:4f:8000::/48",
];

fn refused_v4(address: Ipv4Addr) -> bool {
    REFUSED_V4
        .iter()
        .any(|net| net.parse::<Ipv4Net>().unwrap().contains(&address))
}

fn refused_v6(address: Ipv6Addr) -> bool {
    let embedded = Ipv4Addr::from_bits(u128::from(address) as u32);
    if "::ffff:0:0/96"
        .parse::<Ipv6Net>()
        .unwrap()
        .contains(&address)
        || "::/96".parse::<Ipv6Net>().unwrap().contains(&address)
    {
        return address == Ipv6Addr::LOCALHOST || refused_v4(embedded);
    }
    !"2000::/3".parse::<Ipv6Net>().unwrap().contains(&address)
        || REFUSED_V6
            .iter()
            .any(|net| net.parse::<Ipv6Net>().unwrap().contains(&address))
}

fn public(address: impl Into<IpAddr>) -> bool {
    classify(address.into(), false) == AddressClass::Public
}

#[test]
fn both_ends_of_each_block_are_refused_and_their_neighbours_follow_the_list() {
    for net in REFUSED_V4 {
        let net: Ipv4Net = net.parse().unwrap();
        let (first, last) = (net.network().to_bits(), net.broadcast().to_bits());
        assert!(
            !public(Ipv4Addr::from_bits(first)) && !public(Ipv4Addr::from_bits(last)),
            "{net}"
        );
        for neighbour in [first.wrapping_sub(1), last.wrapping_add(1)].map(Ipv4Addr::from_bits) {
            assert_eq!(public(neighbour), !refused_v4(neighbour), "{neighbour}");
        }
    }
    for net in REFUSED_V6 {
        let net: Ipv6Net = net.parse().unwrap();
        let (first, last) = (u128::from(net.network()), u128::from(net.broadcast()));
        assert!(
            !public(Ipv6Addr::from(first)) && !public(Ipv6Addr::from(last)),
            "{net}"
        );
        for neighbour in [first - 1, last + 1].map(Ipv6Addr::from) {
            assert_eq!(public(neighbour), !refused_v6(neighbour), "{neighbour}");
        }
    }
}

#[test]
fn well_known_addresses() {
    for shut in [
        "::",
        "::1",
        "::ffff:127.0.0.1",
        "::127.0.0.1",
        "::ffff:169.254.169.254",
        "::a9fe:a9fe",
        "64:ff9b::7f00:1",
        "64:ff9b::808:808",
        "64:ff9b:1::808:808",
        "2002:7f00:1::",
        "2002:808:808::1",
        "2001:0:4136:e378::1",
        "fe80::1",
        "fd00:ec2::23",
        "fd00:ec2::254",
        "fec0::1",
        "ff02::1",
        "100::1",
        "5f00::1",
        "4000::1",
        "2001:db8::1",
        "::ffff:0:127.0.0.1",
        "169.254.169.254",
        "168.63.129.16",
        "::ffff:168.63.129.16",
        "100.100.100.200",
        "192.0.0.192",
        "255.255.255.255",
        "0.0.0.0",
    ] {
        assert!(!public(shut.parse::<IpAddr>().unwrap()), "{shut}");
    }
    for open in [
        "1.1.1.1",
        "8.8.8.8",
        "192.0.1.1",
        "2606:4700::1111",
        "2a00:1450::1",
        "2001:4860:4860::8888",
        "::ffff:8.8.8.8",
    ] {
        assert!(public(open.parse::<IpAddr>().unwrap()), "{open}");
    }
}

#[test]
fn nat64_opens_only_what_is_public_inside() {
    let class = |text: &str| classify(text.parse().unwrap(), true);
    assert_eq!(class("64:ff9b::8.8.8.8"), AddressClass::Public);
    for inside in [
        "127.0.0.1",
        "10.0.0.1",
        "169.254.169.254",
        "168.63.129.16",
        "192.168.1.1",
    ] {
        assert_eq!(class(&format!("64:ff9b::{inside}")), AddressClass::Reserved);
    }
    assert_eq!(
        class("64:ff9b:1::8.8.8.8"),
        AddressClass::Reserved,
        "only the well-known prefix"
    );
}

#[test]
fn an_operator_opens_neither_link_local_nor_reserved() {
    for (text, may) in [
        ("127.0.0.1", true),
        ("::1", true),
        ("10.1.2.3", true),
        ("fd00::1", true),
        ("100.64.0.1", true),
        ("169.254.169.254", false),
        ("168.63.129.16", false),
        ("100.100.100.200", false),
        ("100.100.100.100", true),
        ("fd00:ec2::254", false),
        ("fd20:ce::254", false),
        ("fd00:42::42", false),
        ("fe80::1", false),
        ("0.0.0.0", false),
        ("224.0.0.1", false),
        ("2002:7f00:1::", false),
    ] {
        assert_eq!(
            classify(text.parse().unwrap(), false).operator_may_open(),
            may,
            "{text}"
        );
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4096))]
    #[test]
    fn every_v4_address_follows_the_list(bits: u32) {
        let address = Ipv4Addr::from_bits(bits);
        prop_assert_eq!(public(address), !refused_v4(address));
        prop_assert_eq!(public(address.to_ipv6_mapped()), !refused_v4(address));
    }
    #[test]
    fn every_v6_address_follows_the_list(bits: u128) {
        // Uniform bits rarely hit an interesting block, so some are combined with its prefixes.
        for prefix in [0u128, 0x2000 << 112, 0x2001 << 112, 0x2002 << 112, 0x3fff << 112, 0x2620_004f << 96, 0xffff << 32] {
            for shift in [0, 16, 24, 32, 48, 80, 96] {
                let address = Ipv6Addr::from(prefix | (bits >> shift));
                prop_assert_eq!(public(address), !refused_v6(address), "{}", address);
            }
        }
    }
    #[test]
    fn nat64_never_widens_beyond_public_v4(bits: u32) {
        let address = Ipv6Addr::from((0x0064_ff9b_u128 << 96) | u128::from(bits));
        prop_assert_eq!(classify(address.into(), true) == AddressClass::Public, !refused_v4(Ipv4Addr::from_bits(bits)));
        prop_assert_ne!(classify(address.into(), false), AddressClass::Public);
    }
}
