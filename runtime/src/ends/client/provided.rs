//! The transport of `Client::new`: the one over reqwest, if enabled.

use super::{BuildError, Transport};
use std::fmt;

/// A transport that the runtime can build by itself, for `Client::new` of generated clients.
///
/// The feature `reqwest` provides one. Without it, no type implements this trait, and a call of
/// `Client::new` does not compile; `Client::with_transport` accepts any transport.
#[diagnostic::on_unimplemented(
    message = "`Client::new` needs the feature `reqwest` of `bothends-runtime`",
    label = "there is no transport to call the server with",
    note = "enable the feature `reqwest` of `bothends-runtime`, or of the generated crate, in \
            Cargo.toml; for https also `rustls` or `native-tls`",
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
