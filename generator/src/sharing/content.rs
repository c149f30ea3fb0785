//! The content of a type: all by which its code differs from that of another type.
//!
//! The name, the place and the text of the type itself are excluded, because the alias of each place
//! has them. The texts of fields and variants belong to the content: an alias has no place for them.

use std::fmt::Write as _;

use crate::ir::{
    DefaultValue, Doc, Field, Header, LiteralVariant, Name, Object, Rule, StringVariant, TypeDef,
    TypeId, TypeKind, TypeRef, Union, UnionVariant, Unknown,
};

/// A text, and the types that it mentions, in order. Equal types have equal texts, and equal types at
/// each mention.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub(super) struct Content {
    pub(super) text: String,
    /// The text without that of fields and variants.
    pub(super) wire: String,
    pub(super) parts: Vec<TypeId>,
    /// Whether rules are part of the content.
    ruled: bool,
}

impl Content {
    /// Returns the content of a struct, an enum or a union. A newtype has none: the constructor of a
    /// tuple struct cannot be called through an alias.
    ///
    /// With `in_order`, the order of properties is part of the content, and with `ruled`, the rules are, too.
    pub(super) fn new(def: &TypeDef, in_order: bool, ruled: bool) -> Option<Self> {
        let TypeDef {
            origin: _,
            name: _,
            parent: _,
            title: _,
            module: _,
            doc,
            kind,
            rules,
            output: _,
            input: _,
            // The kind decides.
            non_exhaustive: _,
            traits,
            // Those of the configuration are added afterwards.
            derives: _,
            attributes: _,
            // Types are imported afterwards.
            imported: _,
        } = def;
        let mut content = Self {
            ruled,
            ..Self::default()
        };
        content.push_text(&doc.notes);
        content.push(&(content.kept(rules), traits));
        match kind {
            TypeKind::Object(object) => {
                if in_order {
                    let names = object.fields.iter().map(|field| &field.name.wire);
                    content.push(&names.collect::<Vec<_>>());
                    let places = object
                        .constants
                        .iter()
                        .map(|constant| (&constant.wire, constant.index));
                    content.push(&places.collect::<Vec<_>>());
                }
                content.object(object);
            }
            TypeKind::StringEnum(string_enum) => {
                for StringVariant { name, doc } in &string_enum.variants {
                    content.name(name);
                    content.doc(doc);
                }
                content.push(&string_enum.fallback);
            }
            TypeKind::LiteralEnum(literal_enum) => {
                for LiteralVariant { name, value, doc } in &literal_enum.variants {
                    content.name(name);
                    content.push(value);
                    content.doc(doc);
                }
                content.push(&literal_enum.fallback);
            }
            TypeKind::Union(union) => content.union(union),
            TypeKind::Pending | TypeKind::Newtype(..) | TypeKind::Alias(_) => return None,
        }
        content.push(&std::mem::discriminant(kind));
        Some(content)
    }

    /// Returns the content of the struct of headers, without their texts.
    pub(super) fn of_headers(headers: &[Header], ruled: bool) -> Self {
        let mut content = Self {
            ruled,
            ..Self::default()
        };
        for header in headers {
            let Header {
                name,
                style,
                ty,
                optional,
                required,
                rules,
                doc,
            } = header;
            content.name(name);
            content.push(&(style, optional, required, doc.deprecated));
            content.push(&content.kept(rules));
            content.ty(ty);
        }
        content
    }

    fn push(&mut self, value: &impl std::fmt::Debug) {
        let start = self.text.len();
        self.push_text(value);
        self.wire
            .push_str(self.text.get(start..).unwrap_or_default());
    }

    fn push_text(&mut self, value: &impl std::fmt::Debug) {
        // Writing to a string does not fail.
        let _ = write!(self.text, "{value:?};");
    }

    fn push_word(&mut self, word: &str) {
        self.wire.push_str(word);
        self.text.push_str(word);
    }

    fn name(&mut self, name: &Name) {
        self.push(&(&name.wire, &name.wanted));
    }

