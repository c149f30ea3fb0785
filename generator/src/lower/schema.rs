//! The form of a schema in Rust: a type of its own, or a reference to a type.

use crate::diagnostic::codes;
use crate::ir::{Doc, Primitive, TypeDef, TypeId, TypeKind, TypeRef};
use crate::model::{Schema, SchemaId, Types};
use crate::source::Value;

use super::annotation::is_annotation;
use super::presence;
use super::shape::{Additional, Shape};
use super::{At, Lowered, Lowering, Memo, scalar};

/// The maximum nesting of inline schemas. A file has no more than 128 levels; deeper schemas are
/// the result of merging.
const DEEPEST: usize = 160;
/// From this depth on, types are defined after their enclosing types, so that merged types of any
/// depth need no more stack.
const DEEPEST_DEFINED: usize = 48;

/// The class of a schema, for its users.
pub(super) enum Class {
    /// Another name for another schema. `true`: null is valid too.
    Same(SchemaId, bool),
    /// A type that needs a definition.
    Defined(Shape),
    /// An inline type without a definition.
    Plain(Shape),
}

impl Lowering<'_> {
    /// Lowers a schema that is used at `at`.
    pub(crate) fn lower(&mut self, id: SchemaId, at: &At) -> Lowered {
        if let Some(ty) = self.named.get(&id) {
            let ty = TypeRef::Named(*ty);
            let nullable = self.is_nullable(id);
            return Lowered { ty, nullable };
        }
        match &self.memo[id.0 as usize] {
            Memo::Done(lowered) => return lowered.clone(),
            Memo::Running => return self.endless(id),
            Memo::New => {}
        }
        if self.depth > DEEPEST {
            return self.too_deep(id);
        }
        self.memo[id.0 as usize] = Memo::Running;
        let lowered = self.within(|lowering| lowering.lower_inline(id, at));
        self.memo[id.0 as usize] = Memo::Done(lowered.clone());
        lowered
    }

    /// Lowers an inner part. The outermost call then defines the types that were nested too deeply.
    pub(super) fn within<T>(&mut self, of: impl FnOnce(&mut Self) -> T) -> T {
        self.depth += 1;
        let result = of(self);
        if self.depth == 1 {
            while let Some((id, shape, ty)) = self.waiting.pop_front() {
                let kind = self.define(id, shape, ty);
                self.types[ty.0 as usize].kind = kind;
            }
        }
        self.depth -= 1;
        result
    }

    fn too_deep(&mut self, id: SchemaId) -> Lowered {
        let origin = self.schema(id).origin.clone();
        self.diagnostics
            .report(
                codes::UNFOLDS_TOO_FAR,
                &origin,
                "schemas without names are within each other too deeply here",
            )
            .help("give some of them names under the reusable schemas");
        Lowered {
            ty: TypeRef::Primitive(Primitive::Json),
            nullable: false,
        }
    }

    fn lower_inline(&mut self, id: SchemaId, at: &At) -> Lowered {
        match self.classify(id) {
            Class::Same(target, null) => {
                let lowered = self.lower(target, at);
                Lowered {
                    nullable: lowered.nullable || null,
                    ..lowered
                }
            }
            Class::Plain(shape) => {
                let nullable = shape.nullable;
                Lowered {
                    ty: self.plain(id, &shape, at),
                    nullable,
                }
            }
            Class::Defined(shape) => {
                let nullable = self.allows_null(&shape);
                let schema = self.schema(id);
                let (doc, wanted) = (doc_of(schema, true), wanted_name(schema));
                let ty = self.reserve(at, &shape.origin, doc);
                self.types[ty.0 as usize].name.wanted = wanted;
                // Stored before the parts are lowered, because an inline schema may refer to
                // itself.
                let lowered = Lowered {
                    ty: TypeRef::Named(ty),
                    nullable,
                };
                self.memo[id.0 as usize] = Memo::Done(lowered.clone());
                if self.depth > DEEPEST_DEFINED {
                    self.waiting.push_back((id, shape, ty));
                } else {
                    let kind = self.define(id, shape, ty);
                    self.types[ty.0 as usize].kind = kind;
                }
                lowered
            }
        }
    }

    /// Converts a reusable schema, whose id is already reserved.
    pub(super) fn convert(&mut self, id: SchemaId, ty: TypeId) -> TypeKind {
        match self.classify(id) {
            Class::Same(target, null) => {
                let at = self.at_type(ty, "");
                let lowered = self.lower(target, &at);
                if lowered.ty == TypeRef::Named(ty) {
                    let _ = self.endless(id);
                    return TypeKind::Alias(TypeRef::Primitive(Primitive::Json));
                }
                let _ = null; // Null belongs to the use of a name, not to the name.
                TypeKind::Alias(lowered.ty)
            }
            Class::Plain(shape) => {
                let at = self.at_type(ty, "");
                let plain = self.plain(id, &shape, &at);
                if deserves_newtype(&shape, &plain) {
                    self.types[ty.0 as usize].rules = self.plain_rules(&shape, Some(&plain));
                    TypeKind::Newtype(plain, true)
                } else {
                    TypeKind::Alias(plain)
                }
            }
            Class::Defined(shape) => self.define(id, shape, ty),
        }
    }

    /// Returns a place inside a type.
    pub(super) fn at_type(&self, ty: TypeId, word: &str) -> At {
        At::inside(ty, self.types[ty.0 as usize].module, word)
    }

    pub(super) fn classify(&mut self, id: SchemaId) -> Class {
        if let Some(target) = self.stands_for(id) {
            let schema = self.schema(id);
            return Class::Same(
                target,
                schema.nullable || schema.types.contains(Types::NULL),
            );
        }
        if let Some((target, null)) = self.single.get(&id) {
            return Class::Same(*target, *null);
        }
        let mut shape = self.shape(id);
        if self.children.contains_key(&id) && shape.choices.is_empty() {
            return Class::Defined(shape);
        }
        self.drop_idle_choices(&mut shape);
        if let [only] = &shape.choices[..]
            && let Some((target, null)) = self.single_choice(&only.of, &shape)
        {
            let null = null || shape.nullable;
            self.single.insert(id, (target, null));
            return Class::Same(target, null);
        }
        if self.is_defined(&shape) {
            Class::Defined(shape)
        } else {
            Class::Plain(shape)
        }
    }

    fn is_defined(&self, shape: &Shape) -> bool {
        if !shape.choices.is_empty() {
            return true;
        }
        if let Some(values) = &shape.enumeration {
            return values.iter().any(|value| !matches!(value, Value::Null))
                && values.iter().all(is_scalar);
        }
        let types = shape.types;
        if types.is_unstated() {
            return !shape.properties.is_empty()
                || shape.additional == Additional::Refused
                || shape.requires_more();
        }
        if types.count() > 1 {
            return !is_any(types);
        }
        types == Types::OBJECT
            && (!shape.properties.is_empty()
                || shape.additional == Additional::Refused
                || shape.requires_more())
    }

    /// Returns the schema for which this schema is another name. A schema without additions to a
    /// base has its own type if the base lists it as an alternative: `Cat: {allOf: [Pet]}`.
    pub(super) fn stands_for(&self, id: SchemaId) -> Option<SchemaId> {
        let target = self.wraps(id)?;
        let is_child = self
            .children
            .get(&target)
            .is_some_and(|all| all.contains(&id));
        let is_alternative =
            || self.is_named(id) && self.circle(id).is_some() && self.is_alternative_of(id, target);
        (!is_child && !is_alternative()).then_some(target)
    }

    /// Returns the schema that this schema only wraps: by one `$ref` or one `allOf` part. All other
    /// parts accept each of its values, and the surrounding keywords do not change the type.
    pub(super) fn wraps(&self, id: SchemaId) -> Option<SchemaId> {
        let schema = self.schema(id);
        let mut bare = schema.clone();
        bare.reference = None;
        bare.all_of = Vec::new();
        let parts = schema.reference.iter().chain(&schema.all_of).copied();
        let parts = parts.filter(|part| !is_annotation(self.schema(*part)));
        let only = self.narrowest(parts.collect())?;
        if only == id {
            return None;
        }
        let target = self.schema(only);
        let stated = bare.types.without(Types::NULL);
        let same_type = stated.is_unstated()
            || stated == target.types.without(Types::NULL)
            || (stated == Types::OBJECT && target.types.is_unstated());
        if same_type {
            bare.types = Types::UNSTATED;
        }
        is_annotation(&bare).then_some(only)
    }

    fn define(&mut self, id: SchemaId, shape: Shape, ty: TypeId) -> TypeKind {
        if let Some(children) = self.children.get(&id).cloned()
            && shape.choices.is_empty()
        {
            return self.family(id, shape, children, ty);
        }
        if !shape.choices.is_empty() {
            return self.choice(shape, ty);
        }
        if let Some(values) = shape.enumeration.clone() {
            return self.enumeration(values, &shape, ty);
        }
        if shape.types.count() > 1 {
            return self.types_union(&shape, ty);
        }
        TypeKind::Object(self.object(&shape, ty))
    }

    /// Returns an inline type.
    fn plain(&mut self, id: SchemaId, shape: &Shape, at: &At) -> TypeRef {
        if shape.boolean == Some(false) {
            let origin = shape.origin.clone();
            self.diagnostics
                .report(codes::NEVER, &origin, "no value is valid for this schema");
        }
        let types = infer(shape);
        if is_null(shape) {
            return TypeRef::Primitive(Primitive::Null);
        }
        if types == Types::STRING
            && let Some(content) = json_content(shape)
        {
            let lowered = self.lower(content, &at.step("content"));
            return TypeRef::JsonText(Box::new(presence::item_type(lowered)));
        }
        match types {
            Types::ARRAY => self.array(shape, at),
            Types::OBJECT => TypeRef::Map(Box::new(self.additional(shape, at))),
            Types::BOOLEAN | Types::INTEGER | Types::NUMBER | Types::STRING => {
                let _ = id;
                self.scalar(shape, types)
            }
            _ => TypeRef::Primitive(Primitive::Json),
        }
    }

    fn endless(&mut self, id: SchemaId) -> Lowered {
        let origin = self.schema(id).origin.clone();
        self.diagnostics
            .report(
                codes::ENDLESS_SCHEMA,
                &origin,
                "this schema is made of nothing but itself",
            )
            .help("give it a name under the reusable schemas, or break the circle");
        Lowered {
            ty: TypeRef::Primitive(Primitive::Json),
            nullable: false,
        }
    }
}

