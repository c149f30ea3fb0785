//! Filters: which operations, webhooks and schemas of a document become code.
//!
//! The whole document is lowered and named before a filter removes anything, so names do not depend
//! on the filter.

mod closure;
mod features;
mod list;
mod parts;
mod selector;
mod unmatched;

use std::collections::HashMap;
use std::fmt;

use crate::ir::{Api, Kept};
use crate::position::{Origin, Pointer};
use crate::source::Tree;

#[cfg(test)]
pub(crate) use features::OWN as OWN_FEATURES;
pub(crate) use features::decide as decide_features;
pub use list::{list_operations, list_schemas, list_tags};
pub(crate) use selector::Selector;

/// The selectors of a configuration. Without selectors, everything is selected.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Filter {
    include: Vec<Selector>,
    exclude: Vec<Selector>,
}

/// The result of a filter.
#[derive(Debug, Clone)]
pub(crate) struct Selection {
    pub(crate) kept: Kept,
    pub(crate) counts: Counts,
    /// Descriptions of the selectors that select nothing, each with a suggestion.
    pub(crate) unmatched: Vec<(String, String)>,
}

/// How much of a document a filter keeps: the number of kept items, and of all items.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Counts {
    /// The operations under `paths`.
    pub operations: (usize, usize),
    /// The webhooks and callbacks.
    pub webhooks: (usize, usize),
    /// The reusable schemas.
    pub schemas: (usize, usize),
    /// The operations without a tag that are left out, where `include` selects tags.
    pub untagged: usize,
}

impl Filter {
    /// Parses the selectors of a configuration.
    ///
    /// # Errors
    /// Returns an error message if a text is not a selector.
    pub(crate) fn parse(include: &[String], exclude: &[String]) -> Result<Self, String> {
        let parse = |texts: &[String]| -> Result<Vec<Selector>, String> {
            texts.iter().map(|text| Selector::parse(text)).collect()
        };
        Ok(Self {
            include: parse(include)?,
            exclude: parse(exclude)?,
        })
    }

    /// Returns whether the filter keeps everything.
    pub(crate) const fn is_empty(&self) -> bool {
        self.include.is_empty() && self.exclude.is_empty()
    }

    /// Selects the parts of an API.
    pub(crate) fn select(&self, api: &Api) -> Selection {
        let mut kept = Kept {
            operations: self.operations(api),
            webhooks: Vec::new(),
            types: self.types(api),
        };
        kept.webhooks = self.webhooks(api, &kept.operations);
        closure::close(api, &mut kept);
        let all = self.include.iter().chain(&self.exclude);
        Selection {
            counts: self.count(api, &kept),
            kept,
            unmatched: all
                .filter(|selector| !unmatched::selects_something(selector, api))
                .map(|selector| unmatched::describe(selector, api))
                .collect(),
        }
    }

    /// Returns whether an item is selected, given the selectors that select it.
    fn takes(&self, selects: impl Fn(&Selector) -> bool) -> bool {
        let included = self.include.is_empty() || self.include.iter().any(&selects);
        included && !self.exclude.iter().any(&selects)
    }

    fn operations(&self, api: &Api) -> Vec<bool> {
        let operations = api.operations.iter();
        let selected =
            operations.map(|operation| self.takes(|selector| selector.selects(operation)));
        selected.collect()
    }

    /// Selects webhooks, and the callbacks of selected operations.
    fn webhooks(&self, api: &Api, operations: &[bool]) -> Vec<bool> {
        let webhooks = api.webhooks.iter();
        let selected = webhooks.map(|operation| {
            let callback = operation
                .webhook
                .as_ref()
                .and_then(|webhook| webhook.callback.as_ref());
            let owner = callback.and_then(|callback| operations.get(callback.operation));
            let selects = |selector: &Selector| selector.selects_webhook(operation);
            match owner {
                None => self.takes(selects),
                Some(owner) => {
                    let included = *owner || self.include.iter().any(selects);
                    included && !self.exclude.iter().any(selects)
                }
            }
        });
        selected.collect()
    }

