//! Why the sandbox did not start.

use crate::config::ConfigError;
use crate::ids::NoRandomness;
use crate::store::StorageError;
use std::fmt;
use std::net::SocketAddr;

/// An error at the start.
#[derive(Debug)]
#[non_exhaustive]
pub enum StartError {
    /// The sandbox cannot listen on an address.
    Listen {
        /// The address.
        address: SocketAddr,
        /// The reason.
        error: std::io::Error,
    },
    /// The system does not tell the address of a listener.
    Address(std::io::Error),
    /// An error of the configuration file.
    Config(ConfigError),
    /// An error of the database.
    Storage(StorageError),
    /// The system has no random numbers.
    Randomness(NoRandomness),
}

impl fmt::Display for StartError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Listen { address, error } => write!(
                f,
                "cannot listen on {address}: {error}; choose another address with `--listen` or \
                 `--console-listen`, port 0 for any free port"
            ),
            Self::Address(error) => write!(f, "the address of the listener is unknown: {error}"),
            Self::Config(error) => error.fmt(f),
            Self::Storage(error) => write!(f, "the database: {error}"),
            Self::Randomness(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for StartError {}

impl From<StorageError> for StartError {
    fn from(error: StorageError) -> Self {
        Self::Storage(error)
    }
}

impl From<ConfigError> for StartError {
    fn from(error: ConfigError) -> Self {
        Self::Config(error)
    }
}

impl From<NoRandomness> for StartError {
    fn from(error: NoRandomness) -> Self {
        Self::Randomness(error)
    }
}
