//! Fetching of documents over HTTPS. Other protocols are not supported.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::time::Duration;

use ureq::config::Config;
use ureq::http::{StatusCode, Uri, header};
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::{DefaultConnector, NextTimeout};
use ureq::{Agent, Error};

use super::LoadError;

/// Returns the bytes at a URL.
///
/// Redirects are not followed, proxies of the environment are not used, and only public addresses
/// are contacted: a document may have any origin, and must not cause requests inside this machine's
/// own network.
///
/// # Errors
/// Returns an error if the URL does not begin with `https`, the document does not exist, is larger
/// than `limit`, or is not received within `timeout`.
pub(super) fn get(url: &str, limit: u64, timeout: Duration) -> Result<Vec<u8>, LoadError> {
    let config = Config::builder()
        .https_only(true)
        .max_redirects(0)
        .proxy(None)
        .http_status_as_error(false)
        .timeout_global(Some(timeout))
        .user_agent(concat!("bothends/", env!("CARGO_PKG_VERSION")))
        .build();
    let agent = Agent::with_parts(config, DefaultConnector::new(), Public::default());
    let mut response = agent.get(url).call().map_err(load_error)?;
    let status = response.status();
    if status.is_redirection() {
        let to = response.headers().get(header::LOCATION);
        let to = to.and_then(|to| to.to_str().ok()).unwrap_or("elsewhere");
        let reason = format!("the server redirects to `{to}`; refer to that URL");
        return Err(LoadError::Other(reason));
    }
    match status {
        StatusCode::OK => {}
        StatusCode::NOT_FOUND | StatusCode::GONE => return Err(LoadError::NotFound),
        other => {
            return Err(LoadError::Other(format!(
                "the server returns status {other}"
            )));
        }
    }
    let body = response.body_mut().with_config().limit(limit);
    body.read_to_vec().map_err(load_error)
}

fn load_error(error: Error) -> LoadError {
    match error {
        Error::BodyExceedsLimit(_) => LoadError::TooLarge,
        Error::Timeout(_) => LoadError::Other("timed out".to_owned()),
        other => LoadError::Other(other.to_string()),
    }
}

/// A resolver that returns public addresses only.
#[derive(Debug, Default)]
struct Public(DefaultResolver);

impl Resolver for Public {
    fn resolve(
        &self,
        uri: &Uri,
        config: &Config,
        timeout: NextTimeout,
    ) -> Result<ResolvedSocketAddrs, Error> {
        let found = self.0.resolve(uri, config, timeout)?;
        let mut public = self.empty();
        let vetted = found.iter().filter(|address| is_public(address.ip()));
        vetted.for_each(|address: &SocketAddr| public.push(*address));
        if public.is_empty() {
            let reason = "its address is not public";
            return Err(Error::Other(reason.into()));
        }
        Ok(public)
    }
}

/// Returns whether an address is public (by the registries of RFC 6890).
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let special = match address.octets() {
        [0 | 10 | 127, ..] => true,
        [100, second, ..] => second & 0xc0 == 64,
        [192, 0, 0 | 2, _] | [192, 88, 99, _] => true,
        [198, 18 | 19, ..] | [198, 51, 100, _] | [203, 0, 113, _] => true,
        // Multicast and reserved addresses.
        [first, ..] => first >= 224,
    };
    !special && !address.is_private() && !address.is_link_local()
}

/// Returns whether an address is in `2000::/3` (global unicast), without the ranges that embed an
/// IPv4 address.
fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        [0x2001, second, ..] => second >= 0x200 && second != 0xdb8,
        [0x2002 | 0x3fff, ..] => false,
        [first, ..] => first & 0xe000 == 0x2000,
    }
}

#[cfg(test)]
mod tests {
    use std::io::ErrorKind;
    use std::net::TcpListener;

    use super::*;

    #[test]
    fn only_public_addresses_are_connected_to() {
        for address in [
            "127.0.0.1",
            "10.1.2.3",
            "172.16.0.1",
            "192.168.1.1",
            "169.254.169.254",
            "100.64.0.1",
            "0.0.0.0",
            "224.0.0.1",
            "255.255.255.255",
            "198.19.0.1",
            "::",
            "::1",
            "fe80::1",
            "fc00::1",
            "::ffff:10.0.0.1",
            "64:ff9b::a00:1",
            "2002:a00:1::",
            "2001:db8::1",
            "ff02::1",
        ] {
            assert!(!is_public(address.parse().unwrap()), "{address}");
        }
        for address in [
            "1.1.1.1",
            "100.128.0.1",
            "172.32.0.1",
            "198.20.0.1",
            "2606:4700::1111",
        ] {
            assert!(is_public(address.parse().unwrap()), "{address}");
        }
    }

    #[test]
    fn private_addresses_are_not_requested() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.set_nonblocking(true).unwrap();
        let port = listener.local_addr().unwrap().port();
        for (url, reason) in [
            (format!("https://127.0.0.1:{port}/a"), "not public"),
            (format!("https://localhost:{port}/a"), "not public"),
            (format!("http://127.0.0.1:{port}/a"), "https"),
        ] {
            let error = get(&url, 100, Duration::from_secs(30)).unwrap_err();
            let LoadError::Other(message) = error else {
                panic!("{url}: {error:?}")
            };
            assert!(message.contains(reason), "{url}: {message}");
        }
        let error = listener.accept().unwrap_err();
        assert_eq!(error.kind(), ErrorKind::WouldBlock);
    }
}
