//! Mistakes that leave a document readable: each is reported at its place.

use super::{read_files, read_reported};

/// Asserts the diagnostics of a document of OpenAPI 3.0.
fn assert_reported(text: &str, expected: &[&str]) {
    let (_, reported) = read_reported(&format!("openapi: 3.0.3\n{text}"));
    assert_eq!(reported.lines().collect::<Vec<_>>(), expected, "{text}");
}

#[test]
fn references_to_another_kind_are_reported_at_the_reference() {
    assert_reported(
        "paths:\n  /a:\n    get:\n      parameters: [{$ref: '#/components/schemas/S'}]\n      \
         requestBody: {$ref: '#/components/parameters/P'}\n      responses:\n        200: {$ref: '#/components/schemas/S'}\n        \
         201: {description: d, headers: {H: {$ref: '#/components/responses/R'}}}\n  /b: {$ref: '#/components/schemas/S'}\n\
         components:\n  schemas:\n    S: {type: object, properties: {p: {$ref: '#/components/parameters/P'}, q: {$ref: '#/paths/~1a/get/parameters'}}}\n  \
         parameters: {P: {name: p, in: query, schema: {type: string}}}\n  responses: {R: {description: d}}\n  \
         headers: {H: {$ref: '#/components/parameters/P'}}\n",
        &[
            "E0103 #/paths/~1a/get/parameters/0/$ref: expected a reference to a parameter, found a reference to a schema",
            "E0103 #/paths/~1a/get/requestBody/$ref: expected a reference to a request body, found a reference to a parameter",
            "E0103 #/paths/~1a/get/responses/200/$ref: expected a reference to a response, found a reference to a schema",
            "E0103 #/paths/~1a/get/responses/201/headers/H/$ref: expected a reference to a header, found a reference to a response",
            "E0103 #/paths/~1b/$ref: expected a reference to a path item, found a reference to a schema",
            "E0103 #/components/schemas/S/properties/p/$ref: expected a reference to a schema, found a reference to a parameter",
            "E0103 #/components/schemas/S/properties/q/$ref: expected a reference to a schema, found a reference to an array",
        ],
    );
}

#[test]
fn files_of_parts_have_any_structure() {
    let root = "swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths:\n  /a:\n    get:\n      responses:\n        \
                400: {$ref: 'shared.yaml#/definitions/BadRequest'}\n        500: {$ref: 'other.yaml#/definitions/Error'}\n";
    let part = "definitions: {BadRequest: {description: Bad., schema: {type: string}}}\n";
    let other = "swagger: '2.0'\ninfo: {title: t, version: '1'}\npaths: {}\ndefinitions: {Error: {type: object}}\n";
    let files = [
        ("api.yaml", root),
        ("shared.yaml", part),
        ("other.yaml", other),
    ];
    let (model, reported) = read_files(&files);
    assert_eq!(
        reported,
        "E0103 #/paths/~1a/get/responses/500/$ref: expected a reference to a response, found a reference to a schema"
    );
    let operation = &model.expect("a document").operations[0];
    assert_eq!(operation.responses[0].description.as_deref(), Some("Bad."));
}

#[test]
fn a_list_of_schemas_is_reported_at_its_keyword() {
    assert_reported(
        "paths: {}\ncomponents:\n  schemas:\n    A: {type: object}\n    B: {allOf: {$ref: '#/components/schemas/A'}}\n    \
         C: {oneOf: {type: object}}\n    D: {allOf: {a: {$ref: '#/components/schemas/A'}}}\n    E: {anyOf: text}\n",
        &[
            "W0106 #/components/schemas/B/allOf: `allOf` is read as a list of one item",
            "W0106 #/components/schemas/C/oneOf: `oneOf` is read as a list of one item",
            "E0103 #/components/schemas/D/allOf: expected an array for `allOf`, found an object",
            "E0103 #/components/schemas/E/anyOf: expected an array for `anyOf`, found a string",
        ],
    );
}

#[test]
fn bounds_and_media_types_are_reported_at_their_places() {
    assert_reported(
        "servers: [{url: api.example.com/v1}, {url: 'https://{a.example.com'}]\npaths:\n  /p/{id:\n    get:\n      parameters:\n        \
         - {name: q, in: query, style: deepObject, schema: {type: array, items: {type: string}}}\n      \
         responses: {200: {description: d, content: {aplication/json: {schema: {type: string, minLength: 2, maxLength: 1}}}}}\n",
        &[
            "W0381 #/servers/0/url: `api.example.com/v1` has no scheme, so it is a path relative to the document",
            "W0380 #/servers/1/url: `https://{a.example.com` has a brace that is not part of a variable `{name}`",
            "W0117 #/paths/~1p~1{id: `/p/{id` has a brace that is not part of a variable `{name}`",
            "W0113 #/paths/~1p~1{id/get/responses/200/content/aplication~1json: `aplication/json` is not a known media type",
            "W0114 #/paths/~1p~1{id/get/responses/200/content/aplication~1json/schema/minLength: no value meets both `minLength: 2` and `maxLength: 1`",
            "W0116 #/paths/~1p~1{id/get/parameters/0/style: `deepObject` is defined for objects, and the schema is an array",
        ],
    );
}

