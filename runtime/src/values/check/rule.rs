//! The rules, as data.

use super::number::Bound;

/// A constraint that the document states for a value. The functions that tables name create it.
///
/// A rule applies to one kind of value, as in JSON Schema: a bound does not constrain a string, and
/// a length does not constrain a number.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// The minimum number of characters of a string.
    MinLength(u64),
    /// The maximum number of characters of a string.
    MaxLength(u64),
    /// A pattern that a string must match.
    Pattern {
        /// The pattern in the syntax of the crate `regex`.
        regex: &'static str,
        /// The pattern of the document.
        shown: &'static str,
    },
    /// The format of a string.
    Format(&'static str),
    /// The inclusive minimum of a number.
    Minimum(Bound),
    /// The inclusive maximum of a number.
    Maximum(Bound),
    /// The exclusive minimum of a number.
    ExclusiveMinimum(Bound),
    /// The exclusive maximum of a number.
    ExclusiveMaximum(Bound),
    /// The step that a number must be a multiple of.
    MultipleOf(Bound),
    /// The minimum number of items of an array.
    MinItems(u64),
    /// The maximum number of items of an array.
    MaxItems(u64),
    /// The items of an array must be unique.
    UniqueItems,
    /// The rules of each item of an array.
    Items(&'static [Rule]),
    /// The minimum number of properties of an object.
    MinProperties(u64),
    /// The maximum number of properties of an object.
    MaxProperties(u64),
    /// The rules of each additional property.
    AdditionalProperties(&'static [Rule]),
    /// The rules of each property name.
    PropertyNames(&'static [Rule]),
    /// The rules of the first items of an array, by position.
    TupleList(&'static [&'static [Rule]]),
    /// The patterns, one of which each property name must match.
    PropertyNamePatterns(&'static [&'static str]),
    /// Groups of names, exactly one of which must be complete.
    OneOfRequired(&'static [&'static [&'static str]]),
    /// Groups of names, at least one of which must be complete.
    AnyOfRequired(&'static [&'static [&'static str]]),
    /// The permitted values, as JSON.
    Constants(&'static [&'static str]),
    /// The permitted strings.
    Enum(&'static [&'static str]),
    /// The names that are required if a property is present.
    DependentRequired(&'static str, &'static [&'static str]),
    /// The property is required in requests, although its type makes it optional.
    Required,
    /// The property is required in responses, although its type makes it optional.
    Returned,
    /// The value of an open enum must be one that the document lists.
    Known,
}

macro_rules! rules {
    ($($(#[$doc:meta])* $name:ident($value:ident: $Value:ty) => $rule:expr;)*) => {
        $($(#[$doc])*
        pub const fn $name($value: $Value) -> Rule {
            $rule
        })*
    };
}

rules! {
    /// Creates the rule of `minLength`.
    min_length(least: u64) => Rule::MinLength(least);
    /// Creates the rule of `maxLength`.
    max_length(most: u64) => Rule::MaxLength(most);
    /// Creates the rule of `pattern`.
    pattern(pattern: &'static str) => Rule::Pattern { regex: pattern, shown: pattern };
    /// Creates the rule of `format`.
    format(name: &'static str) => Rule::Format(name);
    /// Creates the rule of `minimum`.
    minimum(bound: i128) => Rule::Minimum(Bound::Int(bound));
    /// Creates the rule of `minimum`.
    minimum_float(bound: f64) => Rule::Minimum(Bound::Float(bound));
    /// Creates the rule of `maximum`.
    maximum(bound: i128) => Rule::Maximum(Bound::Int(bound));
    /// Creates the rule of `maximum`.
    maximum_float(bound: f64) => Rule::Maximum(Bound::Float(bound));
    /// Creates the rule of `exclusiveMinimum`.
    exclusive_minimum(bound: i128) => Rule::ExclusiveMinimum(Bound::Int(bound));
    /// Creates the rule of `exclusiveMinimum`.
    exclusive_minimum_float(bound: f64) => Rule::ExclusiveMinimum(Bound::Float(bound));
    /// Creates the rule of `exclusiveMaximum`.
    exclusive_maximum(bound: i128) => Rule::ExclusiveMaximum(Bound::Int(bound));
    /// Creates the rule of `exclusiveMaximum`.
    exclusive_maximum_float(bound: f64) => Rule::ExclusiveMaximum(Bound::Float(bound));
    /// Creates the rule of `multipleOf`.
    multiple_of(step: i128) => Rule::MultipleOf(Bound::Int(step));
    /// Creates the rule of `multipleOf`.
    multiple_of_float(step: f64) => Rule::MultipleOf(Bound::Float(step));
    /// Creates the rule of `minItems`.
    min_items(least: u64) => Rule::MinItems(least);
    /// Creates the rule of `maxItems`.
    max_items(most: u64) => Rule::MaxItems(most);
    /// Creates the rule of `items`.
    items(rules: &'static [Rule]) => Rule::Items(rules);
    /// Creates the rule of `minProperties`.
    min_properties(least: u64) => Rule::MinProperties(least);
    /// Creates the rule of `maxProperties`.
    max_properties(most: u64) => Rule::MaxProperties(most);
    /// Creates the rule of `additionalProperties`.
    additional_properties(rules: &'static [Rule]) => Rule::AdditionalProperties(rules);
    /// Creates the rule of `propertyNames`.
    property_names(rules: &'static [Rule]) => Rule::PropertyNames(rules);
    /// Creates the rule of `prefixItems`.
    prefix_items(rules: &'static [&'static [Rule]]) => Rule::TupleList(rules);
    /// Creates the rule of `patternProperties` with `additionalProperties: false`.
    property_name_patterns(patterns: &'static [&'static str]) => Rule::PropertyNamePatterns(patterns);
    /// Creates the rule of a `oneOf` of required names.
    one_of_required(groups: &'static [&'static [&'static str]]) => Rule::OneOfRequired(groups);
    /// Creates the rule of an `anyOf` of required names.
    any_of_required(groups: &'static [&'static [&'static str]]) => Rule::AnyOfRequired(groups);
    /// Creates the rule of `const` and `enum` for objects and arrays.
    constants(all: &'static [&'static str]) => Rule::Constants(all);
    /// Creates the rule of `enum` for property names.
    enum_values(all: &'static [&'static str]) => Rule::Enum(all);
}

/// Creates the rule of `pattern`, if the pattern of the document differs from that of the crate `regex`.
pub const fn pattern_as(regex: &'static str, shown: &'static str) -> Rule {
    Rule::Pattern { regex, shown }
}

/// Creates the rule of `dependentRequired`.
pub const fn dependent_required(name: &'static str, others: &'static [&'static str]) -> Rule {
    Rule::DependentRequired(name, others)
}

/// Creates the rule of `uniqueItems`.
pub const fn unique_items() -> Rule {
    Rule::UniqueItems
}

/// Creates the rule of `required` for a property that only requests must have: it is `writeOnly`, or required and not
/// declared.
pub const fn required() -> Rule {
    Rule::Required
}

/// Creates the rule of `required` for a property that only responses must have: it is `readOnly`.
pub const fn returned() -> Rule {
    Rule::Returned
}

/// Creates the rule of an `enum`, or of the values of a discriminator.
pub const fn known() -> Rule {
    Rule::Known
}
