//! Signatures of senders that share a secret with the receiver, such as GitHub, Stripe and Standard
//! Webhooks.

use super::{SignatureError, Verifier, one};
use crate::ends::server::BoxFuture;
use aws_lc_rs::constant_time::verify_slices_are_equal;
use aws_lc_rs::hmac::{self, HMAC_SHA256};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::{HeaderMap, HeaderName};
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
    keys: Vec<hmac::Key>,
    scheme: Scheme,
    tolerance: Duration,
    clock: Arc<dyn Fn() -> SystemTime + Send + Sync>,
}

/// The place of a signature, and the bytes that it covers.
#[derive(Debug, Clone)]
enum Scheme {
    /// `header: {prefix}{signature}` over the body.
    Body {
        header: HeaderName,
        prefix: &'static str,
        encoding: Encoding,
    },
    /// `header: t={seconds},v1={hex},…` over `{seconds}.{body}`.
    Stripe { header: HeaderName },
    /// `header: {prefix}{hex}` over `v0:{seconds}:{body}`, with the seconds in a header of their
    /// own.
    Slack,
    /// `{vendor}-signature: v1,{base64} …` over `{id}.{seconds}.{body}`.
    Standard {
        id: HeaderName,
        timestamp: HeaderName,
        signature: HeaderName,
    },
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
        let header = HeaderName::from_static("x-hub-signature-256");
        Ok(Self::new(header, secrets)?.prefix("sha256="))
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
        let header = HeaderName::from_static("stripe-signature");
        let secrets = secrets
            .into_iter()
            .map(|secret| Ok(secret.as_ref().to_vec()));
        Self::with(Scheme::Stripe { header }, secrets)
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
    /// prefix `whsec_`.
    ///
    /// # Errors
    ///
    /// Returns an error under the conditions of [`new`](Self::new), and if a secret is not Base64.
    pub fn standard_webhooks<S: AsRef<str>>(
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        Self::standard(
            ["webhook-id", "webhook-timestamp", "webhook-signature"],
            secrets,
        )
    }

    /// Creates a verifier for Svix: as [Standard Webhooks](Self::standard_webhooks), with `svix-`
    /// headers.
    ///
    /// # Errors
    ///
    /// Returns an error under the conditions of [`standard_webhooks`](Self::standard_webhooks).
    pub fn svix<S: AsRef<str>>(
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        Self::standard(["svix-id", "svix-timestamp", "svix-signature"], secrets)
    }

