//! What is kept while unions within unions are read.
//!
//! A union that holds itself, and nothing else, would never come to an end. One whose variants hold
//! others would be tried in all combinations, were it not known of each value within, once it has
//! been looked at, which variant it is.

use crate::wire::read::{FieldErrors, Source, address};
use crate::wire::{Node, WireError};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::rc::Rc;

/// How many unions may be within each other.
const LEVELS: u16 = 256;
/// How many variants may be tried while one value is read, however small it is.
const TRIALS: u64 = 200_000;
/// How many more for each scalar, list and object in it. Each value within is looked at once for each
/// union that it may be, so the work grows with the size of the input and not faster; this is the factor.
const TRIALS_EACH: u64 = 32;

/// What is known of a value as a union.
#[derive(Clone)]
pub(super) enum Known {
    /// It is this variant.
    Is(usize),
    /// It is none of them.
    None(FieldErrors),
}

/// A value by its address, and the name of the union. The tree is kept, so that no other value comes
/// to be where one was.
type Memo = HashMap<(usize, &'static str), (Known, Rc<Source>)>;

thread_local! {
    static LEVEL: Cell<u16> = const { Cell::new(0) };
    static TRIED: Cell<u64> = const { Cell::new(0) };
    static ALLOWED: Cell<u64> = const { Cell::new(0) };
    static LOST: Cell<u64> = const { Cell::new(0) };
    static MEMO: RefCell<Memo> = RefCell::default();
}

/// Counts what a variant does not keep of a value.
pub(crate) fn lose(count: u64) {
    LOST.set(LOST.get().saturating_add(count));
}

/// Reads something, and counts what it does not keep.
pub(crate) fn losses<T>(read: impl FnOnce() -> T) -> (T, u64) {
    let before = LOST.replace(0);
    let value = read();
    let lost = LOST.replace(before);
    (value, lost)
}

/// What was not kept so far.
pub(super) fn lost() -> u64 {
    LOST.get()
}

/// Says what was not kept, of all that was tried, in the end.
pub(super) fn set_lost(count: u64) {
    LOST.set(count);
}

/// What is said where there are too many unions around one.
pub(super) fn too_deep() -> FieldErrors {
    WireError::new(format!("has more than {LEVELS} unions within each other")).into()
}

/// How many variants were tried for the last value.
#[cfg(test)]
pub(super) fn tried() -> u64 {
    TRIED.get()
}

/// A union being read.
pub(super) struct Level(());

impl Level {
    /// Enters a union that may be `node`; `None` when there are too many around it.
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

    /// Counts a variant that is tried; false when there were too many.
    pub(super) fn may_try(&self) -> bool {
        TRIED.set(TRIED.get().saturating_add(1));
        TRIED.get() <= ALLOWED.get()
    }

    /// What is said when there were too many.
    pub(super) fn too_many(&self) -> WireError {
        let allowed = ALLOWED.get();
        WireError::new(format!(
            "takes more than {allowed} attempts to tell which alternatives it is made of"
        ))
    }

    /// What is known of a value.
    pub(super) fn known(&self, node: &Node, union: &'static str) -> Option<Known> {
        MEMO.with_borrow(|memo| {
            let found = memo.get(&(address(node), union));
            found.map(|(known, _)| known.clone())
        })
    }

    /// Keeps what is known of a value, for the union around it.
    pub(super) fn learn(&self, node: &Node, union: &'static str, is: Known, of: &Rc<Source>) {
        if LEVEL.get() > 1 {
            let kept = (is, Rc::clone(of));
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
