//! Documents from public bug reports with several changes each, and all changes that are right.

use super::verdicts::changes;

/// Compares two documents, and returns the rules with the levels for clients and servers on the wire
/// and for callers and implementers in Rust.
fn compared(old: &str, new: &str) -> Vec<String> {
    let read = |text: &str| serde_yaml::from_str(text).expect("YAML");
    let mut found: Vec<String> = changes(&read(old), &read(new))
        .iter()
        .map(|change| {
            let levels = change
                .outcomes
                .iter()
                .map(|outcome| format!("{:?}", outcome.level));
            let levels = levels.filter_map(|level| level.to_lowercase().chars().next());
            format!("{} {}", change.code(), levels.collect::<String>())
        })
        .collect();
    found.sort();
    found
}

#[test]
fn parameters_that_are_renamed_and_serialized_differently_are_matched() {
    let old = "
openapi: 3.1.0
info: { title: T, version: 1.0.0 }
paths:
  /users/{id}/posts:
    get:
      operationId: listPosts
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: q, in: query, schema: { type: [string, 'null'] } }
        - { name: limit, in: query, schema: { type: integer, default: 20 } }
        - { name: sort, in: query, schema: { type: array, items: { type: string } } }
      responses: { '204': { description: Done. } }
";
    let new = old
        .replace("{id}", "{userId}")
        .replace("name: id", "name: userId")
        .replace("[string, 'null']", "string")
        .replace("default: 20", "default: 50")
        .replace(
            "name: sort, in: query,",
            "name: sort, in: query, explode: false,",
        );
    // The path has the same segments, and null cannot be written in a query.
    let expected = ["D0207 ssbb", "D0208 bbss", "D0438 bbss"];
    assert_eq!(compared(old, &new), expected);
}

#[test]
fn responses_that_promise_less_and_requests_that_demand_more() {
    let old = "
openapi: 3.1.0
info: { title: T, version: 1.0.0 }
paths:
  /things:
    post:
      operationId: addThing
      security: [{ key: [] }]
      requestBody: { content: { application/json: { schema: { $ref: '#/components/schemas/New' } } } }
      responses:
        '201':
          description: Done.
          headers: { Location: { required: true, schema: { type: string } } }
          content: { application/json: { schema: { $ref: '#/components/schemas/Thing' } } }
components:
  securitySchemes: { key: { type: apiKey, in: header, name: X-Key }, bearer: { type: http, scheme: bearer } }
  schemas:
    New: { type: object, properties: { note: { type: string }, n: { type: integer, maximum: 10 } } }
    Thing:
      type: object
      required: [id, at]
      properties:
        id: { oneOf: [{ type: integer }, { type: string }] }
        at: { type: string, format: date-time }
        tags: { type: array, items: { type: string } }
";
    let new = old
        .replace("[{ key: [] }]", "[{ key: [] }, { bearer: [] }]")
        .replace("requestBody: {", "requestBody: { required: true,")
        .replace(
            "New: { type: object,",
            "New: { type: object, required: [note],",
        )
        .replace("maximum: 10", "maximum: 100")
        .replace("Location: { required: true,", "Location: {")
        .replace("[id, at]", "[id]")
        .replace(
            "{ oneOf: [{ type: integer }, { type: string }] }",
            "{ type: string }",
        )
        .replace(
            "{ type: string, format: date-time }",
            "{ anyOf: [{ type: string, format: date-time }, { type: 'null' }] }",
        )
        .replace(
            "items: { type: string } }",
            "items: { type: string }, minItems: 1 }",
        );
    let found = compared(old, &new);
    for expected in [
        "D0225 bsbb", // the body became required
        "D0316 bsbb", // the header became optional
        "D0409 bsbb", // `note` became required
        "D0432 sbss", // `maximum` went up
        "D0510 bsbb", // `at` became optional
        "D0511 bsbb", // null is a value of `at`
        "D0515 sbbb", // `id` is a string only
        "D0531 sbss", // a list has an item
        "D0603 sbss", // another alternative of security
    ] {
        assert!(
            found.iter().any(|change| change == expected),
            "{expected}: {found:#?}"
        );
    }
}
