//! `webhooks`: payloads by kind, and the receiver.

use super::context::Context;
use super::docs::{Text, code};
use super::operations;
use super::output::{OutputModule, module};
use super::routes;
use super::scope::{Place, Scope};
use super::server::{faults, handler, router};
use super::syntax::{id, table};
use super::webhook_rules;
use crate::ir::Module;
use quote::quote;
use syn::{Item, parse_quote};

/// The module `webhooks`.
pub(super) fn emit(cx: &Context<'_>) -> OutputModule {
    let webhooks = &cx.api.webhooks;
    let own = [
        "WebhookKind",
        "WebhookHandler",
        "FAULTS",
        "DELIVERY",
        "SIGNING",
        "SUBSCRIPTION",
    ];
    let own = own.map(str::to_owned);
    let names = webhooks.iter().flat_map(operations::type_names).chain(own);
    let scope = Scope::new(cx, Place::Of(Module::Webhooks), names);
    let mut items = kinds(&scope);
    items.extend(webhook_rules::emit(&scope));
    for (index, webhook) in webhooks.iter().enumerate() {
        items.extend(operations::one(&scope, webhook));
        items.extend(operations::types_of(
            &scope,
            Module::Webhooks,
            Some((index, true)),
        ));
    }
    items.extend(operations::types_of(&scope, Module::Webhooks, None));
    let docs = Text::line("Handles webhooks: a method for each kind.");
    items.push(handler(
        &scope,
        &id("WebhookHandler"),
        docs,
        webhooks.iter(),
    ));
    items.extend(router(&scope, &id("H"), &id("WebhookHandler"), "handler"));
    let routes = routes::of_webhooks(&scope, webhooks);
    items.extend(routes::find(
        &scope,
        &id("H"),
        &id("WebhookHandler"),
        &routes,
    ));
    items.push(faults(&scope));
    module(
        &scope,
        &["webhooks"],
        Text::line("Webhooks: payloads by kind, and the receiver."),
        items,
    )
    .needs("webhooks")
}

/// `WebhookKind`
fn kinds(scope: &Scope<'_>) -> Vec<Item> {
    let kinds = scope.cx.api.webhooks.iter().map(|webhook| {
        let attrs = Text::line(code(&webhook.name.wire)).attrs();
        (
            attrs,
            scope.cx.ident(&webhook.base),
            webhook.name.wire.as_str(),
        )
    });
    let kinds: Vec<_> = kinds.collect();
    let variants = kinds
        .iter()
        .map(|(attrs, name, _)| quote!(#(#attrs)* #name));
    let definition = parse_quote! {
        /// The kinds of webhooks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum WebhookKind {
            #(#variants),*
        }
    };
    let name = id("WebhookKind");
    let rows = kinds
        .iter()
        .map(|(_, variant, wire)| quote!(#variant => #wire,));
    vec![
        definition,
        table("string_enum", quote!(#name { #(#rows)* })),
    ]
}
