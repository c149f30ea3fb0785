//! Equal inline types.

use serde_json::{Value, json};

use crate::Builder;
use crate::ir::{Api, TypeDef, TypeKind, TypeRef};

/// Returns the API of a document, with names, and its code in one file.
fn plan(paths: &Value, schemas: &Value) -> (Api, String) {
    let document = json!({
        "openapi": "3.0.3",
        "info": { "title": "T", "version": "1" },
        "paths": paths,
        "components": { "schemas": schemas },
    });
    let document = serde_json::from_value(document).expect("a document");
    let plan = Builder::from_openapi(document).module(true).plan();
    let plan = plan.expect("settings");
    assert!(!plan.has_errors(), "{}", plan.report());
    let text = plan.files.first().map(|file| file.text.clone());
    (plan.api, text.unwrap_or_default())
}

fn get(id: &str, parameters: Value, response: Value) -> Value {
    let content = json!({ "application/json": { "schema": response } });
    json!({ "get": {
        "operationId": id,
        "parameters": parameters,
        "responses": { "200": { "description": "Done.", "content": content } },
    } })
}

fn parameter(name: &str, description: &str, values: &[&str]) -> Value {
    let schema = json!({ "type": "string", "enum": values, "description": description });
    json!([{ "name": name, "in": "query", "schema": schema }])
}

/// Returns each alias with its type, sorted.
fn aliases(api: &Api) -> Vec<(&str, &str)> {
    let target = |def: &TypeDef| match &def.kind {
        TypeKind::Alias(TypeRef::Named(id)) => Some(*id),
        _ => None,
    };
    let found = api.types.iter().filter_map(|def| {
        let target = api.type_def(target(def)?);
        Some((def.name.rust.as_str(), target.name.rust.as_str()))
    });
    let mut found: Vec<_> = found.collect();
    found.sort_unstable();
    found
}

#[test]
fn equal_enums_of_parameters_are_one_type_with_the_name_of_the_parameter() {
    let order = |id: &str, text: &str, values: &[&str]| {
        get(
            id,
            parameter("order", text, values),
            json!({ "type": "string" }),
        )
    };
    let paths = json!({
        "/a": order("listA", "Of a.", &["asc", "desc"]),
        "/b": order("listB", "Of b.", &["asc", "desc"]),
        "/c": order("listC", "Of c.", &["asc", "desc", "none"]),
    });
    let (api, text) = plan(&paths, &json!({}));
    assert_eq!(
        aliases(&api),
        [("ListAOrder", "Order"), ("ListBOrder", "Order")]
    );
    assert!(text.contains("pub enum Order {"), "{text}");
    assert!(text.contains("pub enum ListCOrder {"), "{text}");
    let place = "/// Of a.\n        ///\n        /// `#/paths/~1a/get/parameters/0/schema`\n        pub type ListAOrder = super::super::types::Order;";
    let place = place.replace("super::super::types", "types");
    assert!(text.contains(&place), "{text}");
    let shared = api.types.iter().find(|def| def.name.rust == "Order");
    assert_eq!(shared.expect("a type").doc.text, None);
}

#[test]
fn an_inline_type_that_equals_a_component_is_the_component() {
    let pet = json!({ "type": "object", "required": ["id"], "properties": {
        "name": { "type": "string" }, "id": { "type": "integer" } } });
    let paths = json!({ "/a": get("a", json!([]), pet.clone()) });
    let (api, _) = plan(&paths, &json!({ "Pet": pet.clone() }));
    assert_eq!(aliases(&api), [("AOkBody", "Pet")]);
    // Neither of two components that are equal.
    let (api, _) = plan(&paths, &json!({ "Pet": pet.clone(), "Dog": pet }));
    assert_eq!(aliases(&api), []);
}

