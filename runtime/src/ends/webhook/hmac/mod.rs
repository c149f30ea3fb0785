//! Signatures of senders that share a secret with the receiver, such as GitHub, Stripe and Standard
//! Webhooks.

mod scheme;
#[cfg(test)]
mod tests;

use super::{SignatureError, Verifier};
use crate::ends::mac::{MacKey, is_same};
use crate::ends::server::BoxFuture;
pub use crate::ends::signature::InvalidSecret;
use crate::ends::signature::scheme::{GITHUB, GITHUB_PREFIX, MessageHeaders, STRIPE};
use crate::ends::signature::secret;
use http::{HeaderMap, HeaderName};
use scheme::{STANDARD_OR_SVIX, STANDARD_WEBHOOKS, Scheme};
use std::fmt;
use std::sync::Arc;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// Default tolerance for the age of a signed timestamp, in the past and in the future.
const TOLERANCE: Duration = Duration::from_secs(5 * 60);

/// The text encoding of a signature.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Encoding {
    /// Hexadecimal digits, upper or lower case.
    Hex,
    /// Base64 with padding (RFC 4648, section 4).
    Base64,
}

/// A verifier of webhooks that are signed by HMAC-SHA256 with a shared secret.
///
/// With several secrets, a signature by any of them is valid, so that a secret can be replaced
/// without interruption. Signatures are compared in constant time.
///
/// ```
/// use bothends_runtime::webhook::{Encoding, HmacSignature};
///
/// let github = HmacSignature::github(["secret"])?;
/// let stripe = HmacSignature::stripe(["whsec_test"])?;
/// let shop = HmacSignature::new("x-shopify-hmac-sha256".parse()?, ["secret"])?.encoding(Encoding::Base64);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone)]
pub struct HmacSignature {
    /// Never empty.
    keys: Vec<MacKey>,
    scheme: Scheme,
    tolerance: Duration,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
}

impl HmacSignature {
    /// Creates a verifier of signatures over the body in this header, in hexadecimal without a
    /// prefix.
    ///
    /// # Errors
    ///
    /// Returns an error if there is no secret, or an empty one. No other length is required.
    pub fn new<S: AsRef<[u8]>>(
        header: HeaderName,
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        let scheme = Scheme::Body {
            header,
            prefix: "",
            encoding: Encoding::Hex,
        };
        Self::with(
            scheme,
            secrets
                .into_iter()
                .map(|secret| Ok(secret.as_ref().to_vec())),
        )
    }

    /// Creates a verifier for GitHub: `X-Hub-Signature-256: sha256={hex}` over the body.
    ///
    /// # Errors
    ///
    /// Returns an error under the conditions of [`new`](Self::new).
    pub fn github<S: AsRef<[u8]>>(
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        Ok(Self::new(GITHUB, secrets)?.prefix(GITHUB_PREFIX))
    }

    /// Creates a verifier for Stripe: `Stripe-Signature: t={seconds},v1={hex}` over the timestamp
    /// and the body.
    ///
    /// # Errors
    ///
    /// Returns an error under the conditions of [`new`](Self::new).
    pub fn stripe<S: AsRef<[u8]>>(
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        let secrets = secrets
            .into_iter()
            .map(|secret| Ok(secret.as_ref().to_vec()));
        Self::with(Scheme::Stripe { header: STRIPE }, secrets)
    }

    /// Creates a verifier for Slack: `X-Slack-Signature: v0={hex}` over the timestamp of
    /// `X-Slack-Request-Timestamp` and the body.
    ///
    /// # Errors
    ///
    /// Returns an error under the conditions of [`new`](Self::new).
    pub fn slack<S: AsRef<[u8]>>(
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        let secrets = secrets
            .into_iter()
            .map(|secret| Ok(secret.as_ref().to_vec()));
        Self::with(Scheme::Slack, secrets)
    }

    /// Creates a verifier for Standard Webhooks: `webhook-signature: v1,{base64}` over
    /// `webhook-id`, `webhook-timestamp` and the body. Secrets are Base64, with or without the
    /// prefix `whsec_`. The signed `webhook-id` identifies the message for
    /// [`Receiver::deduplicate`](super::Receiver::deduplicate).
    ///
    /// # Errors
    ///
    /// Returns an error under the conditions of [`new`](Self::new), and if a secret is not Base64.
    pub fn standard_webhooks<S: AsRef<str>>(
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        Self::standard(&STANDARD_WEBHOOKS, secrets)
    }

