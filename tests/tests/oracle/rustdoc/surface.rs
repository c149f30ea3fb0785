//! What code outside of a crate can rely on, one fact for each item, member and impl.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::{Items, is_hidden, is_open, mentions, strings};

/// What a fact is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Role {
    /// An item, a field or a variant.
    Item,
    /// A constructor, a setter, or an impl of a trait that creates a value.
    Constructs,
    /// A method that borrows the value.
    Reads,
    /// A trait and its members.
    Trait,
}

/// A fact.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Fact {
    /// The type or the kind of item.
    pub(crate) text: String,
    /// The path of the item.
    pub(crate) owner: String,
    pub(crate) role: Role,
}

/// The facts of a module by a name, such as `types::Pet.name`.
#[derive(Debug, Default)]
pub(crate) struct Surface {
    pub(crate) facts: BTreeMap<String, Fact>,
    /// The paths of items that travel in requests, and in responses.
    pub(crate) requests: BTreeSet<String>,
    pub(crate) responses: BTreeSet<String>,
}

impl Surface {
    fn add(&mut self, key: String, owner: &str, role: Role, text: String) {
        let owner = owner.to_owned();
        self.facts.insert(key, Fact { text, owner, role });
    }
}

impl<'c> Items<'c> {
    /// Collects the facts.
    pub(super) fn surface(&self, impls: &[&Value]) -> Surface {
        let mut surface = Surface::default();
        for (id, path) in &self.public {
            let Some(item) = self.rustdoc.item(id) else {
                continue;
            };
            for path in self.owners(id, path) {
                self.item_facts(&mut surface, item, &path);
            }
        }
        for item in impls {
            self.impl_facts(&mut surface, item);
        }
        self.travel(&mut surface, impls);
        surface
    }

    /// Returns the paths by which code names an item: the aliases of a shared error.
    fn owners(&self, id: &str, path: &str) -> Vec<String> {
        if let Some(names) = self.shared.get(id) {
            return names.iter().cloned().collect();
        }
        vec![path.to_owned()]
    }

    fn item_facts(&self, surface: &mut Surface, item: &Value, path: &str) {
        let Some((kind, content)) = item["inner"]
            .as_object()
            .and_then(|object| object.iter().next())
        else {
            return;
        };
        let generics = self.generics(&content["generics"]);
        let mut note = |role, text: String| surface.add(path.to_owned(), path, role, text);
        match kind.as_str() {
            "struct" => {
                note(Role::Item, format!("struct{generics}"));
                self.struct_facts(surface, item, path);
            }
            "enum" => {
                note(Role::Item, format!("enum{generics}"));
                self.enum_facts(surface, item, path);
            }
            "trait" => {
                let bounds = self.bounds(&content["bounds"]);
                note(Role::Trait, format!("trait{generics}: {bounds}"));
                self.trait_facts(surface, content, path);
            }
            "type_alias" => {
                let shared = &content["type"]["resolved_path"]["id"];
                if !self.shared.contains_key(shared.to_string().as_str()) {
                    note(
                        Role::Item,
                        format!("type{generics} = {}", self.ty(&content["type"])),
                    );
                }
            }
            "function" => note(Role::Item, self.function(content)),
            "constant" | "static" => {
                note(Role::Item, format!("const {}", self.ty(&content["type"])))
            }
            "module" => note(Role::Item, "mod".to_owned()),
            _ => note(Role::Item, kind.clone()),
        }
    }

    fn struct_facts(&self, surface: &mut Surface, item: &Value, path: &str) {
        let kind = &item["inner"]["struct"]["kind"];
        let (fields, closed) = match (&kind["plain"], &kind["tuple"]) {
            (plain @ Value::Object(_), _) => {
                let hidden = plain["has_stripped_fields"] == true;
                (&plain["fields"], !hidden)
            }
            (_, tuple) => (tuple, false),
        };
        let mut fields = self.fields(surface, fields, path, path);
        // Code names the fields, in any order.
        fields.sort_unstable();
        if closed && !is_open(item) {
            let key = format!("all fields of {path}");
            surface.add(key, path, Role::Constructs, fields.join(", "));
        }
    }

