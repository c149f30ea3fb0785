//! Values that claims read again and again, kept in memory.

use std::borrow::Borrow;
use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// How many values are kept at most.
const LIMIT: usize = 4096;

/// Values by their keys.
pub(crate) struct Kept<K, V>(Mutex<HashMap<K, V>>);

impl<K, V> Default for Kept<K, V> {
    fn default() -> Self {
        Self(Mutex::default())
    }
}

impl<K, V> Kept<K, V> {
    fn all(&self) -> MutexGuard<'_, HashMap<K, V>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<K: Eq + Hash, V: Clone> Kept<K, V> {
    pub(crate) fn get<Q: Eq + Hash + ?Sized>(&self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        self.all().get(key).cloned()
    }

    /// Keeps a value. If there are too many, all others are removed.
    pub(crate) fn put(&self, key: K, value: V) {
        let mut all = self.all();
        if all.len() >= LIMIT {
            all.clear();
        }
        all.insert(key, value);
    }
}

#[cfg(feature = "sqlite")]
impl<K: Eq + Hash, V> Kept<K, V> {
    pub(crate) fn remove(&self, key: &K) {
        self.all().remove(key);
    }

    pub(crate) fn clear(&self) {
        self.all().clear();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_more_than_the_limit_is_kept() {
        let kept = Kept::<usize, usize>::default();
        for number in 0..=LIMIT {
            kept.put(number, number);
            assert_eq!(kept.get(&number), Some(number));
        }
        assert_eq!(kept.get(&0), None);
        assert_eq!(kept.0.lock().unwrap().len(), 1);
    }
}
