//! Server-sent events: the type of their data, and the end of a stream.

use std::collections::HashSet;

use crate::ir::{Name, Primitive, TypeKind, TypeRef, Union, UnionVariant};
use crate::model::{Extensions, MediaType, Schema, SchemaId, Types};
use crate::source::Value;
use crate::vocabulary::STREAM_END;

use crate::lower::schema::doc_of;
use crate::lower::schema::presence;
use crate::lower::schema::tags::Listed;
use crate::lower::{At, Document, Lowered, Lowering, TypeTable};

/// The extension key of other tools for the data that ends a stream.
const SENTINEL: &str = "x-speakeasy-sse-sentinel";

/// Returns the value in the document: a text, or `false` for no end event.
fn stated(extensions: &Extensions) -> Option<String> {
    let find = |name: &str| extensions.iter().find(|(key, _)| key == name);
    match find(STREAM_END) {
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
pub(in crate::lower) fn is_end(text: &str) -> bool {
    !text.trim().is_empty() && text.trim() == text && !text.contains(['\n', '\r', '\0'])
}

/// The events of one kind.
struct EventKind {
    /// The schema of the event.
    schema: SchemaId,
    /// The names of the events; empty if any name is valid.
    names: Vec<String>,
    /// The schema of the data.
    data: Option<SchemaId>,
}

/// What a document states about a stream of events.
pub(in crate::lower) struct Events {
    /// The type of the data.
    pub(in crate::lower) data: TypeRef,
    /// The schema of the data, if all events have the same.
    pub(in crate::lower) schema: Option<SchemaId>,
    /// The data of the event that ends the stream: empty if only the end of the body ends it, `None` if
    /// the document does not declare it.
    pub(in crate::lower) end: Option<String>,
}

/// The fields of an event (HTML, 9.2.6).
const FIELDS: [&str; 4] = ["data", "event", "id", "retry"];

/// The name of an event that states none (HTML, 9.2.6).
const UNNAMED: &str = "message";

/// The data by which many services end a stream of JSON.
const DONE: &str = "[DONE]";

/// The maximum nesting of choices of events, and the maximum number of their kinds.
const MOST: (usize, usize) = (8, 1000);

impl Lowering<'_> {
    /// Returns the events of a body. If the document does not declare an end, clients end the stream at
    /// the usual `[DONE]`, which is not valid JSON. In a stream of texts it could be data, so the
    /// default there is the end of the body.
    ///
    /// `itemSchema` (OpenAPI 3.2) is the schema of an event, whose property `data` is the data.
    /// `schema` is the schema of the data, unless all of its properties are fields of an event.
    pub(in crate::lower) fn events(&mut self, entry: &MediaType, place: &At) -> Events {
        let mut end = stated(&entry.extensions);
        let text = TypeRef::Primitive(Primitive::String);
        let (ty, schema) = match entry.item_schema.or(entry.schema) {
            None => (text, None),
            Some(id) => match self.document.event_kinds(id, entry.item_schema.is_some()) {
                Some(mut kinds) => {
                    let count = kinds.len();
                    kinds.retain(|kind| !self.document.is_end_event(kind));
                    if kinds.len() < count && end.is_none() {
                        end = Some(DONE.to_owned());
                    }
                    self.data_of_kinds(id, kinds, place)
                }
                None => {
                    let lowered = self.lower(id, place);
                    (
                        self.types.text_content(presence::item_type(lowered)),
                        Some(id),
                    )
                }
            },
        };
        let end = end.or_else(|| self.types.takes_text(&ty, 0).then(String::new));
        Events {
            data: ty,
            schema,
            end,
        }
    }

    /// Returns the type of the data of all kinds of events, and its schema.
    fn data_of_kinds(
        &mut self,
        id: SchemaId,
        kinds: Vec<EventKind>,
        place: &At,
    ) -> (TypeRef, Option<SchemaId>) {
        let mut all: Vec<SchemaId> = Vec::new();
        for data in kinds.iter().filter_map(|kind| kind.data) {
            if !all
                .iter()
                .any(|known| self.document.is_same_data(*known, data))
            {
                all.push(data);
            }
        }
        let has_all_data = kinds.iter().all(|kind| kind.data.is_some());
        match all[..] {
            [] => (TypeRef::Primitive(Primitive::String), None),
            [only] if has_all_data || kinds.len() == 1 => (self.data_type(only, place), Some(only)),
            _ if are_distinguishable(&kinds) => (self.by_event(id, kinds, place), None),
            _ => {
                let origin = self.document.schema(id).origin.clone();
                let choice = self.document.add_schema(Schema {
                    origin,
                    one_of: all,
                    ..Schema::default()
                });
                (self.data_type(choice, place), Some(choice))
            }
        }
    }

    /// Returns a union whose variant is selected by the name of the event.
    fn by_event(&mut self, id: SchemaId, kinds: Vec<EventKind>, place: &At) -> TypeRef {
        let schema = self.document.schema(id);
        let (origin, doc) = (schema.origin.clone(), doc_of(schema, true));
        let extensions = schema.extensions.clone();
        let ty = self.types.reserve(place, &origin, doc);
        let mut variants = Vec::with_capacity(kinds.len());
        for kind in kinds {
            let takes_others = kind.names.is_empty();
            let mut tags = kind.names;
            if takes_others {
                tags.push(UNNAMED.to_owned());
            }
            let name = Name::new(tags[0].clone());
            let data = match kind.data {
                Some(data) => self.data_type(data, &self.types.at_type(ty, &name.wire)),
                None => TypeRef::Primitive(Primitive::String),
            };
            variants.push(UnionVariant {
                doc: doc_of(self.document.schema(kind.schema), false),
                name,
                ty: data,
                tags,
                takes_others,
                rules: kind
                    .data
                    .map(|data| self.document.rules(data))
                    .unwrap_or_default(),
            });
        }
        self.types.note_openness(&extensions, ty);
        self.types.defs[ty.0 as usize].kind = TypeKind::Union(Union {
            tag: Some("event".to_owned()),
            by_event: true,
            variants,
            several: false,
            fallback: None,
        });
        TypeRef::Named(ty)
    }

    fn data_type(&mut self, data: SchemaId, place: &At) -> TypeRef {
        let lowered = self.lower(data, place);
        self.types.text_content(presence::item_type(Lowered {
            nullable: false,
            ..lowered
        }))
    }
}

impl Document<'_> {
    /// Returns the kinds of events that a schema describes; `None` if it describes data.
    fn event_kinds(&mut self, id: SchemaId, is_item: bool) -> Option<Vec<EventKind>> {
        let mut kinds = Vec::new();
        self.add_event_kinds(id, is_item, (0, &mut kinds))?;
        let has_data = kinds.iter().any(|kind| kind.data.is_some());
        (is_item || has_data).then_some(kinds)
    }

    fn add_event_kinds(
        &mut self,
        id: SchemaId,
        is_item: bool,
        (depth, kinds): (usize, &mut Vec<EventKind>),
    ) -> Option<()> {
        if depth > MOST.0 || kinds.len() >= MOST.1 {
            return None;
        }
        let mut shape = self.shape(id);
        self.drop_idle_choices(&mut shape);
        if !shape.choices.is_empty() {
            let [choice] = &shape.choices[..] else {
                return None;
            };
            let written = choice.alternatives.clone();
            let base = self.around(&shape);
            for written in written {
                let first = kinds.len();
                let schema = match base {
                    None => written,
                    Some(base) => self.alternative(base, written, &shape),
                };
                self.add_event_kinds(schema, is_item, (depth + 1, kinds))?;
                if let (Some(by), [kind]) = (&shape.discriminator, &mut kinds[first..])
                    && by.property == "event"
                {
                    let mapped = self.stated_tags(self.stood_for(written), by);
                    if !mapped.is_empty() {
                        kind.names = mapped;
                    }
                }
            }
            return Some(());
        }
        if let (Types::ARRAY, Some(items), false) = (shape.types, shape.items, is_item) {
            return self.add_event_kinds(items, is_item, (depth + 1, kinds));
        }
        let names = match shape.properties.get("event").map(|id| self.texts_of(*id)) {
            Some(Listed::Values(names)) => names,
            _ => Vec::new(),
        };
        let data = shape.properties.get("data").copied();
        let mut properties = shape.properties.keys();
        let only_fields =
            !shape.properties.is_empty() && properties.all(|name| FIELDS.contains(&name.as_str()));
        let is_event = match data {
            Some(_) => is_item || only_fields,
            None => only_fields && (is_item || !names.is_empty()),
        };
        let schema = id;
        is_event.then(|| {
            kinds.push(EventKind {
                schema,
                names,
                data,
            });
        })
    }

    /// Returns whether the only data of an event is `[DONE]`.
    fn is_end_event(&mut self, kind: &EventKind) -> bool {
        let values = kind.data.and_then(|data| self.shape(data).enumeration);
        matches!(values.as_deref(), Some([Value::String(end)]) if end == DONE)
    }

    /// Returns whether the data of two kinds of events has the same type, of which no second one is
    /// needed.
    fn is_same_data(&mut self, left: SchemaId, right: SchemaId) -> bool {
        let (left, right) = (self.stood_for(left), self.stood_for(right));
        left == right || self.is_text_data(left) && self.is_text_data(right)
    }

    /// Returns whether the data of events is any text.
    pub(in crate::lower) fn is_text_data(&mut self, id: SchemaId) -> bool {
        let shape = self.shape(id);
        shape.types == Types::STRING
            && shape.enumeration.is_none()
            && shape.format.is_none()
            && shape.content_schema.is_none()
            && shape.choices.is_empty()
    }
}

impl TypeTable {
    /// Returns the content of a string of JSON: the data of an event is a text already. A string in
    /// JSON keeps its quotes.
    fn text_content(&self, ty: TypeRef) -> TypeRef {
        match ty {
            TypeRef::JsonText(content) if !self.takes_text(&content, 0) => *content,
            ty => ty,
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
            TypeRef::Replaced(replaced) => {
                (replaced.schema.iter()).any(|schema| self.takes_text(schema, depth))
            }
            TypeRef::Named(id) if depth < 16 => match &self.defs[id.0 as usize].kind {
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

/// Returns whether the names of events select the kind of event: all names are distinct, and at most
/// one kind is for events with any other name.
fn are_distinguishable(kinds: &[EventKind]) -> bool {
    let others =
        |kind: &&EventKind| kind.names.is_empty() || kind.names.iter().any(|name| name == UNNAMED);
    let names = kinds.iter().flat_map(|kind| &kind.names);
    let mut seen = HashSet::new();
    let mut distinct = names.map(|name| seen.insert(name));
    distinct.all(|is_new| is_new)
        && kinds.iter().any(|kind| !kind.names.is_empty())
        && kinds.iter().filter(others).count() <= 1
}
