//! Names of types, as users see them.

use std::path::Path;

use bothends::Builder;
use tempfile::TempDir;

/// Returns the names of the structs and enums of files of which the first is the root document, in the
/// order of the alphabet, without those that each document has.
fn names(files: &[(&str, &str)], chosen: &[(&str, &str)]) -> Vec<String> {
    let folder = TempDir::new().expect("a folder");
    for (path, text) in files {
        let path = folder.path().join(path);
        std::fs::create_dir_all(path.parent().unwrap_or(Path::new(""))).expect("a folder");
        std::fs::write(path, text).expect("written");
    }
    let mut builder = Builder::new(folder.path().join(files[0].0)).module(true);
    for (place, name) in chosen {
        builder = builder.rename(*place, *name);
    }
    let plan = builder.plan().expect("settings");
    assert!(!plan.has_errors(), "{:?}", plan.diagnostics);
    let lines = plan.files.iter().flat_map(|file| file.text.lines());
    let item = |line: &str| {
        let (kind, rest) = line.trim_start().strip_prefix("pub ")?.split_once(' ')?;
        let name = rest.split(|at: char| !at.is_alphanumeric()).next()?;
        let is_item = ["struct", "enum"].contains(&kind) && name != "Client";
        is_item.then(|| name.to_owned())
    };
    let mut names: Vec<String> = lines.filter_map(item).collect();
    names.sort();
    names
}

/// A document with these paths and these schemas.
fn document(paths: &str, schemas: &str) -> String {
    format!(
        "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths: {{{paths}}}\n\
         components: {{schemas: {{{schemas}}}}}\n"
    )
}

/// The names of a document with one schema, `A`.
fn of_schema(schema: &str) -> Vec<String> {
    names(&[("api.yaml", &document("", &format!("A: {schema}")))], &[])
}

const COMMON: &str = "components: {schemas: {\
    Money: {type: object, properties: {unit: {type: string, enum: [EUR, USD]}, \
        agent: {$ref: '#/components/schemas/Agent'}}}, \
    Agent: {type: object, properties: {code: {type: integer}}}}}";
const AGENT: &str = "{type: object, properties: {role: {type: string, enum: [boss, worker]}}}";
const ROOT: &str = "Sale: {type: object, properties: {money: {$ref: 'common.yaml#/components/schemas/Money'}, \
    unit: {$ref: 'common.yaml#/components/schemas/Money/properties/unit'}, \
    by: {$ref: 'schemas/Agent.yaml'}}}";

#[test]
fn types_of_other_files_are_named_by_their_pointers_or_files() {
    let files = [
        ("api.yaml", &*document("", ROOT)),
        ("common.yaml", COMMON),
        ("schemas/Agent.yaml", AGENT),
    ];
    // The file `common.yaml` precedes the folder `schemas`.
    let expected = [
        "Agent",
        "Money",
        "MoneyUnit",
        "Sale",
        "SchemasAgent",
        "SchemasAgentRole",
    ];
    assert_eq!(names(&files, &[]), expected);
    let chosen = [
        ("schemas/Agent.yaml", "Broker"),
        ("common.yaml#/components/schemas/Agent", "Clerk"),
        (
            "common.yaml#/components/schemas/Money/properties/unit",
            "Currency",
        ),
    ];
    let expected = ["Broker", "BrokerRole", "Clerk", "Currency", "Money", "Sale"];
    assert_eq!(names(&files, &chosen), expected);
}

#[test]
fn a_schema_at_another_place_is_named_by_the_pointer_and_not_by_its_first_user() {
    let schemas = "Cat: {type: object, properties: {kind: {$ref: '#/components/schemas/Pet/properties/kind'}, \
        home: {$ref: '#/definitions/home'}}}, \
        Pet: {type: object, properties: {kind: {type: string, enum: [a, b]}}}";
    let parameters = "parameters: [{name: sort, in: query, schema: ";
    let responses = "responses: {'200': {description: d";
    let body =
        "content: {application/json: {schema: {type: object, properties: {x: {type: string}}}}}";
    let paths = format!(
        "/b: {{post: {{operationId: putB, {parameters}{{$ref: '#/paths/~1a/get/parameters/0/schema'}}}}], \
         requestBody: {{content: {{application/json: {{schema: \
         {{$ref: '#/paths/~1a/get/responses/200/content/application~1json/schema'}}}}}}}}, {responses}}}}}}}}}, \
         /a: {{get: {{operationId: getA, {parameters}{{type: string, enum: [up, down]}}}}], {responses}, {body}}}}}}}}}"
    );
    let text = document(&paths, schemas)
        + "definitions: {home: {type: object, properties: {street: {type: string}}}}\n";
    let expected = [
        "Cat",
        "GetA200Body",
        "GetARequest",
        "GetASortParameter",
        "Home",
        "Pet",
        "PetKind",
        "PutBRequest",
    ];
    assert_eq!(names(&[("api.yaml", &text)], &[]), expected);
}

#[test]
fn an_inherited_type_is_named_by_the_schema_that_has_it() {
    let schemas = "Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {x: {type: string}}}]}, \
        Pet: {type: object, properties: {kind: {type: string, enum: [a, b]}}}";
    let found = names(&[("api.yaml", &document("", schemas))], &[]);
    assert_eq!(found, ["Cat", "Pet", "PetKind"]);
}

