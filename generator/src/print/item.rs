//! One item.

use super::{definition, function, table, tokens};
use quote::ToTokens;
use syn::{Attribute, Expr, ExprLit, Generics, ImplItem, Item, ItemUse, Lit, Meta, TraitItem};

/// Lines are broken where they would become longer than this.
pub(super) const WIDTH: usize = 100;

/// Adds an item, with a line break at its end.
pub(super) fn print(text: &mut String, item: Item) {
    match &item {
        _ if has_where(&item) => other(text, item),
        Item::Macro(of) if table::print(text, of) => {}
        Item::Use(of) => import(text, of),
        Item::Struct(of) => definition::structure(text, of),
        Item::Enum(of) => definition::enumeration(text, of),
        Item::Type(of) => definition::alias(text, of),
        Item::Fn(of) => {
            attributes(text, 0, &of.attrs);
            function::print(text, 0, &of.vis, &of.sig, Some(&of.block));
        }
        Item::Impl(of) => {
            let generics = tokens::flat(of.generics.to_token_stream());
            let of_trait = of.trait_.as_ref().map_or_else(String::new, |(path, _)| {
                format!("{} for ", tokens::flat(path.to_token_stream()))
            });
            let ty = tokens::flat(of.self_ty.to_token_stream());
            attributes(text, 0, &of.attrs);
            let mut head = format!("impl{generics} {of_trait}{ty}");
            if head.len() + 2 > WIDTH {
                head = broken_impl(&generics, &of_trait, &ty);
            }
            members(text, &head, of.items.iter(), impl_member);
        }
        Item::Trait(of) => {
            attributes(text, 0, &of.attrs);
            let bounds = tokens::flat(of.supertraits.to_token_stream());
            let colon = if bounds.is_empty() { "" } else { ": " };
            let mut head = format!("pub trait {}{colon}{bounds}", of.ident);
            if head.len() + 2 > WIDTH {
                let fits = bounds.len() + 4 <= WIDTH;
                let bounds = if fits {
                    bounds
                } else {
                    bounds.replace(" + ", "\n    + ")
                };
                head = format!("pub trait {}:\n    {bounds}\n", of.ident);
            }
            members(text, &head, of.items.iter(), trait_member);
        }
        _ => other(text, item),
    }
}

/// Whether an item, or a member of it, has a `where` clause: rare, and laid out by none of what is here.
fn has_where(item: &Item) -> bool {
    let clause = |generics: &Generics| generics.where_clause.is_some();
    match item {
        Item::Struct(of) => clause(&of.generics),
        Item::Enum(of) => clause(&of.generics),
        Item::Type(of) => clause(&of.generics),
        Item::Fn(of) => clause(&of.sig.generics),
        Item::Impl(of) => {
            let member = |item: &ImplItem| match item {
                ImplItem::Fn(of) => clause(&of.sig.generics),
                _ => false,
            };
            clause(&of.generics) || of.items.iter().any(member)
        }
        Item::Trait(of) => {
            let member = |item: &TraitItem| match item {
                TraitItem::Fn(of) => clause(&of.sig.generics),
                _ => false,
            };
            clause(&of.generics) || of.items.iter().any(member)
        }
        _ => false,
    }
}

/// The head of an impl that does not fit on a line.
fn broken_impl(generics: &str, of_trait: &str, ty: &str) -> String {
    if of_trait.is_empty() {
        return format!("impl{generics}\n    {ty}\n");
    }
    let name = of_trait.strip_suffix(" for ").unwrap_or(of_trait);
    if "impl ".len() + generics.len() + name.len() <= WIDTH {
        return format!("impl{generics} {name}\n    for {ty}\n");
    }
    if "impl".len() + generics.len() <= WIDTH {
        return format!("impl{generics}\n    {of_trait}{ty}\n");
    }
    let generics = generics.replace(" + ", "\n        + ");
    let generics = generics.replacen('<', "<\n    ", 1).replace('>', ",\n>");
    format!("impl{generics} {of_trait}{ty}\n")
}

/// What is rare is laid out by prettyplease.
fn other(text: &mut String, item: Item) {
    let file = syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![item],
    };
    text.push_str(&prettyplease::unparse(&file));
}

