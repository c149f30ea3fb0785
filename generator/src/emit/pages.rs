//! Pages of lists: the rows of `pages!`, and the types of the client's methods.

use super::operations::{place_word, steps, type_name};
use super::scope::Scope;
use super::tasks::expression_of;
use crate::ir::{NextPage, Operation, PageParam, Pages};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Expr, Item, parse_quote};

/// Returns the description of the pages of an operation.
pub(super) fn row_of(scope: &Scope<'_>, operation: &Operation) -> Option<Item> {
    let pages = operation.pages.as_ref()?;
    let request = type_name(scope.cx, operation, "Request");
    let next_page = scope.runtime_in("client", "NextPage");
    let next: Expr = match &pages.next {
        NextPage::Values(rows) => {
            let expressions = scope.runtime("Expression");
            let rows = rows.iter().map(|(param, from)| {
                let (place, name) = at(param);
                let from = expression_of(&expressions, from);
                quote!((#place, #name, #from))
            });
            parse_quote!(#next_page::values(&[#(#rows),*]))
        }
        NextPage::Url(from) => {
            let from = expression_of(&scope.runtime("Expression"), from);
            parse_quote!(#next_page::url(#from))
        }
        NextPage::Page(param, first) => {
            let (place, name) = at(param);
            let first = proc_macro2::Literal::u64_unsuffixed(*first);
            parse_quote!(#next_page::page(#place, #name, #first))
        }
        NextPage::Offset(param) => {
            let (place, name) = at(param);
            parse_quote!(#next_page::offset(#place, #name))
        }
    };
    let items = scope.cx.api.items_of(operation).map(|(page, item)| {
        let item = scope.ty(item);
        let path = pages.item_path.as_ref().filter(|path| !path.is_empty());
        let path = path.and_then(|path| steps(scope, page, path));
        let path = path.map(|path| quote!(=> [#path]));
        quote!(items: #item #path,)
    });
    let rows = further_rows(pages);
    Some(parse_quote! {
        bothends_runtime::pages! {
            #request {
                #items
                next: #next,
                #(#rows,)*
            }
        }
    })
}

/// Returns the other rows of the table.
fn further_rows(pages: &Pages) -> Vec<TokenStream> {
    let mut rows = Vec::new();
    if matches!(pages.next, NextPage::Page(..) | NextPage::Offset(_)) {
        let items = pages.items.as_ref().filter(|item| !item.is_empty());
        rows.extend(items.map(|items| quote!(items_at(#items))));
        rows.extend(pages.limit.as_ref().map(|limit| {
            let (place, name) = at(limit);
            quote!(limit(#place, #name))
        }));
        rows.extend(pages.pages.as_ref().map(|page| quote!(pages_at(#page))));
    }
    rows.extend(
        pages
            .has_more
            .as_ref()
            .map(|path| quote!(has_more_at(#path))),
    );
    rows.extend((pages.kept.as_ref()).map(|kept| quote!(keeping(&[#(#kept),*]))));
    rows
}

/// Returns the location and the name of a parameter.
fn at((place, name): &PageParam) -> (&'static str, TokenStream) {
    let place = place.map_or("body", place_word);
    (place, quote!(#name))
}
