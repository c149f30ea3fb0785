//! Texts that `Debug` does not show.

use std::fmt;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// A secret text. `Debug` does not show it, and it is wiped when it is dropped.
///
/// Two secrets, or a secret and a text, are compared in constant time: the duration depends only on
/// the lengths, so an authenticator may compare the received secret with the expected one by `==`.
///
/// ```
/// use bothends_runtime::client::Secret;
///
/// let sent = Secret::from("t0ken");
/// assert!(sent == "t0ken" && sent != "t0ke");
/// ```
#[derive(Clone)]
pub struct Secret(Zeroizing<String>);

impl Secret {
    /// Returns the text. Do not compare the text by `==`, because the duration depends on how much
    /// of it matches; compare the `Secret`.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// Compares in a time that depends only on the lengths.
pub(super) fn same(text: &str, other: &str) -> subtle::Choice {
    text.as_bytes().ct_eq(other.as_bytes())
}

impl PartialEq for Secret {
    fn eq(&self, other: &Self) -> bool {
        same(&self.0, &other.0).into()
    }
}

impl Eq for Secret {}

impl PartialEq<str> for Secret {
    fn eq(&self, other: &str) -> bool {
        same(&self.0, other).into()
    }
}

impl PartialEq<&str> for Secret {
    fn eq(&self, other: &&str) -> bool {
        *self == **other
    }
}

impl PartialEq<String> for Secret {
    fn eq(&self, other: &String) -> bool {
        *self == **other
    }
}

impl From<&str> for Secret {
    fn from(text: &str) -> Self {
        Self(Zeroizing::new(text.to_owned()))
    }
}

impl From<String> for Secret {
    fn from(text: String) -> Self {
        Self(Zeroizing::new(text))
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Secret(…)")
    }
}
