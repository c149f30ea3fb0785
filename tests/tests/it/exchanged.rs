//! After a change of a document, a call of a constructor either does not compile or sets the same values.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use bothends::Builder;
use bothends_tests::{corpus, features, roots};
use proc_macro2::TokenTree;
use quote::ToTokens;
use serde_json::{Value, json};
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{FnArg, Item, ItemMacro, Token};

use crate::permuted::permuted;

/// The largest document of the corpus that is changed, in bytes.
const LARGEST: u64 = 60_000;

/// The arguments of a constructor.
struct Constructor {
    /// The struct whose fields are the arguments, for arguments by name.
    init: Option<String>,
    /// The names and the types.
    arguments: Vec<(String, String)>,
}

impl Constructor {
    fn types(&self) -> Vec<&str> {
        self.arguments.iter().map(|(_, ty)| ty.as_str()).collect()
    }

    fn names(&self) -> Vec<&str> {
        let names = self.arguments.iter();
        names.map(|(name, _)| name.as_str()).collect()
    }

    /// Returns whether a call of this constructor compiles with another one.
    fn is_called_as(&self, other: &Self) -> bool {
        if self.init != other.init {
            return false;
        }
        let sorted = |constructor: &Self| {
            let mut arguments = constructor.arguments.clone();
            arguments.sort();
            arguments
        };
        match self.init {
            Some(_) => sorted(self) == sorted(other),
            None => self.types() == other.types(),
        }
    }
}

/// Returns the constructors of the code for a document by the paths of their types, or `None` if the
/// document is not valid alone.
fn constructors(document: &Value, folder: &Path) -> Option<BTreeMap<String, Constructor>> {
    let path = folder.join("api.json");
    std::fs::write(&path, document.to_string()).expect("written");
    let plan = Builder::new(&path).module(true).plan().expect("settings");
    if plan.has_errors() {
        return None;
    }
    let file = syn::parse_file(&plan.files.first()?.text).expect("Rust");
    let (mut found, mut aliases) = (BTreeMap::new(), BTreeMap::new());
    collect("", &file.items, &mut found, &mut aliases);
    for constructor in found.values_mut() {
        for (_, ty) in &mut constructor.arguments {
            while let Some(target) = aliases.get(ty.rsplit(' ').next().unwrap_or_default()) {
                ty.clone_from(target);
            }
        }
    }
    Some(found)
}

fn collect(
    path: &str,
    items: &[Item],
    found: &mut BTreeMap<String, Constructor>,
    aliases: &mut BTreeMap<String, String>,
) {
    for item in items {
        match item {
            Item::Mod(module) => {
                let items = module.content.as_ref().map(|(_, items)| items);
                let path = format!("{path}{}::", module.ident);
                collect(&path, items.map_or(&[], Vec::as_slice), found, aliases);
            }
            Item::Type(alias) => {
                let target = alias.ty.to_token_stream().to_string();
                aliases.insert(alias.ident.to_string(), target);
            }
            Item::Macro(table) => {
                if let Some((name, constructor)) = constructor(table) {
                    found.insert(format!("{path}{name}"), constructor);
                }
            }
            _ => {}
        }
    }
}

/// Reads `Pet(id: i64, …)` or `Pet from PetInit(id: i64, …)`, with which a table begins.
fn constructor(table: &ItemMacro) -> Option<(String, Constructor)> {
    let head = match table.mac.path.segments.last()?.ident.to_string().as_str() {
        // `"showPet": "GET" "/pets/{petId}"`
        "operation" => 4,
        "object" | "response_headers" => 0,
        _ => return None,
    };
    let mut tokens = table.mac.tokens.clone().into_iter().skip(head);
    let name = tokens.next()?.to_string();
    let mut next = tokens.next()?;
    let mut init = None;
    if next.to_string() == "from" {
        init = Some(tokens.next()?.to_string());
        next = tokens.next()?;
    }
    let TokenTree::Group(group) = next else {
        return None;
    };
    // `String | &str`: a text converts, too.
    let is_choice =
        |token: &TokenTree| matches!(token, TokenTree::Punct(sign) if sign.as_char() == '|');
    let arguments = group
        .stream()
        .into_iter()
        .take_while(|token| !is_choice(token));
    let arguments = Punctuated::<FnArg, Token![,]>::parse_terminated.parse2(arguments.collect());
    let arguments = arguments.expect("arguments").into_iter();
    let arguments = arguments.filter_map(|argument| match argument {
        FnArg::Typed(typed) => {
            let name = typed.pat.to_token_stream().to_string();
            let name = name.trim_start_matches("r#").to_owned();
            Some((name, typed.ty.to_token_stream().to_string()))
        }
        FnArg::Receiver(_) => None,
    });
    let arguments = arguments.collect();
    Some((name, Constructor { init, arguments }))
}

