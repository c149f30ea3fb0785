//! Cargo features of tags: every subset compiles, and a router has the paths of its features.

use std::path::{Path, PathBuf};

use bothends::{Builder, Parts, Plan};
use bothends_tests::{corpus, scratch};

/// Tags that share types and operations, one with the name of a feature of every crate, a task of
/// another tag, a callback, and an operation without a tag.
const SHOP: &str = "\
openapi: 3.1.0
info: {title: Shop, version: '1'}
tags: [{name: Orders, description: Buying.}, {name: tokens}, {name: Stock Levels}, {name: Jobs}]
paths:
  /orders:
    get:
      operationId: listOrders
      tags: [Orders]
      responses:
        '200': {description: Orders, content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Order'}}}}}
        '404': {$ref: '#/components/responses/Problem'}
    post:
      operationId: createOrder
      tags: [Orders, tokens]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Order'}}}}
      responses:
        '204': {description: Created}
        '404': {$ref: '#/components/responses/Problem'}
      callbacks:
        shipped:
          '{$request.body#/url}':
            post:
              operationId: shipped
              requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Shipment'}}}}
              responses: {'204': {description: Read}}
  /clients/{id}:
    parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
    get:
      operationId: getClient
      tags: [tokens]
      responses: {'200': {description: A client, content: {application/json: {schema: {$ref: '#/components/schemas/Client'}}}}}
  /stock:
    post:
      operationId: countStock
      tags: [Stock Levels]
      x-bothends-task: {status: getJob, parameter: id, id: /id, status-at: /state, terminal: [done]}
      responses: {'202': {description: Started, content: {application/json: {schema: {type: object, required: [id], properties: {id: {type: string}, item: {$ref: '#/components/schemas/Item'}}}}}}}
  /jobs/{id}:
    get:
      operationId: getJob
      tags: [Jobs]
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses:
        '200': {description: A job, content: {application/json: {schema: {$ref: '#/components/schemas/Job'}}}}
        '404': {$ref: '#/components/responses/Problem'}
  /health:
    get:
      operationId: getHealth
      responses: {'200': {description: Fine, content: {application/json: {schema: {$ref: '#/components/schemas/Health'}}}}}
webhooks:
  stockLow:
    post:
      operationId: stockLow
      tags: [Stock Levels]
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/Item'}}}}
      responses: {'204': {description: Read}}
components:
  responses:
    Problem: {description: A problem, content: {application/json: {schema: {$ref: '#/components/schemas/Problem'}}}}
  schemas:
    Order: {type: object, required: [item], properties: {item: {$ref: '#/components/schemas/Item'}, url: {type: string}}}
    Item: {type: object, required: [name], properties: {name: {type: string}, state: {type: string, enum: [new, used]}}}
    Client: {type: object, required: [id], properties: {id: {type: integer}, last: {$ref: '#/components/schemas/Order'}}}
    Shipment: {type: object, properties: {number: {type: string}}}
    Job: {type: object, required: [state], properties: {state: {type: string}}}
    Problem: {type: object, properties: {text: {type: string}}}
    Health: {type: object, properties: {ok: {type: boolean}}}
    Unused: {type: object, properties: {at: {type: string}}}
";

fn builder(path: &Path, out: &Path) -> Builder {
    let runtime = bothends_tests::root().join("runtime");
    let builder = Builder::new(path).out_dir(out).runtime_path(runtime);
    builder.tag_features(true)
}

/// Writes a crate for a document, and returns its plan.
fn written(builder: &Builder, out: &Path) -> Plan {
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    bothends::output::write(out, &plan.files, bothends::output::Record::Kept).expect("written");
    plan
}

fn shop(folder: &Path) -> (PathBuf, Plan) {
    let path = folder.join("api.yaml");
    std::fs::write(&path, SHOP).expect("written");
    let out = folder.join("shop");
    let plan = written(&builder(&path, &out).name("shop"), &out);
    (out, plan)
}

fn file<'p>(plan: &'p Plan, path: &str) -> &'p str {
    let mut files = plan.files.iter();
    let file = files.find(|file| file.path == path);
    file.map_or("", |file| &file.text)
}

