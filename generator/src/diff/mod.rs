//! Comparison of two lowered APIs: what a changed document does to messages and to Rust.
//!
//! `pair` finds the operations and types of both APIs that belong together, `find` collects raw
//! differences between them, and [`rules`] has the effects of each. A type is compared once; the
//! directions in which it travels and the operations that it reaches are determined afterwards,
//! from the graph of pairs.

mod bump;
mod change;
mod classify;
mod day;
mod entries;
mod find;
mod names;
mod pair;
mod render;
pub mod rules;
mod severity;
#[cfg(test)]
mod tests;
mod view;

pub use bump::{Bump, BumpScope};
pub use change::{Change, Outcome, Place, Report, Subject};
pub use day::Day;
pub use entries::{Entry, add_entries};
pub use render::{Commit, Format, Located, Side, Timeline, render};
pub use rules::{Audience, Direction, Level, Raw, Rule, Rust};
pub use severity::Severities;
pub use view::{Threshold, View};

pub use crate::builder::Document;

use std::collections::BTreeMap;

use crate::ir::Api;
pub use crate::ir::Stability;

/// The options of a comparison.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Whether the methods of server traits have a default that responds with 501.
    pub unimplemented_handlers: bool,
    /// The day of the comparison, for announced removals.
    pub today: Option<Day>,
    /// The number of days between the announcement of a removal and the removal, by the level of the
    /// operation.
    pub deprecation_days: BTreeMap<Stability, u32>,
    /// The lowest level of operations that promises clients and servers that they are not broken.
    /// `None` is [`Stability::PROMISED`].
    pub stable_from: Option<Stability>,
    /// Where Rust code uses what is generated.
    pub rust: Rust,
}

/// Compares two lowered APIs with names.
#[must_use]
pub fn compare(old: &Api, new: &Api, options: &Options) -> Report {
    let mut finder = find::Finder::new(old, new, options);
    finder.run();
    classify::classify(finder)
}
