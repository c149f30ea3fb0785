//! Which names of a query make an object, where the type of a parameter is known only by its looks.
//!
//! An object in the style `form`, exploded, has no name of its own: its properties stand beside the
//! other parameters, and beside whatever else a caller adds (`?utm_source=…`). A type that asks for a
//! struct or a map is that object. A union or an enum asks for anything: it says before what of the
//! query it could be, so that what belongs to nobody is not taken for it.

use crate::union::Outline;
use std::cell::{Cell, RefCell};

/// Which names of a query may be the properties of a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Members {
    /// These.
    pub(super) keys: Vec<&'static str>,
    /// All, where one of these is there: the properties that tell the variants of a union apart.
    pub(super) tags: Vec<&'static str>,
    /// All.
    pub(super) any: bool,
    /// The type has said so, and can also be none of them.
    pub(super) is_said: bool,
}

/// How deep unions within unions are looked into; what is deeper may be anything.
const DEEPEST: u8 = 8;

impl Members {
    fn anything() -> Self {
        Self {
            any: true,
            ..Self::default()
        }
    }

    fn add(&mut self, outlines: Vec<Outline>, depth: u8) {
        if depth == 0 {
            self.any = true;
            return;
        }
        for outline in outlines {
            match outline {
                Outline::Object(meta) if meta.is_open() => self.any = true,
                Outline::Object(meta) => self.keys.extend(meta.keys),
                Outline::Any | Outline::AnyObject | Outline::Map(_) => self.any = true,
                Outline::Tagged { others, .. } if others.contains(&1) => self.any = true,
                Outline::Tagged { key, .. } => self.tags.push(key),
                Outline::Nullable(inner) => self.add(vec![inner()], depth - 1),
                Outline::OneOf(variants) => self.add(variants(), depth - 1),
                // What is no object has the parameter's own name.
                _ => {}
            }
        }
    }
}

thread_local! {
    /// Whether a parameter is about to be asked for its value.
    static ASKING: Cell<bool> = const { Cell::new(false) };
    static SAID: RefCell<Option<Members>> = const { RefCell::new(None) };
}

/// Begins to read a parameter.
pub(super) fn begin() {
    ASKING.set(true);
    SAID.set(None);
}

/// What the type has said that is asked for now; a type that says nothing may be anything.
pub(super) fn take() -> Members {
    ASKING.set(false);
    SAID.take().unwrap_or_else(Members::anything)
}

/// Says what the value looks like that is asked for next. Only of a parameter that matters.
pub(crate) fn expect(outlines: impl FnOnce() -> Vec<Outline>) {
    if ASKING.replace(false) {
        let mut members = Members {
            is_said: true,
            ..Members::default()
        };
        members.add(outlines(), DEEPEST);
        SAID.set(Some(members));
    }
}
