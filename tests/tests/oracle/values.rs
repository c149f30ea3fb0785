//! Values that the runtime draws for generated types, judged by a validator of JSON Schema.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use bothends::ir::TypeKind;
use bothends::{Builder, Parts};
use bothends_tests::scratch;
use jsonschema::{Draft, Validator};
use serde_json::{Map, Value, json};

use crate::messages;
use crate::pairs::read;

/// Reusable schemas with a keyword that their tables do not contain, by document and name, and the keyword. Drawn values
/// may violate it.
const UNCHECKED: &[(&str, &str)] = &[
    (
        "constants Case",
        "an alternative of a `oneOf` that every object matches",
    ),
    (
        "constants Pick",
        "an alternative of a `oneOf` that every object matches",
    ),
    (
        "constants Several",
        "`patternProperties` with different schemas",
    ),
    ("constraints Book", "a pattern with look-around"),
    ("empties Holder", "the schema `false`"),
    (
        "look-alikes Company",
        "a `oneOf` whose alternatives have the same required property",
    ),
    (
        "look-alikes Party",
        "a `oneOf` whose alternatives have the same required property",
    ),
    (
        "look-alikes Person",
        "a `oneOf` whose alternatives have the same required property",
    ),
    ("tuple-lengths All", "items by position beyond the twelfth"),
    (
        "unions Any",
        "`integer` beside `number`: 1e300 is a whole number, and no integer of 64 bits",
    ),
    ("unions Deep", "a `oneOf` with two equal alternatives"),
    ("unions Holder", "a `oneOf` with two alternatives for null"),
];

/// Reusable schemas that accept more than their types, by document and name.
const NARROWER: &[(&str, &str)] = &[
    (
        "any-of Filter",
        "an alternative without `type` has the type that its keywords are about",
    ),
    (
        "polymorphism Amount",
        "alternatives that are each other accept nothing, by their type",
    ),
    (
        "unions Any",
        "a union of all types has no value for null at the top",
    ),
    (
        "unions Holder",
        "an alternative that is the schema itself accepts nothing, by its type",
    ),
];

/// The program that draws the values: a line for each, with the index of its type, its kind and its JSON.
const DRAW: &str = r#"
use bothends_runtime::sample::{Sampler, Seed};
use bothends_runtime::serde::Serialize;
use bothends_runtime::serde_json::to_string;
use std::io::Write as _;

fn draw<T>(index: usize, in_responses: bool, count: u64)
where
    T: bothends_runtime::private::Value + bothends_runtime::Validate + Serialize,
{
    let sampler = if in_responses { Sampler::new().in_responses() } else { Sampler::new() };
    let mut out = std::io::stdout().lock();
    for seed in 0..count {
        let seed = seed * 1_000_003 + index as u64;
        let line = match sampler.value::<T>(&mut Seed::new(seed)) {
            Ok(value) => match to_string(&value) {
                Ok(text) => format!("valid\t{text}"),
                Err(error) => format!("error\t{error}"),
            },
            Err(error) => format!("error\t{error}"),
        };
        let _ = writeln!(out, "{index}\t{line}");
        if let Ok(invalid) = sampler.invalid::<T>(&mut Seed::new(seed)) {
            let (rule, at) = (invalid.rule(), invalid.pointer());
            let _ = writeln!(out, "{index}\t{rule} at {at:?}\t{}", invalid.value());
        }
    }
}
"#;

/// A type whose values are drawn.
struct Subject {
    /// The document, and the name of the schema.
    name: String,
    /// The Rust type.
    path: String,
    is_response: bool,
    /// Whether a discriminator selects an alternative.
    has_tags: bool,
    /// Whether a schema has properties, and no `type`.
    is_untyped: bool,
    validator: Validator,
}