#[test]
fn examples_are_compared_with_types_bounds_and_properties() {
    for (schema, example, reason) in [
        (
            "{type: integer}",
            "five",
            "expected `integer` for the value, found a string",
        ),
        (
            "{type: array, items: {type: integer}}",
            "[1, x]",
            "expected `integer` for an item, found a string",
        ),
        (
            "{type: string, enum: [a, b]}",
            "c",
            "the value is not in the `enum`",
        ),
        (
            "{type: string, maxLength: 2}",
            "abc",
            "the value is not within `maxLength`",
        ),
        (
            "{type: integer, minimum: 2}",
            "1",
            "the value is not within `minimum`",
        ),
        (
            "{type: object, required: [a], properties: {a: {type: string}}}",
            "{}",
            "the value lacks the required `a`",
        ),
        (
            "{type: object, properties: {a: {type: boolean}}}",
            "{a: 'x'}",
            "expected `boolean` for `a`, found a string",
        ),
        (
            "{type: object, additionalProperties: false}",
            "{b: 1}",
            "unknown property `b`, and `additionalProperties` is `false`",
        ),
        (
            "{oneOf: [{type: integer}, {type: boolean}]}",
            "x",
            "the value matches no alternative of `oneOf`",
        ),
        (
            "{allOf: [{type: object, required: [a], properties: {a: {}}}]}",
            "{}",
            "the value lacks the required `a`",
        ),
    ] {
        let (_, reported) = read_reported(&format!(
            "openapi: 3.0.3\npaths: {{}}\ncomponents: {{schemas: {{S: {{allOf: [{schema}], example: {example}}}}}}}\n"
        ));
        let expected = format!(
            "W0119 #/components/schemas/S/example: an example contradicts its schema: {reason}"
        );
        assert_eq!(reported, expected, "{schema}");
    }
}

#[test]
fn examples_that_may_be_valid_are_left_alone() {
    for (schema, example) in [
        ("{type: string}", "5"),
        ("{type: string, enum: ['1', '2']}", "1"),
        ("{type: number}", "1"),
        ("{type: integer}", "1.0"),
        ("{type: integer}", "null"),
        ("{type: string, format: binary}", "{}"),
        (
            "{type: object, required: [id], properties: {id: {type: string, readOnly: true}}}",
            "{}",
        ),
        ("{type: object, required: [other]}", "{}"),
        ("{oneOf: [{type: integer}, {type: string}]}", "x"),
        (
            "{type: object, patternProperties: {'^x': {}}, additionalProperties: false}",
            "{x: 1}",
        ),
        (
            "{allOf: [{properties: {a: {type: string}}}], unevaluatedProperties: {type: integer}}",
            "{a: x, b: 1}",
        ),
        ("{}", "[1]"),
    ] {
        let (_, reported) = read_reported(&format!(
            "openapi: 3.1.0\npaths: {{}}\ncomponents: {{schemas: {{S: {{allOf: [{schema}], example: {example}}}}}}}\n"
        ));
        assert_eq!(reported, "", "{schema}: {example}");
    }
}

#[test]
fn texts_of_parameters_are_valid_examples() {
    let parameter = |schema: &str, example: &str| {
        format!(
            "paths: {{/a: {{get: {{parameters: [{{name: q, in: query, schema: {schema}, example: {example}}}], responses: {{}}}}}}}}\n"
        )
    };
    assert_reported(
        &parameter("{type: array, items: {type: string}}", "'a,b'"),
        &[],
    );
    assert_reported(&parameter("{type: integer}", "'5'"), &[]);
    assert_reported(
        &parameter("{type: integer}", "[5]"),
        &[
            "W0119 #/paths/~1a/get/parameters/0/example: an example contradicts its schema: expected `integer` for the value, found an array",
        ],
    );
}

#[test]
fn discriminators_are_compared_with_the_properties_of_variants() {
    let document = |discriminating: &str, schemas: &str| {
        format!(
            "paths: {{}}\ncomponents:\n  schemas:\n    U: {{oneOf: [{{$ref: '#/components/schemas/A'}}, {{$ref: '#/components/schemas/B'}}], \
             discriminator: {{propertyName: {discriminating}}}}}\n{schemas}"
        )
    };
    let variants = "    A: {type: object, properties: {kind: {type: string}}}\n    B: {allOf: [{$ref: '#/components/schemas/A'}]}\n";
    assert_reported(&document("kind", variants), &[]);
    assert_reported(
        &document("kin", variants),
        &[
            "W0361 #/components/schemas/U/discriminator: no variant has the property `kin` of the discriminator",
        ],
    );
    let base = "    A: {type: object, properties: {a: {}}}\n    B: {type: object, additionalProperties: true}\n";
    assert_reported(&document("kind", base), &[]);
    assert_reported(
        "paths: {}\ncomponents:\n  schemas:\n    Base: {type: object, properties: {a: {type: string}}, discriminator: {propertyName: kind}}\n    \
         Child: {allOf: [{$ref: '#/components/schemas/Base'}, {type: object, properties: {kind: {type: string}}}]}\n",
        &[],
    );
}

#[test]
fn a_syntax_error_of_another_file_names_the_reference() {
    let root = "openapi: 3.0.3\npaths: {}\ncomponents:\n  schemas:\n    A: {$ref: 'b.yaml#/A'}\n    B: {$ref: 'b.yaml#/B'}\n";
    let (_, reported) = read_files(&[("api.yaml", root), ("b.yaml", "A: [\n")]);
    assert_eq!(reported.lines().count(), 1, "{reported}");
    assert!(reported.starts_with("E0003 "), "{reported}");
}

#[test]
fn files_outside_are_reported_once() {
    let root = "openapi: 3.0.3\npaths: {}\ncomponents:\n  schemas:\n    A: {$ref: '../b.yaml#/A'}\n    B: {$ref: '../c.yaml'}\n    C: {$ref: '../b.yaml#/B'}\n";
    let files = [
        ("api/api.yaml", root),
        ("b.yaml", "A: {}\n"),
        ("c.yaml", "{}\n"),
    ];
    let (_, reported) = read_files(&files);
    assert_eq!(
        reported,
        "E0204 #/components/schemas/A/$ref: `b.yaml` is not in the project of the root document"
    );
}
