//! How far unions within unions are followed.
//!
//! A union that holds itself, and nothing else, would never come to an end; one whose variants
//! hold it in lists of the same shape would try all combinations of a value that fits none.

use std::cell::Cell;

/// How many unions may be within each other.
const LEVELS: u16 = 256;
/// How many variants may fail, all in all, while one value is read.
const FAILURES: u32 = 200_000;

thread_local! {
    static LEVEL: Cell<u16> = const { Cell::new(0) };
    static FAILED: Cell<u32> = const { Cell::new(0) };
}

/// A union being read.
pub(super) struct Level;

impl Level {
    /// Enters a union; `None` when there are too many around it.
    pub(super) fn enter() -> Option<Self> {
        let level = LEVEL.get();
        if level == 0 {
            FAILED.set(0);
        }
        (level < LEVELS).then(|| {
            LEVEL.set(level + 1);
            Self
        })
    }

    /// Counts a variant that failed; false when there were too many.
    pub(super) fn may_go_on(&self) -> bool {
        FAILED.set(FAILED.get().saturating_add(1));
        FAILED.get() < FAILURES
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        LEVEL.set(LEVEL.get().saturating_sub(1));
    }
}
