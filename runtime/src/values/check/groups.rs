//! Names of properties: groups of required names, and patterns of names.

use super::{Checker, Rule, pattern};
use std::fmt::Write;

/// Names that are required together.
type Group = &'static [&'static str];

impl Checker {
    /// Checks that exactly one group is complete.
    pub(super) fn one_group<'k>(
        &mut self,
        groups: &[Group],
        keys: impl Iterator<Item = &'k str> + Clone,
    ) {
        match complete(groups, keys) {
            0 => self.error(in_words("has none of", groups)),
            1 => {}
            _ => self.error(in_words("has more than one of", groups)),
        }
    }

    /// Checks that at least one group is complete.
    pub(super) fn any_group<'k>(
        &mut self,
        groups: &[Group],
        keys: impl Iterator<Item = &'k str> + Clone,
    ) {
        if complete(groups, keys) == 0 {
            self.error(in_words("has none of", groups));
        }
    }

    /// Checks that the name of a property is allowed.
    pub(super) fn name_match(&mut self, name: &str, rules: &[Rule]) {
        for rule in rules {
            if let Rule::PropertyNamePatterns(patterns) = *rule
                && !patterns
                    .iter()
                    .any(|allowed| pattern::is_found(allowed, name))
            {
                self.at(name, |checker| {
                    checker.error("is not a property of this object")
                });
            }
        }
    }
}

/// Returns how many of the groups are complete.
fn complete<'k>(groups: &[Group], keys: impl Iterator<Item = &'k str> + Clone) -> usize {
    let is_there = |name: &&str| keys.clone().any(|key| key == *name);
    let complete = groups.iter().filter(|group| group.iter().all(is_there));
    complete.count()
}

/// Writes the groups as a list: "has none of `a`, `b` with `c`".
fn in_words(begin: &str, groups: &[Group]) -> String {
    let mut out = begin.to_owned();
    for (index, group) in groups.iter().enumerate() {
        let mark = if index == 0 { " " } else { ", " };
        let names = group.iter().map(|name| format!("`{name}`"));
        let names = names.collect::<Vec<_>>().join(" with ");
        let names = if names.is_empty() { "no name" } else { &names };
        let _ = write!(out, "{mark}{names}");
    }
    out
}
