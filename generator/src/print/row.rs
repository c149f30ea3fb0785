//! Formatting of a row of a table: one line, or several where it is too long.

use super::lines::INDENT;
use super::tokens::{flat, is_remark};
use proc_macro2::{Delimiter, Group, TokenStream, TokenTree};

/// The words before which a row may be broken.
const CLAUSES: [&str; 3] = ["where", "or", "with"];

/// Appends a row and `end` within a number of columns where its parts allow it.
pub(super) fn print(text: &mut String, level: usize, row: &[TokenTree], end: &str, width: usize) {
    let indent = INDENT.repeat(level);
    let line = format!("{indent}{}{end}", flat(row.iter().cloned().collect()));
    if line.chars().count() <= width {
        text.push_str(&line);
        text.push('\n');
        return;
    }
    if let [head @ .., TokenTree::Group(rows)] = row
        && rows.delimiter() == Delimiter::Brace
        && !head.is_empty()
        && !matches!(&head[0], TokenTree::Punct(_))
    {
        block(text, level, (head, rows), end, width);
        return;
    }
    let mut parts: Vec<String> = (parts(row).into_iter())
        .flat_map(|part| items(part, width.saturating_sub(INDENT.len() * (level + 1))))
        .collect();
    if let Some(last) = parts.last_mut() {
        last.push_str(end);
    }
    let mut line = indent;
    for (index, part) in parts.iter().enumerate() {
        if index > 0 && line.chars().count() + 1 + part.chars().count() > width {
            text.push_str(&line);
            text.push('\n');
            line = INDENT.repeat(level + 1);
        } else if index > 0 {
            line.push(' ');
        }
        line.push_str(part);
    }
    text.push_str(&line);
    text.push('\n');
}

/// Appends a row that ends in braces, with a line for each row within them.
fn block(
    text: &mut String,
    level: usize,
    (head, rows): (&[TokenTree], &Group),
    end: &str,
    width: usize,
) {
    print(text, level, head, " {", width);
    for row in split(rows.stream()) {
        print(text, level + 1, &row, ",", width);
    }
    text.push_str(&format!("{}}}{end}\n", INDENT.repeat(level)));
}

/// Returns the parts between which a row may be broken.
fn parts(row: &[TokenTree]) -> Vec<&[TokenTree]> {
    let mut parts = Vec::new();
    let mut rest = row;
    let starts = |at: usize| match (&row[at - 1], &row[at], row.get(at + 1)) {
        // `=>`, and the `=` of an error, but not the default of a parameter.
        (_, TokenTree::Punct(sign), next) if sign.as_char() == '=' => {
            sign.spacing() == proc_macro2::Spacing::Joint
                || !matches!(next, Some(TokenTree::Literal(_)))
        }
        (_, TokenTree::Ident(word), _) if CLAUSES.iter().any(|clause| word == clause) => true,
        (_, TokenTree::Group(group), _) => {
            group.delimiter() == Delimiter::Brace || is_remark(group)
        }
        // The name of an operation or a property.
        (TokenTree::Punct(sign), _, _) if sign.as_char() == ':' => {
            matches!(
                at.checked_sub(2).map(|at| &row[at]),
                Some(TokenTree::Literal(_))
            )
        }
        _ => false,
    };
    let mut before = 0;
    for at in 1..row.len() {
        if starts(at) {
            let (part, after) = rest.split_at(at - before);
            parts.push(part);
            (rest, before) = (after, at);
        }
    }
    parts.push(rest);
    parts
}

/// Returns a part as text, or each item of its list (`where […]`, or the segments of a path) with a text
/// of its own if it is too long.
fn items(part: &[TokenTree], width: usize) -> Vec<String> {
    let text = flat(part.iter().cloned().collect());
    let [words @ .., TokenTree::Group(list)] = part else {
        return vec![text];
    };
    let is_list = list.delimiter() == Delimiter::Bracket && words.len() < 2;
    if text.chars().count() <= width || !is_list {
        return vec![text];
    }
    let items = split(list.stream());
    let last = items.len().saturating_sub(1);
    let start = flat(words.iter().cloned().collect());
    let space = if words.is_empty() { "" } else { " " };
    let texts = items.into_iter().enumerate().map(|(index, item)| {
        let start = match index {
            0 => format!("{start}{space}["),
            _ => String::new(),
        };
        let end = if index == last { "]" } else { "," };
        format!("{start}{}{end}", flat(item.into_iter().collect()))
    });
    texts.collect()
}

/// Splits the rows of a table at commas.
pub(super) fn split(stream: TokenStream) -> Vec<Vec<TokenTree>> {
    let mut rows = vec![Vec::new()];
    let mut depth = 0_i32;
    let mut before = ' ';
    for token in stream {
        let sign = match &token {
            TokenTree::Punct(punct) => punct.as_char(),
            _ => ' ',
        };
        match sign {
            '<' => depth += 1,
            // The `>` of an arrow closes no bracket.
            '>' if !matches!(before, '-' | '=') => depth -= 1,
            _ => {}
        }
        before = sign;
        if sign == ',' && depth <= 0 {
            rows.push(Vec::new());
        } else if let Some(row) = rows.last_mut() {
            row.push(token);
        }
    }
    if rows.last().is_some_and(Vec::is_empty) {
        rows.pop();
    }
    rows
}
