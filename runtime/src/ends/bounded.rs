//! Entries in memory, of which the completed ones are bounded in number and age.

use std::collections::{HashMap, VecDeque};
use std::fmt;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::Instant;

/// Entries by key. Those that are not completed are kept in addition to the bound.
pub(crate) struct Bounded<K, V>(Mutex<Entries<K, V>>);

/// The entries, while they are locked.
pub(crate) struct Entries<K, V> {
    most: usize,
    keep: Duration,
    pub(crate) known: HashMap<K, V>,
    /// The completed entries, in order, and when they were.
    completed: VecDeque<(K, Instant)>,
}

impl<K: Copy + Eq + Hash, V> Bounded<K, V> {
    /// Creates an empty store that keeps at most `most` completed entries for the duration `keep`;
    /// the oldest is dropped first.
    pub(crate) fn new(most: usize, keep: Duration) -> Self {
        Self(Mutex::new(Entries {
            most: most.max(1),
            keep,
            known: HashMap::new(),
            completed: VecDeque::new(),
        }))
    }

    /// Locks the entries, and drops those that are too old.
    pub(crate) fn lock(&self) -> MutexGuard<'_, Entries<K, V>> {
        let mut entries = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        entries.prune();
        entries
    }
}

impl<K: Copy + Eq + Hash, V> Entries<K, V> {
    /// Completes an entry, and drops the oldest one if there are too many.
    pub(crate) fn complete(&mut self, key: K, value: V) {
        self.known.insert(key, value);
        self.completed.push_back((key, Instant::now()));
        self.prune();
    }

    fn prune(&mut self) {
        while let Some((key, since)) = self.completed.front() {
            if self.completed.len() <= self.most && since.elapsed() < self.keep {
                return;
            }
            self.known.remove(key);
            self.completed.pop_front();
        }
    }
}

impl<K: Copy + Eq + Hash, V> fmt::Debug for Bounded<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let entries = self.lock();
        f.debug_struct("Bounded")
            .field("most", &entries.most)
            .field("keep", &entries.keep)
            .finish_non_exhaustive()
    }
}
