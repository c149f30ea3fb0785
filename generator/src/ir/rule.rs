//! Validation rules of values.

use super::TypeRef;

/// A validation rule; the runtime has a rule with the same name.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the variants are JSON Schema's keywords")]
pub enum Rule {
    MinLength(u64),
    MaxLength(u64),
    /// A pattern in the syntax of the crate `regex`, and the pattern of the document if its text
    /// differs.
    Pattern(String, Option<String>),
    Format(String),
    Minimum(Bound),
    Maximum(Bound),
    ExclusiveMinimum(Bound),
    ExclusiveMaximum(Bound),
    MultipleOf(Bound),
    MinItems(u64),
    MaxItems(u64),
    UniqueItems,
    Items(Vec<Rule>),
    MinProperties(u64),
    MaxProperties(u64),
    /// Rules of the values of a map.
    AdditionalProperties(Vec<Rule>),
    /// Rules of the property names.
    PropertyNames(Vec<Rule>),
    /// Rules of the elements of a tuple, by position.
    TupleList(Vec<Vec<Rule>>),
    /// Property names match one of these patterns, in the syntax of the crate `regex`.
    PropertyNamePatterns(Vec<String>),
    /// Groups of property names: exactly one group is present (`oneOf`), or at least one (`anyOf`).
    OneOfRequired(Vec<Vec<String>>),
    AnyOfRequired(Vec<Vec<String>>),
    /// One of these values, as JSON.
    Constants(Vec<String>),
    /// One of these strings.
    Enum(Vec<String>),
    /// A property, and the properties required if it is present.
    DependentRequired(String, Vec<String>),
    /// A rule of a property that is required in requests, and whose type is optional: only requests contain it, or
    /// the document requires it without declaring it.
    Required,
    /// The same of a property that is required in responses.
    Returned,
    /// A rule of an enum or a union that keeps unknown values: requests contain only known values.
    Known,
}

/// A numeric bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// An integer.
    Int(i128),
    /// Any number.
    Float(f64),
}

impl Rule {
    /// Returns `true` if the rule is or contains a pattern.
    #[must_use]
    pub fn has_pattern(&self) -> bool {
        match self {
            Self::Pattern(..) | Self::PropertyNamePatterns(_) => true,
            Self::TupleList(parts) => parts.iter().flatten().any(Self::has_pattern),
            Self::Items(rules) | Self::AdditionalProperties(rules) | Self::PropertyNames(rules) => {
                rules.iter().any(Self::has_pattern)
            }
            _ => false,
        }
    }
}

/// A value with validation rules: its type and the rules.
pub type Ruled<'a> = (&'a TypeRef, &'a mut Vec<Rule>);
