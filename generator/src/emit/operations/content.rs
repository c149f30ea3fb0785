//! Bodies of several media types: an enum with a variant for each.

use super::super::docs::{Text, code};
use super::super::rules;
use super::super::scope::Scope;
use super::super::syntax::{
    field, generic, id, item_enum, list_attr, path_type, simple_type, table, tuple_fields, variant,
    word_attr,
};
use super::parts;
use crate::ir::{Codec, Condition, Media, Name, Payload};
use proc_macro2::{Ident, TokenStream};
use quote::quote;
use syn::{Item, Type, Variant, Visibility};

/// Returns the type of a body.
pub(super) fn payload_type(scope: &Scope<'_>, payload: &Payload) -> Type {
    match payload {
        Payload::One(media) => media_type(scope, media),
        Payload::Many(content, _) => match content.shared {
            Some(_) => path_type(scope.in_types(&content.name)),
            None => simple_type(scope.name(&content.name)),
        },
    }
}

/// Returns the type for the content of a media type.
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

/// Returns the enum of a body with several media types, if the enum belongs to one operation.
pub(super) fn emit(scope: &Scope<'_>, payload: &Payload) -> Vec<Item> {
    match payload {
        Payload::Many(content, media) if content.shared.is_none() => {
            several(scope, &content.name, media)
        }
        _ => Vec::new(),
    }
}

/// Returns the enums of reusable bodies and responses.
pub(in super::super) fn shared(scope: &Scope<'_>) -> Vec<Item> {
    let (cx, always) = (scope.cx, Condition::new());
    let contents = cx.api.contents.iter().enumerate();
    let items = contents.map(|(index, (_, payload))| match payload {
        Payload::Many(content, media) => {
            let items = several(scope, &content.name, media);
            cx.behind(&cx.api.conditions.contents, index, &always, items)
        }
        Payload::One(_) => Vec::new(),
    });
    items.flatten().collect()
}

fn several(scope: &Scope<'_>, name: &Name, media: &[(Name, Media)]) -> Vec<Item> {
    let mut attrs = Text::line("A body, by media type.").attrs();
    attrs.push(list_attr("derive", quote!(Debug, Clone, PartialEq)));
    attrs.push(word_attr("non_exhaustive"));
    let variants: Vec<Variant> = media
        .iter()
        .map(|(name, media)| media_variant(scope, name, media))
        .collect();
    let ident = scope.name(name);
    vec![
        item_enum(attrs, ident.clone(), variants),
        codec(scope, &ident, media),
    ]
}

fn media_variant(scope: &Scope<'_>, name: &Name, media: &Media) -> Variant {
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

/// Returns `contents!`: a row for each media type, with media ranges (`*`) last.
fn codec(scope: &Scope<'_>, ident: &Ident, media: &[(Name, Media)]) -> Item {
    let mut sorted: Vec<&(Name, Media)> = media.iter().collect();
    sorted.sort_by_key(|(_, media)| media.wideness());
    let rows = sorted.into_iter().map(|(name, media)| {
        let names = media.names();
        let (variant, word) = (scope.name(name), codec_word(scope, media));
        let (ty, further) = (media_type(scope, media), further(media));
        let rules = rules::value_clause(scope, &media.ty, &media.rules, true);
        quote!(#(#names)|* => #variant(#word #ty #further) #rules,)
    });
    table("contents", quote!(#ident { #(#rows)* }))
}

/// Returns the word for the codec of a body in a table. The user's own types have only serde's
/// traits, which the word states.
pub(super) fn codec_word(scope: &Scope<'_>, media: &Media) -> Ident {
    id(match (media.codec, scope.cx.api.is_foreign(&media.ty)) {
        (Codec::Json, true) => "unchecked_json",
        (Codec::Form, true) => "unchecked_form",
        (Codec::Multipart, true) => "unchecked_multipart",
        (Codec::Text, true) => "unchecked_text",
        (Codec::Lines, true) => "unchecked_lines",
        (Codec::Sequence, true) => "unchecked_sequence",
        (Codec::Events, true) if media.is_text => "unchecked_text_events",
        (Codec::Events, true) => "unchecked_events",
        (codec, _) => word(codec),
    })
}

const fn word(codec: Codec) -> &'static str {
    match codec {
        Codec::Json => "json",
        Codec::Form => "form",
        Codec::Multipart => "multipart",
        Codec::Text => "text",
        Codec::Bytes => "bytes",
        Codec::Chunks => "chunks",
        Codec::Lines => "lines",
        Codec::Sequence => "sequence",
        Codec::Events => "events",
    }
}

/// Returns the media type that a row omits: the one of the runtime's `RowCodec`.
pub(super) const fn usual(codec: Codec) -> &'static str {
    match codec {
        Codec::Json => "application/json",
        Codec::Form => "application/x-www-form-urlencoded",
        Codec::Multipart => "multipart/form-data",
        Codec::Text => "text/plain",
        Codec::Bytes | Codec::Chunks => "application/octet-stream",
        Codec::Lines => "application/jsonl",
        Codec::Sequence => "application/json-seq",
        Codec::Events => "text/event-stream",
    }
}

/// Returns the options after the type of a body: the encoding of its parts, or the end marker.
pub(super) fn further(media: &Media) -> Option<TokenStream> {
    let end = || media.end.as_ref().map(|end| quote!([until #end]));
    let with = parts::clause(media).map(|with| quote!([#with]));
    with.or_else(end)
}
