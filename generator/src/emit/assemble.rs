//! The modules of the output.

use super::context::Context;
use super::docs::Text;
use super::needs::Needs;
use super::output::{Output, OutputModule};
use super::scope::{Place, Scope};
use super::{
    client, examples, exchange, links, operations, samples, server, servers, types, webhooks,
};
use crate::ir::Module;
use syn::{Attribute, Item, parse_quote};

/// Returns the `allow` attribute of generated modules: lints of clippy about the layout of the
/// document's text, about the size of one alternative compared with the others (a box would make
/// every reader write `*`), and about the complexity of a type. Deprecated items of the document
/// are still used in the generated code.
fn lints() -> Attribute {
    parse_quote! {
        #[allow(
            clippy::doc_lazy_continuation,
            clippy::doc_overindented_list_items,
            clippy::large_enum_variant,
            clippy::type_complexity,
            deprecated,
            reason = "as the document has it"
        )]
    }
}

/// Returns the `allow` attribute for imports that only items behind features use.
fn unused(cx: &Context<'_>) -> Option<Attribute> {
    (!cx.api.conditions.features.is_empty()).then(|| {
        parse_quote! {
            #[allow(unused_imports, reason = "a feature enables what uses them")]
        }
    })
}

/// Returns the items of `types` that belong to operations.
fn shared_items(scope: &Scope<'_>) -> Vec<Item> {
    let mut items = operations::shared_contents(scope);
    items.extend(operations::header_sets(scope));
    items
}

/// Returns all modules.
pub(super) fn assemble(cx: &Context<'_>) -> Output {
    let needs = Needs::new(cx.api, cx.options);
    let root = OutputModule {
        path: Vec::new(),
        docs: Text::titled(&cx.api.title, &cx.api.doc).into_lines(),
        features: Vec::new(),
        attrs: [lints()].into_iter().chain(unused(cx)).collect(),
        items: Vec::new(),
    };
    let root = root.requires(&needs.type_features());
    let parts = cx.options.parts;
    let mut modules = vec![root, types::emit(cx, shared_items)];
    if !cx.api.operations.is_empty() {
        modules.extend(operations::emit(cx, links::shared_values));
        if parts.client {
            modules.push(client::emit(cx));
            modules.extend(servers::emit(cx));
        }
        if parts.server {
            modules.extend(server::emit(cx));
        }
    }
    if parts.webhooks && !cx.api.webhooks.is_empty() {
        modules.push(webhooks::emit(cx));
    }
    modules.extend(examples::emit(cx));
    modules.extend(exchange::emit(cx));
    let scope = Scope::new(cx, Place::Of(Module::Types), std::iter::empty());
    let types_test = samples::test(cx, &scope);
    Output {
        needs,
        modules,
        types_test,
    }
}
