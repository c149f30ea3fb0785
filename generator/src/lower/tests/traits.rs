//! Tests of the derived traits.

use crate::ir::Traits;

use super::{def, schemas};

#[test]
fn a_struct_is_compared_where_all_its_fields_are() {
    let (api, _) = schemas(
        "Plain: {type: object, properties: {a: {type: string}, b: {type: array, items: {type: integer}}, c: {}}}
Float: {type: object, properties: {a: {type: number}}}
Around: {type: object, properties: {a: {$ref: '#/components/schemas/Float'}}}
Keeps: {type: object, properties: {a: {type: string}}, additionalProperties: {type: number}}
Holds: {type: object, properties: {a: {type: object, additionalProperties: {type: string}}}}",
    );
    for (name, traits) in [
        ("Plain", Traits::COMPARED),
        ("Float", Traits::NONE),
        ("Around", Traits::NONE),
        ("Keeps", Traits::NONE),
        ("Holds", Traits::COMPARED),
    ] {
        assert_eq!(def(&api, name).traits, traits, "{name}");
    }
}

#[test]
fn types_that_contain_each_other_share_the_traits_of_all() {
    let (api, _) = schemas(
        "A: {type: object, properties: {b: {$ref: '#/components/schemas/B'}}}
B: {type: object, properties: {a: {$ref: '#/components/schemas/A'}, x: {type: string}}}
C: {type: object, properties: {d: {$ref: '#/components/schemas/D'}}}
D: {type: object, properties: {c: {$ref: '#/components/schemas/C'}, x: {type: number}}}",
    );
    for (name, eq) in [("A", true), ("B", true), ("C", false), ("D", false)] {
        assert_eq!(def(&api, name).traits.eq, eq, "{name}");
    }
}

#[test]
fn enums_are_keys_and_closed_ones_are_copied() {
    let (api, _) = schemas(
        "Open: {type: string, enum: [a, b]}
Shut: {type: string, enum: [a, b], x-extensible-enum: false}
One: {const: 1}
Key: {type: string, pattern: '^a'}
Count: {type: integer, minimum: 1}
Ratio: {type: number, minimum: 1}",
    );
    let constant = Traits {
        copy: true,
        default: true,
        ..Traits::HASHED
    };
    let copied = Traits {
        copy: true,
        ..Traits::NONE
    };
    for (name, traits) in [
        ("Open", Traits::ORDERED),
        ("Shut", Traits::ALL),
        ("One", constant),
        ("Key", Traits::ORDERED),
        ("Count", Traits::ALL),
        ("Ratio", copied),
    ] {
        assert_eq!(def(&api, name).traits, traits, "{name}");
    }
}

#[test]
fn a_union_is_compared_where_all_its_variants_are() {
    let (api, _) = schemas(
        "Texts: {oneOf: [{type: string}, {type: integer}]}
Numbers: {oneOf: [{type: string}, {type: number}]}
Several:
  anyOf: [{$ref: '#/components/schemas/X'}, {$ref: '#/components/schemas/Y'}]
X: {type: object, properties: {x: {type: string}}}
Y: {type: object, properties: {y: {type: string}}}",
    );
    assert_eq!(def(&api, "Texts").traits, Traits::COMPARED);
    assert_eq!(def(&api, "Numbers").traits, Traits::NONE);
    assert_eq!(def(&api, "Several").traits, Traits::COMPARED);
}
