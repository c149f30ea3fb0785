//! Keeping Rust names when a document changes: entries for `[names]`.

use super::change::Report;
use super::entries::Entry;

impl Report {
    /// Returns the entries for `[names]` that keep the Rust names of items that stay.
    #[must_use]
    pub fn kept_names(&self) -> Vec<Entry> {
        let all = self
            .changes
            .iter()
            .filter_map(|change| change.keep.as_ref());
        let all = all.filter(|(key, _)| !key.is_empty());
        let mut kept: Vec<Entry> = all
            .map(|(key, name)| Entry {
                key: key.clone(),
                value: name.clone(),
            })
            .collect();
        kept.sort();
        kept.dedup_by(|left, right| left.key == right.key);
        kept
    }
}
