//! Drawing of objects and maps.

use super::draw::{Draw, TRIES};
use super::text;
use super::unmet::{Drawn, Unmet, keyword};
use crate::values::check::{Checker, value_rules};
use crate::values::form::{Form, Rows};
use crate::values::outline::Meta;
use crate::values::{Json, Rule};
use serde_json::Map as Members;
use std::collections::BTreeSet;

/// The maximum number of properties of a map whose rules permit any number.
const MOST: usize = 200;

impl Draw<'_> {
    /// Draws an object with a table.
    pub(super) fn object(
        &mut self,
        meta: &'static Meta,
        rows: &'static Rows,
        rules: &[Rule],
        depth: usize,
    ) -> Drawn {
        let rules = [rows.whole, rules].concat();
        let mut failed = Unmet::rule("properties");
        for _ in 0..TRIES {
            let Some((known, more)) = self.keys(meta, rows, &rules, depth) else {
                failed = failed_rule(&rules);
                continue;
            };
            match self.members(meta, rows, &known, more, depth) {
                Ok(members) if are_valid(&members, &rules) => return Ok(Json::Object(members)),
                Ok(_) => failed = failed_rule(&rules),
                Err(unmet) => failed = unmet,
            }
            // A part that cannot be drawn cannot be drawn again either, if it is too deep.
            if depth > self.deep + TRIES {
                break;
            }
        }
        Err(failed)
    }

    /// Draws which properties of a table are present, and how many further ones.
    fn keys(
        &mut self,
        meta: &'static Meta,
        rows: &'static Rows,
        rules: &[Rule],
        depth: usize,
    ) -> Option<(BTreeSet<usize>, usize)> {
        let mut known = BTreeSet::new();
        let share = self.dice.below(5);
        for (index, (place, optional)) in rows.rows.iter().zip(meta.optional).enumerate() {
            let is_required = *optional == 0 || self.is_required(place.rules);
            let is_drawn = || !self.is_of_other_side(place.rules) && depth <= self.deep;
            if is_required || is_drawn() && self.dice.below(4) < share {
                known.insert(index);
            }
        }
        let index = |name: &str| meta.keys.iter().position(|key| *key == name);
        for rule in rules {
            if let Rule::OneOfRequired(groups) | Rule::AnyOfRequired(groups) = *rule {
                let group = self.dice.pick(groups)?;
                if matches!(rule, Rule::OneOfRequired(_)) {
                    let others = groups.iter().copied().flatten();
                    for other in others.filter_map(|name| index(name)) {
                        if meta.optional.get(other) == Some(&1) {
                            known.remove(&other);
                        }
                    }
                }
                known.extend(group.iter().filter_map(|name| index(name)));
            }
        }
        for rule in rules {
            if let Rule::DependentRequired(name, others) = *rule
                && index(name).is_some_and(|index| known.contains(&index))
            {
                known.extend(others.iter().filter_map(|name| index(name)));
            }
        }
        let (least, most) = counts(rules);
        let can_go = |at: &usize| meta.optional.get(*at) == Some(&1);
        while known.len() > most {
            let mut all: Vec<usize> = known.iter().copied().filter(can_go).collect();
            known.remove(&self.dice.take(&mut all)?);
        }
        let mut absent: Vec<usize> = (0..meta.keys.len())
            .filter(|at| !known.contains(at))
            .collect();
        while known.len() < least
            && let Some(index) = self.dice.take(&mut absent)
        {
            known.insert(index);
        }
        let missing = least.saturating_sub(known.len());
        let more = match rows.rest.is_empty() || depth > self.deep {
            true => 0,
            false => [0, 0, 1, 2][self.dice.below(4)].min(most - known.len()),
        };
        Some((known, missing.max(more)))
    }

    /// Returns whether an optional property is required in this direction.
    fn is_required(&self, rules: &[Rule]) -> bool {
        rules.contains(match self.in_responses {
            true => &Rule::Returned,
            false => &Rule::Required,
        })
    }

    /// Returns whether only the other side writes a property: it is required there alone.
    fn is_of_other_side(&self, rules: &[Rule]) -> bool {
        let is_one_sided = rules.contains(&Rule::Required) != rules.contains(&Rule::Returned);
        is_one_sided && !self.is_required(rules)
    }

    fn members(
        &mut self,
        meta: &'static Meta,
        rows: &'static Rows,
        known: &BTreeSet<usize>,
        more: usize,
        depth: usize,
    ) -> Result<Members<String, Json>, Unmet> {
        let mut members = Members::new();
        for index in known {
            let (Some(key), Some(place)) = (meta.keys.get(*index), rows.rows.get(*index)) else {
                continue;
            };
            let is_required =
                meta.optional.get(*index) == Some(&0) || self.is_required(place.rules);
            match self.place(*place, depth + 1) {
                Ok(value) => drop(members.insert((*key).to_owned(), value)),
                Err(unmet) if is_required => return Err(unmet.within(key)),
                // An optional property that cannot be drawn is absent.
                Err(_) => {}
            }
        }
        if let Some(place) = rows.rest.first().filter(|_| more > 0) {
            let names = [rows.whole, place.rules].concat();
            let is_free = |name: &str| meta.find(name, 0).is_none();
            self.further(&mut members, more, &names, is_free, |draw| {
                draw.place(*place, depth + 1)
            })?;
        }
        Ok(members)
    }

    /// Draws a map.
    pub(super) fn map(&mut self, form: fn() -> Form, rules: &[Rule], depth: usize) -> Drawn {
        let (least, most) = counts(rules);
        if least > most.min(MOST) {
            return Err(Unmet::rule("minProperties"));
        }
        let more = match depth > self.deep {
            true => 0,
            false => self.dice.below(4),
        };
        let rules_of_values = value_rules(rules);
        let mut failed = failed_rule(rules);
        for _ in 0..TRIES {
            let mut members = Members::new();
            for rule in rules {
                if let Rule::OneOfRequired(groups) | Rule::AnyOfRequired(groups) = *rule
                    && let Some(group) = self.dice.pick(groups)
                {
                    for name in *group {
                        let value = self.value(form(), rules_of_values, depth + 1)?;
                        members.insert((*name).to_owned(), value);
                    }
                }
            }
            let wanted = least.saturating_add(more).min(most);
            let more = wanted.saturating_sub(members.len());
            let drawn = self.further(
                &mut members,
                more,
                rules,
                |_| true,
                |draw| draw.value(form(), rules_of_values, depth + 1),
            );
            match drawn {
                Ok(()) if are_valid(&members, rules) => return Ok(Json::Object(members)),
                Ok(()) => {}
                Err(unmet) => failed = unmet,
            }
        }
        // The empty map is valid unless a rule asks for more.
        match are_valid(&Members::new(), rules) {
            true => Ok(Json::Object(Members::new())),
            false => Err(failed),
        }
    }

    /// Adds properties with names that satisfy the rules of names.
    fn further(
        &mut self,
        members: &mut Members<String, Json>,
        count: usize,
        rules: &[Rule],
        is_free: impl Fn(&str) -> bool,
        mut value: impl FnMut(&mut Self) -> Drawn,
    ) -> Result<(), Unmet> {
        for _ in 0..count {
            for _ in 0..TRIES {
                let name = self.name(rules)?;
                if is_free(&name) && !members.contains_key(&name) {
                    let drawn = value(self).map_err(|unmet| unmet.within(&name))?;
                    members.insert(name, drawn);
                    break;
                }
            }
        }
        Ok(())
    }

    /// Draws the name of a property that is not declared.
    fn name(&mut self, rules: &[Rule]) -> Result<String, Unmet> {
        let mut names: Vec<Rule> = Vec::new();
        for rule in rules {
            match *rule {
                Rule::PropertyNames(rules) => names.extend(rules),
                Rule::PropertyNamePatterns(patterns) => {
                    let regex = self.dice.pick(patterns).copied();
                    names.extend(regex.map(|regex| Rule::Pattern {
                        regex,
                        shown: regex,
                    }));
                }
                _ => {}
            }
        }
        match names.is_empty() {
            true => Ok(format!("key{}", self.dice.below(1_000))),
            false => text::draw(&names, &mut self.dice),
        }
    }
}

/// Returns the least and the greatest number of properties.
fn counts(rules: &[Rule]) -> (usize, usize) {
    let (mut least, mut most) = (0, usize::MAX);
    for rule in rules {
        let size = |limit: u64| usize::try_from(limit).unwrap_or(usize::MAX);
        match *rule {
            Rule::MinProperties(limit) => least = least.max(size(limit)),
            Rule::MaxProperties(limit) => most = most.min(size(limit)),
            _ => {}
        }
    }
    (least, most)
}

/// Returns whether the names of the properties satisfy the rules of an object as a whole.
pub(super) fn are_valid(members: &Members<String, Json>, rules: &[Rule]) -> bool {
    let mut checker = Checker::default();
    checker.properties(members.keys().map(String::as_str), rules);
    checker.is_empty()
}

/// Returns the error that no object satisfies the rules about its properties.
fn failed_rule(rules: &[Rule]) -> Unmet {
    let mut names = rules.iter().map(keyword);
    Unmet::rule(names.next().unwrap_or("properties"))
}
