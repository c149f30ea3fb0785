//! Whether types have the same form on the wire.

use super::constant::same_constants;
use super::objects::presence;
use std::collections::HashSet;

use crate::ir::{Api, Field, Primitive, TypeId, TypeKind, TypeRef, Unknown};

/// How the values of a new type relate to those of the old one.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Relation {
    Same,
    Widened,
    Narrowed,
    Different,
}

/// Compares two scalars.
pub(super) fn scalars(old: &Primitive, new: &Primitive) -> Relation {
    if old == new {
        return Relation::Same;
    }
    match (includes(new, old), includes(old, new)) {
        (true, true) => Relation::Same,
        (true, false) => Relation::Widened,
        (false, true) => Relation::Narrowed,
        (false, false) => Relation::Different,
    }
}

/// Compares two scalars of a parameter or a header, which are texts: each number is a string, too.
pub(super) fn texts(old: &Primitive, new: &Primitive) -> Relation {
    let text = |primitive: &Primitive| matches!(primitive, Primitive::Number(_) | Primitive::Bool);
    match (old, new) {
        (old, Primitive::String) if text(old) => Relation::Widened,
        (Primitive::String, new) if text(new) => Relation::Narrowed,
        _ => scalars(old, new),
    }
}

fn includes(wide: &Primitive, narrow: &Primitive) -> bool {
    let text = |primitive: &Primitive| {
        matches!(
            primitive,
            Primitive::Uuid
                | Primitive::DateTime
                | Primitive::Date
                | Primitive::Ipv4
                | Primitive::Ipv6
                | Primitive::Base64
        )
    };
    match (wide, narrow) {
        (Primitive::Json, _) => true,
        (Primitive::String, narrow) => text(narrow),
        (Primitive::Number(wide), Primitive::Number(narrow)) => numbers(wide, narrow),
        _ => false,
    }
}

/// Returns whether a number type includes another one: `i64` includes `u32`, and `f64` all others.
fn numbers(wide: &str, narrow: &str) -> bool {
    let bits = |name: &str| name.get(1..).and_then(|bits| bits.parse::<u32>().ok());
    let (Some(a), Some(b)) = (bits(wide), bits(narrow)) else {
        return false;
    };
    match (wide.as_bytes().first(), narrow.as_bytes().first()) {
        (Some(b'f'), Some(b'f')) => a >= b,
        // JSON Schema has one kind of numbers, of which integers are a part.
        (Some(b'f'), _) => true,
        (Some(b'i'), Some(b'i')) | (Some(b'u'), Some(b'u')) => a >= b,
        (Some(b'i'), Some(b'u')) => a > b,
        _ => false,
    }
}

/// Returns whether two types have the same form on the wire.
pub(super) fn same_wire(old: &Api, new: &Api, a: &TypeRef, b: &TypeRef) -> bool {
    Same {
        old,
        new,
        seen: HashSet::new(),
    }
    .types(a, b, 0)
}

/// The maximum depth of a comparison; deeper types count as different.
const DEEPEST: usize = 60;

struct Same<'a> {
    old: &'a Api,
    new: &'a Api,
    seen: HashSet<(TypeId, TypeId)>,
}

impl<'a> Same<'a> {
    fn types(&mut self, a: &'a TypeRef, b: &'a TypeRef, depth: usize) -> bool {
        if depth > DEEPEST {
            return false;
        }
        let (x, y) = (plain(self.old, a), plain(self.new, b));
        let depth = depth + 1;
        match (x, y) {
            (TypeRef::Option(a), TypeRef::Option(b))
            | (TypeRef::Nullable(a), TypeRef::Nullable(b))
            | (TypeRef::Vec(a), TypeRef::Vec(b))
            | (TypeRef::Map(a), TypeRef::Map(b))
            | (TypeRef::JsonText(a), TypeRef::JsonText(b)) => self.types(a, b, depth),
            (TypeRef::Primitive(a), TypeRef::Primitive(b)) => a == b,
            (TypeRef::Tuple(a), TypeRef::Tuple(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| self.types(a, b, depth))
            }
            (TypeRef::Prefix(a), TypeRef::Prefix(b)) => {
                a.required.len() == b.required.len()
                    && a.optional.len() == b.optional.len()
                    && a.rest.is_some() == b.rest.is_some()
                    && a.parts()
                        .zip(b.parts())
                        .all(|(a, b)| self.types(a, b, depth))
            }
            (TypeRef::Named(a), TypeRef::Named(b)) => self.named(*a, *b, depth),
            _ => false,
        }
    }

