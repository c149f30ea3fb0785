//! Removing operations, webhooks and types from an API whose items have their names.
//!
//! Names and decisions stay as they are: what remains is a part of the code for the whole API.

use std::collections::BTreeSet;

use super::{
    Api, DefaultValue, Holder, Link, Module, Operation, Parent, Payload, Task, TypeDef, TypeId,
    TypeKind, TypeRef,
};
use crate::position::Origin;

/// What stays of an API, by index.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    /// The operations under `paths`.
    pub operations: Vec<bool>,
    /// The webhooks and callbacks.
    pub webhooks: Vec<bool>,
    /// The types. Contains everything that a kept operation, webhook or type refers to.
    pub types: Vec<bool>,
}

/// The new indices of kept items.
struct Renumbered {
    operations: Vec<Option<usize>>,
    webhooks: Vec<Option<usize>>,
    types: Vec<Option<usize>>,
    tags: Vec<Option<usize>>,
    contents: Vec<Option<usize>>,
}

impl Renumbered {
    fn id(&self, id: &mut TypeId) {
        if let Some(Some(new)) = self.types.get(id.0 as usize) {
            id.0 = u32::try_from(*new).unwrap_or(u32::MAX);
        }
    }

    fn ty(&self, ty: &mut TypeRef) {
        ty.each_named_mut(&mut |id| self.id(id));
    }

    fn default(&self, default: &mut DefaultValue) {
        match default {
            DefaultValue::Variant(id, _) => self.id(id),
            DefaultValue::List(values) => {
                values.iter_mut().for_each(|value| self.default(value));
            }
            _ => {}
        }
    }

    fn module(&self, module: &mut Module) {
        if let Module::Tag(index) = module {
            *index = self.tags.get(*index).copied().flatten().unwrap_or_default();
        }
    }

    fn def(&self, def: &mut TypeDef) {
        self.module(&mut def.module);
        // An inline type keeps its name without its parent.
        let new_type = |id: TypeId| {
            let new = self.types.get(id.0 as usize).copied().flatten()?;
            Some(TypeId(u32::try_from(new).ok()?))
        };
        def.parent = match def.parent.take() {
            Some(Parent::Type(id)) => Some(new_type(id).map_or(Parent::Reusable, Parent::Type)),
            Some(Parent::Shared(around)) => Some(Parent::Shared(around.and_then(new_type))),
            Some(Parent::Operation(index, is_webhook)) => {
                let list = match is_webhook {
                    true => &self.webhooks,
                    false => &self.operations,
                };
                let new = list.get(index).copied().flatten();
                Some(new.map_or(Parent::Reusable, |new| Parent::Operation(new, is_webhook)))
            }
            other => other,
        };
        def.kind.parts_mut(&mut |ty| self.ty(ty));
        if let TypeKind::Object(object) = &mut def.kind {
            let defaults = object
                .fields
                .iter_mut()
                .filter_map(|field| field.default.as_mut());
            defaults.for_each(|default| self.default(default));
        }
    }

    fn payload(&self, payload: &mut Payload) {
        if let Payload::Many(content, _) = payload {
            content.shared =
                (content.shared).and_then(|index| self.contents.get(index).copied()?);
        }
        for media in payload.media_mut() {
            self.ty(&mut media.ty);
        }
    }

    fn operation(&self, operation: &mut Operation) {
        operation.tag = (operation.tag).and_then(|tag| self.tags.get(tag).copied()?);
        for param in &mut operation.params {
            self.ty(&mut param.ty);
            param
                .default
                .iter_mut()
                .for_each(|default| self.default(default));
        }
        let headers = operation.success_headers.iter_mut();
        let headers = headers.chain(&mut operation.error_headers);
        headers.for_each(|header| self.ty(&mut header.ty));
        operation
            .payloads_mut()
            .for_each(|payload| self.payload(payload));
    }
}

