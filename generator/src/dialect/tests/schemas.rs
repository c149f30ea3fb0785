//! Schemas.

use super::{named, property, read, read_files, read_files_within, read_reported, schema};
use crate::model::Types;
use crate::source::Value;

#[test]
fn nullable_is_a_type() {
    let model = read(
        "openapi: 3.0.3\ncomponents: {schemas: {A: {type: string, nullable: true}, B: {nullable: true}}}",
    );
    assert_eq!(named(&model, "A").types, Types::STRING.union(Types::NULL));
    assert!(named(&model, "B").types.is_unstated() && named(&model, "B").nullable);
    let model = read(
        "openapi: 3.1.0\ncomponents: {schemas: {A: {type: [string, 'null']}, B: {type: [integer, null]}}}",
    );
    assert_eq!(named(&model, "A").types, Types::STRING.union(Types::NULL));
    assert_eq!(named(&model, "B").types, Types::INTEGER.union(Types::NULL));
}

#[test]
fn bounds_are_pairs_in_every_dialect() {
    let model = read(
        "openapi: 3.0.3\ncomponents: {schemas: {A: {minimum: 1, exclusiveMinimum: true, maximum: 2, exclusiveMaximum: false}}}",
    );
    let bounds = &named(&model, "A").constraints;
    assert_eq!(bounds.minimum, Some((Value::from(1), true)));
    assert_eq!(bounds.maximum, Some((Value::from(2), false)));
    let model = read(
        "openapi: 3.1.0\ncomponents: {schemas: {A: {exclusiveMinimum: 1, maximum: 2, exclusiveMaximum: 3}, B: {maximum: 3, exclusiveMaximum: 3}}}",
    );
    let bounds = &named(&model, "A").constraints;
    assert_eq!(bounds.minimum, Some((Value::from(1), true)));
    assert_eq!(bounds.maximum, Some((Value::from(2), false)));
    assert_eq!(
        named(&model, "B").constraints.maximum,
        Some((Value::from(3), true))
    );
}

#[test]
fn a_plain_reference_is_the_schema_it_names() {
    let model = read(
        "openapi: 3.1.0\ncomponents:\n  schemas:\n    Alias: {$ref: '#/components/schemas/Node'}\n    \
         Node: {type: object, properties: {next: {$ref: '#/components/schemas/Alias'}}}\n",
    );
    assert_eq!(model.schemas.len(), 1);
    let names: Vec<_> = model
        .named_schemas
        .iter()
        .map(|(name, id)| (name.as_str(), id.0))
        .collect();
    assert_eq!(names, [("Alias", 0), ("Node", 0)]);
    assert_eq!(named(&model, "Alias").name.as_deref(), Some("Node"));
    assert_eq!(named(&model, "Node").properties[0].1.0, 0);
}

#[test]
fn keywords_beside_a_reference_count_since_3_1() {
    let text = "\ncomponents: {schemas: {A: {type: string}, \
                B: {properties: {a: {$ref: '#/components/schemas/A', description: mine, minLength: 3, nullable: true}, \
                b: {$ref: '#/components/schemas/A', title: t}}}}}";
    let model = read(&format!("openapi: 3.1.0{text}"));
    let a = property(&model, named(&model, "B"), "a");
    assert_eq!(
        schema(&model, a.reference.unwrap()).name.as_deref(),
        Some("A")
    );
    assert_eq!(
        (a.description.as_deref(), a.constraints.min_length),
        (Some("mine"), Some(3))
    );
    assert!(
        property(&model, named(&model, "B"), "b")
            .reference
            .is_some()
    );
    // Before OpenAPI 3.1, only annotations are kept.
    let model = read(&format!("openapi: 3.0.0{text}"));
    let a = property(&model, named(&model, "B"), "a");
    assert_eq!(
        schema(&model, a.reference.unwrap()).name.as_deref(),
        Some("A")
    );
    assert_eq!(
        (
            a.description.as_deref(),
            a.constraints.min_length,
            a.nullable
        ),
        (Some("mine"), None, true)
    );
    assert_eq!(
        property(&model, named(&model, "B"), "b").name.as_deref(),
        Some("A")
    );
}