    fn named(&mut self, a: TypeId, b: TypeId, depth: usize) -> bool {
        if !self.seen.insert((a, b)) {
            return true;
        }
        let (old, new) = (self.old.type_def(a), self.new.type_def(b));
        if old.rules != new.rules {
            return false;
        }
        match (&old.kind, &new.kind) {
            (TypeKind::Object(a), TypeKind::Object(b)) => {
                a.fields.len() == b.fields.len()
                    && same_constants(a, b)
                    && a.fields.iter().all(|field| {
                        let mut others = b.fields.iter();
                        let other = others.find(|other| other.name.wire == field.name.wire);
                        other.is_some_and(|other| self.fields(field, other, depth))
                    })
                    && match (&a.unknown, &b.unknown) {
                        (Unknown::Kept(_, a), Unknown::Kept(_, b)) => self.types(a, b, depth),
                        (Unknown::Ignored, Unknown::Ignored)
                        | (Unknown::Refused, Unknown::Refused) => true,
                        _ => false,
                    }
            }
            (TypeKind::StringEnum(a), TypeKind::StringEnum(b)) => {
                let values = |definition: &crate::ir::StringEnum| -> HashSet<String> {
                    definition
                        .variants
                        .iter()
                        .map(|variant| variant.name.wire.clone())
                        .collect()
                };
                a.fallback.is_some() == b.fallback.is_some() && values(a) == values(b)
            }
            (TypeKind::LiteralEnum(a), TypeKind::LiteralEnum(b)) => {
                a.fallback.is_some() == b.fallback.is_some()
                    && a.variants.len() == b.variants.len()
                    && a.variants
                        .iter()
                        .all(|variant| b.variants.iter().any(|other| other.value == variant.value))
            }
            (TypeKind::Union(a), TypeKind::Union(b)) => {
                a.tag == b.tag
                    && a.several == b.several
                    && a.fallback.is_some() == b.fallback.is_some()
                    && a.variants.len() == b.variants.len()
                    && a.variants.iter().zip(&b.variants).all(|(a, b)| {
                        a.tags == b.tags
                            && a.rules == b.rules
                            && a.takes_others == b.takes_others
                            && self.types(&a.ty, &b.ty, depth)
                    })
            }
            _ => false,
        }
    }

    fn fields(&mut self, a: &'a Field, b: &'a Field, depth: usize) -> bool {
        a.optional == b.optional
            && a.rules == b.rules
            && a.default == b.default
            && self.types(&a.ty, &b.ty, depth)
    }
}

/// Returns whether an object type accepts all values of another one: it requires less.
pub(super) fn admits(
    (api, wide): (&Api, &TypeRef),
    (other, narrow): (&Api, &TypeRef),
    same: &dyn Fn(&TypeRef, &TypeRef) -> bool,
) -> bool {
    let (TypeRef::Named(a), TypeRef::Named(b)) = (plain(api, wide), plain(other, narrow)) else {
        return false;
    };
    let (a, b) = (api.type_def(*a), other.type_def(*b));
    let (TypeKind::Object(x), TypeKind::Object(y)) = (&a.kind, &b.kind) else {
        return false;
    };
    let field_of = |object: &'_ crate::ir::Object, name: &str| {
        let mut fields = object.fields.iter();
        fields.position(|field| field.name.wire == name)
    };
    let values = y
        .fields
        .iter()
        .all(|field| match field_of(x, &field.name.wire) {
            Some(at) => {
                let wide = &x.fields[at];
                let values = presence(&wide.ty, wide.optional);
                let fewer = presence(&field.ty, field.optional);
                same(values.ty, fewer.ty)
                    && wide.rules == field.rules
                    && (values.nullable || !fewer.nullable)
            }
            None => matches!(x.unknown, Unknown::Ignored),
        });
    let required = x.fields.iter().filter(|field| !field.optional);
    let required = required.map(|field| field_of(y, &field.name.wire).map(|at| &y.fields[at]));
    let present = required
        .into_iter()
        .all(|other| other.is_some_and(|other| !other.optional));
    // Each constant is a difference of its own.
    values
        && present
        && same_constants(x, y)
        && a.rules == b.rules
        && matches!(x.unknown, Unknown::Ignored)
}

/// Follows boxes, aliases and newtypes.
fn plain<'t>(api: &'t Api, mut ty: &'t TypeRef) -> &'t TypeRef {
    for _ in 0..64 {
        ty = match ty {
            TypeRef::Boxed(inner) => inner,
            TypeRef::Named(id) => match &api.type_def(*id).kind {
                TypeKind::Alias(inner) | TypeKind::Newtype(inner, _) => inner,
                _ => return ty,
            },
            _ => return ty,
        };
    }
    ty
}

/// Returns whether one value may match two alternatives of which neither is narrower, so that their
/// order decides which of them is read.
pub(super) fn equally_narrow(api: &Api, left: &TypeRef, right: &TypeRef) -> bool {
    let (a, b) = (plain(api, left), plain(api, right));
    let kind = |ty: &TypeRef| match ty {
        TypeRef::Named(id) => Some(std::mem::discriminant(&api.type_def(*id).kind)),
        _ => None,
    };
    match (a, b) {
        (TypeRef::Named(_), TypeRef::Named(_)) => kind(a) == kind(b),
        _ => {
            a == b
                || std::mem::discriminant(a) == std::mem::discriminant(b)
                    && !matches!(a, TypeRef::Primitive(_))
        }
    }
}
