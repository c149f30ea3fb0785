//! Tests of validation rules.

use crate::ir::{Bound, Rule, Unknown};

use super::super::Options;
use super::{def, document, lower_with, object};

/// Lowers schemas of which `Root` is the body of a request.
fn requested(schemas: &str) -> crate::ir::Api {
    with_paths(
        "requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Root'}}}}
    responses: {'204': {description: d}}",
        schemas,
    )
}

fn with_paths(operation: &str, schemas: &str) -> crate::ir::Api {
    let paths = format!("/x:\n  post:\n    operationId: run\n    {operation}");
    let schemas = format!("schemas:\n  {}", schemas.replace('\n', "\n  "));
    lower_with(&document(&paths, &schemas), &Options::default()).0
}

#[track_caller]
fn rules<'a>(api: &'a crate::ir::Api, name: &str, property: &str) -> &'a [Rule] {
    let fields = &object(api, name).fields;
    let found = fields.iter().find(|field| field.name.wire == property);
    &found.expect("the property").rules
}

#[test]
fn a_rule_stands_where_the_value_is_used() {
    let api = requested(
        "Root:
  type: object
  properties:
    a: {type: string, minLength: 1, maxLength: 5}
    b: {type: integer, minimum: 1, exclusiveMaximum: 9}
    c: {type: array, minItems: 1, uniqueItems: true, items: {type: string, minLength: 2}}
    d: {type: object, additionalProperties: {type: integer, multipleOf: 3}}
    e: {type: string}",
    );
    assert_eq!(
        rules(&api, "Root", "a"),
        [Rule::MinLength(1), Rule::MaxLength(5)]
    );
    let bounds = [
        Rule::Minimum(Bound::Int(1)),
        Rule::ExclusiveMaximum(Bound::Int(9)),
    ];
    assert_eq!(rules(&api, "Root", "b"), bounds);
    let list = [
        Rule::MinItems(1),
        Rule::UniqueItems,
        Rule::Items(vec![Rule::MinLength(2)]),
    ];
    assert_eq!(rules(&api, "Root", "c"), list);
    let values = Rule::AdditionalProperties(vec![Rule::MultipleOf(Bound::Int(3))]);
    assert_eq!(rules(&api, "Root", "d"), [values]);
    assert!(rules(&api, "Root", "e").is_empty());
}

#[test]
fn a_newtype_has_the_rules_and_its_users_have_none() {
    let api = requested(
        "Key: {type: string, minLength: 3}
Root: {type: object, properties: {key: {$ref: '#/components/schemas/Key'}}}",
    );
    assert_eq!(def(&api, "Key").rules, [Rule::MinLength(3)]);
    assert!(rules(&api, "Root", "key").is_empty());
}

#[test]
fn types_without_requests_have_no_rules() {
    let api = with_paths(
        "responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Root'}}}}}",
        "Key: {type: string, minLength: 3}
Root: {type: object, properties: {key: {$ref: '#/components/schemas/Key'}, a: {type: string, minLength: 1}}}",
    );
    assert!(def(&api, "Key").rules.is_empty());
    assert!(rules(&api, "Root", "key").is_empty() && rules(&api, "Root", "a").is_empty());
}

#[test]
fn all_parts_of_an_all_of_hold() {
    let api = requested(
        "Root:
  type: object
  properties:
    a: {allOf: [{type: string, minLength: 1, maxLength: 9, pattern: a}, {minLength: 3, maxLength: 20, pattern: b}]}",
    );
    let found = rules(&api, "Root", "a");
    assert!(found.contains(&Rule::MinLength(3)) && found.contains(&Rule::MaxLength(9)));
    let patterns = found
        .iter()
        .filter(|rule| matches!(rule, Rule::Pattern(..)));
    assert_eq!(patterns.count(), 2);
}

#[test]
fn a_rule_that_the_type_implies_is_omitted() {
    let api = requested(
        "Root:
  type: object
  properties:
    small: {type: integer, format: uint8, minimum: 0, maximum: 255}
    v4: {type: string, format: ipv4}
    v6: {type: string, format: ipv6, minLength: 2}
    ten: {type: string, format: ipv4, pattern: '^10\\.'}
    mail: {type: string, format: email}",
    );
    for property in ["small", "v4", "v6"] {
        assert!(rules(&api, "Root", property).is_empty(), "{property}");
    }
    assert!(matches!(rules(&api, "Root", "ten"), [Rule::Pattern(..)]));
    assert_eq!(
        rules(&api, "Root", "mail"),
        [Rule::Format("email".to_owned())]
    );
}

#[test]
fn rules_of_objects_belong_to_their_types() {
    let api = requested(
        "Root:
  type: object
  properties: {a: {type: string}}
  minProperties: 1
  dependentRequired: {a: [b]}
  additionalProperties: {type: string, minLength: 1}",
    );
    let root = def(&api, "Root");
    assert!(root.rules.contains(&Rule::MinProperties(1)));
    assert!(root.rules.contains(&Rule::DependentRequired(
        "a".to_owned(),
        vec!["b".to_owned()]
    )));
    let root = object(&api, "Root");
    assert!(matches!(root.unknown, Unknown::Kept(..)));
    assert_eq!(root.each, [Rule::MinLength(1)]);
}

#[test]
fn a_property_that_only_requests_have_is_asked_for_by_a_rule() {
    let api = with_paths(
        "requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Root'}}}}
    responses: {'200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Root'}}}}}",
        "Root: {type: object, required: [word, id], properties: {word: {type: string, writeOnly: true}, id: {type: string, readOnly: true}}}",
    );
    assert_eq!(rules(&api, "Root", "word"), [Rule::Required]);
    assert!(rules(&api, "Root", "id").is_empty());
    assert!(
        object(&api, "Root")
            .fields
            .iter()
            .all(|field| field.optional)
    );
}
