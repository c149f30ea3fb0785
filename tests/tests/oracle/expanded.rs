//! The items of a generated module after the expansion of macros, by module.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use syn::{Ident, Item, ItemImpl, Type};

/// A module of generated code.
pub(crate) struct Module {
    /// The path below the root, such as `operations::default`.
    pub(crate) path: Vec<String>,
    pub(crate) items: Vec<Item>,
}

/// The expanded code of a document.
pub(crate) struct Expanded {
    pub(crate) modules: Vec<Module>,
    /// The names of items that travel in requests, and in responses.
    pub(crate) requests: BTreeSet<String>,
    pub(crate) responses: BTreeSet<String>,
    /// The names of structs of required values, each with that of the value created from it.
    inits: BTreeMap<String, String>,
}

/// What code does with the values of an item.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Use {
    pub(crate) constructs: bool,
    pub(crate) reads: bool,
}

impl Expanded {
    /// Collects the items below a module.
    pub(crate) fn new(items: Vec<Item>) -> Self {
        let mut modules = Vec::new();
        collect(Vec::new(), items, &mut modules);
        let mut expanded = Self {
            modules,
            requests: BTreeSet::new(),
            responses: BTreeSet::new(),
            inits: BTreeMap::new(),
        };
        expanded.travel();
        expanded
    }

    /// Returns how callers, or implementers, use the values of an item: callers construct requests
    /// and read responses. Both do everything with an item that no message contains.
    pub(crate) fn use_of(&self, name: &str, callers: bool) -> Use {
        if let Some(created) = self.inits.get(name) {
            let reads = false;
            return Use {
                reads,
                ..self.use_of(created, callers)
            };
        }
        let (request, response) = (self.requests.contains(name), self.responses.contains(name));
        match (request, response) {
            (false, false) => Use {
                constructs: true,
                reads: true,
            },
            _ if callers => Use {
                constructs: request,
                reads: response,
            },
            _ => Use {
                constructs: response,
                reads: request,
            },
        }
    }

    /// Returns the module and the item with a name that is an enum or a struct.
    pub(crate) fn find(&self, name: &str) -> Option<(&Module, &Item)> {
        self.modules.iter().find_map(|module| {
            let item = module.items.iter().find(|item| match item {
                Item::Struct(definition) => definition.ident == name,
                Item::Enum(definition) => definition.ident == name,
                _ => false,
            });
            item.map(|item| (module, item))
        })
    }

    /// Returns the impls of a type without generic parameters.
    pub(crate) fn impls<'m>(&self, module: &'m Module, name: &str) -> Vec<&'m ItemImpl> {
        let all = module.items.iter().filter_map(|item| match item {
            Item::Impl(block) => Some(block),
            _ => None,
        });
        all.filter(|block| self_name(block).is_some_and(|ident| ident == name))
            .collect()
    }

    /// Finds the items that messages contain: from the requests and from the aliases of responses,
    /// by the names that they mention.
    fn travel(&mut self) {
        let mut mentions: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        let (mut requests, mut responses) = (Vec::new(), Vec::new());
        for item in self.modules.iter().flat_map(|module| &module.items) {
            let (name, tokens) = match item {
                Item::Struct(definition) => (
                    definition.ident.to_string(),
                    definition.fields.to_token_stream(),
                ),
                Item::Enum(definition) => (
                    definition.ident.to_string(),
                    definition.variants.to_token_stream(),
                ),
                Item::Type(alias) => (alias.ident.to_string(), alias.ty.to_token_stream()),
                Item::Impl(block) if trait_name(block).as_deref() == Some("From") => {
                    let name = self_name(block)
                        .map(ToString::to_string)
                        .unwrap_or_default();
                    let from = block
                        .trait_
                        .as_ref()
                        .map(|(path, _)| path.to_token_stream());
                    let init = format!("{name}Init");
                    if idents(from.unwrap_or_default()).contains(&init) {
                        self.inits.insert(init, name);
                    }
                    continue;
                }
                Item::Impl(block) if is_operation(block) => {
                    requests.extend(self_name(block).map(ToString::to_string));
                    for item in &block.items {
                        if let syn::ImplItem::Type(associated) = item {
                            responses.extend(idents(associated.ty.to_token_stream()));
                        }
                    }
                    continue;
                }
                // The headers of errors are named by the trait of the error.
                Item::Impl(block) if trait_name(block).as_deref() == Some("OperationError") => {
                    let name = self_name(block).map(ToString::to_string);
                    let types = block.items.iter().filter_map(|item| match item {
                        syn::ImplItem::Type(associated) => Some(associated.ty.to_token_stream()),
                        _ => None,
                    });
                    (name.unwrap_or_default(), types.collect())
                }
                _ => continue,
            };
            mentions.entry(name).or_default().extend(idents(tokens));
        }
        let reach = |start: Vec<String>| -> BTreeSet<String> {
            let (mut open, mut seen) = (start, BTreeSet::new());
            while let Some(name) = open.pop() {
                if let Some(next) = mentions.get(&name)
                    && seen.insert(name)
                {
                    open.extend(next.iter().cloned());
                }
            }
            seen
        };
        self.requests = reach(requests);
        self.responses = reach(responses);
    }
}

fn collect(path: Vec<String>, items: Vec<Item>, modules: &mut Vec<Module>) {
    let mut own = Vec::new();
    for item in items {
        match item {
            Item::Mod(module) if is_public(&module.vis) => {
                let mut path = path.clone();
                path.push(module.ident.to_string());
                let items = module.content.map(|(_, items)| items);
                collect(path, items.unwrap_or_default(), modules);
            }
            other => own.push(other),
        }
    }
    modules.push(Module { path, items: own });
}

/// Returns whether an item can be used outside of the crate.
pub(crate) const fn is_public(vis: &syn::Visibility) -> bool {
    matches!(vis, syn::Visibility::Public(_))
}

/// Returns the last segment of the type of an impl, unless the type is a parameter of the impl.
pub(crate) fn self_name(block: &ItemImpl) -> Option<&Ident> {
    let Type::Path(path) = &*block.self_ty else {
        return None;
    };
    let ident = &path.path.segments.last()?.ident;
    let is_parameter = block
        .generics
        .type_params()
        .any(|parameter| parameter.ident == *ident);
    (!is_parameter).then_some(ident)
}

/// Returns the last segment of the trait of an impl.
pub(crate) fn trait_name(block: &ItemImpl) -> Option<String> {
    let (path, _) = block.trait_.as_ref()?;
    path.segments
        .last()
        .map(|segment| segment.ident.to_string())
}

/// Returns whether an impl is that of the request of an operation.
pub(crate) fn is_operation(block: &ItemImpl) -> bool {
    trait_name(block).as_deref() == Some("Operation")
}

/// Returns all identifiers in a piece of code.
pub(crate) fn idents(tokens: TokenStream) -> Vec<String> {
    let mut found = Vec::new();
    for token in tokens {
        match token {
            TokenTree::Ident(ident) => found.push(ident.to_string()),
            TokenTree::Group(group) => found.extend(idents(group.stream())),
            _ => {}
        }
    }
    found
}
