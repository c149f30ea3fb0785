//! Schemes of other senders: the headers of signatures by shared secrets, and the bytes that they cover.

use super::secret::{self, InvalidSecret};
use crate::ends::mac::{Code, MacKey};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName, HeaderValue};
use std::fmt;
use zeroize::Zeroizing;

/// The headers of a message id, a timestamp and signatures.
#[derive(Debug)]
pub(crate) struct MessageHeaders {
    pub(crate) id: HeaderName,
    pub(crate) timestamp: HeaderName,
    pub(crate) signature: HeaderName,
}

/// The headers of Standard Webhooks.
pub(crate) const WEBHOOK: MessageHeaders = MessageHeaders {
    id: HeaderName::from_static("webhook-id"),
    timestamp: HeaderName::from_static("webhook-timestamp"),
    signature: HeaderName::from_static("webhook-signature"),
};
/// The headers of Svix.
pub(crate) const SVIX: MessageHeaders = MessageHeaders {
    id: HeaderName::from_static("svix-id"),
    timestamp: HeaderName::from_static("svix-timestamp"),
    signature: HeaderName::from_static("svix-signature"),
};
/// The header of GitHub.
pub(crate) const GITHUB: HeaderName = HeaderName::from_static("x-hub-signature-256");
/// The text in front of GitHub's signature.
pub(crate) const GITHUB_PREFIX: &str = "sha256=";
/// The header of Stripe.
pub(crate) const STRIPE: HeaderName = HeaderName::from_static("stripe-signature");

/// Returns what Standard Webhooks and Svix sign in front of the body.
pub(crate) const fn before_standard<'m>(id: &'m [u8], seconds: &'m [u8]) -> [&'m [u8]; 4] {
    [id, b".", seconds, b"."]
}

/// Returns what Stripe signs in front of the body.
pub(crate) const fn before_stripe(seconds: &[u8]) -> [&[u8]; 4] {
    [seconds, b".", b"", b""]
}

/// A scheme by which a sender signs with secrets that the receiver knows, by HMAC-SHA256.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SigningScheme {
    /// Standard Webhooks: `webhook-signature: v1,{base64}` over `webhook-id`, `webhook-timestamp` and the
    /// body, with a signature for each secret. Secrets are Base64, with or without the prefix `whsec_`.
    StandardWebhooks,
    /// Svix: the same with the headers `svix-id`, `svix-timestamp` and `svix-signature`.
    Svix,
    /// GitHub: `X-Hub-Signature-256: sha256={hex}` over the body, by the first secret.
    GitHub,
    /// Stripe: `Stripe-Signature: t={seconds},v1={hex}` over the timestamp and the body, with a signature
    /// for each secret.
    Stripe,
}

/// The schemes with the words by which they are stored.
const SCHEMES: [(SigningScheme, &str); 4] = [
    (SigningScheme::StandardWebhooks, "standard-webhooks"),
    (SigningScheme::Svix, "svix"),
    (SigningScheme::GitHub, "github"),
    (SigningScheme::Stripe, "stripe"),
];

impl SigningScheme {
    /// Returns the word of the scheme, for settings and for storing it.
    pub fn as_str(self) -> &'static str {
        let mut schemes = SCHEMES.into_iter();
        let found = schemes.find(|(scheme, _)| *scheme == self);
        found.map_or("", |(_, word)| word)
    }

    /// Returns the scheme with this word.
    pub fn from_word(word: &str) -> Option<Self> {
        let mut schemes = SCHEMES.into_iter();
        let found = schemes.find(|(_, known)| *known == word);
        found.map(|(scheme, _)| scheme)
    }
}

