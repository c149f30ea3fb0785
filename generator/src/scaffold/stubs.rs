//! Methods of the traits of a server, for code that a user writes.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use syn::{ImplItem, Item, ItemImpl, Type};

use super::server_starter::{method, operations_of};
use crate::ir::Api;

/// The names that the methods use, from the runtime.
const RUNTIME: &str = "bothends_runtime::server::{Context, Error, Rejection, RejectionKind}";

/// An impl of a trait in the code of a user.
struct Written {
    trait_name: String,
    /// Everything before the first method.
    head: String,
    methods: BTreeSet<String>,
}

/// Returns an implementation of all traits of the server. Every method responds with 501. `module` is the path of the
/// generated code, such as `crate::api`.
///
/// With the text of the files of a server in `sources`, returns the methods that its impls lack, and no imports.
///
/// # Errors
/// Returns an error if a source is not Rust: the index of the source, and the message.
pub fn stubs(api: &Api, module: &str, sources: &[String]) -> Result<String, (usize, String)> {
    let mut written = Vec::new();
    for (index, source) in sources.iter().enumerate() {
        let file = syn::parse_file(source).map_err(|error| (index, error.to_string()))?;
        find(&file.items, &mut written);
    }
    let mut text = String::new();
    for (index, tag) in api.tags.iter().enumerate() {
        let mut of_trait = written
            .iter()
            .filter(|found| found.trait_name == tag.trait_name)
            .peekable();
        if of_trait.peek().is_none() {
            let head = format!("impl {} for Service ", tag.trait_name);
            push(&mut text, &head, operations_of(api, index).map(method));
        }
        for found in of_trait {
            let missing = operations_of(api, index)
                .filter(|operation| !found.methods.contains(&operation.name.rust));
            push(&mut text, &found.head, missing.map(method));
        }
    }
    if text.is_empty() {
        return Ok("// Every method is implemented.\n".to_owned());
    }
    Ok(format!(
        "{}{text}",
        opening(api, module, sources.is_empty())
    ))
}

/// Returns what precedes the impls: the lines of a whole file, or the names that have to be in scope.
fn opening(api: &Api, module: &str, whole: bool) -> String {
    if !whole {
        return format!("// In scope: {module}::operations::*, {RUNTIME}\n");
    }
    let names: BTreeSet<&str> = api.tags.iter().map(|tag| tag.trait_name.as_str()).collect();
    let names: Vec<&str> = names.into_iter().collect();
    let names = match &names[..] {
        [name] => (*name).to_owned(),
        names => format!("{{{}}}", names.join(", ")),
    };
    format!(
        "use bothends_runtime::server::{{Context, Error, Rejection, RejectionKind}};\n\n\
         use {module}::operations::*;\nuse {module}::server::{names};\n\n\
         /// Implements the operations.\npub struct Service;\n"
    )
}

/// Appends an impl with these methods, if there is one.
fn push(text: &mut String, head: &str, methods: impl Iterator<Item = String>) {
    let methods: Vec<String> = methods.collect();
    if !methods.is_empty() {
        let _ = write!(text, "\n{head}{{\n{}}}\n", methods.join("\n"));
    }
}

/// Finds the impls of traits, in modules too.
fn find(items: &[Item], written: &mut Vec<Written>) {
    for item in items {
        match item {
            Item::Mod(module) => {
                if let Some((_, items)) = &module.content {
                    find(items, written);
                }
            }
            Item::Impl(item) => written.extend(of_impl(item)),
            _ => {}
        }
    }
}

fn of_impl(item: &ItemImpl) -> Option<Written> {
    let (path, _) = item.trait_.as_ref()?;
    let Type::Path(_) = &*item.self_ty else {
        return None;
    };
    let methods = item.items.iter().filter_map(|item| match item {
        ImplItem::Fn(function) => Some(function.sig.ident.to_string()),
        _ => None,
    });
    let mut empty = item.clone();
    empty.attrs.clear();
    empty.items.clear();
    let file = syn::File {
        shebang: None,
        frontmatter: None,
        attrs: Vec::new(),
        items: vec![Item::Impl(empty)],
    };
    let head = prettyplease::unparse(&file);
    Some(Written {
        trait_name: path.segments.last()?.ident.to_string(),
        head: head.trim_end().strip_suffix("{}")?.to_owned(),
        methods: methods.collect(),
    })
}
