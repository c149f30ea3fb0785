//! Types: the definition of each [`TypeDef`], and its table.

mod configured;
mod defaults;
mod derive;
mod enums;
mod head;
mod imported;
mod object;
mod row;
mod unions;

use super::context::Context;
use super::docs::Text;
use super::output::{OutputModule, module};
use super::rules;
use super::scope::{Place, Scope};
use super::syntax::{field, item_alias, item_struct, public, table, tuple_fields};
use crate::ir::{Condition, Imported, Module, TypeDef, TypeKind, TypeRef};
use quote::quote;
use syn::{Item, parse_quote};

pub(crate) use configured::{parse_attribute, parse_derive, parse_module, parse_type};
pub(super) use defaults::default_of;
pub(super) use row::{constructor, deprecated, row, setter};

use head::{docs, head};

/// Returns the module `types`, with the items that `shared` adds: the bodies of several media types
/// and the headers that operations share.
pub(super) fn emit(cx: &Context<'_>, shared: impl FnOnce(&Scope<'_>) -> Vec<Item>) -> OutputModule {
    let contents = cx
        .api
        .contents
        .iter()
        .filter_map(|(_, content)| content.name());
    let headers = cx.api.header_sets.iter().map(|set| &set.name);
    let names = contents.chain(headers).map(|name| name.rust.clone());
    let scope = Scope::new(cx, Place::Of(Module::Types), names);
    let mut items = of_module(&scope, Module::Types);
    items.extend(shared(&scope));
    let own = cx.api.replacing_types();
    let checks = own.iter().map(|path| {
        let ty = scope.custom(path);
        table("replaces_schema", quote!(#ty))
    });
    items.splice(0..0, std::iter::once(form()).chain(checks));
    module(
        &scope,
        &["types"],
        Text::line("Types that the document names."),
        items,
    )
}

/// Returns the check that the runtime supports the format of these tables. The number is that of
/// the runtime's macro.
fn form() -> Item {
    parse_quote!(bothends_runtime::generated_form!(2);)
}

/// Returns the items of all types of a module, in order.
pub(super) fn of_module(scope: &Scope<'_>, module: Module) -> Vec<Item> {
    let types = scope.cx.api.types.iter().enumerate();
    let types = types.filter(|(_, def)| def.module == module);
    let always = Condition::new();
    let types = types.flat_map(|(index, def)| conditional(scope, index, def, &always));
    types.collect()
}

/// Returns the items of one type, given its index and the condition of its module.
pub(super) fn conditional(
    scope: &Scope<'_>,
    index: usize,
    def: &TypeDef,
    around: &Condition,
) -> Vec<Item> {
    let types = &scope.cx.api.conditions.types;
    scope
        .cx
        .behind(types, index, around, definition(scope, def))
}

/// Returns the items of one type.
fn definition(scope: &Scope<'_>, def: &TypeDef) -> Vec<Item> {
    match &def.imported {
        None => {}
        Some(Imported::Within) => return Vec::new(),
        Some(Imported::From(path)) => return imported::emit(scope, def, path),
    }
    match &def.kind {
        TypeKind::Pending => Vec::new(),
        TypeKind::Object(object) => object::emit(scope, def, object),
        TypeKind::StringEnum(string_enum) => enums::strings(scope, def, string_enum),
        TypeKind::LiteralEnum(literal_enum) => enums::literals(scope, def, literal_enum),
        TypeKind::Union(union) => unions::emit(scope, def, union),
        TypeKind::Newtype(inner, display) => newtype(scope, def, inner, *display),
        TypeKind::Alias(ty) => {
            vec![item_alias(docs(def), scope.name(&def.name), scope.ty(ty))]
        }
    }
}

fn newtype(scope: &Scope<'_>, def: &TypeDef, inner: &TypeRef, display: bool) -> Vec<Item> {
    let ident = scope.name(&def.name);
    let ty = scope.ty(inner);
    let attrs = head(def);
    let fields = tuple_fields([field(Vec::new(), public(), None, ty.clone())]);
    let display = display.then(|| quote!(display));
    let rules = rules::clause(&def.rules);
    vec![
        item_struct(attrs, ident.clone(), fields),
        table("newtype", quote!(#ident(#ty) #display #rules)),
    ]
}