#[test]
fn siblings_that_would_change_the_type_are_reported_before_3_1() {
    let (model, reported) = read_reported(
        "openapi: 3.0.0\ncomponents: {schemas: {A: {type: object}, B: {$ref: '#/components/schemas/A', properties: {x: {}}, required: [x]}}}",
    );
    assert_eq!(
        reported,
        "W0101 #/components/schemas/B/properties: `properties`, `required` beside `$ref` is ignored before OpenAPI 3.1"
    );
    assert_eq!(model.schemas.len(), 1);
}

#[test]
fn references_lead_into_components_and_paths_and_files() {
    let root = "openapi: 3.1.0\ncomponents:\n  schemas:\n    \
                A: {definitions: {In: {type: string}}, properties: {x: {$ref: '#/components/schemas/A/definitions/In'}}}\n    \
                B: {$ref: '#/paths/~1p/get/responses/200/content/text~1plain/schema'}\n    \
                C: {$ref: 'models/pet.yaml'}\n    D: {$ref: 'models/all.yaml#/Toy'}\n    \
                E: {items: {$ref: 'models/all.yaml#/Toy'}, not: {$ref: 'models/pet.yaml#/properties/own'}}\n\
                paths: {/p: {get: {responses: {200: {content: {text/plain: {schema: {type: integer}}}}}}}}\n";
    let files = [
        ("api.yaml", root),
        (
            "models/pet.yaml",
            "properties: {toy: {$ref: 'all.yaml#/Toy'}, own: {$ref: '#/$defs/Own'}}\n$defs: {Own: {}}",
        ),
        ("models/all.yaml", "Toy: {type: boolean}"),
    ];
    let (model, reported) = read_files(&files);
    assert_eq!(
        reported,
        "W0110 #/components/schemas/E/not: `not` is not checked"
    );
    let model = model.unwrap();
    let inner = property(&model, named(&model, "A"), "x");
    assert_eq!(
        (inner.name.as_deref(), inner.suggested_name.as_deref()),
        (None, Some("In"))
    );
    assert_eq!(named(&model, "B").types, Types::INTEGER);
    assert_eq!(named(&model, "B").name.as_deref(), Some("B"));
    assert_eq!(named(&model, "C").suggested_name.as_deref(), Some("pet"));
    assert_eq!(named(&model, "D").suggested_name.as_deref(), Some("Toy"));
    let toy = schema(&model, named(&model, "E").items.unwrap());
    assert_eq!(toy.name.as_deref(), Some("D"));
    let own = schema(&model, named(&model, "E").not.unwrap());
    assert_eq!(own.suggested_name.as_deref(), Some("Own"));
}

#[test]
fn a_property_may_be_named_like_a_keyword() {
    let model = read(
        "openapi: 3.0.0\ncomponents: {schemas: {A: {properties: {$ref: {type: string}, properties: {type: object}, \
         type: {type: integer}, x-y: {}, required: {}}, required: [$ref]}}}",
    );
    let names: Vec<_> = named(&model, "A")
        .properties
        .iter()
        .map(|(name, _)| name.as_str())
        .collect();
    assert_eq!(names, ["$ref", "properties", "type", "x-y", "required"]);
    assert_eq!(
        property(&model, named(&model, "A"), "$ref").types,
        Types::STRING
    );
}

#[test]
fn discriminators_name_schemas_in_every_way() {
    let (model, reported) = read_reported(
        "openapi: 3.0.0\ncomponents: {schemas: {A: {oneOf: [{$ref: '#/components/schemas/B'}], discriminator: \
         {propertyName: kind, mapping: {one: B, two: '#/components/schemas/B', three: Nobody}}}, B: {}}}",
    );
    assert_eq!(
        reported,
        "W0107 #/components/schemas/A/discriminator/mapping/three: `three` is mapped to `Nobody`, which is not a schema; the entry is ignored"
    );
    let discriminator = named(&model, "A").discriminator.clone().unwrap();
    assert_eq!(discriminator.property, "kind");
    let mapping: Vec<_> = discriminator
        .mapping
        .iter()
        .map(|(tag, id)| {
            (
                tag.as_str(),
                id.and_then(|id| schema(&model, id).name.clone()),
            )
        })
        .collect();
    assert_eq!(
        mapping,
        [
            ("one", Some("B".into())),
            ("two", Some("B".into())),
            ("three", None)
        ]
    );
}

