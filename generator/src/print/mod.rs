//! Layout: conversion of modules of items to text.
//!
//! prettyplease formats the items; the other files join lines that it breaks early, and break others, as rustfmt
//! does. Tables, which are invocations of the runtime's macros, have one row per line, so that a change of the
//! document changes few lines; rustfmt leaves them as they are.

mod constant;
mod expression;
mod item;
mod layout;
mod lines;
mod row;
mod signature;
mod table;
mod tokens;

use self::lines::WIDTH;
use crate::emit::{Needs, Output, OutputModule};
use quote::ToTokens as _;
use syn::Item;

/// An output file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// The path relative to the root of the crate, separated by `/`.
    pub path: String,
    /// The text.
    pub text: String,
}

/// Returns the output as the files of a crate.
#[must_use]
pub fn files(output: Output) -> Vec<File> {
    let modules = output.modules.into_iter();
    let modules: Vec<Module> = modules.map(|module| Module::new(module, WIDTH)).collect();
    let file = |module: &Module| {
        let mut text = HEADER.to_owned();
        if module.path.is_empty() {
            dependencies(&mut text, &output.needs);
        }
        if module.path.is_empty() && !module.docs.is_empty() {
            text.push('\n');
            docs(&mut text, "//!", &module.docs);
        }
        if module.path.is_empty() {
            for attr in &module.attrs {
                text.push_str("\n#!");
                text.push_str(&broken(attr));
                text.push('\n');
            }
        }
        for child in module.children(&modules) {
            text.push('\n');
            for feature in &child.features {
                text.push_str(&format!("#[cfg(feature = {feature:?})]\n"));
            }
            child.declare(&mut text, ";");
        }
        section(&mut text, &module.items);
        File {
            path: module.file_path(),
            text,
        }
    };
    let mut files: Vec<File> = modules.iter().map(file).collect();
    files.extend(output.types_test.map(|test| File {
        path: "tests/types.rs".to_owned(),
        text: format!("{HEADER}\n{}", items(vec![test], WIDTH)),
    }));
    files
}

/// Returns the output as a single file with nested modules.
///
/// The file has no inner attributes, so it can be included into a module.
#[must_use]
pub fn single(output: Output) -> String {
    let mut text = HEADER.to_owned();
    dependencies(&mut text, &output.needs);
    let mut modules = output.modules;
    // Paths of the user's crate are valid in a module of the crate only.
    let types = modules.iter_mut().find(|module| module.path == ["types"]);
    if let (Some(types), Some(test)) = (types, output.types_test) {
        types.items.push(test);
    }
    let modules = modules.into_iter().map(|module| {
        let width = WIDTH - module.path.len() * lines::INDENT.len();
        Module::new(module, width)
    });
    let mut modules: Vec<Module> = modules.collect();
    let root = modules.iter().find(|module| module.path.is_empty());
    let mut whole = root.map_or_else(Vec::new, |root| root.attrs.clone());
    // In a crate of the user, unused items would cause warnings.
    whole.push("[allow(dead_code, unused_imports)]".to_owned());
    for module in modules.iter_mut().filter(|module| module.path.len() == 1) {
        module.attrs.extend(whole.iter().cloned());
    }
    if let Some(root) = modules.iter().find(|module| module.path.is_empty()) {
        text.push('\n');
        text.push_str(&root.body(&modules));
    }
    text
}

/// A module with formatted items.
struct Module {
    path: Vec<String>,
    docs: Vec<String>,
    features: Vec<&'static str>,
    attrs: Vec<String>,
    items: String,
}

impl Module {
    /// Formats a module whose items have a number of columns.
    fn new(module: OutputModule, width: usize) -> Self {
        // The `#` is removed, because it differs between inner and outer attributes.
        let attrs = module.attrs.iter().map(|attr| {
            let text = tokens::flat(attr.to_token_stream());
            text.strip_prefix('#').map_or(text.clone(), str::to_owned)
        });
        Self {
            attrs: attrs.collect(),
            path: module.path,
            docs: module.docs,
            features: module.features,
            items: items(module.items, width),
        }
    }

    fn children<'a>(&'a self, modules: &'a [Module]) -> impl Iterator<Item = &'a Module> {
        modules.iter().filter(|child| {
            child.path.len() == self.path.len() + 1 && child.path.starts_with(&self.path)
        })
    }