fn features(plan: &Plan) -> Vec<String> {
    let features = &plan.api.conditions.features;
    features
        .iter()
        .map(|feature| feature.name.clone())
        .collect()
}

#[test]
fn the_output_has_the_features() {
    let folder = tempfile::tempdir().expect("a folder");
    let (_, plan) = shop(folder.path());
    assert_eq!(
        features(&plan),
        ["orders", "tag-tokens", "stock-levels", "jobs"]
    );
    let manifest = file(&plan, "Cargo.toml");
    let tags = manifest
        .split("tokens\", \"bothends-runtime/tasks\"]\n")
        .nth(1);
    let tags = tags.and_then(|tags| tags.split("\n\n").next());
    insta::assert_snapshot!("manifest", tags.unwrap_or(manifest));
    for name in [
        "types",
        "operations",
        "operations/orders",
        "client",
        "server",
        "webhooks",
    ] {
        let text = file(&plan, &format!("src/{name}.rs"));
        // What each feature enables: the line after it that is no attribute.
        let mut found = String::new();
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        for (index, line) in lines
            .iter()
            .enumerate()
            .filter(|(_, line)| line.contains("#[cfg("))
        {
            let mut next = lines.iter().skip(index + 1);
            let next = next.find(|line| !line.starts_with('#'));
            let next = if line.starts_with("#[cfg(") && line.ends_with(']') {
                next
            } else {
                None
            };
            let entry = format!("{line} {}", next.unwrap_or(&""));
            found += &format!("{}\n", entry.trim_end());
        }
        insta::assert_snapshot!(format!("features_of_{}", name.replace('/', "_")), found);
    }
    // Without the setting, the output has none.
    let path = folder.path().join("api.yaml");
    let plain = builder(&path, folder.path()).tag_features(false).plan();
    let plain = plain.expect("a plan");
    assert!(
        plain
            .files
            .iter()
            .all(|file| !file.text.contains("#[cfg(feature = \"orders"))
    );
}

/// Checks a crate with features, without those that are on by default.
fn check(out: &Path, features: &[&str]) {
    let features = features.join(",");
    let command = [
        "check",
        "--quiet",
        "--no-default-features",
        "--features",
        &features,
    ];
    let checked = scratch::run(out, &command).expect("cargo");
    assert!(checked.clean, "{features}: {}", checked.output);
}

#[test]
#[ignore = "fit"]
fn every_subset_compiles() {
    let folder = tempfile::tempdir().expect("a folder");
    let (out, plan) = shop(folder.path());
    let features = features(&plan);
    for subset in 0..1_u32 << features.len() {
        let chosen = features.iter().enumerate();
        let chosen = chosen.filter(|(index, _)| subset & (1 << index) != 0);
        let chosen = chosen.map(|(_, name)| name.as_str());
        let parts = ["client", "server", "webhooks"];
        check(&out, &chosen.chain(parts).collect::<Vec<_>>());
    }
    check(&out, &["jobs"]);
}

const SERVICE: &str = r#"
use bothends_runtime::server::{Body, Context, Error};
use shop::operations::*;
use shop::server::{DefaultApi, JobsApi, router};
use tower_service::Service as _;

struct Service;

impl JobsApi for Service {
    async fn get_job(&self, _: Context, _: GetJobRequest) -> Result<GetJobResponse, Error<GetJobError>> {
        Ok(GetJobResponse::new(shop::types::Job::new("done".to_owned())))
    }
}

impl DefaultApi for Service {
    async fn get_health(&self, _: Context, _: GetHealthRequest) -> Result<GetHealthResponse, Error<GetHealthError>> {
        Ok(GetHealthResponse::new(shop::types::Health::new()))
    }
}

