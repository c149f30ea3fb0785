//! Responses to requests with idempotency keys, in the database of a store.

use crate::message::{headers_from_json, headers_to_json};
use crate::{StoreError, StoreErrorKind};
use bothends_runtime::server::{IdempotencyKey, IdempotencyState, StoredResponse};
use bytes::Bytes;
use http::StatusCode;
use std::fmt;
use std::time::Duration;
use uuid::Uuid;

/// How many expired keys are deleted with each new one. More than one, so that they become fewer.
pub(crate) const EXPIRED_AT_ONCE: i64 = 4;

/// The responses of [`Idempotent`](bothends_runtime::server::Idempotent) in the database of a
/// [`SqliteStore`](crate::sqlite::SqliteStore) or a [`PostgresStore`](crate::postgres::PostgresStore), for
/// any number of processes. Clones share the keys.
///
/// A key is reserved while its request is handled, and its response is kept afterwards. Both end by
/// themselves: the reservation of a process that was killed after the [lease](Self::lease), and a response
/// after the time of [`keep`](Self::keep). Expired keys are deleted when others are reserved. Time is
/// that of the store's clock.
///
/// Keys, callers and requests are stored as SHA-256 digests. **Responses are stored as they are sent**,
/// with status, headers and body, so the database holds every secret that they contain until they
/// expire. Keep operations that return secrets outside of `Idempotent`, or protect the database as you
/// protect these secrets.
///
/// ```
/// # use bothends_delivery::{StoreError, sqlite::SqliteStore};
/// use bothends_runtime::http::header::AUTHORIZATION;
/// use bothends_runtime::server::Idempotent;
/// use std::time::Duration;
///
/// # fn with<S>(router: S, store: SqliteStore) -> Idempotent<S> {
/// let responses = store.idempotency().lease(Duration::from_secs(120));
/// Idempotent::new(router, responses, |request| {
///     let caller = request.headers.get(AUTHORIZATION)?;
///     Some(caller.as_bytes().to_vec())
/// })
/// # }
/// ```
#[derive(Clone)]
pub struct DurableIdempotencyStore<S> {
    pub(crate) store: S,
    pub(crate) terms: Terms,
}

/// Who holds the reservations of a store, and how long entries last.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Terms {
    /// Tells the reservations of this process from those of others: only the holder ends one.
    pub(crate) holder: Uuid,
    pub(crate) lease: Duration,
    pub(crate) keep: Duration,
}

impl<S> DurableIdempotencyStore<S> {
    pub(crate) fn new(store: S) -> Self {
        let terms = Terms {
            holder: Uuid::now_v7(),
            lease: Duration::from_secs(5 * 60),
            keep: Duration::from_secs(24 * 60 * 60),
        };
        Self { store, terms }
    }

    /// Sets how long a key is reserved for the process that handles its request. The default is five
    /// minutes.
    ///
    /// Choose more than the longest handler takes: a request that takes longer is handled again if it
    /// is repeated. If the process is killed, repetitions get 409 until the lease ends.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Self {
        self.terms.lease = lease;
        self
    }

    /// Sets how long a response is kept after its request was handled. The default is 24 hours.
    #[must_use]
    pub fn keep(mut self, keep: Duration) -> Self {
        self.terms.keep = keep;
        self
    }
}

impl<S> fmt::Debug for DurableIdempotencyStore<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("DurableIdempotencyStore")
            .field("lease", &self.terms.lease)
            .field("keep", &self.terms.keep)
            .finish_non_exhaustive()
    }
}

/// A key that another request has reserved, as stored.
pub(crate) struct Reserved {
    pub(crate) fingerprint: Vec<u8>,
    /// The status of the response, if the request was handled.
    pub(crate) status: Option<i64>,
    pub(crate) headers: Option<String>,
    pub(crate) body: Option<Vec<u8>>,
}

impl Reserved {
    /// Returns the state of the key for a request with this fingerprint.
    pub(crate) fn state(
        self,
        fingerprint: &IdempotencyKey,
    ) -> Result<IdempotencyState, StoreError> {
        if self.fingerprint != fingerprint.as_bytes() {
            return Ok(IdempotencyState::Mismatch);
        }
        let Some(status) = self.status else {
            return Ok(IdempotencyState::InProgress);
        };
        let corrupt = |what| StoreError::because(StoreErrorKind::Corrupt, what);
        let status = u16::try_from(status).ok();
        let status = status.and_then(|status| StatusCode::from_u16(status).ok());
        let status = status.ok_or_else(|| corrupt("a status of HTTP".to_owned()))?;
        let headers = headers_from_json(self.headers.as_deref()).map_err(corrupt)?;
        let body = Bytes::from(self.body.unwrap_or_default());
        let response = StoredResponse::new(status, headers, body);
        Ok(IdempotencyState::Completed(response))
    }
}

/// Returns the stored columns of a response: status, headers and body.
pub(crate) fn columns(response: &StoredResponse) -> (i64, Option<String>, &[u8]) {
    let headers = headers_to_json(&response.headers);
    (response.status.as_u16().into(), headers, &response.body)
}
