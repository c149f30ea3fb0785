//! Errors of building a client.

use super::{InvalidBaseUrl, MissingTls, TransportError, UntrustedOrigin};
use std::fmt;

/// The error of building a client.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The text is not a valid base URL.
    Base(InvalidBaseUrl),
    /// The server needs `https`, and the transport was compiled without TLS.
    MissingTls(MissingTls),
    /// The transport could not be built.
    Transport(TransportError),
    /// The document directs credentials to a server that the caller has not named.
    UntrustedOrigin(UntrustedOrigin),
}

impl From<InvalidBaseUrl> for BuildError {
    fn from(error: InvalidBaseUrl) -> Self {
        Self::Base(error)
    }
}

impl From<MissingTls> for BuildError {
    fn from(error: MissingTls) -> Self {
        Self::MissingTls(error)
    }
}

impl From<UntrustedOrigin> for BuildError {
    fn from(error: UntrustedOrigin) -> Self {
        Self::UntrustedOrigin(error)
    }
}

impl From<TransportError> for BuildError {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

impl fmt::Display for BuildError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Base(error) => error.fmt(f),
            Self::MissingTls(error) => error.fmt(f),
            Self::Transport(error) => error.fmt(f),
            Self::UntrustedOrigin(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        // The `Display` text of each is already that of this error.
        match self {
            Self::Base(error) => error.source(),
            Self::MissingTls(error) => error.source(),
            Self::Transport(error) => error.source(),
            Self::UntrustedOrigin(error) => error.source(),
        }
    }
}
