//! Structs: properties, additional properties, constructors.

use super::super::rules::Raw;
use super::arguments::{Argument, Constructor};
use super::constant::field_of;
use super::describe::default;
use super::slot::{Kind, Slot};
use super::typed::Typed;
use super::{Finder, Scope, member_of, path_of};
use crate::ir::{
    Api, DefaultValue, Field, Name, Object, Primitive, TypeDef, TypeRef, Unknown, Writer,
};

/// A struct and its definition.
pub(super) type Side<'s> = (&'s TypeDef, &'s Object);

impl Finder<'_> {
    /// Compares two structs.
    pub(super) fn objects(&mut self, index: usize, old: Side<'_>, new: Side<'_>) {
        let before = self.found.len();
        for field in &old.1.fields {
            match field_of(new.1, &field.name.wire) {
                Some(other) => self.fields(index, (old.0, field), (new.0, other)),
                None if is_constant(new.1, field) => {}
                None => self.removed(index, old.0, field, new),
            }
        }
        for field in &new.1.fields {
            let known = field_of(old.1, &field.name.wire).is_some();
            if !known && !is_constant(old.1, field) {
                self.added(index, new.0, field, old);
            }
        }
        self.unknown(index, old, new);
        let explained: Vec<String> = self.found[before..]
            .iter()
            .map(|found| found.member.clone())
            .collect();
        self.constant_properties(index, old, new);
        self.constructor(index, old, new, &explained);
    }

    fn removed(&mut self, index: usize, def: &TypeDef, field: &Field, new: Side<'_>) {
        let closed = matches!(new.1.unknown, Unknown::Refused);
        let raw = match (field.optional, closed) {
            (true, false) => Raw::PropertyRemoved,
            (true, true) => Raw::ClosedPropertyRemoved,
            (false, false) => Raw::RequiredPropertyRemoved,
            (false, true) => Raw::ClosedRequiredPropertyRemoved,
        };
        let slot = Slot {
            scope: Scope::Pair(index),
            member: field.name.wire.clone(),
            old: Some(field.origin.clone()),
            new: Some(new.0.origin.clone()),
            kind: Kind::Value,
            writer: field.writer,
            rust_old: Some(member_of(self.old, def, &field.name)),
            rust_new: None,
        };
        self.note_removed(&slot, raw, &field.doc);
        self.required_in_messages(&slot, field, Raw::WrittenPropertyOptional);
    }

    fn added(&mut self, index: usize, def: &TypeDef, field: &Field, old: Side<'_>) {
        let closed = matches!(old.1.unknown, Unknown::Refused);
        let raw = match (field.optional, closed) {
            (true, false) => Raw::PropertyAdded,
            (true, true) => Raw::ClosedPropertyAdded,
            (false, false) => Raw::RequiredPropertyAdded,
            (false, true) => Raw::ClosedRequiredPropertyAdded,
        };
        let slot = Slot {
            scope: Scope::Pair(index),
            member: field.name.wire.clone(),
            old: Some(old.0.origin.clone()),
            new: Some(field.origin.clone()),
            kind: Kind::Value,
            writer: field.writer,
            rust_old: None,
            rust_new: Some(member_of(self.new, def, &field.name)),
        };
        self.note(&slot, raw);
        self.required_in_messages(&slot, field, Raw::WrittenPropertyRequired);
    }

    fn fields(&mut self, index: usize, old: (&TypeDef, &Field), new: (&TypeDef, &Field)) {
        let (a, b) = (old.1, new.1);
        let slot = Slot {
            scope: Scope::Pair(index),
            member: a.name.wire.clone(),
            old: Some(a.origin.clone()),
            new: Some(b.origin.clone()),
            kind: Kind::Value,
            writer: both(a.writer, b.writer),
            rust_old: Some(member_of(self.old, old.0, &a.name)),
            rust_new: Some(member_of(self.new, new.0, &b.name)),
        };
        self.writers(&slot, a, b);
        let (x, y) = (presence(&a.ty, a.optional), presence(&b.ty, b.optional));
        self.required(&slot, a, b);
        if x.nullable != y.nullable {
            let raw = match y.nullable {
                true => Raw::NullAccepted,
                false => Raw::NullRejected,
            };
            self.note(&slot, raw);
        } else if a.or_none != b.or_none && a.optional == b.optional {
            self.note(&slot, Raw::RustTypeChanged);
        }
        self.slot(
            &slot,
            Typed::new(x.ty, &a.rules),
            Typed::new(y.ty, &b.rules),
        );
        self.defaults(&slot, a.default.as_ref(), b.default.as_ref());
        if a.name.rust != b.name.rust {
            let key = key_of(new.0, &b.name, &b.origin);
            self.renamed(&slot, Raw::FieldRenamed, (&a.name, &b.name), &key);
        }
        self.deprecation(&slot, &a.doc, &b.doc);
        if a.doc.text != b.doc.text {
            self.note(&slot, Raw::TextChanged);
        }
    }

    /// Adds a difference of a slot without arguments.
    pub(super) fn note(&mut self, slot: &Slot, raw: Raw) {
        self.add_at(slot, raw, |_| {});
    }

    /// Adds a new Rust name of an item that stays.
    pub(super) fn renamed(&mut self, slot: &Slot, raw: Raw, names: (&Name, &Name), key: &str) {
        self.add(raw, slot.scope.clone(), |mut found| {
            found.member.clone_from(&slot.member);
            found
                .arg("from", names.0.rust.as_str())
                .arg("to", names.1.rust.as_str())
                .at(slot.old.as_ref(), slot.new.as_ref())
                .rust(slot.rust_old.clone(), slot.rust_new.clone())
                .keep(key, names.0)
        });
    }

    fn writers(&mut self, slot: &Slot, old: &Field, new: &Field) {
        if old.writer == new.writer {
            return;
        }
        match old.writer {
            Writer::Both => {}
            Writer::Server => self.note(slot, Raw::ReadOnlyUnset),
            Writer::Client => self.note(slot, Raw::WriteOnlyUnset),
        }
        match new.writer {
            Writer::Both => {}
            Writer::Server => self.note(slot, Raw::ReadOnlySet),
            Writer::Client => self.note(slot, Raw::WriteOnlySet),
        }
    }

    /// Compares the defaults of a property or a parameter.
    pub(super) fn defaults(
        &mut self,
        slot: &Slot,
        old: Option<&DefaultValue>,
        new: Option<&DefaultValue>,
    ) {
        let from = old.map(|value| default(self.old, value));
        let to = new.map(|value| default(self.new, value));
        let raw = match (&from, &to) {
            (None, Some(_)) => Raw::DefaultAdded,
            (Some(_), None) => Raw::DefaultRemoved,
            (Some(from), Some(to)) if from != to => Raw::DefaultChanged,
            _ => return,
        };
        self.add(raw, slot.scope.clone(), |mut found| {
            found.member.clone_from(&slot.member);
            found.written_by = slot.writer;
            found
                .arguments
                .extend(from.clone().map(|value| ("from", value)));
            found
                .arguments
                .extend(to.clone().map(|value| ("to", value)));
            found
                .at(slot.old.as_ref(), slot.new.as_ref())
                .rust(slot.rust_old.clone(), slot.rust_new.clone())
        });
    }

    /// Compares the handling of additional properties.
    fn unknown(&mut self, index: usize, old: Side<'_>, new: Side<'_>) {
        let slot = self.whole(index, old.0, new.0);
        match (&old.1.unknown, &new.1.unknown) {
            (Unknown::Kept(a, x), Unknown::Kept(b, y)) => {
                let mut extra = slot;
                extra.member = "additional properties".to_owned();
                let (x, y) = (Typed::new(x, &old.1.each), Typed::new(y, &new.1.each));
                self.slot(&extra, x, y);
                if a.rust != b.rust {
                    self.renamed(&extra, Raw::FieldRenamed, (a, b), "");
                }
                return;
            }
            (Unknown::Ignored, Unknown::Ignored) | (Unknown::Refused, Unknown::Refused) => return,
            (Unknown::Refused, _) => self.note(&slot, Raw::UnknownAccepted),
            (_, Unknown::Refused) => self.note(&slot, Raw::UnknownRejected),
            _ => {}
        }
        let any = |ty: &TypeRef| *ty == TypeRef::Primitive(Primitive::Json);
        match (&old.1.unknown, &new.1.unknown) {
            (Unknown::Ignored, Unknown::Kept(_, ty)) if !any(ty) => {
                self.note(&slot, Raw::ConstraintNarrowed);
            }
            (Unknown::Kept(_, ty), Unknown::Ignored) if !any(ty) => {
                self.note(&slot, Raw::ConstraintWidened);
            }
            _ => {}
        }
        if let Unknown::Kept(name, _) = &new.1.unknown {
            let rust = member_of(self.new, new.0, name);
            self.add(Raw::ExtraFieldAdded, Scope::Pair(index), |found| {
                found
                    .at(Some(&old.0.origin), Some(&new.0.origin))
                    .rust(None, Some(rust.clone()))
            });
        }
        if let Unknown::Kept(name, _) = &old.1.unknown {
            let rust = member_of(self.old, old.0, name);
            self.add(Raw::ExtraFieldRemoved, Scope::Pair(index), |found| {
                found
                    .at(Some(&old.0.origin), Some(&new.0.origin))
                    .rust(Some(rust.clone()), None)
            });
        }
    }

    /// Reports arguments of the constructor that set other fields or are passed in another way, and
    /// those that no other difference explains, such as those of a property that has a single value in
    /// one of the documents.
    fn constructor(&mut self, index: usize, old: Side<'_>, new: Side<'_>, explained: &[String]) {
        let arguments = |api: &Api, object: &Object| -> Vec<Argument> {
            let fields = object.required().into_iter();
            fields
                .map(|field| Argument::new(api, &field.name.wire, &field.ty))
                .collect()
        };
        let path = |api: &Api, (def, object): Side<'_>| {
            let path = path_of(api, def);
            match (&object.init, path.rsplit_once("::")) {
                (Some(init), Some((module, _))) => format!("{module}::{init}"),
                _ => format!("{path}::new"),
            }
        };
        let constructor = Constructor {
            scope: Scope::Pair(index),
            paths: [path(self.old, old), path(self.new, new)],
            origins: [&old.0.origin, &new.0.origin],
            arguments: [arguments(self.old, old.1), arguments(self.new, new.1)],
            by_name: [old.1.init.is_some(), new.1.init.is_some()],
        };
        if constructor.sets_others() {
            return self.add_arguments(Raw::ConstructorSetsOthers, &constructor);
        }
        if constructor.is_changed(explained) {
            self.add_arguments(Raw::ConstructorChanged, &constructor);
        }
    }
}