/// Returns another name for a property or a parameter, in another order of the alphabet.
fn renamed(name: &str) -> String {
    let letter = name.bytes().find(u8::is_ascii_alphabetic).unwrap_or(b'm');
    let mirrored = char::from(b'a' + b'z' - letter.to_ascii_lowercase());
    format!("{mirrored}{mirrored}_{name}")
}

/// Calls `change` with each object, the inner ones first.
fn walk(value: &mut Value, change: &dyn Fn(&mut serde_json::Map<String, Value>)) {
    match value {
        Value::Array(items) => items.iter_mut().for_each(|item| walk(item, change)),
        Value::Object(map) => {
            map.values_mut().for_each(|value| walk(value, change));
            change(map);
        }
        _ => {}
    }
}

/// Renames all properties and all parameters.
fn rename(document: &Value) -> Value {
    let mut document = document.clone();
    walk(&mut document, &|map| {
        if let Some(Value::Object(properties)) = map.get_mut("properties") {
            let all = std::mem::take(properties).into_iter();
            properties.extend(all.map(|(name, schema)| (renamed(&name), schema)));
        }
        if let Some(Value::Array(required)) = map.get_mut("required") {
            for name in required {
                *name = json!(name.as_str().map(renamed));
            }
        }
        if let Some(Value::String(name)) = map.get_mut("propertyName") {
            *name = renamed(name);
        }
        if map.get("in").is_some_and(|place| place != "header")
            && let Some(Value::String(name)) = map.get_mut("name")
        {
            *name = renamed(name);
        }
        if let Some(Value::Object(paths)) = map.get_mut("paths") {
            let all = std::mem::take(paths).into_iter();
            paths.extend(all.map(|(path, item)| {
                let parts = path.split('{').enumerate();
                let parts = parts.map(|(index, part)| match index {
                    0 => part.to_owned(),
                    _ => format!("{{{}", renamed(part)),
                });
                (parts.collect::<String>(), item)
            }));
        }
    });
    document
}

/// Puts properties, parameters and required names in another order.
fn reorder(document: &Value) -> Value {
    let mut document = permuted(document, false, &|keys| keys.reverse());
    walk(&mut document, &|map| {
        for list in ["parameters", "required"] {
            if let Some(Value::Array(items)) = map.get_mut(list) {
                items.reverse();
            }
        }
    });
    document
}

/// Exchanges the schemas of the first two properties of each object that are arguments: without a
/// constant.
fn exchange(document: &Value) -> Value {
    let mut document = document.clone();
    walk(&mut document, &|map| {
        if let Some(Value::Object(properties)) = map.get_mut("properties") {
            let is_free =
                |schema: &&mut Value| schema.get("const").is_none() && schema.get("enum").is_none();
            let mut schemas = properties.values_mut().filter(is_free);
            if let (Some(first), Some(second)) = (schemas.next(), schemas.next()) {
                std::mem::swap(first, second);
            }
        }
    });
    document
}

/// Removes the first required property of each object.
fn remove(document: &Value) -> Value {
    let mut document = document.clone();
    walk(&mut document, &|map| {
        let first = map.get_mut("required").and_then(Value::as_array_mut);
        let first = first
            .filter(|names| !names.is_empty())
            .map(|names| names.remove(0));
        let first = first.as_ref().and_then(Value::as_str);
        if let (Some(Value::Object(properties)), Some(name)) = (map.get_mut("properties"), first) {
            properties.remove(name);
        }
    });
    document
}

