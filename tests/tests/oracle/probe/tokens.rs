//! Pieces of code.

use proc_macro2::{Group, Ident, Span, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Fields, Member, Type, Visibility};

/// The modules of a probe.
#[derive(Default)]
pub(super) struct Tree {
    own: TokenStream,
    children: Vec<(String, Tree)>,
}

impl Tree {
    pub(super) fn insert(&mut self, path: &[String], tokens: TokenStream) {
        let Some((first, rest)) = path.split_first() else {
            self.own.extend(tokens);
            return;
        };
        let at = self.children.iter().position(|(name, _)| name == first);
        let at = at.unwrap_or_else(|| {
            self.children.push((first.clone(), Self::default()));
            self.children.len() - 1
        });
        self.children[at].1.insert(rest, tokens);
    }

    pub(super) fn tokens(self) -> TokenStream {
        let children = self.children.into_iter().map(|(name, tree)| {
            let (name, tokens) = (ident(&name), tree.tokens());
            quote!(pub mod #name { #tokens })
        });
        let own = self.own;
        quote!(#own #(#children)*)
    }
}

pub(super) fn ident(name: &str) -> Ident {
    match name.strip_prefix("r#") {
        Some(raw) => Ident::new_raw(raw, Span::call_site()),
        None => Ident::new(name, Span::call_site()),
    }
}

pub(super) fn is_open(attrs: &[Attribute]) -> bool {
    attrs
        .iter()
        .any(|attribute| attribute.path().is_ident("non_exhaustive"))
}

/// Returns the public fields, which are names or positions, with their types.
pub(super) fn fields(fields: &Fields) -> (Vec<Member>, Vec<&Type>) {
    let all = fields.members().zip(fields.iter());
    let public = all.filter(|(_, field)| matches!(field.vis, Visibility::Public(_)));
    public.map(|(member, field)| (member, &field.ty)).unzip()
}

/// Returns a pattern, which is an expression too, with the names and the types of its fields.
pub(super) fn pattern<'v>(
    path: &TokenStream,
    variant: &'v syn::Variant,
) -> (TokenStream, Vec<Ident>, Vec<&'v Type>) {
    let (name, types) = (
        &variant.ident,
        variant.fields.iter().map(|field| &field.ty).collect(),
    );
    match &variant.fields {
        Fields::Unit => (quote!(#path::#name), Vec::new(), types),
        Fields::Unnamed(fields) => {
            let names = (0..fields.unnamed.len()).map(|index| format_ident!("field{index}"));
            let names: Vec<Ident> = names.collect();
            (quote!(#path::#name(#(#names),*)), names, types)
        }
        Fields::Named(fields) => {
            let names = fields.named.iter().filter_map(|field| field.ident.clone());
            let names: Vec<Ident> = names.collect();
            (quote!(#path::#name { #(#names),* }), names, types)
        }
    }
}

/// Returns the body and the headers of `Response<B, H>`.
pub(super) fn response(ty: &Type) -> Option<(TokenStream, TokenStream)> {
    let Type::Path(path) = ty else { return None };
    let last = path.path.segments.last()?;
    if last.ident != "Response" || path.path.segments.len() != 2 {
        return None;
    }
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else {
        return None;
    };
    let mut all = arguments.args.iter().map(ToTokens::to_token_stream);
    Some((all.next()?, all.next()?))
}

/// Replaces `Self` by a type.
pub(super) fn replace_self(tokens: TokenStream, by: &TokenStream) -> TokenStream {
    let each = tokens.into_iter().map(|token| match token {
        TokenTree::Ident(ident) if ident == "Self" => by.clone(),
        TokenTree::Group(group) => {
            let inner = replace_self(group.stream(), by);
            TokenTree::Group(Group::new(group.delimiter(), inner)).into()
        }
        other => other.into(),
    });
    each.collect()
}

/// Replaces `'_` by a named lifetime.
pub(super) fn name_lifetime(tokens: TokenStream) -> TokenStream {
    let text = tokens.to_string().replace("'_", "'elided");
    text.parse().unwrap_or(tokens)
}

/// Gives the references of a parameter the named lifetime.
pub(super) fn name_references(tokens: TokenStream) -> TokenStream {
    let text = tokens.to_string();
    let (name, ty) = text.split_once(':').unwrap_or(("", &text));
    let ty = ty.replacen('&', "&'elided ", 1);
    format!("{name}: {ty}").parse().unwrap_or(tokens)
}