    fn doc(&mut self, doc: &Doc) {
        let Doc {
            text,
            notes,
            examples,
            pointer: _,
            deprecated,
            sunset: _,
        } = doc;
        self.push_text(&(text, notes, examples, deprecated));
    }

    fn object(&mut self, object: &Object) {
        let Object {
            fields,
            constants,
            unknown,
            each,
            // Follows from the types of the fields.
            init: _,
        } = object;
        // The order of properties is no part of the content.
        let mut fields: Vec<&Field> = fields.iter().collect();
        fields.sort_by(|field, other| field.name.wire.cmp(&other.name.wire));
        for field in fields {
            let Field {
                origin: _,
                name,
                ty,
                optional,
                required,
                doc,
                default,
                fixed,
                or_none,
                rules,
                writer,
            } = field;
            self.name(name);
            self.ty(ty);
            let rules = self.kept(rules);
            self.push(&(optional, required, fixed, or_none, rules, writer));
            self.doc(doc);
            if let Some(default) = default {
                self.default_value(default);
            }
        }
        let mut constants: Vec<_> = constants
            .iter()
            .map(|constant| (&constant.wire, &constant.value))
            .collect();
        constants.sort_by_key(|(wire, _)| *wire);
        self.push(&constants);
        match unknown {
            Unknown::Ignored => self.push_word("ignored"),
            Unknown::Refused => self.push_word("refused"),
            Unknown::Kept(name, ty) => {
                self.name(name);
                self.ty(ty);
            }
        }
        self.push(&self.kept(each));
    }

    /// Returns the rules that are part of the content.
    const fn kept<'r>(&self, rules: &'r [Rule]) -> &'r [Rule] {
        match self.ruled {
            true => rules,
            false => &[],
        }
    }

    fn union(&mut self, union: &Union) {
        let Union {
            tag,
            by_event,
            variants,
            several,
            fallback,
        } = union;
        self.push(&(tag, by_event, several, fallback));
        for variant in variants {
            let UnionVariant {
                name,
                ty,
                tags,
                takes_others,
                doc,
                rules,
            } = variant;
            self.name(name);
            self.ty(ty);
            let rules = self.kept(rules);
            self.push(&(tags, takes_others, rules));
            self.doc(doc);
        }
    }

    fn default_value(&mut self, default: &DefaultValue) {
        match default {
            DefaultValue::Variant(id, index) => {
                self.push(&("variant", index));
                self.parts.push(*id);
            }
            DefaultValue::List(values) => {
                self.push(&("list", values.len()));
                values.iter().for_each(|value| self.default_value(value));
            }
            DefaultValue::Bool(_)
            | DefaultValue::Int(_)
            | DefaultValue::Float(_)
            | DefaultValue::String(_)
            | DefaultValue::EmptyList => self.push(default),
        }
    }

    fn ty(&mut self, ty: &TypeRef) {
        let (word, inner) = match ty {
            TypeRef::Named(id) => {
                self.push_word("#");
                self.parts.push(*id);
                return;
            }
            TypeRef::Primitive(primitive) => return self.push(primitive),
            TypeRef::Replaced(replaced) => {
                self.push(&("replaced", &replaced.path));
                return replaced.schema.iter().for_each(|ty| self.ty(ty));
            }
            TypeRef::Boxed(inner) => ("box", inner),
            TypeRef::Vec(inner) => ("vec", inner),
            TypeRef::Map(inner) => ("map", inner),
            TypeRef::Option(inner) => ("option", inner),
            TypeRef::Nullable(inner) => ("nullable", inner),
            TypeRef::JsonText(inner) => ("text", inner),
            TypeRef::Tuple(items) => {
                self.push(&("tuple", items.len()));
                return items.iter().for_each(|item| self.ty(item));
            }
            TypeRef::Prefix(prefix) => {
                let counts = (
                    prefix.required.len(),
                    prefix.optional.len(),
                    prefix.rest.is_some(),
                );
                self.push(&("prefix", counts));
                return prefix.parts().for_each(|item| self.ty(item));
            }
        };
        self.push_word(word);
        self.push_word(" ");
        self.ty(inner);
    }
}
