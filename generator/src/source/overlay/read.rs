//! Reading of the actions of an overlay.

use super::{Action, Change, Overlay};
use crate::diagnostic::{Diagnostics, codes};
use crate::position::{FileId, Origin, Pointer};
use crate::source::jsonpath::Query;
use crate::source::url::is_url;
use crate::source::{Object, Value};

const ROOT_KEYS: [&str; 4] = ["overlay", "info", "extends", "actions"];
const ACTION_KEYS: [&str; 5] = ["target", "description", "update", "copy", "remove"];
/// Extensions of an action.
const OPTIONAL: &str = "x-bothends-optional";
const EXPECTS: &str = "x-bothends-expects";

/// Reads the actions of an overlay. Invalid actions are reported and left out.
pub(in super::super) fn read(
    file: FileId,
    value: &Value,
    diagnostics: &mut Diagnostics,
) -> Option<Overlay> {
    let root = Origin::new(file, Pointer::ROOT);
    let mut reading = Reading {
        diagnostics,
        has_copy: true,
    };
    let Some(object) = value.as_object() else {
        reading.invalid(
            &root,
            "an overlay is an object with `overlay`, `info` and `actions`",
            None,
        );
        return None;
    };
    reading.version(&root, object)?;
    reading.keys(&root, object, &ROOT_KEYS, &[]);
    let extends = match object.get("extends") {
        None => None,
        Some(Value::String(name)) => (!is_url(name)).then(|| name.clone()),
        Some(other) => {
            let message = format!(
                "expected a path or a URL for `extends`, found {}",
                other.kind()
            );
            reading.invalid(&root.child("extends"), message, None);
            return None;
        }
    };
    let Some(Value::Array(items)) = object.get("actions") else {
        reading.invalid(&root, "`actions` is missing or not an array", None);
        return None;
    };
    let place = root.child("actions");
    let actions = items.iter().enumerate();
    let actions = actions.filter_map(|(index, item)| reading.action(&place, index, item));
    Some(Overlay {
        file,
        extends,
        actions: actions.collect(),
    })
}

struct Reading<'a> {
    diagnostics: &'a mut Diagnostics,
    /// Whether the version has the action `copy`.
    has_copy: bool,
}

impl Reading<'_> {
    fn invalid(&mut self, place: &Origin, message: impl Into<String>, help: Option<&str>) {
        let reported = self
            .diagnostics
            .report(codes::OVERLAY_INVALID, place, message);
        if let Some(help) = help {
            reported.help(help);
        }
    }

    fn version(&mut self, root: &Origin, object: &Object) -> Option<()> {
        let version = object.get("overlay").and_then(Value::scalar_text);
        let help = Some("write `overlay: 1.1.0`");
        let Some(version) = version else {
            self.invalid(root, "missing version of the overlay", help);
            return None;
        };
        match version.split('.').collect::<Vec<_>>()[..] {
            ["1", "0", ..] => self.has_copy = false,
            ["1", "1", ..] => {}
            _ => {
                let message = format!("unsupported version `{version}` of overlays");
                self.invalid(&root.child("overlay"), message, help);
                return None;
            }
        }
        Some(())
    }

    /// Reports unknown keys of an object.
    fn keys(&mut self, place: &Origin, object: &Object, known: &[&str], extensions: &[&str]) {
        for key in object.keys() {
            let own = key.starts_with("x-bothends-");
            let is_known = if own {
                extensions.contains(&key.as_str())
            } else {
                key.starts_with("x-") || known.contains(&key.as_str())
            };
            if !is_known {
                let all = if own { extensions } else { known };
                let message = format!("unknown key `{key}`; keys are `{}`", all.join("`, `"));
                self.invalid(&place.child(key), message, None);
            }
        }
    }

    fn action(&mut self, actions: &Origin, index: usize, item: &Value) -> Option<Action> {
        let place = actions.item(index);
        let number = index + 1;
        let Some(object) = item.as_object() else {
            let message = format!(
                "expected an object for action {number}, found {}",
                item.kind()
            );
            self.invalid(&place, message, None);
            return None;
        };
        self.keys(&place, object, &ACTION_KEYS, &[OPTIONAL, EXPECTS]);
        let Some(target) = object.get("target") else {
            self.invalid(&place, format!("missing `target` of action {number}"), None);
            return None;
        };
        let target = self.query(&place.child("target"), number, "target", target)?;
        let change = self.change(&place, number, object)?;
        let optional = self.flag(&place, number, object, OPTIONAL)?;
        Some(Action {
            index,
            target,
            change,
            optional,
            expects: object.get(EXPECTS).cloned(),
        })
    }

    fn change(&mut self, place: &Origin, number: usize, object: &Object) -> Option<Change> {
        if self.flag(place, number, object, "remove")? {
            return Some(Change::Remove);
        }
        match (object.get("update"), object.get("copy")) {
            (Some(update), None) => Some(Change::Update(update.clone())),
            (None, Some(_)) if !self.has_copy => {
                let message =
                    format!("action {number} has `copy`, which overlay 1.0 does not have");
                let help = Some("write `overlay: 1.1.0`");
                self.invalid(&place.child("copy"), message, help);
                None
            }
            (None, Some(copy)) => {
                let query = self.query(&place.child("copy"), number, "copy", copy)?;
                Some(Change::Copy(query))
            }
            (Some(_), Some(_)) => {
                let message = format!("action {number} has both `update` and `copy`");
                self.invalid(&place.child("copy"), message, Some("write two actions"));
                None
            }
            (None, None) => {
                let message = format!("action {number} changes nothing");
                let help = Some("add `update`, `copy` or `remove: true`");
                self.invalid(place, message, help);
                None
            }
        }
    }

    fn flag(&mut self, place: &Origin, number: usize, object: &Object, key: &str) -> Option<bool> {
        match object.get(key) {
            None => Some(false),
            Some(Value::Bool(flag)) => Some(*flag),
            Some(other) => {
                let kind = other.kind();
                let message = format!(
                    "expected `true` or `false` for `{key}` of action {number}, found {kind}"
                );
                self.invalid(&place.child(key), message, None);
                None
            }
        }
    }

    fn query(&mut self, place: &Origin, number: usize, key: &str, text: &Value) -> Option<Query> {
        let Value::String(text) = text else {
            let kind = text.kind();
            let message =
                format!("expected a JSONPath query for `{key}` of action {number}, found {kind}");
            self.invalid(place, message, None);
            return None;
        };
        match Query::parse(text) {
            Ok(query) => Some(query),
            Err(error) => {
                let message = format!(
                    "invalid JSONPath query in `{key}` of action {number}: {} at character {}",
                    error.message, error.character
                );
                let help = "write a query as RFC 9535 defines them, such as `$.paths['/pets'].get`";
                self.invalid(place, message, Some(help));
                None
            }
        }
    }
}
