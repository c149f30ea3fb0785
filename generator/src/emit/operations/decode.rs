//! `Outcome::decode`: a client reads an answer.

use super::super::scope::Scope;
use super::super::syntax::{
    arm, block, call, closure, construct, id, match_expr, method, path_expr, question, self_path,
    status_pat, status_range, string, var, wild,
};
use super::encode::{codec_method, header_style};
use super::outcome::{Shape, shape};
use super::parts;
use crate::ir::{Header, Payload, Response, StatusSpec};
use syn::{Arm, Block, Expr, Pat, parse_quote};

/// The function's body.
pub(super) fn body(scope: &Scope<'_>, responses: &[Response]) -> Block {
    if let [response] = responses
        && response.status == StatusSpec::Default
    {
        return block(some(one(scope, response)));
    }
    let mut sorted: Vec<&Response> = responses.iter().collect();
    sorted.sort_by_key(|response| rank(response.status));
    let mut arms: Vec<Arm> = sorted
        .iter()
        .map(|response| arm(pattern(response.status), one(scope, response)))
        .collect();
    if !sorted
        .iter()
        .any(|response| response.status == StatusSpec::Default)
    {
        arms.push(arm(wild(), parse_quote!(return None)));
    }
    block(some(match_expr(
        method(var("response"), "status", []),
        arms,
    )))
}

fn some(expr: Expr) -> Expr {
    call(var("Some"), [expr])
}

/// Codes go before ranges, and ranges before the default.
pub(super) fn rank(status: StatusSpec) -> u8 {
    match status {
        StatusSpec::Code(_) => 0,
        StatusSpec::Range(_) => 1,
        StatusSpec::Default => 2,
    }
}

pub(super) fn pattern(status: StatusSpec) -> Pat {
    match status {
        StatusSpec::Code(code) => status_pat(code),
        StatusSpec::Range(first) => {
            let first = u16::from(first) * 100;
            status_range(first, first + 99)
        }
        StatusSpec::Default => wild(),
    }
}

/// A `Result` of the response's variant.
fn one(scope: &Scope<'_>, response: &Response) -> Expr {
    let path = self_path(scope.name(&response.name));
    let body = response
        .payload
        .as_ref()
        .map(|payload| read(scope, payload));
    let status = match shape(response) {
        Shape::Unit => return call(var("Ok"), [path_expr(path)]),
        Shape::Tuple => {
            let body = body.unwrap_or_else(|| var("body"));
            return method(body, "map", [path_expr(path)]);
        }
        Shape::Named { status } => status,
    };
    // What is read first is bound by the closure; the headers behind it use `?`.
    let mut headers = response.headers.iter();
    let first = match (&response.payload, body) {
        (Some(_), Some(body)) => Some((id("body"), body)),
        _ => headers
            .next()
            .map(|header| (scope.name(&header.name), header_of(scope, header))),
    };
    let headers: Vec<&Header> = headers.collect();
    let status = status.then(|| {
        (
            id("status"),
            Some(method(var("response"), "status_code", [])),
        )
    });
    let mut fields: Vec<_> = status.into_iter().collect();
    let binds_header = response.payload.is_none();
    if let (true, Some((name, _))) = (binds_header, &first) {
        fields.push((name.clone(), None));
    }
    fields.extend(headers.iter().map(|header| {
        (
            scope.name(&header.name),
            Some(question(header_of(scope, header))),
        )
    }));
    if let (false, Some((name, _))) = (binds_header, &first) {
        fields.push((name.clone(), None));
    }
    let value = construct(path, fields);
    match first {
        None => call(var("Ok"), [value]),
        Some((name, read)) if headers.is_empty() => method(read, "map", [closure(name, value)]),
        Some((name, read)) => method(read, "and_then", [closure(name, call(var("Ok"), [value]))]),
    }
}

fn read(scope: &Scope<'_>, payload: &Payload) -> Expr {
    let (name, parts) = match payload {
        Payload::One(media) => (codec_method(media), parts::further(scope, media)),
        Payload::Many(..) => ("any", None),
    };
    method(var("response"), name, parts)
}

fn header_of(scope: &Scope<'_>, header: &Header) -> Expr {
    let name = string(&header.name.wire);
    match header_style(scope, header) {
        None => method(var("response"), "header", [name]),
        Some(style) => method(var("response"), "header_as", [style, name]),
    }
}