impl Api {
    /// Removes everything that is not kept, and what only that uses: shared errors and headers, enums
    /// of media types, tags, security schemes and servers. Returns the positions and descriptions of links
    /// and callbacks that led to removed operations.
    pub(crate) fn retain(&mut self, kept: &Kept) -> Vec<(Origin, String)> {
        let cut = self.cut_ties(kept);
        let new = Renumbered {
            operations: numbers(kept.operations.iter().copied()),
            webhooks: numbers(kept.webhooks.iter().copied()),
            types: numbers(kept.types.iter().copied()),
            tags: self.used(kept, self.tags.len(), |operation| {
                operation.tag.into_iter().collect()
            }),
            contents: self.used(kept, self.contents.len(), Operation::shared_contents),
        };
        let error_sets = self.used(kept, self.error_sets.len(), |operation| {
            operation.error_set.into_iter().collect()
        });
        let header_sets = self.used(kept, self.header_sets.len(), |operation| {
            operation.header_set.into_iter().collect()
        });
        retain(&mut self.tags, &new.tags);
        retain(&mut self.contents, &new.contents);
        retain(&mut self.error_sets, &error_sets);
        retain(&mut self.header_sets, &header_sets);
        retain(&mut self.operations, &new.operations);
        retain(&mut self.webhooks, &new.webhooks);
        self.renumber(&kept.types, &new);
        let error_set = |index: usize| error_sets.get(index).copied().flatten();
        let header_set = |index: usize| header_sets.get(index).copied().flatten();
        for operation in self.operations.iter_mut().chain(&mut self.webhooks) {
            operation.error_set = operation.error_set.and_then(error_set);
            operation.header_set = operation.header_set.and_then(header_set);
            let of_task = operation.task.iter_mut().flat_map(Task::operations_mut);
            let links = operation.links.iter_mut().map(|link| &mut link.call);
            let stated = operation.stated_links.iter_mut().map(|link| &mut link.call);
            let links = links.chain(stated).map(|call| &mut call.operation);
            for index in of_task.chain(links) {
                let kept = new.operations.get(*index).copied().flatten();
                *index = kept.unwrap_or_default();
            }
            let callback = operation
                .webhook
                .as_mut()
                .and_then(|webhook| webhook.callback.as_mut());
            if let Some(callback) = callback {
                let owner = new.operations.get(callback.operation).copied().flatten();
                callback.operation = owner.unwrap_or_default();
            }
        }
        for (operations, _) in &mut self.rejection_bodies.validation_of {
            let numbers = operations
                .iter()
                .filter_map(|operation| new.operations.get(*operation));
            *operations = numbers.copied().flatten().collect();
        }
        let rejections = &mut self.rejection_bodies.validation_of;
        rejections.retain(|(operations, _)| !operations.is_empty());
        self.retain_schemes();
        self.retain_servers(kept);
        self.retain_uncompared();
        cut
    }

    /// Removes the types that are not kept. Nothing that stays refers to them.
    pub(crate) fn retain_types(&mut self, kept: &[bool]) {
        let all = |length: usize| numbers(std::iter::repeat_n(true, length));
        let new = Renumbered {
            operations: all(self.operations.len()),
            webhooks: all(self.webhooks.len()),
            types: numbers(kept.iter().copied()),
            tags: all(self.tags.len()),
            contents: all(self.contents.len()),
        };
        self.renumber(kept, &new);
    }

    /// Removes the types that are not kept, and refers to all items by their new indices.
    fn renumber(&mut self, kept: &[bool], new: &Renumbered) {
        retain(&mut self.types, &new.types);
        self.types.iter_mut().for_each(|def| new.def(def));
        self.contents
            .iter_mut()
            .for_each(|(_, content)| new.payload(content));
        for set in &mut self.error_sets {
            let headers = set.headers.iter_mut();
            headers.for_each(|header| new.ty(&mut header.ty));
            let payloads = set
                .responses
                .iter_mut()
                .filter_map(|response| response.payload.as_mut());
            payloads.for_each(|payload| new.payload(payload));
        }
        let headers = self.header_sets.iter_mut().flat_map(|set| &mut set.headers);
        headers.for_each(|header| new.ty(&mut header.ty));
        let operations = self.operations.iter_mut().chain(&mut self.webhooks);
        operations.for_each(|operation| new.operation(operation));
        let operations = &self.operations;
        let is_there = |place: &Origin| {
            operations
                .iter()
                .any(|operation| operation.origin == *place)
        };
        self.exchanges
            .retain(|exchange| is_there(&exchange.operation));
        self.examples
            .retain(|example| is_kept(kept, example.ty.0 as usize));
        self.examples
            .iter_mut()
            .for_each(|example| new.id(&mut example.ty));
        let code = self.error_code;
        self.error_code = code.filter(|id| is_kept(kept, id.0 as usize));
        self.error_code.iter_mut().for_each(|id| new.id(id));
    }

