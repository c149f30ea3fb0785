//! The module `client::servers`: a constant for each server of the document.

use super::context::Context;
use super::docs::Text;
use super::output::OutputModule;
use crate::ir::Server;
use crate::names;
use syn::{Expr, Item, parse_quote};

/// Returns the module, if the servers consist of more than one URL.
pub(super) fn emit(cx: &Context<'_>) -> Option<OutputModule> {
    let servers = &cx.api.servers;
    if servers.is_empty() {
        return None;
    }
    let varies = servers.iter().any(|server| !server.variables.is_empty());
    let mut items: Vec<Item> = vec![match varies {
        true => parse_quote!(
            use bothends_runtime::client::{Server, ServerVariable};
        ),
        false => parse_quote!(
            use bothends_runtime::client::Server;
        ),
    }];
    items.extend(servers.iter().map(|server| constant(cx, server)));
    let docs = "The servers of the document: pass `servers::X.url()` to `Client::new`; \
                `servers::X.variable(name, value)` chooses another value of a variable.";
    Some(OutputModule {
        path: vec!["client".to_owned(), "servers".to_owned()],
        docs: Text::line(docs.to_owned()).into_lines(),
        features: Vec::new(),
        attrs: Vec::new(),
        items,
    })
}

fn constant(cx: &Context<'_>, server: &Server) -> Item {
    let mut text = Text::new(&server.doc);
    text.paragraph(super::docs::code(&server.url));
    let attrs = text.attrs();
    let name = cx.ident(&names::constant(&server.name.rust));
    let url = &server.url;
    let variables = server
        .variables
        .iter()
        .map(|(name, default, values)| -> Expr {
            parse_quote!(ServerVariable::new(#name, #default, &[#(#values),*]))
        });
    parse_quote!(#(#attrs)* pub const #name: Server = Server::new(#url, &[#(#variables),*]);)
}
