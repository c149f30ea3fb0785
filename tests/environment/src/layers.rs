//! Which modules of a crate import which others, for tests that the imports have one direction.
#![allow(
    clippy::unwrap_used,
    reason = "a file that cannot be read fails the test"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// The modules of a folder, with those that each imports.
pub type Graph = BTreeMap<String, BTreeSet<String>>;

fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            sources(&path, found);
        } else if path.extension().is_some_and(|end| end == "rs") {
            found.push(path);
        }
    }
}

/// Returns the first name of each path that a file has after `prefix`: in its `use` items, and in
/// its code.
fn imported(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut found = used(code, prefix);
    let lines = code
        .lines()
        .filter(|line| !line.trim_start().starts_with("//"));
    for line in lines {
        for (at, _) in line.match_indices(prefix) {
            let rest = &line[at + prefix.len()..];
            let is_part = |char: char| char == '_' || char.is_alphanumeric();
            let name = rest.split(|char| !is_part(char)).next().unwrap();
            // A path of one item names no module; a path that begins before is of another module, and
            // `$crate::` names an item of the public API.
            let before = line[..at].chars().next_back();
            let begins = before.is_none_or(|char| !is_part(char) && !"$:".contains(char));
            let is_path = rest[name.len()..].starts_with("::") && begins;
            if is_path && name != "super" {
                found.insert(name.to_owned());
            }
        }
    }
    found
}

/// Returns the first name of each path that the `use` items of a file have after `prefix`.
fn used(code: &str, prefix: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    // `use` items of emitted code are indented.
    for item in code.split("\nuse ").skip(1) {
        let Some(rest) = item.split(';').next().unwrap().strip_prefix(prefix) else {
            continue;
        };
        let mut depth = 0;
        let inner = rest.strip_prefix('{').unwrap_or(rest);
        let paths = inner.split(|char| {
            depth += i32::from(char == '{') - i32::from(char == '}');
            char == ',' && depth == 0
        });
        for path in paths {
            let is_part = |char: char| char == '_' || char.is_alphanumeric();
            let name = path.trim().split(|char| !is_part(char)).next().unwrap();
            found.insert(name.to_owned());
        }
    }
    found.remove("");
    found
}

/// What of a file names the modules that it imports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Imports {
    /// Its `use` items, and the paths of its code.
    Paths,
    /// Its `use` items only, for code that contains other code.
    UseItems,
}

/// Returns which modules of the folder `src` of a crate import which others, by `crate::`.
#[must_use]
pub fn of_crate(src: &Path) -> Graph {
    graph(src, true, Imports::Paths)
}

/// Returns which names of the root of a crate the modules of its folder `src` name by `crate::`: modules, and
/// items that the root exports.
#[must_use]
pub fn names_of_root(src: &Path) -> Graph {
    names(src, true, Imports::Paths)
}

fn graph(folder: &Path, is_root: bool, read: Imports) -> Graph {
    let mut graph = names(folder, is_root, read);
    let modules: BTreeSet<String> = graph.keys().cloned().collect();
    for (module, imports) in &mut graph {
        imports.retain(|name| modules.contains(name) && name != module);
    }
    graph
}

fn names(folder: &Path, is_root: bool, read: Imports) -> Graph {
    let mut files = Vec::new();
    sources(folder, &mut files);
    let own = |path: &Path| {
        let first = path.strip_prefix(folder).unwrap().iter().next().unwrap();
        first.to_str().unwrap().trim_end_matches(".rs").to_owned()
    };
    let mut graph = Graph::new();
    for path in &files {
        let inside = path.strip_prefix(folder).unwrap();
        let is_test = inside
            .iter()
            .any(|part| part == "tests" || part == "tests.rs");
        let module = own(path);
        if is_test || ["mod", "lib", "main"].contains(&module.as_str()) {
            continue;
        }
        let depth = inside.iter().count() - usize::from(inside.ends_with("mod.rs"));
        let prefixes = match is_root {
            true => vec!["crate::".to_owned()],
            false => vec!["super::".repeat(depth), module_of(folder)],
        };
        let text = fs::read_to_string(path).unwrap();
        let code = text.split("#[cfg(test)]\n").next().unwrap();
        let imports = prefixes.iter().flat_map(|prefix| match read {
            Imports::UseItems => used(code, prefix),
            Imports::Paths => imported(code, prefix),
        });
        graph.entry(module).or_default().extend(imports);
    }
    graph
}

/// Returns the cycles of a crate by folder: among the modules of its root, and among those of each
/// folder. Folders in `emitting` contain other code, so only their `use` items count.
#[must_use]
pub fn all_cycles(src: &Path, emitting: &[&str]) -> BTreeMap<PathBuf, Graph> {
    let mut folders = vec![src.to_path_buf()];
    let mut found = BTreeMap::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() && !path.ends_with("tests") {
                folders.push(path);
            }
        }
        let inside = folder.strip_prefix(src).unwrap();
        let imports = match emitting.iter().any(|emits| inside.starts_with(emits)) {
            true => Imports::UseItems,
            false => Imports::Paths,
        };
        let cycles = cycles(graph(&folder, folder == src, imports));
        if !cycles.is_empty() {
            found.insert(inside.to_path_buf(), cycles);
        }
    }
    found
}

/// Returns the path of the module of a folder below `src`, as the beginning of a path.
fn module_of(folder: &Path) -> String {
    let names: Vec<&str> = folder.iter().map(|name| name.to_str().unwrap()).collect();
    let src = names.iter().rposition(|name| *name == "src").unwrap();
    format!("crate::{}::", names[src + 1..].join("::"))
}

/// Returns the modules that import each other in a cycle, and those between cycles.
#[must_use]
pub fn cycles(mut graph: Graph) -> Graph {
    loop {
        let before: usize = graph.values().map(|imports| imports.len() + 1).sum();
        let imported: BTreeSet<String> = graph.values().flatten().cloned().collect();
        graph.retain(|name, imports| !imports.is_empty() && imported.contains(name));
        let left: BTreeSet<String> = graph.keys().cloned().collect();
        for imports in graph.values_mut() {
            imports.retain(|name| left.contains(name));
        }
        if graph
            .values()
            .map(|imports| imports.len() + 1)
            .sum::<usize>()
            == before
        {
            return graph;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cycle_is_found() {
        let edges = [("a", "b"), ("b", "c"), ("c", "b"), ("d", "e")];
        let mut graph = Graph::new();
        for (from, to) in edges {
            graph
                .entry(from.to_owned())
                .or_default()
                .insert(to.to_owned());
            graph.entry(to.to_owned()).or_default();
        }
        let found: Vec<String> = cycles(graph).into_keys().collect();
        assert_eq!(found, ["b", "c"]);
        let code = "//! Docs.\n\nuse super::b::{One, Two};\nuse super::{c, d::Three};\n\
             fn a() { super::e::four(super::five()) } // super::super::six\n";
        let names: Vec<String> = imported(code, "super::").into_iter().collect();
        assert_eq!(names, ["b", "c", "d", "e"]);
    }
}
