//! The module `examples`: a test that sends the examples of the document through the types.

use super::context::Context;
use super::docs::Text;
use super::options::Examples;
use super::output::{OutputModule, module};
use super::scope::{Place, Scope};
use super::syntax::id;
use crate::ir::{Condition, TypeRef, condition};
use crate::position::Origin;
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Attribute, Item, parse_quote};

/// Returns the module, if the test is generated and the document has examples. A program has the module in any case.
pub(super) fn emit(cx: &Context<'_>) -> Option<OutputModule> {
    let is_program = cx.options.examples == Examples::Program;
    let own = |id| cx.api.type_def(id).imported.is_none();
    let mut examples: Vec<_> = cx
        .api
        .examples
        .iter()
        .filter(|example| own(example.ty))
        .collect();
    if examples.is_empty() && !is_program {
        return None;
    }
    examples.sort_by_key(|example| example.ty);
    let scope = Scope::new(cx, Place::Examples, std::iter::empty());
    let checks = examples
        .chunk_by(|example, other| example.ty == other.ty)
        .map(|of_type| {
            let id = of_type[0].ty;
            let cfg = cx.cfg(
                condition(&cx.api.conditions.types, id.0 as usize),
                &Condition::new(),
            );
            let ty = scope.ty(&TypeRef::Named(id));
            let rows = of_type.iter().map(|example| {
                let (place, value) = (place(cx, &example.origin), raw(&example.value));
                quote!((#place, #value))
            });
            quote!(#cfg report.examples::<#ty>(&[#(#rows),*]);)
        });
    let test = function(
        cx,
        "examples_are_values_of_their_types",
        quote!(#(#checks)*),
    );
    let docs = Text::line("A test of the examples of the document.");
    let mut module = module(&scope, &["examples"], docs, vec![test]);
    module.attrs.extend(test_only(cx));
    Some(module)
}

/// Returns the function of a module: a test that ends with the report, or a function that adds to it.
pub(super) fn function(cx: &Context<'_>, name: &'static str, body: TokenStream) -> Item {
    let name = id(name);
    if cx.options.examples == Examples::Program {
        return parse_quote! {
            pub fn #name(report: &mut bothends_runtime::RoundTripReport) {
                #body
            }
        };
    }
    let unused = (!cx.api.conditions.features.is_empty())
        .then(|| quote!(#[allow(unused_mut, reason = "a feature enables what uses it")]));
    parse_quote! {
        #[test]
        fn #name() {
            #unused
            let mut report = bothends_runtime::RoundTripReport::new();
            #body
            assert!(report.is_empty(), "{report}");
        }
    }
}

/// Returns the attribute of a module that is compiled for tests only.
pub(super) fn test_only(cx: &Context<'_>) -> Option<Attribute> {
    let is_test = cx.options.examples == Examples::Tests;
    is_test.then(|| parse_quote!(#[cfg(test)]))
}

/// Returns the text that states the place of an example.
pub(super) fn place(cx: &Context<'_>, origin: &Origin) -> String {
    match cx.options.examples {
        Examples::Tests => origin.pointer().to_owned(),
        Examples::Program => format!("{}{}", origin.file.0, origin.pointer()),
    }
}

/// Returns a text as a raw string, in which the quotes of JSON are not escaped.
pub(super) fn raw(text: &str) -> Literal {
    let longest = text
        .split('"')
        .skip(1)
        .map(|rest| rest.len() - rest.trim_start_matches('#').len());
    let marks = "#".repeat(longest.max().map_or(0, |longest| longest + 1));
    // Characters that are invisible are written as escapes.
    let is_escaped = |c: char| c.escape_debug().len() > 1 && !matches!(c, '"' | '\'' | '\\' | '\n');
    let literal =
        (!text.contains(is_escaped)).then(|| format!("r{marks}\"{text}\"{marks}").parse().ok());
    literal.flatten().unwrap_or_else(|| Literal::string(text))
}

#[cfg(test)]
mod tests {
    use super::raw;

    #[test]
    fn raw_strings_have_the_same_text() {
        for text in [
            "1",
            r#"{"a":"b"}"#,
            r##"{"a":"#"}"##,
            "\"##",
            "\\",
            "a\rb",
            "\"\u{202e}\"",
            "\"\r",
            "",
        ] {
            let literal: syn::LitStr = syn::parse_str(&raw(text).to_string()).unwrap();
            assert_eq!(literal.value(), text);
        }
    }
}
