//! Parameters.

use super::super::pair::shape;
use super::super::rules::{Direction, Raw};
use super::objects::presence;
use super::same::same_wire;
use super::slot::{Form, Kind, Slot};
use super::typed::{Typed, items, strip};
use super::{Call, Finder, Scope};
use crate::ir::{
    Api, Operation, Param, Place, Primitive, Rule, StyleWord, TypeKind, TypeRef, Writer,
};

/// A parameter of both documents.
struct Both<'p> {
    old: &'p Param,
    new: &'p Param,
}

impl Both<'_> {
    /// Returns whether two parameters of the path have exchanged their places: both names are those of other positions.
    fn is_exchanged(&self, all: &[Self]) -> bool {
        let (old, new) = (&self.old.name.wire, &self.new.name.wire);
        let is_path = |both: &&Self| both.old.place == Place::Path && both.new.place == Place::Path;
        let mut paths = all.iter().filter(is_path);
        let has = |both: &Self| both.new.name.wire == *old;
        let had = |both: &Self| both.old.name.wire == *new;
        old != new && is_path(&self) && paths.clone().any(has) && paths.any(had)
    }
}

impl<'a> Finder<'a> {
    /// Compares the parameters of a paired operation.
    pub(super) fn params(&mut self, index: usize) {
        let call = self.calls[index];
        let (both, removed, added) = partners(call.old, call.new);
        for param in removed {
            let raw = match param.optional {
                true => Raw::ParamRemoved,
                false => Raw::RequiredParamRemoved,
            };
            self.lone_param(index, raw, param, false);
        }
        for param in added {
            let raw = match param.optional {
                true => Raw::ParamAdded,
                false => Raw::RequiredParamAdded,
            };
            self.lone_param(index, raw, param, true);
        }
        for pair in &both {
            self.param(index, pair, pair.is_exchanged(&both));
        }
        // Parameters that exchanged their places keep their fields.
        let renamed = both.iter().filter(|pair| !pair.is_exchanged(&both));
        let partners: Vec<_> = renamed.map(|both| (both.old, both.new)).collect();
        self.arguments_of(index, &partners);
    }

    fn lone_param(&mut self, index: usize, raw: Raw, param: &Param, added: bool) {
        let key = match (param.optional && param.required, raw) {
            (true, Raw::ParamAdded) => Some(Raw::KeyRequired),
            (true, Raw::ParamRemoved) => Some(Raw::KeyOptional),
            _ => None,
        };
        if let Some(raw) = key {
            self.lone_param(index, raw, param, added);
        }
        let Call { old, new, .. } = self.calls[index];
        let request = if added { new } else { old };
        let rust = Some(field(request, param));
        let scope = Scope::Operation(index, Direction::Request);
        let announced = self.announced(&param.doc).filter(|_| !added);
        self.add(raw, scope, |mut found| {
            found.member = member(param);
            found.announced = announced;
            match added {
                true => found
                    .at(Some(&old.origin), Some(&param.origin))
                    .rust(None, rust.clone()),
                false => found
                    .at(Some(&param.origin), Some(&new.origin))
                    .rust(rust.clone(), None),
            }
        });
    }

