//! Types: each [`TypeDef`] becomes its definition and the table that goes with it.

mod defaults;
mod derive;
mod enums;
mod object;
mod unions;

use super::docs::Text;
use super::output::{OutputModule, module};
use super::rules;
use super::scope::{Place, Scope};
use super::syntax::{field, item_alias, item_struct, list_attr, public, table, tuple_fields};
use crate::ir::{Module, Traits, TypeDef, TypeKind, TypeRef};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Attribute, Item};

pub(super) use defaults::default_of;
pub(super) use object::{constructor, row, setter_type};

/// The module `types`.
pub(super) fn emit(cx: &super::Context<'_>) -> OutputModule {
    let contents = cx.api.contents.iter().filter_map(|(_, of)| of.name());
    let names = contents.map(|name| name.rust.clone());
    let scope = Scope::new(cx, Place::Of(Module::Types), names);
    let mut items = of_module(&scope, Module::Types);
    items.extend(super::operations::shared_contents(&scope));
    module(
        &scope,
        &["types"],
        Text::line("Types that the document names."),
        items,
    )
}

/// The items of all types of a module, in order.
pub(super) fn of_module(scope: &Scope<'_>, module: Module) -> Vec<Item> {
    let types = scope.cx.api.types.iter().filter(|def| def.module == module);
    types.flat_map(|def| definition(scope, def)).collect()
}

/// The items of one type.
pub(super) fn definition(scope: &Scope<'_>, def: &TypeDef) -> Vec<Item> {
    match &def.kind {
        TypeKind::Pending => Vec::new(),
        TypeKind::Object(object) => object::emit(scope, def, object),
        TypeKind::StringEnum(of) => enums::strings(scope, def, of),
        TypeKind::LiteralEnum(of) => enums::literals(scope, def, of),
        TypeKind::Union(of) => unions::emit(scope, def, of),
        TypeKind::Newtype(inner, display) => newtype(scope, def, inner, *display),
        TypeKind::Alias(ty) => {
            vec![item_alias(docs(def), scope.name(&def.name), scope.ty(ty))]
        }
    }
}

/// The doc attributes of a type.
fn docs(def: &TypeDef) -> Vec<Attribute> {
    Text::of(&def.doc).pointer(&def.doc).attrs()
}

/// The doc attributes of a type, and its derives.
fn head(def: &TypeDef) -> Vec<Attribute> {
    let mut attrs = docs(def);
    attrs.push(list_attr("derive", derives(def.traits)));
    attrs
}

/// The traits of a derive.
fn derives(of: Traits) -> TokenStream {
    let copy = of.copy.then(|| quote!(Copy,));
    let default = of.default.then(|| quote!(Default,));
    let eq = of.eq.then(|| quote!(, Eq));
    let ord = of.ord.then(|| quote!(, PartialOrd, Ord));
    let hash = of.hash.then(|| quote!(, Hash));
    quote!(Debug, Clone, #copy #default PartialEq #eq #ord #hash)
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
