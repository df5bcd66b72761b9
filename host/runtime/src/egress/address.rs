//! Which addresses are public (reliability.md §4). Pure: takes an address, returns its class.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// What kind of network an address lies in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum AddressClass {
    /// Reachable by anyone.
    Public,
    /// This host: 127/8, `::1`.
    Loopback,
    /// RFC 1918 and IPv6 unique local addresses.
    Private,
    /// Carrier-grade NAT, 100.64/10.
    SharedCarrier,
    /// 169.254/16 and fe80::/10, where cloud metadata services listen, and those of these services that lie in other
    /// ranges but answer every virtual machine locally: 168.63.129.16 (Azure), 100.100.100.200 (Alibaba Cloud),
    /// `fd00:ec2::/32` (AWS: metadata, credentials of containers, time), `fd20:ce::254` (Google Cloud), `fd00:42::42` (Scaleway).
    LinkLocal,
    /// Anything else not meant for ordinary traffic: unspecified, documentation, benchmarks, multicast,
    /// reserved, tunnels.
    Reserved,
}

impl AddressClass {
    /// Whether an operator may open this class by naming a host. Link-local and reserved addresses stay
    /// closed: a name that the operator trusts must never lead to a metadata service.
    #[must_use]
    pub const fn operator_may_open(self) -> bool {
        matches!(
            self,
            Self::Public | Self::Loopback | Self::Private | Self::SharedCarrier
        )
    }
}

/// The class of an address. `nat64` says whether `64:ff9b::/96` is in use here; the embedded IPv4 address
/// is classified either way. IPv4-mapped and IPv4-compatible forms are classified as IPv4.
#[must_use]
pub fn classify(address: IpAddr, nat64: bool) -> AddressClass {
    match address {
        IpAddr::V4(v4) => classify_v4(v4),
        IpAddr::V6(v6) => classify_v6(v6, nat64),
    }
}

fn classify_v4(address: Ipv4Addr) -> AddressClass {
    use AddressClass::{LinkLocal, Loopback, Private, Public, Reserved, SharedCarrier};
    match address.octets() {
        [127, ..] => Loopback,
        [169, 254, ..] | [168, 63, 129, 16] | [100, 100, 100, 200] => LinkLocal,
        [10, ..] | [172, 16..=31, ..] | [192, 168, ..] => Private,
        [100, 64..=127, ..] => SharedCarrier,
        [0, ..]
        | [192, 0, 0 | 2, _]
        | [192, 88, 99, _]
        | [198, 18..=19, ..]
        | [198, 51, 100, _]
        | [203, 0, 113, _]
        | [224..=255, ..] => Reserved,
        _ => Public,
    }
}

fn classify_v6(address: Ipv6Addr, nat64: bool) -> AddressClass {
    use AddressClass::{LinkLocal, Loopback, Private, Public, Reserved};
    let segments = address.segments();
    match segments {
        [0, 0, 0, 0, 0, 0, 0, 1] => Loopback,
        // Mapped (::ffff:0:0/96) and compatible (::/96, which also holds `::`).
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] => classify_v4(embedded(high, low)),
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] if nat64 => match classify_v4(embedded(high, low)) {
            Public => Public,
            // A translator reaches its own network, not this host's, so an operator cannot open it.
            _ => Reserved,
        },
        [0xfd00, 0xec2, ..]
        | [0xfd20, 0xce, 0, 0, 0, 0, 0, 0x254]
        | [0xfd00, 0x42, 0, 0, 0, 0, 0, 0x42] => LinkLocal,
        [0xfc00..=0xfdff, ..] => Private,
        [0xfe80..=0xfebf, ..] => LinkLocal,
        // 2001::/23 holds Teredo, benchmarking and ORCHID; 2002::/16 is 6to4.
        [0x2001, 0x0000..=0x01ff | 0x0db8, ..]
        | [0x2002, ..]
        | [0x2620, 0x004f, 0x8000, ..]
        | [0x3fff, 0x0000..=0x0fff, ..] => Reserved,
        [0x2000..=0x3fff, ..] => Public,
        _ => Reserved,
    }
}

/// The IPv4 address embedded in an IPv6 address: mapped, compatible, or behind a translator.
#[must_use]
pub fn embedded_v4(address: IpAddr) -> Option<Ipv4Addr> {
    let IpAddr::V6(v6) = address else {
        return None;
    };
    match v6.segments() {
        [0, 0, 0, 0, 0, 0 | 0xffff, high, low] | [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            Some(embedded(high, low))
        }
        _ => None,
    }
}

const fn embedded(high: u16, low: u16) -> Ipv4Addr {
    Ipv4Addr::from_bits(((high as u32) << 16) | low as u32)
}

#[cfg(test)]
#[path = "address_tests.rs"]
mod tests;
