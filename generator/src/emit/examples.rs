//! The module `examples`: a test that sends the examples of the document through the types.

use super::context::Context;
use super::docs::Text;
use super::output::{OutputModule, module};
use super::scope::{Place, Scope};
use crate::ir::{Condition, TypeRef, condition};
use proc_macro2::Literal;
use quote::quote;
use syn::parse_quote;

/// Returns the module, if the test is generated and the document has examples.
pub(super) fn emit(cx: &Context<'_>) -> Option<OutputModule> {
    let own = |id| cx.api.type_def(id).imported.is_none();
    let mut examples: Vec<_> = cx.api.examples.iter().filter(|of| own(of.ty)).collect();
    if examples.is_empty() {
        return None;
    }
    examples.sort_by_key(|of| of.ty);
    let scope = Scope::new(cx, Place::Examples, std::iter::empty());
    let checks = examples
        .chunk_by(|one, other| one.ty == other.ty)
        .map(|of_type| {
            let id = of_type[0].ty;
            let cfg = cx.cfg(
                condition(&cx.api.conditions.types, id.0 as usize),
                &Condition::new(),
            );
            let ty = scope.ty(&TypeRef::Named(id));
            let rows = of_type.iter().map(|of| {
                let (place, value) = (of.origin.pointer(), raw(&of.value));
                quote!((#place, #value))
            });
            quote!(#cfg report.examples::<#ty>(&[#(#rows),*]);)
        });
    let unused = (!cx.api.conditions.features.is_empty())
        .then(|| quote!(#[allow(unused_mut, reason = "a feature enables what uses it")]));
    let test = parse_quote! {
        #[test]
        fn examples_are_values_of_their_types() {
            #unused
            let mut report = bothends_runtime::RoundTripReport::new();
            #(#checks)*
            assert!(report.is_empty(), "{report}");
        }
    };
    let docs = Text::line("A test of the examples of the document.");
    let mut module = module(&scope, &["examples"], docs, vec![test]);
    module.attrs.push(parse_quote!(#[cfg(test)]));
    Some(module)
}

/// Returns a text as a raw string, in which the quotes of JSON are not escaped.
fn raw(text: &str) -> Literal {
    let longest = text
        .split('"')
        .skip(1)
        .map(|rest| rest.len() - rest.trim_start_matches('#').len());
    let marks = "#".repeat(longest.max().map_or(0, |longest| longest + 1));
    let plain = text.contains(['\r', '\0']);
    let literal = (!plain).then(|| format!("r{marks}\"{text}\"{marks}").parse().ok());
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
            "\"\r",
            "",
        ] {
            let literal: syn::LitStr = syn::parse_str(&raw(text).to_string()).unwrap();
            assert_eq!(literal.value(), text);
        }
    }
}
