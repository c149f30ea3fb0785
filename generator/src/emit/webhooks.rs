//! The module `webhooks`: payloads by kind, and the receiver.

use super::context::Context;
use super::docs::{Text, code};
use super::operations;
use super::output::{OutputModule, module};
use super::scope::{Place, Scope};
use super::server::{Methods, handler};
use super::syntax::{id, table};
use super::tasks::{self, expression_of};
use super::webhook_rules;
use crate::ir::{Condition, Module, Operation, UrlPart, condition};
use crate::names::constant;
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Item, parse_quote};

/// Returns the module `webhooks`.
pub(super) fn emit(cx: &Context<'_>) -> OutputModule {
    let webhooks = &cx.api.webhooks;
    let own = [
        "WebhookKind",
        "WebhookHandler",
        "DELIVERY",
        "SIGNING",
        "SUBSCRIPTION",
    ];
    let own = own.map(str::to_owned);
    let sets = operations::shared_errors(cx, true);
    let shared = sets
        .iter()
        .flat_map(|(_, set)| operations::names_of_set(set));
    let names = webhooks
        .iter()
        .flat_map(operations::type_names)
        .chain(own)
        .chain(shared);
    let scope = Scope::new(cx, Place::Of(Module::Webhooks), names);
    let mut items = kinds(&scope);
    items.extend(webhook_rules::emit(&scope));
    let (conditions, always) = (&cx.api.conditions.webhooks, Condition::new());
    for (index, webhook) in webhooks.iter().enumerate() {
        let mut own = operations::operation_items(&scope, webhook);
        own.extend(callback_url(&scope, webhook));
        items.extend(cx.behind(conditions, index, &always, own));
        let owner = Some((index, true));
        items.extend(operations::types_of(
            &scope,
            Module::Webhooks,
            owner,
            &always,
        ));
    }
    items.extend(
        sets.into_iter()
            .flat_map(|set| operations::error_set(&scope, set)),
    );
    items.extend(operations::types_of(
        &scope,
        Module::Webhooks,
        None,
        &always,
    ));
    let docs = Text::line(
        "Handles webhooks, with a method for each kind. A kind whose method is not implemented is left to \
         the router's hook (`WebhookRouter::unhandled`).",
    );
    items.push(handler(
        &scope,
        &id("WebhookHandler"),
        (docs, None),
        of_webhooks(cx),
        Methods::Optional,
    ));
    items.extend(router(&scope));
    items.extend(tasks::inbox(&scope));
    module(
        &scope,
        &["webhooks"],
        Text::line("Webhooks: payloads by kind, and the receiver."),
        items,
    )
    .needs("webhooks")
    .requires(&["server"])
}

/// Returns the webhooks, each with its features.
fn of_webhooks<'a>(
    cx: &'a Context<'_>,
) -> impl Iterator<Item = (&'a Operation, Option<Attribute>)> {
    let webhooks = cx.api.webhooks.iter().enumerate();
    webhooks.map(|(index, webhook)| {
        let kept_in = condition(&cx.api.conditions.webhooks, index);
        (webhook, cx.cfg(kept_in, &Condition::new()))
    })
}

/// Returns `{name}_URL`: the URL of a callback.
fn callback_url(scope: &Scope<'_>, webhook: &Operation) -> Option<Item> {
    let callback = webhook.webhook.as_ref()?.callback.as_ref()?;
    let owner = &scope.cx.api.operations[callback.operation];
    let request = scope.request_of(owner);
    let name = constant(&webhook.name.rust);
    let name = scope.cx.ident(&format!("{name}_URL"));
    let [url, part] = ["CallbackUrl", "UrlPart"].map(|name| scope.runtime_in("webhook", name));
    let parts = callback.url.iter().map(|url_part| match url_part {
        UrlPart::Text(text) => quote!(#part::Text(#text)),
        UrlPart::Value(value) => {
            let value = expression_of(&scope.runtime("Expression"), value);
            quote!(#part::Value(#value))
        }
    });
    let docs = format!(
        "The URL of {}, which calls of {} give.",
        code(&webhook.name.wire),
        code(&owner.name.wire),
    );
    let docs = Text::line(docs).attrs();
    Some(parse_quote!(#(#docs)* pub const #name: #url<#request> = #url::new(&[#(#parts),*]);))
}

/// Returns `fn router` and its table: a row for each kind.
fn router(scope: &Scope<'_>) -> Vec<Item> {
    let router = scope.runtime_in("webhook", "WebhookRouter");
    let rows = of_webhooks(scope.cx).map(|(kind, cfg)| row(scope, kind, cfg));
    vec![
        parse_quote! {
            /// Returns a `tower::Service` that receives webhooks and calls `handler`: each kind at its
            /// own path, `POST /{kind}`, unless the `WebhookRouter` sets another path.
            ///
            /// The service verifies no signatures: put a `Receiver` in front of it.
            pub fn router<H: WebhookHandler>(handler: H) -> #router<H, WebhookKind> {
                #router::new(handler, kinds::<H>())
            }
        },
        table(
            "webhook_kinds",
            quote!(kinds<H: WebhookHandler, WebhookKind> { #(#rows)* }),
        ),
    ]
}

fn row(scope: &Scope<'_>, kind: &Operation, cfg: Option<Attribute>) -> TokenStream {
    let variant = scope.cx.ident(&kind.base);
    let (method, handler) = (&kind.method, scope.name(&kind.name));
    let webhook = kind.webhook.as_ref();
    let path = webhook.map_or("", |webhook| webhook.path.as_str());
    let values = webhook.iter().flat_map(|webhook| &webhook.values);
    let values: Vec<_> = values
        .map(|(pointer, value)| quote!(#pointer: #value))
        .collect();
    let values = (!values.is_empty()).then(|| quote!({ #(#values),* }));
    quote!(#cfg #variant #method #path => #handler #values,)
}

/// Returns the enum `WebhookKind` and its impls.
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
        #[derive(Debug, Clone, Copy, PartialEq, Hash)]
        #[non_exhaustive]
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
