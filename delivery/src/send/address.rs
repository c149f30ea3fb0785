//! Allowed destination addresses.

use ipnet::IpNet;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// The addresses to which requests may be sent: public addresses and explicitly allowed networks.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Destinations {
    allowed: Vec<IpNet>,
    denied: Vec<IpNet>,
}

impl Destinations {
    /// Creates a set that contains only the public internet.
    pub fn public() -> Self {
        Self::default()
    }

    /// Allows a network, even if its addresses are not public.
    #[must_use]
    pub fn allow(mut self, net: IpNet) -> Self {
        self.allowed.push(net);
        self
    }

    /// Allows the loopback addresses of this machine, for tests and local trials.
    #[must_use]
    pub fn allow_loopback(self) -> Self {
        self.allow(IpNet::from(IpAddr::from([127, 0, 0, 0])).widened(8))
            .allow(IpNet::from(IpAddr::V6(Ipv6Addr::LOCALHOST)))
    }

    /// Denies a network. Denied networks take precedence over allowed networks.
    #[must_use]
    pub fn deny(mut self, net: IpNet) -> Self {
        self.denied.push(net);
        self
    }

    /// Returns `true` if requests may be sent to the address.
    pub fn permits(&self, address: IpAddr) -> bool {
        let canonical = address.to_canonical();
        let within = |nets: &[IpNet]| nets.iter().any(|net| net.contains(&canonical));
        !within(&self.denied) && (within(&self.allowed) || is_public(address))
    }
}

/// Conversion of an address to the network with a given prefix length.
trait Widened {
    fn widened(self, bits: u8) -> IpNet;
}

impl Widened for IpNet {
    fn widened(self, bits: u8) -> IpNet {
        IpNet::new(self.addr(), bits).unwrap_or(self)
    }
}

/// Returns `true` if an address belongs to the public internet, according to IANA's special-purpose
/// address registries (RFC 6890 and its updates). An IPv6 address that embeds an IPv4 address is
/// classified by the IPv4 address.
pub fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let [a, b, c, d] = address.octets();
    !matches!(
        (a, b, c, d),
        // "This network" (RFC 791) and private use (RFC 1918).
        (0 | 10, ..) | (172, 16..=31, ..) | (192, 168, ..)
        // Shared address space of carriers (RFC 6598). One cloud provider runs its metadata service
        // there.
        | (100, 64..=127, ..)
        // Loopback, and link-local (RFC 3927) with the metadata services of cloud providers.
        | (127, ..) | (169, 254, ..)
        // Protocol assignments, 6to4 relays, AS112.
        | (192, 0, 0, _) | (192, 31, 196, _) | (192, 52, 193, _) | (192, 88, 99, _) | (192, 175, 48, _)
        // Documentation (RFC 5737) and benchmarks (RFC 2544).
        | (192, 0, 2, _) | (198, 51, 100, _) | (203, 0, 113, _) | (198, 18..=19, ..)
        // Azure's host for metadata, health and DNS: a public address with private use.
        | (168, 63, 129, 16)
        // Multicast, reserved, broadcast.
        | (224..=255, ..)
    )
}

fn is_public_v6(address: Ipv6Addr) -> bool {
    let s = address.segments();
    let v4 = |high: u16, low: u16| {
        let [a, b] = high.to_be_bytes();
        let [c, d] = low.to_be_bytes();
        Ipv4Addr::new(a, b, c, d)
    };
    let embedded = match s {
        // Mapped, ::ffff:0:0/96, and translated, ::ffff:0:0:0/96 (RFC 2765).
        [0, 0, 0, 0, 0, 0xffff, high, low] | [0, 0, 0, 0, 0xffff, 0, high, low] => v4(high, low),
        // NAT64's well-known prefix, 64:ff9b::/96 (RFC 6052).
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => v4(high, low),
        // 6to4, 2002::/16 (RFC 3056).
        [0x2002, high, low, ..] => v4(high, low),
        // Of the rest, only global unicast is public, 2000::/3, except for its special-purpose
        // parts: protocol assignments with Teredo (2001::/23), documentation (RFC 3849 and RFC
        // 9637), AS112.
        [first, second, third, ..] => {
            return matches!(first, 0x2000..=0x3fff)
                && !(first == 0x2001 && second < 0x200)
                && !(first == 0x2001 && second == 0xdb8)
                && !(first == 0x3fff && second < 0x1000)
                && !(first == 0x2620 && second == 0x4f && third == 0x8000);
        }
    };
    is_public_v4(embedded)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_public_is_refused_in_every_form() {
        let refused = [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "100.100.100.200",
            "127.0.0.1",
            "127.255.0.9",
            "168.63.129.16",
            "169.254.169.254",
            "172.16.0.1",
            "172.31.255.255",
            "192.0.0.192",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.18.0.1",
            "198.19.255.255",
            "198.51.100.7",
            "203.0.113.9",
            "224.0.0.1",
            "240.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:169.254.169.254",
            "::ffff:0:10.0.0.1",
            "64:ff9b::a9fe:a9fe",
            "64:ff9b:1::a9fe:a9fe",
            "100::1",
            "2001::1",
            "2001:db8::1",
            "2002:a9fe:a9fe::1",
            "2002:7f00:1::",
            "3fff::1",
            "4000::1",
            "fc00::1",
            "fd00:ec2::254",
            "fe80::1",
            "fec0::1",
            "ff02::1",
            "2620:4f:8000::1",
        ];
        for address in refused {
            let address: IpAddr = address.parse().unwrap();
            assert!(!is_public(address), "{address}");
            assert!(!Destinations::public().permits(address), "{address}");
        }
    }

    #[test]
    fn what_is_public_is_not() {
        let public = [
            "1.1.1.1",
            "8.8.8.8",
            "93.184.216.34",
            "172.15.0.1",
            "172.32.0.1",
            "100.63.0.1",
            "100.128.0.1",
            "198.17.0.1",
            "198.20.0.1",
            "2606:4700::1111",
            "2a00:1450::1",
            "64:ff9b::808:808",
            "2002:808:808::1",
            "::ffff:8.8.8.8",
        ];
        for address in public {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn what_is_allowed_is_allowed_in_every_form_and_what_is_denied_in_none() {
        let destinations = Destinations::public()
            .allow("10.0.0.0/8".parse().unwrap())
            .deny("10.9.0.0/16".parse().unwrap())
            .deny("8.8.8.8/32".parse().unwrap());
        let permits = |address: &str| destinations.permits(address.parse().unwrap());
        assert!(permits("10.1.1.1") && permits("::ffff:10.1.1.1") && permits("1.1.1.1"));
        assert!(!permits("10.9.1.1") && !permits("::ffff:10.9.1.1") && !permits("8.8.8.8"));
        assert!(!permits("127.0.0.1"));
        assert!(
            Destinations::public()
                .allow_loopback()
                .permits("127.9.9.9".parse().unwrap())
        );
    }
}