    fn param(&mut self, index: usize, both: &Both<'_>, exchanged: bool) {
        let Both { old: a, new: b } = *both;
        let Call { old, new, .. } = self.calls[index];
        let slot = Slot {
            scope: Scope::Operation(index, Direction::Request),
            member: member(a),
            old: Some(a.origin.clone()),
            new: Some(b.origin.clone()),
            kind: Kind::Param(Form::new(a.style.iter().chain(&b.style))),
            writer: Writer::Both,
            rust_old: Some(field(old, a)),
            rust_new: Some(field(new, b)),
        };
        if a.place != b.place {
            let place = |param: &Param| format!("{:?}", param.place).to_lowercase();
            self.add(Raw::ParamMoved, slot.scope.clone(), |mut found| {
                found.member.clone_from(&slot.member);
                found
                    .arg("from", place(a))
                    .arg("to", place(b))
                    .at(slot.old.as_ref(), slot.new.as_ref())
            });
        } else if self.is_serialized_otherwise(a, b) {
            self.note(&slot, Raw::ParamStyle);
        }
        match (a.optional, b.optional) {
            (true, false) => self.note(&slot, Raw::ParamRequired),
            (false, true) => self.note(&slot, Raw::ParamOptional),
            (false, false) => {}
            // A client creates the key.
            (true, true) => match (a.required, b.required) {
                (false, true) => self.note(&slot, Raw::KeyRequired),
                (true, false) => self.note(&slot, Raw::KeyOptional),
                _ => {}
            },
        }
        let (x, y) = (presence(&a.ty, a.optional), presence(&b.ty, b.optional));
        match (x.nullable, y.nullable) {
            (false, true) => self.note(&slot, Raw::ParamWidened),
            (true, false) => self.note(&slot, Raw::ParamNarrowed),
            _ => {}
        }
        let (x, y) = (Typed::new(x.ty, &a.rules), Typed::new(y.ty, &b.rules));
        let is_other = exchanged && !same_wire(self.old, self.new, x.ty, y.ty);
        match self.list_of_one(a, b) {
            Some(raw) => self.compare_with_items(&slot, raw, x, y),
            None if is_other => {}
            None => self.slot(&slot, x, y),
        }
        self.defaults(&slot, a.default.as_ref(), b.default.as_ref());
        let renamed =
            a.place == Place::Path && b.place == Place::Path && a.name.wire != b.name.wire;
        if renamed {
            let raw = match (exchanged, is_other) {
                (true, true) => Raw::PathParamTypesExchanged,
                (true, false) => Raw::PathParamsExchanged,
                (false, _) => Raw::PathParamRenamed,
            };
            self.add(raw, slot.scope.clone(), |mut found| {
                found.member.clone_from(&slot.member);
                let found = found
                    .arg("from", a.name.wire.as_str())
                    .arg("to", b.name.wire.as_str())
                    .at(slot.old.as_ref(), slot.new.as_ref())
                    .rust(slot.rust_old.clone(), slot.rust_new.clone());
                match exchanged {
                    true => found,
                    false => found.keep(format!("{}.{}", new.name.wire, b.name.wire), &a.name),
                }
            });
        } else if a.name.rust != b.name.rust {
            let key = format!("{}.{}", new.name.wire, b.name.wire);
            self.renamed(&slot, Raw::ParamFieldRenamed, (&a.name, &b.name), &key);
        }
        self.deprecation(&slot, &a.doc, &b.doc);
        if a.doc.text != b.doc.text {
            self.note(&slot, Raw::TextChanged);
        }
    }
}

impl Finder<'_> {
    /// Returns whether the same value has two forms. `explode` has no effect on a single value.
    fn is_serialized_otherwise(&self, a: &Param, b: &Param) -> bool {
        let exploded = |word: &&StyleWord| !matches!(word, StyleWord::Explode | StyleWord::Flat);
        let style = |param: &Param, single: bool| -> Vec<StyleWord> {
            let words = param.style.iter();
            words
                .filter(|word| !single || exploded(word))
                .copied()
                .collect()
        };
        let single = is_single(self.old, &a.ty) && is_single(self.new, &b.ty);
        style(a, single) != style(b, single)
    }

    /// Returns the difference between a single value and a list of such values, where the value is written like a list
    /// of one: the name is repeated for each item.
    fn list_of_one(&self, a: &Param, b: &Param) -> Option<Raw> {
        let repeated = |param: &Param| param.place == Place::Query && param.style.is_empty();
        if !repeated(a) || !repeated(b) {
            return None;
        }
        let strip = |api, ty| strip(api, Typed::new(ty, &[])).typed.ty;
        let (x, y) = (strip(self.old, &a.ty), strip(self.new, &b.ty));
        // Each value is a text.
        let is_text = |ty: &TypeRef| *ty == TypeRef::Primitive(Primitive::String);
        match (x, y) {
            (TypeRef::Vec(item), _) if is_single(self.new, y) => {
                let item = strip(self.old, item);
                let narrower = is_text(item) || same_wire(self.old, self.new, item, y);
                narrower.then_some(Raw::ParamNarrowed)
            }
            (_, TypeRef::Vec(item)) if is_single(self.old, x) => {
                let item = strip(self.new, item);
                let wider = is_text(item) || same_wire(self.old, self.new, x, item);
                wider.then_some(Raw::ParamWidened)
            }
            _ => None,
        }
    }

    /// Compares a single value with the items of a list, which may have one item unless it states
    /// otherwise.
    fn compare_with_items(&mut self, slot: &Slot, raw: Raw, old: Typed<'_>, new: Typed<'_>) {
        let types = (old.ty, new.ty);
        let several = |rule: &Rule| matches!(rule, Rule::MinItems(2..));
        let rules = |api, typed| {
            let mut list = strip(api, typed).typed;
            match list.ty {
                TypeRef::Vec(item) => {
                    let item = list.part(item, items);
                    (strip(api, item).typed.rules, list.rules.iter().any(several))
                }
                _ => (list.rules, false),
            }
        };
        let (old, old_several) = rules(self.old, old);
        let (new, new_several) = rules(self.new, new);
        let raw = match old_several || new_several {
            true => Raw::ParamTypeChanged,
            false => raw,
        };
        self.add_slot(slot, raw, types.0, types.1);
        self.constraints(&slot.part("[]"), &old, &new);
    }
}

