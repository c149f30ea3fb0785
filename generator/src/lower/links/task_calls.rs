//! The calls for a task that has started: that which returns its result, and that which cancels it.

use crate::diagnostic::codes;
use crate::ir::{Api, Expression, LinkedCall, Param, Place, Source, Task};
use crate::model::{Link, Response};
use crate::position::Origin;
use crate::source::{Object, Value};

use crate::lower::Document;
use crate::lower::links::bound_links;
use crate::lower::links::bound_links::{Bound, Index};

/// A key of `x-bothends-task` that names a call.
pub(in crate::lower) struct Key {
    key: &'static str,
    /// A link of the status operation, or an operation.
    name: String,
}

/// The same, with the operation that starts the task.
pub(in crate::lower) struct Stated {
    operation: usize,
    origin: Origin,
    call: Key,
}

impl Key {
    pub(in crate::lower) fn at(self, operation: usize, extension: &Origin) -> Stated {
        Stated {
            operation,
            origin: extension.child(self.key),
            call: self,
        }
    }
}

/// Reads `result` and `cancel`.
pub(in crate::lower) fn keys(stated: &Object) -> Result<Vec<Key>, String> {
    let mut keys = Vec::new();
    for key in ["result", "cancel"] {
        match stated.get(key) {
            None => {}
            Some(Value::String(name)) => keys.push(Key {
                key,
                name: name.clone(),
            }),
            Some(_) => {
                return Err(format!(
                    "expected the name of a link or an operation for `{key}`"
                ));
            }
        }
    }
    Ok(keys)
}

/// Connects tasks with the operations of their calls.
pub(in crate::lower) fn lower(
    document: &mut Document<'_>,
    api: &mut Api,
    index: &Index,
    links: &[bound_links::Stated],
    calls: Vec<Stated>,
) {
    for stated in calls {
        let Some(task) = &api.operations[stated.operation].task else {
            continue;
        };
        let key = stated.call.key;
        match find(api, index, links, task, &stated.call) {
            Ok(Some(bound)) => {
                let call = Some(LinkedCall {
                    operation: bound.target,
                    from: bound.from,
                });
                match &mut api.operations[stated.operation].task {
                    Some(task) if key == "result" => task.result = call,
                    Some(task) => task.cancel = call,
                    None => {}
                }
            }
            // The problem of the link is reported.
            Ok(None) => {}
            Err(reason) => {
                let reason = format!("`{key}` {reason}");
                let report = document
                    .diagnostics
                    .report(codes::TASK, &stated.origin, reason);
                report.help(
                    "name a link of a response of the status operation, or an operation whose required \
                     parameters are parameters of the status operation, too",
                );
            }
        }
    }
}

/// Returns the call: that of the link with this name, of the link with this `operationId`, or the operation
/// itself. Returns `None` if the link is invalid.
fn find<'l>(
    api: &Api,
    index: &Index,
    links: &'l [bound_links::Stated],
    task: &Task,
    call: &Key,
) -> Result<Option<Bound>, String> {
    let name = &call.name;
    let status = &api.operations[task.status_operation];
    let of_status = links.binary_search_by_key(&task.status_operation, |stated| stated.operation);
    let responses = of_status.map_or(&[][..], |at| &links[at].responses);
    let all = || {
        let links =
            |response: &'l Response| response.links.iter().map(move |link| (response, link));
        responses.iter().flat_map(links)
    };
    let has_name = |link: &Link| link.name == *name;
    let any_has_name = all().any(|(_, link)| has_name(link));
    let is_meant = |link: &Link| match any_has_name {
        true => has_name(link),
        false => link.operation_id.as_ref() == Some(name),
    };
    let mut found = None;
    for (response, link) in all().filter(|(_, link)| is_meant(link)) {
        let Ok(bound) = bound_links::bind(api, index, status, response, link) else {
            return Ok(None);
        };
        let bound = bound
            .ok_or_else(|| format!("is the link `{name}`, which leads to another document"))?;
        if found.as_ref().is_some_and(|known| *known != bound) {
            let status = &status.name.wire;
            return Err(format!(
                "is `{name}`, and the links of `{status}` that it means differ"
            ));
        }
        found = Some(bound);
    }
    let bound = match (found, index.by_id.get(name)) {
        (Some(bound), _) => bound,
        (None, Some(target)) => by_name(api, task, *target)?,
        (None, None) => {
            return Err(format!(
                "is `{name}`, which is neither a link of `{}` nor an operation",
                status.name.wire
            ));
        }
    };
    check(api, call, &bound)?;
    Ok(Some(bound))
}

/// Gives the parameters of an operation the values that the request for the status has for those of the
/// same place and name.
fn by_name(api: &Api, task: &Task, target: usize) -> Result<Bound, String> {
    let known = &api.operations[task.status_operation].params;
    let params = api.operations[target].params.iter();
    let from = params.filter_map(|param| {
        let is_same =
            |other: &&Param| other.place == param.place && other.name.wire == param.name.wire;
        known.iter().find(is_same)?;
        let name = param.name.wire.clone();
        let source = match param.place {
            Place::Path => Source::Path(name.clone()),
            Place::Query => Source::Query(name.clone()),
            Place::Header => Source::Header(name.clone()),
            _ => return None,
        };
        Some((param.place, name, Expression::Request(source)))
    });
    let from: Vec<_> = from.collect();
    if !from.iter().any(|(_, name, _)| *name == task.parameter) {
        let id = &api.operations[target].name.wire;
        let parameter = &task.parameter;
        return Err(format!(
            "is `{id}`, which does not have the parameter `{parameter}` of the status operation"
        ));
    }
    Ok(Bound { target, from })
}

/// Checks that a client has all values of a call.
fn check(api: &Api, call: &Key, bound: &Bound) -> Result<(), String> {
    if let Some(lack) = bound.lacks(api) {
        let id = &api.operations[bound.target].name.wire;
        return Err(format!("is `{id}`, and {lack}"));
    }
    let is_cancel = call.key == "cancel";
    for (_, name, expression) in &bound.from {
        let is_known = match expression {
            Expression::Url => false,
            Expression::StatusCode | Expression::Response(_) => !is_cancel,
            Expression::Constant(_) | Expression::Method | Expression::Request(_) => true,
        };
        if !is_known {
            let problem = match is_cancel {
                true => "a value of the status, which may not be known yet",
                false => "`$url`, which the client does not know",
            };
            return Err(format!("gives `{name}` {problem}"));
        }
    }
    Ok(())
}