    /// Removes links and callback URLs between kept and removed operations.
    fn cut_ties(&mut self, kept: &Kept) -> Vec<(Origin, String)> {
        let mut cut = Vec::new();
        let names: Vec<String> = self
            .operations
            .iter()
            .map(|operation| operation.name.wire.clone())
            .collect();
        let webhooks = self.webhooks.iter().zip(&kept.webhooks);
        let webhooks: BTreeSet<String> = webhooks
            .filter(|(_, kept)| **kept)
            .map(|(webhook, _)| webhook.name.wire.clone())
            .collect();
        let name = |index: usize| names.get(index).map_or("", String::as_str);
        for (operation, kept_itself) in self.operations.iter_mut().zip(&kept.operations) {
            if *kept_itself {
                let is_here = |link: &Link| is_kept(&kept.operations, link.call.operation);
                let stated = &mut operation.stated_links;
                stated.retain(|link| is_kept(&kept.operations, link.call.operation));
                let missing = operation.links.extract_if(.., |link| !is_here(link));
                cut.extend(missing.map(|link| {
                    let target = name(link.call.operation);
                    let text = format!("the link `{}` leads to `{target}`", link.name.wire);
                    (operation.origin.clone(), text)
                }));
            }
            let Some(task) = operation.task.as_mut().filter(|_| *kept_itself) else {
                continue;
            };
            task.webhooks.retain(|(name, _)| webhooks.contains(name));
            let is_missing = |(target, _): &(usize, _)| !is_kept(&kept.operations, *target);
            let missing = task.operations().find(is_missing);
            if let Some((target, does)) = missing {
                let text = format!("{does} by `{}`", name(target));
                cut.push((operation.origin.clone(), text));
                operation.task = None;
            }
        }
        for (operation, kept_itself) in self.webhooks.iter_mut().zip(&kept.webhooks) {
            let Some(webhook) = operation.webhook.as_mut().filter(|_| *kept_itself) else {
                continue;
            };
            let owner = webhook.callback.as_ref().map(|callback| callback.operation);
            if let Some(owner) = owner.filter(|owner| !is_kept(&kept.operations, *owner)) {
                let text = format!("calls of `{}` contain the callback's URL", name(owner));
                cut.push((operation.origin.clone(), text));
                webhook.callback = None;
            }
        }
        cut
    }

    /// Returns the new indices of items of a list that kept operations, webhooks and types use.
    fn used(
        &self,
        kept: &Kept,
        length: usize,
        get: impl Fn(&Operation) -> Vec<usize>,
    ) -> Vec<Option<usize>> {
        let mut used = vec![false; length];
        let operations = self.operations.iter().zip(&kept.operations);
        let all = operations.chain(self.webhooks.iter().zip(&kept.webhooks));
        for (operation, _) in all.filter(|(_, kept)| **kept) {
            for index in get(operation) {
                if let Some(used) = used.get_mut(index) {
                    *used = true;
                }
            }
        }
        numbers(used.into_iter())
    }

    fn retain_schemes(&mut self) {
        let operations = self.operations.iter().chain(&self.webhooks);
        let alternatives = operations.flat_map(|operation| {
            let by_body = operation
                .security_by_body
                .iter()
                .flat_map(|(_, alternatives)| alternatives);
            operation.security.iter().chain(by_body)
        });
        let used: BTreeSet<&str> = alternatives
            .flatten()
            .map(|requirement| requirement.scheme.as_str())
            .collect();
        self.schemes
            .retain(|scheme| used.contains(scheme.name.wire.as_str()));
    }

    fn retain_servers(&mut self, kept: &Kept) {
        self.servers.retain(|server| {
            let mut users = server.operations.iter();
            users.len() == 0 || users.any(|index| is_kept(&kept.operations, *index))
        });
    }

    fn retain_uncompared(&mut self) {
        let operations = self.operations.iter().chain(&self.webhooks);
        let operations: BTreeSet<&Origin> = operations.map(|operation| &operation.origin).collect();
        let schemas = self.types.iter().filter(|def| def.is_reusable_schema());
        let schemas: BTreeSet<&str> = schemas.map(|def| def.name.wire.as_str()).collect();
        self.uncompared.retain(|part| match &part.holder {
            Holder::Schema(name) => schemas.contains(name.as_str()),
            Holder::Operation(origin, _) => operations.contains(origin),
            Holder::Other(_) => true,
        });
    }
}

impl TypeDef {
    /// Returns whether the type is that of a schema with a name in the document.
    #[must_use]
    pub fn is_reusable_schema(&self) -> bool {
        self.parent.is_none() && self.module == Module::Types
    }
}

impl Operation {
    /// Returns the indices of the shared enums of media types.
    pub(crate) fn shared_contents(&self) -> Vec<usize> {
        let responses = self.successes.iter().chain(&self.errors);
        let body = self.body.iter().map(|body| &body.payload);
        let payloads = body.chain(responses.filter_map(|response| response.payload.as_ref()));
        let shared = payloads.filter_map(|payload| match payload {
            Payload::Many(content, _) => content.shared,
            Payload::One(_) => None,
        });
        shared.collect()
    }
}

fn is_kept(list: &[bool], index: usize) -> bool {
    list.get(index).copied().unwrap_or_default()
}

/// Returns the index of each item in a list without the removed items.
fn numbers(kept: impl Iterator<Item = bool>) -> Vec<Option<usize>> {
    let mut next = 0..;
    kept.map(|kept| kept.then(|| next.next()).flatten())
        .collect()
}

/// Removes the items without a new index.
fn retain<T>(list: &mut Vec<T>, numbers: &[Option<usize>]) {
    let mut numbers = numbers.iter();
    list.retain(|_| numbers.next().is_some_and(Option::is_some));
}
