//! The encoding of individual properties in forms and multipart bodies: the Encoding Object.

use crate::diagnostic::codes;
use crate::ir::{Codec, Media, Part, PartShape, Primitive, StyleWord, TypeKind, TypeRef, Unknown};
use crate::model::{Encoding, MediaType, Style};

use crate::lower::Lowering;
use crate::lower::operation::media_types;

/// Lowers the encoding of properties that differ from the defaults of a media type.
pub(in crate::lower) fn lower(lowering: &mut Lowering<'_>, entry: &MediaType, media: &mut Media) {
    if !matches!(media.codec, Codec::Form | Codec::Multipart) {
        return;
    }
    for (name, encoding) in &entry.encoding {
        // An encoding without a property is ignored (OpenAPI 3.1.1, 4.8.15).
        let Some(ty) = property(lowering, &media.ty, name) else {
            continue;
        };
        if !encoding.headers.is_empty() && media.codec == Codec::Multipart {
            report_headers(lowering, entry, name, &ty);
        }
        let part = part_encoding(lowering, name, encoding, &ty, media.codec);
        match part {
            Ok(Some(part)) => {
                let is_nested = matches!(shape(lowering, innermost(&ty), 0), Shape::Object(..));
                let part = match is_nested {
                    true => without_xml(lowering, entry, part),
                    false => Some(part),
                };
                media.parts.extend(part);
            }
            Ok(None) => {}
            Err(why) => {
                lowering
                    .document
                    .diagnostics
                    .report(
                        codes::ENCODING_LEFT_OUT,
                        &entry.origin,
                        format!("the `encoding` of `{name}` is left out: {why}"),
                    )
                    .help(
                        "write it with `style: deepObject`, or as `contentType: application/json`",
                    );
            }
        }
    }
}

/// Reports headers of parts other than files. The headers of a file are texts next to the file;
/// other values have no place for headers.
fn report_headers(lowering: &mut Lowering<'_>, entry: &MediaType, name: &str, ty: &TypeRef) {
    let is_file = matches!(
        innermost(ty),
        TypeRef::Primitive(crate::ir::Primitive::Binary)
    );
    if !is_file {
        lowering.document.diagnostics.report(
            codes::PART_HEADERS,
            &entry.origin,
            format!("the `headers` of `{name}` are left out: only files have headers"),
        );
    }
}

/// Removes XML from the media types of an object, which is always written as JSON. A text keeps the
/// media type of the document, because the user provides its content.
fn without_xml(lowering: &mut Lowering<'_>, entry: &MediaType, part: Part) -> Option<Part> {
    let Some(stated) = part.media.clone() else {
        return Some(part);
    };
    let others = || {
        stated
            .split(", ")
            .filter(|media| !media_types::is_xml(media))
    };
    let Some(xml) = stated.split(", ").find(|media| media_types::is_xml(media)) else {
        return Some(part);
    };
    let name = &part.name;
    if others().any(|media| media_types::codec_of(media) == Codec::Json) {
        let message = format!("`{xml}` is left out: `{name}` is encoded as JSON");
        lowering
            .document
            .diagnostics
            .report(codes::MEDIA_TYPE_LEFT_OUT, &entry.origin, message);
        let media = Some(others().collect::<Vec<_>>().join(", "));
        return Some(Part { media, ..part });
    }
    let message = format!("`{name}` is sent as `application/json`: `{xml}` is not supported");
    lowering
        .document
        .diagnostics
        .report(codes::PART_NOT_CODED, &entry.origin, message)
        .help("make the property a string, and encode and decode the XML in your code");
    None
}

fn part_encoding(
    lowering: &Lowering<'_>,
    name: &str,
    encoding: &Encoding,
    ty: &TypeRef,
    codec: Codec,
) -> Result<Option<Part>, &'static str> {
    let styled = encoding.style.is_some() || encoding.explode.is_some() || encoding.allow_reserved;
    let mut part = Part {
        name: name.to_owned(),
        media: None,
        style: Vec::new(),
        shape: PartShape::Value,
    };
    if !styled {
        part.media = encoding.content_type.as_deref().and_then(media_types);
        let first = |media: &String| media.split(", ").next().map(media_types::codec_of);
        let is_json = |media: &String| first(media) == Some(Codec::Json);
        let is_list = || matches!(shape(lowering, ty, 0), Shape::List);
        let is_whole = encoding.whole && part.media.as_ref().is_some_and(is_json) && is_list();
        if is_whole {
            part.shape = PartShape::List;
        }
        let is_default = part.media.as_deref() == default_media(lowering, ty);
        let is_stated = is_whole || part.media.is_some() && !is_default;
        return Ok(is_stated.then_some(part));
    }
    // With a style, the media type is ignored (4.8.15.1.2).
    let style = encoding.style.unwrap_or(Style::Form);
    let exploded = encoding.explode.unwrap_or(style == Style::Form);
    let shape = shape(lowering, ty, 0);
    part.style = words(
        style,
        exploded,
        encoding.allow_reserved && codec == Codec::Form,
    );
    let plain = style != Style::DeepObject && exploded;
    part.shape = match shape {
        Shape::Value if part.style == [StyleWord::Form] => return Ok(None),
        Shape::Value => PartShape::Value,
        // Repeated names for the items are the default for all lists.
        Shape::List if plain && !part.style.contains(&StyleWord::Reserved) => return Ok(None),
        Shape::List => PartShape::List,
        Shape::Object(_, true) if plain => {
            return Err("properties of any name cannot occur beside those of the body");
        }
        Shape::Object(properties, _) => PartShape::Object(properties),
    };
    Ok(Some(part))
}

