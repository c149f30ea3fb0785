//! Schemas that refer to each other at random: whatever circles there are, a document ends in code or
//! in a diagnostic, the same each time, on a thread with the stack of a build script's. The code
//! compiles.
//!
//! `BOTHENDS_GRAPHS=5000` makes a longer run.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use bothends::source::FileLoader;
use bothends::{Builder, Plan};
use bothends_tests::scratch::{check, manifest};
use proptest::prelude::*;
use proptest::strategy::ValueTree as _;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};
use serde_json::{Map, Value, json};

/// The stack of a thread, and of a build script's on some systems. An overflow ends the process.
const STACK: usize = 2 << 20;

/// How many schemas a document has at most.
const SCHEMAS: usize = 8;

fn reference() -> impl Strategy<Value = Value> {
    // Later ones may not be there: see `document`.
    (0..SCHEMAS).prop_map(|index| json!({ "$ref": format!("#/components/schemas/S{index}") }))
}

fn scalar() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(json!({"type": "string", "minLength": 1})),
        Just(json!({"type": "integer"})),
        Just(json!({"type": "null"})),
        Just(json!({"enum": ["a", "b"]})),
        Just(json!({"type": "object", "required": ["t"], "properties": {"t": {"enum": ["x"]}}})),
        Just(json!({})),
    ]
}

/// One or more keywords with these schemas inside.
fn keyword(inner: BoxedStrategy<Value>) -> impl Strategy<Value = Map<String, Value>> {
    let some = prop::collection::vec(inner.clone(), 1..4);
    let list = |key: &'static str| {
        let some = some.clone();
        some.prop_map(move |schemas| json!({ key: schemas }))
    };
    let named = prop::collection::vec(("[abt]", inner.clone()), 1..4);
    let held = |key: &'static str| inner.clone().prop_map(move |schema| json!({ key: schema }));
    let by = (reference(), reference()).prop_map(|(first, second)| {
        let (first, second) = (&first["$ref"], &second["$ref"]);
        json!({"discriminator": {"propertyName": "t", "mapping": {"x": first, "y": second}}})
    });
    let keyword = prop_oneof![
        4 => list("allOf"),
        3 => list("oneOf"),
        2 => list("anyOf"),
        2 => named.prop_map(|properties| {
            let properties: Map<String, Value> = properties.into_iter().collect();
            json!({"type": "object", "properties": properties})
        }),
        1 => inner.clone().prop_map(|items| json!({"type": "array", "items": items})),
        1 => held("additionalProperties"),
        1 => held("not"),
        2 => by,
        1 => Just(json!({"discriminator": {"propertyName": "t"}})),
        2 => Just(json!({"type": "object", "required": ["t"], "properties": {"t": {"type": "string"}}})),
        1 => Just(json!({"required": ["a"]})),
        1 => Just(json!({"nullable": true})),
        1 => Just(json!({"title": "Reported", "description": "A note."})),
        2 => reference(),
    ];
    keyword.prop_map(|keyword| match keyword {
        Value::Object(keywords) => keywords,
        _ => Map::new(),
    })
}

fn schema() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![5 => reference(), 2 => scalar()].boxed();
    leaf.prop_recursive(3, 12, 3, |inner| {
        prop::collection::vec(keyword(inner), 1..4)
            .prop_map(|all| Value::Object(all.into_iter().flatten().collect()))
    })
}

/// A document of such schemas.
fn document() -> impl Strategy<Value = Value> {
    let version = prop_oneof![Just("3.0.3"), Just("3.1.0")];
    (version, prop::collection::vec(schema(), 2..=SCHEMAS)).prop_map(|(version, schemas)| {
        let count = schemas.len();
        let named = schemas.into_iter().enumerate();
        let named: Map<String, Value> = named
            .map(|(index, schema)| (format!("S{index}"), within(schema, count)))
            .collect();
        let body = json!({"application/json": {"schema": {"$ref": "#/components/schemas/S0"}}});
        json!({
            "openapi": version,
            "info": {"title": "Graph", "version": "1"},
            "paths": {"/a": {"post": {
                "operationId": "send",
                "requestBody": {"content": body},
                "responses": {"200": {"description": "ok", "content": body}},
            }}},
            "components": {"schemas": named},
        })
    })
}

/// Lets references lead to one of `count` schemas.
fn within(value: Value, count: usize) -> Value {
    match value {
        Value::String(text) => {
            let index = text.strip_prefix("#/components/schemas/S");
            let index = index.and_then(|index| index.parse::<usize>().ok());
            Value::String(index.map_or(text.clone(), |index| {
                format!("#/components/schemas/S{}", index % count)
            }))
        }
        Value::Array(items) => items.into_iter().map(|item| within(item, count)).collect(),
        Value::Object(object) => object
            .into_iter()
            .map(|(key, value)| (key, within(value, count)))
            .collect(),
        other => other,
    }
}

