//! The scope of one output module: relative paths, and imports.

use super::context::Context;
use super::syntax::{generic, id, local, path, path_type, simple_type, static_path, tuple};
use crate::ir::{Module, Name, Operation, Primitive, TypeId, TypeRef};
use proc_macro2::Ident;
use quote::quote;
use std::cell::{Cell, RefCell};
use std::collections::{BTreeSet, HashSet};
use syn::{Item, Path, Type, parse_quote};

/// The module that is being emitted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// A module that defines types of the intermediate representation.
    Of(Module),
    /// `operations`.
    Operations,
    /// `operations::errors`.
    Errors,
    /// `client` or `server`.
    End,
    /// `examples`.
    Examples,
}

/// A module that is being emitted.
pub(super) struct Scope<'a> {
    pub(super) cx: &'a Context<'a>,
    place: Place,
    defined: HashSet<String>,
    runtime: RefCell<BTreeSet<(&'static str, &'static str)>>,
    types: Cell<bool>,
    /// The types of `std::net` that are imported.
    addresses: RefCell<BTreeSet<&'static str>>,
    errors: Cell<bool>,
}

impl<'a> Scope<'a> {
    /// Creates the scope of a module that defines `names` in addition to the types that the
    /// intermediate representation assigns to the module.
    pub(super) fn new(
        cx: &'a Context<'a>,
        place: Place,
        names: impl IntoIterator<Item = String>,
    ) -> Self {
        let mut defined: HashSet<String> = names.into_iter().collect();
        if let Place::Of(module) = place {
            let own = cx.api.types.iter().filter(|def| def.module == module);
            defined.extend(own.map(|def| def.name.rust.clone()));
        }
        Self {
            cx,
            place,
            defined,
            runtime: RefCell::default(),
            types: Cell::new(false),
            addresses: RefCell::default(),
            errors: Cell::new(false),
        }
    }

    /// Returns the identifier of a name.
    pub(super) fn name(&self, name: &Name) -> Ident {
        self.cx.name(name)
    }

    /// Returns an item of the runtime's root: imported, or with its full path if the name is taken.
    pub(super) fn runtime(&self, name: &'static str) -> Path {
        self.runtime_in("", name)
    }

    /// Returns an item of a runtime module (`a::b`): imported, or with its full path if the name is
    /// taken.
    pub(super) fn runtime_in(&self, module: &'static str, name: &'static str) -> Path {
        if self.defined.contains(name) {
            return path(of_runtime(module).chain([id(name)]));
        }
        self.runtime.borrow_mut().insert((module, name));
        Path::from(id(name))
    }

