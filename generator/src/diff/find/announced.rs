//! Announced removals (`deprecated` and `x-sunset`) of operations, parameters, properties and types.

use super::super::Day;
use super::super::rules::Raw;
use super::Finder;
use super::slot::Slot;
use crate::ir::Doc;

/// Returns the announced day of a removal.
fn day(doc: &Doc) -> Option<Day> {
    doc.sunset.as_deref()?.parse().ok()
}

impl Finder<'_> {
    /// Returns the announced day of a removal, if it has passed.
    pub(super) fn announced(&self, doc: &Doc) -> Option<Day> {
        let day = day(doc).filter(|_| doc.deprecated)?;
        (day < self.options.today?).then_some(day)
    }

    /// Adds the removal of a property.
    pub(super) fn note_removed(&mut self, slot: &Slot, raw: Raw, doc: &Doc) {
        let announced = self.announced(doc);
        self.add_at(slot, raw, |found| {
            found.announced = announced;
        });
    }

    /// Compares the deprecation and the announced removal of a type, a field or a parameter.
    pub(super) fn deprecation(&mut self, slot: &Slot, old: &Doc, new: &Doc) {
        let raw = match (old.deprecated, new.deprecated) {
            (false, true) => Some(Raw::ItemDeprecated),
            (true, false) => Some(Raw::ItemUndeprecated),
            _ => None,
        };
        if let Some(raw) = raw {
            self.add(raw, slot.scope.clone(), |mut found| {
                found.member.clone_from(&slot.member);
                found.at(slot.old.as_ref(), slot.new.as_ref())
            });
        }
        self.sunsets(slot, old, new);
    }

    /// Compares what both documents announce about the removal of an item.
    pub(super) fn sunsets(&mut self, slot: &Slot, old: &Doc, new: &Doc) {
        let today = self.options.today;
        let notice = day(new).zip(today).map(|(day, today)| day.since(today));
        let text = |doc: &Doc| doc.sunset.clone().unwrap_or_else(|| "none".to_owned());
        let raw = match (&old.sunset, &new.sunset) {
            (None, Some(_)) => Some(Raw::SunsetSet),
            (Some(_), None) => Some(Raw::SunsetUnset),
            (Some(a), Some(b)) if b < a => Some(Raw::SunsetEarlier),
            (Some(a), Some(b)) if b > a => Some(Raw::SunsetLater),
            _ => None,
        };
        if let Some(raw) = raw {
            self.add_at(slot, raw, |found| {
                let values = [("from", text(old)), ("to", text(new))];
                found.arguments.extend(values);
                found.notice = notice;
            });
        }
        let is_announced = old.deprecated && old.sunset.is_some();
        let raw = match &new.sunset {
            _ if !new.deprecated || today.is_none() => return,
            None if !old.deprecated || is_announced => Raw::SunsetMissing,
            Some(_) if !is_announced => Raw::SunsetTooEarly,
            _ => return,
        };
        self.add_at(slot, raw, |found| {
            let to = new.sunset.clone().map(|to| ("to", to));
            found.arguments.extend(to);
            found.notice = notice;
        });
    }

    /// Adds a difference of a slot.
    pub(super) fn add_at(
        &mut self,
        slot: &Slot,
        raw: Raw,
        difference: impl Fn(&mut super::Difference),
    ) {
        self.add(raw, slot.scope.clone(), |mut found| {
            found.member.clone_from(&slot.member);
            found.written_by = slot.writer;
            difference(&mut found);
            found
                .at(slot.old.as_ref(), slot.new.as_ref())
                .rust(slot.rust_old.clone(), slot.rust_new.clone())
        });
    }
}
