//! Arrays whose first items have rules of their own.

use super::values::{check_unique, item_rules, part_rules};
use super::{Checker, Rule, Validate};
use crate::values::Json;
use serde::Serialize;

impl Checker {
    /// Checks an item by its position.
    pub(crate) fn prefix_item(&mut self, place: usize, value: &dyn Validate, rules: &[Rule]) {
        self.item(place, value, part_rules(rules, place));
    }

    /// Checks the items after those that have rules of their own.
    pub(crate) fn rest_items<T: Validate>(&mut self, from: usize, rest: &[T], rules: &[Rule]) {
        let rules = item_rules(rules);
        for (index, item) in rest.iter().enumerate() {
            self.item(from + index, item, rules);
        }
    }

    /// Checks the number of items, and that they are unique.
    pub(crate) fn whole_list<T: Serialize>(&mut self, list: &T, rules: &[Rule]) {
        let asks = |rule: &Rule| {
            matches!(
                rule,
                Rule::MinItems(_) | Rule::MaxItems(_) | Rule::UniqueItems
            )
        };
        if !rules.iter().any(asks) {
            return;
        }
        if let Ok(Json::Array(items)) = serde_json::to_value(list) {
            self.count(items.len(), rules);
            if rules.contains(&Rule::UniqueItems) {
                check_unique(&items, self);
            }
        }
    }
}
