//! Expressions, as rustfmt would lay them out.
//!
//! Only what `emit` builds is broken into lines; anything else stays on one.

use super::item::{WIDTH, indent};
use super::tokens::flat;
use super::types::column;
use quote::ToTokens;
use syn::{Arm, Expr, ExprClosure, ExprMethodCall, ExprStruct, FieldValue, Pat};

/// rustfmt's `chain_width` and `fn_call_width`.
const CALL_WIDTH: usize = 60;
/// rustfmt's `struct_lit_width`.
const STRUCT_WIDTH: usize = 18;

/// Adds an expression at the end of the last line; `tail` characters will follow it there.
pub(super) fn print(text: &mut String, level: usize, expr: &Expr, tail: usize) {
    if let Some(line) = one_line(expr)
        && column(text) + line.chars().count() + tail <= WIDTH
    {
        text.push_str(&line);
        return;
    }
    match expr {
        Expr::Match(of) => {
            text.push_str("match ");
            text.push_str(&inline(&of.expr));
            text.push_str(" {\n");
            for of in &of.arms {
                arm(text, level + 1, of);
            }
            indent(text, level);
            text.push('}');
        }
        Expr::Call(of) if of.args.len() == 1 => {
            text.push_str(&inline(&of.func));
            text.push('(');
            if let Some(argument) = of.args.first() {
                print(text, level, argument, tail + 1);
            }
            text.push(')');
        }
        Expr::MethodCall(of) => chain(text, level, of, tail),
        Expr::Try(of) => {
            match &*of.expr {
                Expr::MethodCall(of) => chain(text, level, of, tail + 1),
                other => text.push_str(&inline(other)),
            }
            text.push('?');
        }
        Expr::Struct(of) => structure(text, level, of),
        Expr::Closure(of) => closure(text, level, of, tail),
        other => text.push_str(&inline(other)),
    }
}

fn arm(text: &mut String, level: usize, arm: &Arm) {
    indent(text, level);
    pattern(text, level, &arm.pat);
    text.push_str(" => ");
    let line = one_line(&arm.body);
    match line {
        // A macro is a row of a table.
        Some(line)
            if matches!(*arm.body, Expr::Macro(_))
                || column(text) + line.chars().count() < WIDTH =>
        {
            text.push_str(&line);
            text.push_str(",\n");
        }
        Some(line) => {
            text.push_str("{\n");
            indent(text, level + 1);
            text.push_str(&line);
            text.push('\n');
            indent(text, level);
            text.push_str("}\n");
        }
        None => {
            print(text, level, &arm.body, 1);
            text.push_str(",\n");
        }
    }
}

/// A pattern; many fields stand each on their line.
fn pattern(text: &mut String, level: usize, pat: &Pat) {
    let Pat::Struct(of) = pat else {
        text.push_str(&flat(pat.to_token_stream()));
        return;
    };
    let mut fields: Vec<String> = of
        .fields
        .iter()
        .map(|field| flat(field.to_token_stream()))
        .collect();
    if of.rest.is_some() {
        fields.push("..".to_owned());
    }
    text.push_str(&flat(of.path.to_token_stream()));
    let line = fields.join(", ");
    if line.len() <= STRUCT_WIDTH {
        text.push_str(&format!(" {{ {line} }}"));
        return;
    }
    text.push_str(" {\n");
    for field in &fields {
        indent(text, level + 1);
        text.push_str(field);
        text.push_str(if field == ".." { "\n" } else { ",\n" });
    }
    indent(text, level);
    text.push('}');
}

/// Arguments, each on its line.
fn arguments(text: &mut String, level: usize, call: &ExprMethodCall) {
    text.push('\n');
    for argument in &call.args {
        indent(text, level + 1);
        print(text, level + 1, argument, 1);
        text.push_str(",\n");
    }
    indent(text, level);
}

/// Whether a last call on a line of its own would be too long.
fn overflows(level: usize, last: &ExprMethodCall) -> bool {
    let line = args_on_line(last.args.iter());
    let plain = !matches!(last.args.last(), Some(Expr::Closure(_)));
    let args = line.unwrap_or_else(|| list(last.args.iter()));
    plain && (level + 1) * 4 + last.method.to_string().len() + args.len() + 3 > WIDTH
}

/// `root.a().b()`: the last call may hold a block, else each stands on its line.
fn chain(text: &mut String, level: usize, last: &ExprMethodCall, tail: usize) {
    if let (Some(Expr::Closure(of)), Some(receiver)) = (last.args.last(), one_line(&last.receiver))
        && last.args.len() == 1
    {
        let head = format!("{receiver}.{}(", last.method);
        let start = column(text) + head.len();
        let flat = one_line_closure(of).is_some_and(|line| start + line.len() + tail < WIDTH);
        let first = head.len() + closure_head(of).len();
        if !flat && first <= CALL_WIDTH && column(text) + first <= WIDTH {
            text.push_str(&head);
            closure(text, level, of, tail + 1);
            text.push(')');
            return;
        }
    }
    if overflows(level, last)
        && let Some(receiver) = one_line(&last.receiver)
    {
        text.push_str(&format!("{receiver}.{}(", last.method));
        arguments(text, level, last);
        text.push(')');
        return;
    }
    let mut calls = vec![last];
    let mut root = &*last.receiver;
    while let Expr::MethodCall(call) = root {
        calls.push(call);
        root = &call.receiver;
    }
    text.push_str(&inline(root));
    for call in calls.iter().rev() {
        text.push('\n');
        indent(text, level + 1);
        text.push('.');
        text.push_str(&call.method.to_string());
        text.push('(');
        match call.args.last() {
            Some(Expr::Closure(of)) if call.args.len() == 1 => closure(text, level + 1, of, 1),
            Some(_) if args_on_line(call.args.iter()).is_none() => arguments(text, level + 1, call),
            _ => text.push_str(&list(call.args.iter())),
        }
        text.push(')');
    }
}

