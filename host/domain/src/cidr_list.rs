//! Address ranges as operators write them: where a key may be used from, and which proxies are trusted.

use std::fmt;
use std::net::IpAddr;
use std::str::FromStr;

use ipnet::IpNet;
use serde::{Deserialize, Deserializer, Serialize};

/// An address range such as `10.0.0.0/8`, `2001:db8::/32` or a single address. Its host bits are zero.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Cidr(IpNet);

/// Why a text is not an address range.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ParseCidrError {
    /// Not an address with or without a prefix length.
    #[error("expected an address range such as 10.0.0.0/8 or 2001:db8::/32, or one address")]
    Malformed,
    /// Bits beyond the prefix are set, so either the address or the prefix length is wrong.
    #[error("{given} has bits beyond its prefix; the range would be {range}")]
    HostBits {
        given: IpNet,
        /// The range that contains the address.
        range: IpNet,
    },
}

impl Cidr {
    /// Whether the address lies in the range. An IPv4 address written as an IPv6 one (`::ffff:10.0.0.1`)
    /// counts as IPv4.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.contains(&address.to_canonical())
    }
}

impl FromStr for Cidr {
    type Err = ParseCidrError;

    fn from_str(text: &str) -> Result<Self, ParseCidrError> {
        let given: IpNet = match text.parse::<IpAddr>() {
            Ok(address) => address.into(),
            Err(_) => text.parse().map_err(|_| ParseCidrError::Malformed)?,
        };
        let range = given.trunc();
        if range != given {
            return Err(ParseCidrError::HostBits { given, range });
        }
        // ::ffff:10.0.0.0/104 is 10.0.0.0/8.
        let mapped = match range {
            IpNet::V6(range) if range.prefix_len() >= 96 => range
                .addr()
                .to_ipv4_mapped()
                .map(|v4| ipnet::Ipv4Net::new(v4, range.prefix_len() - 96).map(IpNet::V4)),
            _ => None,
        };
        Ok(Self(mapped.and_then(Result::ok).unwrap_or(range)))
    }
}

impl fmt::Display for Cidr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl Serialize for Cidr {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Cidr {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        text.parse().map_err(serde::de::Error::custom)
    }
}

/// Several ranges, sorted and without duplicates.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(from = "Vec<Cidr>", into = "Vec<Cidr>")]
pub struct CidrList(Vec<Cidr>);

impl CidrList {
    /// Whether one of the ranges contains the address.
    #[must_use]
    pub fn contains(&self, address: IpAddr) -> bool {
        self.0.iter().any(|range| range.contains(address))
    }
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
    #[must_use]
    pub fn as_slice(&self) -> &[Cidr] {
        &self.0
    }
}

impl From<Vec<Cidr>> for CidrList {
    fn from(mut ranges: Vec<Cidr>) -> Self {
        ranges.sort_unstable();
        ranges.dedup();
        Self(ranges)
    }
}

impl From<CidrList> for Vec<Cidr> {
    fn from(list: CidrList) -> Self {
        list.0
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;
    use proptest::prelude::*;

    fn list(ranges: &[&str]) -> CidrList {
        ranges
            .iter()
            .map(|text| text.parse().unwrap())
            .collect::<Vec<Cidr>>()
            .into()
    }

    #[test]
    fn what_lies_in_a_range() {
        let ranges = list(&[
            "10.0.0.0/8",
            "192.0.2.7",
            "2001:db8::/32",
            "::ffff:198.51.100.0/120",
        ]);
        for inside in [
            "10.0.0.0",
            "10.255.255.255",
            "::ffff:10.1.2.3",
            "192.0.2.7",
            "::ffff:192.0.2.7",
            "2001:db8:ffff::1",
            "198.51.100.9",
            "::ffff:198.51.100.9",
        ] {
            assert!(ranges.contains(inside.parse().unwrap()), "{inside}");
        }
        for outside in [
            "11.0.0.0",
            "9.255.255.255",
            "192.0.2.8",
            "2001:db9::",
            "::10.0.0.1",
            "::1",
        ] {
            assert!(!ranges.contains(outside.parse().unwrap()), "{outside}");
        }
        assert!(!CidrList::default().contains("127.0.0.1".parse().unwrap()));
        assert!(list(&["0.0.0.0/0"]).contains("::ffff:8.8.8.8".parse().unwrap()));
        assert!(!list(&["0.0.0.0/0"]).contains("2001:db8::1".parse().unwrap()));
    }

    #[test]
    fn each_range_once_and_in_order() {
        let ranges = list(&["192.0.2.0/24", "10.0.0.0/8", "192.0.2.0/24"]);
        let text = serde_json::to_string(&ranges).unwrap();
        assert_eq!(text, r#"["10.0.0.0/8","192.0.2.0/24"]"#);
        assert_eq!(serde_json::from_str::<CidrList>(&text).unwrap(), ranges);
    }

    #[test]
    fn what_is_refused() {
        for malformed in [
            "",
            "10.0.0.0/33",
            "10.0.0/8",
            "host",
            "10.0.0.0/8 ",
            "::1/129",
            "010.0.0.1",
        ] {
            assert_eq!(
                malformed.parse::<Cidr>(),
                Err(ParseCidrError::Malformed),
                "{malformed}"
            );
        }
        let mistaken = "10.1.2.3/8".parse::<Cidr>().unwrap_err().to_string();
        assert_eq!(
            mistaken,
            "10.1.2.3/8 has bits beyond its prefix; the range would be 10.0.0.0/8"
        );
    }

    proptest! {
        #[test]
        fn a_range_has_its_own_addresses_and_reads_back(bits: u32, length in 0u8..=32, other: u32) {
            let mask = u32::MAX.checked_shl(32 - u32::from(length)).unwrap_or(0);
            let base = std::net::Ipv4Addr::from(bits & mask);
            let range: Cidr = format!("{base}/{length}").parse().unwrap();
            prop_assert_eq!(range.to_string().parse::<Cidr>().unwrap(), range);
            let address = std::net::Ipv4Addr::from(other);
            let inside = other & mask == bits & mask;
            prop_assert_eq!(range.contains(address.into()), inside);
            prop_assert_eq!(range.contains(address.to_ipv6_mapped().into()), inside);
        }

        #[test]
        fn no_text_panics(text in "[0-9a-f:./]{0,24}") {
            let _ = text.parse::<Cidr>();
        }
    }
}
