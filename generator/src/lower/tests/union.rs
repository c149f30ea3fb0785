//! Tests of choices.

use crate::ir::TypeKind;

use super::{def, field, inner, schemas, union, variants};

const PETS: &str = "Cat: {type: object, required: [kind], properties: {kind: {type: string}, lives: {type: integer}}}
Dog: {type: object, required: [kind], properties: {kind: {type: string}, barks: {type: boolean}}}\n";

fn pets(more: &str) -> (crate::ir::Api, Vec<&'static str>) {
    schemas(&format!("{PETS}{more}"))
}

const EITHER: &str =
    "oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]";

#[test]
fn a_discriminator_without_a_mapping_has_the_names_of_the_schemas() {
    let (api, _) = pets(&format!(
        "Pet: {{{EITHER}, discriminator: {{propertyName: kind}}}}"
    ));
    assert_eq!(union(&api, "Pet").tag.as_deref(), Some("kind"));
    assert_eq!(
        variants(&api, "Pet"),
        ["Cat: Cat [\"Cat\"]", "Dog: Dog [\"Dog\"]"]
    );
}

#[test]
fn a_mapping_lists_the_values_of_the_tag() {
    let (api, _) = pets(&format!(
        "Pet:
  {EITHER}
  discriminator:
    propertyName: kind
    mapping: {{cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog', hound: '#/components/schemas/Dog'}}"
    ));
    assert_eq!(
        variants(&api, "Pet"),
        ["Cat: Cat [\"cat\"]", "Dog: Dog [\"dog\", \"hound\"]"]
    );
}

#[test]
fn listed_values_of_a_required_property_are_a_tag_without_a_discriminator() {
    let (api, _) = schemas(
        "A:
  oneOf:
    - {title: One, type: object, required: [t], properties: {t: {const: one}}}
    - {title: Two, type: object, required: [t], properties: {t: {enum: [two, zwei]}}}
B:
  oneOf:
    - {title: One, type: object, properties: {t: {const: one}}}
    - {title: Two, type: object, required: [t], properties: {t: {const: two}}}",
    );
    assert_eq!(union(&api, "A").tag.as_deref(), Some("t"));
    assert!(union(&api, "A").fallback.is_some());
    assert_eq!(union(&api, "B").tag, None);
    assert!(union(&api, "B").fallback.is_none());
}

#[test]
fn a_tag_that_does_not_distinguish_variants_is_reported_and_not_used() {
    let (api, reported) = schemas(
        "A:
  discriminator: {propertyName: t}
  oneOf:
    - {title: One, type: object, required: [t], properties: {t: {const: same}, x: {type: string}}}
    - {title: Two, type: object, required: [t], properties: {t: {const: same}, y: {type: string}}}",
    );
    assert_eq!(union(&api, "A").tag, None);
    assert!(
        reported
            .iter()
            .any(|code| ["W0304", "W0360"].contains(code)),
        "{reported:?}"
    );
}

#[test]
fn one_alternative_or_null_is_not_a_union() {
    let (api, _) = pets(
        "A: {oneOf: [{$ref: '#/components/schemas/Cat'}]}
Holder:
  type: object
  required: [a, b]
  properties:
    a: {anyOf: [{$ref: '#/components/schemas/Cat'}, {type: 'null'}]}
    b: {type: [string, 'null']}",
    );
    assert_eq!(inner(&api, "A"), ("Cat".to_owned(), true));
    assert_eq!(field(&api, "Holder", "a"), "Option<Cat>");
    assert_eq!(field(&api, "Holder", "b"), "Option<String>");
}

#[test]
fn several_types_are_a_union_of_them() {
    let (api, _) = schemas("A: {type: [string, integer, array], items: {type: boolean}}");
    let all = variants(&api, "A");
    assert_eq!(all.len(), 3, "{all:?}");
    assert!(all.iter().any(|each| each.contains("Vec<Bool>")), "{all:?}");
}

#[test]
fn a_choice_of_values_is_an_enum() {
    let (api, _) = schemas(
        "A: {oneOf: [{const: a, description: The first.}, {const: b}]}
B: {anyOf: [{type: string, enum: [a, b]}, {type: string}]}",
    );
    let TypeKind::StringEnum(string_enum) = &def(&api, "A").kind else {
        panic!("no enum");
    };
    assert_eq!(
        string_enum.variants[0].doc.text.as_deref(),
        Some("The first.")
    );
    assert!(matches!(def(&api, "B").kind, TypeKind::StringEnum(_)));
    assert!(def(&api, "B").kind.is_open());
}

#[test]
fn a_base_with_a_discriminator_is_a_union_of_those_that_extend_it() {
    let (api, _) = schemas(
        "Pet: {type: object, required: [kind], properties: {kind: {type: string}}, discriminator: {propertyName: kind}}
Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {lives: {type: integer}}}]}
Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {barks: {type: boolean}}}]}",
    );
    let names: Vec<&str> = union(&api, "Pet")
        .variants
        .iter()
        .map(|variant| variant.name.rust.as_str())
        .collect();
    assert_eq!(names, ["Cat", "Dog", "Base"]);
    assert_eq!(field(&api, "Cat", "kind"), "String");
}

#[test]
fn alternatives_that_may_match_together_have_a_place_each() {
    let (api, _) = schemas(
        "A:
  anyOf: [{$ref: '#/components/schemas/X'}, {$ref: '#/components/schemas/Y'}]
X: {type: object, properties: {x: {type: string}}}
Y: {type: object, properties: {y: {type: string}}}",
    );
    assert!(union(&api, "A").several);
}

#[test]
fn a_required_list_that_the_alternatives_have_makes_no_second_type() {
    let (api, _) = pets(&format!(
        "Pet: {{{EITHER}, type: object, required: [kind]}}
Named: {{{EITHER}, required: [kind, name]}}"
    ));
    assert_eq!(variants(&api, "Pet"), ["Cat: Cat []", "Dog: Dog []"]);
    // An alternative that does not imply the surrounding constraints gets a type of its own.
    assert_eq!(
        variants(&api, "Named"),
        ["Cat: NamedCat []", "Dog: NamedDog []"]
    );
}

#[test]
fn a_tag_kept_in_a_closed_variant_is_not_a_required_property_of_the_document() {
    let (api, reported) = schemas(
        "Pet:
  oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
  discriminator:
    propertyName: kind
    mapping: {cat: '#/components/schemas/Cat', dog: '#/components/schemas/Dog', hound: '#/components/schemas/Dog'}
Cat: {type: object, properties: {kind: {type: string}}}
Dog: {type: object, properties: {barks: {type: boolean}}, additionalProperties: false}",
    );
    assert_eq!(union(&api, "Pet").variants[1].tags, ["dog", "hound"]);
    assert!(!reported.contains(&"W0311"), "{reported:?}");
}
