//! Inline types of reusable parameters, headers, bodies and responses: each is named after what it
//! stands in and not after an operation that uses it, and is the same type for all of them.

use std::collections::BTreeMap;

use crate::ir::{Module, Parent};
use crate::model::{Header, Operation, Parameter, RequestBody, Response};
use crate::source::Origin;

use super::bodies::Taking;
use super::operations::Place;
use super::{At, Lowering, bodies, params, responses};

/// What there is to lower, in the order of the sections, and within them of the names. Of a name that
/// several files have, the one of the first file goes first.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    section: u8,
    name: String,
    origin: Origin,
}

enum Reusable {
    Parameter(Parameter),
    Header(Header),
    Body(RequestBody),
    Response(Response),
}

/// Lowers the types of what operations and webhooks refer to, before them, so that neither the names of
/// the types nor their order depends on which operation comes first.
pub(super) fn lower(lowering: &mut Lowering<'_>) {
    let mut found = BTreeMap::new();
    let webhooks = lowering.model.webhooks.iter().map(|of| &of.operation);
    for operation in lowering.model.operations.iter().chain(webhooks) {
        collect(operation, &mut found);
    }
    let uncoded = lowering.uncoded.len();
    for (key, of) in found {
        let place = Place::reusable(&key.name);
        match of {
            Reusable::Parameter(of) => _ = params::one(lowering, &of, &place),
            Reusable::Header(of) => _ = responses::header(lowering, &of, &place, ""),
            Reusable::Body(of) => _ = bodies::request(lowering, &of, &place),
            Reusable::Response(of) => {
                _ = responses::one(lowering, &of, &place, (false, Taking::Whole));
            }
        }
    }
    // Those are told where they are used.
    lowering.uncoded.truncate(uncoded);
}

fn collect(operation: &Operation, found: &mut BTreeMap<Key, Reusable>) {
    let mut add =
        |section: u8, name: Option<&String>, origin: &Origin, of: &dyn Fn() -> Reusable| {
            if let Some(name) = name {
                let (name, origin) = (name.clone(), origin.clone());
                let key = Key {
                    section,
                    name,
                    origin,
                };
                found.entry(key).or_insert_with(of);
            }
        };
    for of in &operation.parameters {
        let to = || Reusable::Parameter(of.clone());
        add(0, of.reusable.as_ref(), &of.origin, &to);
    }
    if let Some(of) = &operation.body {
        let to = || Reusable::Body(of.clone());
        add(2, of.reusable.as_ref(), &of.origin, &to);
    }
    let head = operation.method == "HEAD";
    for of in &operation.responses {
        for header in &of.headers {
            let to = || Reusable::Header(header.clone());
            add(1, header.reusable.as_ref(), &header.origin, &to);
        }
        if head || responses::is_bare(of.status) {
            continue;
        }
        // A response has the place of the reference; its parts have their own.
        let media = of.content.first().map(|media| &media.origin);
        if let Some(part) = media.or(of.headers.first().map(|header| &header.origin)) {
            let to = || Reusable::Response(of.clone());
            add(3, of.reusable.as_ref(), part, &to);
        }
    }
    for (_, _, operation) in &operation.callbacks {
        collect(operation, found);
    }
}

impl Place {
    /// Where the inline types of something reusable go.
    pub(super) fn reusable(name: &str) -> Self {
        Self {
            parent: Parent::Reusable,
            module: Module::Types,
            words: name.to_owned(),
        }
    }

    /// The place for a part of what may be reusable.
    pub(super) fn within(&self, reusable: Option<&String>) -> Self {
        reusable.map_or_else(|| self.clone(), |name| Self::reusable(name))
    }

    /// The place of a part by its words in an operation, or by those in something reusable, whose name
    /// need not be followed by what it ends with.
    pub(super) fn part(&self, in_operation: &str, in_reusable: &str) -> At {
        if self.parent != Parent::Reusable {
            return self.at(in_operation);
        }
        let said = |word: &str| self.words.to_lowercase().ends_with(word);
        let said = said(in_reusable) || (in_reusable == "parameter" && said("param"));
        self.at(if said { "" } else { in_reusable })
    }
}