    /// Returns the `use` lines for all referenced items, in rustfmt's order.
    pub(super) fn imports(&self) -> Vec<Item> {
        let mut items = Vec::new();
        let is_deep = matches!(self.place, Place::Of(Module::Tag(_)) | Place::Errors);
        if self.types.get() && is_deep {
            items.push(parse_quote!(
                use super::super::types;
            ));
        }
        if self.errors.get() {
            items.push(parse_quote!(
                use super::errors;
            ));
        }
        if self.place == Place::End {
            items.push(parse_quote!(
                use super::operations::*;
            ));
        }
        if self.types.get() && !is_deep {
            items.push(parse_quote!(
                use super::types;
            ));
        }
        let used = self.runtime.borrow();
        let mut modules: Vec<&str> = used.iter().map(|(module, _)| *module).collect();
        modules.dedup();
        let mut lines: Vec<(String, Item)> = modules
            .into_iter()
            .map(|module| import(&used, module))
            .collect();
        lines.sort_by(|(left, _), (right, _)| left.cmp(right));
        items.extend(lines.into_iter().map(|(_, item)| item));
        let addresses = self.addresses.borrow();
        let names: Vec<Ident> = addresses.iter().map(|name| id(name)).collect();
        match names.as_slice() {
            [] => {}
            [name] => items.push(parse_quote!(use std::net::#name;)),
            names => items.push(parse_quote!(use std::net::{#(#names),*};)),
        }
        items
    }

    /// Returns a type of `std::net`: imported, or with its full path if the name is taken.
    fn address(&self, name: &'static str) -> Path {
        if self.defined.contains(name) {
            return static_path(&["std", "net", name]);
        }
        self.addresses.borrow_mut().insert(name);
        Path::from(id(name))
    }

    /// Returns the path of a type from this module.
    pub(super) fn type_path(&self, id_: TypeId) -> Path {
        let def = self.cx.api.type_def(id_);
        let ident = self.name(&def.name);
        if self.place == Place::Of(def.module) {
            return Path::from(ident);
        }
        match def.module {
            Module::Types => self.in_types(&def.name),
            Module::Webhooks => path(self.up().into_iter().chain([id("webhooks"), ident])),
            Module::Tag(tag) => {
                let module = match self.cx.api.tags.get(tag) {
                    Some(tag) => self.name(&tag.name),
                    None => self.cx.ident(""),
                };
                match self.place {
                    Place::Of(Module::Tag(_)) => path([id("super"), module, ident]),
                    _ => path([id("super"), id("operations"), module, ident]),
                }
            }
        }
    }

    /// Returns the path of an item that `types` defines.
    pub(super) fn in_types(&self, name: &Name) -> Path {
        let ident = self.name(name);
        if self.place == Place::Of(Module::Types) {
            return Path::from(ident);
        }
        self.types.set(true);
        path([id("types"), ident])
    }

    /// Returns the path of an operation's request from the module `webhooks`.
    pub(super) fn request_of(&self, operation: &Operation) -> Path {
        let ident = self.cx.ident(&format!("{}Request", operation.base));
        path(self.up().into_iter().chain([id("operations"), ident]))
    }

    /// Returns the path of errors that operations share.
    pub(super) fn error_set(&self, index: usize) -> Path {
        let Some(set) = self.cx.api.error_sets.get(index) else {
            return Path::from(self.cx.ident(""));
        };
        let name = self.name(&set.name);
        match set.of_webhooks {
            true => Path::from(name),
            false => {
                self.errors.set(true);
                path([id("errors"), name])
            }
        }
    }

    /// Returns the `super`s up to the root.
    fn up(&self) -> Vec<Ident> {
        match self.place {
            Place::Of(Module::Tag(_)) | Place::Errors => vec![id("super"), id("super")],
            _ => vec![id("super")],
        }
    }

    /// Returns a reference to a type.
    pub(super) fn ty(&self, ty: &TypeRef) -> Type {
        match ty {
            TypeRef::Named(id) => path_type(self.type_path(*id)),
            TypeRef::Primitive(primitive) => self.primitive(primitive),
            TypeRef::Replaced(replaced) => self.custom(&replaced.path),
            TypeRef::Boxed(inner) => generic(static_path(&["Box"]), [self.ty(inner)]),
            TypeRef::Vec(inner) => generic(static_path(&["Vec"]), [self.ty(inner)]),
            TypeRef::Option(inner) => generic(static_path(&["Option"]), [self.ty(inner)]),
            TypeRef::Map(inner) => generic(self.runtime("Map"), [self.ty(inner)]),
            TypeRef::Nullable(inner) => generic(self.runtime("Nullable"), [self.ty(inner)]),
            TypeRef::JsonText(inner) => generic(self.runtime("JsonText"), [self.ty(inner)]),
            TypeRef::Tuple(items) => tuple(items.iter().map(|item| self.ty(item))),
            TypeRef::Prefix(prefix) => {
                let parts = |items: &[TypeRef]| tuple(items.iter().map(|item| self.ty(item)));
                let rest = match &prefix.rest {
                    Some(rest) => self.ty(rest),
                    None => path_type(self.runtime("NoItem")),
                };
                let arguments = [parts(&prefix.required), parts(&prefix.optional), rest];
                generic(self.runtime("TupleList"), arguments)
            }
        }
    }

    fn primitive(&self, primitive: &Primitive) -> Type {
        match primitive {
            Primitive::Bool => simple_type(id("bool")),
            Primitive::Number(name) => simple_type(id(name)),
            Primitive::String => simple_type(id("String")),
            Primitive::Json => path_type(self.runtime("Json")),
            Primitive::Null => tuple([]),
            Primitive::Uuid => path_type(self.runtime_in("uuid", "Uuid")),
            Primitive::Ipv4 => path_type(self.address("Ipv4Addr")),
            Primitive::Ipv6 => path_type(self.address("Ipv6Addr")),
            Primitive::DateTime => path_type(self.runtime("DateTime")),
            Primitive::Date => path_type(self.runtime_in("jiff::civil", "Date")),
            Primitive::Base64 => path_type(self.runtime("Base64")),
            Primitive::Binary => path_type(self.runtime("Binary")),
            Primitive::Bytes => path_type(self.runtime("Bytes")),
            Primitive::Custom(text) => self.custom(text),
        }
    }

    /// Returns a type from the configuration. The text is parsed, so that the result can only be a
    /// type.
    pub(super) fn custom(&self, text: &str) -> Type {
        match syn::parse_str::<Type>(text) {
            Ok(ty @ (Type::Path(_) | Type::Tuple(_) | Type::Array(_))) => ty,
            _ => {
                self.cx.invalid(text);
                tuple([])
            }
        }
    }
}

/// Returns the `use` line for the used items of a runtime module, and its sort key.
fn import(used: &BTreeSet<(&'static str, &'static str)>, module: &str) -> (String, Item) {
    let names: Vec<&'static str> = used
        .iter()
        .filter(|(owner, _)| *owner == module)
        .map(|(_, name)| *name)
        .collect();
    let key = if let [name] = names.as_slice() {
        name
    } else {
        "{"
    };
    let names: Vec<Ident> = names.iter().map(|name| id(name)).collect();
    let tree = match names.as_slice() {
        [name] => quote!(#name),
        several => quote!({ #(#several),* }),
    };
    let place = of_runtime(module);
    let sorted = match module {
        "" => key.to_owned(),
        module => format!("{module}::{key}"),
    };
    (sorted, parse_quote!(use #(#place::)*#tree;))
}

/// Returns the path of a runtime module (`a::b`), segment by segment.
fn of_runtime(module: &str) -> impl Iterator<Item = Ident> {
    let modules = module.split("::").filter(|name| !name.is_empty());
    ["bothends_runtime"].into_iter().chain(modules).map(local)
}
