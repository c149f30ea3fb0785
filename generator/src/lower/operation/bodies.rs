//! Request and response bodies: their media types, codecs and types.

use crate::diagnostic::codes;
use crate::dialect::shown;
use crate::ir::{Body, Codec, Content, Doc, Media, Name, Payload, Primitive, TypeKind, TypeRef};
use crate::model::{MediaType, RequestBody, Schema, SchemaId, Types};
use crate::vocabulary::essence;

use crate::lower::operation::encoding;
use crate::lower::operation::media_types::{concrete, is_plain_json, is_writable, is_xml};
use crate::lower::operation::media_variants::{Message, is_choice, same, variant_words};
use crate::lower::schema::place::{Place, Whole};
use crate::lower::schema::presence;
use crate::lower::{At, Document, Lowered, Lowering, TypeTable};

/// The mode of reading binary bodies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::lower) enum Taking {
    /// The whole body is buffered.
    Whole,
    /// The body is streamed in chunks.
    Pieces,
}

impl Taking {
    /// Returns the mode of a place: the body of a webhook is signed and logged as a whole.
    pub(in crate::lower) fn new(place: &Place) -> Self {
        match place.whole {
            Whole::Webhook => Self::Whole,
            _ => Self::Pieces,
        }
    }
}

/// What determines the form of a body in Rust, next to its content.
#[derive(Debug, Clone, Copy)]
pub(in crate::lower) struct Use<'w> {
    pub(in crate::lower) message: Message,
    pub(in crate::lower) taking: Taking,
    /// The words for inline types.
    pub(in crate::lower) words: &'w str,
}

/// Lowers the body of a request.
pub(in crate::lower) fn request(
    lowering: &mut Lowering<'_>,
    body: &RequestBody,
    place: &Place,
) -> Option<Body> {
    let taking = Taking::new(place);
    let place = place.within(body.reusable.as_ref());
    let usage = Use {
        message: Message::Request,
        taking,
        words: "body",
    };
    let payload = payload(lowering, &body.content, &place, usage)?;
    Some(Body {
        payload,
        left_out: left_out(lowering, &body.content),
        name: Name::new("body"),
        optional: !body.required,
        doc: Doc {
            text: body.description.clone(),
            // Examples of a reusable body would be repeated at every use.
            examples: match body.reusable {
                None => examples(&body.content),
                Some(_) => Vec::new(),
            },
            ..Doc::default()
        },
    })
}

/// Lowers a `content` map. Returns `None` if the map is empty.
pub(in crate::lower) fn payload(
    lowering: &mut Lowering<'_>,
    content: &[MediaType],
    place: &Place,
    usage: Use<'_>,
) -> Option<Payload> {
    let mut media: Vec<Media> = Vec::new();
    let watched = lowering.document.watched(content);
    let content = watched.as_deref().unwrap_or(content);
    let left_out = left_out(lowering, content);
    for entry in content {
        if left_out.contains(&entry.name) {
            lowering.document.diagnostics.report(
                codes::MEDIA_TYPE_LEFT_OUT,
                &entry.origin,
                format!(
                    "`{}` is left out: the same content is offered as JSON",
                    entry.name
                ),
            );
            continue;
        }
        if is_xml(&entry.name) && entry.schema.is_some() {
            lowering
                .pending
                .uncoded
                .push((entry.origin.clone(), entry.name.clone()));
        }
        let mut lowered = media_of(lowering, entry, place, usage);
        if usage.taking == Taking::Pieces {
            in_pieces(&mut lowered, entry);
        }
        let known = (media.iter_mut()).find(|known| {
            same(known, &lowered) && !is_choice(usage.message, known, &lowered, content)
        });
        let is_json = lowered.codec == Codec::Json && is_plain_json(&lowered.name);
        match known {
            None => media.push(lowered),
            // The names of JSON without further meaning are the same.
            Some(known) if is_json && known.names().any(is_plain_json) => {}
            Some(known) if known.codec == Codec::Json && usage.message == Message::Error => {}
            Some(known) if known.names().any(|name| name == lowered.name) => {}
            // The plain name is sent.
            Some(known) if is_json && usage.message == Message::Request => {
                let other = std::mem::replace(&mut known.name, lowered.name);
                known.also.insert(0, other);
            }
            Some(known) => known.also.push(lowered.name),
        }
    }
    match media.len() {
        0 => None,
        1 => media.pop().map(Payload::One),
        _ => Some(several(lowering, media, place, content)),
    }
}

/// Returns the media types of a `content` map that have no code. XML has no codec: where the same content is offered
/// as JSON too, JSON is used.
pub(in crate::lower) fn left_out(lowering: &Lowering<'_>, content: &[MediaType]) -> Vec<String> {
    let is_json = |entry: &MediaType| lowering.document.codec(entry) == Codec::Json;
    let xml = content.iter().filter(|entry| is_xml(&entry.name));
    match content.iter().any(is_json) {
        true => xml.map(|entry| entry.name.clone()).collect(),
        false => Vec::new(),
    }
}

