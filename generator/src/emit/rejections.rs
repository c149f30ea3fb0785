//! The module `server::rejections`: error responses of the document, as constants.

use super::context::Context;
use super::docs::{Text, code};
use super::examples::raw;
use super::output::OutputModule;
use crate::ir::{Name, Rejections};
use crate::names;
use proc_macro2::{Ident, Literal};
use syn::{Item, parse_quote};

/// Returns the module, if the document has such responses.
pub(super) fn emit(cx: &Context<'_>) -> Option<OutputModule> {
    let all = &cx.api.rejections;
    if all.is_empty() {
        return None;
    }
    let mut items: Vec<Item> = vec![parse_quote!(
        use bothends_runtime::server::RejectionBody;
    )];
    items.extend(all.iter().flat_map(|each| of_response(cx, each)));
    let docs = "Error responses of the document, for handlers and authenticators to return: for each \
                the examples of its body.";
    Some(OutputModule {
        path: vec!["server".to_owned(), "rejections".to_owned()],
        docs: Text::line(docs).into_lines(),
        features: Vec::new(),
        attrs: Vec::new(),
        items,
    })
}

/// Returns `NOT_FOUND` for a single example, or `pub mod unauthorized` with a constant for each.
fn of_response(cx: &Context<'_>, rejections: &Rejections) -> Vec<Item> {
    let (named, lone): (Vec<_>, Vec<_>) = rejections
        .bodies
        .iter()
        .partition(|(example, _)| !example.wire.is_empty());
    let mut items = Vec::new();
    for (_, body) in lone {
        let docs = format!(
            "{}, with the status {}.",
            code(&rejections.name.wire),
            rejections.status
        );
        items.push(constant(
            &capitals(cx, &rejections.name),
            docs,
            rejections,
            body,
        ));
    }
    if named.is_empty() {
        return items;
    }
    let constants = named.iter().map(|(example, body)| {
        let docs = format!("The example {}.", code(&example.wire));
        constant(&capitals(cx, example), docs, rejections, body)
    });
    let module = cx.name(&rejections.name);
    let docs = format!(
        "{}, with the status {}.",
        code(&rejections.name.wire),
        rejections.status
    );
    let attrs = Text::line(docs).attrs();
    items.push(parse_quote! {
        #(#attrs)*
        pub mod #module {
            use super::RejectionBody;
            #(#constants)*
        }
    });
    items
}

fn constant(name: &Ident, docs: String, rejections: &Rejections, body: &str) -> Item {
    let attrs = Text::line(docs).attrs();
    let status = Literal::u16_unsuffixed(rejections.status);
    let (content_type, body) = (&rejections.content_type, raw(body));
    parse_quote! {
        #(#attrs)*
        pub const #name: RejectionBody = RejectionBody::new(#status, #content_type, #body);
    }
}

fn capitals(cx: &Context<'_>, name: &Name) -> Ident {
    cx.ident(&names::constant(&name.rust))
}
