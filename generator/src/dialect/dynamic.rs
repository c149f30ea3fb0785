//! `$dynamicRef`: bound when the document is read, for each path on which a schema is reached.
//!
//! The target of a `$dynamicRef` is the `$dynamicAnchor` of that name in the outermost schema on the
//! path of references (JSON Schema Core 2020-12, section 8.2.3.2). `UserPage` refers to `Page`, and
//! binds its items to `User`: `Page` is then read a second time with this binding. A schema from
//! which no `$dynamicRef` is reached is read once, whatever is bound.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::bindings::{Bound, ScopeId};
use super::context::Context;
use crate::diagnostic::codes;
use crate::model::Schema;
use crate::position::Origin;
use crate::resolve::{Node, is_data};
use crate::source::Value;

impl<'t> Context<'t, '_> {
    /// Returns the bindings with which a node is read if it is reached with those of `scope`.
    pub(super) fn enter(&mut self, node: &Node<'t>, scope: ScopeId) -> ScopeId {
        if !self.dynamic.is_used || !self.reaches_dynamic(node) {
            return 0;
        }
        let mut bound = (*self.dynamic.bound(scope)).clone();
        for (name, origin) in self.declared(node) {
            bound.entry(name).or_insert(origin);
        }
        if !self.charge(node, bound.len()) {
            return 0;
        }
        self.dynamic.number(bound)
    }

    /// Returns the anchors that a schema declares: its own, those of its `$defs`, and those of the
    /// document around it, if that is not the root document.
    fn declared(&mut self, node: &Node<'t>) -> Vec<(String, Origin)> {
        let definitions = ["$defs", "definitions"].map(|key| node.get(key));
        let inner: Vec<Node<'t>> = definitions
            .iter()
            .flatten()
            .flat_map(|definitions| definitions.entries().map(|(_, node)| node))
            .collect();
        let near = [node.clone()].into_iter().chain(inner);
        let mut declared: Vec<(String, Origin)> = near
            .filter_map(|node| Some((anchor(&node)?.to_owned(), node.origin())))
            .collect();
        let document = self.resolver.document(node);
        if document != self.resolver.root().origin() {
            let all = self.anchors_of(&document);
            let all = all.iter().map(|(name, at)| (name.clone(), at.clone()));
            declared.extend(all);
        }
        declared
    }

    fn anchors_of(&mut self, document: &Origin) -> Bound {
        if let Some(known) = self.dynamic.anchors.get(document) {
            return Rc::clone(known);
        }
        let resolver = &self.resolver;
        let dynamic = resolver.anchors(document).filter(|(name, origin)| {
            let node = resolver.at(origin);
            node.is_some_and(|node| anchor(&node) == Some(name.as_str()))
        });
        let dynamic = dynamic.map(|(name, origin)| (name.clone(), origin.clone()));
        let all: Bound = Rc::new(dynamic.collect());
        self.dynamic
            .anchors
            .insert(document.clone(), Rc::clone(&all));
        all
    }

    /// Returns whether a `$dynamicRef` is reached from a node. The result is stored for all targets
    /// of references on the way, so that each is looked at once.
    fn reaches_dynamic(&mut self, start: &Node<'t>) -> bool {
        if let Some(known) = self.dynamic.reaches.get(&start.origin()) {
            return *known;
        }
        let mut places = HashMap::from([(start.origin(), 0)]);
        // Each with those that refer to it.
        let mut all: Vec<(Node<'t>, Vec<usize>)> = vec![(start.clone(), vec![])];
        let mut reaching = Vec::new();
        let mut next = 0;
        while let Some(node) = all.get(next).map(|(node, _)| node.clone()) {
            let known = self.dynamic.reaches.get(&node.origin()).copied();
            let mut references = BTreeSet::new();
            if known.unwrap_or_else(|| look(&node, &mut references)) {
                reaching.push(next);
                references.clear();
            }
            self.charge(&node, references.len());
            for (holder, reference) in references {
                let holder = self.resolver.at(&holder);
                let target = holder.and_then(|at| self.resolver.target(&at, &reference).ok());
                let Some(target) = target else { continue };
                let place = *places.entry(target.origin()).or_insert(all.len());
                if place == all.len() {
                    all.push((target, vec![]));
                }
                all[place].1.push(next);
            }
            next += 1;
        }
        let mut reached = vec![false; all.len()];
        while let Some(at) = reaching.pop() {
            if !std::mem::replace(&mut reached[at], true) {
                reaching.extend(&all[at].1);
            }
        }
        let all = all.iter().map(|(node, _)| node.origin());
        self.dynamic
            .reaches
            .extend(all.zip(&reached).map(|(at, is)| (at, *is)));
        reached[0]
    }

    /// Reads the target of a `$dynamicRef`.
    pub(super) fn read_dynamic_reference(&mut self, node: &Node<'t>, schema: &mut Schema) {
        let Some(reference) = node.value.as_str().filter(|_| schema.reference.is_none()) else {
            return;
        };
        let name = reference.rsplit_once('#').map_or("", |(_, name)| name);
        let bound = self.dynamic.bound(self.dynamic.scope);
        let bound = bound.get(name).and_then(|origin| self.resolver.at(origin));
        let target = match self.resolver.target(node, reference) {
            Ok(target) if anchor(&target) != Some(name) => Some(target),
            Ok(target) => Some(match bound {
                Some(bound) if bound.origin() != target.origin() => {
                    self.note_open(node, name, None);
                    bound
                }
                _ => {
                    self.note_open(node, name, Some(&target));
                    target
                }
            }),
            Err(_) if bound.is_some() => bound,
            Err(_) => self
                .resolver
                .target_or_report(node, reference, self.diagnostics),
        };
        schema.reference = target.map(|target| self.referred(&target));
    }

    /// Records a `$dynamicRef` that is bound (`target` is `None`), or that leads to its own default.
    fn note_open(&mut self, node: &Node<'t>, name: &str, target: Option<&Node<'t>>) {
        if target.is_some_and(|target| !accepts_anything(target)) {
            return;
        }
        let open = self.dynamic.open.entry(node.origin());
        let (_, is_bound) = open.or_insert_with(|| (name.to_owned(), false));
        *is_bound |= target.is_none();
    }

    /// Reports each `$dynamicRef` without a type that no schema binds.
    pub(super) fn report_unbound(&mut self) {
        for (origin, (name, is_bound)) in std::mem::take(&mut self.dynamic.open) {
            if !is_bound {
                let message = format!(
                    "no schema binds `$dynamicAnchor: {name}`; the values at this place are any JSON"
                );
                self.report(codes::DYNAMIC_UNBOUND, &origin, message).help(format!(
                    "refer to this schema from one whose `$defs` have a schema with `$dynamicAnchor: {name}`"
                ));
            }
        }
    }
}

