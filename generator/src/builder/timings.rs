//! The time of each stage, and what derives of the configuration add.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The time of each stage of a run, and the number of impls that the configuration adds.
#[derive(Debug, Clone)]
#[doc(hidden)]
pub struct Timings {
    /// The stages that ran, in order.
    pub stages: Vec<(&'static str, Duration)>,
    /// The impls of each derive of the configuration, by its path.
    pub derives: BTreeMap<String, usize>,
    last: Instant,
}

impl Default for Timings {
    fn default() -> Self {
        Self {
            stages: Vec::new(),
            derives: BTreeMap::new(),
            last: Instant::now(),
        }
    }
}

impl Timings {
    /// Ends a stage: its time is that since the end of the one before.
    pub(crate) fn end(&mut self, stage: &'static str) {
        let now = Instant::now();
        self.stages.push((stage, now - self.last));
        self.last = now;
    }
}