/// The secrets of a sender, with the scheme by which it signs. `Debug` does not show them, and their
/// texts are wiped when dropped.
///
/// With several secrets, a receiver may know any of them, so that a secret is replaced without a gap:
/// sign with both, and drop the old one when the receiver has the new one. GitHub's scheme has one
/// signature, by the first secret; there, the receiver accepts both for a while.
///
/// ```
/// use bothends_runtime::signature::{SigningScheme, SigningSecrets};
///
/// let secrets = ["whsec_bmV3", "whsec_b2xk"];
/// let standard = SigningSecrets::new(SigningScheme::StandardWebhooks, secrets)?;
/// let github = SigningSecrets::new(SigningScheme::GitHub, ["a secret of 24 random bytes"])?;
/// # Ok::<(), bothends_runtime::signature::InvalidSecret>(())
/// ```
#[derive(Clone)]
pub struct SigningSecrets {
    scheme: SigningScheme,
    /// Never empty.
    secrets: Vec<(Zeroizing<String>, MacKey)>,
}

impl SigningSecrets {
    /// Creates the secrets of a scheme.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no secret, or an empty one, or if the scheme requires Base64 and a
    /// secret is not. No other length is required; choose at least 24 random bytes.
    pub fn new<S: Into<String>>(
        scheme: SigningScheme,
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        let secrets = secrets.into_iter().map(|secret| {
            let text = Zeroizing::new(secret.into());
            let key = secret::key(match scheme {
                SigningScheme::StandardWebhooks | SigningScheme::Svix => secret::base64(&text),
                SigningScheme::GitHub | SigningScheme::Stripe => Ok(text.as_bytes().to_vec()),
            })?;
            Ok((text, key))
        });
        Ok(Self {
            scheme,
            secrets: secret::some(secrets)?,
        })
    }

    /// Returns the scheme.
    pub const fn scheme(&self) -> SigningScheme {
        self.scheme
    }

    /// Returns the texts of the secrets, for storing them.
    pub fn expose(&self) -> impl Iterator<Item = &str> {
        self.secrets.iter().map(|(text, _)| text.as_str())
    }

    /// Sets the headers of the signature of a message with this id and body, sent at a time in seconds
    /// since 1970. Each attempt has a time of its own.
    pub fn sign(&self, id: &HeaderValue, seconds: u64, body: &[u8], headers: &mut HeaderMap) {
        let seconds = seconds.to_string();
        let codes = |[a, b, c, d]: [&[u8]; 4]| -> Vec<Code> {
            let message = [a, b, c, d, body];
            let codes = self.secrets.iter().map(|(_, key)| key.code(&message));
            codes.collect()
        };
        let mut set = |name: HeaderName, value: String| {
            // Digits, hexadecimal and Base64 are always a valid value.
            if let Ok(value) = HeaderValue::try_from(value) {
                headers.insert(name, value);
            }
        };
        let standard = match self.scheme {
            SigningScheme::StandardWebhooks => WEBHOOK,
            SigningScheme::Svix => SVIX,
            SigningScheme::GitHub => {
                let codes = codes([b""; 4]);
                let first = codes.first().map(hex::encode).unwrap_or_default();
                return set(GITHUB, format!("{GITHUB_PREFIX}{first}"));
            }
            SigningScheme::Stripe => {
                let codes = codes(before_stripe(seconds.as_bytes()));
                let codes = codes
                    .iter()
                    .map(|code| format!(",v1={}", hex::encode(code)));
                return set(STRIPE, format!("t={seconds}{}", codes.collect::<String>()));
            }
        };
        let codes = codes(before_standard(id.as_bytes(), seconds.as_bytes()));
        let codes = codes
            .iter()
            .map(|code| format!("v1,{}", STANDARD.encode(code)));
        set(standard.signature, codes.collect::<Vec<_>>().join(" "));
        set(standard.timestamp, seconds);
        headers.insert(standard.id, id.clone());
    }
}

/// Compares the texts. Use this for tests and settings only, and not for input of callers: the
/// comparison is not in constant time.
impl PartialEq for SigningSecrets {
    fn eq(&self, other: &Self) -> bool {
        self.scheme == other.scheme && self.expose().eq(other.expose())
    }
}

impl Eq for SigningSecrets {}

impl fmt::Debug for SigningSecrets {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("SigningSecrets")
            .field("scheme", &self.scheme)
            .finish_non_exhaustive()
    }
}
