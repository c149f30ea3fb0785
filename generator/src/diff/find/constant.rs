//! Required properties with a single value, which have no field.

use super::super::rules::Raw;
use super::describe::{describe, literal};
use super::objects::{Side, both, presence};
use super::slot::is_value;
use super::{Finder, Scope};
use crate::ir::{
    Api, Constant, Field, Literal, Object, Primitive, TypeKind, TypeRef, Unknown, Writer,
};
use crate::position::Origin;

/// A property of one document.
struct Property<'p> {
    origin: &'p Origin,
    writer: Writer,
    /// The value or the type, in words.
    words: String,
}

impl Finder<'_> {
    /// Compares the properties that have no field in one of the documents.
    pub(super) fn constant_properties(&mut self, index: usize, old: Side<'_>, new: Side<'_>) {
        for constant in &old.1.constants {
            let (a, wire) = (of_constant(constant), constant.wire.as_str());
            if let Some(other) = constant_of(new.1, wire) {
                if other.value != constant.value {
                    self.changed_constant(index, wire, Raw::ConstantChanged, a, of_constant(other));
                }
            } else if let Some(field) = field_of(new.1, wire) {
                let raw = match accepts(self.new, field, &constant.value) {
                    true => Raw::ConstantFreed,
                    false => Raw::ConstantChanged,
                };
                let b = of_field(self.new, field);
                self.changed_constant(index, wire, raw, a, b);
            } else {
                let raw = match is_closed(new.1) {
                    true => Raw::ClosedConstantRemoved,
                    false => Raw::ConstantRemoved,
                };
                let at = (Some(&constant.origin), Some(&new.0.origin));
                self.lone_constant(index, constant, raw, at);
            }
        }
        for constant in &new.1.constants {
            let (b, wire) = (of_constant(constant), constant.wire.as_str());
            if constant_of(old.1, wire).is_some() {
                continue;
            }
            if let Some(field) = field_of(old.1, wire) {
                let raw = match accepts(self.old, field, &constant.value) {
                    true => Raw::ConstantFixed,
                    false => Raw::ConstantChanged,
                };
                let a = of_field(self.old, field);
                self.changed_constant(index, wire, raw, a, b);
            } else {
                let raw = match is_closed(old.1) {
                    true => Raw::ClosedConstantAdded,
                    false => Raw::ConstantAdded,
                };
                let at = (Some(&old.0.origin), Some(&constant.origin));
                self.lone_constant(index, constant, raw, at);
            }
        }
    }

    /// Adds a difference of a property of both documents.
    fn changed_constant(
        &mut self,
        index: usize,
        wire: &str,
        raw: Raw,
        old: Property<'_>,
        new: Property<'_>,
    ) {
        self.add(raw, Scope::Pair(index), |mut found| {
            found.member = wire.to_owned();
            found.written_by = both(old.writer, new.writer);
            found
                .arg("from", old.words.as_str())
                .arg("to", new.words.as_str())
                .at(Some(old.origin), Some(new.origin))
        });
    }

    /// Adds a property of one document.
    fn lone_constant(
        &mut self,
        index: usize,
        constant: &Constant,
        raw: Raw,
        at: (Option<&Origin>, Option<&Origin>),
    ) {
        self.add(raw, Scope::Pair(index), |mut found| {
            found.member.clone_from(&constant.wire);
            found.written_by = constant.writer;
            found.at(at.0, at.1)
        });
    }
}

fn of_constant(constant: &Constant) -> Property<'_> {
    Property {
        origin: &constant.origin,
        writer: constant.writer,
        words: literal(&constant.value),
    }
}

fn of_field<'p>(api: &Api, field: &'p Field) -> Property<'p> {
    Property {
        origin: &field.origin,
        writer: field.writer,
        words: describe(api, &field.ty),
    }
}

fn constant_of<'o>(object: &'o Object, wire: &str) -> Option<&'o Constant> {
    object
        .constants
        .iter()
        .find(|constant| constant.wire == wire)
}

/// Returns the field of a property.
pub(super) fn field_of<'o>(object: &'o Object, wire: &str) -> Option<&'o Field> {
    object.fields.iter().find(|field| field.name.wire == wire)
}

fn is_closed(object: &Object) -> bool {
    matches!(object.unknown, Unknown::Refused)
}

/// Returns whether two objects have the same constants.
pub(super) fn same_constants(left: &Object, right: &Object) -> bool {
    let values = |own: &Constant| {
        constant_of(right, &own.wire).map(|constant| &constant.value) == Some(&own.value)
    };
    left.constants.len() == right.constants.len() && left.constants.iter().all(values)
}

/// Returns whether a field accepts a value.
fn accepts(api: &Api, field: &Field, value: &Literal) -> bool {
    let mut ty = presence(&field.ty, field.optional).ty;
    for _ in 0..64 {
        ty = match ty {
            TypeRef::Primitive(Primitive::Json) => return true,
            TypeRef::Primitive(primitive) => return is_value(primitive, value),
            TypeRef::Boxed(inner) => inner,
            TypeRef::Named(id) => match &api.type_def(*id).kind {
                TypeKind::Alias(inner) | TypeKind::Newtype(inner, _) => inner,
                TypeKind::StringEnum(string_enum) => {
                    let Literal::String(value) = value else {
                        return false;
                    };
                    let listed = string_enum
                        .variants
                        .iter()
                        .any(|variant| variant.name.wire == *value);
                    return listed || string_enum.fallback.is_some();
                }
                TypeKind::LiteralEnum(literal_enum) => {
                    return literal_enum
                        .variants
                        .iter()
                        .any(|variant| variant.value == *value);
                }
                _ => return false,
            },
            _ => return false,
        };
    }
    false
}
