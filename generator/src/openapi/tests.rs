//! Tests of the interface to `openapiv3`.

use std::path::Path;

use super::{bundle, import, to_text};
use crate::diagnostic::{Diagnostics, codes};
use crate::dialect;
use crate::model::Model;
use crate::source::{Limits, MemoryLoader, Overlays, Sources, load_with};

/// Reads a document of several files and bundles it. `Err` contains the diagnostics.
fn bundle_files(files: &[(&str, &str)]) -> Result<(Model, String), String> {
    let mut loader = MemoryLoader::new();
    for (path, text) in files {
        loader.add(path, *text);
    }
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let root = Path::new(files[0].0);
    let tree = load_with(
        &loader,
        root,
        &Limits::default(),
        &mut sources,
        &mut diagnostics,
    );
    let bundled = tree.and_then(|tree| {
        let model = dialect::read(&tree, &mut diagnostics)?;
        let document = bundle(&tree, &model, None, &mut diagnostics)?;
        Some((model, to_text(&document, false).unwrap()))
    });
    // Examples of the corpus contradict their schemas, which a bundle keeps.
    let of_document = [codes::NOT_CHECKED, codes::EXAMPLE];
    let reported: Vec<_> = diagnostics
        .iter()
        .filter(|it| !of_document.contains(&it.code))
        .map(|it| format!("{} {}", it.code.id, it.message))
        .collect();
    bundled
        .filter(|_| reported.is_empty())
        .ok_or_else(|| reported.join("\n"))
}

fn bundled(text: &str) -> String {
    bundle_files(&[("api.yaml", text)]).unwrap().1
}

#[test]
fn schemas_of_other_files_become_components() {
    let files = [
        (
            "api.yaml",
            "openapi: 3.0.0\ninfo: {title: T, version: '1', contact: {name: N}}\npaths: {/a: {$ref: a.yaml}}\ncomponents: {schemas: {Pet: {$ref: pet.yaml}, \
                      Old: {$ref: '#/components/schemas/New'}, New: {type: string}}}",
        ),
        (
            "a.yaml",
            "get: {operationId: a, responses: {200: {description: ok, content: {application/json: {schema: {type: array, items: {$ref: pet.yaml}}}}}}}",
        ),
        (
            "pet.yaml",
            "type: object\nproperties: {toy: {$ref: 'toys.yaml#/definitions/Toy'}, own: {type: string}, parent: {$ref: pet.yaml}}",
        ),
        (
            "toys.yaml",
            "definitions: {Toy: {type: string, description: squeaks}}",
        ),
    ];
    let wanted = "\
openapi: 3.0.3
info:
  title: T
  contact:
    name: N
  version: '1'
paths:
  /a:
    get:
      operationId: a
      responses:
        '200':
          description: ok
          content:
            application/json:
              schema:
                type: array
                items:
                  $ref: '#/components/schemas/Pet'
components:
  schemas:
    Pet:
      type: object
      properties:
        toy:
          $ref: '#/components/schemas/Toy'
        own:
          type: string
        parent:
          $ref: '#/components/schemas/Pet'
    New:
      type: string
    Toy:
      description: squeaks
      type: string
    Old:
      $ref: '#/components/schemas/New'
";
    assert_eq!(bundle_files(&files).unwrap().1, wanted);
}

#[test]
fn content_without_a_form_in_3_0_is_under_x_keys() {
    let text = bundled(
        "openapi: 3.2.0\ninfo: {title: T, version: '1'}\nwebhooks: {paid: {post: {responses: {200: {description: ok}}}}}\n\
         paths: {/a: {query: {responses: {200: {description: ok, content: {application/jsonl: {itemSchema: {type: string}}}}}}}}\n\
         components: {schemas: {T: {type: [integer, string, 'null']}, P: {type: array, prefixItems: [{type: string}], items: false}, \
         C: {const: 5}, N: {type: 'null'}, R: {$ref: '#/components/schemas/C', description: d}, M: {patternProperties: {'^x': {type: string}}}, \
         E: {type: number, exclusiveMinimum: 0}, \
         D: {type: object, dependentRequired: {a: [b]}, propertyNames: {maxLength: 3}}}, securitySchemes: {m: {type: mutualTLS}}}",
    );
    for part in [
        "x-webhooks:\n  paid:\n    post:\n",
        "x-additionalOperations:\n      QUERY:\n",
        "x-itemSchema:\n                  type: string\n",
        "    T:\n      nullable: true\n      anyOf:\n      - type: integer\n      - type: string\n",
        "    P:\n      x-prefixItems:\n      - type: string\n      type: array\n      items:\n        not: {}\n",
        "    C:\n      enum:\n      - 5\n",
        "    N:\n      nullable: true\n      enum:\n      - null\n",
        "    R:\n      description: d\n      allOf:\n      - $ref: '#/components/schemas/C'\n",
        "    M:\n      x-patternProperties:\n        ^x:\n          type: string\n",
        "    E:\n      type: number\n      exclusiveMinimum: true\n      minimum: 0.0\n",
        "    D:\n      x-propertyNames:\n        maxLength: 3\n      x-dependentRequired:\n        a:\n        - b\n      type: object\n",
        "  x-securitySchemes:\n    m:\n      type: mutualTLS\n",
    ] {
        assert!(text.contains(part), "{part}\nin\n{text}");
    }
}

