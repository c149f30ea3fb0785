//! A key ring that can be replaced while it is in use.

use super::{JwksService, KeyRing};
use arc_swap::ArcSwap;
use bytes::Bytes;
use std::fmt;
use std::sync::Arc;

/// A [`KeyRing`] that can be replaced while workers sign with it and a [`JwksService`] publishes it.
/// Clones share the ring.
///
/// ```
/// use bothends_delivery::{KeyRing, SharedKeyRing, SigningKey, Worker};
/// # use bothends_delivery::sqlite::SqliteStore;
///
/// # fn run(store: SqliteStore, old: SigningKey, new: SigningKey) -> Result<(), Box<dyn std::error::Error>> {
/// let keys = SharedKeyRing::from(KeyRing::new().sign_with(old.clone()));
/// let jwks_service = keys.jwks_service();
/// let worker = Worker::builder(store).keys(keys.clone()).build()?;
///
/// // Later, while the worker runs: the new key is published. It does not sign yet.
/// keys.store(KeyRing::new().sign_with(old.clone()).publish(new.clone()));
/// // After receivers have had time to fetch it:
/// keys.store(KeyRing::new().sign_with(new).publish(old));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct SharedKeyRing(Arc<ArcSwap<Published>>);

/// A ring with its public keys, which are written once for all responses.
struct Published {
    ring: Arc<KeyRing>,
    jwks: Bytes,
}

impl From<KeyRing> for Published {
    fn from(ring: KeyRing) -> Self {
        Self {
            jwks: Bytes::from(ring.public_jwks().to_string()),
            ring: Arc::new(ring),
        }
    }
}

impl SharedKeyRing {
    /// Creates a shared ring without keys.
    pub fn new() -> Self {
        KeyRing::new().into()
    }

    /// Replaces the ring. Requests that are signed from now on use the new ring; each request is
    /// signed with one ring.
    pub fn store(&self, ring: KeyRing) {
        self.0.store(Arc::new(ring.into()));
    }

    /// Returns the current ring.
    pub fn load(&self) -> Arc<KeyRing> {
        Arc::clone(&self.0.load().ring)
    }

    /// Returns a service that publishes the public keys of the current ring, to be mounted at a URL
    /// that receivers know.
    pub fn jwks_service(&self) -> JwksService {
        JwksService(self.clone())
    }

    /// Returns the public keys of the current ring as a JSON Web Key Set.
    pub(super) fn jwks(&self) -> Bytes {
        self.0.load().jwks.clone()
    }
}

impl Default for SharedKeyRing {
    fn default() -> Self {
        Self::new()
    }
}

impl From<KeyRing> for SharedKeyRing {
    fn from(ring: KeyRing) -> Self {
        Self(Arc::new(ArcSwap::from_pointee(ring.into())))
    }
}

impl fmt::Debug for SharedKeyRing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("SharedKeyRing").field(&self.load()).finish()
    }
}
