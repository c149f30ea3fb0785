//! The transport of `Client::new`: the one over hyper, if enabled.

#[cfg(any(feature = "hyper", feature = "reqwest"))]
use super::redact;
use super::{BuildError, Transport};
#[cfg(any(feature = "hyper", feature = "reqwest"))]
use http::Uri;
use std::fmt;

/// A transport that the runtime can build by itself, for `Client::new` of generated clients.
///
/// The feature `hyper` provides the one that `Client::new` uses. Without it, a call of
/// `Client::new` does not compile; `Client::with_transport` accepts any transport.
#[diagnostic::on_unimplemented(
    message = "`Client::new` needs the feature `rustls`, `native-tls` or `hyper` of `bothends-runtime`",
    label = "there is no transport to call the server with",
    note = "enable it for `bothends-runtime`, or for the generated crate, in Cargo.toml; `hyper` \
            alone has no https",
    note = "or call `Client::with_transport` with a transport of your own"
)]
pub trait ProvidedTransport: Transport + Sized {
    /// Builds the transport for the server at `base_url`.
    ///
    /// # Errors
    ///
    /// Returns an error if `base_url` is not a valid base URL, if it is an `https` URL and the
    /// transport was compiled without TLS, or if the transport cannot be built.
    fn provide(base_url: &str) -> Result<Self, BuildError>;
}

/// The error of an `https` URL with a transport that was compiled without TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTls {
    pub(super) url: String,
}

impl MissingTls {
    /// Returns the URL that needs TLS, without its query.
    #[must_use]
    pub fn url(&self) -> &str {
        &self.url
    }
}

impl fmt::Display for MissingTls {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "`{}` needs TLS, which is not compiled in: enable the feature `rustls` or `native-tls` \
             of `bothends-runtime`, or of the generated crate",
            self.url
        )
    }
}

impl std::error::Error for MissingTls {}

/// Why a request whose URL has a user name or a password is refused.
#[cfg(any(feature = "hyper", feature = "reqwest"))]
pub(super) const USER_INFORMATION: &str =
    "the URL contains a user name or a password: set credentials instead";

/// Returns an error if a URL needs TLS and a transport was compiled without it.
#[cfg(any(feature = "hyper", feature = "reqwest"))]
pub(super) fn check_tls(url: &Uri, has_tls: bool) -> Result<(), MissingTls> {
    if has_tls || url.scheme_str() != Some("https") {
        return Ok(());
    }
    Err(MissingTls {
        url: redact::url(url),
    })
}

#[cfg(all(test, any(feature = "hyper", feature = "reqwest")))]
mod tests {
    use super::*;

    #[test]
    fn https_requires_tls() {
        let missing = |url: &str, has_tls| check_tls(&url.parse().expect("a URL"), has_tls).err();
        assert_eq!(missing("http://h/a", false), None);
        assert_eq!(missing("https://h/a", true), None);
        let text = missing("https://h:1/a?key=secret", false).map(|missing| missing.to_string());
        let text = text.expect("an error");
        assert!(text.starts_with("`https://h:1/a?…` needs TLS"), "{text}");
        assert!(text.contains("`rustls` or `native-tls`"), "{text}");
    }
}
