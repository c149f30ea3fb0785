//! Rules that no drawn value satisfies.

use crate::values::{Json, Rule};
use std::fmt::Write as _;

/// A rule that could not be met, and where.
#[derive(Debug, Clone)]
pub(crate) struct Unmet {
    rule: &'static str,
    value: Option<&'static str>,
    /// The steps to the value, the innermost first.
    path: Vec<String>,
}

impl Unmet {
    pub(super) const fn rule(rule: &'static str) -> Self {
        Self {
            rule,
            value: None,
            path: Vec::new(),
        }
    }

    pub(super) const fn with_value(mut self, value: &'static str) -> Self {
        self.value = Some(value);
        self
    }

    pub(super) fn within(mut self, step: &str) -> Self {
        self.path.push(escaped(step));
        self
    }

    /// Returns the JSON pointer of the value.
    pub(super) fn pointer(&self) -> String {
        let mut pointer = String::new();
        for step in self.path.iter().rev() {
            let _ = write!(pointer, "/{step}");
        }
        pointer
    }

    /// Returns the rule, as the document writes it.
    pub(super) fn in_words(&self) -> String {
        match self.value {
            Some(value) => format!("{} `{value}`", self.rule),
            None => self.rule.to_owned(),
        }
    }
}

/// Returns a step of a JSON pointer.
pub(super) fn escaped(step: &str) -> String {
    step.replace('~', "~0").replace('/', "~1")
}

/// The result of drawing a value.
pub(super) type Drawn = Result<Json, Unmet>;

/// Returns the keyword of a rule.
pub(super) const fn keyword(rule: &Rule) -> &'static str {
    match rule {
        Rule::MinLength(_) => "minLength",
        Rule::MaxLength(_) => "maxLength",
        Rule::Pattern { .. } => "pattern",
        Rule::Format(_) => "format",
        Rule::Minimum(_) => "minimum",
        Rule::Maximum(_) => "maximum",
        Rule::ExclusiveMinimum(_) => "exclusiveMinimum",
        Rule::ExclusiveMaximum(_) => "exclusiveMaximum",
        Rule::MultipleOf(_) => "multipleOf",
        Rule::MinItems(_) => "minItems",
        Rule::MaxItems(_) => "maxItems",
        Rule::UniqueItems => "uniqueItems",
        Rule::Items(_) => "items",
        Rule::MinProperties(_) => "minProperties",
        Rule::MaxProperties(_) => "maxProperties",
        Rule::AdditionalProperties(_) | Rule::PropertyNamePatterns(_) => "additionalProperties",
        Rule::PropertyNames(_) => "propertyNames",
        Rule::TupleList(_) => "prefixItems",
        Rule::OneOfRequired(_) => "oneOf",
        Rule::AnyOfRequired(_) => "anyOf",
        Rule::Constants(_) | Rule::Enum(_) | Rule::Known => "enum",
        Rule::DependentRequired(..) => "dependentRequired",
        Rule::Required | Rule::Returned => "required",
    }
}
