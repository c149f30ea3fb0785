//! Lists in pages: what `bothends lint` proposes, and descriptions that cannot be used.

use super::Folder;

const UNSTATED: &str = "\
openapi: 3.1.0
info: { title: Lists, version: 1.0.0 }
paths:
  /pets:
    get:
      operationId: listPets
      parameters: [{ name: pageToken, in: query, schema: { type: string } }]
      responses:
        '200':
          description: Pets.
          content:
            application/json:
              schema:
                type: object
                properties:
                  pets: { type: array, items: { type: string } }
                  nextPageToken: { type: string }
  \"/owner's/{id}\":
    get:
      operationId: listOwners
      parameters:
        - { name: id, in: path, required: true, schema: { type: string } }
        - { name: page, in: query, schema: { type: integer } }
        - { name: per_page, in: query, schema: { type: integer } }
      responses:
        '200':
          description: Owners.
          content:
            application/json:
              schema: { type: array, items: { type: string } }
  /events:
    get:
      operationId: getEvent
      parameters: [{ name: after, in: query, schema: { type: string } }]
      responses:
        '200':
          description: An event.
          content:
            application/json:
              schema: { type: object, properties: { next: { type: string } } }
";

#[test]
fn lint_proposes_the_overlay_that_describes_pages() {
    let folder = Folder::new();
    folder.put("lists.yaml", UNSTATED);
    let run = folder.run(&["lint", "lists.yaml"]);
    assert_eq!(run.code, Some(0), "{}", run.err);
    let help = run.err.lines();
    let actions = help.filter_map(|line| line.split_once("add to an overlay: "));
    let actions: Vec<String> = actions
        .map(|(_, action)| format!("  - {action}\n"))
        .collect();
    assert_eq!(actions.len(), 2, "{}", run.err);
    let head = "overlay: 1.1.0\ninfo: { title: Pages, version: 1.0.0 }\nactions:\n";
    folder.put("pages.yaml", &format!("{head}{}", actions.concat()));

    let run = folder.run(&["lint", "lists.yaml", "--overlay", "pages.yaml"]);
    assert_eq!((run.code, run.err.as_str()), (Some(0), ""));
    folder.ok(&[
        "generate",
        "lists.yaml",
        "--overlay",
        "pages.yaml",
        "--out",
        "out",
    ]);
    let client = folder.read("out/src/client.rs");
    for row in [
        r#"items: String => [pets?]"#,
        r#"NextPage::values(&[("query", "pageToken", Expression::ResponseBody("/nextPageToken"))])"#,
        r#"NextPage::page("query", "page", 1)"#,
        r#"limit("query", "per_page")"#,
        "fn list_owners(\n        &self,\n        request: impl Into<ListOwnersRequest>,\n    ) -> PagedCall<'_, T, ListOwnersRequest>",
    ] {
        assert!(client.contains(row), "{row}\n{client}");
    }
    // Without the overlay, `generate` does not speak of it, and the client has plain calls.
    let run = folder.run(&["generate", "lists.yaml", "--out", "plain"]);
    assert_eq!(run.err, "");
    assert!(!folder.read("plain/src/client.rs").contains("PagedCall"));
}

#[test]
fn a_description_that_cannot_be_used_is_reported_at_its_place() {
    let folder = Folder::new();
    for (stated, code, message) in [
        (
            "x-bothends-pages: true",
            "E0311",
            "is neither an object nor `false`",
        ),
        (
            "x-bothends-pages: {}",
            "E0311",
            "needs one of `next`, `next-url`, `page` and `offset`",
        ),
        (
            "x-bothends-pages: { page: page, offset: o }",
            "E0311",
            "needs one of",
        ),
        (
            "x-bothends-pages: { page: pag }",
            "E0311",
            "names `pag`, which is not a parameter",
        ),
        (
            "x-bothends-pages: { next: { pageToken: $request.query.x } }",
            "E0311",
            "not a part of the response",
        ),
        (
            "x-bothends-pages: { next: { pageToken: $response.bod } }",
            "E0311",
            "invalid expression",
        ),
        (
            "x-bothends-pages: { next: { '#/after': $response.body#/next } }",
            "E0311",
            "sets `/after`",
        ),
        (
            "x-bothends-pages: { page: pageToken, items: pets }",
            "E0311",
            "not a JSON pointer",
        ),
        (
            "x-bothends-pages: { page: pageToken, itms: /pets }",
            "W0315",
            "unknown key `itms`",
        ),
        (
            "x-speakeasy-pagination: { type: url }",
            "W0323",
            "has no output `nextUrl`",
        ),
        (
            "x-speakeasy-pagination: { type: cursor, inputs: [{ name: x, type: cursor }] }",
            "W0323",
            "names `x`",
        ),
        (
            "x-speakeasy-pagination: { type: url, outputs: { nextUrl: '$.a[*]' } }",
            "W0323",
            "not a path",
        ),
        (
            "x-fern-pagination: true",
            "W0323",
            "has no object at the root",
        ),
        (
            "x-fern-pagination: { cursor: $request.pageToken }",
            "W0323",
            "has no `next_cursor`",
        ),
    ] {
        let text = UNSTATED.replace(
            "operationId: listPets",
            &format!("operationId: listPets\n      {stated}"),
        );
        folder.put("lists.yaml", &text);
        let run = folder.run(&["lint", "lists.yaml"]);
        assert!(
            run.err.contains(code) && run.err.contains(message),
            "{stated}\n{}",
            run.err
        );
        assert!(run.err.contains("lists.yaml:7:"), "{stated}\n{}", run.err);
    }
    folder.put(
        "lists.yaml",
        &UNSTATED.replace(
            "operationId: listPets",
            "operationId: listPets\n      x-bothends-pages: false",
        ),
    );
    let run = folder.run(&["generate", "lists.yaml", "--out", "off"]);
    assert_eq!(run.err, "");

    // A body that is streamed cannot be sent for each page.
    let upload = "post:\n      requestBody: { content: { image/png: {} } }\n      x-bothends-pages: { page: pageToken }";
    folder.put("lists.yaml", &UNSTATED.replacen("get:", upload, 1));
    let run = folder.run(&["lint", "lists.yaml"]);
    let message = "`x-bothends-pages` needs an operation without a body, or with one of JSON";
    assert!(run.err.contains(message), "{}", run.err);
}
