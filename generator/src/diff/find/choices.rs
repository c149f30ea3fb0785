//! Enums and unions.

use std::collections::{HashMap, HashSet};

use super::super::rules::Raw;
use super::describe::literal;
use super::objects::key_of;
use super::same::{equally_narrow, same_wire};
use super::slot::Slot;
use super::typed::Typed;
use super::{Finder, Scope, member_of};
use crate::ir::{LiteralEnum, Name, Rule, StringEnum, TypeDef, TypeRef, Union, UnionVariant};

/// The value of an enum, on the wire and in Rust.
type Value<'v> = (String, &'v Name);

/// A way to find the variant that belongs to another one.
type Matcher<'w> = &'w dyn Fn(&UnionVariant, &UnionVariant) -> bool;

/// An enum of scalars.
struct Values<'v> {
    def: &'v TypeDef,
    values: Vec<Value<'v>>,
    open: bool,
}

impl Values<'_> {
    /// Returns the differences in requests and in responses if a value is added that readers of
    /// this enum do not know, or removed.
    fn raws(&self, all: [Raw; 3]) -> [Raw; 2] {
        raws(self.def, self.open, all)
    }
}

/// Selects among the differences of an open type, of a closed type, and of an open type whose
/// unknown values servers reject.
fn raws(def: &TypeDef, open: bool, [opened, closed, known]: [Raw; 3]) -> [Raw; 2] {
    let strict = def.rules.contains(&Rule::Known);
    match (open, strict) {
        (false, _) => [closed, closed],
        (true, true) => [known, opened],
        (true, false) => [opened, opened],
    }
}

impl<'a> Finder<'a> {
    /// Compares two enums of strings.
    pub(super) fn string_enums(
        &mut self,
        index: usize,
        old: (&TypeDef, &StringEnum),
        new: (&TypeDef, &StringEnum),
    ) {
        let values = |side: (&'_ TypeDef, &'_ StringEnum)| -> Vec<(String, Name)> {
            let all = side.1.variants.iter();
            all.map(|each| (each.name.wire.clone(), each.name.clone()))
                .collect()
        };
        let (a, b) = (values(old), values(new));
        let open = (old.1.fallback.is_some(), new.1.fallback.is_some());
        self.enums(index, &side(old.0, &a, open.0), &side(new.0, &b, open.1));
    }

    /// Compares two enums of other scalars.
    pub(super) fn literal_enums(
        &mut self,
        index: usize,
        old: (&TypeDef, &LiteralEnum),
        new: (&TypeDef, &LiteralEnum),
    ) {
        let values = |side: (&'_ TypeDef, &'_ LiteralEnum)| -> Vec<(String, Name)> {
            let all = side.1.variants.iter();
            all.map(|each| (literal(&each.value), each.name.clone()))
                .collect()
        };
        let (a, b) = (values(old), values(new));
        let open = (old.1.fallback.is_some(), new.1.fallback.is_some());
        self.enums(index, &side(old.0, &a, open.0), &side(new.0, &b, open.1));
    }

