//! Links of responses: their problems are reported, those that a client can follow are kept, and links to
//! the status of a task connect the operation with it.

pub(super) mod bound_links;
pub(super) mod expression;
pub(super) mod pages;
pub(super) mod task_calls;
pub(super) mod tasks;

use crate::diagnostic::codes;
use crate::ir::{
    self, Api, Expression, LinkedCall, Name, Operation, Place, Source, StatusSpec, Task, TaskStatus,
};
use crate::model::{self, Link, Response};
use crate::source::Value;

use crate::lower::links::bound_links::{Bound, Index, Wrong, bind};
use crate::lower::{Document, Lowering};

/// Checks every link. The first link to the status of a task applies to its operation. `calls` are those
/// of tasks that operations state.
pub(in crate::lower) fn lower(
    lowering: &mut Lowering<'_>,
    api: &mut Api,
    mut calls: Vec<task_calls::Stated>,
) {
    let index = Index::new(api);
    let links = std::mem::take(&mut lowering.pending.stated_links);
    for stated in &links {
        for response in &stated.responses {
            for link in &response.links {
                let owner = stated.operation;
                let of_task =
                    lower_link(&mut lowering.document, api, &index, owner, response, link);
                let origin = link.origin.child("x-bothends-task");
                calls.extend(of_task.into_iter().map(|call| call.at(owner, &origin)));
            }
        }
    }
    task_calls::lower(&mut lowering.document, api, &index, &links, calls);
}

fn lower_link(
    document: &mut Document<'_>,
    api: &mut Api,
    index: &Index,
    operation: usize,
    response: &Response,
    link: &Link,
) -> Vec<task_calls::Key> {
    let bound = match bind(api, index, &api.operations[operation], response, link) {
        Ok(Some(bound)) => bound,
        Ok(None) => return Vec::new(),
        Err(Wrong(origin, message, help)) => {
            let message = format!("the link `{}` {message}", link.name);
            let report = document.diagnostics.report(codes::LINK, &origin, message);
            report.help(help);
            return Vec::new();
        }
    };
    keep_stated(api, operation, response, link, &bound);
    let mut extensions = link.extensions.iter();
    let extension = extensions.find(|(key, _)| key == "x-bothends-task");
    if bound.target == operation && extension.is_none() {
        let found = pages::of_link(&api.operations[operation], link, &bound.from);
        if found.is_some() {
            let pages = &mut api.operations[operation].pages;
            *pages = pages.take().or(found);
            return Vec::new();
        }
    }
    let accepted = response.status == model::StatusSpec::Code(202);
    if api.operations[operation].task.is_some()
        || api.operations[bound.target].method != "GET"
        || !(accepted || extension.is_some())
        || !is_usable(&bound.from)
    {
        keep(api, operation, link, bound);
        return Vec::new();
    }
    let stated = extension.map(|(_, value)| value);
    match task(api, bound, stated) {
        Ok((task, calls)) => {
            api.operations[operation].task = Some(task);
            calls
        }
        Err(reason) => {
            let origin = link.origin.child("x-bothends-task");
            let report = document.diagnostics.report(codes::TASK, &origin, reason);
            report.help(
                "in a link, it has `terminal`, `status-at`, `failed`, `failed-at`, `webhooks`, `result` and \
                 `cancel`, all optional",
            );
            Vec::new()
        }
    }
}

/// Keeps a link that a client can follow. Links of several responses with one name and the same values are one.
fn keep(api: &mut Api, operation: usize, link: &Link, bound: Bound) {
    if bound.lacks(api).is_some() || !has_known_values(&bound) {
        return;
    }
    let found = ir::Link {
        name: Name::new(link.name.clone()),
        doc: link.description.clone(),
        call: LinkedCall {
            operation: bound.target,
            from: bound.from,
        },
    };
    let links = &mut api.operations[operation].links;
    let is_same = |known: &ir::Link| (&known.name, &known.call) == (&found.name, &found.call);
    if !links.iter().any(is_same) {
        links.push(found);
    }
}

