//! The signing keys of a sender, and their publication.

use super::{SIGNATURE, SIGNING_ID, SharedKeyRing, SigningKey, TOKEN_SIGNATURE};
use crate::Signing;
use bothends_runtime::SigningRules;
use bytes::Bytes;
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE};
use http::{HeaderMap, HeaderName, HeaderValue, Method, Request, Response, StatusCode};
use http_body_util::Full;
use std::convert::Infallible;
use std::fmt;
use std::future::{Ready, ready};
use std::task::{Context, Poll};
use tower_service::Service;

/// The keys of a sender: one key signs, and all keys are published.
///
/// To rotate keys, publish the new key first ([`KeyRing::publish`]). Let it sign once receivers
/// have had time to fetch it. A [`SharedKeyRing`] is replaced while workers run. Keep the old key published until no request that it signed is in
/// progress.
#[derive(Debug, Clone, Default)]
pub struct KeyRing {
    current: Option<SigningKey>,
    published: Vec<SigningKey>,
    headers: Headers,
}

/// The names of the signature headers.
#[derive(Debug, Clone)]
struct Headers {
    token: HeaderName,
    key: HeaderName,
    key_id: HeaderName,
}

impl Default for Headers {
    fn default() -> Self {
        Self {
            token: TOKEN_SIGNATURE,
            key: SIGNATURE,
            key_id: SIGNING_ID,
        }
    }
}

impl KeyRing {
    /// Creates an empty key ring. Without a key, requests of subscriptions with [`Signing::Key`]
    /// are not sent.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the key that signs. The previous signing key remains published.
    #[must_use]
    pub fn sign_with(mut self, key: SigningKey) -> Self {
        if let Some(before) = self.current.replace(key) {
            self.published.push(before);
        }
        self
    }

    /// Adds a key that is published but does not sign.
    #[must_use]
    pub fn publish(mut self, key: SigningKey) -> Self {
        self.published.push(key);
        self
    }

    /// Sets the signature headers that an OpenAPI document names (`SIGNING` in generated code). The
    /// defaults are `X-Token-Signature`, `X-Signature` and `X-Signing-ID`.
    ///
    /// # Errors
    /// Returns an error if a name is not a valid header name, or if the document names an algorithm
    /// other than that of the signing key.
    pub fn rules(mut self, rules: &SigningRules) -> Result<Self, InvalidRules> {
        let header = |name: &'static str| {
            HeaderName::from_bytes(name.as_bytes()).map_err(|_| InvalidRules::Header { name })
        };
        if let Some(token) = rules.token {
            self.headers.token = header(token.header)?;
        }
        if let Some(key) = rules.key {
            self.headers.key = header(key.header)?;
            self.headers.key_id = header(key.key_id_header)?;
            let current = self.current.as_ref().map(SigningKey::algorithm);
            if let (Some(asked), Some(current)) = (key.algorithm, current)
                && asked != current
            {
                return Err(InvalidRules::Algorithm { asked, current });
            }
        }
        Ok(self)
    }

    /// Returns the key that signs.
    pub const fn current(&self) -> Option<&SigningKey> {
        self.current.as_ref()
    }

    /// Returns the public keys as a JSON Web Key Set (RFC 7517, section 5).
    pub fn public_jwks(&self) -> serde_json::Value {
        let keys = self.current.iter().chain(&self.published);
        serde_json::json!({"keys": keys.map(SigningKey::public_jwk).collect::<Vec<_>>()})
    }

    /// Returns a service that publishes the public keys, to be mounted at a URL that receivers
    /// know. For a service that follows a rotation, see [`SharedKeyRing`].
    pub fn jwks_service(&self) -> JwksService {
        SharedKeyRing::from(self.clone()).jwks_service()
    }

    /// Signs an attempt and sets the signature headers. Returns `false` if the signing key is missing
    /// or signing failed.
    pub(crate) fn sign(
        &self,
        signing: &Signing,
        signed: &Signed<'_>,
        headers: &mut HeaderMap,
    ) -> bool {
        let body = signed.body;
        match signing {
            Signing::None => true,
            Signing::Secrets(secrets) => {
                secrets.sign(signed.id, signed.seconds, body, headers);
                true
            }
            Signing::Token(token) => put(headers, &self.headers.token, token.sign(body)),
            Signing::Key => self.current.as_ref().is_some_and(|key| {
                let Ok(token) = key.sign(body) else {
                    return false;
                };
                headers.insert(&self.headers.key_id, key.id_value.clone());
                put(headers, &self.headers.key, token)
            }),
        }
    }
}

/// What signatures cover.
pub(crate) struct Signed<'a> {
    /// The id of the message.
    pub(crate) id: &'a HeaderValue,
    /// The time of the attempt, in seconds since 1970.
    pub(crate) seconds: u64,
    pub(crate) body: &'a [u8],
}

fn put(headers: &mut HeaderMap, name: &HeaderName, value: String) -> bool {
    // Hexadecimal and base64url text is always a valid header value.
    match HeaderValue::try_from(value) {
        Ok(value) => {
            headers.insert(name, value);
            true
        }
        Err(_) => false,
    }
}

/// An error for signing rules of a document that cannot be applied.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum InvalidRules {
    /// The name is not a valid header name.
    Header {
        /// The name.
        name: &'static str,
    },
    /// The algorithm of the signing key differs from the algorithm of the document.
    Algorithm {
        /// The algorithm of the document.
        asked: &'static str,
        /// The algorithm of the key.
        current: &'static str,
    },
}

impl fmt::Display for InvalidRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Header { name } => {
                write!(
                    f,
                    "`{}` cannot be the name of a header",
                    name.escape_debug()
                )
            }
            Self::Algorithm { asked, current } => {
                write!(
                    f,
                    "the document signs with {asked}, and the key is for {current}"
                )
            }
        }
    }
}

impl std::error::Error for InvalidRules {}

/// A service that publishes the public keys of a [`KeyRing`] or of a [`SharedKeyRing`] as a JSON Web
/// Key Set. The service handles `GET` and `HEAD` at the URL where it is mounted. Receivers may cache
/// the response for five minutes.
///
/// ```
/// use bothends_delivery::KeyRing;
/// use http::Request;
/// use tower_service::Service;
///
/// # async fn publish(keys: &KeyRing) {
/// let mut jwks_service = keys.jwks_service();
/// let Ok(response) = jwks_service.call(Request::new(())).await;
/// assert_eq!(response.headers()["content-type"], "application/jwk-set+json");
/// # }
/// ```
#[derive(Debug, Clone)]
pub struct JwksService(pub(super) SharedKeyRing);

impl<B> Service<Request<B>> for JwksService {
    type Response = Response<Full<Bytes>>;
    type Error = Infallible;
    type Future = Ready<Result<Self::Response, Infallible>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<B>) -> Self::Future {
        let mut response = Response::new(Full::default());
        if matches!(*request.method(), Method::GET | Method::HEAD) {
            let headers = response.headers_mut();
            // The media type of RFC 7517, section 8.5.2.
            let media_type = HeaderValue::from_static("application/jwk-set+json");
            headers.insert(CONTENT_TYPE, media_type);
            headers.insert(
                CACHE_CONTROL,
                HeaderValue::from_static("public, max-age=300"),
            );
            if *request.method() == Method::GET {
                *response.body_mut() = Full::new(self.0.jwks());
            }
        } else {
            *response.status_mut() = StatusCode::METHOD_NOT_ALLOWED;
            let allowed = HeaderValue::from_static("GET, HEAD");
            response.headers_mut().insert(ALLOW, allowed);
        }
        ready(Ok(response))
    }
}