fn closure(text: &mut String, level: usize, of: &ExprClosure, tail: usize) {
    text.push_str(&parameters(of));
    text.push(' ');
    if let Some(line) = one_line(&of.body)
        && column(text) + line.chars().count() + tail <= WIDTH
    {
        text.push_str(&line);
    } else if matches!(*of.body, Expr::Struct(_) | Expr::Match(_)) {
        print(text, level, &of.body, tail);
    } else {
        text.push_str("{\n");
        indent(text, level + 1);
        print(text, level + 1, &of.body, 0);
        text.push('\n');
        indent(text, level);
        text.push('}');
    }
}

/// What of a closure stands on its first line when it is broken.
fn closure_head(of: &ExprClosure) -> String {
    match &*of.body {
        Expr::Struct(body) => {
            format!(
                "{} {} {{",
                parameters(of),
                flat(body.path.to_token_stream())
            )
        }
        _ => format!("{} {{", parameters(of)),
    }
}

fn parameters(of: &ExprClosure) -> String {
    let inputs: Vec<String> = of
        .inputs
        .iter()
        .map(|input| flat(input.to_token_stream()))
        .collect();
    format!("|{}|", inputs.join(", "))
}

fn structure(text: &mut String, level: usize, of: &ExprStruct) {
    text.push_str(&flat(of.path.to_token_stream()));
    text.push_str(" {\n");
    for of in &of.fields {
        indent(text, level + 1);
        match of.colon_token {
            Some(_) => {
                text.push_str(&flat(of.member.to_token_stream()));
                text.push_str(": ");
                print(text, level + 1, &of.expr, 1);
            }
            None => text.push_str(&flat(of.member.to_token_stream())),
        }
        text.push_str(",\n");
    }
    if let Some(rest) = &of.rest {
        indent(text, level + 1);
        text.push_str("..");
        text.push_str(&inline(rest));
        text.push('\n');
    }
    indent(text, level);
    text.push('}');
}

/// An expression on one line, if rustfmt would have it there when there is room.
fn one_line(expr: &Expr) -> Option<String> {
    match expr {
        Expr::Match(_) | Expr::Block(_) => None,
        Expr::MethodCall(of) => {
            let receiver = one_line(&of.receiver)?;
            let args = args_on_line(of.args.iter())?;
            let line = format!("{receiver}.{}({args})", of.method);
            let is_chain = matches!(
                *of.receiver,
                Expr::MethodCall(_) | Expr::Try(_) | Expr::Field(_)
            );
            (!is_chain || line.len() <= CALL_WIDTH).then_some(line)
        }
        Expr::Call(of) => {
            let args = args_on_line(of.args.iter())?;
            Some(format!("{}({args})", one_line(&of.func)?))
        }
        Expr::Closure(of) => one_line_closure(of),
        Expr::Struct(of) => {
            let fields: Vec<String> = of.fields.iter().map(field_on_line).collect::<Option<_>>()?;
            let fields = fields.join(", ");
            (fields.len() <= STRUCT_WIDTH && of.rest.is_none())
                .then(|| format!("{} {{ {fields} }}", flat(of.path.to_token_stream())))
        }
        Expr::Try(of) => Some(format!("{}?", one_line(&of.expr)?)),
        Expr::Reference(of) => Some(format!("&{}", one_line(&of.expr)?)),
        Expr::Await(of) => Some(format!("{}.await", one_line(&of.base)?)),
        other => Some(flat(other.to_token_stream())),
    }
}

/// Arguments on one line; several may not be as wide as one.
fn args_on_line<'a>(args: impl Iterator<Item = &'a Expr>) -> Option<String> {
    let args: Vec<String> = args.map(one_line).collect::<Option<_>>()?;
    let line = args.join(", ");
    (args.len() == 1 || line.len() <= CALL_WIDTH).then_some(line)
}

fn field_on_line(field: &FieldValue) -> Option<String> {
    let name = flat(field.member.to_token_stream());
    Some(match field.colon_token {
        Some(_) => format!("{name}: {}", one_line(&field.expr)?),
        None => name,
    })
}

fn one_line_closure(of: &ExprClosure) -> Option<String> {
    Some(format!("{} {}", parameters(of), one_line(&of.body)?))
}

/// An expression on one line, come what may.
fn inline(expr: &Expr) -> String {
    one_line(expr).unwrap_or_else(|| flat(expr.to_token_stream()))
}

fn list<'a>(args: impl Iterator<Item = &'a Expr>) -> String {
    args.map(inline).collect::<Vec<_>>().join(", ")
}
