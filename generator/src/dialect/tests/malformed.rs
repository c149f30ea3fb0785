//! Documents that violate the standard: the problems are reported, and reading continues.

use super::{read_files_within, read_reported};

#[test]
fn wrong_types_are_reported_at_their_place_and_the_rest_is_read() {
    let (model, reported) = read_reported(
        "openapi: 3.0.0\ninfo: [x]\nservers: {url: /}\ntags: [{description: no name}]\npaths:\n  /a: text\n  /b:\n    get: 5\n    \
         put:\n      parameters: {a: b}\n      requestBody: {description: d}\n      responses: {200: words, OK: {}, 299: {content: [1], headers: {H: 1}}}\n    \
         post:\n      deprecated: sure\n      tags: one\n      operationId: [x]\n      responses:\n        - x\n      security: {a: []}\n",
    );
    let lines: Vec<_> = reported.lines().collect();
    assert_eq!(
        lines,
        [
            "E0103 #/info: expected an object for `info`, found an array",
            "W0106 #/servers: `servers` is read as a list of one item",
            "W0107 #/tags/0: missing `name` of a tag; the tag is ignored",
            "E0103 #/paths/~1a: expected an object for `/a`, found a string",
            "E0103 #/paths/~1b/get: expected an object for `get`, found an integer",
            "E0103 #/paths/~1b/put/parameters: expected an array for `parameters`, found an object",
            "W0107 #/paths/~1b/put/requestBody: missing `content` of a request body; the body is ignored",
            "E0103 #/paths/~1b/put/responses/200: expected an object for `200`, found a string",
            "E0106 #/paths/~1b/put/responses/OK: `OK` is neither a status nor a range nor `default`",
            "E0103 #/paths/~1b/put/responses/299/headers/H: expected an object for `H`, found an integer",
            "E0103 #/paths/~1b/put/responses/299/content: expected an object for `content`, found an array",
            "E0103 #/paths/~1b/post/responses: expected an object for `responses`, found an array",
            "W0107 #/paths/~1b/post/operationId: expected a string for `operationId`, found an array; it is ignored",
            "W0106 #/paths/~1b/post/tags: `tags` is read as a list of one item",
            "W0107 #/paths/~1b/post/deprecated: expected a boolean for `deprecated`, found \"sure\"; it is ignored",
            "W0106 #/paths/~1b/post/security: `security` is read as a list of one item",
        ]
    );
    assert_eq!(model.operations.len(), 2);
    assert_eq!(model.operations[0].responses.len(), 1);
}

#[test]
fn malformed_parameters_are_reported_one_by_one() {
    let (model, reported) = read_reported(
        "openapi: 3.0.0\npaths: {/a: {get: {responses: {}, parameters: [{in: query}, {name: a}, {name: b, in: body}, \
         {name: c, in: query, style: wild, schema: {}}, {name: d, in: query}, {name: e, in: query, schema: {}}, {name: e, in: query, schema: {}}, \
         {name: f, in: query, content: {a/b: {}, c/d: {}}}, {$ref: '#/components/parameters/Gone'}, 5]}}}",
    );
    let at = "#/paths/~1a/get/parameters";
    let wanted = [
        format!("E0104 {at}/0: missing `name` of the parameter"),
        format!("E0104 {at}/1: missing `in` of the parameter"),
        format!("E0105 {at}/2/in: unknown value \"body\" of `in`"),
        format!("E0105 {at}/3/style: unknown value \"wild\" of `style`"),
        format!("W0103 {at}/4: missing `schema` or `content` of parameter `d`"),
        format!("W0106 {at}/6: duplicate entry of parameter `e`"),
        format!("E0108 {at}/7/content: expected one media type in `content`, found 2"),
        format!("E0201 {at}/8/$ref: unresolved reference `#/components/parameters/Gone`"),
        format!("E0103 {at}/9: expected an object for `9`, found an integer"),
    ];
    assert_eq!(reported.lines().collect::<Vec<_>>(), wanted);
    let names: Vec<_> = model.operations[0]
        .parameters
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["c", "d", "e", "f"]);
}

