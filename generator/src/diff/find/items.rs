//! The public names of both crates: a name that only one of them has is always reported.
//!
//! Other differences explain most names: a property that was added explains its field, its setter and
//! the inline types below it. A name without such a difference is one that only the generator
//! chose, and is reported by itself.

use std::collections::{HashMap, HashSet};

use super::super::rules::Raw;
use super::operations::method;
use super::places::is_shared;
use super::{Finder, Scope, path_of};
use crate::ir::{Api, Name, Operation, Parent, Payload, TypeDef, TypeKind, TypeRef, Unknown};

/// The public names of a crate.
struct Items<'a> {
    api: &'a Api,
    /// The types, each with the names of its members.
    types: HashMap<String, (&'a TypeDef, Vec<&'a str>)>,
    /// The others, each with the items around it, whose differences explain it.
    others: HashMap<String, Vec<String>>,
}

impl Finder<'_> {
    /// Reports the public names that only one crate has, and that no other difference explains.
    pub(super) fn items(&mut self) {
        let explained = self.explained();
        let (old, new) = (Items::new(self.old), Items::new(self.new));
        for (side, (these, those)) in [(&old, &new), (&new, &old)].into_iter().enumerate() {
            let mut missing = these.without(those);
            missing.sort();
            for (path, owners) in missing {
                let is_explained = explained.contains(&path)
                    || owners.iter().any(|owner| explained.contains(owner));
                // A member of an item that only one crate has is reported with the item.
                let is_gone = |name: &String| these.has(name) && !those.has(name);
                if is_explained || owners.iter().any(is_gone) {
                    continue;
                }
                let (raw, rust) = match side {
                    0 => (Raw::NameRemoved, (Some(path.clone()), None)),
                    _ => (Raw::NameAdded, (None, Some(path.clone()))),
                };
                self.note_api(raw, &path, None, rust);
            }
        }
    }

    /// Returns the Rust items of all differences other than texts.
    fn explained(&self) -> HashSet<String> {
        let mut explained = HashSet::new();
        for found in &self.found {
            if found.raws[0] == Raw::TextChanged {
                continue;
            }
            explained.extend(found.rust_old.iter().chain(&found.rust_new).cloned());
            match &found.scope {
                Scope::Pair(index) => {
                    let pair = &self.pairs[*index];
                    let (a, b) = (self.old.type_def(pair.old), self.new.type_def(pair.new));
                    let paths = [path_of(self.old, a), path_of(self.new, b)];
                    explained.extend(paths.map(|path| below(&path)));
                }
                Scope::Operation(index, _) => {
                    let call = self.calls[*index];
                    let methods =
                        [call.old, call.new].map(|operation| method(operation, call.webhook));
                    explained.extend(methods.clone().map(|path| below(&path)));
                    explained.extend(methods);
                }
                Scope::Api | Scope::Alone(..) => {}
            }
        }
        explained
    }
}

/// Returns the mark of a difference somewhere in an item, which explains the types below it.
fn below(path: &str) -> String {
    format!("{path}::*")
}

impl<'a> Items<'a> {
    fn new(api: &'a Api) -> Self {
        let mut types: HashMap<String, (&TypeDef, Vec<&str>)> = HashMap::new();
        // The types of several places are compared by their places.
        for def in api.types.iter().filter(|def| !is_shared(def)) {
            let named = members(aliased(api, def)).into_iter();
            let named = named.map(|member| member.rust.as_str());
            let known = types.entry(path_of(api, def));
            known.or_insert((def, Vec::new())).1.extend(named);
        }
        Self {
            api,
            types,
            others: others(api),
        }
    }

    fn has(&self, path: &str) -> bool {
        let is_member = || {
            let (owner, name) = path.rsplit_once("::")?;
            let (_, members) = self.types.get(owner)?;
            Some(members.contains(&name))
        };
        self.has_item(path) || is_member() == Some(true)
    }

    fn has_item(&self, path: &str) -> bool {
        self.types.contains_key(path) || self.others.contains_key(path)
    }

    /// Returns the names that another crate does not have, each with the items around it.
    fn without(&self, other: &Items<'_>) -> Vec<(String, Vec<String>)> {
        let others = self.others.iter().filter(|(path, _)| !other.has(path));
        let mut missing: Vec<(String, Vec<String>)> = others
            .map(|(path, owners)| (path.clone(), owners.clone()))
            .collect();
        for (path, (def, members)) in &self.types {
            let same = other.types.get(path);
            if same.is_some_and(|(_, others)| others == members) {
                continue;
            }
            let parents = parents(self.api, def);
            if !other.has(path) {
                missing.push((path.clone(), parents));
                continue;
            }
            let known: HashSet<&str> = same.iter().flat_map(|(_, all)| all).copied().collect();
            let own = members.iter().filter(|name| !known.contains(*name));
            let own = own.map(|name| format!("{path}::{name}"));
            let owners = [vec![path.clone()], parents].concat();
            let own = own.filter(|member| !other.has_item(member));
            missing.extend(own.map(|member| (member, owners.clone())));
        }
        missing
    }
}

