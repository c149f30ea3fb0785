//! Inline types of reusable parameters, headers, bodies and responses.

use super::super::Options;
use super::{def, document, lower_with};
use crate::ir::{Api, Module, Payload, shown};

const COMPONENTS: &str = "parameters:
  Way: {name: way, in: query, schema: {type: string, enum: [up, down]}}
headers:
  Left: {schema: {type: string, enum: [a, b]}}
requestBodies:
  Order:
    content:
      application/json: {schema: {type: object, properties: {n: {type: integer}}}}
      text/plain: {schema: {type: string}}
responses:
  Failed:
    description: d
    headers: {X-Left: {$ref: '#/components/headers/Left'}, X-Own: {schema: {type: string, enum: [c, d]}}}
    content:
      application/json: {schema: {type: object, properties: {why: {type: string}}}}
      text/plain: {schema: {type: string}}
schemas:
  Z: {type: string, enum: [y, z]}";

fn operation(name: &str) -> String {
    format!(
        "/{name}:
  post:
    operationId: {name}
    parameters: [{{$ref: '#/components/parameters/Way'}}]
    requestBody: {{$ref: '#/components/requestBodies/Order'}}
    responses:
      '204': {{description: d}}
      '400': {{$ref: '#/components/responses/Failed'}}
      default: {{$ref: '#/components/responses/Failed'}}\n"
    )
}

fn lowered(names: &[&str]) -> Api {
    let paths: String = names.iter().map(|name| operation(name)).collect();
    lower_with(&document(&paths, COMPONENTS), &Options::default()).0
}

/// Returns the names of the types, in order.
fn types(api: &Api) -> Vec<&str> {
    api.types.iter().map(|def| def.name.rust.as_str()).collect()
}

#[test]
fn they_are_named_after_what_they_stand_in() {
    let api = lowered(&["one"]);
    assert_eq!(
        types(&api),
        [
            "Z",
            "WayParameter",
            "LeftHeader",
            "OrderBody",
            "FailedBody",
            "FailedXOwn"
        ]
    );
    assert!(api.types.iter().all(|def| def.module == Module::Types));
}

#[test]
fn neither_names_nor_order_depend_on_the_operations() {
    let single = lowered(&["one"]);
    let several = lowered(&["zero", "one", "two"]);
    assert_eq!(types(&single), types(&several));
    let ways = several
        .operations
        .iter()
        .map(|operation| shown(&several, &operation.params[0].ty));
    assert!(
        ways.collect::<Vec<_>>()
            .iter()
            .all(|ty| ty == "Option<WayParameter>")
    );
}

#[test]
fn the_enum_of_media_types_is_one_for_all_operations() {
    let api = lowered(&["one", "two"]);
    assert_eq!(api.contents.len(), 2);
    let name = |payload: &Payload| match payload {
        Payload::Many(content, _) => (content.name.rust.clone(), content.shared),
        Payload::One(_) => panic!("one media type"),
    };
    for operation in &api.operations {
        let body = operation.body.as_ref().expect("a body");
        assert_eq!(name(&body.payload), ("OrderContent".to_owned(), Some(0)));
        for error in &operation.errors {
            let payload = error.payload.as_ref().expect("a body");
            assert_eq!(name(payload), ("FailedContent".to_owned(), Some(1)));
        }
    }
}

#[test]
fn a_schema_has_its_name_first() {
    let components = format!("{COMPONENTS}\n  WayParameter: {{type: object, properties: {{}}}}");
    let (api, reported) = lower_with(
        &document(&operation("one"), &components),
        &Options::default(),
    );
    assert!(
        def(&api, "WayParameter")
            .origin
            .pointer()
            .contains("/schemas/")
    );
    assert!(
        def(&api, "WayParameter2")
            .origin
            .pointer()
            .contains("/parameters/")
    );
    assert_eq!(reported, ["W0401"]);
}

#[test]
fn unused_parts_have_no_types() {
    let paths = "/x: {get: {operationId: x, responses: {'204': {description: d}}}}";
    let (api, _) = lower_with(&document(paths, COMPONENTS), &Options::default());
    assert_eq!(types(&api), ["Z"]);
    assert!(api.contents.is_empty());
}

#[test]
fn parameters_and_responses_of_swagger_2_are_reusable_too() {
    let text = "swagger: '2.0'
info: {title: t, version: '1'}
paths:
  /x:
    post:
      operationId: x
      parameters: [{$ref: '#/parameters/Way'}, {$ref: '#/parameters/Order'}]
      responses:
        '200': {$ref: '#/responses/Done'}
parameters:
  Way: {name: way, in: query, type: string, enum: [up, down]}
  Order: {name: order, in: body, schema: {type: object, properties: {n: {type: integer}}}}
responses:
  Done: {description: d, schema: {type: object, properties: {n: {type: integer}}}}";
    let (api, _) = lower_with(text, &Options::default());
    assert_eq!(types(&api), ["WayParameter", "OrderBody", "DoneBody"]);
}