/// Returns whether the property of a field is a constant of an object.
fn is_constant(object: &Object, field: &Field) -> bool {
    let mut constants = object.constants.iter();
    constants.any(|constant| constant.wire == field.name.wire)
}

/// Returns the side whose messages have a property in both documents.
pub(super) fn both(old: Writer, new: Writer) -> Writer {
    match old == new {
        true => old,
        false => Writer::Both,
    }
}

/// Returns the key of `[names]` for a member of a type.
pub(super) fn key_of(def: &TypeDef, name: &Name, origin: &crate::position::Origin) -> String {
    match def.parent {
        None => format!("{}.{}", def.name.wire, name.wire),
        Some(_) => origin.pointer().trim_start_matches('#').to_owned(),
    }
}

/// The type of a value that is present, and whether null is one of its values.
pub(super) struct Presence<'t> {
    pub(super) nullable: bool,
    pub(super) ty: &'t TypeRef,
}

/// Reads the four states of presence.
pub(super) fn presence(ty: &TypeRef, optional: bool) -> Presence<'_> {
    let (nullable, ty) = match ty {
        TypeRef::Option(inner) => (!optional, &**inner),
        TypeRef::Nullable(inner) => (true, &**inner),
        other => (false, other),
    };
    Presence { nullable, ty }
}