/// Returns whether a value is neither a list nor an object. It may be one of several scalars.
pub(super) fn is_single(api: &Api, ty: &TypeRef) -> bool {
    let scalar = |ty| match strip(api, Typed::new(ty, &[])).typed.ty {
        TypeRef::Primitive(primitive) => Ok(*primitive != Primitive::Json),
        TypeRef::Named(id) => match &api.type_def(*id).kind {
            TypeKind::StringEnum(_) | TypeKind::LiteralEnum(_) => Ok(true),
            TypeKind::Union(union) => Err(&union.variants),
            _ => Ok(false),
        },
        _ => Ok(false),
    };
    match scalar(ty) {
        Ok(is_scalar) => is_scalar,
        Err(variants) => variants
            .iter()
            .all(|variant| matches!(scalar(&variant.ty), Ok(true))),
    }
}

/// Returns the name of a parameter in reports, such as `query limit`.
fn member(param: &Param) -> String {
    let place = format!("{:?}", param.place).to_lowercase();
    format!("{place} {}", param.name.wire)
}

/// Returns the Rust field of a parameter.
fn field(operation: &Operation, param: &Param) -> String {
    format!("{}Request::{}", operation.base, param.name.rust)
}

/// Pairs the parameters: by location and name, and the others by name alone. Path parameters, whose
/// names are not sent, are paired by their order if the path stays, and otherwise after their names.
fn partners<'p>(
    old: &'p Operation,
    new: &'p Operation,
) -> (Vec<Both<'p>>, Vec<&'p Param>, Vec<&'p Param>) {
    let mut both = Vec::new();
    let mut a: Vec<&Param> = old.params.iter().collect();
    let mut b: Vec<&Param> = new.params.iter().collect();
    let path = |param: &&Param| param.place == Place::Path;
    let count = |all: &[&Param]| all.iter().filter(|each| path(each)).count();
    let exact = |x: &Param, y: &Param| x.place == y.place && x.name.wire == y.name.wire;
    let named = |x: &Param, y: &Param| x.name.wire == y.name.wire;
    let header = |x: &Param, y: &Param| {
        let names = (&x.name.wire, &y.name.wire);
        x.place == Place::Header && y.place == x.place && names.0.eq_ignore_ascii_case(names.1)
    };
    let in_order = |x: &Param, y: &Param| path(&x) && path(&y);
    let is_same_path = shape(old) == shape(new);
    if is_same_path && count(&a) == count(&b) {
        take(&mut a, &mut b, &mut both, &in_order);
    }
    take(&mut a, &mut b, &mut both, &exact);
    take(&mut a, &mut b, &mut both, &header);
    if count(&a) == count(&b) {
        take(&mut a, &mut b, &mut both, &in_order);
    }
    take(&mut a, &mut b, &mut both, &named);
    (both, a, b)
}

fn take<'p>(
    old: &mut Vec<&'p Param>,
    new: &mut Vec<&'p Param>,
    both: &mut Vec<Both<'p>>,
    same: &dyn Fn(&Param, &Param) -> bool,
) {
    old.retain(
        |param| match new.iter().position(|other| same(param, other)) {
            Some(index) => {
                both.push(Both {
                    old: param,
                    new: new.remove(index),
                });
                false
            }
            None => true,
        },
    );
}
