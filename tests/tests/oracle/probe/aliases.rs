//! The aliases of operations: responses, errors that operations share, and their headers.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use syn::{ImplItem, Item};

use super::Probe;
use super::tokens::{ident, response};
use crate::expanded::{Module, Use, idents, trait_name};

impl Probe<'_> {
    pub(super) fn alias(&mut self, module: &Module, item: &syn::ItemType) -> TokenStream {
        let alias = item.ident.to_string();
        let Some(usage) = self.audience(module, &alias) else {
            return TokenStream::new();
        };
        let (path, target) = (self.path(module, &item.ident), &item.ty);
        let exists = self.name();
        let exists = quote!(fn #exists(_: #path) {});
        let text = target.to_token_stream().to_string();
        if text.contains("OperationError") || text == "NoError" {
            return exists;
        }
        if let Some((body, headers)) = response(target) {
            let probes = self.response(&path, &body, &headers, usage);
            return quote!(#exists #probes);
        }
        // The probes of shared errors are in their module.
        if text.starts_with("errors ::") {
            return exists;
        }
        let mut code = TokenStream::new();
        if usage.reads {
            let name = self.name();
            code.extend(quote!(fn #name(value: #path) -> #target { value }));
        }
        if usage.constructs {
            let name = self.name();
            code.extend(quote!(fn #name(value: #target) -> #path { value }));
        }
        code
    }

    fn response(
        &mut self,
        path: &TokenStream,
        body: &TokenStream,
        headers: &TokenStream,
        usage: Use,
    ) -> TokenStream {
        let mut code = TokenStream::new();
        let with_headers = headers.to_string() != "()";
        if usage.reads {
            let (name, other) = (self.name(), self.name());
            code.extend(quote!(fn #name(value: #path) -> #body { value.into_inner() }));
            if with_headers {
                code.extend(
                    quote!(fn #other(value: &#path) -> &#headers { value.documented_headers() }),
                );
            }
        }
        if usage.constructs {
            let (name, other) = (self.name(), self.name());
            if self.has_default(headers) {
                code.extend(quote!(fn #name(body: #body) -> #path { <#path>::new(body) }));
            }
            if with_headers {
                code.extend(quote! {
                    fn #other(body: #body, headers: #headers) -> #path {
                        <#path>::with_headers(body, headers)
                    }
                });
            }
        }
        code
    }

    /// Returns whether headers have a default, in the old code.
    fn has_default(&self, headers: &TokenStream) -> bool {
        let name = idents(headers.clone()).pop().unwrap_or_default();
        // Operations with equal headers have aliases of one struct.
        let items = self
            .expanded
            .modules
            .iter()
            .flat_map(|module| &module.items);
        let mut targets = items.filter_map(|item| match item {
            Item::Type(alias) if alias.ident == name => idents(alias.ty.to_token_stream()).pop(),
            _ => None,
        });
        let name = targets.next().unwrap_or(name);
        let Some((module, _)) = self.expanded.find(&name) else {
            return true;
        };
        let impls = self.expanded.impls(module, &name);
        impls
            .iter()
            .any(|block| trait_name(block).as_deref() == Some("Default"))
    }

    /// Uses the shared errors of a module by the aliases of operations.
    pub(super) fn shared(&mut self, module: &Module) -> TokenStream {
        let mut code = TokenStream::new();
        for other in &self.expanded.modules {
            for item in &other.items {
                let Item::Type(alias) = item else { continue };
                let target = idents(alias.ty.to_token_stream());
                let Some(last) = target.last() else { continue };
                let is_here = |name: &str| {
                    let found = self.expanded.find(name);
                    found
                        .filter(|(at, _)| at.path == module.path)
                        .map(|(_, item)| item)
                };
                let set = match last.as_str() {
                    // `<XError as OperationError>::Headers`
                    "Headers" => self.headers_of(other, target.first()),
                    _ => Some(last.clone()),
                };
                let Some((set, item)) = set.and_then(|set| Some((set.clone(), is_here(&set)?)))
                else {
                    continue;
                };
                let path = self.path(other, &alias.ident);
                let usage = self.expanded.use_of(&set, self.callers);
                let own = self.value(item, &path, usage);
                let impls = self.impls_of(module, &ident(&set), &path, usage);
                code.extend(quote!(#own #impls));
            }
        }
        code
    }

    /// Returns the struct with the headers of an error alias.
    fn headers_of(&self, module: &Module, alias: Option<&String>) -> Option<String> {
        let items = module.items.iter();
        let mut target = items.filter_map(|item| match item {
            Item::Type(declaration) if Some(&declaration.ident.to_string()) == alias => {
                idents(declaration.ty.to_token_stream()).pop()
            }
            _ => None,
        });
        let set = target.next_back()?;
        let (at, _) = self.expanded.find(&set)?;
        let impls = self.expanded.impls(at, &set);
        let error = impls
            .iter()
            .find(|block| trait_name(block).as_deref() == Some("OperationError"))?;
        error.items.iter().find_map(|item| match item {
            ImplItem::Type(associated) if associated.ident == "Headers" => {
                idents(associated.ty.to_token_stream()).pop()
            }
            _ => None,
        })
    }
}