fn words(style: Style, exploded: bool, reserved: bool) -> Vec<StyleWord> {
    let mut words = match (style, exploded) {
        (Style::SpaceDelimited, false) => vec![StyleWord::Space],
        (Style::PipeDelimited, false) => vec![StyleWord::Pipe],
        (Style::DeepObject, _) => vec![StyleWord::Deep],
        (_, true) => vec![StyleWord::Form],
        (_, false) => vec![StyleWord::Form, StyleWord::Flat],
    };
    if reserved {
        words.push(StyleWord::Reserved);
    }
    words
}

/// Returns the alternatives as one text, or `None` if no alternative is valid in a header.
fn media_types(text: &str) -> Option<String> {
    let types = text.split(',').map(str::trim);
    let types = types.filter(|ty| ty.contains('/') && media_types::is_writable(ty));
    let types: Vec<&str> = types.collect();
    (!types.is_empty()).then(|| types.join(", "))
}

/// Returns the media type of a part whose encoding is not stated (OpenAPI 3.1.1, 4.8.15.1.1), for a single value.
fn default_media(lowering: &Lowering<'_>, ty: &TypeRef) -> Option<&'static str> {
    match (shape(lowering, ty, 0), innermost(ty)) {
        (Shape::Object(..), _) => Some("application/json"),
        (Shape::Value, TypeRef::Primitive(Primitive::Binary | Primitive::Bytes)) => {
            Some("application/octet-stream")
        }
        (
            Shape::Value,
            TypeRef::Primitive(Primitive::String | Primitive::Number(_) | Primitive::Bool),
        ) => Some("text/plain"),
        _ => None,
    }
}

/// The shape of a value, as far as its style depends on it.
enum Shape {
    Value,
    List,
    /// An object: its properties, and whether it accepts others.
    Object(Vec<String>, bool),
}

fn shape(lowering: &Lowering<'_>, ty: &TypeRef, depth: usize) -> Shape {
    match ty {
        TypeRef::Vec(_) | TypeRef::Tuple(_) | TypeRef::Prefix(_) => Shape::List,
        TypeRef::Map(_) => Shape::Object(Vec::new(), true),
        TypeRef::Option(ty) | TypeRef::Nullable(ty) | TypeRef::Boxed(ty) => {
            shape(lowering, ty, depth)
        }
        TypeRef::Named(id) if depth < 16 => match &lowering.types.defs[id.0 as usize].kind {
            TypeKind::Object(object) => {
                let names = object.fields.iter().map(|field| field.name.wire.clone());
                let open = matches!(object.unknown, Unknown::Kept(..));
                Shape::Object(names.collect(), open)
            }
            TypeKind::Alias(ty) | TypeKind::Newtype(ty, _) => shape(lowering, ty, depth + 1),
            _ => Shape::Value,
        },
        TypeRef::Replaced(replaced) => match &replaced.schema {
            Some(ty) => shape(lowering, ty, depth),
            None => Shape::Value,
        },
        TypeRef::Named(_) | TypeRef::Primitive(_) | TypeRef::JsonText(_) => Shape::Value,
    }
}

/// Returns the type of a property in a body.
fn property(lowering: &Lowering<'_>, ty: &TypeRef, name: &str) -> Option<TypeRef> {
    match ty {
        TypeRef::Map(ty) => Some((**ty).clone()),
        TypeRef::Option(ty) | TypeRef::Boxed(ty) => property(lowering, ty, name),
        TypeRef::Named(id) => match &lowering.types.defs[id.0 as usize].kind {
            TypeKind::Object(object) => {
                let field = object.fields.iter().find(|field| field.name.wire == name);
                match (field, &object.unknown) {
                    (Some(field), _) => Some(field.ty.clone()),
                    (None, Unknown::Kept(_, ty)) => Some(ty.clone()),
                    (None, _) => None,
                }
            }
            TypeKind::Alias(ty) | TypeKind::Newtype(ty, _) => property(lowering, ty, name),
            TypeKind::Union(union) => {
                let mut variants = union.variants.iter();
                variants.find_map(|variant| property(lowering, &variant.ty, name))
            }
            _ => None,
        },
        _ => None,
    }
}

fn innermost(ty: &TypeRef) -> &TypeRef {
    match ty {
        TypeRef::Option(ty) | TypeRef::Nullable(ty) | TypeRef::Boxed(ty) | TypeRef::Vec(ty) => {
            innermost(ty)
        }
        ty => ty,
    }
}
