//! Documents that break the standard: told, and read on.

use super::{read_files_within, read_told};

#[test]
fn wrong_types_are_told_where_they_are_and_the_rest_is_read() {
    let (model, told) = read_told(
        "openapi: 3.0.0\ninfo: [x]\nservers: {url: /}\ntags: [{description: no name}]\npaths:\n  /a: text\n  /b:\n    get: 5\n    \
         put:\n      parameters: {a: b}\n      requestBody: {description: d}\n      responses: {200: words, OK: {}, 299: {content: [1], headers: {H: 1}}}\n    \
         post:\n      deprecated: sure\n      tags: one\n      operationId: [x]\n      responses:\n        - x\n      security: {a: []}\n",
    );
    let lines: Vec<_> = told.lines().collect();
    assert_eq!(
        lines,
        [
            "E0103 #/info: `info` must be an object, and is an array",
            "E0103 #/servers: `servers` must be an array, and is an object",
            "E0104 #/tags/0: the tag has no `name`",
            "E0103 #/paths/~1a: `/a` must be an object, and is a string",
            "E0103 #/paths/~1b/get: `get` must be an object, and is an integer",
            "E0103 #/paths/~1b/put/parameters: `parameters` must be an array, and is an object",
            "E0104 #/paths/~1b/put/requestBody: the request body has no `content`",
            "E0103 #/paths/~1b/put/responses/200: `200` must be an object, and is a string",
            "E0106 #/paths/~1b/put/responses/OK: `OK` is neither a status nor a range nor `default`",
            "E0103 #/paths/~1b/put/responses/299/headers/H: `H` must be an object, and is an integer",
            "E0103 #/paths/~1b/put/responses/299/content: `content` must be an object, and is an array",
            "E0103 #/paths/~1b/post/operationId: `operationId` must be a string, and is an array",
            "E0103 #/paths/~1b/post/tags: `tags` must be an array, and is a string",
            "E0103 #/paths/~1b/post/deprecated: `deprecated` must be a boolean, and is a string",
            "E0103 #/paths/~1b/post/responses: `responses` must be an object, and is an array",
            "E0103 #/paths/~1b/post/security: `security` must be an array, and is an object",
        ]
    );
    assert_eq!(model.operations.len(), 2);
    assert_eq!(model.operations[0].responses.len(), 1);
}

#[test]
fn malformed_parameters_are_told_one_by_one() {
    let (model, told) = read_told(
        "openapi: 3.0.0\npaths: {/a: {get: {responses: {}, parameters: [{in: query}, {name: a}, {name: b, in: body}, \
         {name: c, in: query, style: wild, schema: {}}, {name: d, in: query}, {name: e, in: query, schema: {}}, {name: e, in: query, schema: {}}, \
         {name: f, in: query, content: {a/b: {}, c/d: {}}}, {$ref: '#/components/parameters/Gone'}, 5]}}}",
    );
    let at = "#/paths/~1a/get/parameters";
    let wanted = [
        format!("E0104 {at}/0: the parameter has no `name`"),
        format!("E0104 {at}/1: the parameter has no `in`"),
        format!("E0105 {at}/2/in: `in` cannot be \"body\""),
        format!("E0105 {at}/3/style: `style` cannot be \"wild\""),
        format!("W0103 {at}/4: the parameter `d` has neither `schema` nor `content`"),
        format!("E0107 {at}/6: the query parameter `e` is declared twice in one list"),
        format!("E0108 {at}/7/content: `content` has 2 media types where one is meant"),
        format!("E0201 {at}/8/$ref: nothing is at `#/components/parameters/Gone`"),
        format!("E0103 {at}/9: `9` must be an object, and is an integer"),
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), wanted);
    let names: Vec<_> = model.operations[0]
        .parameters
        .iter()
        .map(|it| it.name.as_str())
        .collect();
    assert_eq!(names, ["c", "d", "e", "f"]);
}

