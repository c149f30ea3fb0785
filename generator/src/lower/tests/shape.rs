//! Tests of merging the parts of an `allOf`.

use crate::ir::Unknown;

use super::{field, inner, object, schemas};

#[test]
fn properties_of_all_parts_are_fields_in_the_order_of_the_parts() {
    let (api, reported) = schemas(
        "A: {type: object, properties: {x: {type: string}}}
B:
  allOf:
    - {$ref: '#/components/schemas/A'}
    - {type: object, properties: {y: {type: integer}}, required: [x]}",
    );
    assert!(reported.is_empty(), "{reported:?}");
    let fields = &object(&api, "B").fields;
    let names: Vec<&str> = fields
        .iter()
        .map(|field| field.name.wire.as_str())
        .collect();
    assert_eq!(names, ["x", "y"]);
    assert_eq!(field(&api, "A", "x"), "Option<String>");
    assert_eq!(field(&api, "B", "x"), "String");
}

#[test]
fn a_redundant_part_keeps_the_type() {
    let (api, reported) = schemas(
        "Booking: {type: object, properties: {id: {type: string}}}
Kind: {type: string, enum: [a, b]}
Page:
  allOf:
    - properties:
        data: {type: array, items: {type: object}}
        one: {type: object}
        any: {}
        kind: {type: string}
        count: {type: number}
    - properties:
        data: {type: array, items: {$ref: '#/components/schemas/Booking'}}
        one: {$ref: '#/components/schemas/Booking'}
        any: {$ref: '#/components/schemas/Booking'}
        kind: {$ref: '#/components/schemas/Kind'}
        count: {type: integer}",
    );
    assert!(reported.is_empty(), "{reported:?}");
    for (property, ty) in [
        ("data", "Option<Vec<Booking>>"),
        ("one", "Option<Booking>"),
        ("any", "Option<Booking>"),
        ("kind", "Option<Kind>"),
        ("count", "Option<i64>"),
    ] {
        assert_eq!(field(&api, "Page", property), ty, "{property}");
    }
    assert_eq!(api.types.len(), 3);
}

#[test]
fn the_order_of_the_parts_is_irrelevant() {
    let (api, _) = schemas(
        "Booking: {type: object, properties: {id: {type: string}}}
Same: {allOf: [{$ref: '#/components/schemas/Booking'}, {type: object}]}
Page:
  allOf:
    - properties: {data: {type: array, items: {$ref: '#/components/schemas/Booking'}}}
    - properties: {data: {type: array, items: {type: object}}}",
    );
    assert_eq!(field(&api, "Page", "data"), "Option<Vec<Booking>>");
    assert_eq!(inner(&api, "Same"), ("Booking".to_owned(), true));
}

#[test]
fn a_part_that_takes_null_away_is_not_idle() {
    let (api, _) = schemas(
        "Booking: {type: [object, 'null'], properties: {id: {type: string}}}
Page:
  allOf:
    - properties: {one: {type: object}, two: {type: [object, 'null']}}
    - properties:
        one: {$ref: '#/components/schemas/Booking'}
        two: {$ref: '#/components/schemas/Booking'}
  required: [one, two]",
    );
    assert_eq!(field(&api, "Page", "one"), "PageOne");
    assert_eq!(field(&api, "Page", "two"), "Option<Booking>");
}

#[test]
fn a_part_with_bounds_or_properties_of_its_own_is_not_idle() {
    let (api, _) = schemas(
        "Booking: {type: object, properties: {id: {type: string}}}
Page:
  allOf:
    - properties: {a: {type: object, minProperties: 1}, b: {properties: {x: {type: string}}}}
    - properties:
        a: {$ref: '#/components/schemas/Booking'}
        b: {$ref: '#/components/schemas/Booking'}",
    );
    assert_eq!(field(&api, "Page", "a"), "Option<PageA>");
    assert_eq!(field(&api, "Page", "b"), "Option<PageB>");
    assert_eq!(field(&api, "PageB", "x"), "Option<String>");
    assert_eq!(field(&api, "PageB", "id"), "Option<String>");
}

#[test]
fn parts_of_different_types_are_reported_and_accept_any_value() {
    let (api, reported) = schemas("A: {allOf: [{type: string}, {type: array, items: {}}]}");
    assert_eq!(inner(&api, "A"), ("Json".to_owned(), true));
    assert_eq!(reported.len(), 1);
}

#[test]
fn an_integer_is_narrower_than_a_number() {
    let (api, reported) = schemas("A: {allOf: [{type: number}, {type: integer, maximum: 5}]}");
    assert_eq!(inner(&api, "A").0, "i64");
    assert!(reported.is_empty(), "{reported:?}");
}

#[test]
fn one_part_that_refuses_further_properties_refuses_them_for_all() {
    let (api, _) = schemas(
        "A:
  allOf:
    - {type: object, properties: {x: {type: string}}, additionalProperties: {type: string}}
    - {type: object, properties: {y: {type: string}}, additionalProperties: false}",
    );
    assert!(matches!(object(&api, "A").unknown, Unknown::Refused));
}

#[test]
fn listed_values_of_two_parts_are_those_that_both_list() {
    let (api, _) =
        schemas("A: {allOf: [{type: string, enum: [a, b, c]}, {type: string, enum: [b, c, d]}]}");
    let crate::ir::TypeKind::StringEnum(string_enum) = &super::def(&api, "A").kind else {
        panic!("no enum");
    };
    let values: Vec<&str> = string_enum
        .variants
        .iter()
        .map(|variant| variant.name.wire.as_str())
        .collect();
    assert_eq!(values, ["b", "c"]);
}

#[test]
fn conditions_with_many_schemas_are_charged() {
    let reported = |users: usize| {
        let all = (0..1_000).map(|at| format!("{{$ref: '#/components/schemas/P{at}'}}"));
        let mut text = format!("Big: {{oneOf: [{}]}}\n", all.collect::<Vec<_>>().join(", "));
        for at in 0..1_000 {
            text += &format!("P{at}: {{properties: {{x: {{$ref: '#/components/schemas/X'}}}}}}\n");
        }
        for at in 0..users {
            text +=
                &format!("A{at}: {{type: object, then: {{$ref: '#/components/schemas/Big'}}}}\n");
        }
        let (api, reported) = schemas(&(text + "X: {type: string}"));
        assert_eq!(field(&api, "A0", "x"), "Option<X>");
        reported.contains(&"E0111")
    };
    assert!(!reported(10));
    assert!(reported(600));
}
