//! Functions, as rustfmt would lay them out.

use super::expr;
use super::item::{WIDTH, indent};
use super::tokens::flat;
use super::types::{self, column};
use quote::ToTokens;
use syn::{Block, ReturnType, Signature, Stmt, Visibility};

/// Adds a function behind its attributes.
pub(super) fn print(
    text: &mut String,
    level: usize,
    vis: &Visibility,
    sig: &Signature,
    block: Option<&Block>,
) {
    indent(text, level);
    let broken = signature(text, level, vis, sig, if block.is_some() { 2 } else { 1 });
    match block {
        None => text.push(';'),
        Some(block) if block.stmts.is_empty() => text.push_str(" {}"),
        Some(block) => {
            // Here rustfmt counts the indent twice.
            if broken && column(text) + 2 + level * 4 > WIDTH && text.ends_with('>') {
                text.push('\n');
                indent(text, level);
                text.push_str("{\n");
            } else {
                text.push_str(" {\n");
            }
            for stmt in &block.stmts {
                statement(text, level + 1, stmt);
            }
            indent(text, level);
            text.push('}');
        }
    }
    text.push('\n');
}

/// The head of a function; each parameter on its line where they do not fit on one, which is told.
fn signature(
    text: &mut String,
    level: usize,
    vis: &Visibility,
    sig: &Signature,
    tail: usize,
) -> bool {
    let mut line = String::new();
    if matches!(vis, Visibility::Public(_)) {
        line.push_str("pub ");
    }
    if sig.constness.is_some() {
        line.push_str("const ");
    }
    if sig.asyncness.is_some() {
        line.push_str("async ");
    }
    line.push_str("fn ");
    line.push_str(&sig.ident.to_string());
    line.push_str(&flat(sig.generics.to_token_stream()));
    let inputs: Vec<String> = sig
        .inputs
        .iter()
        .map(|input| flat(input.to_token_stream()))
        .collect();
    let (output, ty) = match &sig.output {
        ReturnType::Default => (String::new(), None),
        ReturnType::Type(_, ty) => (flat(ty.to_token_stream()), Some(ty)),
    };
    let arrow = if ty.is_some() { " -> ".len() } else { 0 };
    let joined = inputs.join(", ");
    text.push_str(&line);
    if level * 4 + line.len() + joined.len() + 2 + arrow + output.len() + tail <= WIDTH {
        text.push_str(&format!("({joined})"));
        if ty.is_some() {
            text.push_str(" -> ");
            text.push_str(&output);
        }
        return false;
    }
    text.push_str("(\n");
    for input in inputs {
        indent(text, level + 1);
        text.push_str(&input);
        text.push_str(",\n");
    }
    indent(text, level);
    text.push(')');
    if let Some(ty) = ty {
        text.push_str(" -> ");
        types::returned(text, level, ty);
    }
    true
}

fn statement(text: &mut String, level: usize, stmt: &Stmt) {
    indent(text, level);
    match stmt {
        Stmt::Expr(value, None) => expr::print(text, level, value, 0),
        Stmt::Expr(value, Some(_)) => {
            expr::print(text, level, value, 1);
            text.push(';');
        }
        other => text.push_str(&flat(other.to_token_stream())),
    }
    text.push('\n');
}