/// What the validator says of the values.
#[derive(Debug, Default)]
pub(crate) struct Judged {
    pub(crate) types: usize,
    pub(crate) valid: usize,
    pub(crate) invalid: usize,
    /// Types without values, and why.
    pub(crate) undrawn: BTreeMap<String, String>,
    /// Reusable schemas with values that the validator judges otherwise, for a known reason.
    pub(crate) exempt: BTreeSet<String>,
    /// Values that the validator judges otherwise, one of each type and rule.
    pub(crate) wrong: BTreeMap<String, String>,
}

/// How much generated code goes into one program, in bytes.
const PROGRAM_SIZE: usize = 3_000_000;

/// Generated types of some documents, in a program.
#[derive(Default)]
struct Program {
    modules: Vec<String>,
    subjects: Vec<Subject>,
    size: usize,
}

/// Draws values of the reusable schemas of documents, and judges them.
pub(crate) fn judge(documents: &[PathBuf], count: usize) -> Judged {
    let mut judged = Judged::default();
    let mut program = Program::default();
    for document in documents {
        program.add(document);
        if program.size > PROGRAM_SIZE {
            std::mem::take(&mut program).run(count, &mut judged);
        }
    }
    program.run(count, &mut judged);
    judged
}

impl Program {
    /// Generates the types of a document, and adds those of its reusable schemas.
    fn add(&mut self, path: &Path) {
        let Some(document) = read(path).filter(|document| document["openapi"].is_string()) else {
            return;
        };
        let parts = Parts {
            client: false,
            server: false,
            webhooks: false,
        };
        let builder = Builder::new(path)
            .module(true)
            .parts(parts)
            .response_rules(true);
        let Some(plan) = builder.plan().ok().filter(|plan| !plan.has_errors()) else {
            return;
        };
        let module = format!("document{}", self.modules.len());
        for def in &plan.api.types {
            let (pointer, is_response) = (def.origin.pointer(), def.output && !def.input);
            let name = pointer.strip_prefix("#/components/schemas/").unwrap_or("/");
            let left_out = if is_response { "writeOnly" } else { "readOnly" };
            // The rules of an alias belong to its uses.
            let is_alias = matches!(def.kind, TypeKind::Alias(_));
            if is_alias || name.contains('/') || def.origin.file.0 != 0 {
                continue;
            }
            let Some(schema) = messages::reusable(&document, pointer, left_out) else {
                continue;
            };
            let options = jsonschema::options().with_draft(Draft::Draft202012);
            let Ok(validator) = options.should_validate_formats(true).build(&schema) else {
                continue;
            };
            self.subjects.push(Subject {
                name: format!("{} {name}", bothends_tests::stem(path)),
                has_tags: any(&schema, &|of| {
                    of.get("discriminator").is_some_and(Value::is_object)
                }),
                is_untyped: any(&schema, &|of| {
                    let properties = of.get("properties").is_some_and(Value::is_object);
                    properties && !of.contains_key("type")
                }),
                path: format!("{module}::types::{}", def.name.rust),
                is_response,
                validator,
            });
        }
        self.size += plan.files[0].text.len();
        self.modules.push(plan.files[0].text.clone());
    }

    /// Runs the program, and judges its values.
    fn run(self, count: usize, judged: &mut Judged) {
        let dir = tempfile::tempdir().expect("a folder");
        let source = dir.path().join("src");
        fs::create_dir_all(&source).expect("a folder");
        let mut main = String::from("#![allow(warnings)]\n");
        for (index, code) in self.modules.iter().enumerate() {
            fs::write(source.join(format!("document{index}.rs")), code).expect("written");
            writeln!(main, "mod document{index};").expect("a string");
        }
        writeln!(main, "{DRAW}\nfn main() {{").expect("a string");
        for (
            index,
            Subject {
                path, is_response, ..
            },
        ) in self.subjects.iter().enumerate()
        {
            writeln!(main, "    draw::<{path}>({index}, {is_response}, {count});")
                .expect("a string");
        }
        fs::write(source.join("main.rs"), main + "}\n").expect("written");
        let manifest = scratch::manifest_with("drawn-values", &["sample"]);
        let manifest = manifest.replace("[lib]\ndoctest = false\n", "");
        fs::write(dir.path().join("Cargo.toml"), manifest).expect("written");
        let built = scratch::run(dir.path(), &["build"]).expect("cargo runs");
        assert!(built.clean, "{}", built.output);
        let program = scratch::target().join("debug/drawn-values");
        let output = Command::new(program).output().expect("the program runs");
        let text = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{text}");
        judged.types += self.subjects.len();
        for line in String::from_utf8_lossy(&output.stdout).lines() {
            judged.add(&self.subjects, line);
        }
    }
}

