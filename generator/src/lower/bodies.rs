//! Request and response bodies: which media types, how each is coded, and as what type.

use crate::diagnostic::codes;
use crate::dialect::shown;
use crate::ir::{
    Body, Codec, Content, Doc, Media, Module, Name, Parent, Payload, Primitive, TypeKind, TypeRef,
};
use crate::model::{MediaType, RequestBody, Schema, Types};

use super::operations::Place;
use super::{At, Lowered, Lowering, encoding, events, presence};

/// How bytes are taken.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Taking {
    /// All at once.
    Whole,
    /// As they come.
    Pieces,
}

impl Taking {
    /// How those of a place are: what a webhook holds is signed and logged as a whole.
    pub(super) fn of(place: &Place) -> Self {
        match place.module {
            Module::Webhooks => Self::Whole,
            _ => Self::Pieces,
        }
    }
}

/// The body of a request.
pub(super) fn request(
    lowering: &mut Lowering<'_>,
    body: &RequestBody,
    place: &Place,
) -> Option<Body> {
    let taking = Taking::of(place);
    let place = place.within(body.reusable.as_ref());
    let payload = payload(lowering, &body.content, &place, ("body", taking))?;
    Some(Body {
        payload,
        name: Name::new("body"),
        optional: !body.required,
        doc: Doc {
            text: body.description.clone(),
            // One of something reusable would stand at every use.
            examples: match body.reusable {
                None => examples(&body.content),
                Some(_) => Vec::new(),
            },
            ..Doc::default()
        },
    })
}

