//! The names in a query that belong to an object, if the type of the parameter is known only by its
//! outline.
//!
//! An object in the exploded style `form` has no name of its own: its properties are next to the
//! other parameters, and next to any pair that a caller adds (`?utm_source=…`). A type that
//! requests a struct or a map is such an object. A union or an enum requests any kind of value: it
//! declares its outlines beforehand, so that pairs of no parameter are not taken for it.

use crate::values::outline::Outline;
use crate::values::read::State;

/// The names in a query that may be properties of a value.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Members {
    /// The names of properties.
    pub(crate) keys: Vec<&'static str>,
    /// The discriminator properties of unions: if one of them is present, all names are properties.
    pub(crate) tags: Vec<&'static str>,
    /// Whether all names are properties.
    pub(crate) any: bool,
    /// Whether the type has declared its outlines, and may also be no object.
    pub(crate) is_declared: bool,
}

/// Limit for the depth of nested unions; a deeper one may be any value.
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
                // A value that is not an object has the parameter's own name.
                _ => {}
            }
        }
    }
}

/// Starts to read a parameter.
pub(crate) fn begin(state: &State<'_>) {
    state.is_declaring.set(true);
    state.declared.set(None);
}

/// Returns the declaration of the type that is being read; a type without a declaration may be any
/// value.
pub(crate) fn take(state: &State<'_>) -> Members {
    state.is_declaring.set(false);
    state.declared.take().unwrap_or_else(Members::anything)
}

/// Declares the outlines of the value that is read next. Only the declaration of a parameter itself
/// has an effect.
pub(crate) fn declare(state: &State<'_>, outlines: impl FnOnce() -> Vec<Outline>) {
    if state.is_declaring.replace(false) {
        let mut members = Members {
            is_declared: true,
            ..Members::default()
        };
        members.add(outlines(), DEEPEST);
        state.declared.set(Some(members));
    }
}
