//! How the next page of a list is requested.

use super::link;
use crate::message::operation::{ResponseDecoder, text_of};
use crate::message::wire::percent::decode;
use crate::message::wire::query;
use crate::message::{EncodedRequest, Expression};
use crate::values::Json;
use http::header::LINK;

/// A parameter: its location and its name. The location `body` is a member of a JSON body, and its
/// name a JSON pointer.
pub(super) type At = (&'static str, &'static str);

/// How the next page of a list is requested: a constant of generated code.
///
/// JSON pointers may have the segment `-1`, which is the last item of a list.
#[derive(Debug, Clone, Copy)]
pub struct NextPage {
    pub(super) way: Way,
    /// The only parameters of the query that are repeated; all are without this list.
    pub(super) kept: Option<&'static [&'static str]>,
    has_more: Option<&'static str>,
    pages: Option<&'static str>,
    items: &'static str,
    limit: Option<At>,
}

/// What a request for a page other than the first has.
#[derive(Debug, Clone, Copy)]
pub(super) enum Way {
    /// Parameters with values of the last response.
    Values(&'static [(&'static str, &'static str, Expression)]),
    /// The URL that the last response contains.
    Url(Expression),
    /// The number of a page, counted from this one.
    Page(At, u64),
    /// The number of items before a page.
    Offset(At),
}

/// What a request for a page has in place of the caller's values.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Position {
    /// The values of [`Way::Values`], in its order.
    Values(Vec<Json>),
    /// A URL, or a reference to one.
    Url(String),
    /// The number of a page or of an item.
    Number(u64),
}

impl NextPage {
    const fn new(way: Way) -> Self {
        Self {
            way,
            kept: None,
            has_more: None,
            pages: None,
            items: "",
            limit: None,
        }
    }

    /// Sets parameters to values of the last response, as location, name and expression.
    pub const fn values(rows: &'static [(&'static str, &'static str, Expression)]) -> Self {
        Self::new(Way::Values(rows))
    }

    /// Requests the URL that the last response contains. From a header `Link`, that is the target with
    /// the relation `next` (RFC 8288).
    pub const fn url(expression: Expression) -> Self {
        Self::new(Way::Url(expression))
    }

    /// Counts the number of the page in a parameter. `first` is its number in requests without the
    /// parameter.
    pub const fn page(place: &'static str, name: &'static str, first: u64) -> Self {
        Self::new(Way::Page((place, name), first))
    }

    /// Counts the items before the page in a parameter.
    pub const fn offset(place: &'static str, name: &'static str) -> Self {
        Self::new(Way::Offset((place, name)))
    }

    /// Sets the JSON pointer of the items. A page without items is the last one, if pages or items are
    /// counted.
    #[must_use]
    pub const fn items_at(self, items: &'static str) -> Self {
        Self { items, ..self }
    }

    /// Sets the parameter with the size of a page. A smaller page is the last one, if pages or items are
    /// counted.
    #[must_use]
    pub const fn limit(self, place: &'static str, name: &'static str) -> Self {
        Self {
            limit: Some((place, name)),
            ..self
        }
    }

    /// Sets the JSON pointer of a value that is `false` in the last page.
    #[must_use]
    pub const fn has_more_at(self, pointer: &'static str) -> Self {
        Self {
            has_more: Some(pointer),
            ..self
        }
    }

    /// Sets the JSON pointer of the number of pages.
    #[must_use]
    pub const fn pages_at(self, pointer: &'static str) -> Self {
        Self {
            pages: Some(pointer),
            ..self
        }
    }

