//! Tests of properties without a field.

use crate::ir::Api;

use super::super::Options;
use super::{def, document, field, lower_with, object, schemas};

const PAGE: &str = "Page:
  type: object
  required: [kind, id, version, scale, last, none, shared, open, written]
  properties:
    kind: {type: string, const: list}
    id: {type: string}
    version: {type: integer, enum: [2]}
    scale: {type: number, const: -0.5}
    last: {type: boolean, const: true}
    none: {const: null}
    shared: {$ref: '#/components/schemas/Shared'}
    open: {type: string, enum: [a], x-extensible-enum: true}
    maybe: {type: string, const: list}
    written: {type: string, const: x, readOnly: true}
Shared: {type: string, const: shared}";

/// Returns the names of the fields, and the constants with their values and places.
fn rows(api: &Api, name: &str) -> (Vec<String>, Vec<String>) {
    let object = object(api, name);
    let fields = object.fields.iter().map(|field| field.name.wire.clone());
    let constants = object.constants.iter();
    let constants = constants.map(|constant| {
        format!(
            "{} = {:?} at {}",
            constant.wire, constant.value, constant.index
        )
    });
    (fields.collect(), constants.collect())
}

#[test]
fn a_required_property_with_one_value_has_no_field_and_no_type() {
    let (api, _) = schemas(PAGE);
    let (fields, constants) = rows(&api, "Page");
    assert_eq!(fields, ["id", "none", "open", "maybe"]);
    assert_eq!(
        constants,
        [
            "kind = String(\"list\") at 0",
            "version = Int(2) at 1",
            "scale = Float(-0.5) at 1",
            "last = Bool(true) at 1",
            "shared = String(\"shared\") at 2",
            "written = String(\"x\") at 4",
        ]
    );
    let names: Vec<&str> = api.types.iter().map(|ty| ty.name.rust.as_str()).collect();
    assert_eq!(names, ["Page", "Shared", "PageOpen", "PageMaybe"]);
    assert_eq!(field(&api, "Page", "maybe"), "Option<PageMaybe>");
    let required = object(&api, "Page").required();
    let required: Vec<&str> = required
        .iter()
        .map(|property| property.name.wire.as_str())
        .collect();
    assert_eq!(required, ["id", "open"]);
}

#[test]
fn with_derives_of_serde_it_keeps_its_field() {
    let options = Options {
        constant_fields: true,
        ..Options::default()
    };
    let schemas = format!("schemas:\n  {}", PAGE.replace('\n', "\n  "));
    let (api, _) = lower_with(&document("", &schemas), &options);
    let (fields, constants) = rows(&api, "Page");
    assert_eq!((fields.len(), constants.len()), (10, 0));
    let fixed = object(&api, "Page")
        .fields
        .iter()
        .filter(|field| field.fixed);
    assert_eq!(fixed.count(), 7);
    assert!(def(&api, "PageKind").traits.default);
}
