//! `DELIVERY`, `SIGNING` and `SUBSCRIPTION`: the document's rules for all its webhooks.

use super::scope::Scope;
use crate::ir::{
    DeliveryRules, KeySigning, Operation, SigningRules, SubscriptionRules, TokenSigning,
};
use proc_macro2::{Literal, TokenStream};
use quote::quote;
use syn::{Expr, Item, parse_quote};

/// Returns the constants for what the document states.
pub(super) fn emit(scope: &Scope<'_>) -> Vec<Item> {
    let api = scope.cx.api;
    let rules = &api.webhook_rules;
    let mut items = Vec::new();
    items.extend(rules.delivery.as_ref().map(|rules| delivery(scope, rules)));
    items.extend(rules.signing.as_ref().map(|rules| signing(scope, rules)));
    // The URL of a callback is part of a call, so a callback has no subscription.
    let is_callback = |operation: &&Operation| {
        operation
            .webhook
            .as_ref()
            .is_some_and(|webhook| webhook.callback.is_some())
    };
    let kinds = api.webhooks.iter().filter(|webhook| !is_callback(webhook));
    let kinds: Vec<&str> = kinds.map(|webhook| webhook.name.wire.as_str()).collect();
    let is_empty = rules.subscription == SubscriptionRules::default();
    if !kinds.is_empty() && !is_empty {
        items.push(subscription(scope, &kinds, &rules.subscription));
    }
    items
}

fn number(number: impl Into<u64>) -> Literal {
    Literal::u64_unsuffixed(number.into())
}

fn delivery(scope: &Scope<'_>, rules: &DeliveryRules) -> Item {
    let name = scope.runtime("DeliveryRules");
    let seconds = |seconds: u64| {
        let seconds = number(seconds);
        quote!(std::time::Duration::from_secs(#seconds))
    };
    let (timeout, retries) = (seconds(rules.timeout_seconds), number(rules.max_retries));
    let statuses = rules.retry_statuses.iter().map(|status| number(*status));
    let mut value: Expr = parse_quote!(#name::new(#timeout, #retries, &[#(#statuses),*]));
    if let Some(ranges) = &rules.success_statuses {
        let ranges = ranges.iter().map(|(first, last)| {
            let [first, last] = [first, last].map(|status| number(*status));
            quote!(#first..=#last)
        });
        value = parse_quote!(#value.success_statuses(&[#(#ranges),*]));
    }
    if let Some(base) = rules.backoff_base.map(seconds) {
        value = parse_quote!(#value.backoff_base(#base));
    }
    if let Some(cap) = rules.backoff_cap.map(seconds) {
        value = parse_quote!(#value.backoff_cap(#cap));
    }
    if rules.retry_on != (true, true) {
        let (timeout, broken) = rules.retry_on;
        value = parse_quote!(#value.retry_on(#timeout, #broken));
    }
    parse_quote! {
        /// How webhooks are delivered.
        pub const DELIVERY: #name = #value;
    }
}

fn signing(scope: &Scope<'_>, rules: &SigningRules) -> Item {
    let name = scope.runtime("SigningRules");
    let mut value: Expr = parse_quote!(#name::new());
    if let Some(token) = &rules.token {
        let token = token_signing(scope, token);
        value = parse_quote!(#value.token(#token));
    }
    if let Some(key) = &rules.key {
        let key = key_signing(scope, key);
        value = parse_quote!(#value.key(#key));
    }
    parse_quote! {
        /// How webhooks are signed.
        pub const SIGNING: #name = #value;
    }
}

fn token_signing(scope: &Scope<'_>, rules: &TokenSigning) -> Expr {
    let (name, header) = (scope.runtime("TokenSigning"), &rules.header);
    let mut value: Expr = parse_quote!(#name::new(#header));
    if let Some(length) = rules.longer_than.map(number) {
        value = parse_quote!(#value.longer_than(#length));
    }
    value
}

fn key_signing(scope: &Scope<'_>, rules: &KeySigning) -> Expr {
    let name = scope.runtime("KeySigning");
    let (header, id) = (&rules.header, &rules.key_id_header);
    let mut value: Expr = parse_quote!(#name::new(#header, #id));
    if let Some(algorithm) = &rules.algorithm {
        value = parse_quote!(#value.algorithm(#algorithm));
    }
    if let Some(url) = &rules.public_keys {
        value = parse_quote!(#value.public_keys(#url));
    }
    value
}

fn subscription(scope: &Scope<'_>, kinds: &[&str], rules: &SubscriptionRules) -> Item {
    let name = scope.runtime("SubscriptionRules");
    let mut value: Expr = parse_quote!(#name::new(&[#(#kinds),*]));
    if !rules.required.is_empty() || !rules.optional.is_empty() {
        let (required, optional) = (&rules.required, &rules.optional);
        value = parse_quote!(#value.attributes(&[#(#required),*], &[#(#optional),*]));
    }
    if rules.public_url {
        value = parse_quote!(#value.public_url());
    }
    if let Some(length) = rules.token_longer_than.map(number) {
        value = parse_quote!(#value.token_longer_than(#length));
    }
    if let Some(active) = rules.active {
        value = parse_quote!(#value.active(#active));
    }
    if !rules.transitions.is_empty() {
        let transition = scope.runtime("Transition");
        let rows = rules.transitions.iter().map(|(from, trigger, to)| {
            let from = option(from.as_deref());
            quote!(#transition::new(#from, #trigger, #to))
        });
        value = parse_quote!(#value.transitions(&[#(#rows),*]));
    }
    if !rules.products.is_empty() {
        let rows = rules.products.iter();
        let rows = rows.map(|(product, kinds)| quote!((#product, &[#(#kinds),*])));
        value = parse_quote!(#value.products(&[#(#rows),*]));
    }
    parse_quote! {
        /// How webhooks are subscribed to.
        pub const SUBSCRIPTION: #name = #value;
    }
}

fn option(text: Option<&str>) -> TokenStream {
    match text {
        Some(text) => quote!(Some(#text)),
        None => quote!(None),
    }
}
