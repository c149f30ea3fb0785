//! Formatting of the runtime's macros, with one row per line.

use super::lines::{INDENT, fill};
use super::row::{self, split};
use super::tokens::{flat, push};
use proc_macro2::{Delimiter, Group, Ident, TokenTree};
use quote::ToTokens as _;
use syn::{ItemMacro, MacroDelimiter};

/// Returns whether an item is a table.
pub(super) const fn is_table(item: &ItemMacro) -> bool {
    item.ident.is_none() && matches!(item.mac.delimiter, MacroDelimiter::Brace(_))
}

/// Appends a table within a number of columns.
pub(super) fn print(text: &mut String, item: &ItemMacro, width: usize) {
    let last = item.mac.path.segments.last();
    let name = last.map_or(String::new(), |segment| segment.ident.to_string());
    let path = flat(item.mac.path.to_token_stream());
    let tokens: Vec<TokenTree> = item.mac.tokens.clone().into_iter().collect();
    if !matches!(
        name.as_str(),
        "object"
            | "string_enum"
            | "operation"
            | "pages"
            | "credentials"
            | "link_values"
            | "links"
            | "presented_credentials"
            | "routes"
            | "webhook_kinds"
    ) {
        let start = text.len();
        text.push_str(&path);
        text.push_str("! { ");
        push(text, without_last_comma(&tokens));
        text.push_str(" }\n");
        if text.len() - start <= width {
            return;
        }
        text.truncate(start);
    }
    text.push_str(&path);
    text.push_str("! {\n");
    // The name, the method and the path of an operation are on a separate line.
    let head = if name == "operation" {
        tokens.len().min(4)
    } else {
        0
    };
    let (head, tokens) = tokens.split_at(head);
    if !head.is_empty() {
        row::print(text, 1, head, "", width);
    }
    parts(text, tokens, width);
    text.push_str("}\n");
}

/// Appends heads with their rows, and the remaining tokens.
fn parts(text: &mut String, tokens: &[TokenTree], width: usize) {
    let mut rest = tokens;
    loop {
        if rest.first().is_some_and(is_arrow) {
            rest = arrow(text, rest, width);
        }
        let Some(at) = rest.iter().position(is_braces) else {
            break;
        };
        let (head, tail) = rest.split_at(at);
        let Some((TokenTree::Group(group), tail)) = tail.split_first() else {
            break;
        };
        // A keyword with its value before a head is on a separate line.
        let (before, head) = head.split_at(head.iter().position(is_word).unwrap_or(0));
        if !before.is_empty() {
            row::print(text, 1, before, "", width);
        }
        self::head(text, head, width);
        rows(text, group, width);
        rest = tail;
    }
    if !rest.is_empty() {
        row::print(text, 1, rest, "", width);
    }
}

fn is_arrow(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Punct(punct) if punct.as_char() == '-')
}

/// Appends the responses of an operation, on one or two lines. Returns the remaining tokens.
fn arrow<'t>(text: &mut String, tokens: &'t [TokenTree], width: usize) -> &'t [TokenTree] {
    let is_value = |word: &Ident| {
        ["server", "by", "idempotency_key"]
            .iter()
            .any(|keyword| word == keyword)
    };
    let ends = |token: &TokenTree| {
        is_word(token) || matches!(token, TokenTree::Ident(word) if is_value(word))
    };
    let end = tokens.iter().position(ends).unwrap_or(tokens.len());
    let (arrow, rest) = tokens.split_at(end);
    let comma =
        |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == ',');
    let success = arrow.iter().position(comma).map_or(end, |at| at + 1);
    if INDENT.len() + flat(arrow.iter().cloned().collect()).len() <= width {
        row::print(text, 1, arrow, "", width);
    } else {
        let (success, error) = arrow.split_at(success);
        row::print(text, 1, success, "", width);
        row::print(text, 2, error, "", width);
    }
    rest
}

fn is_word(token: &TokenTree) -> bool {
    let is_head = |word: &Ident| {
        ["security", "streams", "retries"]
            .iter()
            .any(|keyword| word == keyword)
    };
    matches!(token, TokenTree::Ident(word) if is_head(word))
}

fn is_braces(token: &TokenTree) -> bool {
    matches!(token, TokenTree::Group(group) if group.delimiter() == Delimiter::Brace)
}

/// Appends `Name(parameters)`. Parameters that are too long for one line fill several.
fn head(text: &mut String, tokens: &[TokenTree], width: usize) {
    let start = text.len();
    text.push_str(INDENT);
    push(text, tokens.iter().cloned());
    // With the brace behind it.
    if text.len() - start + 2 <= width {
        return;
    }
    let parameters = tokens.iter().position(|token| {
        matches!(token, TokenTree::Group(group)
            if group.delimiter() == Delimiter::Parenthesis && !group.stream().is_empty())
    });
    let Some((before, [TokenTree::Group(group), after @ ..])) =
        parameters.map(|at| tokens.split_at(at))
    else {
        return;
    };
    text.truncate(start);
    text.push_str(INDENT);
    let start = text.len();
    push(text, before.iter().cloned());
    let from = before
        .iter()
        .position(|token| matches!(token, TokenTree::Ident(word) if word == "from"));
    if let (true, Some(from)) = (INDENT.len() + text.len() - start >= width, from) {
        let (name, from) = before.split_at(from);
        text.truncate(start);
        push(text, name.iter().cloned());
        text.push_str(&format!("\n{INDENT}{INDENT}"));
        push(text, from.iter().cloned());
    }
    text.push_str("(\n");
    let parameters = split(group.stream()).into_iter();
    let parameters = parameters.map(|tokens| flat(tokens.into_iter().collect()));
    fill(text, 2, parameters.collect(), width);
    text.push_str("    )");
    if !after.is_empty() {
        text.push(' ');
        push(text, after.iter().cloned());
    }
}

fn rows(text: &mut String, group: &Group, width: usize) {
    let rows = split(group.stream());
    if rows.is_empty() {
        text.push_str(" {}\n");
        return;
    }
    text.push_str(" {\n");
    for row in rows {
        let row = attributes(text, &row, width);
        let rest = matches!(row.first(), Some(TokenTree::Punct(dots)) if dots.as_char() == '.');
        row::print(text, 2, row, if rest { "" } else { "," }, width);
    }
    text.push_str("    }\n");
}

/// Appends the attributes of a row, each on its own line. Returns the tokens after them.
fn attributes<'t>(text: &mut String, row: &'t [TokenTree], width: usize) -> &'t [TokenTree] {
    let mut rest = row;
    while let [TokenTree::Punct(sign), TokenTree::Group(_), tail @ ..] = rest
        && sign.as_char() == '#'
    {
        row::print(text, 2, &rest[..2], "", width);
        rest = tail;
    }
    rest
}

fn without_last_comma(tokens: &[TokenTree]) -> Vec<TokenTree> {
    tokens
        .iter()
        .map(|token| match token {
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                let mut inner: Vec<TokenTree> = group.stream().into_iter().collect();
                if matches!(inner.last(), Some(TokenTree::Punct(punct)) if punct.as_char() == ',') {
                    inner.pop();
                }
                TokenTree::Group(Group::new(Delimiter::Brace, inner.into_iter().collect()))
            }
            other => other.clone(),
        })
        .collect()
}