/// Returns the schema of the JSON in a string (JSON Schema 2020-12 Validation, 8.5). A string with
/// other constraints stays a string.
pub(super) fn json_content(shape: &Shape) -> Option<SchemaId> {
    let c = &shape.constraints;
    let is_json = shape.content_media_type.as_deref().is_some_and(|media| {
        let media = media.split(';').next().unwrap_or_default().trim();
        media.eq_ignore_ascii_case("application/json") || media.ends_with("+json")
    });
    let bare = shape.format.is_none()
        && shape.content_encoding.is_none()
        && c.pattern.is_empty()
        && c.min_length.is_none()
        && c.max_length.is_none();
    shape.content_schema.filter(|_| is_json && bare)
}

/// Returns whether null is the only value.
fn is_null(shape: &Shape) -> bool {
    match &shape.enumeration {
        Some(values) => !values.is_empty() && values.iter().all(|value| *value == Value::Null),
        None => shape.types == Types::NULL,
    }
}

/// Returns the JSON type of a schema without choices, inferred from its keywords if not declared.
pub(super) fn infer(shape: &Shape) -> Types {
    if shape.boolean.is_some() || shape.enumeration.is_some() {
        return Types::UNSTATED;
    }
    if !shape.types.is_unstated() {
        return shape.types;
    }
    let c = &shape.constraints;
    if shape.has_object_keywords()
        || c.min_properties.is_some()
        || c.max_properties.is_some()
        || !c.property_names.is_empty()
        || !c.dependent_required.is_empty()
        || !c.required_groups.is_empty()
    {
        Types::OBJECT
    } else if shape.items.is_some() || !shape.prefix_items.is_empty() {
        Types::ARRAY
    } else if !c.pattern.is_empty()
        || c.min_length.is_some()
        || c.max_length.is_some()
        || shape.format.as_deref().is_some_and(is_string_format)
        || json_content(shape).is_some()
    {
        Types::STRING
    } else {
        Types::UNSTATED
    }
}

