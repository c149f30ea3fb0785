//! Limits and memory for nested unions.
//!
//! A union that contains only itself would never be read to an end. A union whose variants contain
//! other unions would be tried in all combinations, so the variant of each nested value is
//! memorized once it is known.

use crate::values::read::{FieldErrors, Source, address};
use crate::values::{Node, WireError};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// Limit for the nesting of unions.
const LEVELS: u16 = 256;
/// Limit for the number of variants that are tried for one value, whatever its size.
const TRIALS: u64 = 200_000;
/// The additional trials for each scalar, array and object in the value. Each nested value is tried
/// once for each union that it may be, so the work is linear in the size of the input; this is the
/// factor.
const TRIALS_EACH: u64 = 32;

/// The known result of reading a value as a union.
#[derive(Clone)]
pub(super) enum Known {
    /// The index of the matching variant.
    Is(usize),
    /// No variant matches.
    None(FieldErrors),
}

/// Results by the address of the value and the name of the union. The tree is kept alive, so that
/// the addresses stay unique.
type Memo = HashMap<(usize, &'static str), (Known, Rc<Source>)>;

thread_local! {
    static LEVEL: Cell<u16> = const { Cell::new(0) };
    static TRIED: Cell<u64> = const { Cell::new(0) };
    static ALLOWED: Cell<u64> = const { Cell::new(0) };
    static LOST: Cell<u64> = const { Cell::new(0) };
    static MEMO: RefCell<Memo> = RefCell::default();
}

/// Counts members that a variant does not keep.
pub(crate) fn lose(count: u64) {
    LOST.set(LOST.get().saturating_add(count));
}

/// Runs a reader, and counts the members that it does not keep.
pub(crate) fn losses<T>(read: impl FnOnce() -> T) -> (T, u64) {
    let before = LOST.replace(0);
    let value = read();
    let lost = LOST.replace(before);
    (value, lost)
}

/// Returns the number of members that were not kept so far.
pub(super) fn lost() -> u64 {
    LOST.get()
}

/// Sets the number of members that were not kept, after several variants were tried.
pub(super) fn set_lost(count: u64) {
    LOST.set(count);
}

/// Returns the error of unions that are nested too deeply.
pub(super) fn too_deep() -> FieldErrors {
    WireError::new(format!("has more than {LEVELS} unions within each other")).into()
}

/// Returns the number of variants that were tried for the last value.
#[cfg(test)]
pub(super) fn tried() -> u64 {
    TRIED.get()
}

/// A union that is being read.
pub(super) struct Level(());

impl Level {
    /// Enters a union with the value `node`; `None` if it is nested too deeply.
    pub(super) fn enter(node: &Node) -> Option<Self> {
        let level = LEVEL.get();
        if level == 0 {
            TRIED.set(0);
            ALLOWED.set(TRIALS.saturating_add(node.count().saturating_mul(TRIALS_EACH)));
        }
        (level < LEVELS).then(|| {
            LEVEL.set(level + 1);
            Self(())
        })
    }

    /// Counts a tried variant; returns `false` if the limit is exceeded.
    pub(super) fn may_try(&self) -> bool {
        TRIED.set(TRIED.get().saturating_add(1));
        TRIED.get() <= ALLOWED.get()
    }

    /// Returns the error of too many tried variants.
    pub(super) fn too_many(&self) -> WireError {
        let allowed = ALLOWED.get();
        WireError::new(format!(
            "takes more than {allowed} attempts to tell which alternatives it is made of"
        ))
    }

    /// Returns the known result for a value.
    pub(super) fn known(&self, node: &Node, union: &'static str) -> Option<Known> {
        MEMO.with_borrow(|memo| {
            let found = memo.get(&(address(node), union));
            found.map(|(known, _)| known.clone())
        })
    }

    /// Memorizes the result for a value, if the union is nested in another.
    pub(super) fn learn(&self, node: &Node, union: &'static str, is: Known, source: &Rc<Source>) {
        if LEVEL.get() > 1 {
            let kept = (is, Rc::clone(source));
            MEMO.with_borrow_mut(|memo| memo.insert((address(node), union), kept));
        }
    }
}

impl Drop for Level {
    fn drop(&mut self) {
        let level = LEVEL.get().saturating_sub(1);
        LEVEL.set(level);
        if level == 0 {
            MEMO.with_borrow_mut(Memo::clear);
        }
    }
}
