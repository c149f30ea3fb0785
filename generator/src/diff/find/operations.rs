//! Operations and webhooks as a whole.

use std::cmp::Ordering;

use super::super::Subject;
use super::super::pair::Operations;
use super::super::rules::{Direction, Raw};
use super::slot::{Kind, Slot};
use super::{Call, Finder, Scope};
use crate::ir::{Api, Operation, Pages, Writer};

impl<'a> Finder<'a> {
    /// Reports the operations and webhooks that only one document has.
    pub(super) fn alone(&mut self, operations: &Operations, webhooks: &Operations) {
        for index in &operations.removed {
            self.removed_operation(&self.old.operations[*index]);
        }
        for index in &operations.added {
            let operation = &self.new.operations[*index];
            let raw = match self.options.unimplemented_handlers {
                true => Raw::OperationAddedWithDefault,
                false => Raw::OperationAdded,
            };
            let rust = method(operation, false);
            let scope = Scope::Alone(Subject::Operation, label(operation, false));
            self.add(raw, scope, |found| {
                found
                    .at(None, Some(&operation.origin))
                    .rust(None, Some(rust.clone()))
            });
        }
        for index in &webhooks.removed {
            let webhook = &self.old.webhooks[*index];
            let scope = Scope::Alone(Subject::Webhook, label(webhook, true));
            self.add(Raw::WebhookRemoved, scope, |found| {
                found
                    .at(Some(&webhook.origin), None)
                    .rust(Some(method(webhook, true)), None)
                    .lone(webhook.stability)
            });
        }
        for index in &webhooks.added {
            let webhook = &self.new.webhooks[*index];
            let scope = Scope::Alone(Subject::Webhook, label(webhook, true));
            self.add(Raw::WebhookAdded, scope, |found| {
                found
                    .at(None, Some(&webhook.origin))
                    .rust(None, Some(method(webhook, true)))
            });
        }
    }

    fn removed_operation(&mut self, operation: &Operation) {
        let raw = match self.announced(&operation.doc) {
            Some(_) => Raw::OperationRemovedAfterSunset,
            None => Raw::OperationRemoved,
        };
        let scope = Scope::Alone(Subject::Operation, label(operation, false));
        self.add(raw, scope, |found| {
            found
                .at(Some(&operation.origin), None)
                .rust(Some(method(operation, false)), None)
                .lone(operation.stability)
        });
    }

    /// Compares a paired operation.
    pub(super) fn operation(&mut self, index: usize) {
        let call = self.calls[index];
        let scope = Scope::Operation(index, Direction::Request);
        self.names_of(&call, &scope);
        self.lines(&call, &scope);
        self.deprecations(&call, &scope);
        self.params(index);
        self.request_body(index);
        self.responses(index);
        if !call.webhook {
            self.requirements(&call, &scope);
        }
        let Call { old, new, .. } = call;
        if old.doc.text != new.doc.text {
            self.note_call(Raw::TextChanged, &call, &scope, None);
        }
    }

    fn names_of(&mut self, call: &Call<'_>, scope: &Scope) {
        let Call { old, new, webhook } = *call;
        let same = old.name.wire == new.name.wire;
        if old.name.rust == new.name.rust && old.base == new.base {
            if !same {
                let values = Some((old.name.wire.clone(), new.name.wire.clone()));
                self.note_call(Raw::OperationIdChanged, call, scope, values);
            }
            return;
        }
        let raw = if same {
            Raw::MethodRenamed
        } else {
            Raw::OperationRenamed
        };
        let names = match same {
            true => (old.name.rust.clone(), new.name.rust.clone()),
            false => (old.name.wire.clone(), new.name.wire.clone()),
        };
        self.add(raw, scope.clone(), |found| {
            found
                .arg("from", names.0.as_str())
                .arg("to", names.1.as_str())
                .at(Some(&old.origin), Some(&new.origin))
                .rust(Some(method(old, webhook)), Some(method(new, webhook)))
                .keep(new.name.wire.as_str(), &old.name)
        });
    }

    /// Adds a difference of a paired operation with its values before and after.
    pub(super) fn note_call(
        &mut self,
        raw: Raw,
        call: &Call<'_>,
        scope: &Scope,
        values: Option<(String, String)>,
    ) {
        let Call { old, new, webhook } = *call;
        self.add(raw, scope.clone(), |mut found| {
            if let Some((from, to)) = values.clone() {
                found = found.arg("from", from).arg("to", to);
            }
            found
                .at(Some(&old.origin), Some(&new.origin))
                .rust(Some(method(old, webhook)), Some(method(new, webhook)))
        });
    }

