//! Credentials, for clients and servers.

mod secret;

pub use secret::Secret;

use std::fmt;

/// A user name and a password. Two values are compared in constant time: both parts are always
/// compared, and the duration depends only on their lengths.
#[derive(Clone)]
pub struct Basic {
    user: String,
    password: Secret,
}

impl Basic {
    /// Creates a value from a user name and a password.
    pub fn new(user: impl Into<String>, password: impl Into<Secret>) -> Self {
        Self {
            user: user.into(),
            password: password.into(),
        }
    }

    /// Returns the user name.
    pub fn user(&self) -> &str {
        &self.user
    }

    /// Returns the password.
    pub const fn password(&self) -> &Secret {
        &self.password
    }
}

impl PartialEq for Basic {
    fn eq(&self, other: &Self) -> bool {
        // No `&&`: the duration must not reveal whether the user name or the password is wrong.
        let user = secret::same(&self.user, &other.user);
        let password = secret::same(self.password.expose(), other.password.expose());
        (user & password).into()
    }
}

impl Eq for Basic {}

impl fmt::Debug for Basic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Some services take their API key as the user name, with an empty password.
        f.write_str("Basic(…)")
    }
}

/// A marker of mutual TLS: the credential is the client certificate of the connection.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct MutualTls;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn credentials_are_compared_as_a_whole() {
        let [secret, same, other, longer] = ["abc", "abc", "abd", "abcd"].map(Secret::from);
        assert_eq!(secret, same);
        for wrong in [other, longer, Secret::from("")] {
            assert_ne!(secret, wrong);
            assert_ne!(wrong, secret);
        }
        let owned = "abc".to_owned();
        assert!(secret == "abc" && secret == *"abc" && secret == owned && secret != "ab");
        let basic = |user: &str, password: &str| Basic::new(user, password);
        assert_eq!(basic("a", "b"), basic("a", "b"));
        for (user, password) in [("a", "c"), ("c", "b"), ("b", "a"), ("ab", ""), ("", "")] {
            assert_ne!(basic("a", "b"), basic(user, password));
        }
    }
}
