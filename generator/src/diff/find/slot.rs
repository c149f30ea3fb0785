//! The types of values: properties, parameters, headers, bodies, items.

use super::super::rules::Raw;
use super::describe::describe;
use super::same::{Relation, same_wire, scalars};
use super::{Finder, Scope, path_of};
use crate::ir::{Api, Literal, Primitive, TypeDef, TypeId, TypeKind, TypeRef};
use crate::position::Origin;

/// What kind of value a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A value in a body.
    Value,
    /// A parameter.
    Param,
    /// A response header.
    Header,
}

/// A place that holds a value of a type.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) scope: Scope,
    pub(super) member: String,
    pub(super) old: Option<Origin>,
    pub(super) new: Option<Origin>,
    pub(super) kind: Kind,
    pub(super) rust_old: Option<String>,
    pub(super) rust_new: Option<String>,
}

impl Slot {
    /// Returns the slot of a part, such as the items of a list.
    fn part(&self, name: &str) -> Self {
        Self {
            member: format!("{}{name}", self.member),
            ..self.clone()
        }
    }
}

/// A type without what is not visible on the wire.
struct Stripped<'t> {
    ty: &'t TypeRef,
    nullable: bool,
    /// What the Rust type has around the value.
    wrappers: Vec<String>,
}

/// Follows boxes, aliases, newtypes and `Option`.
fn strip<'t>(api: &'t Api, mut ty: &'t TypeRef) -> Stripped<'t> {
    let mut nullable = false;
    let mut wrappers = Vec::new();
    for _ in 0..64 {
        match ty {
            TypeRef::Boxed(inner) => {
                wrappers.push("Box".to_owned());
                ty = inner;
            }
            TypeRef::Option(inner) | TypeRef::Nullable(inner) => {
                nullable = true;
                ty = inner;
            }
            TypeRef::Named(id) => match &api.type_def(*id).kind {
                TypeKind::Alias(inner) => ty = inner,
                TypeKind::Newtype(inner, _) => {
                    wrappers.push(path_of(api, api.type_def(*id)));
                    ty = inner;
                }
                _ => break,
            },
            _ => break,
        }
    }
    Stripped {
        ty,
        nullable,
        wrappers,
    }
}

impl<'a> Finder<'a> {
    /// Compares the types of a slot.
    pub(super) fn slot(&mut self, slot: &Slot, old: &TypeRef, new: &TypeRef) {
        if self.newtypes(slot, old, new) {
            return;
        }
        let (a, b) = (strip(self.old, old), strip(self.new, new));
        let before = self.found.len();
        if a.nullable != b.nullable {
            let raw = match (slot.kind, b.nullable) {
                (Kind::Value, true) => Raw::NullAccepted,
                (Kind::Value, false) => Raw::NullRejected,
                (Kind::Param, true) => Raw::ParamWidened,
                (Kind::Param, false) => Raw::ParamNarrowed,
                (Kind::Header, true) => Raw::HeaderWidened,
                (Kind::Header, false) => Raw::HeaderNarrowed,
            };
            self.add_slot(slot, raw, old, new);
        }
        let wrapped = a.wrappers != b.wrappers;
        self.inner(slot, a.ty, b.ty);
        if wrapped && self.found.len() == before {
            self.add_slot(slot, Raw::RustTypeChanged, old, new);
        }
    }

    /// Compares two newtypes as a pair. Returns whether both are newtypes of the same item.
    fn newtypes(&mut self, slot: &Slot, old: &TypeRef, new: &TypeRef) -> bool {
        let (TypeRef::Named(a), TypeRef::Named(b)) = (old, new) else {
            return false;
        };
        let (x, y) = (self.old.type_def(*a), self.new.type_def(*b));
        let both = matches!(
            (&x.kind, &y.kind),
            (TypeKind::Newtype(..), TypeKind::Newtype(..))
        );
        if !both || !self.is_same_item(x, y) {
            return false;
        }
        self.use_pair(slot, *a, *b);
        true
    }

