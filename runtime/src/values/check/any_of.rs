//! Validation of `anyOf`: at least one alternative must be valid.

use super::{Checker, Rule, Validate};

impl Checker {
    /// Checks the alternatives of an `anyOf` that are set. One valid alternative is sufficient;
    /// otherwise the errors of the alternative with the fewest are reported.
    pub fn any_of(&mut self, alternatives: &[(bool, &dyn Validate, &[Rule])]) {
        let known = self.field_errors.len();
        let mut best: Option<Vec<_>> = None;
        for (_, value, rules) in alternatives.iter().filter(|(is_set, ..)| *is_set) {
            value.check(rules, self);
            let found = self
                .field_errors
                .split_off(known.min(self.field_errors.len()));
            if found.is_empty() {
                return;
            }
            if best.as_ref().is_none_or(|best| found.len() < best.len()) {
                best = Some(found);
            }
        }
        self.field_errors.extend(best.unwrap_or_default());
    }
}