#[test]
fn malformed_schemas_are_reported_one_by_one() {
    let (model, reported) = read_reported(
        "openapi: 3.1.0\ncomponents: {schemas: {A: {type: text, properties: [x], required: yes, enum: a, allOf: {}, minLength: -1, \
         maximum: '5', uniqueItems: 1, exclusiveMinimum: x, discriminator: {}, pattern: []}, B: 7, C: {type: [integer, 5]}, \
         D: {properties: {p: {type: string, required: true}}}, E: {items: {$ref: '#/components/schemas/Nope'}}, \
         F: {$ref: '#/components/schemas/F'}, G: {$ref: '#/components/schemas/G', description: round}}}",
    );
    let at = "#/components/schemas";
    let wanted = [
        format!("W0321 {at}/F/$ref: reference to itself"),
        format!("W0106 {at}/A/type: `type` is read as `string`"),
        format!("E0103 {at}/A/properties: expected an object for `properties`, found an array"),
        format!("W0106 {at}/A/required: `required` is read as a list of one item"),
        format!("W0106 {at}/A/enum: `enum` is read as a list of one item"),
        format!("W0106 {at}/A/allOf: `allOf` is read as a list of one item"),
        format!(
            "W0107 {at}/A/minLength: expected a non-negative integer for `minLength`, found -1; it is ignored"
        ),
        format!("W0106 {at}/A/maximum: `maximum` is read as a number"),
        format!(
            "W0107 {at}/A/uniqueItems: expected a boolean for `uniqueItems`, found 1; it is ignored"
        ),
        format!(
            "W0107 {at}/A/exclusiveMinimum: expected a number for `exclusiveMinimum`, found \"x\"; it is ignored"
        ),
        format!(
            "W0107 {at}/A/discriminator: missing `propertyName` of a discriminator; the discriminator is ignored"
        ),
        format!(
            "W0107 {at}/A/pattern: expected a string for `pattern`, found an array; it is ignored"
        ),
        format!("E0103 {at}/B: expected an object for `B`, found an integer"),
        format!("W0108 {at}/C/type/1: unknown type 5; any value is accepted"),
        format!(
            "W0104 {at}/D/properties/p/required: expected an array of names for `required`, found a boolean"
        ),
        format!("E0201 {at}/E/items/$ref: unresolved reference `#/components/schemas/Nope`"),
    ];
    let mut reported: Vec<_> = reported.lines().collect();
    let mut wanted: Vec<_> = wanted.iter().map(String::as_str).collect();
    reported.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(reported, wanted);
    assert_eq!(model.named_schemas.len(), 7);
}

#[test]
fn malformed_security_is_reported() {
    let (model, reported) = read_reported(
        "openapi: 3.0.0\ncomponents: {securitySchemes: {a: {}, b: {type: magic}, c: {type: http}, d: {type: apiKey, name: x, in: body}, e: {type: apiKey, in: query}, f: {type: http, scheme: Digest}}}",
    );
    let at = "#/components/securitySchemes";
    let wanted = [
        format!("W0107 {at}/a: unusable security scheme: missing `type`"),
        format!(
            "W0107 {at}/b/type: unusable security scheme: `type` is not one of `http`, `apiKey`, `oauth2`, `openIdConnect` and `mutualTLS`"
        ),
        format!("W0107 {at}/c: unusable security scheme: missing `scheme`"),
        format!(
            "W0107 {at}/d/in: unusable security scheme: `in` is not one of `header`, `query` and `cookie`"
        ),
        format!("W0107 {at}/e: unusable security scheme: missing `name`"),
    ];
    assert_eq!(reported.lines().collect::<Vec<_>>(), wanted);
    assert_eq!(model.security_schemes.len(), 1);
}

#[test]
fn documents_that_unfold_without_bounds_are_refused() {
    let filler = "x".repeat(64 * 400);
    let mut text = format!(
        "openapi: 3.0.0\ncomponents: {{responses: {{R: {{description: d, content: {{a/b: {{example: {filler}}}}}}}}}}}\npaths:\n"
    );
    for index in 0..60 {
        text.push_str(&format!(
            "  /{index}: {{get: {{responses: {{200: {{$ref: '#/components/responses/R'}}}}}}}}\n"
        ));
    }
    let (_, reported) = read_files_within(&[("api.yaml", &text)], 20_000);
    assert_eq!(
        reported,
        "E0111 #/components/responses/R/content/a~1b: the document exceeds the number of parts that are read"
    );
}

#[test]
fn documents_of_far_too_many_schemas_are_refused() {
    let items = vec!["{}"; 6_000].join(",");
    let text = format!("openapi: 3.0.0\ncomponents: {{schemas: {{A: {{allOf: [{items}]}}}}}}");
    let (_, reported) = read_files_within(&[("api.yaml", &text)], 20_000);
    assert_eq!(
        reported,
        "E0111 #/components/schemas/A/allOf/4999: the document exceeds the number of parts that are read"
    );
}

#[test]
fn statuses_and_headers_are_equal_whatever_their_case() {
    let (model, reported) = read_reported(
        "openapi: 3.0.0\npaths: {/a: {parameters: [{name: X-B, in: header, schema: {}}], \
         get: {parameters: [{name: X-A, in: header, schema: {}}, {name: x-a, in: header, schema: {type: string}}, \
         {name: x-b, in: header, schema: {}}, {name: x-b, in: query, schema: {}}, {name: X-B, in: query, schema: {}}], \
         responses: {4xx: {description: a}, 4XX: {description: b}, 200: {description: c}, 200 OK: {description: d}}}}}",
    );
    let at = "#/paths/~1a/get";
    let wanted = [
        format!("E0107 {at}/parameters/1: duplicate header parameter `x-a`"),
        format!(
            "W0107 {at}/responses/4XX: `4XX` is the same status as an entry before; it is ignored"
        ),
        format!("W0106 {at}/responses/200 OK: `200 OK` is read as the status before the blank"),
        format!(
            "W0107 {at}/responses/200 OK: `200 OK` is the same status as an entry before; it is ignored"
        ),
    ];
    assert_eq!(reported.lines().collect::<Vec<_>>(), wanted);
    let operation = &model.operations[0];
    let names = operation.parameters.iter().map(|it| it.name.as_str());
    assert_eq!(names.collect::<Vec<_>>(), ["X-A", "x-b", "x-b", "X-B"]);
    assert_eq!(operation.responses.len(), 2);
}