    /// Adds the public fields of a struct or a variant, and returns the names of all.
    fn fields(&self, surface: &mut Surface, ids: &Value, path: &str, owner: &str) -> Vec<String> {
        let mut names = Vec::new();
        let ids = strings(ids).into_iter();
        for item in ids.filter_map(|id| self.rustdoc.item(&id)) {
            let is_public = item["visibility"] == "public" || item["visibility"] == "default";
            let name = item["name"].as_str().unwrap_or_default();
            if is_public && !is_hidden(item) {
                let text = self.ty(&item["inner"]["struct_field"]);
                surface.add(format!("{path}.{name}"), owner, Role::Item, text);
            }
            names.push(name.to_owned());
        }
        names
    }

    fn enum_facts(&self, surface: &mut Surface, item: &Value, path: &str) {
        let ids = &item["inner"]["enum"]["variants"];
        for variant in strings(ids).iter().filter_map(|id| self.rustdoc.item(id)) {
            if is_hidden(variant) {
                continue;
            }
            let name = variant["name"].as_str().unwrap_or_default();
            let path_of = format!("{path}::{name}");
            let kind = &variant["inner"]["variant"]["kind"];
            let text = match (&kind["tuple"], &kind["struct"]) {
                (tuple @ Value::Array(_), _) => {
                    let count = self.fields(surface, tuple, &path_of, path).len();
                    format!("variant of {count}")
                }
                (_, named @ Value::Object(_)) => {
                    let names = self.fields(surface, &named["fields"], &path_of, path);
                    format!("variant {{{}}}", names.join(", "))
                }
                _ => "variant".to_owned(),
            };
            surface.add(path_of, path, Role::Item, text);
        }
        if !is_open(item) {
            let mut names = self.names(ids);
            names.sort();
            let key = format!("all variants of {path}");
            surface.add(key, path, Role::Reads, names.join(", "));
        }
    }

    fn trait_facts(&self, surface: &mut Surface, definition: &Value, path: &str) {
        let mut required = Vec::new();
        for item in strings(&definition["items"])
            .iter()
            .filter_map(|id| self.rustdoc.item(id))
        {
            let name = item["name"].as_str().unwrap_or_default();
            let function = &item["inner"]["function"];
            let (text, has_default) = match function.is_object() {
                true => (self.function(function), function["has_body"] == true),
                false => {
                    let associated = &item["inner"]["assoc_type"];
                    (
                        self.bounds(&associated["bounds"]),
                        !associated["type"].is_null(),
                    )
                }
            };
            surface.add(format!("{path}::{name}"), path, Role::Trait, text);
            if !has_default {
                required.push(name.to_owned());
            }
        }
        required.sort();
        let key = format!("all required items of {path}");
        surface.add(key, path, Role::Trait, required.join(", "));
    }

    fn impl_facts(&self, surface: &mut Surface, item: &Value) {
        let block = &item["inner"]["impl"];
        let mut own = Vec::new();
        mentions(&block["for"], &mut own);
        mentions(&block["trait"], &mut own);
        let own: Vec<&String> = own
            .iter()
            .filter(|id| self.rustdoc.home(id).is_some())
            .collect();
        let is_known = own.iter().all(|id| self.public.contains_key(id.as_str()));
        let Some(first) = own.first().filter(|_| is_known && !is_hidden(item)) else {
            return;
        };
        let (path, this) = (&self.public[first.as_str()], self.ty(&block["for"]));
        for owner in self.owners(first, path) {
            let named = |text: &str| match owner == *path {
                true => text.to_owned(),
                false => text.replace(path, &owner),
            };
            let this = named(&this);
            if block["trait"].is_null() {
                self.methods(surface, block, (&owner, path));
                continue;
            }
            let name = named(&self.path(&block["trait"]));
            let creates = ["Default", "From<", "FromIterator", "FromStr"];
            let last = name.split('<').next().unwrap_or_default();
            let last = last.rsplit("::").next().unwrap_or_default();
            let role = match creates
                .iter()
                .any(|creator| last == creator.trim_end_matches('<'))
            {
                true => Role::Constructs,
                false => Role::Item,
            };
            let text = format!("impl{}", named(&self.generics(&block["generics"])));
            let types = strings(&block["items"]);
            let types = types.iter().filter_map(|id| self.rustdoc.item(id));
            let types = types.filter_map(|item| {
                let ty = &item["inner"]["assoc_type"]["type"];
                let name = item["name"].as_str().unwrap_or_default();
                (!ty.is_null()).then(|| format!(", {name} = {}", named(&self.ty(ty))))
            });
            let text = text + &types.collect::<String>();
            surface.add(format!("{name} for {this}"), &owner, role, text);
        }
    }