    fn inner(&mut self, slot: &Slot, old: &TypeRef, new: &TypeRef) {
        match (old, new) {
            (TypeRef::Vec(a), TypeRef::Vec(b)) => self.slot(&slot.part("[]"), a, b),
            (TypeRef::Map(a), TypeRef::Map(b)) => self.slot(&slot.part("{}"), a, b),
            (TypeRef::JsonText(a), TypeRef::JsonText(b)) => self.slot(&slot.part(" (JSON)"), a, b),
            (TypeRef::Tuple(a), TypeRef::Tuple(b)) if a.len() == b.len() => {
                for (index, (a, b)) in a.iter().zip(b).enumerate() {
                    self.slot(&slot.part(&format!("[{index}]")), a, b);
                }
            }
            (TypeRef::Prefix(a), TypeRef::Prefix(b))
                if a.required.len() == b.required.len()
                    && a.optional.len() == b.optional.len()
                    && a.rest.is_some() == b.rest.is_some() =>
            {
                for (index, (a, b)) in a.parts().zip(b.parts()).enumerate() {
                    self.slot(&slot.part(&format!("[{index}]")), a, b);
                }
            }
            (TypeRef::Named(a), TypeRef::Named(b)) => self.named(slot, *a, *b),
            (TypeRef::Primitive(a), TypeRef::Primitive(b)) => {
                self.relation(slot, scalars(a, b), old, new);
            }
            _ => self.mixed(slot, old, new),
        }
    }

    fn named(&mut self, slot: &Slot, a: TypeId, b: TypeId) {
        let (old, new) = (self.old.type_def(a), self.new.type_def(b));
        let same_kind = std::mem::discriminant(&old.kind) == std::mem::discriminant(&new.kind);
        if !same_kind {
            return self.mixed(slot, &TypeRef::Named(a), &TypeRef::Named(b));
        }
        let (x, y) = (TypeRef::Named(a), TypeRef::Named(b));
        if self.is_same_item(old, new) {
            return self.use_pair(slot, a, b);
        }
        if self.is_alias(old, b) {
            return;
        }
        let raw = match same_wire(self.old, self.new, &x, &y) {
            true => Raw::RustTypeChanged,
            false => Self::changed(slot.kind, Relation::Different),
        };
        self.add_slot(slot, raw, &x, &y);
    }

    /// Records that the scope of a slot uses a pair of types.
    fn use_pair(&mut self, slot: &Slot, a: TypeId, b: TypeId) {
        let (old, new) = (self.old.type_def(a), self.new.type_def(b));
        let (before, after) = (path_of(self.old, old), path_of(self.new, new));
        let index = self.pair_of(a, b, Self::user(&slot.scope));
        if before == after {
            return;
        }
        if self.is_alias(old, b) {
            return;
        }
        let known = (
            super::module_of(self.old, old.module),
            old.name.rust.as_str(),
        );
        if self.names.new_rust.contains_key(&known) {
            self.add_slot(
                slot,
                Raw::RustTypeChanged,
                &TypeRef::Named(a),
                &TypeRef::Named(b),
            );
        } else {
            self.pairs[index].renames = true;
        }
    }

    /// Returns whether the new crate has the path of an old type as an alias of a new type, so that
    /// code with the old path continues to compile.
    fn is_alias(&self, old: &TypeDef, new: TypeId) -> bool {
        let path = (
            super::module_of(self.old, old.module),
            old.name.rust.as_str(),
        );
        let known = self.names.new_rust.get(&path).copied();
        known.is_some_and(|known| {
            let alias = TypeRef::Named(known);
            known != new && *strip(self.new, &alias).ty == TypeRef::Named(new)
        })
    }

    fn mixed(&mut self, slot: &Slot, old: &TypeRef, new: &TypeRef) {
        let relation = match (self.includes_new(old, new), self.includes_old(old, new)) {
            (true, true) => Relation::Same,
            (true, false) => Relation::Narrowed,
            (false, true) => Relation::Widened,
            (false, false) => Relation::Different,
        };
        match relation {
            Relation::Same => self.add_slot(slot, Raw::RustTypeChanged, old, new),
            other => self.relation(slot, other, old, new),
        }
    }

