//! A probe: code that uses every public item of generated code, from another crate.
//!
//! A probe has the modules of the old code. Each has the imports of the old module and a glob import
//! of the new one, so that the types in the old signatures are resolved against the new code.

mod aliases;
mod errors;
mod tokens;

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};
use syn::{
    FnArg, ImplItem, Item, ItemImpl, ItemTrait, ReceiverKind, ReturnType, Signature, TraitItem,
};

use tokens::{Tree, fields, ident, is_open, name_lifetime, name_references, pattern, replace_self};

use crate::expanded::{Expanded, Module, Use, is_public, trait_name};

/// The traits that code relies on.
const TRAITS: &[&str] = &[
    "AsRef",
    "Clone",
    "Copy",
    "Debug",
    "Default",
    "Deref",
    "DerefMut",
    "Deserialize",
    "Display",
    "Eq",
    "Error",
    "From",
    "FromIterator",
    "FromStr",
    "Hash",
    "IntoIterator",
    "Ord",
    "PartialEq",
    "PartialOrd",
    "Serialize",
    "TryFrom",
];

/// The parts of a probe.
pub(crate) struct Probe<'a> {
    expanded: &'a Expanded,
    callers: bool,
    /// The path of the probe, such as `crate::caller3`.
    root: TokenStream,
    count: usize,
}