#[test]
fn malformed_schemas_are_told_one_by_one() {
    let (model, told) = read_told(
        "openapi: 3.1.0\ncomponents: {schemas: {A: {type: text, properties: [x], required: yes, enum: a, allOf: {}, minLength: -1, \
         maximum: '5', uniqueItems: 1, exclusiveMinimum: x, discriminator: {}, pattern: []}, B: 7, C: {type: [integer, 5]}, \
         D: {properties: {p: {type: string, required: true}}}, E: {items: {$ref: '#/components/schemas/Nope'}}, \
         F: {$ref: '#/components/schemas/F'}, G: {$ref: '#/components/schemas/G', description: round}}}",
    );
    let at = "#/components/schemas";
    let wanted = [
        format!("E0202 {at}/F/$ref: this reference leads to itself"),
        format!("E0105 {at}/A/type: `type` cannot be \"text\""),
        format!("E0103 {at}/A/properties: `properties` must be an object, and is an array"),
        format!("E0103 {at}/A/required: `required` must be an array of names, and is a string"),
        format!("E0103 {at}/A/enum: `enum` must be an array, and is a string"),
        format!("E0103 {at}/A/allOf: `allOf` must be an array, and is an object"),
        format!(
            "E0103 {at}/A/minLength: `minLength` must be an integer that is not negative, and is an integer"
        ),
        format!("E0103 {at}/A/maximum: `maximum` must be a number, and is a string"),
        format!("E0103 {at}/A/uniqueItems: `uniqueItems` must be a boolean, and is an integer"),
        format!(
            "E0103 {at}/A/exclusiveMinimum: `exclusiveMinimum` must be a number, and is a string"
        ),
        format!("E0104 {at}/A/discriminator: the discriminator has no `propertyName`"),
        format!("E0103 {at}/A/pattern: `pattern` must be a string, and is an array"),
        format!("E0103 {at}/B: `B` must be an object, and is an integer"),
        format!("E0105 {at}/C/type/1: `1` cannot be 5"),
        format!(
            "W0104 {at}/D/properties/p/required: `required` must be an array of names, and is a boolean"
        ),
        format!("E0201 {at}/E/items/$ref: nothing is at `#/components/schemas/Nope`"),
    ];
    let mut told: Vec<_> = told.lines().collect();
    let mut wanted: Vec<_> = wanted.iter().map(String::as_str).collect();
    told.sort_unstable();
    wanted.sort_unstable();
    assert_eq!(told, wanted);
    assert_eq!(model.named_schemas.len(), 7);
}

#[test]
fn malformed_security_is_told() {
    let (model, told) = read_told(
        "openapi: 3.0.0\ncomponents: {securitySchemes: {a: {}, b: {type: magic}, c: {type: http}, d: {type: apiKey, name: x, in: body}, e: {type: apiKey, in: query}, f: {type: http, scheme: Digest}}}",
    );
    let at = "#/components/securitySchemes";
    let wanted = [
        format!("E0104 {at}/a: the security scheme has no `type`"),
        format!("E0105 {at}/b/type: `type` cannot be \"magic\""),
        format!("E0104 {at}/c: the security scheme has no `scheme`"),
        format!("E0105 {at}/d/in: `in` cannot be \"body\""),
        format!("E0104 {at}/e: the security scheme has no `name`"),
    ];
    assert_eq!(told.lines().collect::<Vec<_>>(), wanted);
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
    let (_, told) = read_files_within(&[("api.yaml", &text)], 20_000);
    assert_eq!(
        told,
        "E0111 #/components/responses/R/content/a~1b: this goes beyond the number of parts that are read of a document"
    );
}

#[test]
fn documents_of_far_too_many_schemas_are_refused() {
    let items = vec!["{}"; 6_000].join(",");
    let text = format!("openapi: 3.0.0\ncomponents: {{schemas: {{A: {{allOf: [{items}]}}}}}}");
    let (_, told) = read_files_within(&[("api.yaml", &text)], 20_000);
    assert_eq!(
        told,
        "E0111 #/components/schemas/A/allOf/4999: this goes beyond the number of parts that are read of a document"
    );
}
