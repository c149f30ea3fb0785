//! Texts that are not shown.

use std::fmt;
use subtle::ConstantTimeEq;
use zeroize::Zeroizing;

/// A text that is not shown, and is wiped when it is dropped.
///
/// Two of them, or one and a text, are compared in constant time: how long it takes depends on the
/// lengths only, so an authenticator may compare what a caller has sent with what it expects by `==`.
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
    /// The text itself. Comparing it byte by byte (`==` on the text) takes the longer the more of it
    /// is right; compare the `Secret`.
    pub fn expose(&self) -> &str {
        &self.0
    }
}

/// Compares in a time that depends on the lengths only.
pub(super) fn same(one: &str, other: &str) -> subtle::Choice {
    one.as_bytes().ct_eq(other.as_bytes())
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