/// Returns the code that uses `expanded` as callers do, or as implementers do, with the items of
/// the module `new`.
pub(crate) fn probe(expanded: &Expanded, callers: bool, root: &str, new: &str) -> String {
    let (root, new) = (format_ident!("{root}"), format_ident!("{new}"));
    let mut probe = Probe {
        expanded,
        callers,
        root: quote!(crate::#root),
        count: 0,
    };
    let mut tree = Tree::default();
    for module in &expanded.modules {
        let tokens = probe.module(module, &new);
        tree.insert(&module.path, tokens);
    }
    let service = quote!(
        pub struct Service;
    );
    let conversions = probe.conversions();
    let code = tree.tokens();
    // A line for each function, for the messages of the compiler.
    quote!(#service #conversions #code)
        .to_string()
        .replace(" fn probe", "\nfn probe")
        .replace("impl From", "\nimpl From")
        .replace("pub mod", "\npub mod")
}

impl Probe<'_> {
    fn name(&mut self) -> Ident {
        self.count += 1;
        format_ident!("probe{}", self.count)
    }

    /// Returns the absolute path of an item of a module.
    fn path(&self, module: &Module, name: &Ident) -> TokenStream {
        let (root, path) = (&self.root, module.path.iter().map(|name| ident(name)));
        quote!(#root #(::#path)* ::#name)
    }

    /// Returns how this audience uses the items of a module, or `None` for the other audience's.
    fn audience(&self, module: &Module, name: &str) -> Option<Use> {
        let all = Use {
            constructs: true,
            reads: true,
        };
        match module.path.first().map(String::as_str) {
            Some("client") => self.callers.then_some(all),
            Some("server") => (!self.callers).then_some(all),
            _ => Some(self.expanded.use_of(name, self.callers)),
        }
    }

    fn module(&mut self, module: &Module, new: &Ident) -> TokenStream {
        // The names of shared errors follow from their content: code names them by the aliases of
        // operations.
        let is_shared = module.path.last().is_some_and(|name| name == "errors");
        let first = module.path.first().map(String::as_str);
        let other = match self.callers {
            true => first == Some("server"),
            false => first == Some("client"),
        };
        let path = module.path.iter().map(|name| ident(name));
        let mut code = match is_shared || other || module.path.is_empty() {
            true => TokenStream::new(),
            false => quote!(#[allow(unused_imports)] pub use ::documents::#new #(::#path)* ::*;),
        };
        for item in &module.items {
            match item {
                Item::Use(import) => code.extend(import.to_token_stream()),
                _ if other || is_shared => {}
                _ => code.extend(self.item(module, item)),
            }
        }
        // Probes of shared errors are in their module, where their types are in scope.
        if is_shared {
            code.extend(self.shared(module));
        }
        code
    }

    fn item(&mut self, module: &Module, item: &Item) -> TokenStream {
        match item {
            Item::Struct(definition) if is_public(&definition.vis) => {
                let Some(usage) = self.audience(module, &definition.ident.to_string()) else {
                    return TokenStream::new();
                };
                let path = self.path(module, &definition.ident);
                let own = self.value(item, &path, usage);
                let impls = self.impls_of(module, &definition.ident, &path, usage);
                quote!(#own #impls)
            }
            Item::Enum(definition) if is_public(&definition.vis) => {
                let Some(usage) = self.audience(module, &definition.ident.to_string()) else {
                    return TokenStream::new();
                };
                let path = self.path(module, &definition.ident);
                let own = self.value(item, &path, usage);
                let impls = self.impls_of(module, &definition.ident, &path, usage);
                quote!(#own #impls)
            }
            Item::Type(alias) if is_public(&alias.vis) => self.alias(module, alias),
            Item::Const(constant) if is_public(&constant.vis) => {
                let (path, ty, name) = (
                    self.path(module, &constant.ident),
                    &constant.ty,
                    self.name(),
                );
                quote!(fn #name() { let _: #ty = #path; })
            }
            Item::Static(constant) if is_public(&constant.vis) => {
                let (path, ty, name) = (
                    self.path(module, &constant.ident),
                    &constant.ty,
                    self.name(),
                );
                quote!(fn #name() { let _: &#ty = &#path; })
            }
            Item::Fn(function) if is_public(&function.vis) => self.function(module, function),
            Item::Trait(definition) if is_public(&definition.vis) && !self.callers => {
                self.implement(module, definition)
            }
            _ => TokenStream::new(),
        }
    }

    fn function(&mut self, module: &Module, function: &syn::ItemFn) -> TokenStream {
        let path = self.path(module, &function.sig.ident);
        if function.sig.ident != "router" {
            return self.call(&function.sig, None, &path);
        }
        // All traits together are what a router needs.
        let (root, name) = (&self.root.clone(), self.name());
        match self.callers {
            true => TokenStream::new(),
            false => quote!(fn #name() { let _ = #path(#root::Service); }),
        }
    }

    /// Uses the fields of a struct or the variants of an enum, by a path.
    fn value(&mut self, item: &Item, path: &TokenStream, usage: Use) -> TokenStream {
        match item {
            Item::Struct(definition) => {
                if !definition.generics.params.is_empty() {
                    return TokenStream::new();
                }
                let public = definition.fields.iter().all(|field| is_public(&field.vis));
                let open = !public || is_open(&definition.attrs);
                let mut code = TokenStream::new();
                let (members, types) = fields(&definition.fields);
                let count = 0..members.len();
                let names: Vec<Ident> = count.map(|at| format_ident!("field{at}")).collect();
                let rest = open.then(|| quote!(..));
                if usage.reads {
                    let name = self.name();
                    code.extend(quote! {
                        fn #name(value: #path) {
                            let #path { #(#members: #names,)* #rest } = value;
                            #(let _: #types = #names;)*
                        }
                    });
                }
                if usage.constructs {
                    let name = self.name();
                    code.extend(quote! {
                        fn #name(value: &mut #path #(, #names: #types)*) {
                            #(value.#members = #names;)*
                        }
                    });
                }
                if usage.constructs && !open {
                    let name = self.name();
                    code.extend(quote! {
                        fn #name(#(#names: #types),*) -> #path { #path { #(#members: #names),* } }
                    });
                }
                code
            }
            Item::Enum(definition) => {
                let rest = is_open(&definition.attrs).then(|| quote!(_ => {}));
                let mut code = TokenStream::new();
                let arms = definition.variants.iter().map(|variant| {
                    let (pattern, names, types) = pattern(path, variant);
                    quote!(#pattern => { #(let _: #types = #names;)* })
                });
                let arms: Vec<TokenStream> = arms.collect();
                if usage.reads {
                    let name = self.name();
                    code.extend(quote!(fn #name(value: #path) { match value { #(#arms)* #rest } }));
                }
                if usage.constructs {
                    for variant in &definition.variants {
                        let (pattern, names, types) = pattern(path, variant);
                        let name = self.name();
                        code.extend(quote!(fn #name(#(#names: #types),*) -> #path { #pattern }));
                    }
                }
                code
            }
            _ => TokenStream::new(),
        }
    }

    /// Uses the methods of a type and the traits that it implements, by a path.
    fn impls_of(
        &mut self,
        module: &Module,
        name: &Ident,
        path: &TokenStream,
        usage: Use,
    ) -> TokenStream {
        let mut code = TokenStream::new();
        for block in self.expanded.impls(module, &name.to_string()) {
            match &block.trait_ {
                Some(_) => code.extend(self.implemented(block, path, usage)),
                None => {
                    for item in &block.items {
                        if let ImplItem::Fn(method) = item
                            && is_public(&method.vis)
                        {
                            let by_reference = matches!(
                                method.sig.inputs.first(),
                                Some(FnArg::Receiver(receiver))
                                    if matches!(receiver.kind, ReceiverKind::Reference(..))
                            );
                            // A constructor and a setter construct a value.
                            if by_reference && usage.reads || !by_reference && usage.constructs {
                                code.extend(self.method(block, &method.sig, path));
                            }
                        }
                    }
                }
            }
        }
        code
    }

    fn method(&mut self, block: &ItemImpl, sig: &Signature, path: &TokenStream) -> TokenStream {
        let is_plain = block.generics.params.is_empty();
        let whole = match is_plain {
            true => path.clone(),
            false => block.self_ty.to_token_stream(),
        };
        let ident = &sig.ident;
        let called = quote!(<#whole>::#ident);
        let generics = (&block.generics.params, &block.generics.where_clause);
        let params = generics.0.iter();
        let bounds = generics.1.as_ref().map(|clause| clause.predicates.iter());
        let bounds = bounds.into_iter().flatten();
        let outer = quote!(#(#params,)*);
        let outer_bounds = quote!(#(#bounds,)*);
        let code = self.call(sig, Some((&outer, &outer_bounds)), &called);
        replace_self(code, &whole)
    }

    /// Returns a function with the signature of another one, which it calls.
    fn call(
        &mut self,
        sig: &Signature,
        outer: Option<(&TokenStream, &TokenStream)>,
        called: &TokenStream,
    ) -> TokenStream {
        let (mut params, mut arguments) = (Vec::new(), Vec::new());
        for (index, input) in sig.inputs.iter().enumerate() {
            let name = format_ident!("argument{index}");
            match input {
                FnArg::Receiver(receiver) => {
                    let shown = match &receiver.kind {
                        ReceiverKind::Reference(and, lifetime, word) => {
                            quote!(#and #lifetime #word Self)
                        }
                        _ => quote!(Self),
                    };
                    params.push(quote!(#name: #shown));
                }
                FnArg::Typed(typed) => {
                    let ty = &typed.ty;
                    params.push(quote!(#name: #ty));
                }
            }
            arguments.push(name);
        }
        let own = sig.generics.params.iter();
        let own_bounds = sig.generics.where_clause.as_ref();
        let own_bounds = own_bounds.map(|clause| clause.predicates.iter());
        let own_bounds = own_bounds.into_iter().flatten();
        let empty = (TokenStream::new(), TokenStream::new());
        let (outer, bounds) = outer.unwrap_or((&empty.0, &empty.1));
        let output = match &sig.output {
            ReturnType::Default => TokenStream::new(),
            ReturnType::Type(_, ty) => match ty.to_token_stream().to_string().contains("'_") {
                // The lifetime is that of the receiver.
                true => {
                    let ty = name_lifetime(ty.to_token_stream());
                    quote!(-> #ty)
                }
                false => quote!(-> #ty),
            },
        };
        let with_lifetime = output.to_string().contains("'elided");
        let lifetime = with_lifetime.then(|| quote!('elided,));
        let params = params.into_iter().enumerate().map(|(index, param)| {
            match with_lifetime && index == 0 {
                true => name_references(param),
                false => param,
            }
        });
        let name = self.name();
        quote! {
            fn #name<#lifetime #outer #(#own),*>(#(#params),*) #output where #bounds #(#own_bounds,)* {
                #called(#(#arguments),*)
            }
        }
    }

    /// Returns a check that a type implements a trait.
    fn implemented(&mut self, block: &ItemImpl, path: &TokenStream, usage: Use) -> TokenStream {
        let name = trait_name(block).unwrap_or_default();
        let constructs = matches!(
            name.as_str(),
            "Default" | "From" | "FromIterator" | "FromStr"
        );
        let (bound, _) = block.trait_.as_ref().expect("an impl of a trait");
        let text = bound.to_token_stream().to_string();
        // What macros implement for the runtime, and for the compiler, is no interface.
        let is_known = TRAITS.contains(&name.as_str()) && !text.contains("private");
        if !is_known || (constructs && !usage.constructs) {
            return TokenStream::new();
        }
        let params = block.generics.type_params();
        let lifetimes = block.generics.lifetimes();
        let bounds = &block.generics.where_clause;
        let whole = match block.generics.type_params().next().is_none() {
            true => path.clone(),
            false => block.self_ty.to_token_stream(),
        };
        let bound = replace_self(bound.to_token_stream(), &whole);
        let text = bound.to_string().replace("& str", "&'static str");
        let bound: TokenStream = text.parse().unwrap_or(bound);
        let name = self.name();
        quote! {
            fn #name<#(#params),*>() #bounds {
                fn has<#(#lifetimes,)* X: #bound>() {}
                has::<#whole>();
            }
        }
    }

    /// Implements a trait for the service of the probe.
    fn implement(&mut self, module: &Module, definition: &ItemTrait) -> TokenStream {
        let methods = definition.items.iter().filter_map(|item| match item {
            TraitItem::Fn(method) => Some(&method.sig),
            _ => None,
        });
        let methods: Vec<TokenStream> = methods
            .map(|sig| quote!(#sig { ::std::future::pending() }))
            .collect();
        if methods.is_empty() {
            return TokenStream::new();
        }
        let (path, root) = (self.path(module, &definition.ident), &self.root);
        quote!(impl #path for #root::Service { #(#methods)* })
    }
}