#[test]
fn swagger_2_becomes_3_0() {
    let text = bundled(
        "swagger: '2.0'\ninfo: {title: T, version: '1'}\nhost: x.test\nparameters: {L: {in: query, name: limit, type: integer}}\n\
         responses: {Gone: {description: gone}}\npaths: {/a: {post: {parameters: [{$ref: '#/parameters/L'}, {in: formData, name: f, type: file}], \
         responses: {200: {description: ok, schema: {$ref: '#/definitions/A'}}, 410: {$ref: '#/responses/Gone'}}}}}\ndefinitions: {A: {type: object, x-nullable: true}}",
    );
    for part in [
        "servers:\n- url: https://x.test\n",
        "      parameters:\n      - $ref: '#/components/parameters/L'\n",
        "multipart/form-data:\n            schema:\n              type: object\n              properties:\n                f:\n                  type: string\n                  format: binary\n",
        "'410':\n          $ref: '#/components/responses/Gone'\n",
        "    A:\n      nullable: true\n      x-nullable: true\n      type: object\n",
        "    L:\n      in: query\n      name: limit\n",
    ] {
        assert!(text.contains(part), "{part}\nin\n{text}");
    }
}

#[test]
fn typed_documents_are_read() {
    let document: openapiv3::OpenAPI = serde_json::from_str(
        r#"{"openapi": "3.0.0", "info": {"title": "T", "version": "1"}, "paths": {"/a": {"get": {"operationId": "a", "responses": {"200": {"description": "ok"}}}}}}"#,
    )
    .unwrap();
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let none = Overlays {
        loader: &MemoryLoader::new(),
        files: &[],
        stands_for: None,
        lenient: false,
    };
    let tree = import(
        "typed.json",
        &document,
        &none,
        &mut sources,
        &mut diagnostics,
    )
    .unwrap();
    let model = dialect::read(&tree, &mut diagnostics).unwrap();
    assert!(diagnostics.is_empty());
    assert_eq!(model.operations[0].id.as_deref(), Some("a"));
    assert_eq!(sources.paths().next(), Some(Path::new("typed.json")));
}

#[test]
fn json_and_yaml_are_read_alike() {
    let document: openapiv3::OpenAPI = serde_json::from_str(
        r#"{"openapi": "3.0.0", "info": {"title": "T", "version": "1"}, "paths": {}, "servers": [{"url": "/", "variables": {"v": {"default": "a"}}}]}"#,
    )
    .unwrap();
    let json: serde_json::Value = serde_json::from_str(&to_text(&document, true).unwrap()).unwrap();
    let yaml: serde_json::Value =
        serde_yaml::from_str(&to_text(&document, false).unwrap()).unwrap();
    assert_eq!(json, yaml);
    assert!(!json.to_string().contains("null"), "{json}");
}

#[test]
fn a_schema_that_is_a_part_of_itself_is_referred_to() {
    let text = r##"{"openapi": "3.0.0", "info": {"title": "T", "version": "1"}, "paths": {},
        "components": {"schemas": {"A": {"properties": {
            "b": {"allOf": [{"$ref": "#/components/schemas/A/properties/b"}]}}}}}}"##;
    let (_, bundled) = bundle_files(&[("api.json", text)]).unwrap();
    let bundled: serde_json::Value = serde_yaml::from_str(&bundled).unwrap();
    let schemas = &bundled["components"]["schemas"];
    let itself = serde_json::json!({ "allOf": [{ "$ref": "#/components/schemas/b" }] });
    assert_eq!(schemas["A"]["properties"]["b"], itself);
    assert_eq!(schemas["b"], itself);
}

#[test]
fn a_schema_of_unevaluated_properties_refuses_no_property_of_a_part() {
    let text = "openapi: 3.1.0\ninfo: {title: T, version: '1'}\npaths: {}\ncomponents:\n  schemas:\n    \
                A: {allOf: [{properties: {a: {type: string}}}], unevaluatedProperties: {type: integer}}\n    \
                B: {unevaluatedProperties: {type: integer}, additionalProperties: {type: string}}\n";
    let bundled: serde_json::Value = serde_yaml::from_str(&bundled(text)).unwrap();
    let schemas = &bundled["components"]["schemas"];
    let integer = serde_json::json!({ "type": "integer" });
    assert_eq!(schemas["A"]["x-unevaluatedProperties"], integer);
    assert_eq!(schemas["A"].get("additionalProperties"), None);
    let string = serde_json::json!({ "type": "string" });
    assert_eq!(schemas["B"]["additionalProperties"], string);
}

/// Asserts that bundling a bundled document changes nothing and loses no operation.
#[test]
fn bundles_of_the_corpus_stay_as_they_are() {
    let Some(corpus) = bothends_test_environment::corpus("bundles_of_the_corpus_stay_as_they_are")
    else {
        return;
    };
    let mut count = 0;
    for part in [
        "adyen-openapi/json.NotificationConfigurationService-v6.json",
        "oas-examples/2.0.yaml.petstore.yaml",
        "oas-examples/3.1.yaml.train-travel.yaml",
        "ogen/_testdata.positive.sample.json",
        "progenitor/sample_openapi.nexus.json",
        "Xero-OpenAPI/xero_bankfeeds.yaml",
    ] {
        let path = corpus.join(part);
        let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
        let tree =
            crate::source::load(&path, &Limits::default(), &mut sources, &mut diagnostics).unwrap();
        let model = dialect::read(&tree, &mut diagnostics).unwrap();
        let document = bundle(&tree, &model, None, &mut diagnostics)
            .unwrap_or_else(|| panic!("{part}: {diagnostics:?}"));
        let once = to_text(&document, false).unwrap();
        let (again, twice) = bundle_files(&[("again.yaml", &once)])
            .unwrap_or_else(|reported| panic!("{part}: {reported}"));
        assert_eq!(again.operations.len(), model.operations.len(), "{part}");
        assert_eq!(again.webhooks.len(), model.webhooks.len(), "{part}");
        assert!(once == twice, "{part} changes when it is bundled again");
        count += 1;
    }
    eprintln!("{count} bundles of the corpus stay as they are");
}