/// Returns the `$dynamicAnchor` of a schema.
fn anchor<'t>(node: &Node<'t>) -> Option<&'t str> {
    node.value.get("$dynamicAnchor").and_then(Value::as_str)
}

/// Returns whether a schema has no keyword of its own: the default of a parameter of a generic type,
/// for which some documents write `not: {}`.
fn accepts_anything(node: &Node<'_>) -> bool {
    const NAMES: [&str; 7] = [
        "$dynamicAnchor",
        "$anchor",
        "$id",
        "$comment",
        "title",
        "description",
        "not",
    ];
    node.entries().all(|(key, _)| NAMES.contains(&key))
}

/// Returns whether a node has a `$dynamicRef`, and collects its references otherwise.
fn look(node: &Node<'_>, references: &mut BTreeSet<(Origin, String)>) -> bool {
    if let Some(reference) = node.reference() {
        references.insert((node.origin(), reference.to_owned()));
    }
    let name = node.pointer.last().unwrap_or_default();
    let entries = node.entries().filter(|(key, _)| !is_data(&name, key));
    for (key, inner) in entries {
        if key == "$dynamicRef" && inner.value.as_str().is_some() {
            return true;
        }
        if look(&inner, references) {
            return true;
        }
    }
    node.items().any(|item| look(&item, references))
}