fn is_string_format(format: &str) -> bool {
    matches!(
        format,
        "date"
            | "date-time"
            | "uuid"
            | "uri"
            | "url"
            | "email"
            | "byte"
            | "binary"
            | "password"
            | "hostname"
            | "ipv4"
            | "ipv6"
    )
}

fn is_scalar(value: &Value) -> bool {
    !matches!(value, Value::Array(_) | Value::Object(_))
}

/// Returns whether a set of types is equivalent to any JSON value.
fn is_any(types: Types) -> bool {
    types.contains(
        Types::OBJECT
            .union(Types::ARRAY)
            .union(Types::STRING)
            .union(Types::BOOLEAN),
    ) && (types.contains(Types::NUMBER) || types.contains(Types::INTEGER))
}

/// Returns whether a named scalar gets a type of its own: the document adds information to its JSON
/// type.
pub(super) fn deserves_newtype(shape: &Shape, plain: &TypeRef) -> bool {
    let c = &shape.constraints;
    let bounded = !c.pattern.is_empty()
        || c.min_length.is_some()
        || c.max_length.is_some()
        || c.minimum.is_some()
        || c.maximum.is_some()
        || !c.multiple_of.is_empty();
    match plain {
        TypeRef::Primitive(Primitive::String | Primitive::Number(_)) => {
            bounded || shape.format.as_deref().is_some_and(scalar::is_telling)
        }
        _ => false,
    }
}

/// Returns the rustdoc of a schema.
pub(super) fn doc_of(schema: &Schema, with_pointer: bool) -> Doc {
    let text = schema.description.clone().or_else(|| schema.title.clone());
    let pointer = schema.origin.pointer.readable().filter(|_| with_pointer);
    Doc {
        text: text.filter(|text| !text.trim().is_empty()),
        notes: Vec::new(),
        examples: schema.examples.clone(),
        pointer: pointer.map(str::to_owned),
        deprecated: schema.deprecated,
    }
}

/// Returns a Rust name that the document requests.
pub(super) fn wanted_name(schema: &Schema) -> Option<String> {
    schema
        .extensions
        .iter()
        .find_map(|(key, value)| match value {
            Value::String(name) if key == "x-bothends-name" => Some(name.clone()),
            _ => None,
        })
}

/// Returns whether a definition is an enum of strings.
pub(super) fn is_string_enum(def: &TypeDef) -> bool {
    matches!(def.kind, TypeKind::StringEnum(_))
}
