//! The rules, as data.

use super::number::Bound;

/// One thing that a document asks of a value. Made by the functions of its name in tables.
///
/// A rule is about one kind of value, as in JSON Schema: a bound says nothing of a string, and a
/// length nothing of a number.
#[derive(Debug, Clone, Copy, PartialEq)]
#[non_exhaustive]
pub enum Rule {
    /// The least of characters that a string has.
    MinLength(u64),
    /// The most of characters that a string has.
    MaxLength(u64),
    /// A pattern that is found in a string.
    Pattern {
        /// In the syntax of the crate `regex`.
        regex: &'static str,
        /// As the document has it.
        shown: &'static str,
    },
    /// A format that a string has.
    Format(&'static str),
    /// The least that a number is.
    Minimum(Bound),
    /// The most that a number is.
    Maximum(Bound),
    /// A number is more than this.
    ExclusiveMinimum(Bound),
    /// A number is less than this.
    ExclusiveMaximum(Bound),
    /// A number is a multiple of this.
    MultipleOf(Bound),
    /// The least of items that a list has.
    MinItems(u64),
    /// The most of items that a list has.
    MaxItems(u64),
    /// A list has no item twice.
    UniqueItems,
    /// What is asked of each item of a list.
    Items(&'static [Rule]),
    /// The least of properties that an object has.
    MinProperties(u64),
    /// The most of properties that an object has.
    MaxProperties(u64),
    /// What is asked of each property of a map.
    AdditionalProperties(&'static [Rule]),
    /// What is asked of each name of a property.
    PropertyNames(&'static [Rule]),
    /// What is asked of the items of a list by their place.
    PrefixItems(&'static [&'static [Rule]]),
    /// Each name of a property is found by one of these patterns.
    PropertyNamePatterns(&'static [&'static str]),
    /// All names of exactly one of these groups are there.
    OneOfRequired(&'static [&'static [&'static str]]),
    /// All names of at least one of these groups are there.
    AnyOfRequired(&'static [&'static [&'static str]]),
    /// The values that there are, as JSON.
    Constants(&'static [&'static str]),
    /// The strings that there are.
    Enum(&'static [&'static str]),
    /// Where the property is, the others are too.
    DependentRequired(&'static str, &'static [&'static str]),
    /// A property is there, although its type allows that it is not.
    Required,
    /// A value of an open enum is one of those that the document lists.
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
    /// `minLength`
    min_length(least: u64) => Rule::MinLength(least);
    /// `maxLength`
    max_length(most: u64) => Rule::MaxLength(most);
    /// `pattern`
    pattern(pattern: &'static str) => Rule::Pattern { regex: pattern, shown: pattern };
    /// `format`
    format(name: &'static str) => Rule::Format(name);
    /// `minimum`
    minimum(bound: i128) => Rule::Minimum(Bound::Int(bound));
    /// `minimum`
    minimum_float(bound: f64) => Rule::Minimum(Bound::Float(bound));
    /// `maximum`
    maximum(bound: i128) => Rule::Maximum(Bound::Int(bound));
    /// `maximum`
    maximum_float(bound: f64) => Rule::Maximum(Bound::Float(bound));
    /// `exclusiveMinimum`
    exclusive_minimum(bound: i128) => Rule::ExclusiveMinimum(Bound::Int(bound));
    /// `exclusiveMinimum`
    exclusive_minimum_float(bound: f64) => Rule::ExclusiveMinimum(Bound::Float(bound));
    /// `exclusiveMaximum`
    exclusive_maximum(bound: i128) => Rule::ExclusiveMaximum(Bound::Int(bound));
    /// `exclusiveMaximum`
    exclusive_maximum_float(bound: f64) => Rule::ExclusiveMaximum(Bound::Float(bound));
    /// `multipleOf`
    multiple_of(step: i128) => Rule::MultipleOf(Bound::Int(step));
    /// `multipleOf`
    multiple_of_float(step: f64) => Rule::MultipleOf(Bound::Float(step));
    /// `minItems`
    min_items(least: u64) => Rule::MinItems(least);
    /// `maxItems`
    max_items(most: u64) => Rule::MaxItems(most);
    /// `items`
    items(rules: &'static [Rule]) => Rule::Items(rules);
    /// `minProperties`
    min_properties(least: u64) => Rule::MinProperties(least);
    /// `maxProperties`
    max_properties(most: u64) => Rule::MaxProperties(most);
    /// `additionalProperties`
    additional_properties(rules: &'static [Rule]) => Rule::AdditionalProperties(rules);
    /// `propertyNames`
    property_names(rules: &'static [Rule]) => Rule::PropertyNames(rules);
    /// `prefixItems`
    prefix_items(rules: &'static [&'static [Rule]]) => Rule::PrefixItems(rules);
    /// `patternProperties` beside `additionalProperties: false`
    property_name_patterns(patterns: &'static [&'static str]) => Rule::PropertyNamePatterns(patterns);
    /// `oneOf` of required names
    one_of_required(groups: &'static [&'static [&'static str]]) => Rule::OneOfRequired(groups);
    /// `anyOf` of required names
    any_of_required(groups: &'static [&'static [&'static str]]) => Rule::AnyOfRequired(groups);
    /// `const` and `enum`, of objects and lists
    constants(all: &'static [&'static str]) => Rule::Constants(all);
    /// `enum`, of the names of properties
    enum_values(all: &'static [&'static str]) => Rule::Enum(all);
}

/// `pattern`, where the document's own text is not that of the crate `regex`.
pub const fn pattern_as(regex: &'static str, shown: &'static str) -> Rule {
    Rule::Pattern { regex, shown }
}

/// `dependentRequired`
pub const fn dependent_required(name: &'static str, others: &'static [&'static str]) -> Rule {
    Rule::DependentRequired(name, others)
}

/// `uniqueItems`
pub const fn unique_items() -> Rule {
    Rule::UniqueItems
}

/// `required`, of a property that only requests have (`writeOnly`)
pub const fn required() -> Rule {
    Rule::Required
}

/// `enum`, or the values of a discriminator
pub const fn known() -> Rule {
    Rule::Known
}