/// Two operations of a path with parameters of the path, in any order and number.
fn of_path(methods: &[&str]) -> Api {
    let mut paths = "/pets/{id}:
  parameters:
    - {name: id, in: path, required: true, schema: {type: string}}
    - {name: mode, in: query, schema: {type: string, enum: [fast, slow]}}\n"
        .to_owned();
    for method in methods {
        paths.push_str(&format!(
            "  {method}: {{operationId: {method}Pet, responses: {{'204': {{description: d}}}}}}\n"
        ));
    }
    lower_with(&document(&paths, "schemas: {}"), &Options::default()).0
}

#[test]
fn parameters_of_a_path_are_named_after_the_path() {
    for methods in [&["get", "put"][..], &["put", "get"], &["put"]] {
        let api = of_path(methods);
        assert_eq!(types(&api), ["PetsIdModeParameter"]);
        assert_eq!(api.types[0].module, Module::Types);
        for operation in &api.operations {
            let ty = shown(&api, &operation.params[1].ty);
            assert_eq!(ty, "Option<PetsIdModeParameter>");
        }
    }
}

#[test]
fn an_operation_owns_the_parameter_that_replaces_one_of_its_path() {
    let paths = "/pets:
  parameters: [{name: mode, in: query, schema: {type: string, enum: [fast, slow]}}]
  get: {operationId: listPets, responses: {'204': {description: d}}}
  post:
    operationId: addPet
    parameters: [{name: mode, in: query, schema: {type: string, enum: [now, later]}}]
    responses: {'204': {description: d}}";
    let (api, _) = lower_with(&document(paths, "schemas: {}"), &Options::default());
    assert_eq!(types(&api), ["PetsModeParameter", "AddPetMode"]);
    let modules: Vec<_> = api.types.iter().map(|def| def.module).collect();
    assert_eq!(modules, [Module::Types, Module::Tag(0)]);
}

#[test]
fn parameters_of_a_reusable_path_item_are_named_after_it() {
    let paths =
        "/a: {$ref: '#/components/pathItems/Item'}\n/b: {$ref: '#/components/pathItems/Item'}";
    let components = "pathItems:
  Item:
    parameters: [{name: mode, in: query, schema: {type: string, enum: [fast, slow]}}]
    get: {responses: {'204': {description: d}}}";
    let (api, _) = lower_with(&document(paths, components), &Options::default());
    assert_eq!(types(&api), ["ItemModeParameter"]);
    assert_eq!(api.operations.len(), 2);
}

#[test]
fn a_body_of_a_path_of_swagger_2_is_named_after_the_path() {
    let text = |methods: &[&str]| {
        let operation_of = |method: &&str| {
            format!(
                "    {method}: {{operationId: {method}Pet, responses: {{'204': {{description: d}}}}}}\n"
            )
        };
        let operations: String = methods.iter().map(operation_of).collect();
        format!(
            "swagger: '2.0'\ninfo: {{title: t, version: '1'}}\npaths:\n  /pets:\n    parameters:\n      - {{name: pet, in: body, schema: {{type: object, properties: {{n: {{type: integer}}}}}}}}\n{operations}"
        )
    };
    for methods in [&["put", "post"][..], &["post"]] {
        let (api, _) = lower_with(&text(methods), &Options::default());
        assert_eq!(types(&api), ["PetsBody"]);
        assert_eq!(api.types[0].module, Module::Types);
    }
}

#[test]
fn types_of_a_reusable_callback_are_named_after_it() {
    let operation = |name: &str| {
        format!(
            "/{name}:
  post:
    operationId: {name}
    callbacks: {{done: {{$ref: '#/components/callbacks/JobDone'}}}}
    responses: {{'204': {{description: d}}}}\n"
        )
    };
    let components = "callbacks:
  JobDone:
    '{$request.body#/url}':
      post:
        parameters: [{name: kind, in: query, schema: {type: string, enum: [a, b]}}]
        requestBody: {content: {application/json: {schema: {type: object, properties: {n: {type: integer}}}}}}
        responses: {'200': {description: d, content: {application/json: {schema: {type: string, enum: [c, d]}}}}}";
    for names in [&["one", "two"][..], &["two"]] {
        let paths: String = names.iter().map(|name| operation(name)).collect();
        let (api, _) = lower_with(&document(&paths, components), &Options::default());
        assert_eq!(types(&api), ["JobDoneKind", "JobDoneBody", "JobDoneOkBody"]);
        assert!(api.types.iter().all(|def| def.module == Module::Types));
        for kind in &api.webhooks {
            let body = kind.body.as_ref().expect("a body");
            let Payload::One(media) = &body.payload else {
                panic!("one media type");
            };
            assert_eq!(shown(&api, &media.ty), "JobDoneBody");
        }
        assert_eq!(api.webhooks.len(), names.len());
    }
}
