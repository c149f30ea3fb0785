//! The form of a schema in Rust: a type of its own, or a reference to a type.

pub(super) mod annotation;
pub(super) mod candidate;
pub(super) mod children;
pub(super) mod class;
pub(super) mod conditions;
pub(super) mod cycles;
pub(super) mod defaults;
pub(super) mod enums;
pub(super) mod groups;
pub(super) mod held;
pub(super) mod kept_tags;
pub(super) mod keywords;
pub(super) mod merge;
pub(super) mod narrow;
pub(super) mod narrowest;
pub(super) mod nullable;
pub(super) mod object;
pub(super) mod overlap;
pub(super) mod pattern;
pub(super) mod place;
pub(super) mod plain;
pub(super) mod presence;
pub(super) mod replaced;
pub(super) mod rules;
pub(super) mod rust_type;
pub(super) mod scalar;
pub(super) mod shape;
pub(super) mod sunset;
pub(super) mod tags;
pub(super) mod union;
pub(super) mod variants;

use crate::diagnostic::codes;
use crate::ir::{Doc, Primitive, TypeDef, TypeId, TypeKind, TypeRef};
use crate::model::{Schema, SchemaId, Types};
use crate::source::Value;

use crate::lower::schema::class::{Class, deserves_newtype, infer, is_null, json_content};
use crate::lower::schema::shape::Shape;
use crate::lower::{At, Lowered, Lowering, TypeTable};

/// The maximum nesting of inline schemas. A file has no more than 128 levels; deeper schemas are
/// the result of merging.
const DEEPEST: usize = 160;
/// From this depth on, types are defined after their enclosing types, so that merged types of any
/// depth need no more stack.
const DEEPEST_DEFINED: usize = 48;

/// The maximum length of a title that is a name, in characters.
const LONGEST_TITLE: usize = 40;

impl Lowering<'_> {
    /// Lowers a schema that is used at `at`.
    pub(crate) fn lower(&mut self, id: SchemaId, at: &At) -> Lowered {
        if let Some(ty) = self.document.named.get(&id) {
            let ty = TypeRef::Named(*ty);
            let nullable = self.document.is_nullable(id);
            return Lowered { ty, nullable };
        }
        match self.types.lowered.get(&id) {
            Some(Some(lowered)) => return lowered.clone(),
            Some(None) => return self.endless(id),
            None => {}
        }
        if self.pending.depth > DEEPEST {
            return self.too_deep(id);
        }
        self.types.lowered.insert(id, None);
        self.within(|lowering| {
            let lowered = lowering.lower_own(id, at);
            lowering.types.lowered.insert(id, Some(lowered.clone()));
            lowered
        })
    }

    /// Lowers the parts of a schema without a type of its own. Types inside it are defined after
    /// it if it is recursive: they may refer to it.
    fn open<T>(&mut self, id: SchemaId, run: impl FnOnce(&mut Self) -> T) -> T {
        let recursive = self.document.recursive.get(id.0 as usize) == Some(&true);
        self.pending.open_lists += usize::from(recursive);
        let result = run(self);
        self.pending.open_lists -= usize::from(recursive);
        result
    }

    /// Lowers an inner part. The outermost call then defines the types that were nested too deeply.
    pub(in crate::lower) fn within<T>(&mut self, run: impl FnOnce(&mut Self) -> T) -> T {
        self.pending.depth += 1;
        let result = run(self);
        if self.pending.depth == 1 {
            while let Some((id, shape, ty)) = self.pending.waiting.pop_front() {
                let kind = self.define(id, shape, ty);
                self.types.defs[ty.0 as usize].kind = kind;
            }
        }
        self.pending.depth -= 1;
        result
    }

    fn too_deep(&mut self, id: SchemaId) -> Lowered {
        let origin = self.document.schema(id).origin.clone();
        self.document
            .diagnostics
            .report(
                codes::UNFOLDS_TOO_FAR,
                &origin,
                "schemas without names are nested too deeply",
            )
            .help("give some of them names under `components/schemas`");
        Lowered {
            ty: TypeRef::Primitive(Primitive::Json),
            nullable: false,
        }
    }

    pub(in crate::lower) fn lower_inline(&mut self, id: SchemaId, at: &At) -> Lowered {
        match self.document.classify(id) {
            Class::Same(target, null) => {
                let lowered = self.open(id, |lowering| lowering.lower(target, at));
                Lowered {
                    nullable: lowered.nullable || null,
                    ..lowered
                }
            }
            Class::Plain(shape) => {
                let nullable = shape.nullable;
                let ty = self.open(id, |lowering| lowering.plain(id, &shape, at));
                self.document.plain = Some((id, shape));
                Lowered { ty, nullable }
            }
            Class::Defined(shape) => {
                let nullable = self.document.allows_null(&shape);
                let schema = self.document.schema(id);
                let (doc, wanted) = (doc_of(schema, true), wanted_name(schema));
                let title = title_of(schema, &at.words);
                let ty = self.types.reserve(at, &shape.origin, doc);
                self.types.defs[ty.0 as usize].title = title;
                self.types.defs[ty.0 as usize].name.wanted = wanted;
                // Stored before the parts are lowered, because an inline schema may refer to
                // itself.
                let lowered = Lowered {
                    ty: TypeRef::Named(ty),
                    nullable,
                };
                self.types.lowered.insert(id, Some(lowered.clone()));
                if self.pending.depth > DEEPEST_DEFINED || self.pending.open_lists > 0 {
                    self.pending.waiting.push_back((id, shape, ty));
                } else {
                    let kind = self.define(id, shape, ty);
                    self.types.defs[ty.0 as usize].kind = kind;
                }
                lowered
            }
        }
    }

    /// Converts a reusable schema, whose id is already reserved.
    pub(in crate::lower) fn convert(&mut self, id: SchemaId, ty: TypeId) -> TypeKind {
        match self.document.classify(id) {
            Class::Same(target, null) => {
                let at = self.types.at_type(ty, "");
                let lowered = self.lower(target, &at);
                if lowered.ty == TypeRef::Named(ty) {
                    let _ = self.endless(id);
                    return TypeKind::Alias(TypeRef::Primitive(Primitive::Json));
                }
                let _ = null; // Null belongs to the use of a name, not to the name.
                TypeKind::Alias(lowered.ty)
            }
            Class::Plain(shape) => {
                let at = self.types.at_type(ty, "");
                let plain = self.plain(id, &shape, &at);
                if deserves_newtype(&shape, &plain) {
                    self.types.defs[ty.0 as usize].rules =
                        self.document.plain_rules(&shape, Some(&plain));
                    TypeKind::Newtype(plain, true)
                } else {
                    TypeKind::Alias(plain)
                }
            }
            Class::Defined(shape) => self.define(id, shape, ty),
        }
    }

    fn define(&mut self, id: SchemaId, shape: Shape, ty: TypeId) -> TypeKind {
        if let Some(children) = self.document.children.get(&id).cloned()
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
            self.document.diagnostics.report(
                codes::NEVER,
                &origin,
                "no value is valid for the schema",
            );
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
                self.document.check_custom_number(shape, types);
                self.document.scalar(shape, types)
            }
            _ => TypeRef::Primitive(Primitive::Json),
        }
    }

    fn endless(&mut self, id: SchemaId) -> Lowered {
        let origin = self.document.schema(id).origin.clone();
        self.document
            .diagnostics
            .report(
                codes::ENDLESS_SCHEMA,
                &origin,
                "schema consists of itself only; it accepts any JSON value",
            )
            .help("give it a name under `components/schemas`, or break the cycle");
        Lowered {
            ty: TypeRef::Primitive(Primitive::Json),
            nullable: false,
        }
    }
}

