//! Collection of violations with their paths.

use super::values::check_text;
use super::violation::{Step, Violation};
use super::{Rule, Validate};
use crate::values::BODY;
use crate::values::words::REQUIRED;
use crate::values::{FieldError, Json, Map, WireError};
use serde::Serialize;
use std::cmp::Ordering;
use std::fmt;

/// Limit for the number of errors of one value: more of them do not help the reader.
const MOST: usize = 100;

/// A collector of the violations of a value.
///
/// Most values are valid, so a path is not known while a value is checked: each level adds its step
/// to the violations that were found below it.
#[derive(Debug, Default)]
pub struct Checker {
    /// The number of steps to the present value.
    depth: usize,
    /// Whether the name of a property is checked, and not its value.
    of_name: bool,
    /// Whether the value is in a response.
    is_response: bool,
    pub(super) violations: Vec<Violation>,
    /// Properties of which only a part is known.
    unknown: Vec<String>,
    looks: u64,
}

impl Checker {
    /// Creates a checker for a value that is known only in part: these properties are skipped.
    pub(crate) fn but(unknown: Vec<String>) -> Self {
        Self {
            unknown,
            ..Self::default()
        }
    }

    /// Sets whether the value is in a response, which has other required properties than a request.
    pub(crate) fn of_response(self, is_response: bool) -> Self {
        Self {
            is_response,
            ..self
        }
    }

    /// Returns how many values were visited.
    pub(crate) const fn looks(&self) -> u64 {
        self.looks
    }

    /// Checks the value of a property.
    pub fn field(&mut self, key: &str, value: &dyn Validate, rules: &[Rule]) {
        if self.depth == 0 && self.unknown.iter().any(|unknown| unknown == key) {
            return;
        }
        self.at(key, |checker| value.check(rules, checker));
    }

    /// Checks a part of a request: a parameter by its name, a body by the names of its properties.
    pub fn part(&mut self, place: &'static str, key: &str, value: &dyn Validate, rules: &[Rule]) {
        let known = self.violations.len();
        if place == BODY {
            value.check(rules, self);
        } else {
            self.field(key, value, rules);
        }
        if self.violations.len() > known {
            for violation in self.violations.iter_mut().skip(known) {
                violation.place = place;
            }
        }
    }

    /// Checks a value that an open enum does not list.
    pub fn unknown(&mut self, rules: &[Rule]) {
        if rules.iter().any(|rule| matches!(rule, Rule::Known)) {
            self.error("is not one of the listed values");
        }
    }

    /// Checks an object whose tag an open union does not list.
    pub fn unknown_tag(&mut self, key: &str, rules: &[Rule]) {
        self.at(key, |checker| checker.unknown(rules));
    }

    /// Checks a property that is absent.
    pub(super) fn absent(&mut self, rules: &[Rule]) {
        let is_required = |rule: &Rule| match rule {
            Rule::Required => !self.is_response,
            Rule::Returned => self.is_response,
            _ => false,
        };
        if rules.iter().any(is_required) {
            self.error(REQUIRED);
        }
    }

    /// Checks an object as a whole.
    pub fn object<T: Serialize>(&mut self, value: &T, rules: &[Rule]) {
        if let Ok(Json::Object(members)) = serde_json::to_value(value) {
            self.properties(members.keys().map(String::as_str), rules);
        }
    }

    /// Checks the additional properties of an object.
    pub fn rest<T: Validate>(&mut self, rest: &Map<T>, rules: &[Rule]) {
        for (key, value) in rest {
            self.name_match(key, rules);
            self.field(key, value, rules);
        }
    }

    /// Checks an item of a list.
    pub(super) fn item(&mut self, index: usize, value: &dyn Validate, rules: &[Rule]) {
        let known = self.enter();
        value.check(rules, self);
        self.leave(known, || Step::Item(index));
    }

    /// Begins a level, and returns the number of the violations that are known.
    fn enter(&mut self) -> usize {
        self.looks += 1;
        self.depth += 1;
        self.violations.len()
    }

    /// Ends a level: adds its step to the new violations.
    fn leave(&mut self, known: usize, step: impl Fn() -> Step) {
        self.depth -= 1;
        if self.violations.len() > known {
            for violation in self.violations.iter_mut().skip(known) {
                violation.add(step());
            }
        }
    }

