//! The types of values: properties, parameters, headers, bodies, items.

use super::super::rules::Raw;
use super::describe::describe_both;
use super::objects::presence;
use super::params::is_single;
use super::same::{Relation, admits, same_wire, scalars, texts};
use super::typed::{Typed, items, strip, values};
use super::{Finder, Scope, path_of};
use crate::ir::{
    Api, Literal, Name, Primitive, StyleWord, TypeDef, TypeId, TypeKind, TypeRef, Writer,
};
use crate::position::Origin;
use std::collections::HashSet;

/// What kind of value a slot holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// A value in a body.
    Value,
    /// A parameter, and whether it is written as text.
    Param(Form),
    /// A response header, and whether it is written as text.
    Header(Form),
}

/// How a parameter or a header is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Form {
    /// As text: `5` is a string, too.
    Text,
    /// As JSON on one side at least.
    Json,
}

impl Form {
    /// Returns the form of a value with the words of an old and a new style.
    pub(super) fn new<'s>(mut styles: impl Iterator<Item = &'s StyleWord>) -> Self {
        match styles.any(|word| *word == StyleWord::Json) {
            true => Self::Json,
            false => Self::Text,
        }
    }
}

impl Kind {
    fn is_text(self) -> bool {
        matches!(self, Self::Param(Form::Text) | Self::Header(Form::Text))
    }
}

/// A place that holds a value of a type.
#[derive(Debug, Clone)]
pub(super) struct Slot {
    pub(super) scope: Scope,
    pub(super) member: String,
    pub(super) old: Option<Origin>,
    pub(super) new: Option<Origin>,
    pub(super) kind: Kind,
    /// The side whose messages have the value.
    pub(super) writer: Writer,
    pub(super) rust_old: Option<String>,
    pub(super) rust_new: Option<String>,
}

impl Slot {
    /// Returns the slot of a part, such as the items of a list.
    pub(super) fn part(&self, name: &str) -> Self {
        Self {
            member: format!("{}{name}", self.member),
            ..self.clone()
        }
    }
}

impl<'a> Finder<'a> {
    /// Compares the types and the constraints of a slot.
    pub(super) fn slot(&mut self, slot: &Slot, old: Typed<'_>, new: Typed<'_>) {
        if self.same_transparent(slot, old.ty, new.ty) {
            return self.constraints(slot, &old.rules, &new.rules);
        }
        let types = (old.ty, new.ty);
        let (mut a, mut b) = (strip(self.old, old), strip(self.new, new));
        let before = self.found.len();
        if a.nullable != b.nullable {
            self.nullable(slot, b.nullable, types);
        }
        self.inner(slot, &mut a.typed, &mut b.typed);
        if a.wrappers != b.wrappers && self.found.len() == before {
            self.add_slot(slot, Raw::RustTypeChanged, types.0, types.1);
        }
        self.constraints(slot, &a.typed.rules, &b.typed.rules);
    }

    fn nullable(&mut self, slot: &Slot, accepted: bool, (old, new): (&TypeRef, &TypeRef)) {
        let raw = match (slot.kind, accepted) {
            (Kind::Value, true) => Raw::NullAccepted,
            (Kind::Value, false) => Raw::NullRejected,
            (Kind::Param(_), true) => Raw::ParamWidened,
            (Kind::Param(_), false) => Raw::ParamNarrowed,
            (Kind::Header(_), true) => Raw::HeaderWidened,
            (Kind::Header(_), false) => Raw::HeaderNarrowed,
        };
        self.add_slot(slot, raw, old, new);
    }

