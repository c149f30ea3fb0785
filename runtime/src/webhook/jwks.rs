//! Where published keys come from, and how long they are kept.

use super::{KeySet, SignatureError, Verifier, header_of, one};
use crate::KeySigning;
use crate::server::{BodyError, BoxFuture};
use crate::signature::{SIGNATURE, SIGNING_ID};
use bytes::Bytes;
use http::{HeaderMap, HeaderName};
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard};
use tokio::time::{Instant, timeout};

/// Between two requests for the keys there is at least this long, whatever ids come in.
const COOLDOWN: Duration = Duration::from_secs(60);
/// Keys are asked for again after this long, so that one that is taken back is no longer good.
const MAX_AGE: Duration = Duration::from_secs(60 * 60);
/// How long a request for the keys may take.
const TIMEOUT: Duration = Duration::from_secs(5);
/// The most bytes that a set of keys may have.
const LIMIT: usize = 1 << 20;

/// Gets the published keys.
pub trait KeyFetcher: Send + Sync + 'static {
    /// The JWK Set as it is now.
    fn fetch(&self) -> impl Future<Output = Result<Bytes, BodyError>> + Send;
}

/// A JWT of the body in `X-Signature`, made with the published key that `X-Signing-ID` names.
///
/// Keys are kept for an hour. An id that is not among them makes one request for the keys, however
/// many webhooks wait for it, and none in the minute after another. An id is
/// [unknown](SignatureError::UnknownKey) only when keys that were asked for after the webhook was received
/// do not have it. Until they may be asked for it is [pending](SignatureError::KeyPending): a key that was
/// published seconds ago may already sign. Keys that cannot be got again stay good. It needs a tokio
/// runtime with its timer.
pub struct KeySignature<F> {
    /// The headers of the JWT and of the id of its key.
    headers: [HeaderName; 2],
    /// The one algorithm that is good, where the document says which.
    algorithm: Option<&'static str>,
    fetcher: F,
    known: RwLock<Arc<KeySet>>,
    /// Held while keys are got; when that was begun and done, and what came of it.
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
    /// With the keys that this gets; the first webhook asks for them.
    pub fn new(fetcher: F) -> Self {
        Self {
            headers: [SIGNATURE, SIGNING_ID],
            algorithm: None,
            fetcher,
            known: RwLock::default(),
            got: Mutex::default(),
        }
    }

    /// As a document has it: `SIGNING.key` of generated code says which headers carry the JWT and the
    /// id of its key, and which algorithm it has.
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

    /// The keys, got again when this id is not among them or they are old.
    async fn keys(&self, id: &str) -> Result<Arc<KeySet>, SignatureError> {
        let received = Instant::now();
        let known = self.known();
        if known.has(id)
            && let Ok(got) = self.got.try_lock()
            && got.tried.is_some_and(|tried| tried.elapsed() < MAX_AGE)
        {
            return Ok(known);
        }
        // While somebody else gets them, what is known is good enough.
        let mut got = match self.got.try_lock() {
            Ok(got) => got,
            Err(_) if known.has(id) => return Ok(known),
            Err(_) => self.got.lock().await,
        };
        // Another webhook may have got them while this one waited.
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

    /// Asks for the keys, if it is not too early for that; says whether it did.
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
            let (token, id) = (one(headers, token)?, one(headers, id)?);
            self.keys(id).await?.check(id, token, body)
        })
    }
}

/// Gets keys over HTTP.
#[cfg(feature = "client")]
pub struct HttpKeys<T> {
    transport: T,
    url: http::Uri,
}

#[cfg(feature = "client")]
impl<T: crate::client::Transport> HttpKeys<T> {
    /// From this URL.
    pub const fn new(transport: T, url: http::Uri) -> Self {
        Self { transport, url }
    }
}

#[cfg(feature = "client")]
impl<T> fmt::Debug for HttpKeys<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("HttpKeys")
            .field("url", &crate::client::redact::url(&self.url))
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "client")]
impl<T: crate::client::Transport + 'static> KeyFetcher for HttpKeys<T> {
    async fn fetch(&self) -> Result<Bytes, BodyError> {
        let mut request = http::Request::new(crate::payload::Body::empty());
        *request.uri_mut() = self.url.clone();
        let response = self.transport.send(request).await?;
        if !response.status().is_success() {
            return Err(format!("the answer was {}", response.status()).into());
        }
        Ok(response.into_body().collect(LIMIT).await?)
    }
}
