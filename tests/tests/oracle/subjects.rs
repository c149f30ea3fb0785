//! Generated types of reusable schemas, and a program that draws and reads their values.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use bothends::ir::TypeKind;
use bothends::{Builder, Parts};
use bothends_tests::scratch;
use jsonschema::{Draft, Validator};
use serde_json::Value;

use crate::messages;
use crate::pairs::read;

/// How much generated code goes into one program, in bytes.
const PROGRAM_SIZE: usize = 3_000_000;

/// The program: `draw COUNT` writes a line for each drawn value, with the index of its type, its kind and its JSON.
/// `read` reads lines of an index and JSON, and writes what each type makes of them.
const PROGRAM: &str = r#"
use bothends_runtime::Validate;
use bothends_runtime::private::Value;
use bothends_runtime::sample::{Sampler, Seed};
use bothends_runtime::serde::{Serialize, de::DeserializeOwned};
use bothends_runtime::serde_json::{from_str, to_string};
use std::io::{BufRead as _, Write as _};

fn draw<T: Value + Validate + Serialize>(index: usize, in_responses: bool, count: u64) {
    let sampler = if in_responses { Sampler::new().in_responses() } else { Sampler::new() };
    let mut out = std::io::stdout().lock();
    for seed in 0..count {
        let seed = seed * 1_000_003 + index as u64;
        let line = match sampler.value::<T>(&mut Seed::new(seed)) {
            Ok(value) => match to_string(&value) {
                Ok(text) => format!("valid\t{text}"),
                Err(error) => format!("undrawn\t{error}"),
            },
            Err(error) => format!("undrawn\t{error}"),
        };
        let _ = writeln!(out, "{index}\t{line}");
        if let Ok(invalid) = sampler.invalid::<T>(&mut Seed::new(seed)) {
            let (rule, at) = (invalid.rule(), invalid.pointer());
            let _ = writeln!(out, "{index}\t{rule} at {at:?}\t{}", invalid.value());
        }
    }
}

fn read<T: DeserializeOwned + Validate + Serialize>(text: &str) -> String {
    let one_line = |text: String| text.replace(['\n', '\t'], " ");
    let value: T = match from_str(text) {
        Ok(value) => value,
        Err(error) => return format!("refused\t{}", one_line(error.to_string())),
    };
    match (value.validate(), to_string(&value)) {
        (Err(errors), _) => format!("refused\t{}", one_line(errors.to_string())),
        (_, Err(error)) => format!("refused\t{error}"),
        (Ok(()), Ok(text)) => format!("written\t{text}"),
    }
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    if arguments.next().as_deref() == Some("draw") {
        let count = arguments.next().and_then(|count| count.parse().ok()).expect("a number");
        for (index, (draw, _)) in TYPES.iter().enumerate() {
            draw(index, count);
        }
        return;
    }
    for line in std::io::stdin().lock().lines() {
        let line = line.expect("text");
        let (index, text) = line.split_once('\t').expect("an index and JSON");
        let (_, read) = TYPES[index.parse::<usize>().expect("an index")];
        println!("{index}\t{}", read(text));
    }
}
"#;

/// A type of a reusable schema.
pub(crate) struct Subject {
    /// The document, and the name of the schema.
    pub(crate) name: String,
    /// The schema, with those that it refers to.
    pub(crate) schema: Value,
    pub(crate) validator: Validator,
    /// The Rust type.
    path: String,
    is_response: bool,
}

impl Subject {
    /// Returns the type of a use of the schema. Null belongs to the uses of a type.
    fn in_use(&self) -> String {
        match self.validator.is_valid(&Value::Null) {
            true => format!("Option<{}>", self.path),
            false => self.path.clone(),
        }
    }
}

/// Returns a validator of the formats that generated code checks.
pub(crate) fn validator(schema: &Value) -> Option<Validator> {
    let options = jsonschema::options().with_draft(Draft::Draft202012);
    options.should_validate_formats(true).build(schema).ok()
}

/// Types of some documents, in a program.
#[derive(Default)]
pub(crate) struct Program {
    modules: Vec<String>,
    pub(crate) subjects: Vec<Subject>,
    size: usize,
}

