//! Links of responses: the constants of the client, the method that follows them, the table of contract tests, and the
//! values that both ends have.

use super::docs::{Text, code};
use super::operations::type_name;
use super::scope::Scope;
use super::syntax::table;
use super::tasks::found_at;
use crate::ir::{Link, LinkedCall, Operation, StatedLink, StatusSpec};
use crate::names::constant;
use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens as _, quote};
use syn::{ImplItem, Item, parse_quote};

/// Returns the constants of the links of an operation.
pub(super) fn constants(scope: &Scope<'_>, operation: &Operation) -> Vec<Item> {
    let links = operation.links.iter();
    links
        .map(|link| constant_of(scope, operation, link))
        .collect()
}

fn constant_of(scope: &Scope<'_>, operation: &Operation, link: &Link) -> Item {
    let target = &scope.cx.api.operations[link.call.operation];
    let [sent, request] =
        [operation, target].map(|operation| type_name(scope.cx, operation, "Request"));
    let name = named(scope, link, "LINK");
    let link_type = scope.runtime_in("client", "Link");
    let values = match is_shared(scope, operation, link) {
        true => named(scope, link, "VALUES").into_token_stream(),
        false => {
            let values = values_of(scope, &link.call);
            quote!(&#values)
        }
    };
    let basis = link.needs_request().then(|| {
        let exchanged = scope.runtime_in("client", "Exchanged");
        quote!(, #exchanged)
    });
    let mut docs = Text::line(format!(
        "The link {} from {} to {}.",
        code(&link.name.wire),
        code(&operation.name.wire),
        code(&target.name.wire),
    ));
    if let Some(text) = &link.doc {
        docs.paragraph(text.clone());
    }
    let docs = docs.attrs();
    parse_quote! {
        #(#docs)*
        pub const #name: #link_type<#sent, #request #basis> = #link_type::new(#values);
    }
}

fn named(scope: &Scope<'_>, link: &Link, what: &str) -> Ident {
    let name = constant(&link.name.rust);
    scope.cx.ident(&format!("{name}_{what}"))
}

/// Returns the parameters of a linked operation with their values: `[("path", "id", …)]`.
fn values_of(scope: &Scope<'_>, call: &LinkedCall) -> TokenStream {
    let rows = call.from.iter().map(|row| found_at(scope, row));
    quote!([#(#rows),*])
}

/// Returns whether the client and the server have a link.
fn is_shared(scope: &Scope<'_>, operation: &Operation, link: &Link) -> bool {
    let parts = scope.cx.options.parts;
    let mut stated = operation.stated_links.iter();
    parts.client && parts.server && stated.any(|stated| is_same(stated, link))
}

fn is_same(stated: &StatedLink, link: &Link) -> bool {
    stated.name == link.name.wire && stated.call == link.call
}

/// Returns `link_values! { … }`: the values of links that both ends have, if there are any.
pub(super) fn shared_values(scope: &Scope<'_>) -> Option<Item> {
    let operations = scope.cx.api.operations.iter();
    let links = operations.flat_map(|operation| {
        let links = operation.links.iter();
        links.filter(|link| is_shared(scope, operation, link))
    });
    let rows = links.map(|link| {
        let (name, values) = (named(scope, link, "VALUES"), values_of(scope, &link.call));
        quote!(#name = #values,)
    });
    let rows: Vec<_> = rows.collect();
    (!rows.is_empty()).then(|| table("link_values", quote!(pub(super) { #(#rows)* })))
}

/// Returns `links! { LINKS { … } }`: the links of successful responses, if there are any.
pub(super) fn stated(scope: &Scope<'_>) -> Option<Item> {
    let operations = &scope.cx.api.operations;
    let links = operations.iter().flat_map(|operation| {
        let links = operation.stated_links.iter();
        links.map(move |link| (operation, link))
    });
    let rows = links.map(|(operation, link)| {
        let from = &operation.name.wire;
        let (name, to) = (&link.name, &operations[link.call.operation].name.wire);
        let statuses = link.statuses.iter().map(|status| match status {
            StatusSpec::Code(code) => code.to_string(),
            StatusSpec::Range(digit) => format!("{digit}XX"),
            StatusSpec::Default => "default".to_owned(),
        });
        let mut followed = operation.links.iter();
        let followed =
            followed.find(|other| is_same(link, other) && is_shared(scope, operation, other));
        let values = match followed {
            Some(followed) => named(scope, followed, "VALUES").into_token_stream(),
            None => values_of(scope, &link.call),
        };
        quote!(#from #(#statuses)|*: #name => #to #values,)
    });
    let rows: Vec<_> = rows.collect();
    (!rows.is_empty()).then(|| table("links", quote!(LINKS { #(#rows)* })))
}

/// Returns the method that follows links.
pub(super) fn method(scope: &Scope<'_>) -> Option<ImplItem> {
    let name = scope.cx.ident(scope.cx.api.follow_method()?);
    let [link, basis, future] =
        ["Link", "LinkBasis", "ResponseFuture"].map(|name| scope.runtime_in("client", name));
    let operation = scope.runtime("Operation");
    Some(parse_quote! {
        /// Calls the operation to which a link of a response leads. The values are those of the
        /// response, or of `(&request, &response)` for links that need the request.
        pub fn #name<S, O, B>(
            &self,
            link: #link<S, O, B>,
            from: B::From<'_>,
        ) -> #future<'_, O::Response, O::Error>
        where
            S: #operation,
            O: #operation + Send + Sync + 'static,
            B: #basis<S>,
        {
            self.core.follow(link, from)
        }
    })
}
