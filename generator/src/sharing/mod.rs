//! Equal inline types and equal structs of headers: one type for all places, which are aliases of it.
//!
//! Two inline types are equal if their wire names, types, rules, and the texts of their fields and
//! variants are. A type that equals a component is the component. The text of a place stays with its
//! alias, so that users of the alias see it, and code that names the alias survives when the places
//! differ later. Errors, for which users implement traits, are not types of this stage: see
//! `lower/operation/error_sets.rs`.

mod classes;
mod content;
mod headers;
#[cfg(test)]
mod tests;
mod types;
mod words;

use crate::ir::Api;
use crate::lower;

/// Replaces equal types by aliases of one type.
pub(crate) fn share(api: &mut Api) {
    types::share(api);
    // The fields of a shared type may be in another order than those of a place.
    lower::find_codes(api);
    headers::share(api, true);
}

/// Finds the types of several places for a comparison, in which each place keeps its own type.
///
/// `ruled` tells whether the rules of responses are part of the code.
pub(crate) fn list(api: &mut Api, ruled: bool) {
    types::list(api, ruled);
    headers::share(api, ruled);
}
