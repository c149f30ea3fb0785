//! Which events came before.

use crate::server::{BodyError, BoxFuture};
use crate::wire::percent::decode;
use aws_lc_rs::digest::{self, SHA256};
use indexmap::IndexMap;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// What identifies an event: a digest of the path it came to, of its id if it has one, and of its
/// body.
///
/// A path is the same however it is spelt: percent-encoded or not (`/%78`), with empty segments
/// (`//x`, `/x/`), or with dot segments (`/./x`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct EventKey([u8; 32]);

impl EventKey {
    /// Of these bytes, at this path.
    pub fn new(path: &str, body: &[u8]) -> Self {
        Self::of(path, None, body)
    }

    /// Of these bytes, at this path, with the id that the sender gave the event.
    pub fn with_id(path: &str, id: &[u8], body: &[u8]) -> Self {
        Self::of(path, Some(id), body)
    }

    fn of(path: &str, id: Option<&[u8]>, body: &[u8]) -> Self {
        let path = plain(path);
        let mut digest = digest::Context::new(&SHA256);
        // Each part after its length: where one ends and the next begins is not for the sender to say.
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

    /// The digest.
    pub const fn as_bytes(&self) -> &[u8; 32] {
        &self.0
    }
}

/// A path in the one spelling that stands for all.
fn plain(path: &str) -> String {
    let mut steps = Vec::new();
    for step in path.split('/') {
        // What cannot be decoded has no other spelling.
        let step = decode(step, false).unwrap_or(Cow::Borrowed(step));
        match &*step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            // A slash that is not a separator stays apart from one that is.
            _ => steps.push(step.replace('%', "%25").replace('/', "%2F")),
        }
    }
    steps.join("/")
}

/// What is known of an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DedupState {
    /// Nothing: it is now being handled by who asked.
    New,
    /// Somebody handles it.
    InProgress,
    /// It was handled.
    Processed,
}

/// Keeps which events came before.
pub trait DedupStore: Send + Sync {
    /// Asks for an event, and takes it on when it is new. Taking it on has to come to an end by
    /// itself: who has done it may be gone before they can [`finish`](Self::finish).
    ///
    /// # Errors
    ///
    /// When it cannot be known.
    fn begin<'a>(&'a self, key: &'a EventKey) -> BoxFuture<'a, Result<DedupState, BodyError>>;

    /// Says that an event was handled, or that it was not and may come again.
    ///
    /// # Errors
    ///
    /// When it cannot be kept.
    fn finish<'a>(
        &'a self,
        key: &'a EventKey,
        handled: bool,
    ) -> BoxFuture<'a, Result<(), BodyError>>;
}

/// Keeps events in memory: for one process, and until it ends.
pub struct MemoryDedupStore {
    most: usize,
    keep: Duration,
    underway: Duration,
    events: Mutex<IndexMap<EventKey, (bool, Instant)>>,
}

impl MemoryDedupStore {
    /// Keeps this many events for so long; the oldest goes first.
    pub fn new(most: usize, keep: Duration) -> Self {
        Self {
            most: most.max(1),
            keep,
            // A sender gives up after 10 s; whoever is not done by then may be gone.
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