/// Lowers a body with several media types to an enum.
fn several(
    lowering: &mut Lowering<'_>,
    media: Vec<Media>,
    place: &Place,
    content: &[MediaType],
) -> Payload {
    let name = Name::new(place.at("content").words);
    let words = variant_words(&media);
    let variants = words.into_iter().map(Name::new).zip(media);
    let mut payload = Payload::Many(Content { name, shared: None }, variants.collect());
    if place.whole == Whole::Part
        && let Some(entry) = content.first()
    {
        lowering.types.share(&entry.origin, &mut payload);
    }
    payload
}

/// Returns the first examples of the first media type with examples.
pub(in crate::lower) fn examples(content: &[MediaType]) -> Vec<String> {
    let first = content.iter().find(|media| !media.examples.is_empty());
    let examples = first.into_iter().flat_map(|media| &media.examples);
    examples.take(2).map(|(_, value)| shown(value)).collect()
}

/// Reports the bodies that are XML only, once for the document, because such documents usually have
/// many of them.
pub(in crate::lower) fn report_uncoded(lowering: &mut Lowering<'_>) {
    let all = std::mem::take(&mut lowering.pending.uncoded);
    let Some((origin, name)) = all.first() else {
        return;
    };
    let message = format!("`{name}` is not supported: the body is bytes");
    let report = lowering
        .document
        .diagnostics
        .report(codes::MEDIA_TYPE_NOT_CODED, origin, message);
    if all.len() > 1 {
        report.note(format!(
            "reported once, at the first of {} places",
            all.len()
        ));
    }
    report.help("offer the same content as JSON, or encode and decode the XML in your code");
}

/// Makes a binary body a stream. Its media type may stay a range, since each value can state its
/// own media type.
fn in_pieces(media: &mut Media, entry: &MediaType) {
    if media.codec != Codec::Bytes || media.ty != TypeRef::Primitive(Primitive::Bytes) {
        return;
    }
    media.codec = Codec::Chunks;
    media.rules = Vec::new();
    if is_writable(&entry.name) {
        media.name = entry.name.trim().to_owned();
    }
}

fn media_of(
    lowering: &mut Lowering<'_>,
    entry: &MediaType,
    place: &Place,
    usage: Use<'_>,
) -> Media {
    let words = usage.words;
    let mut codec = lowering.document.codec(entry);
    if codec == Codec::Multipart && lowering.document.has_nameless_parts(entry) {
        codec = Codec::Bytes;
    }
    let text = TypeRef::Primitive(Primitive::String);
    let bytes = TypeRef::Primitive(Primitive::Bytes);
    let any = Lowered {
        ty: TypeRef::Primitive(Primitive::Json),
        nullable: false,
    };
    let wildcard = entry.name.contains('*');
    let (mut end, mut of_items) = (None, None);
    let ty = match codec {
        Codec::Text if wildcard && usage.message == Message::Request => {
            codec = Codec::Bytes;
            bytes
        }
        Codec::Text => text,
        Codec::Events => {
            let events = lowering.events(entry, &place.part(words, "body"));
            (end, of_items) = (events.end, events.schema);
            events.data
        }
        Codec::Lines | Codec::Sequence => {
            let (ty, schema) = item(lowering, entry, &place.part(words, "body"));
            of_items = schema;
            ty
        }
        Codec::Bytes | Codec::Chunks if !wildcard => bytes,
        Codec::Json | Codec::Form | Codec::Multipart | Codec::Bytes | Codec::Chunks => {
            let lowered = match entry.schema {
                Some(id) => lowering.lower(id, &place.part(words, "body")),
                None if wildcard => Lowered {
                    ty: bytes.clone(),
                    nullable: false,
                },
                None => any,
            };
            let ty = presence::item_type(lowered);
            let is_request = usage.message == Message::Request;
            match lowering.types.primitive(&ty) {
                Some(Primitive::Bytes | Primitive::Binary) if wildcard || codec == Codec::Json => {
                    codec = Codec::Bytes;
                    bytes
                }
                // A request of any type is bytes with a type of its own.
                Some(Primitive::String | Primitive::Base64) if wildcard && is_request => {
                    codec = Codec::Bytes;
                    bytes
                }
                Some(Primitive::Base64) if wildcard => {
                    codec = Codec::Bytes;
                    TypeRef::Primitive(Primitive::Base64)
                }
                Some(Primitive::String) if wildcard => {
                    codec = Codec::Text;
                    ty
                }
                _ if wildcard => {
                    codec = Codec::Json;
                    ty
                }
                _ => ty,
            }
        }
    };
    let ty = if matches!(codec, Codec::Form | Codec::Multipart) {
        fields(lowering, entry, ty)
    } else {
        ty
    };
    // The items of a stream are checked one by one, by the schemas of their types.
    let ruled = match codec.is_items() && ty.is_foreign(&lowering.types.defs) {
        true => of_items,
        false => entry.schema,
    };
    let document = &mut lowering.document;
    let rules = ruled.map(|id| document.rules(id)).unwrap_or_default();
    let is_text = codec == Codec::Events && of_items.is_some_and(|id| document.is_text_data(id));
    let is_raw = matches!(codec, Codec::Bytes | Codec::Text) && wildcard;
    let rules = match codec {
        Codec::Bytes if wildcard => Vec::new(),
        _ => rules,
    };
    let mut media = Media {
        name: match is_writable(&entry.name) && is_raw {
            // The sender of bytes or text chooses one of the range.
            true => entry.name.trim().to_owned(),
            false => concrete(&entry.name, codec),
        },
        also: Vec::new(),
        codec,
        ty,
        parts: Vec::new(),
        end,
        is_text,
        rules,
    };
    encoding::lower(lowering, entry, &mut media);
    media
}