/// Adds a required property and a required parameter, the first of the alphabet.
fn add(document: &Value) -> Value {
    let mut document = document.clone();
    let added = json!({ "name": "aa_added", "in": "query", "required": true, "schema": { "type": "string" } });
    walk(&mut document, &|map| {
        if let Some(Value::Object(properties)) = map.get_mut("properties") {
            properties.insert("aa_added".to_owned(), json!({ "type": "string" }));
            let required = map.entry("required").or_insert_with(|| json!([]));
            if let Some(required) = required.as_array_mut() {
                required.push(json!("aa_added"));
            }
        }
        if map.contains_key("responses") {
            let parameters = map.entry("parameters").or_insert_with(|| json!([]));
            if let Some(parameters) = parameters.as_array_mut() {
                parameters.push(added.clone());
            }
        }
    });
    document
}

/// What calls of all documents do after a change.
#[derive(Debug, Default)]
struct Calls {
    /// The calls that compile and set something else.
    wrong: Vec<String>,
    /// The calls that compile, with two arguments or more.
    compiled: usize,
    /// The calls by name that would set something else by position, if that were sorted by name.
    saved: usize,
}

impl Calls {
    fn add(&mut self, title: &str, old: &Constructor, new: &Constructor, is_renamed: bool) {
        // The only argument has no other to be exchanged with. It sets what the document requires: where
        // that is another property of the same type, `diff` reports D0728.
        if old.arguments.len() < 2 {
            return;
        }
        // `n404` is the Rust name of `404`, and of no other name after the change.
        let is_plain = |name: &&str| !name.starts_with('n') || !name.contains(char::is_numeric);
        if !old.names().iter().all(is_plain) {
            return;
        }
        let name = |old_name: &str| match is_renamed {
            true => renamed(old_name),
            false => old_name.to_owned(),
        };
        if old.init.is_some() && is_renamed && new.init == old.init {
            let mut sorted: Vec<&str> = old.names();
            sorted.sort_unstable();
            let sorted: Vec<String> = sorted.into_iter().map(name).collect();
            self.saved += usize::from(!sorted.is_sorted());
        }
        if !old.is_called_as(new) {
            return;
        }
        self.compiled += 1;
        let is_same = old.init.is_some()
            || (old.names().iter().zip(new.names()))
                .all(|(old, new)| *old == new || name(old) == new);
        if !is_same {
            let names = (old.names(), new.names());
            self.wrong.push(format!("{title}: {names:?}"));
        }
    }
}

fn changed(paths: &[PathBuf]) -> Calls {
    let folder = tempfile::tempdir().expect("a folder");
    let mut calls = Calls::default();
    let changes: [(&str, Change); 5] = [
        ("rename", rename),
        ("reorder", reorder),
        ("exchange", exchange),
        ("remove", remove),
        ("add", add),
    ];
    for path in paths {
        let text = std::fs::read_to_string(path).expect("a document");
        let Ok(document) = serde_yaml::from_str::<Value>(&text) else {
            continue;
        };
        let Some(old) = constructors(&document, folder.path()) else {
            continue;
        };
        for (what, change) in changes {
            let new = constructors(&change(&document), folder.path()).unwrap_or_default();
            for (name, old) in &old {
                if let Some(new) = new.get(name) {
                    let title = format!("{} {what} {name}", path.display());
                    calls.add(&title, old, new, what == "rename");
                }
            }
        }
    }
    calls
}

#[track_caller]
fn check(calls: &Calls, compiled: usize, saved: usize) {
    assert!(calls.wrong.is_empty(), "\n{}", calls.wrong.join("\n"));
    let counts = (calls.compiled, calls.saved);
    assert!(counts >= (compiled, 0) && counts.1 >= saved, "{counts:?}");
}

/// A change of a document.
type Change = fn(&Value) -> Value;

#[test]
fn no_call_exchanges_values_after_a_change_of_a_feature() {
    check(&changed(&features().expect("the features")), 100, 20);
}

#[test]
fn no_call_exchanges_values_after_a_change_in_the_corpus() {
    let test = "no_call_exchanges_values_after_a_change_in_the_corpus";
    let Some(folder) = corpus(test) else {
        return;
    };
    let is_small = |path: &PathBuf| {
        path.metadata()
            .is_ok_and(|metadata| metadata.len() <= LARGEST)
    };
    let paths: Vec<PathBuf> = roots(&folder).into_iter().filter(is_small).collect();
    check(&changed(&paths), 500, 50);
}
