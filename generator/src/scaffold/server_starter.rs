//! The Rust of a new server: an impl of every trait, with a body to be written for each method.

use crate::ir::Api;

/// The impls, and the lines that mount them.
pub(super) fn code(_api: &Api) -> (String, String) {
    (String::new(), String::new())
}
