//! Rendering of diagnostics: with excerpts of the documents for people, and as JSON for programs.
//!
//! This module depends on `diagnostic` and `source`. A diagnostic refers to a node; the line of the
//! node is searched only here.

mod first;
mod json;
mod place;
mod render;
#[cfg(test)]
mod tests;

pub use first::{Place, first_place};
pub use json::render_json;
pub use render::{Style, render_human};