#[test]
fn a_title_that_is_a_name_names_an_inline_type() {
    let inner = |title: &str| {
        of_schema(&format!(
            "{{type: object, properties: {{kind: {{title: {title}, type: string, enum: [a, b]}}}}}}"
        ))
    };
    assert_eq!(inner("ReportKind"), ["A", "ReportKind"]);
    // The name of the property, the name of a component, reserved names and sentences are no names.
    for title in ["Kind", "A", "Option", "The kind", "kind2"] {
        assert_eq!(inner(title), ["A", "AKind"], "{title}");
    }
    let both = of_schema(
        "{type: object, properties: {x: {title: Side, type: string, enum: [a, b]}, \
         y: {title: Side, type: string, enum: [a, c]}}}",
    );
    assert_eq!(both, ["A", "AX", "AY"], "two types have the title");
    let both = of_schema(
        "{type: object, properties: {x: {title: Side, type: string, enum: [a, b]}, \
         y: {title: Side, type: string, enum: [a, b]}}}",
    );
    assert_eq!(both, ["A", "Side"], "equal types are one");
}

#[test]
fn alternatives_of_one_kind_are_named_by_a_property_that_only_they_require() {
    let object = |name: &str| {
        format!(
            "{{type: object, required: [{name}, at], properties: {{{name}: {{type: string}}, at: {{type: string}}}}}}"
        )
    };
    let names_of = |first: &str, second: &str| {
        of_schema(&format!(
            "{{oneOf: [{}, {}]}}",
            object(first),
            object(second)
        ))
    };
    assert_eq!(names_of("url", "id"), ["A", "AId", "AUrl"]);
}

#[test]
fn a_request_and_a_component_have_different_names() {
    let paths = "/chat: {post: {operationId: chat, requestBody: {content: {application/json: {schema: \
        {$ref: '#/components/schemas/ChatRequest'}}}}, responses: {'204': {description: d}}}}";
    let schemas = "ChatRequest: {type: object, properties: {x: {type: string}}}";
    let found = names(&[("api.yaml", &document(paths, schemas))], &[]);
    assert_eq!(found, ["ChatOpRequest", "ChatRequest"]);
}

#[test]
fn generic_names_lose_their_quotes() {
    let schemas = "Page«User»: {type: object, properties: {x: {type: string}}}";
    let found = names(&[("api.yaml", &document("", schemas))], &[]);
    assert_eq!(found, ["PageUser"]);
}

#[test]
fn shared_types_of_requests_and_of_responses_have_different_words() {
    let schema = |name: &str, last: &str| {
        format!(
            "{name}: {{type: object, properties: {{state: {{type: string, enum: [a, b, c, {last}]}}}}}}"
        )
    };
    let schemas = [
        schema("In1", "d"),
        schema("In2", "d"),
        schema("Out1", "e"),
        schema("Out2", "e"),
    ]
    .join(", ");
    let content = |name: &str| {
        format!(
            "content: {{application/json: {{schema: {{$ref: '#/components/schemas/{name}'}}}}}}"
        )
    };
    let path = |at: u8| {
        let (body, response) = (content(&format!("In{at}")), content(&format!("Out{at}")));
        format!(
            "/p{at}: {{post: {{operationId: p{at}, requestBody: {{{body}}}, \
             responses: {{'200': {{description: d, {response}}}}}}}}}"
        )
    };
    let paths = [path(1), path(2)].join(", ");
    let found = names(&[("api.yaml", &document(&paths, &schemas))], &[]);
    let expected = [
        "AOrBOrCStateRequest",
        "AOrBOrCStateResponse",
        "In1",
        "In2",
        "Out1",
        "Out2",
        "P1Request",
        "P2Request",
    ];
    assert_eq!(found, expected);
}

/// Returns the variants of an enum in the code for a document.
fn variants(name: &str, document: &str) -> Vec<String> {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.yaml");
    std::fs::write(&path, document).expect("written");
    let plan = bothends::Builder::new(path).module(true).plan();
    let plan = plan.expect("settings");
    let text = &plan.files.first().expect("a file").text;
    let (_, body) = text.split_once(&format!("pub enum {name} {{")).expect(name);
    let (body, _) = body.split_once("}\n").expect("an end");
    let lines = body
        .lines()
        .map(str::trim)
        .filter(|line| !line.starts_with("//"));
    let names = lines.filter_map(|line| line.split(['(', ',']).next());
    names
        .filter(|name| !name.is_empty())
        .map(str::to_owned)
        .collect()
}

#[test]
fn titles_of_numbers_and_usual_media_types_name_variants() {
    let schemas = "State: {oneOf: [{const: 0, title: Off}, {const: 1, title: Half on}]}";
    let found = variants("State", &document("", schemas));
    assert_eq!(found, ["Off", "HalfOn", "Unrecognized"]);
    let paths = "/a: {get: {operationId: a, responses: {'200': {description: d, content: \
        {application/x-ndjson: {schema: {type: object}}, application/json: {schema: {type: object}}}}}}}";
    let found = variants("AOkContent", &document(paths, ""));
    assert_eq!(found, ["NdJson", "Json"]);
}
