//! How diagnostics are shown: with listings of the documents for people, as JSON for programs.
//!
//! It stands above `diagnostic` and `source`: a diagnostic knows a node, and only here the node's
//! line is searched for in the text.

mod first;
mod json;
mod place;
mod render;
#[cfg(test)]
mod tests;

pub use first::{Place, first_place};
pub use json::render_json;
pub use render::{Style, render_human};
