//! Filters: what is generated of a document, and that it is a part of what is generated of the whole.

use std::collections::BTreeSet;
use std::path::Path;

use bothends::emit::{self, Options};
use bothends::{Builder, Plan};
use bothends_tests::{corpus, root, scratch};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use syn::Item;

const SHOP: &str = "\
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
fn planned(text: &str, include: &[&str], exclude: &[&str]) -> Plan {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.yaml");
    std::fs::write(&path, text).expect("written");
    filtered(&path, include, exclude)
}

fn filtered(path: &Path, include: &[&str], exclude: &[&str]) -> Plan {
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
fn kept(plan: &Plan) -> String {
    let api = &plan.api;
    let names = |list: Vec<&str>| list.join(" ");
    [
        names(
            api.operations
                .iter()
                .map(|of| of.name.rust.as_str())
                .collect(),
        ),
        names(
            api.webhooks
                .iter()
                .map(|of| of.name.wire.as_str())
                .collect(),
        ),
        names(
            api.types
                .iter()
                .filter(|def| def.is_reusable_schema())
                .map(|def| def.name.rust.as_str())
                .collect(),
        ),
        names(api.schemes.iter().map(|of| of.name.wire.as_str()).collect()),
        names(api.servers.iter().map(|of| of.url.as_str()).collect()),
        names(
            api.error_sets
                .iter()
                .map(|of| of.name.rust.as_str())
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
        let found = found.find(|one| one.code.id == "E0411");
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
    let task = |plan: &Plan| plan.api.operations.iter().any(|of| of.task.is_some());
    assert!(task(&whole));
    let plan = planned(SHOP, &["createOrder", "webhook:createOrder.done"], &[]);
    assert!(!task(&plan));
    let notes: Vec<String> = plan
        .diagnostics
        .iter()
        .map(|one| one.message.clone())
        .collect();
    let expected = "the task's status is returned by `getJob`, which the filter leaves out";
    assert_eq!(notes, [expected]);
    let plan = planned(SHOP, &["webhook:createOrder.done"], &[]);
    let notes: Vec<String> = plan
        .diagnostics
        .iter()
        .map(|one| one.message.clone())
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
    let codes =
        |plan: &Plan| -> Vec<&str> { plan.diagnostics.iter().map(|one| one.code.id).collect() };
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

fn names(plan: &Plan) -> BTreeSet<String> {
    let types = plan.api.types.iter().map(|def| def.name.rust.clone());
    types
        .chain(plan.api.operations.iter().map(|of| of.name.rust.clone()))
        .collect()
}

const SERVICE: &str = r#"
#[allow(dead_code)]
mod api;

use api::operations::*;
use api::server::{OrdersApi, router};
use bothends_runtime::server::{Body, Context, Error};
use tower_service::Service as _;

struct Service;

impl OrdersApi for Service {
    async fn list_orders(
        &self,
        _: Context,
        _: ListOrdersRequest,
    ) -> Result<ListOrdersResponse, Error<ListOrdersError>> {
        Ok(ListOrdersResponse::new(Vec::new()))
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (method, path, expected) in [
        ("GET", "/orders", 200),
        ("POST", "/orders", 405),
        ("GET", "/jobs/1", 404),
        ("GET", "/internal/health", 404),
    ] {
        let request = http::Request::builder().method(method).uri(path).body(Body::empty()).unwrap();
        let mut router = router(Service).allow_unauthenticated();
        let response = runtime.block_on(router.call(request)).unwrap();
        assert_eq!(response.status(), expected, "{method} {path}");
    }
}
"#;

#[test]
fn a_router_responds_404_to_what_is_left_out() {
    let folder = tempfile::tempdir().expect("a folder");
    let plan = planned(SHOP, &["listOrders"], &[]);
    let path = folder.path().join("api.yaml");
    std::fs::write(&path, SHOP).expect("written");
    let module = Builder::new(&path)
        .module(true)
        .include("listOrders")
        .plan();
    let module = module.expect("a plan");
    assert_eq!(kept(&module), kept(&plan));
    let source = folder.path().join("src");
    std::fs::create_dir(&source).expect("a folder");
    std::fs::write(source.join("api.rs"), &module.files[0].text).expect("written");
    std::fs::write(source.join("main.rs"), SERVICE).expect("written");
    let manifest = scratch::manifest_with("filtered", &["client", "server"]);
    let manifest = manifest.replace(
        "[lib]\ndoctest = false\n",
        "tokio = { version = \"1\", features = [\"rt\"] }\ntower-service = \"0.3\"\nhttp = \"1\"\n",
    );
    std::fs::write(folder.path().join("Cargo.toml"), manifest).expect("written");
    let run = scratch::run(folder.path(), &["run", "--quiet"]).expect("cargo");
    assert!(run.clean, "{}", run.output);
}

/// Documents of the corpus for random selections.
const DOCUMENTS: &[&str] = &[
    "progenitor/sample_openapi.nexus.json",
    "ogen/_testdata.examples.telegram_bot_api.json",
    "ogen/_testdata.examples.superset.json",
    "adyen-openapi/json.BalancePlatformService-v2.json",
    "adyen-openapi/json.Webhooks-v1.json",
    "openai-openapi/openapi.yaml",
    "twilio-oai/spec.json.twilio_verify_v2.json",
    "Xero-OpenAPI/xero_accounting.yaml",
    "read-write-api-specs/dist.openapi.payment-initiation-openapi.yaml",
];

/// Numbers that look random, and are the same on each run.
struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        let end = u64::try_from(end.max(1)).expect("small");
        usize::try_from((self.0 >> 33) % end).expect("small")
    }
}

#[test]
fn a_filter_removes_items_and_changes_none() {
    let mut documents: Vec<_> = [
        "callbacks",
        "webhooks",
        "polymorphism",
        "security",
        "servers",
        "task-links",
    ]
    .map(|name| root().join(format!("spec/features/{name}.yaml")))
    .to_vec();
    documents.push(root().join("spec/financial-data.yaml"));
    if let Some(corpus) = corpus("a_filter_removes_items_and_changes_none") {
        documents.extend(DOCUMENTS.iter().map(|path| corpus.join(path)));
    }
    let mut random = Random(1);
    for document in documents {
        let whole = filtered(&document, &[], &[]);
        assert!(!whole.has_errors(), "{}", whole.report());
        let full = items(&whole);
        for _ in 0..3 {
            let selectors = selection(&whole, &mut random);
            let selectors: Vec<&str> = selectors.iter().map(String::as_str).collect();
            for (include, exclude) in [(&selectors[..], &[][..]), (&[][..], &selectors[..])] {
                let plan = filtered(&document, include, exclude);
                assert!(!plan.has_errors(), "{}", plan.report());
                assert_eq!(
                    plan.api.operations.len(),
                    plan.kept.map_or(0, |kept| kept.operations.0)
                );
                let missing: Vec<String> = items(&plan).difference(&full).cloned().collect();
                let document = document.display();
                assert!(
                    missing.is_empty(),
                    "{document} {include:?} {exclude:?}:\n{}",
                    missing.join("\n")
                );
            }
        }
    }
}

/// Selects some operations, in one of several ways.
fn selection(whole: &Plan, random: &mut Random) -> Vec<String> {
    let operations = bothends::filter::list_operations(&whole.api);
    let tags = bothends::filter::list_tags(&whole.api);
    let schemas = bothends::filter::list_schemas(&whole.api);
    let from = match random.below(3) {
        0 if !tags.is_empty() => &tags,
        1 if !schemas.is_empty() => &schemas,
        _ => &operations,
    };
    let count = 1 + random.below(4);
    (0..count)
        .map(|_| from[random.below(from.len())].0.clone())
        .collect()
}

/// The items of a plan's modules as text, each after the path of its module. Items that list others are
/// taken apart into what they list.
fn items(plan: &Plan) -> BTreeSet<String> {
    let options = Options::default();
    let output = emit::emit(&plan.api, &options).expect("items");
    let mut found = BTreeSet::new();
    for module in &output.modules {
        let path = module.path.join("::");
        for item in &module.items {
            for text in parts(item) {
                found.insert(format!("{path}: {text}"));
            }
        }
    }
    found
}

fn parts(item: &Item) -> Vec<String> {
    let text = |tokens: &dyn quote::ToTokens| tokens.to_token_stream().to_string();
    match item {
        // Imports are what the other items need.
        Item::Use(_) => Vec::new(),
        Item::Impl(block) if !block.items.is_empty() => {
            block.items.iter().map(|item| text(item)).collect()
        }
        Item::Trait(of) if of.ident == "Api" => Vec::new(),
        Item::Impl(of) if text(of).starts_with("impl < T :") => Vec::new(),
        Item::Enum(of) if of.ident == "WebhookKind" => {
            of.variants.iter().map(|of| text(of)).collect()
        }
        Item::Struct(of) if of.ident == "Credentials" => {
            of.fields.iter().map(|of| text(of)).collect()
        }
        // Without security schemes it has no authenticator.
        Item::Fn(of) if of.sig.ident == "router" => Vec::new(),
        // It lists the operations with responses of their own.
        Item::Static(of) if of.ident == "REJECTION_BODIES" => Vec::new(),
        // A list of all kinds of webhooks.
        Item::Const(of) if of.ident == "SUBSCRIPTION" => Vec::new(),
        // The webhooks that report the end of a task are those that are kept.
        Item::Const(of) if text(&of.ty).starts_with("TaskMeta") => Vec::new(),
        Item::Macro(of) if of.mac.path.segments.iter().any(|of| of.ident == "requires") => {
            Vec::new()
        }
        // Of the operations at a path, a router has the first that is kept.
        Item::Macro(of) if of.mac.path.segments.iter().any(|of| of.ident == "routes") => Vec::new(),
        Item::Macro(of) if names_all(&of.mac) => rows(of.mac.tokens.clone()),
        other => vec![text(other)],
    }
}

/// Whether a macro lists all operations, or all kinds of webhooks.
fn names_all(of: &syn::Macro) -> bool {
    let name = of.path.segments.last().map(|of| of.ident.to_string());
    match name.as_deref() {
        Some("string_enum") => of.tokens.to_string().starts_with("WebhookKind"),
        Some("handlers" | "webhook_kinds" | "credentials" | "presented_credentials") => true,
        _ => false,
    }
}

/// The rows of a macro: what stands between commas, semicolons and braces.
fn rows(tokens: TokenStream) -> Vec<String> {
    let mut rows = Vec::new();
    let mut row = TokenStream::new();
    for token in tokens {
        let ends = match &token {
            TokenTree::Punct(sign) => matches!(sign.as_char(), ',' | ';'),
            TokenTree::Group(group) if group.delimiter() == Delimiter::Brace => {
                rows.extend(self::rows(group.stream()));
                true
            }
            _ => false,
        };
        if ends {
            rows.push(std::mem::take(&mut row).to_string());
        } else {
            row.extend([token]);
        }
    }
    rows.push(row.to_string());
    rows
}
