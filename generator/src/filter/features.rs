//! Features: which operations, webhooks and types are behind the Cargo feature of a tag.
//!
//! An operation is behind the features of its tags, any of which enables it. A type, and what
//! operations share, is behind the features whose operations need it; what more than [`MOST`] tags
//! need is always there. So is what an operation without a tag needs, and what no operation uses.

use std::collections::{BTreeMap, BTreeSet};

use super::closure;
use crate::ir::{
    Api, Condition, Conditions, Kept, Module, Operation, TagFeature, any_of, condition,
};

/// The largest number of features in a condition.
const MOST: usize = 4;

/// The features of every generated crate.
pub(crate) const OWN: [&str; 10] = [
    "bothends-runtime",
    "client",
    "default",
    "hyper",
    "native-tls",
    "reqwest",
    "rustls",
    "server",
    "tokens",
    "webhooks",
];

/// Decides the features of an API with names. `taken` are further names that no feature may have.
pub(crate) fn decide(api: &Api, taken: &BTreeSet<&str>) -> Conditions {
    let mut deciding = Deciding::new(api, taken);
    deciding.ties();
    let mut conditions = deciding.conditions;
    types(api, &mut conditions);
    shared(api, &mut conditions);
    for index in 0..api.tags.len() {
        let operations = api.operations.iter().zip(&conditions.operations);
        let own = operations.filter(|(operation, _)| operation.tag == Some(index));
        let condition = any_of(own.map(|(_, condition)| condition));
        let types = api.types.iter().zip(&conditions.types);
        let types = types.filter(|(def, _)| def.module == Module::Tag(index));
        let types = types.map(|(_, condition)| condition);
        conditions.modules.push(any_of(types.chain([&condition])));
        conditions.tags.push(condition);
    }
    conditions
}

struct Deciding<'a> {
    api: &'a Api,
    conditions: Conditions,
}

impl<'a> Deciding<'a> {
    /// Finds the features, and the conditions that the tags of operations and webhooks state.
    fn new(api: &'a Api, taken: &BTreeSet<&str>) -> Self {
        let mut conditions = Conditions::default();
        let mut indices: BTreeMap<&str, usize> = BTreeMap::new();
        let mut names: BTreeSet<String> = taken.iter().map(|name| (*name).to_owned()).collect();
        names.extend(OWN.map(str::to_owned));
        let tagged = api.operations.iter().flat_map(|operation| &operation.tags);
        let tagged: BTreeSet<&str> = tagged.map(String::as_str).collect();
        for tag in &api.tags {
            let wire = tag.name.wire.as_str();
            // The module of operations without a tag.
            if !tagged.contains(wire) {
                continue;
            }
            let mut name = tag.name.rust.trim_start_matches("r#").replace('_', "-");
            while !names.insert(name.clone()) {
                name.insert_str(0, "tag-");
            }
            indices.insert(wire, conditions.features.len());
            conditions.features.push(TagFeature {
                name,
                tag: wire.to_owned(),
                needs: BTreeSet::new(),
            });
        }
        let stated = |operation: &Operation| -> Condition {
            let tags = operation.tags.iter();
            tags.filter_map(|tag| indices.get(tag.as_str()))
                .copied()
                .collect()
        };
        conditions.operations = api.operations.iter().map(stated).collect();
        let webhooks = api.webhooks.iter().map(|webhook| {
            let own = stated(webhook);
            match owner(webhook) {
                Some(owner) if own.is_empty() => condition(&conditions.operations, owner).clone(),
                _ => own,
            }
        });
        conditions.webhooks = webhooks.collect();
        Self { api, conditions }
    }

    /// Lets features enable those of operations that their own operations name: the operations that are
    /// called for a task or by a link, and the operation whose calls contain the URL of a callback.
    fn ties(&mut self) {
        let operations = self.api.operations.iter().enumerate();
        let links = operations.flat_map(|(index, operation)| {
            let targets = operation.linked();
            targets.map(move |target| (index, target))
        });
        let links: Vec<(usize, usize)> = links.collect();
        for (from, to) in &links {
            if condition(&self.conditions.operations, *from).is_empty() {
                self.free(*to);
            }
        }
        for (index, webhook) in self.api.webhooks.iter().enumerate() {
            if let Some(owner) = owner(webhook) {
                self.tie(&condition(&self.conditions.webhooks, index).clone(), owner);
            }
        }
        for (from, to) in links {
            self.tie(&condition(&self.conditions.operations, from).clone(), to);
        }
    }

    /// Makes an operation one that is always there.
    fn free(&mut self, operation: usize) {
        if let Some(condition) = self.conditions.operations.get_mut(operation) {
            condition.clear();
        }
    }

    fn tie(&mut self, from: &Condition, operation: usize) {
        let to = condition(&self.conditions.operations, operation);
        let Some(needed) = to
            .first()
            .and_then(|first| self.conditions.features.get(*first))
        else {
            return;
        };
        let needed = needed.name.clone();
        for index in from.difference(&to.clone()) {
            if let Some(feature) = self.conditions.features.get_mut(*index) {
                feature.needs.insert(needed.clone());
            }
        }
    }
}

/// Returns the operation whose calls contain the URL of a webhook.
fn owner(webhook: &Operation) -> Option<usize> {
    let callback = webhook.webhook.as_ref()?.callback.as_ref()?;
    Some(callback.operation)
}

/// Finds the conditions of types.
fn types(api: &Api, conditions: &mut Conditions) {
    let needed = |selects: &dyn Fn(&Condition) -> bool, types: Vec<bool>| {
        let mut kept = Kept {
            operations: conditions.operations.iter().map(selects).collect(),
            webhooks: conditions.webhooks.iter().map(selects).collect(),
            types,
        };
        closure::close(api, &mut kept);
        kept.types
    };
    let none = || vec![false; api.types.len()];
    let used = needed(&|_| true, none());
    let unused = used.iter().map(|used| !used).collect();
    let always = needed(&Condition::is_empty, unused);
    let mut types = vec![Condition::new(); api.types.len()];
    for index in 0..conditions.features.len() {
        let needed = needed(&|condition| condition.contains(&index), none());
        let types = types.iter_mut().zip(needed);
        types
            .filter(|(_, needed)| *needed)
            .for_each(|(condition, _)| {
                condition.insert(index);
            });
    }
    for (condition, always) in types.iter_mut().zip(always) {
        if always || condition.len() > MOST {
            condition.clear();
        }
    }
    conditions.types = types;
}

/// Finds the conditions of what operations share.
fn shared(api: &Api, conditions: &mut Conditions) {
    let find = |length: usize, uses: &dyn Fn(&Operation, usize) -> bool| {
        let found = (0..length).map(|index| {
            let operations = api.operations.iter().zip(&conditions.operations);
            let all = operations.chain(api.webhooks.iter().zip(&conditions.webhooks));
            let users = all.filter(|(operation, _)| uses(operation, index));
            let condition = any_of(users.map(|(_, condition)| condition));
            if condition.len() > MOST {
                return Condition::new();
            }
            condition
        });
        found.collect::<Vec<_>>()
    };
    let error_sets = find(api.error_sets.len(), &|operation, index| {
        operation.error_set == Some(index)
    });
    let header_sets = find(api.header_sets.len(), &|operation, index| {
        operation.header_set == Some(index)
    });
    let contents = find(api.contents.len(), &|operation, index| {
        operation.shared_contents().contains(&index)
    });
    (
        conditions.error_sets,
        conditions.header_sets,
        conditions.contents,
    ) = (error_sets, header_sets, contents);
}
