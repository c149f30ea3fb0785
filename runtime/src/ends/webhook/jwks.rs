//! Fetching and caching of published keys.

use super::{KeySet, SignatureError, Verifier, header_of, only_value};
use crate::ends::KeySigning;
use crate::ends::server::{BodyError, BoxFuture};
use crate::ends::signature::{SIGNATURE, SIGNING_ID};
use bytes::Bytes;
use http::{HeaderMap, HeaderName};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::{Instant, timeout};

/// The shortest interval between two requests for the keys, whatever key ids are received.
const COOLDOWN: Duration = Duration::from_secs(60);
/// The keys are fetched again after this time, so that a revoked key becomes invalid.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);
/// The timeout of a request for the keys.
const TIMEOUT: Duration = Duration::from_secs(5);
/// Limit for a set of keys, in bytes.
const LIMIT: usize = 1 << 20;

/// A source of published keys.
pub trait KeyFetcher: Send + Sync + 'static {
    /// Returns the present JWK Set.
    fn fetch(&self) -> impl Future<Output = Result<Bytes, BodyError>> + Send;
}

/// A verifier of webhooks with a JWT of the body in `X-Signature`, signed by the published key that
/// `X-Signing-ID` names.
///
/// Keys are cached for an hour. An id that is not in the cache causes one request for the keys,
/// however many webhooks wait for it, and none in the minute after another request. An id is
/// [unknown](SignatureError::UnknownKey) only if keys that were requested after the webhook was
/// received do not contain it. Until the keys may be requested, it is
/// [pending](SignatureError::KeyPending), because a key that was published seconds ago may already
/// sign. Cached keys stay valid if a request for the keys fails. The verifier needs a tokio runtime
/// with its timer enabled.
pub struct KeySignature<F> {
    /// The headers of the JWT and of the id of its key.
    headers: [HeaderName; 2],
    /// The only accepted algorithm, if the document states one.
    algorithm: Option<&'static str>,
    fetcher: F,
    known: RwLock<Arc<KeySet>>,
    /// Locked while keys are fetched: the start, the end and the result of the last request.
    got: Mutex<Got>,
}

#[derive(Default)]
struct Got {
    tried: Option<Instant>,
    failed: Option<String>,
}

impl<F> fmt::Debug for KeySignature<F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("KeySignature")
            .field("known", &self.known())
            .finish_non_exhaustive()
    }
}

impl<F> KeySignature<F> {
    fn known(&self) -> Arc<KeySet> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner))
    }
}

impl<F: KeyFetcher> KeySignature<F> {
    /// Creates a verifier with the keys of `fetcher`; the first webhook requests them.
    pub fn new(fetcher: F) -> Self {
        Self {
            headers: [SIGNATURE, SIGNING_ID],
            algorithm: None,
            fetcher,
            known: RwLock::default(),
            got: Mutex::default(),
        }
    }

    /// Creates a verifier by the rules of the document: `SIGNING.key` of generated code states the
    /// headers of the JWT and of the id of its key, and the algorithm.
    pub fn from_rules(rules: &KeySigning, fetcher: F) -> Self {
        Self {
            headers: [
                header_of(rules.header, SIGNATURE),
                header_of(rules.key_id_header, SIGNING_ID),
            ],
            algorithm: rules.algorithm,
            ..Self::new(fetcher)
        }
    }

    /// Returns the keys, fetched again if this id is not among them or they are too old.
    async fn keys(&self, id: &str) -> Result<Arc<KeySet>, SignatureError> {
        let received = Instant::now();
        let known = self.known();
        if known.has(id)
            && let Ok(got) = self.got.try_lock()
            && got.tried.is_some_and(|tried| tried.elapsed() < MAX_AGE)
        {
            return Ok(known);
        }
        // While another task fetches the keys, the cached ones are used.
        let mut got = match self.got.try_lock() {
            Ok(got) => got,
            Err(_) if known.has(id) => return Ok(known),
            Err(_) => self.got.lock().await,
        };
        // Another task may have fetched the keys in the meantime.
        let is_old = got.tried.is_none_or(|tried| tried.elapsed() >= MAX_AGE);
        let mut is_asked = false;
        if is_old || !self.known().has(id) {
            (got, is_asked) = self.renew(got).await;
        }
        let known = self.known();
        if known.has(id) {
            return Ok(known);
        }
        let id = id.to_owned();
        Err(match (&got.failed, got.tried) {
            (Some(error), _) => SignatureError::NoKeys(error.clone()),
            (None, Some(tried)) if !is_asked && tried <= received => SignatureError::KeyPending {
                id,
                retry_after: COOLDOWN.saturating_sub(tried.elapsed()),
            },
            (None, _) => SignatureError::UnknownKey(id),
        })
    }

    /// Requests the keys if the cooldown has passed; returns whether a request was made.
    async fn renew<'g>(&self, mut got: MutexGuard<'g, Got>) -> (MutexGuard<'g, Got>, bool) {
        if got.tried.is_some_and(|tried| tried.elapsed() < COOLDOWN) {
            return (got, false);
        }
        got.tried = Some(Instant::now());
        let keys = match timeout(TIMEOUT, self.fetcher.fetch()).await {
            Ok(Ok(set)) if set.len() > LIMIT => Err("the set of keys is too large".to_owned()),
            Ok(Ok(set)) => match (KeySet::read(&set), self.algorithm) {
                (Ok(keys), Some(algorithm)) => Ok(keys.only(algorithm)),
                (keys, _) => keys.map_err(|error| error.to_string()),
            },
            Ok(Err(error)) => Err(error.to_string()),
            Err(_) => Err("it took too long".to_owned()),
        };
        got.failed = match keys {
            Ok(keys) => {
                *self.known.write().unwrap_or_else(PoisonError::into_inner) = Arc::new(keys);
                None
            }
            Err(error) => Some(error),
        };
        (got, true)
    }
}

impl<F: KeyFetcher> Verifier for KeySignature<F> {
    fn verify<'a>(
        &'a self,
        headers: &'a HeaderMap,
        body: &'a [u8],
    ) -> BoxFuture<'a, Result<(), SignatureError>> {
        Box::pin(async move {
            let [token, id] = &self.headers;
            let (token, id) = (only_value(headers, token)?, only_value(headers, id)?);
            self.keys(id).await?.check(id, token, body)
        })
    }
}

/// A source of keys that fetches them over HTTP.
#[cfg(feature = "client")]
pub struct HttpKeys<T> {
    transport: T,
    url: http::Uri,
}

#[cfg(feature = "client")]
impl<T: crate::ends::client::Transport> HttpKeys<T> {
    /// Creates a source that fetches the keys from `url`.
    pub const fn new(transport: T, url: http::Uri) -> Self {
        Self { transport, url }
    }
}

#[cfg(feature = "client")]
impl<T> fmt::Debug for HttpKeys<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpKeys")
            .field("url", &crate::ends::client::redact::url(&self.url))
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "client")]
impl<T: crate::ends::client::Transport + 'static> KeyFetcher for HttpKeys<T> {
    async fn fetch(&self) -> Result<Bytes, BodyError> {
        let mut request = http::Request::new(crate::message::payload::Body::empty());
        *request.uri_mut() = self.url.clone();
        let response = self.transport.send(request).await?;
        if !response.status().is_success() {
            return Err(format!("the response status was {}", response.status()).into());
        }
        Ok(response.into_body().collect(LIMIT).await?)
    }
}