#[test]
fn additional_properties_and_tuples_have_all_forms() {
    let model = read(
        "openapi: 3.1.0\ncomponents: {schemas: {A: {additionalProperties: false}, B: {additionalProperties: {type: string}, \
         patternProperties: {'^x': {}}, unevaluatedProperties: false}, C: {prefixItems: [{}, {}], items: false}, D: true, \
         E: {type: array, items: [{}, {}]}}}",
    );
    let at = |id: crate::model::SchemaId| schema(&model, id);
    assert_eq!(
        at(named(&model, "A").additional_properties.unwrap()).boolean,
        Some(false)
    );
    let b = named(&model, "B");
    assert_eq!(at(b.additional_properties.unwrap()).types, Types::STRING);
    assert_eq!(
        (b.pattern_properties[0].0.as_str(), b.unevaluated_properties),
        ("^x", Some(false))
    );
    let c = named(&model, "C");
    assert_eq!(
        (c.prefix_items.len(), at(c.items.unwrap()).boolean),
        (2, Some(false))
    );
    assert_eq!(named(&model, "D").boolean, Some(true));
    assert_eq!(
        (
            named(&model, "E").prefix_items.len(),
            named(&model, "E").items
        ),
        (2, None)
    );
}

#[test]
fn null_is_a_value_for_defaults_and_constants_only() {
    let model = read(
        "openapi: 3.1.0\ncomponents: {schemas: {A: {type: string, default: null, const: null, enum: [a, null], description: , items: }}}",
    );
    let a = named(&model, "A");
    assert_eq!(
        (a.default.as_ref(), a.constant.as_ref()),
        (Some(&Value::Null), Some(&Value::Null))
    );
    assert_eq!(
        a.enumeration.as_deref(),
        Some(&[Value::from("a"), Value::Null][..])
    );
    assert_eq!((a.description.as_ref(), a.items), (None, None));
}

#[test]
fn a_long_chain_of_schemas_costs_no_stack() {
    let mut text = String::from("openapi: 3.0.0\ncomponents:\n  schemas:\n");
    for index in 0..10_000 {
        text.push_str(&format!(
            "    S{index}: {{not: {{$ref: '#/components/schemas/S{}'}}}}\n",
            index + 1
        ));
    }
    text.push_str("    S10000: {}\n");
    assert_eq!(read_reported(&text).0.schemas.len(), 10_001);
}

#[test]
fn dynamic_references_are_bound_where_they_stand() {
    let (model, reported) = read_reported(
        "openapi: 3.1.0\ncomponents: {schemas: {Node: {$dynamicAnchor: node, properties: {next: {$dynamicRef: '#node'}}}}}",
    );
    assert_eq!(reported, "");
    let next = property(&model, named(&model, "Node"), "next");
    assert_eq!(
        schema(&model, next.reference.unwrap()).name.as_deref(),
        Some("Node")
    );
}

#[test]
fn unbound_dynamic_references_are_reported() {
    let page =
        "Page: {properties: {one: {$dynamicRef: '#item'}}, $defs: {any: {$dynamicAnchor: item}}}";
    let read = |more: &str| {
        read_reported(&format!(
            "openapi: 3.1.0\ncomponents: {{schemas: {{{page}{more}}}}}"
        ))
    };
    assert_eq!(
        read("").1,
        "W0322 #/components/schemas/Page/properties/one/$dynamicRef: no schema binds \
         `$dynamicAnchor: item`; the values at this place are any JSON"
    );
    let bound = ", Text: {$ref: '#/components/schemas/Page', \
                 $defs: {text: {$dynamicAnchor: item, type: string}}}";
    let (model, reported) = read(bound);
    assert_eq!(reported, "");
    let page = schema(&model, named(&model, "Text").reference.unwrap());
    assert!(page.instance);
    let field = property(&model, page, "one");
    let item = schema(&model, field.reference.unwrap());
    assert_eq!(item.types, Types::STRING);
}