impl TypeTable {
    /// Returns a place inside a type.
    pub(in crate::lower) fn at_type(&self, ty: TypeId, word: &str) -> At {
        At::inside(ty, self.defs[ty.0 as usize].module, word)
    }
}

/// Returns the rustdoc of a schema.
pub(in crate::lower) fn doc_of(schema: &Schema, with_pointer: bool) -> Doc {
    let text = schema.description.clone().or_else(|| schema.title.clone());
    let pointer = with_pointer.then(|| schema.origin.pointer.readable());
    Doc {
        text: text.filter(|text| !text.trim().is_empty()),
        notes: Vec::new(),
        examples: schema.examples.clone(),
        pointer: pointer.flatten().map(str::to_owned),
        deprecated: schema.deprecated,
        sunset: crate::lower::schema::sunset::day_of(&schema.extensions),
    }
}

/// Returns a Rust name that the document requests.
pub(in crate::lower) fn wanted_name(schema: &Schema) -> Option<String> {
    schema
        .extensions
        .iter()
        .find_map(|(key, value)| match value {
            Value::String(name) if key == "x-bothends-name" => Some(name.clone()),
            _ => None,
        })
}

/// Returns the `title` of an inline schema if it is a name of a type, such as `ReportResult`. Frameworks
/// title each property by its own name, which adds nothing.
fn title_of(schema: &Schema, place: &str) -> Option<String> {
    let is_name = |title: &&String| {
        title.starts_with(|first: char| first.is_ascii_uppercase())
            && title.chars().all(|at| at.is_ascii_alphanumeric())
            && title.chars().any(|at| at.is_ascii_lowercase())
            && title.len() <= LONGEST_TITLE
    };
    let letters = place.chars().filter(char::is_ascii_alphanumeric);
    let place: String = letters.collect();
    let title = schema.title.as_ref().filter(is_name);
    title
        .filter(|title| !title.eq_ignore_ascii_case(&place))
        .cloned()
}

/// Returns whether a definition is an enum of strings.
pub(in crate::lower) fn is_string_enum(def: &TypeDef) -> bool {
    matches!(def.kind, TypeKind::StringEnum(_))
}
