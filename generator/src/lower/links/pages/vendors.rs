//! The extensions of other generators: Speakeasy, Fern, and dropshot.

use crate::ir::{DefaultValue, Expression, NextPage, Operation, PageParam, Pages, Place, Source};
use crate::model::Extensions;
use crate::source::Value;

use super::{has_json_body, pages, param};

/// Speakeasy's extension: `type`, `inputs` and `outputs`, whose values are JSONPath.
pub(super) const SPEAKEASY: &str = "x-speakeasy-pagination";
/// Fern's extension: expressions of the form `$request.cursor` and `$response.next`.
pub(super) const FERN: &str = "x-fern-pagination";
/// The extension of servers of dropshot, whose parameters have fixed names.
pub(super) const DROPSHOT: &str = "x-dropshot-pagination";

/// Returns the number of the first page: the default of its parameter, or 1.
pub(super) fn first_page(operation: &Operation, (place, name): &PageParam) -> u64 {
    let mut params = operation.params.iter();
    let found = params.find(|param| Some(param.place) == *place && param.name.wire == *name);
    match found.and_then(|param| param.default.as_ref()) {
        Some(DefaultValue::Int(first)) => u64::try_from(*first).unwrap_or(1),
        _ => 1,
    }
}

/// Reads `x-speakeasy-pagination`.
pub(super) fn speakeasy(operation: &Operation, value: &Value) -> Result<Pages, String> {
    let kind = text(value, "type").ok_or("has no `type`")?;
    let inputs = match value.get("inputs") {
        Some(Value::Array(inputs)) => inputs.as_slice(),
        _ => &[],
    };
    let input = |wanted: &str| -> Result<Option<PageParam>, String> {
        let mut all = inputs.iter();
        let Some(input) = all.find(|input| text(input, "type") == Some(wanted)) else {
            return Ok(None);
        };
        let name = text(input, "name").ok_or("has an input without a `name`")?;
        match text(input, "in") {
            Some("requestBody") => Ok(Some((None, format!("/{}", escaped(name))))),
            _ => param(operation, name).map(Some),
        }
    };
    let output = |key: &str| -> Result<Option<String>, String> {
        let path = value.get("outputs").and_then(|outputs| text(outputs, key));
        path.map(pointer).transpose()
    };
    let of_body = |at: String| Expression::Response(Source::Body(at));
    let next = match kind {
        "cursor" => {
            let cursor = input("cursor")?.ok_or("has no input of the type `cursor`")?;
            let at = output("nextCursor")?.ok_or("has no output `nextCursor`")?;
            NextPage::Values(vec![(cursor, of_body(at))])
        }
        "url" => NextPage::Url(of_body(
            output("nextUrl")?.ok_or("has no output `nextUrl`")?,
        )),
        "offsetLimit" => match (input("page")?, input("offset")?) {
            (Some(page), _) => {
                let first = first_page(operation, &page);
                NextPage::Page(page, first)
            }
            (None, Some(offset)) => NextPage::Offset(offset),
            (None, None) => return Err("has no input of the type `page` or `offset`".to_owned()),
        },
        other => return Err(format!("has the unknown type `{other}`")),
    };
    Ok(Pages {
        items: output("results")?,
        pages: output("numPages")?,
        limit: input("limit")?,
        ..pages(next)
    })
}

/// Reads `x-fern-pagination`; `true` refers to that of the root.
pub(super) fn fern(
    operation: &Operation,
    value: &Value,
    root: &Extensions,
) -> Result<Pages, String> {
    let of_root = root.iter().find(|(key, _)| key == FERN);
    let value = match value {
        Value::Bool(true) => of_root
            .map(|(_, value)| value)
            .ok_or("has no object at the root")?,
        other => other,
    };
    let request = |key: &str| -> Result<Option<PageParam>, String> {
        let Some(path) = text(value, key) else {
            return Ok(None);
        };
        let name = path.strip_prefix("$request.").unwrap_or(path);
        match param(operation, name.rsplit('.').next().unwrap_or(name)) {
            Ok(param) => Ok(Some(param)),
            Err(_) if has_json_body(operation) => Ok(Some((None, pointer(&format!("$.{name}"))?))),
            Err(reason) => Err(reason),
        }
    };
    let response = |key: &str| -> Result<Option<String>, String> {
        let path = text(value, key).map(|path| path.replacen("$response", "$", 1));
        path.map(|path| pointer(&path)).transpose()
    };
    let of_body = |at: String| Expression::Response(Source::Body(at));
    let next = if let Some(cursor) = request("cursor")? {
        let at = response("next_cursor")?.ok_or("has no `next_cursor`")?;
        NextPage::Values(vec![(cursor, of_body(at))])
    } else if let Some(url) = response("next_uri")?.or(response("next_path")?) {
        NextPage::Url(of_body(url))
    } else if let Some(offset) = request("offset")? {
        // With a step the parameter counts items, and else pages.
        match text(value, "step") {
            Some(_) => NextPage::Offset(offset),
            None => {
                let first = first_page(operation, &offset);
                NextPage::Page(offset, first)
            }
        }
    } else {
        return Err("has none of `cursor`, `offset`, `next_uri` and `next_path`".to_owned());
    };
    Ok(Pages {
        items: response("results")?,
        has_more: response("has-next-page")?,
        ..pages(next)
    })
}

/// Returns the pages of servers of dropshot: the values of the first request are part of the token, and
/// are not sent again.
pub(super) fn dropshot() -> Pages {
    let token = (Some(Place::Query), "page_token".to_owned());
    let next = Expression::Response(Source::Body("/next_page".to_owned()));
    Pages {
        items: Some("/items".to_owned()),
        kept: Some(vec!["limit".to_owned()]),
        ..pages(NextPage::Values(vec![(token, next)]))
    }
}

fn text<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    match value.get(key) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

/// Returns the JSON pointer of a JSONPath of names and indices: `$.data.items[-1].id`.
fn pointer(path: &str) -> Result<String, String> {
    let wrong = || format!("has `{path}`, which is not a path of names and indices");
    let mut rest = path.strip_prefix('$').ok_or_else(wrong)?;
    let mut pointer = String::new();
    while !rest.is_empty() {
        let (segment, after) = match rest.strip_prefix('[') {
            Some(bracket) => {
                let (inner, after) = bracket.split_once(']').ok_or_else(wrong)?;
                (inner.trim_matches(['\'', '"']), after)
            }
            None => {
                let name = rest.strip_prefix('.').ok_or_else(wrong)?;
                name.split_at(name.find(['.', '[']).unwrap_or(name.len()))
            }
        };
        if segment.is_empty() || matches!(segment, "*" | "@") || segment.starts_with(['?', '(']) {
            return Err(wrong());
        }
        pointer.push('/');
        pointer.push_str(&escaped(segment));
        rest = after;
    }
    Ok(pointer)
}

fn escaped(name: &str) -> String {
    name.replace('~', "~0").replace('/', "~1")
}

#[cfg(test)]
mod tests {
    use super::pointer;

    #[test]
    fn paths_of_names_and_indices_are_json_pointers() {
        for (path, found) in [
            ("$", ""),
            ("$.next", "/next"),
            ("$.data.items[-1].id", "/data/items/-1/id"),
            ("$['a/b'][0][\"c~\"]", "/a~1b/0/c~0"),
        ] {
            assert_eq!(pointer(path).as_deref(), Ok(found), "{path}");
        }
        for wrong in ["next", "$..id", "$.a[*]", "$.a[?(@.b)]", "$.a[", "$a", "$."] {
            assert!(pointer(wrong).is_err(), "{wrong}");
        }
    }
}
