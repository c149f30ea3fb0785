//! `x-bothends-pages`.

use crate::ir::{Expression, NextPage, Operation, PageParam, Pages};
use crate::lower::links::expression;
use crate::source::Value;
use indexmap::IndexMap;

use super::{pages, param};

type Stated = IndexMap<String, Value>;

/// Reads the extension of an operation; `false` is `None`.
pub(super) fn read(operation: &Operation, value: &Value) -> Result<Option<Pages>, String> {
    let stated = match value {
        Value::Bool(false) => return Ok(None),
        Value::Object(stated) => stated,
        _ => return Err("is neither an object nor `false`".to_owned()),
    };
    let kinds = ["next", "next-url", "page", "offset"];
    let mut found = kinds
        .iter()
        .filter_map(|key| Some((*key, stated.get(*key)?)));
    let (Some(kind), None) = (found.next(), found.next()) else {
        return Err("needs one of `next`, `next-url`, `page` and `offset`".to_owned());
    };
    let next = match kind {
        ("next", Value::Object(rows)) => {
            let row = |(name, value): (&String, &Value)| {
                Ok((body_or_param(operation, name)?, response(value)?))
            };
            NextPage::Values(rows.iter().map(row).collect::<Result<_, String>>()?)
        }
        ("next-url", value) => NextPage::Url(response(value)?),
        ("page", Value::String(name)) => {
            let param = body_or_param(operation, name)?;
            let first = super::vendors::first_page(operation, &param);
            NextPage::Page(param, first)
        }
        ("offset", Value::String(name)) => NextPage::Offset(body_or_param(operation, name)?),
        (key, _) => return Err(format!("has no valid `{key}`")),
    };
    details(operation, stated, pages(next)).map(Some)
}

/// Reads `items`, `has-more`, `pages` and `limit`.
pub(super) fn details(
    operation: &Operation,
    stated: &Stated,
    pages: Pages,
) -> Result<Pages, String> {
    let pointer = |key: &str| match stated.get(key) {
        None => Ok(None),
        Some(Value::String(pointer)) if pointer.is_empty() || pointer.starts_with('/') => {
            Ok(Some(pointer.clone()))
        }
        Some(_) => Err(format!("has a `{key}` that is not a JSON pointer")),
    };
    let limit = match stated.get("limit") {
        None => None,
        Some(Value::String(name)) => Some(body_or_param(operation, name)?),
        Some(_) => return Err("has a `limit` that is not the name of a parameter".to_owned()),
    };
    Ok(Pages {
        items: pointer("items")?,
        has_more: pointer("has-more")?,
        pages: pointer("pages")?,
        limit,
        ..pages
    })
}

/// Returns a parameter by its name, or a member of the body by `#` and its JSON pointer.
fn body_or_param(operation: &Operation, name: &str) -> Result<PageParam, String> {
    match name.strip_prefix('#') {
        Some(pointer) if pointer.starts_with('/') => Ok((None, pointer.to_owned())),
        _ => param(operation, name),
    }
}

/// Returns a runtime expression for a part of the response.
fn response(value: &Value) -> Result<Expression, String> {
    match value {
        Value::String(text) => match expression::parse(text) {
            Ok(found @ Expression::Response(_)) => Ok(found),
            Ok(_) => Err(format!("has `{text}`, which is not a part of the response")),
            Err(why) => Err(format!("has the invalid expression `{text}`: {why}")),
        },
        _ => Err("has a value that is not a runtime expression".to_owned()),
    }
}