/// Returns the public names of a crate other than types, each with the items around it.
fn others(api: &Api) -> HashMap<String, Vec<String>> {
    let mut items = HashMap::new();
    let operations = api.operations.iter().map(|operation| (operation, false));
    for (operation, webhook) in operations.chain(api.webhooks.iter().map(|webhook| (webhook, true)))
    {
        let path = method(operation, webhook);
        let owners = vec![path.clone(), below(&path)];
        for name in operation_items(operation) {
            items.insert(name, owners.clone());
        }
        items.insert(path, Vec::new());
    }
    for scheme in &api.schemes {
        let path = format!("client::Credentials::{}", scheme.name.rust);
        items.insert(path, Vec::new());
    }
    if api.documents_retries() {
        let method = "client::Client::with_documented_retries";
        items.insert(method.to_owned(), Vec::new());
    }
    items
}

/// Returns the parents of an inline type, whose differences explain it.
fn parents(api: &Api, def: &TypeDef) -> Vec<String> {
    let (mut parents, mut def) = (Vec::new(), def);
    for _ in 0..64 {
        match &def.parent {
            Some(Parent::Type(id)) => {
                def = api.type_def(*id);
                let path = path_of(api, def);
                parents.extend([below(&path), path]);
            }
            Some(Parent::Operation(index, webhook)) => {
                let all = if *webhook {
                    &api.webhooks
                } else {
                    &api.operations
                };
                let path = all.get(*index).map(|each| method(each, *webhook));
                parents.extend(path.into_iter().flat_map(|path| [below(&path), path]));
                break;
            }
            // The operations that use the part are not known.
            Some(Parent::Reusable | Parent::Shared(_)) | None => break,
        }
    }
    parents
}

/// Returns the type that an alias names, or the type itself.
fn aliased<'a>(api: &'a Api, mut def: &'a TypeDef) -> &'a TypeDef {
    for _ in 0..64 {
        match &def.kind {
            TypeKind::Alias(TypeRef::Named(id)) => def = api.type_def(*id),
            _ => break,
        }
    }
    def
}

/// Returns the fields or variants of a type.
fn members(def: &TypeDef) -> Vec<&Name> {
    match &def.kind {
        TypeKind::Object(object) => {
            let fields = object.fields.iter().map(|field| &field.name);
            let kept = match &object.unknown {
                Unknown::Kept(name, _) => Some(name),
                Unknown::Ignored | Unknown::Refused => None,
            };
            fields.chain(kept).collect()
        }
        TypeKind::StringEnum(string_enum) => {
            let variants = string_enum.variants.iter().map(|variant| &variant.name);
            variants.chain(&string_enum.fallback).collect()
        }
        TypeKind::LiteralEnum(literal_enum) => {
            let variants = literal_enum.variants.iter().map(|variant| &variant.name);
            variants.chain(&literal_enum.fallback).collect()
        }
        TypeKind::Union(union) => {
            let variants = union.variants.iter().map(|variant| &variant.name);
            variants.chain(&union.fallback).collect()
        }
        TypeKind::Newtype(..) | TypeKind::Alias(_) | TypeKind::Pending => Vec::new(),
    }
}

/// Returns the names of the types of an operation and of their members.
fn operation_items(operation: &Operation) -> Vec<String> {
    let base = &operation.base;
    let mut names = Vec::new();
    let mut add = |end: &str, name: &Name| names.push(format!("{base}{end}::{}", name.rust));
    operation
        .params
        .iter()
        .for_each(|param| add("Request", &param.name));
    operation
        .body
        .iter()
        .for_each(|body| add("Request", &body.name));
    if operation.successes.len() > 1 {
        let successes = operation.successes.iter();
        successes.for_each(|success| add("Response", &success.name));
    }
    operation
        .errors
        .iter()
        .for_each(|error| add("Error", &error.name));
    let headers = operation.success_headers.iter();
    headers.for_each(|header| add("ResponseHeaders", &header.name));
    let headers = operation.error_headers.iter();
    headers.for_each(|header| add("ErrorHeaders", &header.name));
    let bodies = operation.body.iter().map(|body| &body.payload);
    let responses = operation.successes.iter().chain(&operation.errors);
    let bodies = bodies.chain(responses.filter_map(|response| response.payload.as_ref()));
    for body in bodies {
        if let Payload::Many(content, variants) = body {
            let path = |name: &Name| format!("{}::{}", content.name.rust, name.rust);
            names.extend(variants.iter().map(|(name, _)| path(name)));
        }
    }
    names.extend(operation.with_request.iter().cloned());
    let methods = &operation.task_methods;
    let methods = [&methods.start, &methods.start_with, &methods.resume];
    names.extend(methods.into_iter().flatten().cloned());
    names
}
