//! The generated test of types of one's own.

use std::path::Path;

use bothends::output::{self, Record};
use bothends::{Builder, Plan};
use bothends_tests::{root, scratch};
use serde_json::{Value, json};

const SCHEMAS: &str = include_str!("own_values.yaml");

fn plan(builder: &Builder) -> Plan {
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    plan
}

/// A builder for a document with these schemas, in a folder.
fn builder(folder: &Path, schemas: &str) -> Builder {
    let path = folder.join("api.yaml");
    let head = "openapi: 3.1.0\ninfo: {title: Values, version: '1'}\npaths: {}\n";
    std::fs::write(&path, format!("{head}{schemas}")).expect("written");
    Builder::new(path).types_test(true)
}

#[test]
fn drawn_values_are_valid_by_another_validator() {
    let folder = tempfile::tempdir().expect("a folder");
    let document: Value = serde_yaml::from_str(SCHEMAS).expect("a document");
    let names = document["components"]["schemas"]
        .as_object()
        .expect("schemas");
    let none = ["Negated", "Unfinished", "Foreign", "Ahead", "Never"];
    let mut failed: Vec<String> = Vec::new();
    for (name, schema) in names {
        let builder = builder(folder.path(), SCHEMAS).module(true);
        let plan = plan(&builder.replace(name, "crate::Own"));
        let [samples] = plan.api.samples.as_slice() else {
            panic!("{name}: {:?}", plan.api.samples);
        };
        if none.contains(&name.as_str()) {
            assert_eq!(samples.drawn, Vec::<String>::new(), "{name}");
            let text = plan.files[0].text.as_str();
            let note = format!("No values are drawn for `#/components/schemas/{name}`: ");
            assert!(text.contains(&note), "{name}: {:?}", samples.not_drawn);
            continue;
        }
        let mut whole = document.clone();
        whole["$ref"] = json!(format!("#/components/schemas/{name}"));
        let options = jsonschema::draft202012::options().should_validate_formats(true);
        let validator = options.build(&whole).expect("a schema");
        for text in samples.examples.iter().chain(&samples.drawn) {
            let value: Value = serde_json::from_str(text).expect("JSON");
            if let Err(error) = validator.validate(&value) {
                failed.push(format!("{name}: {text}: {error}"));
            }
        }
        let expected = schema["x-drawn"].as_u64().unwrap_or(100);
        let count = samples.drawn.len() as u64;
        if count != expected {
            failed.push(format!("{name}: {count} values: {:?}", samples.not_drawn));
        }
    }
    assert!(failed.is_empty(), "{failed:#?}");
}

#[test]
fn values_depend_on_their_schema_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    let samples = |text: &str| {
        let builder = builder(folder.path(), text).module(true);
        plan(
            &builder
                .replace("Code", "a::Code")
                .replace("Level", "a::Level"),
        )
        .api
        .samples
    };
    let changed = SCHEMAS.replace("maximum: 1000", "maximum: 999");
    assert_ne!(changed, SCHEMAS);
    let (before, again, after) = (samples(SCHEMAS), samples(SCHEMAS), samples(&changed));
    assert_eq!(before, again);
    assert_eq!(before[0], after[0]);
    assert_ne!(before[1], after[1]);
}

const EXAMPLES: &str = "\
components:
  schemas:
    Level: {type: integer, minimum: 0, maximum: 1000, example: 1, examples: [2]}
    Account:
      type: object
      properties: {level: {$ref: '#/components/schemas/Level'}, levels: {type: array, items: {$ref: '#/components/schemas/Level'}}}
      examples: [{level: 3, levels: [4, 5]}, {level: null}]
    More: {allOf: [{$ref: '#/components/schemas/Account'}], example: {level: 6}}
  parameters:
    level: {name: level, in: query, schema: {$ref: '#/components/schemas/Level'}, examples: {a: {value: 7}}}
  responses:
    Levels:
      description: d
      content:
        application/json:
          schema: {type: object, additionalProperties: {$ref: '#/components/schemas/Level'}}
          example: {any: 8}
";

#[test]
fn every_example_of_the_document_is_sent() {
    let folder = tempfile::tempdir().expect("a folder");
    let builder = builder(folder.path(), EXAMPLES).module(true);
    let text = std::fs::read_to_string(folder.path().join("api.yaml")).expect("a document");
    let operation = "paths:\n  /a:\n    get:\n      parameters: [{$ref: '#/components/parameters/level'}]\n      \
                     responses: {'200': {$ref: '#/components/responses/Levels'}}\n";
    let text = text.replace("paths: {}\n", operation);
    std::fs::write(folder.path().join("api.yaml"), text).expect("written");
    let plan = plan(&builder.replace("Level", "crate::Level"));
    let mut examples = plan.api.samples[0].examples.clone();
    examples.sort();
    assert_eq!(examples, ["1", "2", "3", "4", "5", "6", "7", "8"]);
}

