//! Proposed overlays: each repairs its document, and is an overlay of OpenAPI Overlay 1.1.

use std::path::Path;

use bothends::{Builder, Plan};
use serde_json::Value as Json;

const DOCUMENT: &str = "\
openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets/{id}:
    get:
      operationId: getPet
      parameters:
        - {name: id, in: path, required: true, schema: {type: integer}}
        - {name: size, in: query, schema: {type: integer}}
      responses:
        '200':
          description: A pet
          content: {application/json: {schema: {$ref: '#/components/schemas/Pet'}}}
        '404': {$ref: '#/components/responses/NotFound'}
components:
  responses:
    NotFound: {description: No pet}
  schemas:
    Pet:
      allOf: [{$ref: '#/components/schemas/Named'}, {type: object, properties: {age: {type: integer}}}]
    Named: {type: object, properties: {name: {type: string}}}
    \"it's \\\\ odd\": {type: object, properties: {name: {$ref: '#/components/schemas/Named'}}}
";

/// A document with a change that breaks it, and the queries of the actions that repair it.
const CASES: [(&str, &str, &[&str]); 10] = [
    (
        "schema: {$ref: '#/components/schemas/Pet'}",
        "schema: {$ref: '#/components/schemas/pets'}",
        &["$.paths['/pets/{id}'].get.responses['200'].content['application/json'].schema"],
    ),
    (
        "'#/components/responses/NotFound'",
        "'#/components/response/NotFound'",
        &["$.paths['/pets/{id}'].get.responses['404']"],
    ),
    (
        "'#/components/responses/NotFound'",
        "'#/responses/NotFound'",
        &["$.paths['/pets/{id}'].get.responses['404']"],
    ),
    (
        "name: {$ref: '#/components/schemas/Named'}",
        "name: {$ref: '#/components/schemas/Name'}",
        &["$.components.schemas['it\\'s \\\\ odd'].properties.name"],
    ),
    (
        "{name: id, in: path, required: true, ",
        "{name: id, ",
        &[
            "$.paths['/pets/{id}'].get.parameters[0]",
            "$.paths['/pets/{id}'].get.parameters[0]",
        ],
    ),
    (
        "{name: size, in: query, ",
        "{name: size, ",
        &["$.paths['/pets/{id}'].get.parameters[1]"],
    ),
    (
        "        - {name: size,",
        "        - {name: size, in: query, schema: {type: string}}\n        - {name: size,",
        &["$.paths['/pets/{id}'].get.parameters[2]"],
    ),
    (
        "        - {name: size,",
        "        - {name: size, in: query, schema: {type: integer}}\n\
         \x20       - {name: size, in: query, schema: {type: integer}}\n        - {name: size,",
        &[
            "$.paths['/pets/{id}'].get.parameters[3]",
            "$.paths['/pets/{id}'].get.parameters[2]",
        ],
    ),
    (
        "  /pets/{id}:",
        "  pets/{id}:",
        &["$.paths", "$.paths['/pets/{id}']", "$.paths['pets/{id}']"],
    ),
    (
        "allOf: [{$ref: '#/components/schemas/Named'}, ",
        "allOf: [{$ref: '#/components/schemas/Pet'}, ",
        &["$.components.schemas.Pet.allOf[0]"],
    ),
];

fn written(folder: &Path, text: &str) -> Builder {
    let path = folder.join("api.yaml");
    std::fs::write(&path, text).expect("written");
    Builder::new(&path).out_dir(folder).module(true)
}

fn plan(builder: &Builder) -> Plan {
    builder.plan().expect("a plan")
}

/// Returns the schema that the OpenAPI Initiative publishes for Overlay 1.1.
fn schema() -> jsonschema::Validator {
    let schema = include_str!("overlay-1.1.schema.yaml");
    let schema: Json = serde_yaml::from_str(schema).expect("YAML");
    jsonschema::validator_for(&schema).expect("a schema")
}

#[test]
fn a_proposed_overlay_repairs_its_document() {
    let schema = schema();
    let clean = tempfile::tempdir().expect("a folder");
    let whole = plan(&written(clean.path(), DOCUMENT));
    assert!(whole.diagnostics.is_empty(), "{}", whole.report());
    for (right, wrong, targets) in CASES {
        let folder = tempfile::tempdir().expect("a folder");
        assert!(DOCUMENT.contains(right), "{right}");
        let builder = written(folder.path(), &DOCUMENT.replace(right, wrong));
        let before = plan(&builder);
        assert!(!before.diagnostics.is_empty(), "{wrong}");
        for end in ["yaml", "json"] {
            let path = folder.path().join(format!("fixes.overlay.{end}"));
            let proposal = builder.propose_overlay(&before, &path).expect("a proposal");
            assert!(!proposal.remaining.has_errors(), "{wrong}");
            let text = proposal.text.expect(wrong);
            let overlay: Json = serde_yaml::from_str(&text).expect("an overlay");
            assert!(schema.is_valid(&overlay), "{text}");
            let actions = overlay["actions"].as_array().expect("actions");
            let found = actions
                .iter()
                .map(|action| action["target"].as_str().expect("a target"));
            assert_eq!(found.collect::<Vec<_>>(), targets, "{wrong}");
            assert_eq!(proposal.actions, targets.len());
            let described = |action: &Json| {
                action["description"]
                    .as_str()
                    .is_some_and(|description| description.len() > 20)
            };
            assert!(actions.iter().all(described), "{text}");
            std::fs::write(&path, &text).expect("written");
            let repaired = plan(&builder.clone().overlay(&path));
            assert!(repaired.diagnostics.is_empty(), "{}", repaired.report());
            assert!(!repaired.files.is_empty());
            std::fs::remove_file(&path).expect("removed");
        }
    }
}

#[test]
fn what_has_several_meanings_is_not_repaired() {
    let folder = tempfile::tempdir().expect("a folder");
    for (right, wrong) in [
        // Two names are as similar.
        (
            "    Named:",
            "    Nama: {type: string}\n    Namb: {type: string}\n    Other:",
        ),
        // The corrected path exists.
        (
            "paths:\n",
            "paths:\n  pets/{id}: {get: {operationId: other, responses: {'204': {description: none}}}}\n",
        ),
        (
            "'#/components/responses/NotFound'",
            "'#/components/responses/Teapot'",
        ),
    ] {
        assert!(DOCUMENT.contains(right), "{right}");
        let builder = written(folder.path(), &DOCUMENT.replace(right, wrong));
        let before = plan(&builder);
        assert!(!before.diagnostics.is_empty(), "{wrong}");
        let path = folder.path().join("fixes.overlay.yaml");
        let proposal = builder.propose_overlay(&before, &path).expect("a proposal");
        assert_eq!(proposal.text, None, "{wrong}");
        let errors =
            |diagnostics: &bothends::Diagnostics| diagnostics.count(bothends::Severity::Error);
        assert_eq!(errors(&proposal.remaining), errors(&before.diagnostics));
    }
}

#[test]
fn the_actions_stop_where_the_document_has_changed() {
    let folder = tempfile::tempdir().expect("a folder");
    let broken = DOCUMENT.replace("responses/NotFound'", "responses/Notfound'");
    let builder = written(folder.path(), &broken);
    let path = folder.path().join("fixes.overlay.yaml");
    let proposal = builder.propose_overlay(&plan(&builder), &path);
    std::fs::write(&path, proposal.expect("a proposal").text.expect("a text")).expect("written");
    let builder = written(folder.path(), DOCUMENT).overlay(&path);
    let found: Vec<_> = plan(&builder)
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.code.id)
        .collect();
    assert_eq!(found, ["E0022"]);
}