/// Builds programs with the types of documents, and passes each on.
pub(crate) fn programs(documents: &[PathBuf], mut each: impl FnMut(&Program, &Path)) {
    let mut build = |program: Program| {
        let dir = tempfile::tempdir().expect("a folder");
        let built = program.build(dir.path());
        each(&program, &built);
    };
    let mut program = Program::default();
    for document in documents {
        program.add(document);
        if program.size > PROGRAM_SIZE {
            build(std::mem::take(&mut program));
        }
    }
    if !program.subjects.is_empty() {
        build(program);
    }
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
        let builder = Builder::new(path).module(true).parts(parts);
        let plan = builder.response_rules(true).plan().ok();
        let Some(plan) = plan.filter(|plan| !plan.has_errors()) else {
            return;
        };
        let module = format!("document{}", self.modules.len());
        // The types of alternatives have the pointer of the schema that they are alternatives of, which is before them.
        let mut seen = BTreeSet::new();
        for def in &plan.api.types {
            let pointer = def.origin.pointer();
            let name = pointer.strip_prefix("#/components/schemas/").unwrap_or("/");
            // The rules of an alias belong to its uses.
            let is_alias = matches!(def.kind, TypeKind::Alias(_));
            if name.contains('/') || def.origin.file.0 != 0 || !seen.insert(pointer) || is_alias {
                continue;
            }
            let left_out = if def.input { "readOnly" } else { "writeOnly" };
            let Some(schema) = messages::reusable(&document, pointer, left_out) else {
                continue;
            };
            // A schema that is only a part of others belongs to no direction.
            let text = schema.to_string();
            let has_direction = [r#""readOnly":true"#, r#""writeOnly":true"#];
            if has_direction.iter().any(|mark| text.contains(mark)) && !is_used(&document, pointer)
            {
                continue;
            }
            let Some(validator) = validator(&schema) else {
                continue;
            };
            self.subjects.push(Subject {
                name: format!("{} {name}", bothends_tests::stem(path)),
                path: format!("{module}::types::{}", def.name.rust),
                is_response: def.output && !def.input,
                schema,
                validator,
            });
        }
        self.size += plan.files[0].text.len();
        self.modules.push(plan.files[0].text.clone());
    }

    /// Compiles the program in a folder.
    fn build(&self, dir: &Path) -> PathBuf {
        let source = dir.join("src");
        fs::create_dir_all(&source).expect("a folder");
        let mut main = String::from("#![allow(warnings)]\n");
        for (index, code) in self.modules.iter().enumerate() {
            fs::write(source.join(format!("document{index}.rs")), code).expect("written");
            writeln!(main, "mod document{index};").expect("a string");
        }
        main.push_str(PROGRAM);
        main.push_str("const TYPES: &[(fn(usize, u64), fn(&str) -> String)] = &[\n");
        for subject in &self.subjects {
            let (type_in_use, is_response) = (subject.in_use(), subject.is_response);
            let draw = format!("|index, count| draw::<{type_in_use}>(index, {is_response}, count)");
            writeln!(main, "({draw}, read::<{type_in_use}>),").expect("a string");
        }
        fs::write(source.join("main.rs"), main + "];\n").expect("written");
        let manifest = scratch::manifest_with("drawn-values", &["sample"]);
        let manifest = manifest.replace("[lib]\ndoctest = false\n", "");
        fs::write(dir.join("Cargo.toml"), manifest).expect("written");
        let built = scratch::run(dir, &["build"]).expect("cargo runs");
        assert!(built.clean, "{}", built.output);
        let program = dir.join("program");
        fs::copy(scratch::target().join("debug/drawn-values"), &program).expect("copied");
        program
    }
}

/// Returns whether a value refers to a schema as a whole, and not as a part of an `allOf`.
fn is_used(value: &Value, pointer: &str) -> bool {
    match value {
        Value::Array(all) => all.iter().any(|item| is_used(item, pointer)),
        Value::Object(object) => object.iter().any(|(key, value)| match value {
            Value::Array(parts) if key == "allOf" && parts.len() > 1 => {
                let mut others = parts.iter().filter(|part| part["$ref"] != pointer);
                others.any(|part| is_used(part, pointer))
            }
            Value::String(target) => key == "$ref" && target == pointer,
            value => is_used(value, pointer),
        }),
        _ => false,
    }
}

/// Runs a program with some input, and returns its output.
pub(crate) fn run(command: &mut Command, input: &str) -> String {
    let command = command.stdin(Stdio::piped()).stdout(Stdio::piped());
    let mut child = command.spawn().expect("the program runs");
    let mut stdin = child.stdin.take().expect("a pipe");
    let output = std::thread::scope(|scope| {
        scope.spawn(move || stdin.write_all(input.as_bytes()).expect("written"));
        child.wait_with_output().expect("the program runs")
    });
    assert!(output.status.success(), "{command:?}");
    String::from_utf8_lossy(&output.stdout).into_owned()
}