/// What a `content` map holds; `None` when it is empty.
pub(super) fn payload(
    lowering: &mut Lowering<'_>,
    content: &[MediaType],
    place: &Place,
    (words, taking): (&str, Taking),
) -> Option<Payload> {
    let mut media: Vec<Media> = Vec::new();
    let structured = content
        .iter()
        .any(|entry| codec_of(&entry.name) == Codec::Json);
    for entry in content {
        // XML is not coded yet: where the same content is offered as JSON too, that is taken.
        if structured && is_xml(&entry.name) {
            lowering.diagnostics.report(
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
                .uncoded
                .push((entry.origin.clone(), entry.name.clone()));
        }
        let mut lowered = one(lowering, entry, place, words);
        if taking == Taking::Pieces {
            in_pieces(&mut lowered, entry);
        }
        let known = media.iter_mut().find(|known| same(known, &lowered));
        match known {
            None => media.push(lowered),
            // Whatever is JSON is read as such.
            Some(known) if known.codec == Codec::Json => {}
            Some(known) if known.names().any(|name| name == lowered.name) => {}
            Some(known) => known.also.push(lowered.name),
        }
    }
    match media.len() {
        0 => None,
        1 => media.pop().map(Payload::One),
        _ => Some(several(lowering, media, place, content)),
    }
}

/// An enum of media types.
fn several(
    lowering: &mut Lowering<'_>,
    media: Vec<Media>,
    place: &Place,
    content: &[MediaType],
) -> Payload {
    let name = Name::new(place.at("content").words);
    let variants = media.into_iter();
    let variants = variants.map(|media| (Name::new(variant_words(&media)), media));
    let mut payload = Payload::Many(Content { name, shared: None }, variants.collect());
    if place.parent == Parent::Reusable
        && let Some(entry) = content.first()
    {
        lowering.share(&entry.origin, &mut payload);
    }
    payload
}

/// The first examples of the first media type that has any.
pub(super) fn examples(content: &[MediaType]) -> Vec<String> {
    let first = content.iter().find(|media| !media.examples.is_empty());
    let examples = first.into_iter().flat_map(|media| &media.examples);
    examples.take(2).map(|(_, value)| shown(value)).collect()
}

/// Tells of the bodies that are XML alone, once for the document: who has one has many.
pub(super) fn tell_uncoded(lowering: &mut Lowering<'_>) {
    let all = std::mem::take(&mut lowering.uncoded);
    let Some((origin, name)) = all.first() else {
        return;
    };
    let message = format!("`{name}` is not supported: the body is bytes");
    let told = lowering
        .diagnostics
        .report(codes::MEDIA_TYPE_NOT_CODED, origin, message);
    if all.len() > 1 {
        told.note(format!(
            "reported once, at the first of {} places",
            all.len()
        ));
    }
    told.help("offer the same content as JSON, or encode and decode the XML in your code");
}

/// Bytes that may come in pieces, where that is what there is; their media type may stay a range,
/// since each value can say its own.
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

/// Whether two media types are one to whoever has the value: of texts, each is something else.
fn same(known: &Media, other: &Media) -> bool {
    let alike = known.codec != Codec::Text || essence(&known.name) == essence(&other.name);
    known.codec == other.codec && known.ty == other.ty && known.parts == other.parts && alike
}

fn one(lowering: &mut Lowering<'_>, entry: &MediaType, place: &Place, words: &str) -> Media {
    let mut codec = codec_of(&entry.name);
    if codec == Codec::Multipart && lowering.has_nameless_parts(entry) {
        codec = Codec::Bytes;
    }
    let text = TypeRef::Primitive(Primitive::String);
    let bytes = TypeRef::Primitive(Primitive::Bytes);
    let any = Lowered {
        ty: TypeRef::Primitive(Primitive::Json),
        nullable: false,
    };
    let wildcard = entry.name.contains('*');
    let ty = match codec {
        Codec::Text => text,
        Codec::Lines | Codec::Sequence | Codec::Events => {
            item(lowering, entry, &place.part(words, "body"), codec)
        }
        Codec::Bytes | Codec::Chunks if !wildcard => bytes,
        Codec::Json | Codec::Form | Codec::Multipart | Codec::Bytes | Codec::Chunks => {
            let lowered = match entry.schema {
                Some(id) => lowering.lower(id, &place.part(words, "body")),
                None if wildcard => Lowered {
                    ty: bytes,
                    nullable: false,
                },
                None => any,
            };
            let ty = presence::item_type(lowered);
            match ty {
                TypeRef::Primitive(Primitive::Bytes | Primitive::Binary)
                    if wildcard || codec == Codec::Json =>
                {
                    codec = Codec::Bytes;
                    TypeRef::Primitive(Primitive::Bytes)
                }
                TypeRef::Primitive(Primitive::String) if wildcard => {
                    codec = Codec::Text;
                    ty
                }
                ty if wildcard => {
                    codec = Codec::Json;
                    ty
                }
                ty => ty,
            }
        }
    };
    let ty = if matches!(codec, Codec::Form | Codec::Multipart) {
        fields(lowering, entry, ty)
    } else {
        ty
    };
    let rules = entry
        .schema
        .map(|id| lowering.rules(id))
        .unwrap_or_default();
    let end = events::end(lowering, entry, codec, &ty);
    let mut media = Media {
        name: concrete(&entry.name, codec),
        also: Vec::new(),
        codec,
        ty,
        parts: Vec::new(),
        end,
        rules,
    };
    encoding::lower(lowering, entry, &mut media);
    media
}

/// The items of a body that comes item by item.
///
/// `itemSchema` (OpenAPI 3.2) is an item. Before there was one, documents put the schema of an item
/// into `schema`, or a list of them; of events, that of their data.
fn item(lowering: &mut Lowering<'_>, entry: &MediaType, place: &At, codec: Codec) -> TypeRef {
    let any = match codec {
        Codec::Events => Primitive::String,
        _ => Primitive::Json,
    };
    let Some(id) = entry.item_schema.or(entry.schema) else {
        return TypeRef::Primitive(any);
    };
    let lowered = lowering.lower(id, place);
    match presence::item_type(lowered) {
        TypeRef::Vec(item) if entry.item_schema.is_none() && codec != Codec::Events => *item,
        ty if entry.item_schema.is_some() && codec == Codec::Events => lowering.event_data(ty),
        // The data of an event is a text as it is, so JSON in it needs no second text around.
        TypeRef::JsonText(content) if codec == Codec::Events => *content,
        ty => ty,
    }
}

/// Forms have fields: what is no object is taken as a map of whatever comes.
fn fields(lowering: &mut Lowering<'_>, entry: &MediaType, ty: TypeRef) -> TypeRef {
    if lowering.has_fields(&ty) {
        return ty;
    }
    if entry.schema.is_some() && ty != TypeRef::Primitive(Primitive::Json) {
        lowering
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

impl Lowering<'_> {
    /// Whether a multipart body has parts that are told apart by their order: `itemSchema` (OpenAPI
    /// 3.2), or a list for a schema. They are not coded.
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

    fn has_fields(&self, ty: &TypeRef) -> bool {
        match ty {
            TypeRef::Map(_) => true,
            TypeRef::Option(ty) | TypeRef::Boxed(ty) => self.has_fields(ty),
            TypeRef::Named(id) => match &self.types[id.0 as usize].kind {
                TypeKind::Object(_) | TypeKind::Pending => true,
                TypeKind::Union(union) => union.variants.iter().all(|v| self.has_fields(&v.ty)),
                TypeKind::Alias(ty) | TypeKind::Newtype(ty, _) => self.has_fields(ty),
                TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) => false,
            },
            _ => false,
        }
    }
}

/// The media type without parameters, in lower case.
pub(super) fn essence(media: &str) -> String {
    media
        .split(';')
        .next()
        .unwrap_or_default()
        .trim()
        .to_ascii_lowercase()
}

pub(super) fn is_xml(media: &str) -> bool {
    let media = essence(media);
    media == "application/xml" || media == "text/xml" || media.ends_with("+xml")
}

/// How a media type is coded (RFC 6839 for the suffixes).
pub(super) fn codec_of(media: &str) -> Codec {
    let media = essence(media);
    match media.as_str() {
        "application/json" | "text/json" => Codec::Json,
        "application/x-www-form-urlencoded" => Codec::Form,
        "text/event-stream" => Codec::Events,
        "application/jsonl"
        | "application/jsonlines"
        | "application/x-jsonlines"
        | "application/x-jsonl"
        | "application/ndjson"
        | "application/x-ndjson"
        | "application/json-lines"
        | "application/stream+json" => Codec::Lines,
        "application/json-seq" => Codec::Sequence,
        media if media.ends_with("+json-seq") => Codec::Sequence,
        "application/xml" | "application/yaml" | "application/x-yaml" => Codec::Text,
        media if media.ends_with("+json") => Codec::Json,
        media if media.starts_with("multipart/") => Codec::Multipart,
        media if media.starts_with("text/") || media.ends_with("+xml") => Codec::Text,
        _ => Codec::Bytes,
    }
}

/// Whether it can stand in a header, in a list with commas.
pub(super) fn is_writable(media: &str) -> bool {
    let visible = |byte: u8| (b' '..=b'~').contains(&byte) && byte != b',';
    media.bytes().all(visible) && media.contains('/')
}

/// What is written as `Content-Type`: never a range, never more than a header may hold.
fn concrete(media: &str, codec: Codec) -> String {
    if is_writable(media) && !media.contains('*') {
        return media.trim().to_owned();
    }
    match codec {
        Codec::Json => "application/json",
        Codec::Form => "application/x-www-form-urlencoded",
        Codec::Multipart => "multipart/form-data",
        Codec::Text => "text/plain",
        Codec::Lines => "application/jsonl",
        Codec::Sequence => "application/json-seq",
        Codec::Events => "text/event-stream",
        Codec::Bytes | Codec::Chunks => "application/octet-stream",
    }
    .to_owned()
}

/// Words for the variant of a media type.
fn variant_words(media: &Media) -> String {
    let essence = essence(&concrete(&media.name, media.codec));
    match essence.as_str() {
        "application/json" => "json".to_owned(),
        "application/x-www-form-urlencoded" => "form".to_owned(),
        "multipart/form-data" => "multipart".to_owned(),
        "text/plain" => "text".to_owned(),
        "text/event-stream" => "events".to_owned(),
        "application/octet-stream" => "bytes".to_owned(),
        other => {
            let words = other.strip_prefix("application/").unwrap_or(other);
            words.strip_prefix("vnd.").unwrap_or(words).to_owned()
        }
    }
}
