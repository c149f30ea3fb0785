//! Limits and memory for nested unions.
//!
//! A union that contains only itself would never be read to an end. A union whose variants contain
//! other unions would be tried in all combinations, so the variant of each nested value is
//! memorized once it is known.

use crate::values::read::FieldErrors;
use crate::values::{Node, WireError};
use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;

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
pub(in crate::values) enum Known {
    /// The index of the matching variant.
    Is(usize),
    /// No variant matches.
    None(FieldErrors),
}

/// The unions of one value that is being read.
#[derive(Default)]
pub(crate) struct Unions {
    level: Cell<u16>,
    tried: Cell<u64>,
    allowed: Cell<u64>,
    /// Results by the address of a node and the name of the union.
    memo: RefCell<BTreeMap<(usize, &'static str), Known>>,
}

impl Unions {
    /// Continues the limits of another value.
    pub(crate) fn continue_from(&self, other: &Self) {
        self.level.set(other.level.get());
        self.tried.set(other.tried.get());
        self.allowed.set(other.allowed.get());
    }

    /// Returns the number of variants that were tried for the value.
    #[cfg(test)]
    pub(in crate::values) fn tried(&self) -> u64 {
        self.tried.get()
    }
}

/// Returns the error of unions that are nested too deeply.
pub(in crate::values) fn too_deep() -> FieldErrors {
    WireError::new(format!("has more than {LEVELS} nested unions")).into()
}

/// A union that is being read.
pub(in crate::values) struct Level<'s>(&'s Unions);

impl<'s> Level<'s> {
    /// Enters a union with the value `node`; `None` if it is nested too deeply.
    pub(in crate::values) fn enter(unions: &'s Unions, node: &Node) -> Option<Self> {
        let level = unions.level.get();
        if level == 0 {
            unions.tried.set(0);
            let each = node.count().saturating_mul(TRIALS_EACH);
            unions.allowed.set(TRIALS.saturating_add(each));
        }
        (level < LEVELS).then(|| {
            unions.level.set(level + 1);
            Self(unions)
        })
    }

    /// Counts a tried variant; returns `false` if the limit is exceeded.
    pub(in crate::values) fn may_try(&self) -> bool {
        let tried = self.0.tried.get().saturating_add(1);
        self.0.tried.set(tried);
        tried <= self.0.allowed.get()
    }

    /// Returns the error of too many tried variants.
    pub(in crate::values) fn too_many(&self) -> WireError {
        let allowed = self.0.allowed.get();
        WireError::new(format!(
            "matches no combination of alternatives within {allowed} attempts"
        ))
    }

    /// Returns whether the union is nested in another.
    fn is_nested(&self) -> bool {
        self.0.level.get() > 1
    }

    /// Returns the known result for a value.
    pub(in crate::values) fn known(&self, node: &Node, union: &'static str) -> Option<Known> {
        match self.is_nested() {
            true => self.0.memo.borrow().get(&key(node, union)).cloned(),
            false => None,
        }
    }

    /// Memorizes the result for a value, if the union is nested in another.
    pub(in crate::values) fn learn(&self, node: &Node, union: &'static str, is: Known) {
        if self.is_nested() {
            self.0.memo.borrow_mut().insert(key(node, union), is);
        }
    }
}

// A tree is not moved while it is read, so the address of a node identifies the node.
fn key(node: &Node, union: &'static str) -> (usize, &'static str) {
    (std::ptr::from_ref(node).addr(), union)
}

impl Drop for Level<'_> {
    fn drop(&mut self) {
        let level = self.0.level.get().saturating_sub(1);
        self.0.level.set(level);
        if level == 0 {
            self.0.memo.borrow_mut().clear();
        }
    }
}