/// Returns the type and the schema of an item in a body that is a sequence of JSON texts.
///
/// `itemSchema` (OpenAPI 3.2) is the schema of an item. Documents of earlier versions use `schema`
/// for an item, or for a list of items.
fn item(lowering: &mut Lowering<'_>, entry: &MediaType, place: &At) -> (TypeRef, Option<SchemaId>) {
    let Some(id) = entry.item_schema.or(entry.schema) else {
        return (TypeRef::Primitive(Primitive::Json), None);
    };
    let lowered = lowering.lower(id, place);
    match presence::item_type(lowered) {
        TypeRef::Vec(item) if entry.item_schema.is_none() => {
            (*item, lowering.document.shape(id).items)
        }
        ty => (ty, Some(id)),
    }
}

/// Returns the type of a form, which has fields: a type other than an object is read as a map of
/// any values.
fn fields(lowering: &mut Lowering<'_>, entry: &MediaType, ty: TypeRef) -> TypeRef {
    if lowering.types.has_fields(&ty) {
        return ty;
    }
    if entry.schema.is_some() && ty != TypeRef::Primitive(Primitive::Json) {
        lowering
            .document
            .diagnostics
            .report(
                codes::FORM_WITHOUT_FIELDS,
                &entry.origin,
                format!("a body of `{}` needs an object schema", entry.name),
            )
            .help("make the schema an object whose properties are the fields of the form");
    }
    TypeRef::Map(Box::new(TypeRef::Primitive(Primitive::Json)))
}

impl Document<'_> {
    /// Returns whether a multipart body has parts that are distinguished by their order:
    /// `itemSchema` (OpenAPI 3.2), or a list as its schema. Such bodies have no codec.
    fn has_nameless_parts(&mut self, entry: &MediaType) -> bool {
        let is_list = |schema: &Schema| {
            schema.types.without(Types::NULL) == Types::ARRAY && schema.reference.is_none()
        };
        let is_list = entry.schema.is_some_and(|id| is_list(self.schema(id)));
        let nameless =
            entry.item_schema.is_some() || is_list && essence(&entry.name) != "multipart/form-data";
        if nameless {
            let message = format!(
                "the parts of `{}` have no names: the body is bytes",
                entry.name
            );
            self.diagnostics
                .report(codes::PARTS_NOT_CODED, &entry.origin, message)
                .help("use `multipart/form-data` with an object schema, or read and write the parts in your code");
        }
        nameless
    }
}

impl TypeTable {
    /// Returns the primitive type that a type is, or has a name of its own for.
    fn primitive<'t>(&'t self, mut ty: &'t TypeRef) -> Option<&'t Primitive> {
        for _ in 0..16 {
            match ty {
                TypeRef::Primitive(primitive) => return Some(primitive),
                TypeRef::Named(id) => match &self.defs[id.0 as usize].kind {
                    TypeKind::Alias(inner) | TypeKind::Newtype(inner, _) => ty = inner,
                    _ => return None,
                },
                _ => return None,
            }
        }
        None
    }

    fn has_fields(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Map(_) => true,
            TypeRef::Option(ty) | TypeRef::Boxed(ty) => self.has_fields(ty),
            TypeRef::Replaced(replaced) => replaced
                .schema
                .as_ref()
                .is_some_and(|ty| self.has_fields(ty)),
            TypeRef::Named(id) => match &self.defs[id.0 as usize].kind {
                TypeKind::Object(_) | TypeKind::Pending => true,
                TypeKind::Union(union) => union.variants.iter().all(|v| self.has_fields(&v.ty)),
                TypeKind::Alias(ty) | TypeKind::Newtype(ty, _) => self.has_fields(ty),
                TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) => false,
            },
            _ => false,
        }
    }
}