    /// Creates a verifier for Svix: as [Standard Webhooks](Self::standard_webhooks), with `svix-`
    /// headers. Without a `svix-signature`, the `webhook-` headers are read, which Svix sends to
    /// endpoints that ask for them.
    ///
    /// # Errors
    ///
    /// Returns an error under the conditions of [`standard_webhooks`](Self::standard_webhooks).
    pub fn svix<S: AsRef<str>>(
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        Self::standard(&STANDARD_OR_SVIX, secrets)
    }

    fn standard<S: AsRef<str>>(
        vendors: &'static [MessageHeaders],
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        let decoded = secrets.into_iter();
        let decoded = decoded.map(|secret| secret::base64(secret.as_ref()));
        Self::with(Scheme::Standard { vendors }, decoded)
    }

    fn with(
        scheme: Scheme,
        secrets: impl Iterator<Item = Result<Vec<u8>, InvalidSecret>>,
    ) -> Result<Self, InvalidSecret> {
        Ok(Self {
            keys: secret::some(secrets.map(secret::key))?,
            scheme,
            tolerance: TOLERANCE,
            clock: Arc::new(SystemTime::now),
        })
    }

    /// Sets the text in front of a signature over the body, such as `sha256=`. It does not affect
    /// schemes with a timestamp, whose format is fixed.
    #[must_use]
    pub fn prefix(mut self, text: &'static str) -> Self {
        if let Scheme::Body { prefix, .. } = &mut self.scheme {
            *prefix = text;
        }
        self
    }

    /// Sets the encoding of a signature over the body. It does not affect schemes with a timestamp,
    /// whose format is fixed.
    #[must_use]
    pub fn encoding(mut self, written: Encoding) -> Self {
        if let Scheme::Body { encoding, .. } = &mut self.scheme {
            *encoding = written;
        }
        self
    }

    /// Sets the tolerance for the age of a signed timestamp, in the past and in the future. The
    /// default is 5 minutes.
    #[must_use]
    pub fn tolerance(mut self, tolerance: Duration) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Sets the clock that signed timestamps are compared with. The default is [`SystemTime::now`].
    #[must_use]
    pub fn clock(mut self, clock: impl Fn() -> SystemTime + Send + Sync + 'static) -> Self {
        self.clock = Arc::new(clock);
        self
    }

    /// Verifies the headers and the body as received.
    ///
    /// The timestamp is checked first. The code of the body is computed once for each secret,
    /// however many signatures are listed.
    ///
    /// # Errors
    ///
    /// Returns an error if the signature is missing or wrong, if its timestamp is out of tolerance,
    /// or if more than 16 signatures are listed.
    pub fn check(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), SignatureError> {
        let signed = self.scheme.read(headers)?;
        if let Some(seconds) = signed.seconds {
            self.is_recent(seconds)?;
        }
        let given = signed.signatures()?;
        let message = signed.message(body);
        // All secrets and signatures are tried, so that the duration does not reveal which one
        // matched.
        let is_valid = self.keys.iter().fold(false, |is_valid, key| {
            let code = key.code(&message);
            let same = given
                .iter()
                .fold(false, |any, signature| is_same(&code, signature) | any);
            same | is_valid
        });
        match is_valid {
            true => Ok(()),
            false => Err(SignatureError::Invalid("is not that of this body")),
        }
    }

    fn is_recent(&self, seconds: &str) -> Result<(), SignatureError> {
        let Ok(seconds) = seconds.parse::<u64>() else {
            return Err(SignatureError::Invalid("has no timestamp in seconds"));
        };
        let now = (self.clock)().duration_since(UNIX_EPOCH);
        let apart = now.unwrap_or_default().as_secs().abs_diff(seconds);
        if apart > self.tolerance.as_secs() {
            return Err(SignatureError::Invalid("has a timestamp out of tolerance"));
        }
        Ok(())
    }
}

impl Verifier for HmacSignature {
    fn verify<'a>(
        &'a self,
        headers: &'a HeaderMap,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<(), SignatureError>> {
        Box::pin(std::future::ready(self.check(headers, body)))
    }

    fn message_id<'h>(&self, headers: &'h HeaderMap) -> Option<&'h [u8]> {
        self.scheme.message_id(headers)
    }
}

impl fmt::Debug for HmacSignature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HmacSignature")
            .field("secrets", &self.keys.len())
            .field("scheme", &self.scheme)
            .field("tolerance", &self.tolerance)
            .finish_non_exhaustive()
    }
}
