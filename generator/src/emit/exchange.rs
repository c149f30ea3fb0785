//! The module `exchange`: a test in which a client and a server exchange the examples of each operation.

use super::context::Context;
use super::docs::Text;
use super::examples::{function, place, raw, test_only};
use super::operations::type_name;
use super::options::Examples;
use super::output::OutputModule;
use crate::ir::{Condition, Exchange, Operation, condition};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Item, parse_quote};

/// Returns the module, if the test is generated, both ends are, and an operation has examples. A program has the module
/// in any case.
pub(super) fn emit(cx: &Context<'_>) -> Option<OutputModule> {
    let parts = cx.options.parts;
    let calls: Vec<TokenStream> = calls(cx).collect();
    let is_program = cx.options.examples == Examples::Program;
    let is_empty = calls.is_empty() || !parts.client || !parts.server;
    if is_empty && !is_program {
        return None;
    }
    let mut body = quote!(let _ = report;);
    let mut items = Vec::new();
    let unused = (!cx.api.conditions.features.is_empty())
        .then(|| quote!(#[allow(unused_mut, reason = "a feature enables what uses it")]));
    if !is_empty {
        body = quote! {
            #unused
            let mut exchange =
                bothends_runtime::test::Exchange::new(&mut report, |desk| super::server::router(Ends(desk)));
            #(#calls)*
        };
        if is_program {
            body = quote!(let mut report = report; #body);
        }
        items = handlers(cx);
    }
    items.insert(0, function(cx, "both_ends_exchange_the_examples", body));
    let docs = "A test of both ends: a client and a server exchange the examples of the document.";
    let module = OutputModule {
        path: vec!["exchange".to_owned()],
        docs: Text::line(docs).into_lines(),
        features: Vec::new(),
        attrs: test_only(cx).into_iter().collect(),
        items,
    };
    Some(module.needs("client").needs("server").requires(&["test"]))
}

/// Returns the calls of the operations with examples.
fn calls<'c>(cx: &'c Context<'_>) -> impl Iterator<Item = TokenStream> + 'c {
    let operations = cx.api.operations.iter().enumerate();
    operations.filter_map(|(index, operation)| {
        let mut all = cx.api.exchanges.iter();
        let own = all.find(|each| each.operation == operation.origin)?;
        let conditions = &cx.api.conditions.operations;
        let cfg = cx.cfg(condition(conditions, index), &Condition::new());
        let request = request(cx, operation);
        let (requests, responses) = rows(cx, own);
        Some(quote!(#cfg exchange.operation::<#request>(&[#(#requests),*], &[#(#responses),*]);))
    })
}

fn rows(cx: &Context<'_>, exchange: &Exchange) -> (Vec<TokenStream>, Vec<TokenStream>) {
    let requests = exchange.request.iter().map(|(location, part)| {
        let (key, place, value) = (&part.key, place(cx, &part.origin), raw(&part.value));
        quote!((#location, #key, #place, #value))
    });
    let responses = exchange.responses.iter().map(|(status, part)| {
        let status = Literal::u16_unsuffixed(*status);
        let (key, place, value) = (&part.key, place(cx, &part.origin), raw(&part.value));
        quote!((#status, #key, #place, #value))
    });
    (requests.collect(), responses.collect())
}

/// Returns the type whose handlers respond with examples.
fn handlers(cx: &Context<'_>) -> Vec<Item> {
    let mut items: Vec<Item> = vec![parse_quote! {
        /// Handlers that respond with examples.
        struct Ends(bothends_runtime::test::Desk);
    }];
    for (index, tag) in cx.api.tags.iter().enumerate() {
        let around = condition(&cx.api.conditions.tags, index);
        let cfg = cx.cfg(around, &Condition::new());
        let name = cx.ident(&tag.trait_name);
        let methods = cx.operations_of(index, around).map(|(operation, cfg)| {
            let (name, request) = (cx.name(&operation.name), request(cx, operation));
            let operation = quote!(#request as bothends_runtime::Operation);
            quote! {
                #cfg
                async fn #name(
                    &self,
                    _: bothends_runtime::server::Context,
                    request: #request,
                ) -> Result<<#operation>::Response, bothends_runtime::server::Error<<#operation>::Error>> {
                    self.0.respond(request)
                }
            }
        });
        items.push(parse_quote!(#cfg impl super::server::#name for Ends { #(#methods)* }));
    }
    items
}

fn request(cx: &Context<'_>, operation: &Operation) -> TokenStream {
    let name = type_name(cx, operation, "Request");
    quote!(super::operations::#name)
}