/// Schemas for types of other crates, one of them too small.
const AMOUNTS: &str = "\
components:
  schemas:
    Amount: {type: string, pattern: '^-?[1-9][0-9]{0,6}\\.[0-9]{2}$', example: '12.50'}
    Level: {type: integer, minimum: 0, maximum: 1000}
    Account:
      type: object
      required: [amount, level]
      properties: {amount: {$ref: '#/components/schemas/Amount'}, level: {$ref: '#/components/schemas/Level'}}
";

#[test]
fn the_test_of_a_crate_lists_what_does_not_survive() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = folder.path().join("bank");
    let builder = builder(folder.path(), AMOUNTS)
        .name("bank")
        .out_dir(&out)
        .runtime_path(root().join("runtime"))
        .dependency("rust_decimal", "1")
        .replace("Amount", "rust_decimal::Decimal");
    let write = |builder: &Builder| {
        let plan = plan(builder);
        output::write(&out, &plan.files, Record::Kept).expect("written")
    };
    write(&builder);
    let command = ["test", "--quiet", "--test", "types", "--", "--nocapture"];
    let run = scratch::run(&out, &command).expect("cargo");
    assert!(run.clean, "{}", run.output);

    // `Level` has 1,001 values, of which the type has 255.
    let small = builder.clone().replace("Level", "std::num::NonZeroU8");
    let summary = write(&small);
    assert_eq!(summary.written, ["src/types.rs", "tests/types.rs"]);
    let run = scratch::run(&out, &command).expect("cargo");
    assert!(!run.clean, "{}", run.output);
    let head = "#/components/schemas/Level as `core::num::nonzero::NonZero<u8>`: ";
    assert!(run.output.contains(head), "{}", run.output);
    let refused = "refuses 1000: invalid value: integer `1000`, expected a nonzero u8";
    assert!(run.output.contains(refused), "{}", run.output);
    assert!(!run.output.contains("Amount"), "{}", run.output);

    // A removed setting removes the file, unless it is the user's by now.
    let test = out.join("tests/types.rs");
    let generated = std::fs::read_to_string(&test).expect("a test");
    let differences = output::compare(&out, &plan(&builder).files, Record::Kept).expect("compared");
    assert!(
        differences
            .iter()
            .any(|difference| difference.path() == "tests/types.rs")
    );
    let without = builder.types_test(false);
    assert_eq!(write(&without).removed, ["tests/types.rs"]);
    assert!(!out.join("tests").exists());
    write(&small);
    assert_eq!(std::fs::read_to_string(&test).expect("a test"), generated);
    std::fs::write(&test, "#[test]\nfn of_mine() {}\n").expect("written");
    assert_eq!(write(&without).kept, ["tests/types.rs"]);
    assert!(test.exists());
}

#[test]
fn a_module_has_the_test_for_types_of_its_crate() {
    let folder = tempfile::tempdir().expect("a folder");
    let builder = builder(folder.path(), AMOUNTS)
        .module(true)
        .replace("Amount", "crate::own::Amount")
        .replace("Level", "crate::own::Level");
    let source = folder.path().join("src");
    std::fs::create_dir_all(&source).expect("a folder");
    std::fs::write(source.join("api.rs"), &plan(&builder).files[0].text).expect("written");
    std::fs::write(source.join("lib.rs"), "pub mod api;\npub mod own;\n").expect("written");
    // The second type drops the last digit.
    let own = r#"
use serde::{Deserialize, Deserializer, Serialize};

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Level(u16);

#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Amount(String);

impl<'de> Deserialize<'de> for Amount {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut text = String::deserialize(deserializer)?;
        text.pop();
        Ok(Self(text))
    }
}
"#;
    std::fs::write(source.join("own.rs"), own).expect("written");
    let manifest = scratch::manifest_with("own", &["client", "server"]);
    let manifest = manifest.replace(
        "[lib]\n",
        "serde = { version = \"1\", features = [\"derive\"] }\n\n[lib]\n",
    );
    std::fs::write(folder.path().join("Cargo.toml"), manifest).expect("written");
    let command = ["test", "--quiet", "--lib", "--", "--nocapture"];
    let run = scratch::run(folder.path(), &command).expect("cargo");
    assert!(!run.clean, "{}", run.output);
    let head =
        "#/components/schemas/Amount as `own::own::Amount`: 101 of 101 values do not survive";
    assert!(run.output.contains(head), "{}", run.output);
    let changed = "  changes \"12.50\" to \"12.5\"\n";
    assert!(run.output.contains(changed), "{}", run.output);
    assert!(!run.output.contains("Level"), "{}", run.output);
}
