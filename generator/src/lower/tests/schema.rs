//! Tests of schemas with types of their own, and of scalar types.

use std::collections::BTreeMap;

use crate::ir::{TypeKind, Unknown};

use super::super::Options;
use super::{def, document, field, inner, lower_with, object, schemas};

#[test]
fn a_named_scalar_with_keywords_is_a_type() {
    let (api, _) = schemas(
        "Plain: {type: string}
Key: {type: string, pattern: '^k'}
Mail: {type: string, format: email}
Count: {type: integer, minimum: 1}
Wide: {type: integer, format: int64}
Many: {type: array, items: {type: string}}",
    );
    for (name, ty, alias) in [
        ("Plain", "String", true),
        ("Key", "String", false),
        ("Mail", "String", false),
        ("Count", "i64", false),
        ("Wide", "i64", true),
        ("Many", "Vec<String>", true),
    ] {
        assert_eq!(inner(&api, name), (ty.to_owned(), alias), "{name}");
    }
}

#[test]
fn a_format_decides_the_type_of_a_scalar() {
    let (api, _) = schemas(
        "A:
  type: object
  required: [a, b, c, d, e, f, g, h, i, j, k]
  properties:
    a: {type: string, format: date-time}
    b: {type: string, format: uuid}
    c: {type: string, format: ipv4}
    d: {type: string, format: ipv6}
    e: {type: string, format: byte}
    f: {type: integer, format: int32}
    g: {type: number, format: float}
    h: {type: integer, minimum: 0, maximum: 18446744073709551615}
    i: {type: string, format: nobody-knows}
    j: {format: ipv4}
    k: {type: integer, format: uint8}",
    );
    let types = [
        "DateTime", "Uuid", "Ipv4", "Ipv6", "Base64", "i32", "f32", "u64", "String", "Ipv4", "u8",
    ];
    for (property, ty) in ('a'..).zip(types) {
        assert_eq!(field(&api, "A", &property.to_string()), ty, "{property}");
    }
}

#[test]
fn formats_of_the_configuration_have_precedence() {
    let formats = [
        ("ipv4", "String"),
        ("decimal", "money::Amount"),
        ("uuid", "i64"),
    ];
    let formats = formats.map(|(format, path)| (format.to_owned(), path.to_owned()));
    let options = Options {
        formats: BTreeMap::from(formats),
        ..Options::default()
    };
    let text = document(
        "",
        "schemas:
  A:
    type: object
    required: [a, b, c]
    properties:
      a: {type: string, format: ipv4}
      b: {type: string, format: decimal}
      c: {type: string, format: uuid}",
    );
    let (api, _) = lower_with(&text, &options);
    assert_eq!(field(&api, "A", "a"), "String");
    assert_eq!(field(&api, "A", "b"), "money::Amount");
    assert_eq!(field(&api, "A", "c"), "i64");
}

#[test]
fn a_number_that_would_be_written_as_a_string_is_reported() {
    let reported = |schema: &str, path: &str| {
        let options = Options {
            formats: BTreeMap::from([("decimal".to_owned(), path.to_owned())]),
            ..Options::default()
        };
        let text = format!("schemas:\n  A: {{type: object, properties: {{a: {schema}}}}}");
        let (_, diagnostics) = lower_with(&document("", &text), &options);
        diagnostics.contains(&"W0385")
    };
    for kind in ["number", "integer"] {
        let schema = format!("{{type: {kind}, format: decimal}}");
        assert!(reported(&schema, "rust_decimal::Decimal"));
        assert!(reported(&schema, "::bigdecimal::BigDecimal"));
        assert!(reported(
            &format!("{{type: array, items: {schema}}}"),
            "rust_decimal::Decimal"
        ));
        assert!(!reported(&schema, "money::Amount"));
        assert!(!reported(&schema, "f64"));
    }
    assert!(!reported(
        "{type: string, format: decimal}",
        "rust_decimal::Decimal"
    ));
}

#[test]
fn objects_are_structs_and_maps_are_written_in_place() {
    let (api, _) = schemas(
        "A:
  type: object
  required: [map, inline, any, empty]
  properties:
    map: {type: object, additionalProperties: {type: integer}}
    inline: {type: object, properties: {x: {type: string}}}
    any: {}
    empty: {type: object}",
    );
    assert_eq!(field(&api, "A", "map"), "Map<i64>");
    assert_eq!(field(&api, "A", "inline"), "AInline");
    assert_eq!(field(&api, "A", "any"), "Json");
    assert_eq!(field(&api, "A", "empty"), "Map<Json>");
    assert_eq!(field(&api, "AInline", "x"), "Option<String>");
}