    /// Writes the docs, the attributes and `pub mod name`, followed by `end`.
    fn declare(&self, text: &mut String, end: &str) {
        docs(text, "///", &self.docs);
        for attr in &self.attrs {
            text.push('#');
            text.push_str(&broken(attr));
            text.push('\n');
        }
        text.push_str("pub mod ");
        text.push_str(self.path.last().map_or("", String::as_str));
        text.push_str(end);
        text.push('\n');
    }

    /// Returns the contents of the module: its children, then its items.
    fn body(&self, modules: &[Module]) -> String {
        let mut text = String::new();
        for child in self.children(modules) {
            if !text.is_empty() {
                text.push('\n');
            }
            child.declare(&mut text, " {");
            indent(&mut text, &child.body(modules));
            text.push_str("}\n");
        }
        section(&mut text, &self.items);
        text
    }

    fn file_path(&self) -> String {
        if self.path.is_empty() {
            return "src/lib.rs".to_owned();
        }
        let plain = |name: &String| name.strip_prefix("r#").unwrap_or(name).to_owned();
        format!(
            "src/{}.rs",
            self.path.iter().map(plain).collect::<Vec<_>>().join("/")
        )
    }
}

/// Returns the items separated by blank lines, except between imports, and between a type and its
/// table.
fn items(items: Vec<Item>, width: usize) -> String {
    let mut text = String::new();
    let apart: Vec<bool> = items
        .windows(2)
        .map(|pair| is_apart(&pair[0], &pair[1]))
        .collect();
    let apart = std::iter::once(false).chain(apart);
    for (item, apart) in items.into_iter().zip(apart) {
        if apart {
            text.push('\n');
        }
        item::print(&mut text, item, width);
    }
    text
}

fn is_apart(before: &Item, item: &Item) -> bool {
    let imports = matches!((before, item), (Item::Use(_), Item::Use(_)));
    !imports && !item::is_table_of(item, before)
}

/// Appends a section after a blank line.
fn section(text: &mut String, part: &str) {
    if !part.is_empty() {
        if !text.is_empty() {
            text.push('\n');
        }
        text.push_str(part);
    }
}

/// Returns an attribute, with one argument per line if one line would be too long.
fn broken(attr: &str) -> String {
    let parts = attr
        .strip_suffix(")]")
        .and_then(|rest| rest.split_once('('));
    match parts {
        Some((name, arguments)) if attr.len() > 98 => {
            format!("{name}(\n    {}\n)]", arguments.replace(", ", ",\n    "))
        }
        _ => attr.to_owned(),
    }
}

fn docs(text: &mut String, mark: &str, lines: &[String]) {
    for line in lines {
        text.push_str(mark);
        if !line.is_empty() {
            text.push(' ');
            comment(text, line);
        }
        text.push('\n');
    }
}

/// The first line of each file. The line contains no text of the document, so that a change of the
/// title does not change every file.
const HEADER: &str =
    "// Generated by bothends. Do not edit: change the document and generate again.\n";

/// Writes the required dependencies of the user's Cargo.toml.
fn dependencies(text: &mut String, needs: &Needs) {
    let features: Vec<String> = needs
        .features()
        .into_iter()
        .map(|feature| format!("`{feature}`"))
        .collect();
    text.push_str("//\n// Dependencies:\n// - `bothends-runtime`");
    match features.as_slice() {
        [] => {}
        [feature] => text.push_str(&format!(" with the feature {feature}")),
        several => text.push_str(&format!(" with the features {}", several.join(", "))),
    }
    if needs.parts.iter().any(|feature| feature.name == "client") {
        text.push_str(
            "\n//   (also `rustls` or `native-tls` for `Client::new`; without https, `hyper` is sufficient)",
        );
    }
    text.push('\n');
    for name in &needs.crates {
        text.push_str("// - `");
        comment(text, name);
        text.push_str("`\n");
    }
    let tags: Vec<String> = (needs.tags.iter())
        .map(|tag| format!("`{}`", tag.name))
        .collect();
    if !tags.is_empty() {
        text.push_str("//\n// Features of this crate: ");
        comment(text, &tags.join(", "));
        text.push('\n');
    }
}

/// Writes text in a comment. Callers pass a single line. A line break would turn the rest into
/// code, so line breaks are removed here as well.
fn comment(text: &mut String, line: &str) {
    let line = line.chars();
    text.extend(line.map(|c| if matches!(c, '\n' | '\r') { ' ' } else { c }));
}

/// Appends lines, indented by one level.
fn indent(text: &mut String, lines: &str) {
    for line in lines.lines() {
        if !line.is_empty() {
            text.push_str(lines::INDENT);
            text.push_str(line);
        }
        text.push('\n');
    }
}
