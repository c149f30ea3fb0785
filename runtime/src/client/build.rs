//! Why a client could not be made.

use super::{InvalidBase, TransportError};
use std::fmt;

/// A client could not be made.
#[derive(Debug)]
#[non_exhaustive]
pub enum BuildError {
    /// The text is not the address of a server.
    Base(InvalidBase),
    /// The transport could not be set up.
    Transport(TransportError),
}

impl From<InvalidBase> for BuildError {
    fn from(error: InvalidBase) -> Self {
        Self::Base(error)
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
            Self::Transport(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for BuildError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Base(error) => Some(error),
            Self::Transport(error) => Some(error),
        }
    }
}
