//! Properties that a document requires: on the wire, for each side that writes messages, and in Rust.
//!
//! `readOnly` and `writeOnly` properties are required only in the messages of the side that writes
//! them. In the struct of a type that travels in both directions, they are always optional.

use super::super::rules::Raw;
use super::Finder;
use super::slot::Slot;
use crate::ir::{Field, Writer};

impl Finder<'_> {
    /// Compares whether messages must have a property, and whether its field is an `Option`.
    pub(super) fn required(&mut self, slot: &Slot, old: &Field, new: &Field) {
        let mut sides: Vec<(Writer, bool)> = [Writer::Client, Writer::Server]
            .into_iter()
            .filter(|side| requires(old, *side) != requires(new, *side))
            .map(|side| (side, requires(new, side)))
            .collect();
        if let [(_, required), (_, other)] = sides[..]
            && required == other
        {
            sides = vec![(Writer::Both, required)];
        }
        let field = old.optional != new.optional;
        let mut explained = !field;
        for (side, required) in sides {
            let same = field && new.optional != required;
            explained |= same;
            let raw = match (same, required) {
                (true, true) => Raw::PropertyRequired,
                (true, false) => Raw::PropertyOptional,
                (false, true) => Raw::WrittenPropertyRequired,
                (false, false) => Raw::WrittenPropertyOptional,
            };
            self.written(slot, raw, side);
        }
        if !explained {
            self.note(slot, Raw::RustTypeChanged);
        }
    }

    /// Reports that the messages of one side must have a new property, or no longer have an old one,
    /// whose field in Rust is optional.
    pub(super) fn required_in_messages(&mut self, slot: &Slot, field: &Field, raw: Raw) {
        if field.optional && field.required {
            self.written(slot, raw, field.writer);
        }
    }

    /// Adds a difference of a property in the messages that one side writes.
    fn written(&mut self, slot: &Slot, raw: Raw, side: Writer) {
        self.add(raw, slot.scope.clone(), |mut found| {
            found.member.clone_from(&slot.member);
            found.written_by = side;
            found
                .at(slot.old.as_ref(), slot.new.as_ref())
                .rust(slot.rust_old.clone(), slot.rust_new.clone())
        });
    }
}

/// Returns whether the messages of a side must have the property.
fn requires(field: &Field, side: Writer) -> bool {
    field.required && (field.writer == Writer::Both || field.writer == side)
}