    fn enums(&mut self, index: usize, old: &Values<'_>, new: &Values<'_>) {
        let slot = self.whole(index, old.def, new.def);
        match (old.open, new.open) {
            (false, true) => self.note(&slot, Raw::EnumOpened),
            (true, false) => self.note(&slot, Raw::EnumClosed),
            _ => {}
        }
        let known = |side: &Values<'_>| -> HashMap<String, Name> {
            let all = side.values.iter();
            all.map(|(value, name)| (value.clone(), (*name).clone()))
                .collect()
        };
        let (before, after) = (known(old), known(new));
        for (value, name) in &old.values {
            let rust = member_of(self.old, old.def, name);
            match after.get(value) {
                None => {
                    let raws = new.raws([
                        Raw::ValueRemoved,
                        Raw::ClosedValueRemoved,
                        Raw::KnownValueRemoved,
                    ]);
                    self.item(&slot, raws, value, (Some(rust), None));
                }
                Some(other) if other.rust != name.rust => {
                    let mut slot = slot.clone();
                    slot.member.clone_from(value);
                    slot.rust_old = Some(rust);
                    slot.rust_new = Some(member_of(self.new, new.def, other));
                    let key = key_of(new.def, other, &new.def.origin);
                    self.renamed(&slot, Raw::VariantRenamed, (name, other), &key);
                }
                Some(_) => {}
            }
        }
        for (value, name) in &new.values {
            if !before.contains_key(value) {
                let raws = old.raws([Raw::ValueAdded, Raw::ClosedValueAdded, Raw::KnownValueAdded]);
                let rust = member_of(self.new, new.def, name);
                self.item(&slot, raws, value, (None, Some(rust)));
            }
        }
    }

    /// Adds a value or a variant that only one side has.
    fn item(
        &mut self,
        slot: &Slot,
        raws: [Raw; 2],
        name: &str,
        rust: (Option<String>, Option<String>),
    ) {
        self.add_both(raws, slot.scope.clone(), |found| {
            found
                .arg("name", name)
                .at(slot.old.as_ref(), slot.new.as_ref())
                .rust(rust.0.clone(), rust.1.clone())
        });
    }

    /// Compares two unions.
    pub(super) fn unions(
        &mut self,
        index: usize,
        old: (&TypeDef, &Union),
        new: (&TypeDef, &Union),
    ) {
        let slot = self.whole(index, old.0, new.0);
        let (a, b) = (old.1, new.1);
        if a.several != b.several || a.tag.is_some() != b.tag.is_some() {
            // The variants may be the same, but nothing else is.
            self.note(&slot, Raw::TypeChanged);
        } else if a.tag != b.tag {
            let tag = |union: &Union| union.tag.clone().unwrap_or_default();
            self.add(Raw::TagPropertyChanged, slot.scope.clone(), |found| {
                found
                    .arg("from", tag(a))
                    .arg("to", tag(b))
                    .at(slot.old.as_ref(), slot.new.as_ref())
            });
        } else {
            match (a.fallback.is_some(), b.fallback.is_some()) {
                (false, true) => self.note(&slot, Raw::UnionOpened),
                (true, false) => self.note(&slot, Raw::UnionClosed),
                _ => {}
            }
        }
        let partners = self.partners(a, b);
        self.order(&slot, old.1, new.1, &partners);
        for (variant, partner) in a.variants.iter().zip(&partners) {
            match partner {
                Some(other) => self.variants(index, (old.0, variant), (new.0, &b.variants[*other])),
                None => {
                    let raws = removed_variant(new.0, b);
                    let rust = member_of(self.old, old.0, &variant.name);
                    let name = self.variant_name(true, variant);
                    self.item(&slot, raws, &name, (Some(rust), None));
                }
            }
        }
        let taken: HashSet<usize> = partners.iter().flatten().copied().collect();
        for (other, variant) in b.variants.iter().enumerate() {
            if !taken.contains(&other) {
                let raws = added_variant(old.0, a);
                let rust = member_of(self.new, new.0, &variant.name);
                let name = self.variant_name(false, variant);
                self.item(&slot, raws, &name, (None, Some(rust)));
            }
        }
    }

    /// Compares the order of the variants of a union without a discriminator, which decides among
    /// those that are equally narrow.
    fn order(&mut self, slot: &Slot, old: &Union, new: &Union, partners: &[Option<usize>]) {
        if old.tag.is_some() || new.tag.is_some() || old.several || new.several {
            return;
        }
        let both: Vec<(&UnionVariant, usize)> = old
            .variants
            .iter()
            .zip(partners)
            .filter_map(|(variant, partner)| Some((variant, (*partner)?)))
            .collect();
        let is_exchanged = both.iter().enumerate().any(|(at, (variant, partner))| {
            let mut later = both.iter().skip(at + 1);
            later.any(|(other, before)| {
                before < partner && equally_narrow(self.old, &variant.ty, &other.ty)
            })
        });
        if !is_exchanged {
            return;
        }
        let names = |union: &Union, old: bool| {
            let names = union
                .variants
                .iter()
                .map(|variant| self.variant_name(old, variant));
            names.collect::<Vec<_>>().join(", ")
        };
        let (from, to) = (names(old, true), names(new, false));
        self.add(Raw::VariantsReordered, slot.scope.clone(), |found| {
            found
                .arg("from", from.as_str())
                .arg("to", to.as_str())
                .at(slot.old.as_ref(), slot.new.as_ref())
                .rust(slot.rust_old.clone(), slot.rust_new.clone())
        });
    }

    /// Returns for each old variant the new one: by discriminator values, by type, by Rust name.
    fn partners(&self, old: &Union, new: &Union) -> Vec<Option<usize>> {
        let mut partners: Vec<Option<usize>> = vec![None; old.variants.len()];
        let mut taken = vec![false; new.variants.len()];
        let tagged =
            |a: &UnionVariant, b: &UnionVariant| a.tags.iter().any(|tag| b.tags.contains(tag));
        let schema = |a: &UnionVariant, b: &UnionVariant| match (&a.ty, &b.ty) {
            (TypeRef::Named(a), TypeRef::Named(b)) => {
                let (a, b) = (self.old.type_def(*a), self.new.type_def(*b));
                a.parent.is_none() && b.parent.is_none() && a.name.wire == b.name.wire
            }
            _ => false,
        };
        let same = |a: &UnionVariant, b: &UnionVariant| same_wire(self.old, self.new, &a.ty, &b.ty);
        let named = |a: &UnionVariant, b: &UnionVariant| {
            a.name.rust == b.name.rust && a.tags.is_empty() && b.tags.is_empty()
        };
        let matchers: [Matcher<'_>; 4] = [&tagged, &schema, &same, &named];
        for matches in matchers {
            for (index, variant) in old.variants.iter().enumerate() {
                if partners[index].is_some() {
                    continue;
                }
                let mut all = new.variants.iter().enumerate();
                let found = all.find(|(at, other)| !taken[*at] && matches(variant, other));
                if let Some((at, _)) = found {
                    partners[index] = Some(at);
                    taken[at] = true;
                }
            }
        }
        partners
    }

    fn variants(
        &mut self,
        index: usize,
        old: (&TypeDef, &UnionVariant),
        new: (&TypeDef, &UnionVariant),
    ) {
        let (a, b) = (old.1, new.1);
        let mut slot = self.whole(index, old.0, new.0);
        slot.member = self.variant_name(true, a);
        slot.rust_old = Some(member_of(self.old, old.0, &a.name));
        slot.rust_new = Some(member_of(self.new, new.0, &b.name));
        self.slot(
            &slot,
            Typed::new(&a.ty, &a.rules),
            Typed::new(&b.ty, &b.rules),
        );
        for (these, those, raw) in [
            (&a.tags, &b.tags, Raw::TagValueRemoved),
            (&b.tags, &a.tags, Raw::TagValueAdded),
        ] {
            for tag in these.iter().filter(|tag| !those.contains(tag)) {
                self.add(raw, Scope::Pair(index), |mut found| {
                    found.member.clone_from(&slot.member);
                    found
                        .arg("name", tag.as_str())
                        .at(slot.old.as_ref(), slot.new.as_ref())
                        .rust(slot.rust_old.clone(), slot.rust_new.clone())
                });
            }
        }
        let knows = |variant: &UnionVariant, tag: Option<&String>| {
            tag.is_some_and(|tag| variant.tags.contains(tag))
        };
        let (from, to) = (a.tags.first(), b.tags.first());
        if from != to && knows(a, to) && knows(b, from) {
            self.note(&slot, Raw::TagValueWritten);
        }
        match (a.takes_others, b.takes_others) {
            (false, true) => self.note(&slot, Raw::DefaultVariantSet),
            (true, false) => self.note(&slot, Raw::DefaultVariantUnset),
            _ => {}
        }
        if a.name.rust != b.name.rust {
            let key = key_of(new.0, &b.name, &new.0.origin);
            self.renamed(&slot, Raw::VariantRenamed, (&a.name, &b.name), &key);
        }
    }

    /// Returns the name of a variant: its discriminator value, its schema, or its Rust name.
    fn variant_name(&self, old: bool, variant: &UnionVariant) -> String {
        if let Some(tag) = variant.tags.first() {
            return tag.clone();
        }
        let api = if old { self.old } else { self.new };
        match &variant.ty {
            TypeRef::Named(id) if api.type_def(*id).parent.is_none() => {
                api.type_def(*id).name.wire.clone()
            }
            _ => variant.name.rust.clone(),
        }
    }
}

fn side<'v>(def: &'v TypeDef, values: &'v [(String, Name)], open: bool) -> Values<'v> {
    let values = values.iter().map(|(value, name)| (value.clone(), name));
    Values {
        def,
        values: values.collect(),
        open,
    }
}

fn added_variant(def: &TypeDef, union: &Union) -> [Raw; 2] {
    if union.several {
        return [Raw::AlternativeAdded; 2];
    }
    if def.non_exhaustive && union.fallback.is_none() {
        return [Raw::UntaggedVariantAdded; 2];
    }
    let all = [
        Raw::VariantAdded,
        Raw::ClosedVariantAdded,
        Raw::KnownVariantAdded,
    ];
    raws(def, union.fallback.is_some(), all)
}

fn removed_variant(def: &TypeDef, union: &Union) -> [Raw; 2] {
    if union.several {
        return [Raw::AlternativeRemoved; 2];
    }
    if def.non_exhaustive && union.fallback.is_none() {
        return [Raw::UntaggedVariantRemoved; 2];
    }
    let all = [
        Raw::VariantRemoved,
        Raw::ClosedVariantRemoved,
        Raw::KnownVariantRemoved,
    ];
    raws(def, union.fallback.is_some(), all)
}