#[test]
fn types_in_equal_types_are_shared_with_them() {
    let body = |texts: &str, first: &str, second: &str| {
        let owner = json!({ "type": "object", "properties": {
            "kind": { "type": "string", "enum": ["person", "company"] } } });
        let field = |name: &str| match name {
            "owner" => owner.clone(),
            _ => json!({ "type": "string", "description": texts }),
        };
        json!({ "type": "object", "properties": { first: field(first), second: field(second) } })
    };
    let paths = json!({
        "/a": get("a", json!([]), body("A name.", "owner", "title")),
        "/b": get("b", json!([]), body("A name.", "title", "owner")),
        "/c": get("c", json!([]), body("Another text.", "owner", "title")),
    });
    let (api, text) = plan(&paths, &json!({}));
    assert_eq!(
        aliases(&api),
        [
            ("AOkBody", "OwnerTitleBody"),
            ("AOkBodyOwner", "Owner"),
            ("AOkBodyOwnerKind", "OwnerKind"),
            ("BOkBody", "OwnerTitleBody"),
            ("BOkBodyOwner", "Owner"),
            ("BOkBodyOwnerKind", "OwnerKind"),
            ("COkBodyOwner", "Owner"),
            ("COkBodyOwnerKind", "OwnerKind"),
        ]
    );
    assert!(text.contains("pub owner: Option<Owner>,"), "{text}");
    assert!(text.contains("pub kind: Option<OwnerKind>,"), "{text}");
}

#[test]
fn types_that_contain_themselves_are_not_compared_forever() {
    let node = |name: &str| {
        json!({ "type": "object", "properties": { "inner": {
            "type": "object", "properties": {
                "next": { "type": "array", "items": {
                    "$ref": format!("#/components/schemas/{name}") } } } } } })
    };
    let (api, _) = plan(&json!({}), &json!({ "A": node("A"), "B": node("A") }));
    assert_eq!(
        aliases(&api),
        [("AInner", "NextInner"), ("BInner", "NextInner")]
    );
    let (api, _) = plan(&json!({}), &json!({ "A": node("A"), "B": node("B") }));
    assert_eq!(aliases(&api), []);
}

#[test]
fn equal_headers_are_one_type_and_keep_their_texts() {
    let operation = |id: &str, text: &str, more: bool| {
        let mut headers = json!({
            "X-Rate-Limit": { "schema": { "type": "integer" }, "description": "Per hour." },
            "Link": { "schema": { "type": "string" }, "description": text },
        });
        if more {
            headers["Age"] = json!({ "schema": { "type": "integer" } });
        }
        let response = json!({ "description": "Done.", "headers": headers });
        json!({ "get": { "operationId": id, "responses": { "204": response } } })
    };
    let paths = json!({
        "/a": operation("a", "Pages of a.", false),
        "/b": operation("b", "Pages of b.", false),
        "/c": operation("c", "Pages of c.", true),
    });
    let (api, text) = plan(&paths, &json!({}));
    let sets: Vec<&str> = api
        .header_sets
        .iter()
        .map(|header_set| header_set.name.rust.as_str())
        .collect();
    assert_eq!(sets, ["LinkRateLimitHeaders"]);
    let of_operations: Vec<_> = api
        .operations
        .iter()
        .map(|operation| operation.header_set)
        .collect();
    assert_eq!(of_operations, [Some(0), Some(0), None]);
    let header = "        pub link: Option<String>,\n        /// Per hour.\n        pub x_rate_limit: Option<i64>,";
    assert!(text.contains(header), "{text}");
    assert!(text.contains("/// `Link`: Pages of a.\n"), "{text}");
    assert!(text.contains("/// `Link`: Pages of b.\n"), "{text}");
    assert!(
        text.contains("pub type AResponseHeaders = types::LinkRateLimitHeaders;"),
        "{text}"
    );
    assert!(text.contains("pub struct CResponseHeaders {"), "{text}");
}

#[test]
fn defaults_are_variants_of_the_shared_enum() {
    let order = |id: &str| {
        let mut parameters = parameter("order", "The order.", &["asc", "desc"]);
        parameters[0]["schema"]["default"] = json!("desc");
        get(id, parameters, json!({ "type": "string" }))
    };
    let paths = json!({ "/a": order("listA"), "/b": order("listB") });
    let (_, text) = plan(&paths, &json!({}));
    assert!(text.contains("types::Order::Desc"), "{text}");
}

