//! Operations that return a list in pages, by what the document states: `x-bothends-pages`, a link of
//! the response to the same operation, a documented header `Link` (RFC 8288), and the extensions of
//! other generators. The first of them counts.

mod items;
mod own;
mod unstated;
mod vendors;

pub(in crate::lower) use items::find_items;
pub(crate) use unstated::report as report_unstated;

use crate::diagnostic::codes;
use crate::ir::{
    Api, Codec, Expression, NextPage, Operation, PageParam, Pages, Payload, Place, Source,
};
use crate::model::{Extensions, Link};
use crate::source::Value;

use crate::lower::Lowering;

/// The extension of this generator.
pub(in crate::lower) const PAGES: &str = "x-bothends-pages";

/// All extensions, in the order of precedence.
const KEYS: [&str; 4] = [PAGES, vendors::SPEAKEASY, vendors::FERN, vendors::DROPSHOT];

/// Returns the extensions of an operation that state pages.
pub(in crate::lower) fn stated(extensions: &Extensions) -> Vec<(String, Value)> {
    let stated = |key: &&str| extensions.iter().find(|(known, _)| known == key).cloned();
    KEYS.iter().filter_map(stated).collect()
}

/// Sets the pages of each operation.
pub(in crate::lower) fn lower(lowering: &mut Lowering<'_>, api: &mut Api) {
    let mut stated = std::mem::take(&mut lowering.pending.stated_pages)
        .into_iter()
        .peekable();
    for index in 0..api.operations.len() {
        let extensions = stated.next_if(|(at, _)| *at == index);
        let extensions = extensions.map_or_else(Vec::new, |(_, extensions)| extensions);
        let is_own = extensions.first().is_some_and(|(key, _)| key == PAGES);
        let operation = &api.operations[index];
        if !is_own {
            if operation.pages.is_some() {
                continue;
            }
            if let Some(pages) = of_link_header(operation) {
                api.operations[index].pages = Some(pages);
                continue;
            }
        }
        let Some((key, value)) = extensions.into_iter().next() else {
            continue;
        };
        let pages = match key.as_str() {
            PAGES => own::read(operation, &value),
            vendors::SPEAKEASY => vendors::speakeasy(operation, &value).map(Some),
            vendors::FERN => {
                vendors::fern(operation, &value, &lowering.document.model.extensions).map(Some)
            }
            _ => Ok(Some(vendors::dropshot())),
        };
        let checked = pages.and_then(|pages| match pages {
            Some(pages) => check(operation, pages).map(Some),
            None => Ok(None),
        });
        match checked {
            Ok(pages) => api.operations[index].pages = pages,
            Err(reason) => {
                let code = if is_own {
                    codes::PAGES
                } else {
                    codes::PAGES_NOT_READ
                };
                let origin = operation.origin.child(&key);
                let message = format!("`{key}` {reason}");
                lowering.document.diagnostics.report(code, &origin, message);
            }
        }
    }
}

/// Returns the pages that a link to the same operation states: one with `next` in its name, or with the
/// extension.
pub(in crate::lower) fn of_link(
    operation: &Operation,
    link: &Link,
    from: &[(Place, String, Expression)],
) -> Option<Pages> {
    let stated = link.extensions.iter().find(|(key, _)| key == PAGES);
    let stated = stated.map(|(_, value)| value);
    let is_next = link.name.to_ascii_lowercase().contains("next");
    if matches!(stated, Some(Value::Bool(false))) || !(is_next || stated.is_some()) {
        return None;
    }
    // The values of the request are repeated in any case.
    let rows = from
        .iter()
        .filter(|(.., from)| matches!(from, Expression::Response(_)));
    let rows: Vec<_> = rows
        .map(|(place, name, from)| ((Some(*place), name.clone()), from.clone()))
        .collect();
    let pages = pages(NextPage::Values(rows));
    let pages = match stated {
        Some(Value::Object(stated)) => own::details(operation, stated, pages).ok()?,
        _ => pages,
    };
    check(operation, pages).ok()
}

/// Returns the pages of an operation with a documented header `Link`, if its responses contain a list.
fn of_link_header(operation: &Operation) -> Option<Pages> {
    let mut headers = operation.success_headers.iter();
    let header = headers.find(|header| header.name.wire.eq_ignore_ascii_case("link"))?;
    let source = Source::Header(header.name.wire.clone());
    let next = NextPage::Url(Expression::Response(source));
    let pages = Pages {
        // Without items, the header has another purpose.
        items: None,
        ..pages(next)
    };
    let is_list = operation.method == "GET" && operation.body.is_none() && is_json(operation);
    is_list.then_some(pages)
}

const fn pages(next: NextPage) -> Pages {
    Pages {
        next,
        items: None,
        item_path: None,
        has_more: None,
        pages: None,
        limit: None,
        kept: None,
    }
}

/// Returns whether the only success has a JSON body.
fn is_json(operation: &Operation) -> bool {
    let [success] = operation.successes.as_slice() else {
        return false;
    };
    matches!(&success.payload, Some(Payload::One(media)) if media.codec == Codec::Json)
}

/// Checks that the operation has the parameters, a body that can be sent for each page, and one success
/// with a JSON body.
fn check(operation: &Operation, pages: Pages) -> Result<Pages, String> {
    if !is_json(operation) {
        return Err("needs an operation with one success, whose body is JSON".to_owned());
    }
    if operation.body.is_some() && !has_json_body(operation) {
        return Err("needs an operation without a body, or with one of JSON".to_owned());
    }
    let params: Vec<&PageParam> = match &pages.next {
        NextPage::Values(rows) => rows.iter().map(|(param, _)| param).collect(),
        NextPage::Url(_) => Vec::new(),
        NextPage::Page(param, _) | NextPage::Offset(param) => vec![param],
    };
    if matches!(&pages.next, NextPage::Values(rows) if rows.is_empty()) {
        return Err("sets no parameter to a value of the response".to_owned());
    }
    for (place, name) in params {
        let is_there = match place {
            None => has_json_body(operation),
            Some(Place::Query | Place::Header) => true,
            Some(_) => false,
        };
        if !is_there {
            return Err(format!(
                "sets `{name}`, which is not in the query, a header or a JSON body"
            ));
        }
    }
    Ok(pages)
}

fn has_json_body(operation: &Operation) -> bool {
    let payload = operation.body.as_ref().map(|body| &body.payload);
    matches!(payload, Some(Payload::One(media)) if media.codec == Codec::Json)
}

/// Returns a parameter of the query or of a header by its name.
fn param(operation: &Operation, name: &str) -> Result<PageParam, String> {
    let name = name.strip_prefix("query.").unwrap_or(name);
    let mut params = operation.params.iter();
    let found = params.find(|param| {
        matches!(param.place, Place::Query | Place::Header) && param.name.wire == name
    });
    match found {
        Some(param) => Ok((Some(param.place), param.name.wire.clone())),
        None => Err(format!(
            "names `{name}`, which is not a parameter of the query or of a header"
        )),
    }
}