/// Returns whether a link gives values, and a client knows each of them.
fn has_known_values(bound: &Bound) -> bool {
    let is_known = |(.., value): &(Place, String, Expression)| *value != Expression::Url;
    !bound.from.is_empty() && bound.from.iter().all(is_known)
}

/// Keeps a link of a successful response for contract tests. Links of several responses with one name and the same
/// values are one.
fn keep_stated(api: &mut Api, operation: usize, response: &Response, link: &Link, bound: &Bound) {
    let owner = &mut api.operations[operation];
    let status = match response.status {
        model::StatusSpec::Code(code) => StatusSpec::Code(code),
        model::StatusSpec::Range(digit) => StatusSpec::Range(digit),
        model::StatusSpec::Default => StatusSpec::Default,
    };
    let is_success = owner
        .successes
        .iter()
        .any(|success| success.status == status);
    if !is_success || !has_known_values(bound) {
        return;
    }
    let mut known = owner.stated_links.iter_mut();
    let is_same = |known: &&mut ir::StatedLink| {
        known.name == link.name
            && known.call.operation == bound.target
            && known.call.from == bound.from
    };
    match known.find(is_same) {
        Some(known) => known.statuses.push(status),
        None => owner.stated_links.push(ir::StatedLink {
            name: link.name.clone(),
            statuses: vec![status],
            call: LinkedCall {
                operation: bound.target,
                from: bound.from.clone(),
            },
        }),
    }
}

/// Returns whether a client has all values, and at least one of them is in the response.
fn is_usable(from: &[(Place, String, Expression)]) -> bool {
    let found = |expression: &Expression| match expression {
        Expression::Response(source) => matches!(source, Source::Header(_) | Source::Body(_)),
        Expression::Url => false,
        _ => true,
    };
    from.iter().all(|(.., expression)| found(expression))
        && from
            .iter()
            .any(|(.., it)| matches!(it, Expression::Response(_)))
}

fn task(
    api: &Api,
    bound: Bound,
    stated: Option<&Value>,
) -> Result<(Task, Vec<task_calls::Key>), String> {
    let mut from = bound.from;
    // The value from the response is the id; values of the request are not.
    from.sort_by_key(|(.., expression)| !matches!(expression, Expression::Response(_)));
    let parameter = from.first().map(|(_, name, _)| name.clone());
    let ends = match stated {
        None | Some(Value::Bool(true)) => tasks::Ends::default(),
        Some(stated) => tasks::ends(api, stated)?,
    };
    let is_stated = ends.status.is_some() || ends.terminal.is_some();
    let codes = (!is_stated).then(|| codes_after_202(&api.operations[bound.target]));
    let (status, terminal) = match codes.flatten() {
        Some(codes) => (Some(TaskStatus::Code), codes),
        None => (
            ends.status.map(TaskStatus::Body),
            ends.terminal.unwrap_or_default(),
        ),
    };
    let task = Task {
        status_operation: bound.target,
        parameter: parameter.unwrap_or_default(),
        from,
        status,
        terminal,
        failed: ends.failed,
        failed_at: ends.failed_at,
        webhooks: ends.webhooks,
        result: None,
        cancel: None,
    };
    Ok((task, ends.calls))
}

/// Returns the other successes of an operation with a 202, which says that the work continues (RFC 9110,
/// section 15.3.3).
fn codes_after_202(status: &Operation) -> Option<Vec<String>> {
    let codes = status.successes.iter().map(|success| match success.status {
        StatusSpec::Code(code) => Some(code),
        StatusSpec::Range(_) | StatusSpec::Default => None,
    });
    let codes: Vec<u16> = codes.collect::<Option<_>>()?;
    let others = codes.iter().filter(|code| **code != 202);
    let others: Vec<String> = others.map(u16::to_string).collect();
    (codes.contains(&202) && !others.is_empty()).then_some(others)
}
