//! The transport that `Client::new` takes: the one over reqwest, where there is one.

use super::{BuildError, Transport};
use std::fmt;

/// A transport that the runtime sets up itself, for `Client::new` of generated clients.
///
/// The feature `reqwest` provides one. Without it, nothing implements this trait, and a call of
/// `Client::new` does not compile; `Client::with_transport` takes any transport.
#[diagnostic::on_unimplemented(
    message = "`Client::new` needs the feature `reqwest` of `bothends-runtime`",
    label = "there is no transport to call the server with",
    note = "enable the feature `reqwest` of `bothends-runtime`, or of the generated crate, in \
            Cargo.toml; for https also `rustls` or `native-tls`",
    note = "or call `Client::with_transport` with a transport of your own"
)]
pub trait ProvidedTransport: Transport + Sized {
    /// Sets up the transport for the server at `base_url`.
    ///
    /// # Errors
    ///
    /// Returns an error if `base_url` is not a URL of a server, if it is an https URL and the
    /// transport has no TLS, or if the transport cannot be set up.
    fn provide(base_url: &str) -> Result<Self, BuildError>;
}

/// A server is called by https, and the transport was compiled without TLS.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingTls {
    pub(super) url: String,
}

impl MissingTls {
    /// The URL that needs TLS, without its query.
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
