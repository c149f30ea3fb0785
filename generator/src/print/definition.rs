//! Structs and enums, as rustfmt would lay them out.

use super::item::{WIDTH, attributes, indent};
use super::tokens::flat;
use super::types::{self, column};
use quote::ToTokens;
use syn::{Field, Fields, ItemEnum, ItemStruct, ItemType, Type, Variant, Visibility};

/// rustfmt's `struct_variant_width`.
const VARIANT_WIDTH: usize = 35;

/// Adds a struct.
pub(super) fn structure(text: &mut String, item: &ItemStruct) {
    attributes(text, 0, &item.attrs);
    public(text, &item.vis);
    text.push_str("struct ");
    text.push_str(&item.ident.to_string());
    text.push_str(&flat(item.generics.to_token_stream()));
    match &item.fields {
        Fields::Named(fields) if fields.named.is_empty() => text.push_str(" {}"),
        Fields::Named(_) => {
            open(text, "pub struct ", &item.ident);
            block(text, 0, &item.fields);
        }
        Fields::Unnamed(_) | Fields::Unit => {
            text.push_str(&tuple(&item.fields));
            text.push(';');
        }
    }
    text.push('\n');
}

/// Adds an enum.
pub(super) fn enumeration(text: &mut String, item: &ItemEnum) {
    attributes(text, 0, &item.attrs);
    public(text, &item.vis);
    text.push_str("enum ");
    text.push_str(&item.ident.to_string());
    if item.variants.is_empty() {
        text.push_str(" {}\n");
        return;
    }
    open(text, "pub enum ", &item.ident);
    for of in &item.variants {
        variant(text, of);
    }
    text.push_str("}\n");
}

/// Adds a type alias.
pub(super) fn alias(text: &mut String, item: &ItemType) {
    attributes(text, 0, &item.attrs);
    public(text, &item.vis);
    text.push_str("type ");
    text.push_str(&item.ident.to_string());
    text.push_str(" =");
    field_type(text, 0, &item.ty);
    text.push_str(";\n");
}

fn variant(text: &mut String, of: &Variant) {
    attributes(text, 1, &of.attrs);
    indent(text, 1);
    text.push_str(&of.ident.to_string());
    match (&of.fields, on_line(&of.fields)) {
        (Fields::Named(_), Some(line)) => {
            text.push_str(" { ");
            text.push_str(&line);
            text.push_str(" }");
        }
        (Fields::Named(_), None) => {
            text.push_str(" {\n");
            block(text, 1, &of.fields);
        }
        (Fields::Unnamed(_), _) => variant_tuple(text, &of.fields),
        // However long its name: with parentheses it would be a variant of another kind.
        (Fields::Unit, _) => {}
    }
    text.push_str(",\n");
}

/// The brace behind a name: on the next line when the name is very long.
fn open(text: &mut String, head: &str, ident: &syn::Ident) {
    let long = head.len() + ident.to_string().chars().count() + 2 > WIDTH;
    text.push_str(if long { "\n{\n" } else { " {\n" });
}

fn block(text: &mut String, level: usize, fields: &Fields) {
    for of in fields {
        attributes(text, level + 1, &of.attrs);
        indent(text, level + 1);
        public(text, &of.vis);
        if let Some(name) = &of.ident {
            text.push_str(&name.to_string());
            text.push(':');
        }
        field_type(text, level + 1, &of.ty);
        text.push_str(",\n");
    }
    indent(text, level);
    text.push('}');
}

/// A type behind a field's colon: on the line, on the next, or broken.
fn field_type(text: &mut String, level: usize, ty: &Type) {
    let line = flat(ty.to_token_stream());
    let on_line = column(text) + line.len() + 2 <= WIDTH;
    if on_line || (level + 1) * 4 + line.len() >= WIDTH {
        text.push(' ');
        types::print(text, level, ty, 1);
    } else {
        text.push('\n');
        indent(text, level + 1);
        text.push_str(&line);
    }
}

/// Named fields on one line, if they are few and have no docs.
fn on_line(fields: &Fields) -> Option<String> {
    let fields: Vec<String> = fields.iter().map(field).collect::<Option<_>>()?;
    let line = fields.join(", ");
    (line.len() <= VARIANT_WIDTH).then_some(line)
}

fn field(of: &Field) -> Option<String> {
    let name = of.ident.as_ref().filter(|_| of.attrs.is_empty())?;
    Some(format!("{name}: {}", flat(of.ty.to_token_stream())))
}

/// The fields of a tuple variant: each on its line where they do not fit.
fn variant_tuple(text: &mut String, fields: &Fields) {
    let line = tuple(fields);
    if column(text) + line.len() < WIDTH {
        text.push_str(&line);
        return;
    }
    text.push_str("(\n");
    for of in fields {
        indent(text, 2);
        types::print(text, 2, &of.ty, 1);
        text.push_str(",\n");
    }
    indent(text, 1);
    text.push(')');
}

fn tuple(fields: &Fields) -> String {
    let fields: Vec<String> = fields
        .iter()
        .map(|of| {
            let mut line = String::new();
            public(&mut line, &of.vis);
            line.push_str(&flat(of.ty.to_token_stream()));
            line
        })
        .collect();
    if fields.is_empty() {
        String::new()
    } else {
        format!("({})", fields.join(", "))
    }
}

fn public(text: &mut String, vis: &Visibility) {
    if matches!(vis, Visibility::Public(_)) {
        text.push_str("pub ");
    }
}
