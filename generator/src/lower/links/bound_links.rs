//! The target of a link, and the values of its parameters.

use std::collections::HashMap;

use crate::ir::{Api, Expression, Operation, Param, Place, Source};
use crate::model::{Link, Response};
use crate::position::{Origin, Pointer};
use crate::source::{Value, percent_decode};

use crate::lower::links::expression;

/// The responses of an operation that have links.
pub(in crate::lower) struct Stated {
    pub(in crate::lower) operation: usize,
    pub(in crate::lower) responses: Vec<Response>,
}

/// A problem, its location, and a suggestion.
pub(in crate::lower) struct Wrong(
    pub(in crate::lower) Origin,
    pub(in crate::lower) String,
    pub(in crate::lower) &'static str,
);

/// The index of each operation in the list: a document may have as many links as operations.
pub(in crate::lower) struct Index {
    pub(in crate::lower) by_id: HashMap<String, usize>,
    by_place: HashMap<Origin, usize>,
}

impl Index {
    pub(in crate::lower) fn new(api: &Api) -> Self {
        let (mut by_id, mut by_place) = (HashMap::new(), HashMap::new());
        for (index, operation) in api.operations.iter().enumerate() {
            by_id.entry(operation.name.wire.clone()).or_insert(index);
            by_place.entry(operation.origin.clone()).or_insert(index);
        }
        Self { by_id, by_place }
    }
}

/// A resolved link.
#[derive(PartialEq, Eq)]
pub(in crate::lower) struct Bound {
    /// The index of the target operation.
    pub(in crate::lower) target: usize,
    pub(in crate::lower) from: Vec<(Place, String, Expression)>,
}

impl Bound {
    /// Returns what a request of the target needs and the link does not give.
    pub(in crate::lower) fn lacks(&self, api: &Api) -> Option<String> {
        let target = &api.operations[self.target];
        if target.body.as_ref().is_some_and(|body| !body.optional) {
            return Some("nothing gives its body".to_owned());
        }
        let is_given = |param: &Param| {
            let mut from = self.from.iter();
            from.any(|(place, name, _)| *place == param.place && *name == param.name.wire)
        };
        let mut required = target.params.iter().filter(|param| !param.optional);
        let param = required.find(|param| !is_given(param))?;
        let name = &param.name.wire;
        Some(format!("nothing gives the value of its parameter `{name}`"))
    }
}

/// Resolves a link. Returns `None` if the target is in another document.
pub(in crate::lower) fn bind(
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
        let param = parameter(&api.operations[target], name).map_err(|problem| {
            let help = "name a parameter of the operation, with `path.`, `query.`, `header.` or \
                        `cookie.` before it where there are several of the name";
            Wrong(origin.clone(), problem, help)
        })?;
        let expression = match value {
            Value::String(text) => expression::parse(text),
            other => Ok(Expression::Constant(other.to_json())),
        };
        let expression = expression.map_err(|why| {
            let problem = format!("has an invalid expression: {why}");
            let help = "`$response.body#/id`, `$response.header.Location` and `$request.path.id` \
                        are expressions";
            Wrong(origin.clone(), problem, help)
        })?;
        is_there(operation, response, &expression).map_err(|problem| {
            Wrong(
                origin,
                problem,
                "declare it there, or take the value from elsewhere",
            )
        })?;
        from.push((param.place, param.name.wire.clone(), expression));
    }
    Ok(Some(Bound { target, from }))
}

fn target(index: &Index, link: &Link) -> Result<Option<usize>, Wrong> {
    let wrong = |key: &str, problem: String| {
        Err(Wrong(
            link.origin.child(key),
            problem,
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
                    let problem = format!("refers to `{reference}`, which is not an operation");
                    wrong("operationRef", problem)
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
        (None, _) => Err(format!("has `{name}`, which is not a parameter of `{id}`")),
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
