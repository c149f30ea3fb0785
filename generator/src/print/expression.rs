//! The layout of expressions: a call of a chain per line, and an argument per line, where they do not fit.

use super::lines::INDENT;
use super::tokens::flat;
use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, ExprMethodCall, Token};

/// The arguments of a call, or the items of a list.
type Items = Punctuated<Expr, Token![,]>;

/// Where an expression stands.
#[derive(Clone, Copy)]
pub(super) struct Place {
    /// The indentation of the line, in levels.
    level: usize,
    /// The columns that follow the expression on its last line.
    after: usize,
    /// Whether the expression has several lines even if it fits on one.
    broken: bool,
}

impl Place {
    pub(super) const fn new(level: usize, after: usize) -> Self {
        Self {
            level,
            after,
            broken: false,
        }
    }
}

/// Returns the number of columns of the last line.
pub(super) fn column(text: &str) -> usize {
    let start = text.rfind('\n').map_or(0, |at| at + 1);
    text[start..].chars().count()
}

/// Returns the calls of a chain of methods, the last one first, and the expression before them.
pub(super) fn calls(expr: &Expr) -> (Vec<&ExprMethodCall>, &Expr) {
    let (mut calls, mut receiver) = (Vec::new(), expr);
    while let Expr::MethodCall(call) = receiver {
        calls.push(call);
        receiver = &call.receiver;
    }
    (calls, receiver)
}

/// The columns of the arguments of a call, of the items of a list, and of a chain, on one line.
const SHORT: usize = 60;

/// Returns whether the parts of an expression are short enough for one line.
pub(super) fn is_short(expr: &Expr) -> bool {
    match expr {
        Expr::MethodCall(_) => {
            let (calls, receiver) = calls(expr);
            // A single link of a chain may be longer.
            let is_chain = calls.len() > 1 || matches!(receiver, Expr::Field(_));
            (!is_chain || columns(expr) <= SHORT)
                && is_short(receiver)
                && calls.iter().all(|call| is_short_list(&call.args))
        }
        Expr::Call(expr) => is_short_list(&expr.args),
        Expr::Array(expr) => is_short_list(&expr.elems),
        Expr::Tuple(expr) => is_short_list(&expr.elems),
        Expr::Reference(expr) => is_short(&expr.expr),
        _ => true,
    }
}

/// Returns whether items are short enough for one line. A single plain value always is.
fn is_short_list(items: &Items) -> bool {
    let is_plain = items.len() == 1 && !items.iter().any(begins);
    (is_plain || columns(items) <= SHORT) && items.iter().all(is_short)
}

/// Returns whether an expression begins on the line of the bracket before it.
fn begins(expr: &Expr) -> bool {
    let expr = if let Expr::Reference(expr) = expr {
        &expr.expr
    } else {
        expr
    };
    matches!(expr, Expr::Call(_) | Expr::Array(_) | Expr::Tuple(_))
}

/// Returns the columns of an expression up to its first bracket.
fn opening(expr: &Expr) -> usize {
    match expr {
        Expr::Reference(expr) => 1 + opening(&expr.expr),
        Expr::Call(expr) => columns(&expr.func) + 1,
        _ => 1,
    }
}

pub(super) fn columns(tokens: &impl ToTokens) -> usize {
    flat(tokens.to_token_stream()).chars().count()
}

/// Appends an expression, on one line if it fits.
pub(super) fn expression(text: &mut String, expr: &Expr, place: Place, width: usize) {
    let fits = column(text) + columns(expr) + place.after <= width;
    if fits && is_short(expr) && !place.broken {
        text.push_str(&flat(expr.to_token_stream()));
        return;
    }
    match expr {
        Expr::MethodCall(_) => chain(text, expr, place, width),
        Expr::Call(call) => {
            text.push_str(&flat(call.func.to_token_stream()));
            items(text, ('(', ')'), &call.args, place, width);
        }
        Expr::Reference(expr) => {
            text.push('&');
            expression(text, &expr.expr, place, width);
        }
        Expr::Array(expr) => items(text, ('[', ']'), &expr.elems, place, width),
        Expr::Tuple(expr) => items(text, ('(', ')'), &expr.elems, place, width),
        _ => text.push_str(&flat(expr.to_token_stream())),
    }
}

