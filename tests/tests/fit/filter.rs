//! Filters: what is generated of a document, and that it is a part of what is generated of the whole.

use std::collections::BTreeSet;
use std::path::Path;

use bothends::{Builder, Plan};

pub(super) const SHOP: &str = "\
openapi: 3.1.0
info: {title: Shop, version: '1'}
servers: [{url: https://a.example}]
security: [{key: []}]
paths:
  /orders:
    get:
      operationId: listOrders
      tags: [Orders, Reports]
      responses:
        '200': {description: d, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Order'}}}}}
        default: {$ref: '#/components/responses/Failed'}
    post:
      operationId: createOrder
      tags: [Orders]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses:
        '202':
          description: d
          content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}}}}}
          links: {status: {operationId: getJob, parameters: {id: $response.body#/id}}}
      callbacks:
        done:
          '{$request.body#/url}':
            post:
              requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Done'}}}}
              responses: {'204': {description: d}}
  /jobs/{id}:
    get:
      operationId: getJob
      tags: [Jobs]
      deprecated: true
      security: [{token: []}]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      servers: [{url: https://jobs.example}]
      responses:
        '200': {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
  /internal/health:
    get:
      responses: {'204': {description: d}}
webhooks:
  paid:
    post:
      tags: [Orders]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Paid'}}}}
      responses: {'204': {description: d}}
  shipped:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses: {'204': {description: d}}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: X-Key}
    token: {type: http, scheme: bearer}
  responses:
    Failed: {description: d, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
  schemas:
    Order: {type: object, required: [item], properties: {item: {$ref: '#/components/schemas/Item'}, url: {type: string}}}
    Item:
      oneOf: [{$ref: '#/components/schemas/Book'}, {$ref: '#/components/schemas/Pen'}]
      discriminator: {propertyName: kind}
    Book: {type: object, required: [kind], properties: {kind: {type: string}, pages: {type: integer}}}
    Pen: {type: object, required: [kind], properties: {kind: {type: string}}}
    Job: {type: object, properties: {state: {type: string, enum: [running, done]}}}
    Done: {type: object, properties: {ok: {type: boolean}}}
    Paid: {type: object, properties: {amount: {type: integer}}}
    Problem: {type: object, properties: {message: {type: string}}}
    Unused: {type: object, properties: {a: {type: string}}}
";

/// Plans the code for a document under a filter.
pub(super) fn planned(text: &str, include: &[&str], exclude: &[&str]) -> Plan {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.yaml");
    std::fs::write(&path, text).expect("written");
    filtered(&path, include, exclude)
}

pub(super) fn filtered(path: &Path, include: &[&str], exclude: &[&str]) -> Plan {
    let mut builder = Builder::new(path);
    for selector in include {
        builder = builder.include(*selector);
    }
    for selector in exclude {
        builder = builder.exclude(*selector);
    }
    builder.plan().expect("a plan")
}

/// What a plan keeps: operations, webhooks, reusable schemas, security schemes, servers, error sets.
pub(super) fn kept(plan: &Plan) -> String {
    let api = &plan.api;
    let names = |list: Vec<&str>| list.join(" ");
    [
        names(
            api.operations
                .iter()
                .map(|operation| operation.name.rust.as_str())
                .collect(),
        ),
        names(
            api.webhooks
                .iter()
                .map(|webhook| webhook.name.wire.as_str())
                .collect(),
        ),
        names(
            api.types
                .iter()
                .filter(|def| def.is_reusable_schema())
                .map(|def| def.name.rust.as_str())
                .collect(),
        ),
        names(
            api.schemes
                .iter()
                .map(|scheme| scheme.name.wire.as_str())
                .collect(),
        ),
        names(
            api.servers
                .iter()
                .map(|server| server.url.as_str())
                .collect(),
        ),
        names(
            api.error_sets
                .iter()
                .map(|error_set| error_set.name.rust.as_str())
                .collect(),
        ),
    ]
    .join(" | ")
}

#[test]
fn each_selector_keeps_what_it_needs() {
    for (include, exclude, expected) in [
        (
            &["listOrders"][..],
            &[][..],
            "list_orders |  | Order Item Book Pen Problem | key | https://a.example | ProblemDefault",
        ),
        (
            &["tag:Reports"],
            &[],
            "list_orders |  | Order Item Book Pen Problem | key | https://a.example | ProblemDefault",
        ),
        (
            &["GET /jobs/{id}"],
            &[],
            "get_job |  | Job | token | https://a.example https://jobs.example | ",
        ),
        (
            &["webhook:paid", "schema:Unused"],
            &[],
            " | paid | Paid Unused | key | https://a.example | ",
        ),
        (
            &["path:/orders*"],
            &["GET /orders"],
            "create_order | createOrder.done | Order Item Book Pen Done | key | https://a.example | ",
        ),
        (
            &["createOrder"],
            &["webhook:createOrder.done"],
            "create_order |  | Order Item Book Pen | key | https://a.example | ",
        ),
        (
            &[],
            &["tag:Orders", "path:/internal/*", "webhook:shipped"],
            "get_job |  | Job Unused | token | https://a.example https://jobs.example | ",
        ),
        (
            &[],
            &["deprecated", "schema:Unused"],
            "list_orders create_order get_internal_health | paid shipped createOrder.done | Order Item Book \
             Pen Done Paid Problem | key | https://a.example | ProblemDefault",
        ),
    ] {
        let plan = planned(SHOP, include, exclude);
        assert!(!plan.has_errors(), "{include:?}: {}", plan.report());
        assert_eq!(kept(&plan), expected, "{include:?} {exclude:?}");
    }
}

#[test]
fn the_report_counts_what_is_kept() {
    let plan = planned(SHOP, &["tag:Jobs"], &[]);
    let kept = plan.kept.map(|kept| kept.to_string());
    assert_eq!(
        kept.as_deref(),
        Some(
            "1 of 4 operations, 0 of 3 webhooks, 1 of 9 schemas; 1 operation without a tag is left out"
        )
    );
    assert!(planned(SHOP, &[], &[]).kept.is_none());
}

#[test]
fn a_selector_that_matches_nothing_is_an_error_with_the_nearest() {
    for (selector, help) in [
        ("tag:Order", "did you mean `tag:Orders`?"),
        ("Orders", "did you mean `tag:Orders`?"),
        ("listOrder", "did you mean `listOrders`?"),
        ("Paid", "did you mean `schema:Paid`?"),
        ("GET /order", "did you mean `GET /orders`?"),
        (
            "path:/nothing/*",
            "`bothends list operations` prints the selectors of the document",
        ),
        ("webhook:pad", "did you mean `webhook:paid`?"),
        ("schema:Jobs", "did you mean `schema:Job`?"),
        (
            "schema:Nothing",
            "`bothends list schemas` prints the selectors of the document",
        ),
    ] {
        let plan = planned(SHOP, &["getJob", selector], &[]);
        let mut found = plan.diagnostics.iter();
        let found = found.find(|diagnostic| diagnostic.code.id == "E0411");
        let found = found.unwrap_or_else(|| panic!("{selector}: {}", plan.report()));
        let message = format!("the selector `{selector}` matches nothing in the document");
        assert_eq!(found.message, message);
        assert_eq!(found.help.as_deref(), Some(help));
    }
    let wrong = Builder::new("api.yaml").include("/orders").plan();
    let wrong = wrong.expect_err("not a selector").to_string();
    assert!(wrong.contains("write `path:/orders`"), "{wrong}");
}

#[test]
fn links_and_callbacks_that_lead_out_are_dropped_with_a_note() {
    let whole = planned(SHOP, &[], &[]);
    let task = |plan: &Plan| {
        plan.api
            .operations
            .iter()
            .any(|operation| operation.task.is_some())
    };
    assert!(task(&whole));
    let plan = planned(SHOP, &["createOrder", "webhook:createOrder.done"], &[]);
    assert!(!task(&plan));
    let notes: Vec<String> = plan
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    let expected = "the task's status is returned by `getJob`, which the filter leaves out";
    assert_eq!(notes, [expected]);
    let plan = planned(SHOP, &["webhook:createOrder.done"], &[]);
    let notes: Vec<String> = plan
        .diagnostics
        .iter()
        .map(|diagnostic| diagnostic.message.clone())
        .collect();
    let expected = "calls of `createOrder` contain the callback's URL, which the filter leaves out";
    assert_eq!(notes, [expected]);
}

#[test]
fn errors_in_parts_that_are_left_out_do_not_count() {
    let broken = SHOP.replace(
        "'204': {description: d}}\nwebhooks",
        "'204': {$ref: '#/nowhere'}}\nwebhooks",
    );
    let broken = broken.replace("Paid: {type: object", "Paid: {type: objekt");
    let codes = |plan: &Plan| -> Vec<&str> {
        plan.diagnostics
            .iter()
            .map(|diagnostic| diagnostic.code.id)
            .collect()
    };
    assert!(planned(&broken, &[], &[]).has_errors());
    assert!(planned(&broken, &["path:/internal/*"], &[]).has_errors());
    let plan = planned(&broken, &["listOrders"], &[]);
    assert_eq!(codes(&plan), Vec::<&str>::new());
    assert_eq!(kept(&plan), kept(&planned(SHOP, &["listOrders"], &[])));
}

#[test]
fn diff_compares_what_the_filter_keeps() {
    let folder = tempfile::tempdir().expect("a folder");
    let (old, new) = (
        folder.path().join("old.yaml"),
        folder.path().join("new.yaml"),
    );
    // The old document lacks the tag `Jobs` entirely.
    std::fs::write(&old, SHOP.replace("tags: [Jobs]", "tags: [Other]")).expect("written");
    let changed = SHOP.replace("enum: [running, done]", "enum: [running]");
    let changed = changed.replace("amount: {type: integer}", "amount: {type: string}");
    std::fs::write(&new, changed).expect("written");
    let compared = |selector: &str| {
        let builder = Builder::new(&new).include(selector);
        let compared = builder.compare(&old).expect("compared");
        assert!(!compared.has_errors(), "{}", compared.report());
        compared
    };
    let (orders, job) = (compared("listOrders").report(), compared("getJob").report());
    assert!(
        !orders.contains("amount") && !orders.contains("done"),
        "{orders}"
    );
    assert!(!job.contains("amount") && job.contains("done"), "{job}");
    let added = compared("tag:Jobs");
    let count = |api: &Option<bothends::ir::Api>| api.as_ref().map(|api| api.operations.len());
    assert_eq!(
        (count(&added.old.api), count(&added.new.api)),
        (Some(0), Some(1))
    );
}

#[test]
fn a_bundle_contains_what_the_filter_keeps() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.yaml");
    std::fs::write(&path, SHOP).expect("written");
    let builder = Builder::new(&path)
        .include("tag:Jobs")
        .include("createOrder");
    let text = builder
        .bundle(true)
        .expect("a bundle")
        .text
        .expect("a text");
    let bundle: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    let keys = |value: &serde_json::Value| -> Vec<String> {
        value
            .as_object()
            .into_iter()
            .flatten()
            .map(|(key, _)| key.clone())
            .collect()
    };
    assert_eq!(keys(&bundle["paths"]), ["/orders", "/jobs/{id}"]);
    assert_eq!(keys(&bundle["paths"]["/orders"]), ["post"]);
    let components = &bundle["components"];
    let schemas: BTreeSet<String> = keys(&components["schemas"]).into_iter().collect();
    let expected = ["Book", "Done", "Item", "Job", "Order", "Pen"].map(str::to_owned);
    assert_eq!(schemas, BTreeSet::from(expected));
    assert_eq!(keys(&components["securitySchemes"]), ["key", "token"]);
    assert!(bundle.get("x-webhooks").is_none(), "{text}");
    // The bundle is the document of the filter.
    let whole = folder.path().join("bundle.json");
    std::fs::write(&whole, &text).expect("written");
    let (of_bundle, of_filter) = (
        filtered(&whole, &[], &[]),
        filtered(&path, &["tag:Jobs", "createOrder"], &[]),
    );
    assert_eq!(names(&of_bundle), names(&of_filter));
}

pub(super) fn names(plan: &Plan) -> BTreeSet<String> {
    let types = plan.api.types.iter().map(|def| def.name.rust.clone());
    types
        .chain(
            plan.api
                .operations
                .iter()
                .map(|operation| operation.name.rust.clone()),
        )
        .collect()
}
