//! The output of emission: modules of items.

use super::docs::Text;
use super::needs::Needs;
use super::scope::Scope;
use super::syntax::id;
use proc_macro2::Ident;
use syn::{Attribute, Item, parse_quote};

/// The emitted modules: a tree, with the root first and parents before children.
#[derive(Clone)]
pub struct Output {
    /// The needs of the code.
    pub needs: Needs,
    /// The modules.
    pub modules: Vec<OutputModule>,
    /// A test of the user's types, whose paths are valid in every module.
    pub types_test: Option<Item>,
}

/// A module.
#[derive(Clone)]
pub struct OutputModule {
    /// The path from the root as identifiers, some of them raw. Empty for the root.
    pub path: Vec<String>,
    /// The lines of the module's documentation.
    pub docs: Vec<String>,
    /// The features of the generated crate that enable the module. A single file has no features.
    pub features: Vec<&'static str>,
    /// The attributes of the module's `mod` line. For the root, those of the whole output.
    pub attrs: Vec<Attribute>,
    /// The items of the module.
    pub items: Vec<Item>,
}

impl OutputModule {
    /// Returns the same module with a feature of the generated crate that enables it.
    pub(super) fn needs(mut self, feature: &'static str) -> Self {
        self.features.push(feature);
        self
    }

    /// Returns the same module with a check for these features of the runtime at compile time.
    pub(super) fn requires(mut self, features: &[&'static str]) -> Self {
        let is_use = |item: &Item| matches!(item, Item::Use(_));
        let behind_imports = self.items.iter().take_while(|item| is_use(item)).count();
        if !features.is_empty() {
            let features = features.iter().map(|feature| -> Ident { id(feature) });
            let item = parse_quote!(bothends_runtime::requires!(#(#features),*););
            self.items.insert(behind_imports, item);
        }
        self
    }
}

/// Returns a module with its imports first.
pub(super) fn module(
    scope: &Scope<'_>,
    path: &[&str],
    docs: Text,
    items: Vec<Item>,
) -> OutputModule {
    let mut all = scope.imports();
    all.extend(items);
    OutputModule {
        path: path.iter().map(|name| (*name).to_owned()).collect(),
        docs: docs.into_lines(),
        features: Vec::new(),
        attrs: Vec::new(),
        items: all,
    }
}
