//! Deduplication of webhooks.

use crate::ends::server::{BodyError, BoxFuture};
use crate::message::wire::percent::decode;
use aws_lc_rs::digest::{self, SHA256};
use indexmap::IndexMap;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

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
        Self::of(path, None, body)
    }

    /// Creates the key of a body that was received at a path, with the id that the sender assigned
    /// to the event.
    pub fn with_id(path: &str, id: &[u8], body: &[u8]) -> Self {
        Self::of(path, Some(id), body)
    }

    fn of(path: &str, id: Option<&[u8]>, body: &[u8]) -> Self {
        let path = plain(path);
        let mut digest = digest::Context::new(&SHA256);
        // Each part follows its length, so that a sender cannot shift the boundary between parts.
        for part in [Some(path.as_bytes()), id] {
            let length = part.map_or(u64::MAX, |part| part.len() as u64);
            digest.update(&length.to_be_bytes());
            digest.update(part.unwrap_or_default());
        }
        digest.update(body);
        let mut key = [0; 32];
        key.copy_from_slice(digest.finish().as_ref());
        Self(key)
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
    /// Looks up an event, and reserves it if it is new. A reservation has to expire by itself,
    /// because the process that made it may end before it calls [`finish`](Self::finish).
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
pub struct MemoryDedupStore {
    most: usize,
    keep: Duration,
    underway: Duration,
    events: Mutex<IndexMap<EventKey, (bool, Instant)>>,
}

impl MemoryDedupStore {
    /// Creates a store that keeps at most `most` events for the duration `keep`; the oldest is
    /// dropped first.
    pub fn new(most: usize, keep: Duration) -> Self {
        Self {
            most: most.max(1),
            keep,
            // Senders give up after 10 s, so a handler that takes longer than this has probably
            // ended.
            underway: Duration::from_secs(60),
            events: Mutex::default(),
        }
    }
}

impl fmt::Debug for MemoryDedupStore {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MemoryDedupStore")
            .field("most", &self.most)
            .field("keep", &self.keep)
            .finish_non_exhaustive()
    }
}

impl DedupStore for MemoryDedupStore {
    fn begin<'a>(&'a self, key: &'a EventKey) -> BoxFuture<'a, Result<DedupState, BodyError>> {
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        let seen = match events.get(key) {
            Some((true, since)) if since.elapsed() < self.keep => DedupState::Processed,
            Some((false, since)) if since.elapsed() < self.underway => DedupState::InProgress,
            _ => {
                events.shift_remove(key);
                while events.len() >= self.most {
                    events.shift_remove_index(0);
                }
                events.insert(*key, (false, Instant::now()));
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
        let mut events = self.events.lock().unwrap_or_else(PoisonError::into_inner);
        if handled {
            events.insert(*key, (true, Instant::now()));
        } else {
            events.shift_remove(key);
        }
        Box::pin(std::future::ready(Ok(())))
    }
}