    fn standard<S: AsRef<str>>(
        headers: [&'static str; 3],
        secrets: impl IntoIterator<Item = S>,
    ) -> Result<Self, InvalidSecret> {
        let [id, timestamp, signature] = headers.map(HeaderName::from_static);
        let scheme = Scheme::Standard {
            id,
            timestamp,
            signature,
        };
        let decoded = secrets.into_iter().map(|secret| {
            let secret = secret.as_ref();
            let secret = secret.strip_prefix("whsec_").unwrap_or(secret);
            STANDARD
                .decode(secret)
                .map_err(|_| InvalidSecret::NotBase64)
        });
        Self::with(scheme, decoded)
    }

    fn with(
        scheme: Scheme,
        secrets: impl Iterator<Item = Result<Vec<u8>, InvalidSecret>>,
    ) -> Result<Self, InvalidSecret> {
        let keys = secrets.map(|secret| {
            let secret = zeroize::Zeroizing::new(secret?);
            if secret.is_empty() {
                return Err(InvalidSecret::Empty);
            }
            // HMAC accepts a key of any length (RFC 2104, section 2).
            Ok(hmac::Key::new(HMAC_SHA256, &secret))
        });
        let keys: Vec<_> = keys.collect::<Result<_, _>>()?;
        if keys.is_empty() {
            return Err(InvalidSecret::Missing);
        }
        Ok(Self {
            keys,
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
    /// # Errors
    ///
    /// Returns an error if the signature is missing or wrong, or its timestamp is out of tolerance.
    pub fn check(&self, headers: &HeaderMap, body: &[u8]) -> Result<(), SignatureError> {
        match &self.scheme {
            Scheme::Body {
                header,
                prefix,
                encoding,
            } => {
                let text = one(headers, header)?;
                let Some(text) = text.strip_prefix(prefix) else {
                    return Err(SignatureError::Invalid("does not have the required prefix"));
                };
                self.any(&[body], [decode(text, *encoding)])
            }
            Scheme::Stripe { header } => {
                let text = one(headers, header)?;
                let pairs = || {
                    text.split(',')
                        .filter_map(|pair| pair.trim().split_once('='))
                };
                let values = |name: &'static str| pairs().filter(move |pair| pair.0 == name);
                let seconds = values("t").next().map_or("", |(_, seconds)| seconds);
                self.is_recent(seconds)?;
                let given = values("v1").map(|(_, text)| decode(text, Encoding::Hex));
                self.any(&[seconds.as_bytes(), b".", body], given)
            }
            Scheme::Slack => {
                let seconds = one(
                    headers,
                    &HeaderName::from_static("x-slack-request-timestamp"),
                )?;
                let text = one(headers, &HeaderName::from_static("x-slack-signature"))?;
                self.is_recent(seconds)?;
                let text = text.strip_prefix("v0=").unwrap_or_default();
                let given = [decode(text, Encoding::Hex)];
                self.any(&[b"v0:", seconds.as_bytes(), b":", body], given)
            }
            Scheme::Standard {
                id,
                timestamp,
                signature,
            } => {
                let (id, seconds) = (one(headers, id)?, one(headers, timestamp)?);
                let text = one(headers, signature)?;
                self.is_recent(seconds)?;
                let given = text.split(' ').filter_map(|one| one.strip_prefix("v1,"));
                let given = given.map(|text| decode(text, Encoding::Base64));
                let signed = [id.as_bytes(), b".", seconds.as_bytes(), b".", body];
                self.any(&signed, given)
            }
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

    /// Returns whether one of these signatures is valid for these bytes and one of the secrets.
    fn any(
        &self,
        signed: &[&[u8]],
        given: impl IntoIterator<Item = Option<[u8; 32]>>,
    ) -> Result<(), SignatureError> {
        let mut of_form = false;
        let mut good = false;
        for signature in given.into_iter().flatten() {
            of_form = true;
            // All secrets are tried, so that the duration does not reveal which one matched.
            for key in &self.keys {
                let mut mac = hmac::Context::with_key(key);
                signed.iter().for_each(|part| mac.update(part));
                good |= verify_slices_are_equal(mac.sign().as_ref(), &signature).is_ok();
            }
        }
        match (good, of_form) {
            (true, _) => Ok(()),
            (false, true) => Err(SignatureError::Invalid("is not that of this body")),
            (false, false) => Err(SignatureError::Invalid("is not of the required form")),
        }
    }
}

fn decode(text: &str, encoding: Encoding) -> Option<[u8; 32]> {
    let mut bytes = [0; 32];
    match encoding {
        Encoding::Hex => hex::decode_to_slice(text, &mut bytes).ok()?,
        Encoding::Base64 => bytes = STANDARD.decode(text).ok()?.try_into().ok()?,
    }
    Some(bytes)
}

impl Verifier for HmacSignature {
    fn verify<'a>(
        &'a self,
        headers: &'a HeaderMap,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<(), SignatureError>> {
        Box::pin(std::future::ready(self.check(headers, body)))
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

/// The error of a secret that cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidSecret {
    /// There is no secret.
    Missing,
    /// A secret is empty.
    Empty,
    /// A secret is not Base64, which its scheme requires.
    NotBase64,
}

impl fmt::Display for InvalidSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Missing => "there is no secret",
            Self::Empty => "the secret is empty",
            Self::NotBase64 => "the secret is not Base64",
        })
    }
}

impl std::error::Error for InvalidSecret {}
