//! Deduplication of webhooks.

use crate::ends::bounded::Bounded;
use crate::ends::server::{BodyError, BoxFuture};
use crate::message::wire::percent::decode;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::time::Duration;

/// The identity of an event: a digest of the path of its request, of its id if it has one, and of
/// its body.
///
/// Equivalent spellings of a path have the same digest: percent-encoded or not (`/%78`), with empty
/// segments (`//x`, `/x/`), or with dot segments (`/./x`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventKey([u8; 32]);

impl EventKey {
    /// Creates the key of a body that was received at a path.
    pub fn new(path: &str, body: &[u8]) -> Self {
        Self::from_parts(path, None, body)
    }

    /// Creates the key of a body that was received at a path, with the id that the sender assigned
    /// to the event.
    pub fn with_id(path: &str, id: &[u8], body: &[u8]) -> Self {
        Self::from_parts(path, Some(id), body)
    }

    fn from_parts(path: &str, id: Option<&[u8]>, body: &[u8]) -> Self {
        let path = plain(path);
        let mut digest = Sha256::new();
        // Each part follows its length, so that a sender cannot shift the boundary between parts.
        for part in [Some(path.as_bytes()), id] {
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            digest.update(length.to_be_bytes());
            digest.update(part.unwrap_or_default());
        }
        digest.update(body);
        Self(digest.finalize().into())
    }

    /// Returns the digest.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// Normalizes a path.
fn plain(path: &str) -> String {
    let mut steps = Vec::new();
    for step in path.split('/') {
        // A segment that cannot be decoded has only one spelling.
        let step = decode(step, false).unwrap_or(Cow::Borrowed(step));
        match &*step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            // An encoded slash is different from a separator.
            _ => steps.push(step.replace('%', "%25").replace('/', "%2F")),
        }
    }
    steps.join("/")
}

/// The state of an event in a [`DedupStore`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DedupState {
    /// The event is new; the caller of [`DedupStore::begin`] now handles it.
    New,
    /// The event is being handled.
    InProgress,
    /// The event was handled.
    Processed,
}

/// A store of the events that were received.
pub trait DedupStore: Send + Sync {
    /// Looks up an event, and reserves it if it is new.
    ///
    /// A reservation lasts until [`finish`](Self::finish). In a store that outlives the process, it
    /// also has to expire by itself, later than the longest handler ends: the process may end before
    /// it calls `finish`.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be read.
    fn begin<'a>(&'a self, key: &'a EventKey) -> BoxFuture<'a, Result<DedupState, BodyError>>;

    /// Records that an event was handled, or releases it so that it may be delivered again.
    ///
    /// # Errors
    ///
    /// Returns an error if the store cannot be written.
    fn finish<'a>(
        &'a self,
        key: &'a EventKey,
        handled: bool,
    ) -> BoxFuture<'a, Result<(), BodyError>>;
}

/// A store in memory, for one process and until it ends.
///
/// An event is reserved for as long as its handler runs.
#[derive(Debug)]
pub struct MemoryDedupStore(Bounded<EventKey, Handled>);

/// Whether an event was handled; `false` is a reservation.
type Handled = bool;

impl MemoryDedupStore {
    /// Creates a store that keeps at most `most` processed events for the duration `keep`; the
    /// oldest is dropped first. Events that are being handled are kept in addition.
    pub fn new(most: usize, keep: Duration) -> Self {
        Self(Bounded::new(most, keep))
    }
}

impl DedupStore for MemoryDedupStore {
    fn begin<'a>(&'a self, key: &'a EventKey) -> BoxFuture<'a, Result<DedupState, BodyError>> {
        let mut events = self.0.lock();
        let seen = match events.known.get(key) {
            Some(true) => DedupState::Processed,
            Some(false) => DedupState::InProgress,
            None => {
                events.known.insert(*key, false);
                DedupState::New
            }
        };
        Box::pin(std::future::ready(Ok(seen)))
    }

    fn finish<'a>(
        &'a self,
        key: &'a EventKey,
        handled: bool,
    ) -> BoxFuture<'a, Result<(), BodyError>> {
        let mut events = self.0.lock();
        match (handled, events.known.get(key)) {
            (_, Some(true)) => {}
            (true, _) => events.complete(*key, true),
            (false, _) => drop(events.known.remove(key)),
        }
        Box::pin(std::future::ready(Ok(())))
    }
}
