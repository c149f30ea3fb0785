//! Links of responses: their problems are reported, and links to the status of a task connect the
//! operation with it.

use std::collections::HashMap;

use crate::diagnostic::codes;
use crate::ir::{Api, Expression, Operation, Param, Place, Source, StatusSpec, Task, TaskStatus};
use crate::model::{self, Link, Response};
use crate::position::{Origin, Pointer};
use crate::source::{Value, percent_decode};

use super::{Lowering, expression, pages, task_calls, tasks};

/// The responses of an operation that have links.
pub(super) struct Stated {
    pub(super) operation: usize,
    pub(super) responses: Vec<Response>,
}

/// A problem, its location, and a suggestion.
pub(super) struct Wrong(Origin, String, &'static str);

/// The index of each operation in the list: a document may have as many links as operations.
pub(super) struct Index {
    pub(super) by_id: HashMap<String, usize>,
    by_place: HashMap<Origin, usize>,
}

impl Index {
    fn new(api: &Api) -> Self {
        let (mut by_id, mut by_place) = (HashMap::new(), HashMap::new());
        for (index, operation) in api.operations.iter().enumerate() {
            by_id.entry(operation.name.wire.clone()).or_insert(index);
            by_place.entry(operation.origin.clone()).or_insert(index);
        }
        Self { by_id, by_place }
    }
}

/// Checks every link. The first link to the status of a task applies to its operation. `calls` are those
/// of tasks that operations state.
pub(super) fn lower(
    lowering: &mut Lowering<'_>,
    api: &mut Api,
    mut calls: Vec<task_calls::Stated>,
) {
    let index = Index::new(api);
    let links = std::mem::take(&mut lowering.stated_links);
    for stated in &links {
        for response in &stated.responses {
            for link in &response.links {
                let of = stated.operation;
                let of_task = one(lowering, api, &index, of, response, link);
                let origin = link.origin.child("x-bothends-task");
                calls.extend(of_task.into_iter().map(|call| call.at(of, &origin)));
            }
        }
    }
    task_calls::lower(lowering, api, &index, &links, calls);
}

fn one(
    lowering: &mut Lowering<'_>,
    api: &mut Api,
    index: &Index,
    operation: usize,
    response: &Response,
    link: &Link,
) -> Vec<task_calls::Key> {
    let bound = match bind(api, index, &api.operations[operation], response, link) {
        Ok(Some(bound)) => bound,
        Ok(None) => return Vec::new(),
        Err(Wrong(origin, told, help)) => {
            let told = format!("the link `{}` {told}", link.name);
            let report = lowering.diagnostics.report(codes::LINK, &origin, told);
            report.help(help);
            return Vec::new();
        }
    };
    let is_task = link
        .extensions
        .iter()
        .any(|(key, _)| key == "x-bothends-task");
    if bound.target == operation && !is_task {
        let found = pages::of_link(&api.operations[operation], link, &bound.from);
        let pages = &mut api.operations[operation].pages;
        *pages = pages.take().or(found);
        return Vec::new();
    }
    let mut extensions = link.extensions.iter();
    let extension = extensions.find(|(key, _)| key == "x-bothends-task");
    let accepted = response.status == model::StatusSpec::Code(202);
    if api.operations[operation].task.is_some()
        || api.operations[bound.target].method != "GET"
        || !(accepted || extension.is_some())
        || !is_usable(&bound.from)
    {
        return Vec::new();
    }
    let stated = extension.map(|(_, value)| value);
    match task(api, bound, stated) {
        Ok((task, calls)) => {
            api.operations[operation].task = Some(task);
            calls
        }
        Err(reason) => {
            let report = lowering
                .diagnostics
                .report(codes::TASK, &link.origin, reason);
            report.help(
                "in a link, it has `terminal`, `status-at`, `failed`, `failed-at`, `webhooks`, `result` and \
                 `cancel`, all optional",
            );
            Vec::new()
        }
    }
}

/// A resolved link.
#[derive(PartialEq, Eq)]
pub(super) struct Bound {
    /// The index of the target operation.
    pub(super) target: usize,
    pub(super) from: Vec<(Place, String, Expression)>,
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
    let codes = status.successes.iter().map(|of| match of.status {
        StatusSpec::Code(code) => Some(code),
        StatusSpec::Range(_) | StatusSpec::Default => None,
    });
    let codes: Vec<u16> = codes.collect::<Option<_>>()?;
    let others = codes.iter().filter(|code| **code != 202);
    let others: Vec<String> = others.map(u16::to_string).collect();
    (codes.contains(&202) && !others.is_empty()).then_some(others)
}

/// Resolves a link. Returns `None` if the target is in another document.
pub(super) fn bind(
    api: &Api,
    index: &Index,
    operation: &Operation,
    response: &Response,
    link: &Link,
) -> Result<Option<Bound>, Wrong> {
    let Some(target) = target(index, link)? else {
        return Ok(None);
    };
    let mut from = Vec::new();
    for (name, value) in &link.parameters {
        let origin = link.origin.child("parameters").child(name);
        let param = parameter(&api.operations[target], name).map_err(|told| {
            let help = "name a parameter of the operation, with `path.`, `query.`, `header.` or \
                        `cookie.` before it where there are several of the name";
            Wrong(origin.clone(), told, help)
        })?;
        let expression = match value {
            Value::String(text) => expression::parse(text),
            other => Ok(Expression::Constant(other.to_json())),
        };
        let expression = expression.map_err(|why| {
            let told = format!("has an invalid expression: {why}");
            let help = "`$response.body#/id`, `$response.header.Location` and `$request.path.id` \
                        are expressions";
            Wrong(origin.clone(), told, help)
        })?;
        is_there(operation, response, &expression).map_err(|told| {
            Wrong(
                origin,
                told,
                "declare it there, or take the value from elsewhere",
            )
        })?;
        from.push((param.place, param.name.wire.clone(), expression));
    }
    Ok(Some(Bound { target, from }))
}

fn target(index: &Index, link: &Link) -> Result<Option<usize>, Wrong> {
    let wrong = |key: &str, told: String| {
        Err(Wrong(
            link.origin.child(key),
            told,
            "name an operation of the document",
        ))
    };
    match (&link.operation_id, &link.operation_ref) {
        (Some(id), None) => match index.by_id.get(id) {
            Some(index) => Ok(Some(*index)),
            None => wrong(
                "operationId",
                format!("refers to `{id}`, which is not an operation"),
            ),
        },
        (None, Some(reference)) => {
            // Operations of another document are unknown.
            if !reference.starts_with('#') {
                return Ok(None);
            }
            let pointer = Pointer::parse(&percent_decode(reference));
            match index.by_place.get(&Origin::new(link.origin.file, pointer)) {
                Some(index) => Ok(Some(*index)),
                None => {
                    let told = format!("refers to `{reference}`, which is not an operation");
                    wrong("operationRef", told)
                }
            }
        }
        (None, None) => Err(Wrong(
            link.origin.clone(),
            "leads nowhere".to_owned(),
            "add an `operationId`",
        )),
        (Some(_), Some(_)) => Err(Wrong(
            link.origin.clone(),
            "has an `operationId` and an `operationRef`".to_owned(),
            "leave one of them",
        )),
    }
}

/// Returns a parameter by its name, or by its location and name.
fn parameter<'a>(operation: &'a Operation, name: &str) -> Result<&'a Param, String> {
    let of_place = |param: &Param, word: &str| {
        matches!(
            (word, param.place),
            ("path", Place::Path)
                | ("query", Place::Query)
                | ("header", Place::Header)
                | ("cookie", Place::Cookie)
        )
    };
    let mut params = operation.params.iter();
    let placed = name.split_once('.').and_then(|(word, name)| {
        params.find(|param| of_place(param, word) && param.name.wire == name)
    });
    if let Some(param) = placed {
        return Ok(param);
    }
    let mut named = operation.params.iter().filter(|it| it.name.wire == name);
    let id = &operation.name.wire;
    match (named.next(), named.next()) {
        (Some(param), None) => Ok(param),
        (None, _) => Err(format!("has `{name}`, which is no parameter of `{id}`")),
        (Some(_), Some(_)) => Err(format!("has `{name}`, and `{id}` has several of the name")),
    }
}

/// Returns whether the operation and its response have the value of an expression.
fn is_there(
    operation: &Operation,
    response: &Response,
    expression: &Expression,
) -> Result<(), String> {
    let has = |place: Place, name: &str| {
        let mut params = operation.params.iter();
        params.any(|param| {
            let same = match place {
                Place::Header => param.name.wire.eq_ignore_ascii_case(name),
                _ => param.name.wire == name,
            };
            param.place == place && same
        })
    };
    let missing = |what: &str, name: &str| {
        Err(format!(
            "takes a value from the {what} `{name}`, which is not declared"
        ))
    };
    match expression {
        Expression::Request(Source::Path(name)) if !has(Place::Path, name) => {
            missing("path parameter", name)
        }
        Expression::Request(Source::Query(name)) if !has(Place::Query, name) => {
            missing("query parameter", name)
        }
        Expression::Response(Source::Header(name)) => {
            let mut headers = response.headers.iter();
            match headers.any(|header| header.name.eq_ignore_ascii_case(name)) {
                true => Ok(()),
                false => missing("response header", name),
            }
        }
        _ => Ok(()),
    }
}
