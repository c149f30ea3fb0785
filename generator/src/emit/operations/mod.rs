//! Operations: for each, its request, its table, its responses and its errors.

mod content;
mod error_paths;
mod naming;
mod parts;
mod request;
mod responses;
pub(super) use error_paths::steps;
mod words;

use super::context::Context;
use super::docs::{Text, code};
use super::output::{OutputModule, module};
use super::scope::{Place, Scope};
use super::types;
use crate::ir::{Condition, ErrorSet, Module, Operation, Parent, Tag, TypeDef, condition};
use proc_macro2::Ident;
use syn::{Attribute, Item, parse_quote};

pub(super) use content::shared as shared_contents;
pub(super) use naming::{call_of, error_type, type_name, type_names};
pub(super) use responses::{error_set, header_sets, label, names_of_set, returned_type, short};
pub(super) use words::place_word;

/// Returns `operations`, whose root has what both ends share, and a module for each tag.
pub(super) fn emit(
    cx: &Context<'_>,
    shared: impl Fn(&Scope<'_>) -> Option<Item>,
) -> Vec<OutputModule> {
    let mut modules = vec![root(cx, shared)];
    modules.extend(errors(cx));
    for (index, tag) in cx.api.tags.iter().enumerate() {
        modules.push(of_tag(cx, index, tag));
    }
    modules
}

fn root(cx: &Context<'_>, shared: impl Fn(&Scope<'_>) -> Option<Item>) -> OutputModule {
    let tags = cx.api.tags.iter().enumerate();
    let tags = tags.map(|(index, tag)| (cx.name(&tag.name), of_module(cx, index)));
    let mut names: Vec<(Ident, Option<Attribute>)> = tags.collect();
    if cx.api.error_sets.iter().any(|set| !set.of_webhooks) {
        names.push((cx.ident("errors"), None));
    }
    names.sort_by(|(left, _), (right, _)| left.cmp(right));
    let items = names
        .into_iter()
        .map(|(name, cfg)| parse_quote!(#cfg pub use #name::*;));
    let scope = Scope::new(cx, Place::Operations, std::iter::empty());
    let items = items.chain(shared(&scope)).collect();
    let docs = Text::line("Requests and responses of the operations, by tag.");
    module(&scope, &["operations"], docs, items)
}

/// Returns the features of the module of a tag.
fn of_module(cx: &Context<'_>, tag: usize) -> Option<Attribute> {
    let condition = condition(&cx.api.conditions.modules, tag);
    cx.cfg(condition, &Condition::new())
}

/// Returns `operations::errors`: the types of errors that operations share.
fn errors(cx: &Context<'_>) -> Option<OutputModule> {
    let sets = shared_errors(cx, false);
    if sets.is_empty() {
        return None;
    }
    let scope = Scope::new(
        cx,
        Place::Errors,
        sets.iter()
            .flat_map(|(_, set)| responses::names_of_set(set)),
    );
    let items = sets
        .into_iter()
        .flat_map(|set| responses::error_set(&scope, set));
    let items = items.collect();
    let docs = Text::line("Documented errors, each for all operations that document it.");
    Some(module(&scope, &["operations", "errors"], docs, items))
}

/// Returns the shared errors of operations or of webhooks, with their indices, by name.
pub(super) fn shared_errors<'a>(cx: &Context<'a>, of_webhooks: bool) -> Vec<(usize, &'a ErrorSet)> {
    let sets = cx
        .api
        .error_sets
        .iter()
        .enumerate()
        .filter(|(_, set)| set.of_webhooks == of_webhooks);
    let mut sets: Vec<(usize, &ErrorSet)> = sets.collect();
    sets.sort_by(|(_, set), (_, other)| set.name.rust.cmp(&other.name.rust));
    sets
}

fn of_tag(cx: &Context<'_>, index: usize, tag: &Tag) -> OutputModule {
    let place = Module::Tag(index);
    let owned = |operation: &&Operation| operation.tag == Some(index);
    let operations = || cx.api.operations.iter().filter(owned);
    let scope = Scope::new(cx, Place::Of(place), operations().flat_map(type_names));
    let conditions = &cx.api.conditions;
    let around = condition(&conditions.modules, index);
    let mut items = Vec::new();
    for (at, operation) in cx
        .api
        .operations
        .iter()
        .enumerate()
        .filter(|(_, op)| owned(op))
    {
        let of_operation = operation_items(&scope, operation);
        items.extend(cx.behind(&conditions.operations, at, around, of_operation));
        items.extend(types_of(&scope, place, Some((at, false)), around));
    }
    items.extend(types_of(&scope, place, None, around));
    let docs = Text::labelled(&code(&tag.name.wire), &tag.doc);
    let mut module = module(&scope, &["operations", &tag.name.rust], docs, items);
    module.attrs.extend(of_module(cx, index));
    module
}

/// Returns the inline types of one operation, or those without an operation.
pub(super) fn types_of(
    scope: &Scope<'_>,
    place: Module,
    owner: Option<(usize, bool)>,
    around: &Condition,
) -> Vec<Item> {
    let api = scope.cx.api;
    let types = api
        .types
        .iter()
        .enumerate()
        .filter(|(_, def)| def.module == place && owner_of(scope, def) == owner);
    types
        .flat_map(|(index, def)| types::conditional(scope, index, def, around))
        .collect()
}

/// Returns the operation that owns an inline type, directly or through its parent types.
fn owner_of(scope: &Scope<'_>, def: &TypeDef) -> Option<(usize, bool)> {
    let mut parent = def.parent.as_ref();
    for _ in 0..scope.cx.api.types.len() {
        match parent? {
            Parent::Operation(index, webhook) => return Some((*index, *webhook)),
            Parent::Reusable | Parent::Shared(_) => return None,
            Parent::Type(id) => parent = scope.cx.api.type_def(*id).parent.as_ref(),
        }
    }
    None
}

/// Returns the items of one operation, without its inline types.
pub(super) fn operation_items(scope: &Scope<'_>, operation: &Operation) -> Vec<Item> {
    let mut items = request::emit(scope, operation);
    items.extend(responses::success(scope, operation));
    items.extend(responses::error(scope, operation));
    items
}
