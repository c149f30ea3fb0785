//! Bodies of several media types: an enum with a variant for each.

use super::super::docs::{Text, code};
use super::super::rules;
use super::super::scope::Scope;
use super::super::syntax::{
    field, generic, item_enum, list_attr, local, path_type, simple_type, table, tuple_fields,
    variant,
};
use super::encode::codec_method;
use super::parts;
use crate::ir::{Codec, Media, Name, Payload};
use proc_macro2::{Ident, Literal};
use quote::quote;
use syn::{Item, Type, Variant, Visibility, parse_quote};

/// The type of a body.
pub(super) fn payload_type(scope: &Scope<'_>, payload: &Payload) -> Type {
    match payload {
        Payload::One(media) => media_type(scope, media),
        Payload::Many(content, _) => match content.shared {
            Some(_) => path_type(scope.in_types(&content.name)),
            None => simple_type(scope.name(&content.name)),
        },
    }
}

/// The type of what travels as a media type.
fn media_type(scope: &Scope<'_>, media: &Media) -> Type {
    if media.codec == Codec::Chunks {
        return path_type(scope.runtime("ByteStream"));
    }
    let ty = scope.ty(&media.ty);
    let item = match media.codec {
        Codec::Events => generic(scope.runtime("Event"), [ty]),
        Codec::Lines | Codec::Sequence => ty,
        _ => return ty,
    };
    generic(scope.runtime("Streamed"), [item])
}

/// The enum of a body with several media types, where it is the operation's own.
pub(super) fn emit(scope: &Scope<'_>, payload: &Payload) -> Vec<Item> {
    match payload {
        Payload::Many(content, media) if content.shared.is_none() => {
            several(scope, &content.name, media)
        }
        _ => Vec::new(),
    }
}

/// The enums of reusable bodies and responses.
pub(in super::super) fn shared(scope: &Scope<'_>) -> Vec<Item> {
    let contents = scope.cx.api.contents.iter();
    let items = contents.map(|(_, payload)| match payload {
        Payload::Many(content, media) => several(scope, &content.name, media),
        Payload::One(_) => Vec::new(),
    });
    items.flatten().collect()
}

fn several(scope: &Scope<'_>, name: &Name, media: &[(Name, Media)]) -> Vec<Item> {
    let mut attrs = Text::line("A body, by media type.").attrs();
    attrs.push(list_attr("derive", quote!(Debug, Clone, PartialEq)));
    let variants: Vec<Variant> = media
        .iter()
        .map(|(name, of)| one(scope, name, of))
        .collect();
    let ident = scope.name(name);
    let mut items = vec![
        item_enum(attrs, ident.clone(), variants),
        codec(scope, &ident, media),
    ];
    let ruled: Vec<_> = media
        .iter()
        .filter_map(|(name, of)| {
            let (name, rules) = (scope.name(name), rules::clause(&of.rules)?);
            Some(quote!(#name #rules))
        })
        .collect();
    if !ruled.is_empty() {
        items.push(table("validate_body", quote!(#ident { #(#ruled),* })));
    }
    items
}

fn one(scope: &Scope<'_>, name: &Name, media: &Media) -> Variant {
    let names: Vec<String> = media.names().map(code).collect();
    let attrs = Text::line(names.join(", ")).attrs();
    let inner = field(
        Vec::new(),
        Visibility::Inherited,
        None,
        media_type(scope, media),
    );
    variant(attrs, scope.name(name), tuple_fields([inner]))
}

/// What is looked at first is what has no `*`.
fn wideness(media: &Media) -> usize {
    let stars = media.names().map(|name| name.matches('*').count());
    stars.max().unwrap_or_default()
}

/// Each media type of a body, in the order in which they are looked at, and whether it is read as
/// it comes; nothing where none is.
pub(super) fn streams(payload: &Payload) -> Vec<(String, bool)> {
    let mut sorted = payload.media();
    if !sorted.iter().any(|media| media.codec.is_stream()) {
        return Vec::new();
    }
    sorted.sort_by_key(|media| wideness(media));
    let rows = sorted.into_iter().flat_map(|media| {
        let live = media.codec.is_stream();
        media.names().map(move |name| (name.to_owned(), live))
    });
    rows.collect()
}

/// `impl Body`: a row for each media type, those with `*` last.
fn codec(scope: &Scope<'_>, ident: &Ident, media: &[(Name, Media)]) -> Item {
    let [body, encoder, decoder, error] =
        ["Body", "BodyEncoder", "BodyDecoder", "DecodeError"].map(|name| scope.runtime(name));
    let mut sorted: Vec<&(Name, Media)> = media.iter().collect();
    sorted.sort_by_key(|(_, of)| wideness(of));
    let writes = media.iter().map(|(name, of)| {
        let (variant, method, media) = (scope.name(name), local(codec_method(of)), of.key());
        let further = parts::further(scope, of).map(|further| quote!(, #further));
        quote!(Self::#variant(value) => body.#method(#media, value #further),)
    });
    let keys = sorted.iter().map(|(_, of)| of.key());
    let keys: Vec<String> = keys.collect();
    let last = sorted.len().saturating_sub(1);
    let reads = sorted.into_iter().enumerate().map(|(index, (name, of))| {
        let (variant, method) = (scope.name(name), local(codec_method(of)));
        let further = parts::further(scope, of);
        let index = if index == last {
            quote!(_)
        } else {
            let index = Literal::usize_unsuffixed(index);
            quote!(#index)
        };
        quote!(#index => body.#method(#further).map(Self::#variant),)
    });
    parse_quote! {
        impl #body for #ident {
            fn encode(&self, body: &mut #encoder) {
                match self { #(#writes)* }
            }

            fn decode(body: &#decoder) -> Option<Result<Self, #error>> {
                Some(match body.select(&[#(#keys),*])? { #(#reads)* })
            }
        }
    }
}