    /// Selects reusable schemas: those that a selector includes, and without such selectors those
    /// that no operation of the document uses.
    fn types(&self, api: &Api) -> Vec<bool> {
        let mut used = Kept {
            operations: vec![true; api.operations.len()],
            webhooks: vec![true; api.webhooks.len()],
            types: vec![false; api.types.len()],
        };
        if self.include.is_empty() {
            closure::close(api, &mut used);
        }
        let types = api.types.iter().zip(used.types);
        let selected = types.map(|(def, is_used)| {
            let selects = |selector: &Selector| selector.selects_schema(&def.name.wire);
            def.is_reusable_schema() && !is_used && self.takes(selects)
        });
        selected.collect()
    }

    fn count(&self, api: &Api, kept: &Kept) -> Counts {
        let counted = |list: &[bool]| (list.iter().filter(|kept| **kept).count(), list.len());
        let schemas = api.types.iter().zip(&kept.types);
        let schemas = schemas.filter(|(def, _)| def.is_reusable_schema());
        let schemas: Vec<bool> = schemas.map(|(_, kept)| *kept).collect();
        let by_tag = self
            .include
            .iter()
            .any(|selector| matches!(selector, Selector::Tag(_)));
        let operations = api.operations.iter().zip(&kept.operations);
        let untagged = operations.filter(|(operation, kept)| !**kept && operation.tags.is_empty());
        Counts {
            operations: counted(&kept.operations),
            webhooks: counted(&kept.webhooks),
            schemas: counted(&schemas),
            untagged: if by_tag { untagged.count() } else { 0 },
        }
    }
}

impl fmt::Display for Counts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts = [
            ("operation", self.operations),
            ("webhook", self.webhooks),
            ("schema", self.schemas),
        ];
        let parts = parts
            .iter()
            .filter(|(what, (_, all))| *all > 0 || *what == "operation");
        let parts: Vec<String> = parts
            .map(|(what, (kept, all))| {
                let plural = if *all == 1 { "" } else { "s" };
                format!("{} of {} {what}{plural}", thousands(*kept), thousands(*all))
            })
            .collect();
        f.write_str(&parts.join(", "))?;
        match self.untagged {
            0 => Ok(()),
            1 => f.write_str("; 1 operation without a tag is left out"),
            count => write!(
                f,
                "; {} operations without a tag are left out",
                thousands(count)
            ),
        }
    }
}

/// Returns a number with commas between its thousands.
fn thousands(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// The places in a document of operations, webhooks, types and other reusable parts, and whether a
/// filter removes them.
#[derive(Debug)]
pub(crate) struct LeftOut(HashMap<Origin, bool>);

impl LeftOut {
    /// Returns the places of an API. A path whose operations are all left out is left out, too; what
    /// one item keeps is kept.
    pub(crate) fn new(tree: &Tree, api: &Api, kept: &Kept) -> Self {
        let operations = api.operations.iter().zip(&kept.operations);
        let operations = operations.chain(api.webhooks.iter().zip(&kept.webhooks));
        let places = operations
            .clone()
            .map(|(operation, kept)| (&operation.origin, *kept));
        let parts = parts::unused(tree, &places.collect::<Vec<_>>());
        let operations = operations.flat_map(|(operation, kept)| {
            let path = operation.origin.parent();
            let path = (path.pointer != Pointer::ROOT).then_some((path, *kept));
            path.into_iter().chain([(operation.origin.clone(), *kept)])
        });
        // The place of an inline type that is left out belongs to what contains it.
        let types = api.types.iter().zip(&kept.types);
        let types = types.filter(|(def, kept)| **kept || def.is_reusable_schema());
        let types = types.map(|(def, kept)| (def.origin.clone(), *kept));
        let mut places = HashMap::new();
        for (place, kept) in operations.chain(types) {
            *places.entry(place).or_insert(true) &= !kept;
        }
        for part in parts {
            places.entry(part).or_insert(true);
        }
        Self(places)
    }

    /// Returns whether a place is in a part of the document that is left out.
    pub(crate) fn contains(&self, place: &Origin) -> bool {
        let mut here = place.clone();
        loop {
            if let Some(left_out) = self.0.get(&here) {
                return *left_out;
            }
            if here.pointer == Pointer::ROOT {
                return false;
            }
            here = here.parent();
        }
    }
}