    /// Compares two newtypes as a pair. Returns whether both are newtypes of the same item.
    fn same_transparent(&mut self, slot: &Slot, old: &TypeRef, new: &TypeRef) -> bool {
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

    fn inner(&mut self, slot: &Slot, old: &mut Typed<'_>, new: &mut Typed<'_>) {
        let bare = |ty| Typed::new(ty, &[]);
        match (old.ty, new.ty) {
            (TypeRef::Vec(a), TypeRef::Vec(b)) => {
                let (a, b) = (old.part(a, items), new.part(b, items));
                self.slot(&slot.part("[]"), a, b);
            }
            (TypeRef::Map(a), TypeRef::Map(b)) => {
                let (a, b) = (old.part(a, values), new.part(b, values));
                self.slot(&slot.part("{}"), a, b);
            }
            (TypeRef::JsonText(a), TypeRef::JsonText(b)) => {
                self.slot(&slot.part(" (JSON)"), bare(a), bare(b));
            }
            (TypeRef::Tuple(a), TypeRef::Tuple(b)) if a.len() == b.len() => {
                for (index, (a, b)) in a.iter().zip(b).enumerate() {
                    self.slot(&slot.part(&format!("[{index}]")), bare(a), bare(b));
                }
            }
            (TypeRef::Prefix(a), TypeRef::Prefix(b))
                if a.required.len() == b.required.len()
                    && a.optional.len() == b.optional.len()
                    && a.rest.is_some() == b.rest.is_some() =>
            {
                let (required, optional) = (a.required.len(), a.optional.len());
                for (index, (a, b)) in a.parts().zip(b.parts()).enumerate() {
                    let slot = slot.part(&format!("[{index}]"));
                    let optional = index >= required && index < required + optional;
                    let (x, y) = (presence(a, optional), presence(b, optional));
                    if x.nullable != y.nullable {
                        self.nullable(&slot, y.nullable, (a, b));
                    }
                    self.slot(&slot, bare(x.ty), bare(y.ty));
                }
            }
            (TypeRef::Named(a), TypeRef::Named(b)) => self.named(slot, *a, *b),
            (TypeRef::Primitive(a), TypeRef::Primitive(b)) => {
                let relation = match slot.kind.is_text() {
                    true => texts(a, b),
                    false => scalars(a, b),
                };
                self.relation(slot, relation, old.ty, new.ty);
            }
            (a, b) => self.mixed(slot, a, b),
        }
    }

    fn named(&mut self, slot: &Slot, a: TypeId, b: TypeId) {
        let (old, new) = (self.old.type_def(a), self.new.type_def(b));
        let same_kind = std::mem::discriminant(&old.kind) == std::mem::discriminant(&new.kind);
        if !same_kind {
            return self.mixed(slot, &TypeRef::Named(a), &TypeRef::Named(b));
        }
        if self.is_same_item(old, new) {
            return self.use_pair(slot, a, b);
        }
        if self.is_alias(old, b) {
            // The path stays, and has the contents of the other type.
            let index = self.pair_of(a, b, Self::user(slot));
            self.pairs[index].swapped = true;
            return;
        }
        let (x, y) = (TypeRef::Named(a), TypeRef::Named(b));
        if !extends(old, new) && !same_wire(self.old, self.new, &x, &y) {
            return self.add_slot(slot, Self::changed(slot.kind, Relation::Different), &x, &y);
        }
        // The name is that of another type. What it does to messages is what the contents do.
        self.add_slot(slot, Raw::RustTypeChanged, &x, &y);
        let index = self.pair_of(a, b, Self::user(slot));
        self.pairs[index].swapped = true;
    }

    /// Records that the scope of a slot uses a pair of types.
    fn use_pair(&mut self, slot: &Slot, a: TypeId, b: TypeId) {
        let (old, new) = (self.old.type_def(a), self.new.type_def(b));
        let (before, after) = (path_of(self.old, old), path_of(self.new, new));
        let index = self.pair_of(a, b, Self::user(slot));
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
            let target = strip(self.new, Typed::new(&alias, &[]));
            known != new && *target.typed.ty == TypeRef::Named(new)
        })
    }

    fn mixed(&mut self, slot: &Slot, old: &TypeRef, new: &TypeRef) {
        let text = slot.kind.is_text();
        let wider = (
            self.includes_new(old, new, text),
            self.includes_old(old, new, text),
        );
        let relation = match wider {
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
    fn includes_new(&self, old: &TypeRef, new: &TypeRef, text: bool) -> bool {
        let same = |a: &TypeRef, b: &TypeRef| same_wire(self.old, self.new, a, b);
        includes((self.old, old), (self.new, new), &same, text)
    }

    fn includes_old(&self, old: &TypeRef, new: &TypeRef, text: bool) -> bool {
        let same = |a: &TypeRef, b: &TypeRef| same_wire(self.old, self.new, b, a);
        includes((self.new, new), (self.old, old), &same, text)
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
            (Kind::Param(_), Relation::Widened) => Raw::ParamWidened,
            (Kind::Param(_), Relation::Narrowed) => Raw::ParamNarrowed,
            (Kind::Param(_), _) => Raw::ParamTypeChanged,
            (Kind::Header(_), Relation::Widened) => Raw::HeaderWidened,
            (Kind::Header(_), Relation::Narrowed) => Raw::HeaderNarrowed,
            (Kind::Header(_), _) => Raw::HeaderTypeChanged,
        }
    }

    pub(super) fn add_slot(&mut self, slot: &Slot, raw: Raw, old: &TypeRef, new: &TypeRef) {
        let (from, to) = describe_both((self.old, old), (self.new, new));
        self.add(raw, slot.scope.clone(), |mut found| {
            found.member.clone_from(&slot.member);
            found.written_by = slot.writer;
            found
                .arg("from", from.as_str())
                .arg("to", to.as_str())
                .at(slot.old.as_ref(), slot.new.as_ref())
                .rust(slot.rust_old.clone(), slot.rust_new.clone())
        });
    }
}

