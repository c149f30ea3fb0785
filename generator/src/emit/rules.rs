//! Validation rules of values: `where [min_length(1), max_length(50)]` after a row.

use crate::ir::{Bound, Rule, TypeRef};
use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::scope::Scope;
use super::syntax::id;

/// Returns `where [rules]` for a value of this type; for a value with types of the user `unchecked`, and
/// `as (S where [rules])` with the type that its schema has by itself, if a server checks it by that.
pub(super) fn value_clause(
    scope: &Scope<'_>,
    ty: &TypeRef,
    rules: &[Rule],
    is_read: bool,
) -> Option<TokenStream> {
    let api = scope.cx.api;
    if !api.is_foreign(ty) {
        return clause(rules);
    }
    let schema = api.schema_of(ty).filter(|_| is_read);
    let schema = schema.map(|schema| {
        let (ty, rules) = (scope.ty(&schema), clause(rules));
        quote!(as (#ty #rules))
    });
    Some(quote!(unchecked #schema))
}

/// Returns `where [rules]`, if there are any rules.
pub(super) fn clause(rules: &[Rule]) -> Option<TokenStream> {
    (!rules.is_empty()).then(|| {
        let rules = rules.iter().map(rule);
        quote!(where [#(#rules),*])
    })
}

fn rule(rule: &Rule) -> TokenStream {
    match rule {
        Rule::MinLength(least) => size("min_length", *least),
        Rule::MaxLength(most) => size("max_length", *most),
        Rule::Pattern(text, None) => text_rule("pattern", text),
        Rule::Pattern(text, Some(own)) => quote!(pattern_as(#text, #own)),
        Rule::Format(name) => text_rule("format", name),
        Rule::Minimum(bound) => bounded("minimum", "minimum_float", *bound),
        Rule::Maximum(bound) => bounded("maximum", "maximum_float", *bound),
        Rule::ExclusiveMinimum(bound) => {
            bounded("exclusive_minimum", "exclusive_minimum_float", *bound)
        }
        Rule::ExclusiveMaximum(bound) => {
            bounded("exclusive_maximum", "exclusive_maximum_float", *bound)
        }
        Rule::MultipleOf(step) => bounded("multiple_of", "multiple_of_float", *step),
        Rule::MinItems(least) => size("min_items", *least),
        Rule::MaxItems(most) => size("max_items", *most),
        Rule::UniqueItems => plain("unique_items"),
        Rule::Items(rules) => inner("items", rules),
        Rule::MinProperties(least) => size("min_properties", *least),
        Rule::MaxProperties(most) => size("max_properties", *most),
        Rule::AdditionalProperties(rules) => inner("additional_properties", rules),
        Rule::PropertyNames(rules) => inner("property_names", rules),
        Rule::TupleList(parts) => {
            let nested = |rules: &Vec<Rule>| {
                let rules = rules.iter().map(self::rule);
                quote!(&[#(#rules),*])
            };
            let parts = parts.iter().map(nested);
            quote!(prefix_items(&[#(#parts),*]))
        }
        Rule::PropertyNamePatterns(patterns) => quote!(property_name_patterns(&[#(#patterns),*])),
        Rule::OneOfRequired(groups) => group("one_of_required", groups),
        Rule::AnyOfRequired(groups) => group("any_of_required", groups),
        Rule::Constants(all) => quote!(constants(&[#(#all),*])),
        Rule::Enum(all) => quote!(enum_values(&[#(#all),*])),
        Rule::DependentRequired(name, others) => quote!(dependent_required(#name, &[#(#others),*])),
        Rule::Required => plain("required"),
        Rule::Returned => plain("returned"),
        Rule::Known => plain("known"),
    }
}

fn plain(name: &'static str) -> TokenStream {
    let name = id(name);
    quote!(#name())
}

fn size(name: &'static str, size: u64) -> TokenStream {
    let (name, size) = (id(name), Literal::u64_unsuffixed(size));
    quote!(#name(#size))
}

fn text_rule(name: &'static str, text: &str) -> TokenStream {
    let name = id(name);
    quote!(#name(#text))
}

fn inner(name: &'static str, rules: &[Rule]) -> TokenStream {
    let (name, rules) = (id(name), rules.iter().map(rule));
    quote!(#name(&[#(#rules),*]))
}

fn group(name: &'static str, groups: &[Vec<String>]) -> TokenStream {
    let name = id(name);
    let groups = groups.iter().map(|names| quote!(&[#(#names),*]));
    quote!(#name(&[#(#groups),*]))
}

fn bounded(whole: &'static str, float: &'static str, bound: Bound) -> TokenStream {
    let call = |name: Ident, negative: bool, size: Literal| {
        let sign = negative.then(|| quote!(-));
        quote!(#name(#sign #size))
    };
    match bound {
        Bound::Int(int) => {
            let size = int.unsigned_abs();
            // The minimum of `i128` has no positive counterpart and cannot be written with a sign
            // before it.
            let size = i128::try_from(size).unwrap_or(i128::MAX);
            call(id(whole), int < 0, Literal::i128_unsuffixed(size))
        }
        Bound::Float(float_bound) => call(
            id(float),
            float_bound < 0.0,
            Literal::f64_unsuffixed(float_bound.abs()),
        ),
    }
}
