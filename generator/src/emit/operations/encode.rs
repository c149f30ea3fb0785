//! `Outcome::encode`: a server writes its answer.

use super::super::scope::Scope;
use super::super::syntax::{
    arm, binding, block, id, match_expr, method, path_expr, path_pat, self_path, status_code,
    string, struct_pat, tuple_pat, var,
};
use super::outcome::{Shape, members, shape};
use super::parts;
use super::request::style_word;
use crate::ir::{Codec, Header, Media, Payload, Response, StatusSpec, StyleWord};
use syn::{Arm, Block, Expr, parse_quote};

/// The function's body.
pub(super) fn body(scope: &Scope<'_>, responses: &[Response]) -> Block {
    let arms = responses
        .iter()
        .map(|response| one(scope, response))
        .collect();
    block(match_expr(var("self"), arms))
}

fn one(scope: &Scope<'_>, response: &Response) -> Arm {
    let path = self_path(scope.name(&response.name));
    let pat = match shape(response) {
        Shape::Unit => path_pat(path),
        Shape::Tuple => tuple_pat(path, binding(id("body"))),
        Shape::Named { status } => struct_pat(path, members(scope, response, status), false),
    };
    arm(pat, chain(scope, response))
}

/// `response.status(…).header(…).json(…)`
fn chain(scope: &Scope<'_>, response: &Response) -> Expr {
    let status = match response.status {
        StatusSpec::Code(code) => status_code(code),
        StatusSpec::Range(_) | StatusSpec::Default => method(var("status"), "as_u16", []),
    };
    let mut expr = method(var("response"), "status", [status]);
    for header in &response.headers {
        let value = path_expr(scope.name(&header.name));
        let name = string(&header.name.wire);
        expr = match header_style(scope, header) {
            None => method(expr, "header", [name, value]),
            Some(style) => method(expr, "header_as", [style, name, value]),
        };
    }
    match &response.payload {
        None => method(expr, "empty", []),
        Some(Payload::Many(..)) => method(expr, "any", [var("body")]),
        Some(Payload::One(media)) => {
            let arguments = [string(&media.key()), var("body")];
            let further = parts::further(scope, media);
            method(
                expr,
                codec_method(media),
                arguments.into_iter().chain(further),
            )
        }
    }
}

/// `Style::header().explode()`, for a header that is not written as all are.
pub(super) fn header_style(scope: &Scope<'_>, header: &Header) -> Option<Expr> {
    let mut words = header.style.iter();
    let first = words.next()?;
    let style = scope.runtime("Style");
    let start: Expr = parse_quote!(#style::header());
    let apply = |expr, word: &StyleWord| method(expr, style_word(*word), []);
    Some(words.fold(apply(start, first), apply))
}

/// The method that codes a body.
pub(super) fn codec_method(media: &Media) -> &'static str {
    match media.codec {
        Codec::Form if !media.parts.is_empty() => "form_with",
        Codec::Multipart if !media.parts.is_empty() => "multipart_with",
        Codec::Json => "json",
        Codec::Form => "form",
        Codec::Multipart => "multipart",
        Codec::Text => "text",
        Codec::Bytes => "bytes",
        Codec::Chunks => "chunks",
        Codec::Lines => "lines",
        Codec::Sequence => "sequence",
        Codec::Events if media.end.is_some() => "events_until",
        Codec::Events => "events",
    }
}
