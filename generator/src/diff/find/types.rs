//! Pairs of named types.

use super::super::Subject;
use super::super::rules::Raw;
use super::places::is_shared;
use super::slot::{Kind, Slot};
use super::typed::Typed;
use super::{Finder, Scope, ids, path_of};
use crate::ir::{Rule, TypeDef, TypeId, TypeKind, TypeRef, Writer};
use std::collections::HashSet;

impl<'a> Finder<'a> {
    /// Pairs the reusable schemas by name, used or not.
    pub(super) fn reusable_types(&mut self) {
        for id in ids(self.old) {
            let def = self.old.type_def(id);
            if def.parent.is_some() {
                continue;
            }
            let name = def.name.wire.as_str();
            if let Some(new) = self.names.new_schemas.get(name).copied() {
                self.pair_of(id, new, None);
            }
        }
    }

    /// Returns whether two types are forms of the same item. Two reusable schemas with different
    /// names are the same item only if one name replaced the other.
    pub(super) fn is_same_item(&self, old: &TypeDef, new: &TypeDef) -> bool {
        if old.parent.is_some() || new.parent.is_some() || old.name.wire == new.name.wire {
            return true;
        }
        let stays = self.names.new_schemas.contains_key(old.name.wire.as_str());
        let is_known = self.names.old_schemas.contains_key(new.name.wire.as_str());
        !stays && !is_known
    }

    /// Compares the types of a pair.
    pub(super) fn pair(&mut self, index: usize) {
        let (old_id, new_id) = (self.pairs[index].old, self.pairs[index].new);
        let (old, new) = (self.old.type_def(old_id), self.new.type_def(new_id));
        self.pair_names(index, old, new);
        match (&old.kind, &new.kind) {
            (TypeKind::Object(a), TypeKind::Object(b)) => self.objects(index, (old, a), (new, b)),
            (TypeKind::StringEnum(a), TypeKind::StringEnum(b)) => {
                self.string_enums(index, (old, a), (new, b));
            }
            (TypeKind::LiteralEnum(a), TypeKind::LiteralEnum(b)) => {
                self.literal_enums(index, (old, a), (new, b));
            }
            (TypeKind::Union(a), TypeKind::Union(b)) => self.unions(index, (old, a), (new, b)),
            (TypeKind::Newtype(a, _), TypeKind::Newtype(b, _))
            | (TypeKind::Alias(a), TypeKind::Alias(b)) => {
                let (a, b) = (Typed::new(a, &old.rules), Typed::new(b, &new.rules));
                return self.slot(&self.whole(index, old, new), a, b);
            }
            // An alias or a newtype of one side may be the type of the other.
            _ => {
                let (a, b) = (TypeRef::Named(old_id), TypeRef::Named(new_id));
                let slot = self.whole(index, old, new);
                return self.slot(&slot, Typed::new(&a, &[]), Typed::new(&b, &[]));
            }
        }
        let slot = self.whole(index, old, new);
        self.constraints(&slot, &checked(&old.rules), &checked(&new.rules));
    }

    /// Returns the slot of a type as a whole.
    pub(super) fn whole(&self, index: usize, old: &TypeDef, new: &TypeDef) -> Slot {
        Slot {
            scope: Scope::Pair(index),
            member: String::new(),
            old: Some(old.origin.clone()),
            new: Some(new.origin.clone()),
            kind: Kind::Value,
            writer: Writer::Both,
            rust_old: Some(path_of(self.old, old)),
            rust_new: Some(path_of(self.new, new)),
        }
    }