impl Judged {
    /// Returns the listed schemas without such values.
    pub(crate) fn needless(&self) -> Vec<&'static str> {
        let listed = UNCHECKED.iter().chain(NARROWER).map(|(name, _)| *name);
        listed.filter(|name| !self.exempt.contains(*name)).collect()
    }

    /// Judges a value of the program's output.
    fn add(&mut self, subjects: &[Subject], line: &str) {
        let mut parts = line.splitn(3, '\t');
        let mut next = || parts.next().expect("three parts");
        let (index, kind, text) = (next(), next(), next());
        let subject = &subjects[index.parse::<usize>().expect("an index")];
        if kind == "error" {
            self.undrawn.insert(subject.name.clone(), text.to_owned());
            return;
        }
        let is_valid = kind == "valid";
        match is_valid {
            true => self.valid += 1,
            false => self.invalid += 1,
        }
        let value: Value = serde_json::from_str(text).expect("JSON");
        let error = subject.validator.validate(&value).err();
        let listed = |all: &[(&str, &str)]| all.iter().any(|(name, _)| *name == subject.name);
        let is_exempt = match is_valid {
            true => listed(UNCHECKED),
            // The validator knows no discriminators, of the formats only some, and accepts values of every type for a
            // schema without `type`.
            false => {
                let is_free = kind.starts_with("type ") && subject.is_untyped;
                subject.has_tags || is_free || kind.starts_with("format ") || listed(NARROWER)
            }
        };
        if error.is_none() == is_valid {
            return;
        }
        if is_exempt {
            self.exempt.insert(subject.name.clone());
            return;
        }
        let rule = kind.split(" at ").next().unwrap_or_default();
        let why = match error {
            Some(error) => format!("{error} at {}", error.instance_path()),
            None => kind.to_owned(),
        };
        let name = format!("{} {rule}", subject.name);
        self.wrong
            .entry(name)
            .or_insert(format!("{why}\n      {text}"));
    }
}

/// Returns a document with the components that a schema refers to.
#[must_use]
pub(crate) fn within(document: &Value, schema: &Value) -> Option<Value> {
    let mut part = json!({ "openapi": document["openapi"], "components": {} });
    let mut open = Vec::new();
    references(schema, &mut open);
    let mut seen = BTreeSet::new();
    while let Some(pointer) = open.pop() {
        let mut steps = pointer.strip_prefix("#/components/")?.splitn(3, '/');
        let (kind, name) = (steps.next()?, steps.next()?);
        if !seen.insert((kind.to_owned(), name.to_owned())) {
            continue;
        }
        let value = document.pointer(&format!("/components/{kind}/{name}"))?;
        references(value, &mut open);
        let name = name.replace("~1", "/").replace("~0", "~");
        part["components"][kind][name] = value.clone();
    }
    Some(part)
}

/// Returns whether an object is such, at any depth.
fn any(value: &Value, is: &dyn Fn(&Map<String, Value>) -> bool) -> bool {
    match value {
        Value::Array(all) => all.iter().any(|value| any(value, is)),
        Value::Object(of) => is(of) || of.values().any(|value| any(value, is)),
        _ => false,
    }
}

fn references(value: &Value, all: &mut Vec<String>) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| references(item, all)),
        Value::Object(members) => {
            if let Some(target) = members.get("$ref").and_then(Value::as_str) {
                all.push(target.to_owned());
            }
            members.values().for_each(|value| references(value, all));
        }
        _ => {}
    }
}