    /// Reports a violation of the present value.
    pub(super) fn error(&mut self, message: impl Into<String>) {
        match self.violations.len().cmp(&MOST) {
            Ordering::Less => {
                let (message, of_name) = (message.into(), self.of_name);
                let message = match of_name {
                    true => format!("its name {message}"),
                    false => message,
                };
                self.violations.push(Violation::new(message));
            }
            Ordering::Equal => self.violations.push(Violation::more()),
            Ordering::Greater => {}
        }
    }

    /// Checks a number of items or properties.
    pub(super) fn count(&mut self, count: usize, rules: &[Rule]) {
        for rule in rules {
            match *rule {
                Rule::MinItems(least) => self.at_least(count, least, "item", "items"),
                Rule::MaxItems(most) => self.at_most(count, most, "item", "items"),
                _ => {}
            }
        }
    }

    /// Checks the number of properties, their names, and their dependencies.
    pub(in crate::values) fn properties<'k>(
        &mut self,
        keys: impl ExactSizeIterator<Item = &'k str> + Clone,
        rules: &[Rule],
    ) {
        let count = keys.len();
        for rule in rules {
            match *rule {
                Rule::MinProperties(least) => {
                    self.at_least(count, least, "property", "properties");
                }
                Rule::MaxProperties(most) => self.at_most(count, most, "property", "properties"),
                Rule::PropertyNames(rules) => {
                    for key in keys.clone() {
                        self.of_name = true;
                        self.at(key, |checker| check_text(key, rules, checker));
                        self.of_name = false;
                    }
                }
                Rule::OneOfRequired(groups) => self.one_group(groups, keys.clone()),
                Rule::AnyOfRequired(groups) => self.any_group(groups, keys.clone()),
                Rule::DependentRequired(name, others) if keys.clone().any(|key| key == name) => {
                    for other in others {
                        if !keys.clone().any(|key| key == *other) {
                            let message = format!("is required beside `{name}`");
                            self.at(other, |checker| checker.error(message));
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// Runs a check with a key appended to the path.
    pub(super) fn at(&mut self, key: &str, look: impl FnOnce(&mut Self)) {
        let known = self.enter();
        look(self);
        self.leave(known, || Step::Key(key.to_owned()));
    }

    pub(super) fn at_least(&mut self, count: usize, least: u64, singular: &str, plural: &str) {
        if (count as u64) < least {
            self.error(format!(
                "has fewer than {least} {}",
                if least == 1 { singular } else { plural }
            ));
        }
    }

    pub(super) fn at_most(&mut self, count: usize, most: u64, singular: &str, plural: &str) {
        if count as u64 > most {
            self.error(format!(
                "has more than {most} {}",
                if most == 1 { singular } else { plural }
            ));
        }
    }

    /// Returns whether there are no violations.
    pub(crate) const fn is_empty(&self) -> bool {
        self.violations.is_empty()
    }

    /// Returns the collected errors.
    pub(crate) fn into_field_errors(self) -> Vec<FieldError> {
        self.violations.into_iter().map(Into::into).collect()
    }

    /// Returns the collected errors, with the steps of their paths.
    pub(crate) fn into_wire_errors(self) -> Vec<WireError> {
        let violations = self.violations.into_iter();
        violations.map(Violation::into_wire_error).collect()
    }

    pub(in crate::values) fn finish(self) -> Result<(), ValidationErrors> {
        if self.is_empty() {
            Ok(())
        } else {
            Err(ValidationErrors {
                field_errors: self.into_field_errors(),
            })
        }
    }
}

/// The error of a value that violates constraints of the document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValidationErrors {
    field_errors: Vec<FieldError>,
}

impl ValidationErrors {
    /// Returns the errors, with paths such as `items[3].name`; the path is empty for the value
    /// itself.
    pub fn field_errors(&self) -> &[FieldError] {
        &self.field_errors
    }

    /// Returns the other errors than the absence of a required header.
    #[cfg(all(feature = "client", feature = "validate"))]
    pub(crate) fn without_absent_header(mut self, name: &str) -> Result<(), Self> {
        let is_other = |error: &FieldError| {
            error.place != "header" || error.field != name || error.message != REQUIRED
        };
        self.field_errors.retain(is_other);
        match self.field_errors.is_empty() {
            true => Ok(()),
            false => Err(self),
        }
    }
}

impl fmt::Display for ValidationErrors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, FieldError { field, message, .. }) in self.field_errors.iter().enumerate() {
            let mark = if index == 0 { "" } else { "; " };
            match field.as_str() {
                "" => write!(f, "{mark}{message}")?,
                field => write!(f, "{mark}{field}: {message}")?,
            }
        }
        Ok(())
    }
}

impl std::error::Error for ValidationErrors {}