/// `head { members }`, with a blank line between members that have a body or docs.
fn members<'a, T: 'a>(
    text: &mut String,
    head: &str,
    items: impl Iterator<Item = &'a T>,
    member: fn(&mut String, &T) -> bool,
) {
    text.push_str(head);
    if head.ends_with('\n') {
        text.push('{');
    } else {
        text.push_str(" {");
    }
    let start = text.len();
    let mut large_before = false;
    for item in items {
        let mut lines = String::new();
        let large = member(&mut lines, item);
        text.push('\n');
        if text.len() > start + 1 && (large || large_before) {
            text.push('\n');
        }
        text.push_str(lines.trim_end_matches('\n'));
        large_before = large;
    }
    if text.len() > start || head.ends_with('\n') {
        text.push('\n');
    }
    text.push_str("}\n");
}

fn impl_member(text: &mut String, item: &ImplItem) -> bool {
    match item {
        ImplItem::Fn(of) => {
            attributes(text, 1, &of.attrs);
            function::print(text, 1, &of.vis, &of.sig, Some(&of.block));
            true
        }
        other => {
            plain_member(text, other);
            false
        }
    }
}

fn trait_member(text: &mut String, item: &TraitItem) -> bool {
    match item {
        TraitItem::Fn(of) => {
            attributes(text, 1, &of.attrs);
            function::print(
                text,
                1,
                &syn::Visibility::Inherited,
                &of.sig,
                of.default.as_ref(),
            );
            true
        }
        other => {
            plain_member(text, other);
            false
        }
    }
}

fn plain_member(text: &mut String, item: &impl ToTokens) {
    text.push_str("    ");
    tokens::push(text, item.to_token_stream());
    text.push('\n');
}

/// Attributes, docs as comments, each on its line.
pub(super) fn attributes(text: &mut String, level: usize, attrs: &[Attribute]) {
    for attr in attrs {
        indent(text, level);
        match doc(attr) {
            Some(line) => {
                text.push_str("///");
                text.push_str(&line);
            }
            None => tokens::push(text, attr.to_token_stream()),
        }
        text.push('\n');
    }
}

/// The line of a doc attribute that can be written as a comment.
fn doc(attr: &Attribute) -> Option<String> {
    let Meta::NameValue(pair) = &attr.meta else {
        return None;
    };
    let Expr::Lit(ExprLit {
        lit: Lit::Str(line),
        ..
    }) = &pair.value
    else {
        return None;
    };
    let line = pair.path.is_ident("doc").then(|| line.value())?;
    (!line.starts_with('/') && !line.contains(['\n', '\r'])).then_some(line)
}

/// Adds the spaces in front of a line.
pub(super) fn indent(text: &mut String, level: usize) {
    for _ in 0..level {
        text.push_str("    ");
    }
}

/// An import; its names fill the lines.
fn import(text: &mut String, item: &ItemUse) {
    attributes(text, 0, &item.attrs);
    let start = text.len();
    let mut bare = item.clone();
    bare.attrs.clear();
    let flat = tokens::flat(bare.to_token_stream())
        .replace("{ ", "{")
        .replace(" }", "}");
    // rustfmt keeps two columns free here.
    if flat.len() <= WIDTH - 2 {
        text.push_str(&flat);
        text.push('\n');
        return;
    }
    let Some((head, names)) = flat.split_once('{') else {
        text.push_str(&flat);
        text.push('\n');
        return;
    };
    text.truncate(start);
    text.push_str(head);
    text.push_str("{\n");
    let mut line = String::new();
    for name in names.trim_end_matches("};").split(", ") {
        if !line.is_empty() && line.len() + name.len() + 2 > WIDTH - 4 {
            text.push_str("    ");
            text.push_str(&line);
            text.push('\n');
            line.clear();
        }
        if !line.is_empty() {
            line.push(' ');
        }
        line.push_str(name);
        line.push(',');
    }
    text.push_str("    ");
    text.push_str(&line);
    text.push_str("\n};\n");
}

#[cfg(test)]
mod tests {
    use syn::parse_quote;

    #[test]
    fn a_where_clause_is_kept_wherever_it_stands() {
        let items: [syn::Item; 4] = [
            parse_quote! { impl<T> Client<T> { pub fn of(self) -> T where T: Clone { todo() } } },
            parse_quote! { impl<T> Client<T> where T: Clone {} },
            parse_quote! { pub trait Pets { fn get<T>(&self) -> T where T: Clone; } },
            parse_quote! { pub struct Page<T> where T: Clone { pub items: T } },
        ];
        for item in items {
            let mut text = String::new();
            super::print(&mut text, item);
            assert!(
                text.contains("where") && text.contains("T: Clone"),
                "{text}"
            );
        }
    }
}
