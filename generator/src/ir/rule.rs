//! What a document asks of values beyond their types.

use super::TypeRef;

/// One thing that a document asks of a value; the runtime has a rule of each name.
#[derive(Debug, Clone, PartialEq)]
#[expect(missing_docs, reason = "the variants are JSON Schema's keywords")]
pub enum Rule {
    MinLength(u64),
    MaxLength(u64),
    /// In the syntax of the crate `regex`, and, where that is another text, as the document has it.
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
    /// Of the properties of a map.
    AdditionalProperties(Vec<Rule>),
    /// Of the names of properties.
    PropertyNames(Vec<Rule>),
    /// Of the parts of a tuple, by their place.
    PrefixItems(Vec<Vec<Rule>>),
    /// Names of properties match one of these patterns, in the syntax of the crate `regex`.
    PropertyNamePatterns(Vec<String>),
    /// Groups of names: exactly one of them is there, or at least one.
    OneOfRequired(Vec<Vec<String>>),
    AnyOfRequired(Vec<Vec<String>>),
    /// One of these values, as JSON.
    Constants(Vec<String>),
    /// One of these strings.
    Enum(Vec<String>),
    /// A property, and what is required beside it.
    DependentRequired(String, Vec<String>),
    /// Of a property that only requests have, and must have.
    Required,
    /// Of an enum or a union that keeps other values: a request holds one that is listed.
    Known,
}

/// A number as a bound.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Bound {
    /// A whole number.
    Int(i128),
    /// Any number.
    Float(f64),
}

impl Rule {
    /// Whether it is, or holds, a pattern.
    #[must_use]
    pub fn has_pattern(&self) -> bool {
        match self {
            Self::Pattern(..) | Self::PropertyNamePatterns(_) => true,
            Self::PrefixItems(parts) => parts.iter().flatten().any(Self::has_pattern),
            Self::Items(rules) | Self::AdditionalProperties(rules) | Self::PropertyNames(rules) => {
                rules.iter().any(Self::has_pattern)
            }
            _ => false,
        }
    }
}

/// Something that has rules, beside its type.
pub type Ruled<'a> = (&'a TypeRef, &'a mut Vec<Rule>);