    /// Leaves out the parameters of the query that the list does not name, as servers of dropshot
    /// require it.
    #[must_use]
    pub const fn keeping(self, kept: &'static [&'static str]) -> Self {
        Self {
            kept: Some(kept),
            ..self
        }
    }

    /// Returns whether requests for other pages set this parameter of the query.
    pub(super) fn sets(&self, parameter: &str) -> bool {
        match self.way {
            Way::Values(rows) => rows.iter().any(|(_, name, _)| *name == parameter),
            Way::Page((_, name), _) | Way::Offset((_, name)) => name == parameter,
            Way::Url(_) => false,
        }
    }

    /// Returns the position that a request states itself.
    pub(super) fn stated(&self, sent: &EncodedRequest) -> Option<Position> {
        let number = |at| value(sent, at)?.as_str()?.parse().ok();
        match self.way {
            Way::Values(rows) => {
                let values = rows.iter().map(|row| value(sent, (row.0, row.1)));
                values.collect::<Option<_>>().map(Position::Values)
            }
            Way::Url(_) => None,
            Way::Page(at, first) => Some(Position::Number(number(at).unwrap_or(first))),
            Way::Offset(at) => Some(Position::Number(number(at).unwrap_or(0))),
        }
    }

    /// Returns the position that a caller has kept as text.
    pub(super) fn parse(&self, cursor: &str) -> Position {
        match self.way {
            Way::Values([_]) => Position::Values(vec![Json::from(cursor)]),
            Way::Values(_) => serde_json::from_str(cursor).map_or_else(
                |_| Position::Values(vec![Json::from(cursor)]),
                Position::Values,
            ),
            Way::Url(_) => Position::Url(cursor.to_owned()),
            Way::Page(..) | Way::Offset(_) => cursor
                .parse()
                .map_or_else(|_| Position::Url(cursor.to_owned()), Position::Number),
        }
    }

    /// Returns the position of the page after a response; `None` without one.
    pub(super) fn after(
        &self,
        sent: &EncodedRequest,
        position: Option<&Position>,
        answer: &ResponseDecoder,
    ) -> Option<Position> {
        let body: Json = serde_json::from_slice(answer.raw()).unwrap_or_default();
        let is_last = |pointer| matches!(at(&body, pointer), Some(Json::Bool(false)));
        if self.has_more.is_some_and(is_last) {
            return None;
        }
        match self.way {
            Way::Values(rows) => {
                let values = rows.iter().map(|row| found(row.2, &body, answer));
                values.collect::<Option<_>>().map(Position::Values)
            }
            Way::Url(expression) => match found(expression, &body, answer)? {
                Json::String(url) => Some(Position::Url(url)),
                _ => None,
            },
            Way::Page(..) | Way::Offset(_) => {
                let Some(Position::Number(number)) = position else {
                    return None;
                };
                self.counted(sent, *number, &body).map(Position::Number)
            }
        }
    }

    /// Returns the next number.
    fn counted(&self, sent: &EncodedRequest, number: u64, body: &Json) -> Option<u64> {
        let items = at(body, self.items)?.as_array()?.len();
        let items = u64::try_from(items).ok()?;
        let is_page = matches!(self.way, Way::Page(..));
        let next = number.checked_add(if is_page { 1 } else { items })?;
        let pages = self.pages.and_then(|pointer| at(body, pointer)?.as_u64());
        let limit = self.limit.and_then(|at| match value(sent, at)? {
            Json::String(text) => text.parse().ok(),
            other => other.as_u64(),
        });
        let is_last = match pages {
            Some(pages) if is_page => next > pages,
            _ => items == 0 || limit.is_some_and(|limit: u64| items < limit),
        };
        (!is_last).then_some(next)
    }
}

impl Position {
    /// Returns the position as text, which [`NextPage::parse`] reads.
    pub(super) fn text(&self) -> String {
        match self {
            Self::Values(values) => match values.as_slice() {
                [value] => text_of(value),
                values => Json::from(values.to_vec()).to_string(),
            },
            Self::Url(url) => url.clone(),
            Self::Number(number) => number.to_string(),
        }
    }
}

/// Returns the value of a parameter in a request.
fn value(sent: &EncodedRequest, (place, name): At) -> Option<Json> {
    match place {
        "query" => {
            let pairs = query::pairs(&sent.query);
            let (_, raw) = pairs.iter().find(|(known, _)| known == name)?;
            Some(Json::from(decode(raw, true).ok()?.into_owned()))
        }
        "header" => Some(Json::from(sent.headers.get(name)?.to_str().ok()?)),
        "body" => {
            let body: Json = serde_json::from_slice(&sent.body.as_ref()?.1).ok()?;
            at(&body, name).cloned()
        }
        _ => None,
    }
}

/// Returns the value of an expression in a response. Null, an empty text and `false` mean that there is
/// none.
fn found(expression: Expression, body: &Json, answer: &ResponseDecoder) -> Option<Json> {
    let found = match expression {
        Expression::ResponseBody(pointer) => at(body, pointer)?.clone(),
        Expression::ResponseHeader(name) if name.eq_ignore_ascii_case(LINK.as_str()) => {
            Json::from(link::next(answer.headers())?)
        }
        Expression::ResponseHeader(name) => Json::from(answer.headers().get(name)?.to_str().ok()?),
        _ => return None,
    };
    match &found {
        Json::String(text) => (!text.is_empty()).then_some(found),
        Json::Number(_) => Some(found),
        _ => None,
    }
}

/// Returns the value at a JSON pointer, in which `-1` is the last item of a list.
fn at<'a>(value: &'a Json, pointer: &str) -> Option<&'a Json> {
    let Some((before, after)) = pointer.split_once("/-1") else {
        return value.pointer(pointer);
    };
    match value.pointer(before)? {
        Json::Array(items) if after.is_empty() || after.starts_with('/') => {
            at(items.last()?, after)
        }
        _ => value.pointer(pointer),
    }
}