/// Generates, letting pass whatever can be let pass, so that most documents come to code.
fn plan(path: &Path) -> Plan {
    let mut allowed: Vec<&'static str> = Vec::new();
    loop {
        let builder = Builder::new(path).module(true);
        let builder = allowed
            .iter()
            .fold(builder, |builder, code| builder.allow(*code));
        let plan = builder
            .plan_of(&FileLoader)
            .expect("the settings are right");
        assert!(
            !plan.has_errors() || !plan.report().is_empty(),
            "an error in silence"
        );
        let errors = plan.diagnostics.iter().map(|diagnostic| diagnostic.code);
        let more: Vec<&'static str> = errors
            .filter(|code| {
                code.allowable && code.id.starts_with('E') && !allowed.contains(&code.id)
            })
            .map(|code| code.id)
            .collect();
        if !plan.has_errors() || more.is_empty() {
            return plan;
        }
        allowed.extend(more);
        allowed.sort_unstable();
        allowed.dedup();
    }
}

fn on_a_small_stack(work: impl FnOnce() + Send + 'static) {
    let thread = std::thread::Builder::new().stack_size(STACK);
    if let Err(panic) = thread.spawn(work).expect("a thread").join() {
        std::panic::resume_unwind(panic);
    }
}

/// A runner that draws the same documents each time.
fn runner(cases: u32) -> TestRunner {
    let config = Config {
        cases,
        failure_persistence: None,
        ..Config::default()
    };
    TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha))
}

#[test]
fn every_graph_of_schemas_ends_in_code_or_a_diagnostic() {
    let cases = std::env::var("BOTHENDS_GRAPHS").ok();
    let cases = cases.and_then(|text| text.parse().ok()).unwrap_or(256);
    on_a_small_stack(move || {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("api.json");
        let generated = std::cell::Cell::new(0);
        let refused = std::cell::RefCell::new(BTreeMap::<&str, u32>::new());
        let outcome = runner(cases).run(&document(), |document| {
            fs::write(&path, document.to_string()).expect("written");
            let (first, second) = (plan(&path), plan(&path));
            prop_assert_eq!(first.report(), second.report());
            for code in first
                .diagnostics
                .iter()
                .map(|diagnostic| diagnostic.code)
                .filter(|code| !code.allowable)
            {
                *refused.borrow_mut().entry(code.id).or_default() += 1;
            }
            let texts = |plan: &Plan| {
                let texts = plan.files.iter().map(|file| file.text.clone());
                texts.collect::<Vec<_>>()
            };
            prop_assert_eq!(texts(&first), texts(&second));
            for text in texts(&first) {
                generated.set(generated.get() + 1);
                if let Err(error) = syn::parse_file(&text) {
                    return Err(TestCaseError::fail(format!("no Rust: {error}")));
                }
            }
            Ok(())
        });
        if let Err(TestError::Fail(reason, document)) = &outcome {
            unreachable!("{reason}\n{document:#}");
        }
        outcome.expect("no document is rejected");
        let generated = generated.get();
        println!("{generated} of {cases} came to code: {refused:?}");
        // Graphs that all fail would test nothing behind the first stage; the others are circles of
        // plain references.
        assert!(generated * 5 > cases * 4, "{generated} of {cases}");
    });
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_sample_of_graphs_compiles() {
    const SAMPLE: usize = 48;
    let folder = tempfile::tempdir().expect("a folder");
    fs::create_dir_all(folder.path().join("src")).expect("a folder");
    let mut lib = String::from("//! Graphs of schemas, a module each.\n");
    let (mut runner, mut found) = (runner(1), 0);
    while found < SAMPLE {
        let document = document().new_tree(&mut runner).expect("a document");
        let path = folder.path().join(format!("graph-{found}.json"));
        fs::write(&path, document.current().to_string()).expect("written");
        let plan = plan(&path);
        if let Some(file) = plan.files.first() {
            writeln!(lib, "pub mod graph_{found};").expect("a string");
            let module = folder.path().join(format!("src/graph_{found}.rs"));
            fs::write(module, &file.text).expect("written");
            found += 1;
        }
    }
    fs::write(folder.path().join("src/lib.rs"), lib).expect("written");
    fs::write(folder.path().join("Cargo.toml"), manifest("graphs")).expect("written");
    let checked = check(folder.path(), &["check"]).expect("cargo runs");
    if !checked.clean {
        // What failed is kept to be looked at.
        let kept = folder.keep();
        unreachable!("{}:\n{}", kept.display(), checked.output);
    }
}
