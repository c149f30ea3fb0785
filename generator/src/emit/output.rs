//! The modules of the output.

use super::context::Context;
use super::docs::Text;
use super::scope::Scope;
use super::{operations, types};
use syn::{Attribute, Item};

/// What was emitted: a tree of modules, the root first, parents before children.
#[derive(Clone)]
pub struct Output {
    /// The API's title, on one line.
    pub title: String,
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
    /// Attributes of its `mod` line.
    pub attrs: Vec<Attribute>,
    /// Its items.
    pub items: Vec<Item>,
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
        attrs: Vec::new(),
        items: all,
    }
}

/// All modules.
pub(super) fn assemble(cx: &Context<'_>) -> Output {
    let root = OutputModule {
        path: Vec::new(),
        docs: Text::labelled(&cx.api.title, &cx.api.doc).into_lines(),
        attrs: Vec::new(),
        items: Vec::new(),
    };
    let mut modules = vec![root, types::emit(cx)];
    if !cx.api.operations.is_empty() {
        modules.extend(operations::emit(cx));
    }
    Output {
        title: cx.api.title.clone(),
        modules,
    }
}
