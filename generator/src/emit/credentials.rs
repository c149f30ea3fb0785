//! The struct `Credentials` of client and server: the same fields, with a separate table for each.

use super::docs::{Text, code};
use super::scope::Scope;
use super::syntax::{id, table};
use crate::ir::{Scheme, SchemeKind};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Item, parse_quote};

/// Returns `Credentials` for the client or the server, and its table.
pub(super) fn credentials(
    scope: &Scope<'_>,
    end: &'static str,
    docs: &str,
    macro_name: &'static str,
) -> Vec<Item> {
    let schemes = &scope.cx.api.schemes;
    let docs = Text::line(docs).attrs();
    let fields = schemes.iter().map(|scheme| {
        let mut text = Text::new(&scheme.doc);
        if text.is_empty() {
            text.paragraph(code(&scheme.name.wire));
        }
        let (attrs, name) = (text.attrs(), scope.name(&scheme.name));
        let ty = match scheme.kind {
            SchemeKind::Basic => scope.runtime_in(end, "Basic"),
            SchemeKind::Transport => scope.runtime_in(end, "MutualTls"),
            _ => scope.runtime_in(end, "Secret"),
        };
        quote!(#(#attrs)* pub #name: Option<#ty>)
    });
    let definition = parse_quote! {
        #(#docs)*
        #[derive(Debug, Clone, Default)]
        pub struct Credentials {
            #(#fields),*
        }
    };
    let rows = schemes.iter().map(|scheme| credential_row(scope, scheme));
    let name = id("Credentials");
    vec![definition, table(macro_name, quote!(#name { #(#rows,)* }))]
}

fn credential_row(scope: &Scope<'_>, scheme: &Scheme) -> TokenStream {
    let (name, wire) = (scope.name(&scheme.name), &scheme.name.wire);
    match &scheme.kind {
        SchemeKind::Basic => quote!(#name: basic #wire),
        SchemeKind::Bearer => quote!(#name: bearer #wire),
        SchemeKind::Transport => quote!(#name: transport #wire),
        SchemeKind::Http(word) => quote!(#name: http #wire #word),
        SchemeKind::Header(header) => quote!(#name: header #wire #header),
        SchemeKind::Query(parameter) => quote!(#name: query #wire #parameter),
        SchemeKind::Cookie(cookie) => quote!(#name: cookie #wire #cookie),
    }
}
