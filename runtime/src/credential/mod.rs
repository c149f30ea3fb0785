//! Credentials, as both ends know them.

mod secret;

pub use secret::Secret;

use std::fmt;

/// A user and a password.
#[derive(Clone, PartialEq, Eq)]
pub struct Basic {
    user: String,
    password: Secret,
}

impl Basic {
    /// A user and a password.
    pub fn new(user: impl Into<String>, password: impl Into<Secret>) -> Self {
        Self {
            user: user.into(),
            password: password.into(),
        }
    }

    /// The user.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// The password.
    pub const fn password(&self) -> &Secret {
        &self.password
    }
}

impl fmt::Debug for Basic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Basic({}, …)", self.user)
    }
}

/// Stands for what the transport itself shows, a certificate for example.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct ByTransport;