    fn lines(&mut self, call: &Call<'_>, scope: &Scope) {
        let Call { old, new, webhook } = *call;
        let line = |operation: &Operation| format!("{} {}", operation.method, operation.path);
        let moved = match webhook {
            true => old.method != new.method,
            false => {
                old.method != new.method
                    || crate::diff::pair::shape(old) != crate::diff::pair::shape(new)
            }
        };
        if moved {
            let raw = match webhook {
                true => Raw::WebhookMethodChanged,
                false => Raw::OperationMoved,
            };
            self.note_call(raw, call, scope, Some((line(old), line(new))));
        }
        let tag = |api: &Api, operation: &Operation| {
            let tag = operation.tag.and_then(|tag| api.tags.get(tag));
            tag.map_or_else(String::new, |tag| tag.name.wire.clone())
        };
        let (from, to) = (tag(self.old, old), tag(self.new, new));
        if from != to {
            self.note_call(Raw::TagChanged, call, scope, Some((from, to)));
        }
        if old.server != new.server {
            let url = |operation: &Operation| operation.server.clone().unwrap_or_default();
            let values = Some((url(old), url(new)));
            self.note_call(Raw::OperationServerChanged, call, scope, values);
        }
        let url = |operation: &Operation| {
            operation
                .webhook
                .as_ref()
                .and_then(|webhook| webhook.callback.clone())
        };
        let (a, b) = (url(old), url(new));
        let same = match (&a, &b) {
            (Some(a), Some(b)) => a.url == b.url,
            (a, b) => a.is_some() == b.is_some(),
        };
        if !same {
            self.note_call(Raw::CallbackUrlChanged, call, scope, None);
        }
        self.tasks(call, scope);
        self.pages(call, scope);
        self.links(call, scope);
        let retries =
            |operation: &Operation| (operation.retries.clone(), operation.idempotency_key.clone());
        if retries(old) != retries(new) {
            self.note_call(Raw::RetriesChanged, call, scope, None);
        }
    }

    /// Compares the tasks that an operation starts: what they are, and where their values are.
    fn tasks(&mut self, call: &Call<'_>, scope: &Scope) {
        let task = |api: &Api, operation: &Operation| {
            operation.task.as_ref().map(|task| {
                let called = task.operations().map(|(index, does)| {
                    let called = api.operations.get(index);
                    (called.map(|operation| operation.name.wire.clone()), does)
                });
                (
                    called.collect::<Vec<_>>(),
                    task.parameter.clone(),
                    task.terminal.clone(),
                    (task.failed.clone(), task.webhooks.clone()),
                )
            })
        };
        let values = |operation: &Operation| {
            let task = operation.task.as_ref();
            task.map(|task| {
                let places = (task.status.clone(), task.failed_at.clone());
                let calls = task.result.iter().chain(&task.cancel);
                let of_calls: Vec<_> = calls.map(|call| call.from.clone()).collect();
                (task.from.clone(), places, of_calls)
            })
        };
        if task(self.old, call.old) != task(self.new, call.new) {
            self.note_call(Raw::TaskChanged, call, scope, None);
        } else if values(call.old) != values(call.new) {
            self.note_call(Raw::TaskValuesChanged, call, scope, None);
        }
    }

    /// Compares the pages in which an operation returns a list: how they are requested, and which list
    /// has the items.
    fn pages(&mut self, call: &Call<'_>, scope: &Scope) {
        let (old, new) = match (&call.old.pages, &call.new.pages) {
            (None, None) => return,
            (None, Some(_)) => return self.note_call(Raw::PagesAdded, call, scope, None),
            (Some(_), None) => return self.note_call(Raw::PagesRemoved, call, scope, None),
            (Some(old), Some(new)) => (old, new),
        };
        let has_items = |pages: &Pages| pages.item_path.is_some();
        if old.items != new.items || has_items(old) != has_items(new) {
            self.note_call(Raw::PageItemsChanged, call, scope, None);
        }
        let request = |pages: &Pages| Pages {
            items: None,
            item_path: None,
            ..pages.clone()
        };
        if request(old) != request(new) {
            self.note_call(Raw::PagesChanged, call, scope, None);
        }
    }

    /// Compares what both documents say about the future of an operation.
    fn deprecations(&mut self, call: &Call<'_>, scope: &Scope) {
        let Call { old, new, webhook } = *call;
        match (old.doc.deprecated, new.doc.deprecated) {
            (false, true) => self.note_call(Raw::OperationDeprecated, call, scope, None),
            (true, false) => self.note_call(Raw::OperationUndeprecated, call, scope, None),
            _ => {}
        }
        let raw = match old.stability.cmp(&new.stability) {
            Ordering::Greater => Some(Raw::StabilityLowered),
            Ordering::Less => Some(Raw::StabilityRaised),
            Ordering::Equal => None,
        };
        if let Some(raw) = raw {
            let level = |operation: &Operation| operation.stability.name().to_owned();
            self.note_call(raw, call, scope, Some((level(old), level(new))));
        }
        let slot = Slot {
            scope: scope.clone(),
            member: String::new(),
            old: Some(old.origin.clone()),
            new: Some(new.origin.clone()),
            kind: Kind::Value,
            writer: Writer::Both,
            rust_old: Some(method(old, webhook)),
            rust_new: Some(method(new, webhook)),
        };
        self.sunsets(&slot, &old.doc, &new.doc);
    }
}

/// Returns the name of an operation in reports.
pub(in crate::diff) fn label(operation: &Operation, webhook: bool) -> String {
    match webhook {
        true => operation.name.wire.clone(),
        false => format!("{} {}", operation.method, operation.path),
    }
}

/// Returns the Rust item of an operation.
pub(super) fn method(operation: &Operation, webhook: bool) -> String {
    let name = &operation.name.rust;
    match webhook {
        true => format!("webhooks::WebhookHandler::{name}"),
        false => format!("client::Client::{name}"),
    }
}