    fn methods(&self, surface: &mut Surface, block: &Value, (owner, path): (&str, &str)) {
        for item in strings(&block["items"])
            .iter()
            .filter_map(|id| self.rustdoc.item(id))
        {
            if item["visibility"] != "public" || is_hidden(item) {
                continue;
            }
            let name = item["name"].as_str().unwrap_or_default();
            let function = &item["inner"]["function"];
            let (role, text) = match function.is_object() {
                true => {
                    let receiver = &function["sig"]["inputs"][0];
                    let borrows = receiver[0] == "self" && !receiver[1]["borrowed_ref"].is_null();
                    let role = if borrows {
                        Role::Reads
                    } else {
                        Role::Constructs
                    };
                    (role, self.function(function))
                }
                false => (Role::Item, self.ty(&item["inner"]["assoc_const"]["type"])),
            };
            let text = text.replace(path, owner);
            surface.add(format!("{owner}::{name}()"), owner, role, text);
        }
    }

    /// Finds the items that messages contain: from the requests and their responses, by the types
    /// that they mention.
    fn travel(&self, surface: &mut Surface, impls: &[&'c Value]) {
        let (mut requests, mut responses) = (Vec::new(), Vec::new());
        let mut errors: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for item in impls {
            let block = &item["inner"]["impl"];
            let name = self.path(&block["trait"]);
            let name = name.split('<').next().unwrap_or_default();
            let this = block["for"]["resolved_path"]["id"].to_string();
            let mut types = Vec::new();
            for item in strings(&block["items"])
                .iter()
                .filter_map(|id| self.rustdoc.item(id))
            {
                mentions(&item["inner"]["assoc_type"]["type"], &mut types);
            }
            match name.rsplit("::").next() {
                Some("Operation") => {
                    requests.push(this);
                    responses.extend(types);
                }
                // The headers of errors are named by the trait of the error.
                Some("OperationError") => errors.entry(this).or_default().extend(types),
                _ => {}
            }
        }
        surface.requests = self.reach(requests, &errors);
        surface.responses = self.reach(responses, &errors);
        // A struct of required values is constructed with the value that is created from it.
        for path in self.public.values() {
            let Some(created) = path.strip_suffix("Init") else {
                continue;
            };
            for all in [&mut surface.requests, &mut surface.responses] {
                if all.contains(created) {
                    all.insert(path.clone());
                }
            }
        }
    }

    fn reach(
        &self,
        mut open: Vec<String>,
        errors: &BTreeMap<String, Vec<String>>,
    ) -> BTreeSet<String> {
        let mut seen = BTreeSet::new();
        while let Some(id) = open.pop() {
            let is_own = self.rustdoc.home(&id).is_some();
            let Some(item) = self.rustdoc.item(&id).filter(|_| is_own) else {
                continue;
            };
            if !seen.insert(id.clone()) {
                continue;
            }
            open.extend(errors.get(&id).into_iter().flatten().cloned());
            self.contents(item, &mut open);
        }
        let paths = seen.iter().filter_map(|id| {
            let (id, path) = self.public.get_key_value(id.as_str())?;
            Some(self.owners(id, path))
        });
        paths.flatten().collect()
    }

    /// Collects what the fields and variants of an item mention.
    fn contents(&self, item: &Value, open: &mut Vec<String>) {
        let inner = &item["inner"];
        mentions(&inner["type_alias"]["type"], open);
        mentions(&inner["struct_field"], open);
        let kinds = [&inner["struct"]["kind"], &inner["variant"]["kind"]];
        let mut ids = strings(&inner["enum"]["variants"]);
        for kind in kinds {
            ids.extend(strings(&kind["tuple"]));
            ids.extend(strings(&kind["plain"]["fields"]));
            ids.extend(strings(&kind["struct"]["fields"]));
        }
        for item in ids.iter().filter_map(|id| self.rustdoc.item(id)) {
            self.contents(item, open);
        }
    }
}