    /// Returns whether the old type includes all values of the new one, as far as is decided here.
    fn includes_new(&self, old: &TypeRef, new: &TypeRef) -> bool {
        includes((self.old, old), (self.new, new), &|a, b| {
            same_wire(self.old, self.new, a, b)
        })
    }

    fn includes_old(&self, old: &TypeRef, new: &TypeRef) -> bool {
        includes((self.new, new), (self.old, old), &|a, b| {
            same_wire(self.old, self.new, b, a)
        })
    }

    fn relation(&mut self, slot: &Slot, relation: Relation, old: &TypeRef, new: &TypeRef) {
        match relation {
            Relation::Same => {}
            other => self.add_slot(slot, Self::changed(slot.kind, other), old, new),
        }
    }

    const fn changed(kind: Kind, relation: Relation) -> Raw {
        match (kind, relation) {
            (Kind::Value, Relation::Widened) => Raw::TypeWidened,
            (Kind::Value, Relation::Narrowed) => Raw::TypeNarrowed,
            (Kind::Value, _) => Raw::TypeChanged,
            (Kind::Param, Relation::Widened) => Raw::ParamWidened,
            (Kind::Param, Relation::Narrowed) => Raw::ParamNarrowed,
            (Kind::Param, _) => Raw::ParamTypeChanged,
            (Kind::Header, Relation::Widened) => Raw::HeaderWidened,
            (Kind::Header, Relation::Narrowed) => Raw::HeaderNarrowed,
            (Kind::Header, _) => Raw::HeaderTypeChanged,
        }
    }

    fn add_slot(&mut self, slot: &Slot, raw: Raw, old: &TypeRef, new: &TypeRef) {
        let (from, to) = (describe(self.old, old), describe(self.new, new));
        self.add(raw, slot.scope.clone(), |mut found| {
            found.member.clone_from(&slot.member);
            found
                .arg("from", from.as_str())
                .arg("to", to.as_str())
                .at(slot.old.as_ref(), slot.new.as_ref())
                .rust(slot.rust_old.clone(), slot.rust_new.clone())
        });
    }
}

/// Returns whether `wide` includes all values of `narrow`, for types of different kinds.
fn includes(
    (api, wide): (&Api, &TypeRef),
    (other, narrow): (&Api, &TypeRef),
    same: &dyn Fn(&TypeRef, &TypeRef) -> bool,
) -> bool {
    match wide {
        TypeRef::Primitive(Primitive::Json) => true,
        TypeRef::Primitive(primitive) => match narrow {
            TypeRef::Named(id) => match &other.type_def(*id).kind {
                TypeKind::StringEnum(_) => *primitive == Primitive::String,
                TypeKind::LiteralEnum(of) => of
                    .variants
                    .iter()
                    .all(|one| is_value(primitive, &one.value)),
                _ => false,
            },
            TypeRef::JsonText(_) => *primitive == Primitive::String,
            _ => false,
        },
        TypeRef::Map(value) => {
            let any = matches!(**value, TypeRef::Primitive(Primitive::Json));
            let object = |id: &TypeId| matches!(other.type_def(*id).kind, TypeKind::Object(_));
            any && matches!(narrow, TypeRef::Named(id) if object(id))
        }
        TypeRef::Vec(item) => match narrow {
            TypeRef::Tuple(_) | TypeRef::Prefix(_) => {
                matches!(**item, TypeRef::Primitive(Primitive::Json))
            }
            _ => false,
        },
        TypeRef::Named(id) => match &api.type_def(*id).kind {
            TypeKind::Union(union) => union.variants.iter().any(|one| same(&one.ty, narrow)),
            _ => false,
        },
        _ => false,
    }
}

fn is_value(primitive: &Primitive, value: &Literal) -> bool {
    match value {
        Literal::Int(_) => matches!(primitive, Primitive::Number(_)),
        Literal::Float(_) => matches!(primitive, Primitive::Number(name) if name.starts_with('f')),
        Literal::Bool(_) => *primitive == Primitive::Bool,
        Literal::String(_) => *primitive == Primitive::String,
        Literal::Null => *primitive == Primitive::Null,
    }
}
