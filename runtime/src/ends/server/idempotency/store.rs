//! Stores of responses by their idempotency keys.

use crate::ends::bounded::Bounded;
use crate::ends::server::{Body, BodyError, BoxFuture, Response};
use bytes::Bytes;
use http::{HeaderMap, StatusCode};
use sha2::{Digest, Sha256};
use std::fmt;
use std::time::Duration;

/// A digest: of a caller and its key, or of a request.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct IdempotencyKey([u8; 32]);

impl IdempotencyKey {
    /// Creates the digest of parts. Each part follows its length, so that a client cannot shift the
    /// boundary between parts.
    pub fn of(parts: &[&[u8]]) -> Self {
        let mut digest = Sha256::new();
        for part in parts {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        Self(digest.finalize().into())
    }

    /// Returns the digest.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A response that is sent again for a repeated request.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct StoredResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl StoredResponse {
    /// Creates a stored response.
    pub const fn new(status: StatusCode, headers: HeaderMap, body: Bytes) -> Self {
        Self {
            status,
            headers,
            body,
        }
    }
}

impl fmt::Debug for StoredResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Headers and body may contain secrets.
        f.debug_struct("StoredResponse")
            .field("status", &self.status)
            .finish_non_exhaustive()
    }
}

impl From<StoredResponse> for Response {
    fn from(stored: StoredResponse) -> Self {
        let mut response = Self::new(Body::from(stored.body));
        *response.status_mut() = stored.status;
        *response.headers_mut() = stored.headers;
        response
    }
}

/// The state of a key in an [`IdempotencyStore`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum IdempotencyState {
    /// The key is new; the caller of [`IdempotencyStore::begin`] now handles its request.
    New,
    /// The request is being handled.
    InProgress,
    /// The key belongs to a request with another fingerprint.
    Mismatch,
    /// The request was handled.
    Completed(StoredResponse),
}

/// A store of the responses to requests with idempotency keys.
pub trait IdempotencyStore: Send + Sync {
    /// Looks up a key, and reserves it for a request if it is new. Of concurrent calls with a new
    /// key, one returns [`IdempotencyState::New`].
    ///
    /// A reservation lasts until [`finish`](Self::finish). In a store that outlives the process, it
    /// also has to expire by itself, later than the longest handler ends: the process may end before
    /// it calls `finish`.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read or written.
    fn begin<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        fingerprint: &'a IdempotencyKey,
    ) -> BoxFuture<'a, Result<IdempotencyState, BodyError>>;

    /// Stores the response to the request of a key. Without a response, the key is released, so that
    /// the next request with it is handled.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be written.
    fn finish<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        response: Option<StoredResponse>,
    ) -> BoxFuture<'a, Result<(), BodyError>>;
}

/// A store in memory, for one process and until it ends.
///
/// A key is reserved for as long as its request is handled. Time is measured by tokio.
#[derive(Debug)]
pub struct MemoryIdempotencyStore(Bounded<IdempotencyKey, Entry>);

/// The fingerprint of the request, and its response if it was handled.
type Entry = (IdempotencyKey, Option<StoredResponse>);

impl MemoryIdempotencyStore {
    /// Creates a store that keeps at most `most` responses for the duration `keep`; the oldest is
    /// dropped first. Keys of requests that are being handled are kept in addition.
    pub fn new(most: usize, keep: Duration) -> Self {
        Self(Bounded::new(most, keep))
    }
}

impl IdempotencyStore for MemoryIdempotencyStore {
    fn begin<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        fingerprint: &'a IdempotencyKey,
    ) -> BoxFuture<'a, Result<IdempotencyState, BodyError>> {
        let mut entries = self.0.lock();
        let state = match entries.known.get(key) {
            Some((known, _)) if known != fingerprint => IdempotencyState::Mismatch,
            Some((_, Some(response))) => IdempotencyState::Completed(response.clone()),
            Some((_, None)) => IdempotencyState::InProgress,
            None => {
                entries.known.insert(*key, (*fingerprint, None));
                IdempotencyState::New
            }
        };
        Box::pin(std::future::ready(Ok(state)))
    }

    fn finish<'a>(
        &'a self,
        key: &'a IdempotencyKey,
        response: Option<StoredResponse>,
    ) -> BoxFuture<'a, Result<(), BodyError>> {
        let mut entries = self.0.lock();
        // Otherwise nothing is reserved, or a response is stored already.
        if let Some((fingerprint, None)) = entries.known.get(key) {
            let fingerprint = *fingerprint;
            match response {
                Some(_) => entries.complete(*key, (fingerprint, response)),
                None => drop(entries.known.remove(key)),
            }
        }
        Box::pin(std::future::ready(Ok(())))
    }
}
