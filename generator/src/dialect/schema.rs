//! Schemas: an arena filled from a queue, so that neither cycles nor long chains need stack space.

use super::bindings::ScopeId;
use super::context::Context;
use super::extension::is_stray_extension;
use super::rules::Siblings;
use super::table::Form;
use super::v3_0;
use crate::diagnostic::codes;
use crate::model::{Schema, SchemaId};
use crate::position::{Origin, Pointer};
use crate::resolve::Node;

/// The cost of a schema in the budget. A schema is large compared with other parts.
const WEIGHT: usize = 4;

impl<'t> Context<'t, '_> {
    /// Returns the id of a node's schema, with references resolved. The schema is read later.
    pub(super) fn schema(&mut self, node: &Node<'t>) -> SchemaId {
        self.schema_in(node, Form::Schema)
    }

    /// Returns the schema of an entry. `null` is treated as absent.
    pub(super) fn schema_of(&mut self, holder: &Node<'t>, key: &str) -> Option<SchemaId> {
        let node = holder.get(key).filter(|node| !node.value.is_null())?;
        Some(self.schema(&node))
    }

    /// Like [`Self::schema`], for any form.
    pub(super) fn schema_in(&mut self, node: &Node<'t>, form: Form) -> SchemaId {
        let siblings = self.rules.siblings;
        let keep = |node: &Node<'t>| !is_pure(node, siblings);
        let target = self.resolver.follow_until(node, keep, self.diagnostics);
        let Some(target) = target else {
            // Already reported. If the error is allowed, the schema accepts any value.
            let origin = node.origin();
            return self.reserve(origin, None);
        };
        self.report_ignored_siblings(node);
        if node.reference().is_some() && !self.may_be_schema(node, &target) {
            return self.reserve(node.origin().child("$ref"), None);
        }
        let referred = node.pointer != target.pointer || node.file != target.file;
        self.enqueue(&target, form, referred)
    }

    /// Returns the schema at exactly this node.
    fn enqueue(&mut self, node: &Node<'t>, form: Form, referred: bool) -> SchemaId {
        let known = self.schemas.list.len();
        let scope = self.enter(node, self.dynamic.scope);
        let place = (node.origin(), scope);
        let is_new = !self.schemas.by_place.contains_key(&place);
        if is_new && !self.charge(node, WEIGHT) {
            // Already reported, and no code is generated; the remaining schemas share one place.
            return self.reserve(Origin::default(), None);
        }
        let suggested = referred.then(|| self.suggested_name(node)).flatten();
        let is_instance = scope != 0 && scope != self.enter(node, 0);
        let id = match is_instance {
            true => self.reserve_instance(place),
            false => self.reserve_in(place, suggested),
        };
        if referred && !is_instance {
            self.schemas.referred.insert(id);
        }
        if id.0 as usize == known {
            self.schemas
                .queue
                .push_back((id, node.clone(), form, scope));
        }
        id
    }

    /// Returns the id of a schema with bound `$dynamicRef`s. It is not the component at its place.
    fn reserve_instance(&mut self, place: (Origin, ScopeId)) -> SchemaId {
        if let Some(id) = self.schemas.by_place.get(&place) {
            return *id;
        }
        let schema = Schema {
            origin: place.0.clone(),
            instance: true,
            ..Schema::default()
        };
        let id = self.schemas.add(schema);
        self.schemas.by_place.insert(place, id);
        id
    }

    fn reserve(&mut self, origin: Origin, suggested_name: Option<String>) -> SchemaId {
        self.reserve_in((origin, 0), suggested_name)
    }

    fn reserve_in(&mut self, place: (Origin, ScopeId), suggested_name: Option<String>) -> SchemaId {
        if let Some(id) = self.schemas.by_place.get(&place) {
            let id = *id;
            if let Some(schema) = self.schemas.get_mut(id) {
                schema.suggested_name = schema.suggested_name.take().or(suggested_name);
            }
            return id;
        }
        let name = component_name(&place.0.pointer, self.rules.schemas);
        let schema = Schema {
            origin: place.0.clone(),
            name,
            suggested_name,
            ..Schema::default()
        };
        let id = self.schemas.add(schema);
        self.schemas.by_place.insert(place, id);
        id
    }

    /// Returns a possible name for a referenced schema that is not a component.
    fn suggested_name(&self, node: &Node<'t>) -> Option<String> {
        match node.pointer.names()[..] {
            [] => self.stem_of_file(node),
            [.., "definitions" | "$defs" | "schemas", last] => Some(last.to_owned()),
            // A file that is a plain map of schemas.
            [last] => Some(last.to_owned()),
            [_, .., _] => None,
        }
    }

    fn stem_of_file(&self, node: &Node<'t>) -> Option<String> {
        self.resolver.stem(node.file).map(str::to_owned)
    }

    /// Returns the name of a referenced reusable object: an entry of a section, an entry of a file
    /// that is a plain map, or a whole file.
    pub(super) fn reusable_name(&self, holder: &Node<'t>, node: &Node<'t>) -> Option<String> {
        const SECTIONS: [&str; 4] = ["parameters", "headers", "requestBodies", "responses"];
        holder.reference()?;
        let mut steps: Vec<String> = node.pointer.segments().collect();
        let Some(last) = steps.pop() else {
            return self.stem_of_file(node);
        };
        let is_reusable = match &steps[..] {
            [] => true,
            [section] => SECTIONS.contains(&section.as_str()),
            [all, section] => all == "components" && SECTIONS.contains(&section.as_str()),
            _ => false,
        };
        is_reusable.then_some(last)
    }

    /// Reserves the reusable schemas of the root document, in document order.
    pub(super) fn named_schemas(&mut self, root: &Node<'t>) -> Vec<(String, SchemaId)> {
        let Some(section) = self.section(root, self.rules.schemas) else {
            return vec![];
        };
        let entries: Vec<_> = section
            .entries()
            .filter(|(name, node)| !is_stray_extension(name, node))
            .collect();
        // Schemas before aliases, so that an alias never takes the name of its target.
        for (_, node) in &entries {
            if node.reference().is_none() {
                self.enqueue(node, Form::Schema, false);
            }
        }
        let mut named = Vec::new();
        for (name, node) in entries {
            let id = self.schema(&node);
            if let Some(schema) = self.schemas.get_mut(id) {
                schema.name.get_or_insert_with(|| name.to_owned());
            }
            named.push((name.to_owned(), id));
        }
        named
    }

    /// Reads all schemas in the queue.
    pub(super) fn read_schemas(&mut self) {
        while let Some((id, node, form, scope)) = self.schemas.queue.pop_front() {
            self.dynamic.scope = scope;
            let schema = self.read_schema(&node, form);
            if form == Form::Schema {
                self.compare_own_examples(id, &node);
            }
            if let Some(place) = self.schemas.get_mut(id) {
                let (origin, name) = (std::mem::take(&mut place.origin), place.name.take());
                let suggested_name = place.suggested_name.take();
                let instance = place.instance;
                *place = Schema {
                    origin,
                    name,
                    suggested_name,
                    instance,
                    ..schema
                };
            }
        }
        self.dynamic.scope = 0;
    }

    /// Returns the schema at the target of a reference.
    pub(super) fn referred(&mut self, target: &Node<'t>) -> SchemaId {
        let siblings = self.rules.siblings;
        let keep = |node: &Node<'t>| !is_pure(node, siblings);
        match self.resolver.follow_until(target, keep, self.diagnostics) {
            Some(target) => self.enqueue(&target, Form::Schema, true),
            None => self.reserve(target.origin(), None),
        }
    }

    fn report_ignored_siblings(&mut self, node: &Node<'t>) {
        if self.rules.siblings == Siblings::Count || node.reference().is_none() {
            return;
        }
        let Some(object) = node.value.as_object() else {
            return;
        };
        let ignored: Vec<_> = object
            .keys()
            .filter(|key| v3_0::would_change_type(key))
            .collect();
        let Some(first) = ignored.first() else { return };
        let names = ignored
            .iter()
            .map(|key| format!("`{key}`"))
            .collect::<Vec<_>>()
            .join(", ");
        let origin = node.origin().child(first);
        self.report(
            codes::SIBLINGS_IGNORED,
            &origin,
            format!("{names} beside `$ref` is ignored before OpenAPI 3.1"),
        )
        .help("put the `$ref` into an `allOf` beside it");
    }
}

/// Returns whether a `$ref` has no siblings that make the location a schema of its own.
fn is_pure(node: &Node<'_>, siblings: Siblings) -> bool {
    let Some(object) = node.value.as_object() else {
        return true;
    };
    object.keys().all(|key| match siblings {
        Siblings::Count => matches!(key.as_str(), "$ref" | "$comment" | "summary"),
        Siblings::Annotate => key == "$ref" || !v3_0::annotates(key),
    })
}

/// Returns the name of a direct entry of a section, by its pointer.
pub(super) fn component_name(pointer: &Pointer, section: &[&str]) -> Option<String> {
    let names = pointer.names();
    let (last, around) = names.split_last()?;
    (around == section).then(|| (*last).to_owned())
}
