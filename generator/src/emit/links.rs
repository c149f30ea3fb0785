//! Links of responses: the constants of the client, the method that follows them, and the table of contract tests.

use super::docs::{Text, code};
use super::operations::type_name;
use super::scope::Scope;
use super::syntax::table;
use super::tasks::found_at;
use crate::ir::{Link, Operation, StatusSpec};
use crate::names::constant;
use quote::quote;
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
    let [sent, request] = [operation, target].map(|of| type_name(scope.cx, of, "Request"));
    let name = scope
        .cx
        .ident(&format!("{}_LINK", constant(&link.name.rust)));
    let of = scope.runtime_in("client", "Link");
    let rows = link.call.from.iter().map(|row| found_at(scope, row));
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
        pub const #name: #of<#sent, #request #basis> = #of::new(&[#(#rows),*]);
    }
}

/// Returns `links! { LINKS { … } }`: the links of successful responses, if there are any.
pub(super) fn stated(scope: &Scope<'_>) -> Option<Item> {
    let operations = &scope.cx.api.operations;
    let links = operations.iter().flat_map(|operation| {
        let links = operation.stated_links.iter();
        links.map(move |link| (&operation.name.wire, link))
    });
    let rows = links.map(|(from, link)| {
        let (name, to) = (&link.name, &operations[link.call.operation].name.wire);
        let statuses = link.statuses.iter().map(|status| match status {
            StatusSpec::Code(code) => code.to_string(),
            StatusSpec::Range(digit) => format!("{digit}XX"),
            StatusSpec::Default => "default".to_owned(),
        });
        let rows = link.call.from.iter().map(|row| found_at(scope, row));
        quote!(#from #(#statuses)|*: #name => #to [#(#rows),*],)
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
