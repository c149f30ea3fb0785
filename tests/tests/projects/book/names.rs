//! The names of methods in prose, looked up in rustdoc's JSON.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;

use bothends_tests::scratch::{run_with, target};
use serde_json::Value;

use super::pages::Page;
use super::write;

/// The members of each type and trait, and all functions.
#[derive(Default)]
pub(crate) struct Names {
    members: BTreeMap<String, BTreeSet<String>>,
    functions: BTreeSet<String>,
}

impl Names {
    /// Documents these packages of a crate, and reads their items.
    pub(crate) fn read(dir: &Path, packages: &[&str]) -> Self {
        // JSON is an unstable format of rustdoc; only rustdoc itself has to know. Without hidden items it lacks types
        // that are exported from hidden modules, such as `Config`.
        let script = "#!/bin/sh\nRUSTC_BOOTSTRAP=1 exec rustdoc -Z unstable-options --document-hidden-items --output-format json \"$@\"\n";
        write(dir, "rustdoc", script);
        let program = dir.join("rustdoc");
        let mut mode = fs::metadata(&program).expect("a file").permissions();
        std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o755);
        fs::set_permissions(&program, mode).expect("permissions");
        let mut command = vec!["doc", "--no-deps"];
        command.extend(packages.iter().flat_map(|package| ["--package", *package]));
        let program = program.as_os_str();
        let documented = run_with(dir, &command, &[("RUSTDOC", program)]).expect("cargo runs");
        assert!(documented.clean, "{}", documented.output);
        let mut names = Self::default();
        for package in packages {
            let file = format!("doc/{}.json", package.replace('-', "_"));
            let text = fs::read(target().join(&file)).expect(&file);
            let json: Value = serde_json::from_slice(&text).expect("JSON");
            let items = json["index"].as_object().expect("a table of items");
            for item in items.values() {
                names.add(item, |id| items.get(&id.to_string()));
            }
        }
        names
    }

    fn add<'i>(&mut self, item: &Value, find: impl Fn(&Value) -> Option<&'i Value>) {
        let (Some(name), Some(inner)) = (item["name"].as_str(), item["inner"].as_object()) else {
            return;
        };
        for (kind, inner) in inner {
            let list = |key: &str| {
                inner[key]
                    .as_array()
                    .into_iter()
                    .flatten()
                    .filter_map(&find)
            };
            match kind.as_str() {
                "function" => {
                    self.functions.insert(name.to_owned());
                }
                "struct" | "enum" | "trait" | "union" => {
                    let of_impls = list("impls").flat_map(|block| {
                        let items = block["inner"]["impl"]["items"].as_array();
                        items.into_iter().flatten().filter_map(&find)
                    });
                    let fields = inner["kind"]["plain"]["fields"].as_array();
                    let fields = fields.into_iter().flatten().filter_map(&find);
                    let members = list("items")
                        .chain(list("variants"))
                        .chain(of_impls)
                        .chain(fields);
                    let members =
                        members.filter_map(|member| Some(member["name"].as_str()?.to_owned()));
                    self.members
                        .entry(name.to_owned())
                        .or_default()
                        .extend(members);
                }
                _ => {}
            }
        }
    }

    /// Returns the methods that a page names and that do not exist, by line. Names of other crates are `foreign`.
    pub(crate) fn missing(&self, page: &Page, foreign: &[&str]) -> Vec<String> {
        let mut missing = Vec::new();
        for (number, line) in page.prose() {
            for span in line.split('`').skip(1).step_by(2) {
                let Some((type_name, name)) = called(span) else {
                    continue;
                };
                let exists = match type_name {
                    Some(type_name) => self
                        .members
                        .get(type_name)
                        .is_some_and(|members| members.contains(name)),
                    None => self.functions.contains(name),
                };
                let is_foreign =
                    foreign.contains(&type_name.unwrap_or(name)) || foreign.contains(&name);
                if !exists && !is_foreign {
                    missing.push(format!("{}:{number}: {span}", page.path.display()));
                }
            }
        }
        missing
    }
}

/// Returns the type and the method of `Type::method`, `module::Type::method(…)`, `.method()` and `method()`.
fn called(span: &str) -> Option<(Option<&str>, &str)> {
    let (path, arguments) = match span.split_once('(') {
        Some((path, rest)) => (path, Some(rest.strip_suffix(')')?)),
        None => (span, None),
    };
    // Other code than one call.
    if arguments.is_some_and(|arguments| arguments.contains(['(', ')'])) {
        return None;
    }
    let path = path.strip_suffix("::<T>").unwrap_or(path);
    let (type_name, name) = match path.rsplit_once("::") {
        Some((parent, name)) => (parent.rsplit("::").next(), name),
        None => (None, path.strip_prefix('.').unwrap_or(path)),
    };
    let is_word = |word: &str| {
        word.bytes()
            .all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_method = name.starts_with(|first: char| first.is_ascii_lowercase()) && is_word(name);
    let is_type = |type_name: &str| {
        type_name.starts_with(|first: char| first.is_ascii_uppercase()) && is_word(type_name)
    };
    match type_name {
        Some(type_name) => (is_method && is_type(type_name)).then_some((Some(type_name), name)),
        None => (is_method && arguments.is_some()).then_some((None, name)),
    }
}
