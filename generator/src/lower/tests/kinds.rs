//! Tests of open enums and unions, for both directions.

use crate::ir::Rule;

use super::super::Options;
use super::{def, document, field, lower_with, reject};

const COMPONENTS: &str = "schemas:
  Way: {type: string, enum: [up, down]}
  Size: {type: integer, enum: [1, 2]}
  Said: {type: string, enum: [a, b], x-extensible-enum: true}
  Shut: {type: string, enum: [a, b], x-extensible-enum: false}
  One: {type: string, enum: [a]}
  Fixed: {const: a}
  Both: {type: boolean, enum: [true, false]}
  Tagged:
    discriminator: {propertyName: kind}
    oneOf: [{$ref: '#/components/schemas/Left'}, {$ref: '#/components/schemas/Right'}]
  Complete:
    x-bothends-extensible: false
    discriminator: {propertyName: kind}
    oneOf: [{$ref: '#/components/schemas/Left'}, {$ref: '#/components/schemas/Right'}]
  Untagged: {oneOf: [{type: string, format: uuid}, {type: integer}]}
  Left: {type: object, required: [kind], properties: {kind: {const: left}}}
  Right: {type: object, required: [kind], properties: {kind: {const: right}}}
  All:
    type: object
    properties:
      way: {$ref: '#/components/schemas/Way'}
      size: {$ref: '#/components/schemas/Size'}
      said: {$ref: '#/components/schemas/Said'}
      shut: {$ref: '#/components/schemas/Shut'}
      one: {$ref: '#/components/schemas/One'}
      fixed: {$ref: '#/components/schemas/Fixed'}
      both: {$ref: '#/components/schemas/Both'}
      tagged: {$ref: '#/components/schemas/Tagged'}
      complete: {$ref: '#/components/schemas/Complete'}
      untagged: {$ref: '#/components/schemas/Untagged'}";

const SENT: &str = "/x:
  post:
    operationId: send
    requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/All'}}}}
    responses: {'204': {description: d}}";

const READ: &str = "/y:
  get:
    operationId: read
    responses:
      '200':
        description: d
        content: {application/json: {schema: {$ref: '#/components/schemas/All'}}}";

const ENUMS: [&str; 10] = [
    "Way", "Size", "Said", "Shut", "One", "Fixed", "Both", "Tagged", "Complete", "Untagged",
];

fn open(paths: &str, options: &Options) -> Vec<&'static str> {
    let (api, _) = lower_with(&document(paths, COMPONENTS), options);
    let mut all = ENUMS.to_vec();
    all.retain(|name| def(&api, name).kind.is_open());
    all
}

#[test]
fn a_kind_does_not_depend_on_who_sends_it() {
    let both = format!("{SENT}\n{READ}");
    for paths in [SENT, READ, &both, ""] {
        let found = open(paths, &Options::default());
        assert_eq!(found, ["Way", "Size", "Said", "Tagged"], "{paths}");
    }
}

#[test]
fn the_configuration_closes_what_the_document_does_not_open() {
    for paths in [SENT, READ] {
        assert_eq!(open(paths, &reject()), ["Said"]);
    }
}

/// Zalando's guidelines have the list in the place of `enum`.
#[test]
fn a_list_of_known_values_is_an_open_enum() {
    let schemas = "schemas:
  Alone: {type: string, x-extensible-enum: [a, b]}
  Beside: {type: string, enum: [a], x-extensible-enum: [a, b]}
  Written: {type: string, enum: [a, b], x-extensible-enum: true}";
    let (api, _) = lower_with(&document("", schemas), &Options::default());
    let kind = |name: &str| format!("{:?}", def(&api, name).kind);
    assert!(def(&api, "Written").kind.is_open());
    assert!(kind("Written").contains("\"b\""));
    for name in ["Alone", "Beside"] {
        assert_eq!(kind(name), kind("Written"), "{name}");
    }
}

#[test]
fn a_request_holds_what_is_listed() {
    let known = |paths: &str| {
        let (api, _) = lower_with(&document(paths, COMPONENTS), &Options::default());
        let mut all = ENUMS.to_vec();
        all.retain(|name| def(&api, name).rules.contains(&Rule::Known));
        all
    };
    assert_eq!(known(SENT), ["Way", "Size", "Tagged"]);
    assert!(known(READ).is_empty());
}

#[test]
fn types_around_an_open_enum_of_a_request_are_checked() {
    let paths = "/x/{way}:
  post:
    operationId: send
    parameters:
      - {name: way, in: path, required: true, schema: {$ref: '#/components/schemas/Way'}}
      - {name: ways, in: query, schema: {type: array, items: {$ref: '#/components/schemas/Way'}}}
      - {name: X-Way, in: header, schema: {$ref: '#/components/schemas/Way'}}
      - {name: shut, in: query, schema: {$ref: '#/components/schemas/Shut'}}
    requestBody:
      content:
        application/json:
          schema: {type: object, additionalProperties: {$ref: '#/components/schemas/Way'}}
    responses: {'204': {description: d}}";
    let (api, _) = lower_with(&document(paths, COMPONENTS), &Options::default());
    let known = |name: &str| {
        let def = api.types.iter().find(|def| def.name.wire == name);
        def.expect("a type").rules.contains(&Rule::Known)
    };
    assert!(known("Way"));
    assert!(!known("Shut"));
}

/// A response with a property that only the service writes, and a request with one that only the
/// client writes.
const ONE_SIDED: &str = "schemas:
  Sent: {type: object, required: [id], properties: {id: {type: string, readOnly: true}}}
  Asked: {type: object, required: [word], properties: {word: {type: string, writeOnly: true}}}";

#[test]
fn a_type_without_users_keeps_its_form() {
    let paths = "/x:
  post:
    operationId: x
    requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Asked'}}}}
    responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Sent'}}}}}";
    for paths in [paths, ""] {
        let (api, _) = lower_with(&document(paths, ONE_SIDED), &Options::default());
        assert_eq!(field(&api, "Sent", "id"), "String");
        assert_eq!(field(&api, "Asked", "word"), "String");
    }
}