#[test]
fn dynamic_references_are_found_in_properties_with_names_of_data() {
    for name in ["default", "example", "examples", "enum", "const"] {
        let (model, reported) = read_reported(&format!(
            "openapi: 3.1.0\ncomponents: {{schemas: {{\
             Page: {{properties: {{{name}: {{$dynamicRef: '#item'}}}}, $defs: {{any: {{$dynamicAnchor: item}}}}}}, \
             Text: {{$ref: '#/components/schemas/Page', $defs: {{text: {{$dynamicAnchor: item, type: string}}}}}}}}}}",
        ));
        assert_eq!(reported, "", "{name}");
        let page = schema(&model, named(&model, "Text").reference.unwrap());
        let field = property(&model, page, name);
        let item = schema(&model, field.reference.unwrap());
        assert_eq!(item.types, Types::STRING, "{name}");
    }
}

#[test]
fn schemas_without_dynamic_references_are_read_once() {
    let (model, _) = read_reported(
        "openapi: 3.1.0\ncomponents: {schemas: {\
         Page: {properties: {one: {$dynamicRef: '#item'}, meta: {$ref: '#/components/schemas/Meta'}}, \
         $defs: {any: {$dynamicAnchor: item}}}, \
         Text: {$ref: '#/components/schemas/Page', $defs: {text: {$dynamicAnchor: item, type: string}}}, \
         Meta: {properties: {next: {$ref: '#/components/schemas/Meta'}}}}}",
    );
    let metas = model.schemas.iter().filter(|schema| {
        let pointer = schema.origin.pointer.as_str();
        pointer == "#/components/schemas/Meta"
    });
    assert_eq!(metas.count(), 1);
}

#[test]
fn schemas_are_searched_for_dynamic_references_once() {
    let refer = |to: &str, count: usize| {
        let all = (0..count).map(|at| format!("{{$ref: '#/components/schemas/{to}{at}'}}"));
        all.collect::<Vec<_>>().join(", ")
    };
    let mut text = "openapi: 3.1.0\ncomponents:\n  schemas:\n".to_owned();
    for at in 0..50 {
        let (shared, leaves) = (refer("B", 50), refer("C", 50));
        text += &format!(
            "    A{at}: {{allOf: [{shared}, {{$ref: '#/components/schemas/Z'}}]}}\n    \
             B{at}: {{allOf: [{leaves}]}}\n    C{at}: {{type: string}}\n"
        );
    }
    text += "    Z: {$dynamicAnchor: z, properties: {z: {$dynamicRef: '#z'}}}\n";
    let (_, reported) = read_files_within(&[("api.yaml", &text)], 20_000);
    assert_eq!(reported, "");
}

#[test]
fn names_of_other_files_get_folders_until_they_are_free() {
    let root = "openapi: 3.1.0\ncomponents: {schemas: {Error: {type: object}, \
                Own: {properties: {a: {$ref: 'a/common.yaml#/Error'}, b: {$ref: 'b/common.yaml#/Error'}}}}}";
    let part = "Error: {type: object}";
    let files = [
        ("api.yaml", root),
        ("a/common.yaml", part),
        ("b/common.yaml", part),
    ];
    let (model, reported) = read_files(&files);
    assert_eq!(reported, "");
    let model = model.expect("a document");
    let names = model.named_schemas.iter().map(|(name, _)| name.as_str());
    let expected = ["Error", "Own", "common_Error", "b_common_Error"];
    assert_eq!(names.collect::<Vec<_>>(), expected);
}

#[test]
fn dependencies_are_unchecked_where_they_have_more_than_names() {
    let reported = |keywords: &str| {
        let text = "openapi: 3.1.0\ncomponents: {schemas: {A: {type: object, ";
        read_reported(&format!("{text}{keywords}}}}}}}")).1
    };
    assert_eq!(reported("dependencies: {a: [b], c: {required: [d]}}"), "");
    assert_eq!(reported("dependentSchemas: {a: {required: [b]}}"), "");
    let not_checked =
        |key: &str| format!("W0110 #/components/schemas/A/{key}: `{key}` is not checked");
    for key in ["dependencies", "dependentSchemas"] {
        let text = format!("{key}: {{a: {{properties: {{b: {{type: string}}}}}}}}");
        assert_eq!(reported(&text), not_checked(key));
    }
    assert_eq!(
        reported("dependencies: {a: false}"),
        not_checked("dependencies")
    );
}
