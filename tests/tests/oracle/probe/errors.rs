//! An error of the user, which the errors of all operations are converted into, or which is converted
//! into them.

use std::collections::BTreeSet;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, quote};
use syn::{ImplItem, Item};

use super::Probe;
use super::tokens::ident;
use crate::expanded::{Module, idents, is_operation};

impl<'a> Probe<'a> {
    /// Implements `From` once for each type of errors, and converts the errors of each operation.
    /// Callers convert errors into their own, and implementers convert their own into those.
    pub(super) fn conversions(&mut self) -> TokenStream {
        let own = &self.root.clone();
        let own = quote!(#own::Failure);
        let mut code = quote!(
            pub struct Failure;
        );
        let mut known = BTreeSet::new();
        for (module, error) in self.errors() {
            let ty = type_of(module, &error);
            // `NoError` has no values that another error could become.
            if !self.callers && ty == "NoError" {
                continue;
            }
            let path = self.path(module, &error);
            let (from, to) = match self.callers {
                true => (&path, &own),
                false => (&own, &path),
            };
            if known.insert(ty) {
                code.extend(
                    quote!(impl From<#from> for #to { fn from(_: #from) -> Self { loop {} } }),
                );
            }
            let name = self.name();
            code.extend(quote!(fn #name(value: #from) -> #to { value.into() }));
        }
        code
    }

    /// Returns the names of the errors of all operations.
    fn errors(&self) -> Vec<(&'a Module, Ident)> {
        let modules = self.expanded.modules.iter();
        let found = modules.flat_map(|module| {
            let errors = module.items.iter().filter_map(error_of);
            errors.map(move |error| (module, error))
        });
        found.collect()
    }
}

/// Returns the name of the error of an operation, in its impl.
fn error_of(item: &Item) -> Option<Ident> {
    let Item::Impl(block) = item else { return None };
    let mut types = block.items.iter().filter_map(|item| match item {
        ImplItem::Type(associated) if associated.ident == "Error" => Some(&associated.ty),
        _ => None,
    });
    let error = types.next().filter(|_| is_operation(block))?;
    Some(ident(&idents(error.to_token_stream()).pop()?))
}

/// Returns the type that an error is an alias of, or its own name.
fn type_of(module: &Module, error: &Ident) -> String {
    let target = module.items.iter().find_map(|item| match item {
        Item::Type(alias) if alias.ident == *error => idents(alias.ty.to_token_stream()).pop(),
        _ => None,
    });
    target.unwrap_or_else(|| format!("{} {error}", module.path.join("::")))
}