fn main() {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    for (path, expected) in [("/jobs/1", 200), ("/health", 200), ("/orders", 404), ("/clients/1", 404)] {
        let request = http::Request::builder().uri(path).body(Body::empty()).unwrap();
        let response = runtime.block_on(router(Service).call(request)).unwrap();
        assert_eq!(response.status(), expected, "{path}");
    }
}
"#;

#[test]
fn a_router_has_the_paths_of_its_features() {
    let folder = tempfile::tempdir().expect("a folder");
    shop(folder.path());
    let program = folder.path().join("program");
    std::fs::create_dir_all(program.join("src")).expect("a folder");
    std::fs::write(program.join("src/main.rs"), SERVICE).expect("written");
    let runtime = bothends_tests::root().join("runtime");
    let manifest = format!(
        "[package]\nname = \"program\"\nversion = \"0.1.0\"\nedition = \"2024\"\n\n[dependencies]\n\
         bothends-runtime = {{ path = {:?} }}\nhttp = \"*\"\ntower-service = \"*\"\n\
         tokio = {{ version = \"*\", features = [\"rt\", \"time\", \"net\"] }}\n\
         shop = {{ path = \"../shop\", default-features = false, features = [\"server\", \"jobs\"] }}\n\n[workspace]\n",
        runtime.display().to_string()
    );
    std::fs::write(program.join("Cargo.toml"), manifest).expect("written");
    let run = scratch::run(&program, &["run", "--quiet"]).expect("cargo");
    assert!(run.clean, "{}", run.output);
}

#[test]
fn a_module_says_which_features_its_package_needs() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("api.yaml");
    std::fs::write(&path, SHOP).expect("written");
    let builder = builder(&path, folder.path()).module(true);
    let plan = builder.plan().expect("a plan");
    let lines = builder.dependencies(&plan, None).expect("lines");
    let expected = "\n[features]\ndefault = [\"orders\", \"tag-tokens\", \"stock-levels\", \"jobs\"]\n\
         # the operations of `Orders`\norders = []\n# the operations of `tokens`\ntag-tokens = []\n\
         # the operations of `Stock Levels`\nstock-levels = [\"jobs\"]\n# the operations of `Jobs`\njobs = []\n";
    assert!(lines.ends_with(expected), "{lines}");
    let head = "// Features of this crate: `orders`, `tag-tokens`, `stock-levels`, `jobs`\n";
    assert!(file(&plan, "mod.rs").contains(head));
}

/// Numbers that look random, and are the same on each run.
fn next(random: &mut u64) -> u64 {
    *random = random
        .wrapping_mul(6_364_136_223_846_793_005)
        .wrapping_add(1_442_695_040_888_963_407);
    *random >> 33
}

#[test]
#[ignore = "fit"]
fn subsets_of_a_large_document_compile() {
    let Some(corpus) = corpus("subsets_of_a_large_document_compile") else {
        return;
    };
    let folder = tempfile::tempdir().expect("a folder");
    let path = corpus.join("progenitor/sample_openapi.api.github.com.json");
    let out = folder.path().join("github");
    let builder = builder(&path, &out).name("github").parts(Parts {
        webhooks: false,
        ..Parts::default()
    });
    let plan = written(&builder, &out);
    let features = features(&plan);
    assert!(features.len() > 30, "{features:?}");
    let mut random = 1;
    let all = std::env::var_os("BOTHENDS_ALL_SUBSETS").is_some();
    for _ in 0..if all { 30 } else { 2 } {
        let share = next(&mut random) % 8 + 1;
        let chosen = features.iter().map(String::as_str);
        let chosen = chosen.filter(|_| next(&mut random) % 9 < share);
        let mut chosen: Vec<&str> = chosen.collect();
        chosen.extend(
            ["client", "server"]
                .into_iter()
                .filter(|_| next(&mut random).is_multiple_of(2)),
        );
        check(&out, &chosen);
    }
}