/// Appends calls of methods, each on a line.
fn chain(text: &mut String, expr: &Expr, place: Place, width: usize) {
    let (calls, receiver) = calls(expr);
    let start = text.len();
    expression(text, receiver, Place::new(place.level, 0), width);
    // The line on which the chain begins, and the same with a single call beside the receiver.
    let line = text.rfind('\n').map_or(0, |at| at + 1);
    let mut beside = None;
    if let ([call], false) = (&*calls, matches!(receiver, Expr::Field(_)))
        && line <= start
    {
        let mut joined = format!("{}.{}", &text[line..], call.method);
        items(&mut joined, ('(', ')'), &call.args, place, width);
        beside = Some(joined);
    }
    // Behind a receiver of several lines, they begin where it ends.
    let level = place.level + usize::from(!text[start..].contains('\n'));
    for (index, call) in calls.iter().enumerate().rev() {
        text.push_str(&format!("\n{}.{}", INDENT.repeat(level), call.method));
        if let Some(types) = &call.turbofish {
            text.push_str(&flat(types.to_token_stream()));
        }
        let after = if index == 0 { place.after } else { 0 };
        items(
            text,
            ('(', ')'),
            &call.args,
            Place::new(level, after),
            width,
        );
    }
    // A single call stays beside its receiver where this saves lines.
    let lines = text[line..].lines().count();
    if let Some(joined) = beside.filter(|joined| joined.lines().count() < lines) {
        text.truncate(line);
        text.push_str(&joined);
    }
}

/// Appends items in brackets: on one line if they fit, a single call or list from the line of the bracket on, and
/// others each on a line of its own.
fn items(text: &mut String, (open, close): (char, char), items: &Items, at: Place, width: usize) {
    let short = is_short_list(items) && !at.broken;
    text.push(open);
    if short && column(text) + columns(items) + 1 + at.after <= width || items.is_empty() {
        text.push_str(&flat(items.to_token_stream()));
    } else if items.len() == 1
        && items
            .iter()
            .all(|item| begins(item) && column(text) + opening(item) <= width)
    {
        let place = Place {
            broken: true,
            after: at.after + 1,
            ..at
        };
        items
            .iter()
            .for_each(|item| expression(text, item, place, width));
    } else {
        text.push('\n');
        for item in items {
            text.push_str(&INDENT.repeat(at.level + 1));
            expression(text, item, Place::new(at.level + 1, 1), width);
            text.push_str(",\n");
        }
        text.push_str(&INDENT.repeat(at.level));
    }
    text.push(close);
}

/// Appends the body of a function that is one expression. `body` has the lines between its braces, which
/// prettyplease has printed at a level.
pub(super) fn body(text: &mut String, body: &[&str], level: usize, width: usize) {
    let is_long = body.len() > 1 || body.iter().any(|line| line.trim().chars().count() > SHORT);
    let parsed = is_long.then(|| syn::parse_str::<Expr>(&body.join("\n")));
    match parsed.transpose().ok().flatten() {
        Some(mut parsed @ (Expr::MethodCall(_) | Expr::Call(_)))
            if !body.concat().contains('{') =>
        {
            without_last_commas(&mut parsed);
            text.push_str(&INDENT.repeat(level));
            expression(text, &parsed, Place::new(level, 0), width);
            text.push('\n');
        }
        _ => body.iter().for_each(|line| {
            text.push_str(line);
            text.push('\n');
        }),
    }
}

/// Removes the commas behind the last items of lists.
pub(super) fn without_last_commas(expr: &mut Expr) {
    let items = match expr {
        Expr::MethodCall(call) => {
            without_last_commas(&mut call.receiver);
            &mut call.args
        }
        Expr::Call(call) => &mut call.args,
        Expr::Array(expr) => &mut expr.elems,
        Expr::Tuple(expr) if expr.elems.len() > 1 => &mut expr.elems,
        Expr::Reference(expr) => return without_last_commas(&mut expr.expr),
        _ => return,
    };
    items.pop_punct();
    items.iter_mut().for_each(without_last_commas);
}