#[test]
fn a_wrapper_of_a_reference_is_that_type() {
    let (api, _) = schemas(
        "A: {type: object, properties: {x: {type: string}}}
B: {allOf: [{$ref: '#/components/schemas/A'}], description: Another name.}
C:
  type: object
  properties:
    one: {allOf: [{$ref: '#/components/schemas/A'}], description: Said of the use.}
    two: {$ref: '#/components/schemas/A', deprecated: true}
    three: {allOf: [{$ref: '#/components/schemas/A'}, {properties: {y: {type: string}}}]}",
    );
    assert_eq!(inner(&api, "B"), ("A".to_owned(), true));
    assert_eq!(field(&api, "C", "one"), "Option<A>");
    assert_eq!(field(&api, "C", "two"), "Option<A>");
    assert_eq!(field(&api, "C", "three"), "Option<CThree>");
}

#[test]
fn null_belongs_to_the_use_of_a_type() {
    let (api, _) = schemas(
        "A: {type: [object, 'null'], properties: {x: {type: string}}}
B:
  type: object
  required: [both, one]
  properties:
    both: {$ref: '#/components/schemas/A'}
    one: {type: string}
    two: {type: [string, 'null']}
    three: {type: 'null'}",
    );
    assert_eq!(field(&api, "B", "both"), "Option<A>");
    assert_eq!(field(&api, "B", "one"), "String");
    assert_eq!(field(&api, "B", "two"), "Nullable<String>");
    assert_eq!(field(&api, "B", "three"), "Option<Null>");
}

#[test]
fn a_type_that_holds_itself_is_boxed_and_an_alias_of_itself_is_a_type() {
    let (api, _) = schemas(
        "Tree: {type: object, properties: {left: {$ref: '#/components/schemas/Tree'}, all: {type: array, items: {$ref: '#/components/schemas/Tree'}}}}
Nest: {type: array, items: {$ref: '#/components/schemas/Nest'}}",
    );
    assert_eq!(field(&api, "Tree", "left"), "Option<Box<Tree>>");
    assert_eq!(field(&api, "Tree", "all"), "Option<Vec<Tree>>");
    assert_eq!(inner(&api, "Nest"), ("Vec<Nest>".to_owned(), false));
}

#[test]
fn additional_properties_are_kept_ignored_or_rejected() {
    let (api, _) = schemas(
        "Silent: {type: object, properties: {x: {type: string}}}
Open: {type: object, properties: {x: {type: string}}, additionalProperties: true}
Shut: {type: object, properties: {x: {type: string}}, additionalProperties: false}",
    );
    assert!(matches!(object(&api, "Silent").unknown, Unknown::Ignored));
    assert!(matches!(object(&api, "Open").unknown, Unknown::Kept(..)));
    assert!(matches!(object(&api, "Shut").unknown, Unknown::Refused));
}

#[test]
fn a_format_is_misspelt_unless_it_has_a_type() {
    let components = "schemas: {T: {type: string, format: datetime}}";
    let mut options = Options::default();
    let reported = |options: &Options| lower_with(&document("", components), options).1;
    assert_eq!(reported(&options), ["W0115"]);
    let moment = ("datetime".to_owned(), "time::Moment".to_owned());
    options.formats.extend([moment]);
    assert_eq!(reported(&options), [""; 0]);
}

#[test]
fn values_that_are_left_out_take_their_names_along() {
    let (api, reported) = schemas(
        "A: {type: integer, enum: [1, abc, 2], x-enum-varnames: [ONE, ABC, TWO], x-enum-descriptions: [one, abc, two]}",
    );
    let TypeKind::LiteralEnum(literal_enum) = &def(&api, "A").kind else {
        panic!("no enum of literals");
    };
    let variants = literal_enum.variants.iter().map(|variant| {
        let doc = variant.doc.text.as_deref().unwrap_or_default();
        format!("{} = {:?}: {doc}", variant.name.rust, variant.value)
    });
    let variants: Vec<String> = variants.collect();
    assert_eq!(variants, ["ONE = Int(1): one", "TWO = Int(2): two"]);
    assert_eq!(reported, ["W0107"]);
}

#[test]
fn listed_values_are_an_enum_of_strings_or_of_scalars() {
    let (api, reported) = schemas(
        "A: {type: string, enum: [a, b, a]}
B: {enum: [1, two, true]}
C: {type: [string, 'null'], enum: [a, null]}",
    );
    let strings = |name: &str| match &def(&api, name).kind {
        TypeKind::StringEnum(string_enum) => string_enum.variants.len(),
        _ => 0,
    };
    assert_eq!((strings("A"), strings("C")), (2, 1));
    assert!(
        matches!(&def(&api, "B").kind, TypeKind::LiteralEnum(literal_enum)
        if literal_enum.variants.len() == 3)
    );
    assert_eq!(reported.len(), 1, "{reported:?}");
}
