//! Which modules the output has.

use super::context::Context;
use super::docs::Text;
use super::needs::Needs;
use super::output::{Output, OutputModule};
use super::{client, operations, server, servers, types, webhooks};
use syn::{Attribute, parse_quote};

/// What clippy is not asked about: how the document's text is laid out, and how large one alternative
/// of the document's is next to the others (a box for it would make every reader write `*`), and of how many parts a type is made. What the document deprecates is
/// still in use here.
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

/// All modules.
pub(super) fn assemble(cx: &Context<'_>) -> Output {
    let needs = Needs::of(cx.api, cx.options);
    let root = OutputModule {
        path: Vec::new(),
        docs: Text::titled(&cx.api.title, &cx.api.doc).into_lines(),
        feature: None,
        attrs: vec![lints()],
        items: Vec::new(),
    };
    let root = root.requires(&needs.type_features());
    let parts = cx.options.parts;
    let mut modules = vec![root, types::emit(cx)];
    if !cx.api.operations.is_empty() {
        modules.extend(operations::emit(cx));
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
    // Tables stand one row a line, which rustfmt would not keep.
    let outer = modules.iter_mut().filter(|module| module.path.len() == 1);
    outer.for_each(|module| module.attrs.push(parse_quote!(#[rustfmt::skip])));
    Output { needs, modules }
}