    fn pair_names(&mut self, index: usize, old: &TypeDef, new: &TypeDef) {
        let (before, after) = (path_of(self.old, old), path_of(self.new, new));
        let scope = Scope::Pair(index);
        if before != after && self.pairs[index].renames && !self.follows(old, new) {
            let key = match new.parent {
                None => new.name.wire.clone(),
                Some(_) => new.origin.pointer().trim_start_matches('#').to_owned(),
            };
            let same_module = old.module == new.module || old.parent.is_none();
            self.add(Raw::TypeRenamed, scope.clone(), |found| {
                let found = found
                    .arg("from", before.as_str())
                    .arg("to", after.as_str())
                    .at(Some(&old.origin), Some(&new.origin))
                    .rust(Some(before.clone()), Some(after.clone()));
                match same_module {
                    true => found.keep(key.as_str(), &old.name),
                    false => found,
                }
            });
        }
        let slot = self.whole(index, old, new);
        self.deprecation(&slot, &old.doc, &new.doc);
        if old.doc.text != new.doc.text {
            self.add(Raw::TextChanged, Scope::Pair(index), |found| {
                found.at(Some(&old.origin), Some(&new.origin))
            });
        }
    }

    /// Returns whether the new name of an inline type is only a consequence of the new name of its
    /// parent.
    fn follows(&self, old: &TypeDef, new: &TypeDef) -> bool {
        use crate::ir::Parent;
        match (&old.parent, &new.parent) {
            (Some(Parent::Type(a)), Some(Parent::Type(b))) => {
                let (a, b) = (self.old.type_def(*a), self.new.type_def(*b));
                a.name.rust != b.name.rust && old.name.wire == new.name.wire
            }
            (Some(Parent::Operation(a, webhook)), Some(Parent::Operation(b, other))) => {
                let base = |api: &crate::ir::Api, index: usize, webhook: bool| {
                    let list = if webhook {
                        &api.webhooks
                    } else {
                        &api.operations
                    };
                    list.get(index).map(|operation| {
                        let tag = operation.tag.and_then(|tag| api.tags.get(tag));
                        let tag = tag.map(|tag| tag.name.rust.clone());
                        (operation.base.clone(), tag)
                    })
                };
                base(self.old, *a, *webhook) != base(self.new, *b, *other)
            }
            _ => false,
        }
    }

    /// Pairs the inline types that no message contains, such as the fields of an event: they are
    /// items of both crates with the same path.
    pub(super) fn unused_types(&mut self) {
        let (old, new): (HashSet<TypeId>, HashSet<TypeId>) =
            self.pairs.iter().map(|pair| (pair.old, pair.new)).unzip();
        for id in ids(self.old) {
            let def = self.old.type_def(id);
            if def.parent.is_none() || is_shared(def) || old.contains(&id) {
                continue;
            }
            let path = (
                super::module_of(self.old, def.module),
                def.name.rust.as_str(),
            );
            let Some(other) = self.names.new_rust.get(&path).copied() else {
                continue;
            };
            let kinds = (&def.kind, &self.new.type_def(other).kind);
            let same_kind = std::mem::discriminant(kinds.0) == std::mem::discriminant(kinds.1);
            if same_kind && !new.contains(&other) {
                self.pair_of(id, other, None);
            }
        }
    }

    /// Reports the reusable types that only one of the documents has.
    pub(super) fn lone_types(&mut self) {
        let forms = self.pairs.iter().filter(|pair| !pair.swapped);
        let (old, new): (Vec<TypeId>, Vec<TypeId>) = forms.map(|pair| (pair.old, pair.new)).unzip();
        let sides = [
            (self.old, old, Raw::TypeRemoved),
            (self.new, new, Raw::TypeAdded),
        ];
        for (api, paired, raw) in sides {
            let paired: HashSet<TypeId> = paired.into_iter().collect();
            for id in ids(api) {
                let def = api.type_def(id);
                if def.parent.is_some() || paired.contains(&id) {
                    continue;
                }
                let scope = Scope::Alone(Subject::Type, def.name.wire.clone());
                let path = path_of(api, def);
                self.add(raw, scope, |found| match raw {
                    Raw::TypeAdded => found
                        .at(None, Some(&def.origin))
                        .rust(None, Some(path.clone())),
                    _ => found
                        .at(Some(&def.origin), None)
                        .rust(Some(path.clone()), None),
                });
            }
        }
    }
}

/// Returns the rules of a document, without those that the generator adds.
pub(super) fn checked(rules: &[Rule]) -> Vec<Rule> {
    let own = rules
        .iter()
        .filter(|rule| !matches!(rule, Rule::Known | Rule::Required | Rule::Returned));
    own.cloned().collect()
}