/// Returns whether one of two types of the same kind has all members of the other, so that a comparison of their members
/// says what happens to messages.
fn extends(old: &TypeDef, new: &TypeDef) -> bool {
    let names = |def: &TypeDef| -> Option<HashSet<String>> {
        let name = |name: &Name| name.wire.clone();
        match &def.kind {
            TypeKind::Object(object) => {
                let fields = object.fields.iter().map(|field| name(&field.name));
                let constants = object
                    .constants
                    .iter()
                    .map(|constant| constant.wire.clone());
                Some(fields.chain(constants).collect())
            }
            TypeKind::StringEnum(string_enum) => Some(
                string_enum
                    .variants
                    .iter()
                    .map(|variant| name(&variant.name))
                    .collect(),
            ),
            _ => None,
        }
    };
    match (names(old), names(new)) {
        (Some(old), Some(new)) => old.is_subset(&new) || new.is_subset(&old),
        _ => false,
    }
}

/// Returns whether `wide` includes all values of `narrow`, for types of different kinds. Where values
/// are written as `text`, each of them is a string.
fn includes(
    (api, wide): (&Api, &TypeRef),
    (other, narrow): (&Api, &TypeRef),
    same: &dyn Fn(&TypeRef, &TypeRef) -> bool,
    text: bool,
) -> bool {
    match wide {
        TypeRef::Primitive(Primitive::Json) => true,
        TypeRef::Primitive(primitive) => match narrow {
            TypeRef::Named(id) => match &other.type_def(*id).kind {
                TypeKind::StringEnum(_) => *primitive == Primitive::String,
                TypeKind::LiteralEnum(_) if text && *primitive == Primitive::String => true,
                TypeKind::Union(_) if text && *primitive == Primitive::String => {
                    is_single(other, narrow)
                }
                TypeKind::LiteralEnum(literal_enum) => literal_enum
                    .variants
                    .iter()
                    .all(|variant| is_value(primitive, &variant.value)),
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
            TypeKind::Union(union) => union.variants.iter().any(|variant| {
                let admitted = || admits((api, &variant.ty), (other, narrow), same);
                same(&variant.ty, narrow) || (union.several && admitted())
            }),
            _ => false,
        },
        _ => false,
    }
}

/// Returns whether a type of scalars has a value.
pub(super) fn is_value(primitive: &Primitive, value: &Literal) -> bool {
    match value {
        Literal::Int(_) => matches!(primitive, Primitive::Number(_)),
        Literal::Float(_) => matches!(primitive, Primitive::Number(name) if name.starts_with('f')),
        Literal::Bool(_) => *primitive == Primitive::Bool,
        Literal::String(_) => *primitive == Primitive::String,
        Literal::Null => *primitive == Primitive::Null,
    }
}
