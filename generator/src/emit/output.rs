//! What is emitted: modules of items.

use super::docs::Text;
use super::needs::Needs;
use super::scope::Scope;
use super::syntax::id;
use proc_macro2::Ident;
use syn::{Attribute, Item, parse_quote};

/// What was emitted: a tree of modules, the root first, parents before children.
#[derive(Clone)]
pub struct Output {
    /// What it needs of other crates.
    pub needs: Needs,
    /// The modules.
    pub modules: Vec<OutputModule>,
}

/// One module.
#[derive(Clone)]
pub struct OutputModule {
    /// Its path from the root as identifiers, maybe raw; empty for the root.
    pub path: Vec<String>,
    /// Lines of its documentation.
    pub docs: Vec<String>,
    /// Feature of the generated crate that turns it on; what is one file has no features.
    pub feature: Option<&'static str>,
    /// Attributes of its `mod` line; of the root, those of the whole.
    pub attrs: Vec<Attribute>,
    /// Its items.
    pub items: Vec<Item>,
}

impl OutputModule {
    /// The same module, behind a feature of the generated crate.
    pub(super) fn needs(self, feature: &'static str) -> Self {
        Self {
            feature: Some(feature),
            ..self
        }
    }

    /// The same module, which does not compile without these features of the runtime.
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

/// A module with its imports first.
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
        feature: None,
        attrs: Vec::new(),
        items: all,
    }
}