#[test]
fn a_deprecated_component_is_not_the_type_of_a_place_that_is_not() {
    let current = json!({ "type": "object", "properties": { "a": { "type": "string" } } });
    let mut old = current.clone();
    old["deprecated"] = json!(true);
    let paths = json!({ "/a": get("a", json!([]), current) });
    let (api, _) = plan(&paths, &json!({ "Old": old.clone() }));
    assert_eq!(aliases(&api), []);
    let paths = json!({ "/a": get("a", json!([]), old.clone()) });
    let (api, _) = plan(&paths, &json!({ "Old": old }));
    assert_eq!(aliases(&api), [("AOkBody", "Old")]);
}

/// An operation whose request has a body of a media type.
fn post(id: &str, media: &str, schema: &Value) -> Value {
    json!({ "post": {
        "operationId": id,
        "requestBody": { "content": { media: { "schema": schema } } },
        "responses": { "204": { "description": "Done." } },
    } })
}

#[test]
fn parts_of_multipart_bodies_keep_their_order() {
    let body = |reversed: bool| {
        let mut names = ["file", "key"];
        if reversed {
            names.reverse();
        }
        let each = names.map(|name| (name.to_owned(), json!({ "type": "string" })));
        let all: serde_json::Map<String, Value> = each.into_iter().collect();
        json!({ "type": "object", "properties": all })
    };
    let paths = |media: &str| json!({ "/a": post("a", media, &body(false)), "/b": post("b", media, &body(true)) });
    let (api, _) = plan(&paths("application/json"), &json!({}));
    assert_eq!(aliases(&api).len(), 2);
    let (api, _) = plan(&paths("multipart/form-data"), &json!({}));
    assert_eq!(aliases(&api), []);
}

#[test]
fn a_text_does_not_exchange_the_names_of_two_types() {
    let body = |text: &str| {
        json!({ "type": "object", "properties": {
            "k": { "type": "string", "enum": ["a", "b"], "description": text } } })
    };
    let paths = |text: &str| {
        let operation = |id: &str| {
            let mut operation = post(id, "application/json", &body(text));
            operation["get"] = get(&format!("{id}2"), json!([]), body("A kind."))["get"].clone();
            operation
        };
        json!({ "/a": operation("a"), "/b": operation("b") })
    };
    let named = |text: &str| {
        let (api, _) = plan(&paths(text), &json!({}));
        let found = aliases(&api).into_iter();
        let found = found.map(|(place, shared)| (place.to_owned(), shared.to_owned()));
        found.collect::<Vec<_>>()
    };
    let expected = named("A kind.");
    assert!(expected.len() >= 4, "{expected:?}");
    for number in 0..12 {
        assert_eq!(named(&format!("Text {number}.")), expected, "{number}");
    }
}

#[test]
fn a_value_that_places_of_several_names_have_names_its_type() {
    let only = |value: &str| json!({ "type": "string", "enum": [value] });
    let object = |properties: Value| json!({ "type": "object", "properties": properties });
    let schemas = json!({
        "A": object(json!({ "kind": only("list"), "object": only("list"), "def": only("list") })),
        "B": object(json!({ "status": only("done") })),
        "C": object(json!({ "status": only("done") })),
        // A component has the name of the value.
        "Pet": object(json!({ "of": only("pet"), "by": only("pet") })),
    });
    let (api, text) = plan(&json!({}), &schemas);
    let found = aliases(&api);
    for (place, target) in [
        ("ADef", "List"),
        ("AKind", "List"),
        ("AObject", "List"),
        ("BStatus", "Status"),
        ("PetBy", "By"),
    ] {
        assert!(found.contains(&(place, target)), "{place}: {found:?}");
    }
    // The field of each place keeps its presence, and the value has one type.
    assert!(text.contains("pub object: Option<AObject>,"), "{text}");
    assert_eq!(text.matches("=> \"list\"").count(), 1, "{text}");
}
