//! Server-sent events: the type of their data, and the end of a stream.

use crate::ir::{Codec, Object, Primitive, TypeKind, TypeRef};
use crate::model::{Extensions, MediaType};
use crate::source::Value;

use super::Lowering;

/// The extension key for the data that ends a stream, and a key of other tools.
pub(super) const END: &str = "x-bothends-stream-end";
const SENTINEL: &str = "x-speakeasy-sse-sentinel";

/// Returns the data of the event that ends a stream: empty if only the end of the body ends the
/// stream, `None` if the document does not declare it. Clients then end the stream at the usual
/// `[DONE]`, which is not valid JSON. In a stream of texts it could be data, so the default there
/// is the end of the body.
pub(super) fn end(
    lowering: &Lowering<'_>,
    entry: &MediaType,
    codec: Codec,
    ty: &TypeRef,
) -> Option<String> {
    if codec != Codec::Events {
        return None;
    }
    let texts = || lowering.takes_text(ty, 0).then(String::new);
    stated(&entry.extensions).or_else(texts)
}

/// Returns the value in the document: a text, or `false` for no end event.
fn stated(extensions: &Extensions) -> Option<String> {
    let find = |name: &str| extensions.iter().find(|(key, _)| key == name);
    match find(END) {
        Some((_, Value::String(end))) if is_end(end) => return Some(end.clone()),
        Some((_, Value::Bool(false))) => return Some(String::new()),
        _ => {}
    }
    match find(SENTINEL) {
        Some((_, Value::String(end))) if is_end(end) => Some(end.clone()),
        _ => None,
    }
}

/// Returns whether a text is valid as the data of the last event: one line, and not empty.
pub(super) fn is_end(text: &str) -> bool {
    !text.trim().is_empty() && text.trim() == text && !text.contains(['\n', '\r', '\0'])
}

impl Lowering<'_> {
    /// Returns the type of the data, given the type of a whole event with the fields of the
    /// standard. If events of different names have data of different types, the result is any JSON.
    pub(super) fn event_data(&self, ty: TypeRef) -> TypeRef {
        let TypeRef::Named(id) = &ty else { return ty };
        match &self.types[id.0 as usize].kind {
            TypeKind::Object(object) => data_of(object).unwrap_or(ty),
            TypeKind::Union(union) => {
                let events = union.variants.iter().map(|variant| match &variant.ty {
                    TypeRef::Named(id) => match &self.types[id.0 as usize].kind {
                        TypeKind::Object(object) if is_event(object) => Some(data_of(object)),
                        _ => None,
                    },
                    _ => None,
                });
                let Some(events) = events.collect::<Option<Vec<_>>>() else {
                    return ty;
                };
                let mut data = events.into_iter().flatten();
                let first = data.next();
                match first {
                    Some(first) if data.all(|other| other == first) => first,
                    _ => TypeRef::Primitive(Primitive::Json),
                }
            }
            _ => ty,
        }
    }

    /// Returns whether a text may be a value of a type.
    fn takes_text(&self, ty: &TypeRef, depth: usize) -> bool {
        match ty {
            TypeRef::Primitive(primitive) => !matches!(
                primitive,
                Primitive::Json | Primitive::Bool | Primitive::Number(_)
            ),
            TypeRef::Option(ty) | TypeRef::Nullable(ty) | TypeRef::Boxed(ty) => {
                self.takes_text(ty, depth)
            }
            TypeRef::Named(id) if depth < 16 => match &self.types[id.0 as usize].kind {
                TypeKind::StringEnum(_) => true,
                TypeKind::Alias(ty) | TypeKind::Newtype(ty, _) => self.takes_text(ty, depth + 1),
                TypeKind::Union(union) => {
                    let mut variants = union.variants.iter();
                    variants.any(|variant| self.takes_text(&variant.ty, depth + 1))
                }
                _ => false,
            },
            _ => false,
        }
    }
}

/// Returns the type of the property `data`. JSON in it is not encoded as a string.
fn data_of(object: &Object) -> Option<TypeRef> {
    let field = object
        .fields
        .iter()
        .find(|field| field.name.wire == "data")?;
    let data = match &field.ty {
        TypeRef::Option(data) => &**data,
        data => data,
    };
    Some(match data {
        TypeRef::JsonText(content) => (**content).clone(),
        data => data.clone(),
    })
}

/// Returns whether all properties of an object are fields of an event (HTML, 9.2.6).
fn is_event(object: &Object) -> bool {
    let known = ["data", "event", "id", "retry"];
    let mut names = object.fields.iter().map(|field| field.name.wire.as_str());
    !object.fields.is_empty() && names.all(|name| known.contains(&name))
}
