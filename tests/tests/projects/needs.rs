//! What a document needs of other crates is there, or its code does not compile and says what is missing.

use std::fs;
use std::path::Path;
use std::process::Command;

use bothends::{Builder, Parts};
use bothends_tests::root;
use bothends_tests::scratch::{run, target};

/// Types of every feature of the runtime, and one of another crate.
const DOCUMENT: &str = r"
openapi: 3.1.0
info: { title: Stock, version: 1.0.0 }
paths:
  /items/{id}:
    put:
      operationId: putItem
      parameters:
        - { name: id, in: path, required: true, schema: { type: string, format: uuid } }
        - { name: below, in: query, schema: { type: string, format: decimal } }
      requestBody:
        content: { application/json: { schema: { $ref: '#/components/schemas/Item' } } }
      responses: { '204': { description: Done } }
  /prices:
    get:
      operationId: prices
      parameters:
        - { name: least, in: query, required: true, schema: { type: string, format: decimal } }
      responses:
        '200':
          description: Prices
          headers: { x-sum: { schema: { type: string, format: decimal } } }
          content:
            application/json: { schema: { type: array, items: { type: string, format: decimal } } }
    put:
      operationId: putPrices
      requestBody:
        required: true
        content:
          application/json: { schema: { type: array, items: { type: string, format: decimal } } }
      responses: { '204': { description: Done } }
    post:
      operationId: postPrice
      requestBody:
        content:
          application/json: { schema: { type: string, format: decimal } }
          text/plain: { schema: { type: string, format: decimal } }
      responses: { '204': { description: Done } }
components:
  schemas:
    Item:
      type: object
      required: [code, price, since]
      properties:
        code: { type: string, pattern: '^[A-Z]{3}$' }
        price: { type: string, format: decimal }
        since: { type: string, format: date }
";

const MAIN_RS: &str = r##"
mod api {
    bothends_runtime::include_api!();
}

fn main() {
    use bothends_runtime::{Validate, serde_json};
    for code in ["ABC", "abc"] {
        let text = format!(r#"{{"code": "{code}", "price": "1", "since": "2024-01-02"}}"#);
        let item: api::types::Item = serde_json::from_str(&text).expect("an item");
        println!("{:?}", item.validate().map_err(|invalid| invalid.to_string()));
    }
}
"##;

/// Cargo tells crates apart by their names where they share a target folder, so each test has its own.
fn manifest(name: &str, features: &[&str]) -> String {
    let path = |crate_: &str| root().join(crate_).display().to_string();
    format!(
        "[package]\nname = \"{name}\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nbothends-runtime = {{ path = {:?}, features = {features:?} }}\n\n\
         [build-dependencies]\nbothends = {{ path = {:?}, default-features = false }}\n\n[workspace]\n",
        path("runtime"),
        path("generator"),
    )
}

/// A crate whose build script generates the API; the text of its `main` fails with `?`.
fn stock(dir: &Path) {
    fs::create_dir_all(dir.join("src")).expect("a folder");
    fs::write(dir.join("api.yaml"), DOCUMENT).expect("written");
    // What the compiler says is asked for here, and not what the script finds in the manifest.
    let script = "fn main() -> Result<(), Box<dyn std::error::Error>> {\n    \
                  bothends::Builder::new(\"api.yaml\").check_manifest(false).build()?;\n    \
                  Ok(())\n}\n";
    fs::write(dir.join("build.rs"), script).expect("written");
    fs::write(dir.join("src/main.rs"), MAIN_RS).expect("written");
}

fn missing(feature: &str) -> String {
    format!(
        "error: the generated code needs the feature `{feature}` of `bothends-runtime`: enable it in Cargo.toml"
    )
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_build_script_does_without_no_check() {
    let dir = tempfile::tempdir().expect("a folder");
    stock(dir.path());
    let with = |features: &[&str], command: &str| {
        fs::write(dir.path().join("Cargo.toml"), manifest("stock", features)).expect("written");
        run(dir.path(), &[command]).expect("cargo runs")
    };
    // Without `pattern` alone, that is the one thing that is wrong.
    let checked = with(&["client", "jiff", "server", "uuid"], "check");
    assert!(!checked.clean);
    assert!(
        checked.output.contains(&missing("pattern")),
        "{}",
        checked.output
    );
    assert!(
        checked.output.contains("due to 1 previous error"),
        "{}",
        checked.output
    );
    let checked = with(&[], "check");
    assert!(!checked.clean);
    for feature in ["client", "jiff", "pattern", "server", "uuid"] {
        assert!(
            checked.output.contains(&missing(feature)),
            "{}",
            checked.output
        );
    }

    let built = with(&["client", "jiff", "pattern", "server", "uuid"], "build");
    assert!(built.clean, "{}", built.output);
    let ran = Command::new(target().join("debug/stock"))
        .output()
        .expect("it runs");
    let stdout = String::from_utf8_lossy(&ran.stdout).into_owned();
    let lines: Vec<&str> = stdout.lines().collect();
    assert_eq!(lines.len(), 2, "{stdout}");
    assert_eq!(lines[0], "Ok(())");
    assert!(lines[1].starts_with("Err(\"code: "), "{stdout}");
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_build_script_that_fails_prints_the_report_as_text() {
    let dir = tempfile::tempdir().expect("a folder");
    stock(dir.path());
    fs::write(dir.path().join("Cargo.toml"), manifest("stock-broken", &[])).expect("written");
    let broken = DOCUMENT.replace("schemas/Item'", "schemas/Itme'");
    fs::write(dir.path().join("api.yaml"), broken).expect("written");
    let checked = run(dir.path(), &["check"]).expect("cargo runs");
    assert!(!checked.clean);
    let report = &checked.output;
    let has = |start: &str, inside: &str| {
        let mut lines = report.lines().map(str::trim_start);
        lines.any(|line| line.starts_with(start) && line.contains(inside))
    };
    assert!(has("error[E0201]", "#/components/schemas/Itme"), "{report}");
    assert!(has("--> ", "api.yaml:12:"), "{report}");
    assert!(has("= note:", "/paths/~1items~1{id}/put"), "{report}");
    assert!(
        !report.contains("\\n") && !report.contains("Document("),
        "{report}"
    );
}

#[test]
fn the_header_lists_what_is_needed() {
    let dir = tempfile::tempdir().expect("a folder");
    let spec = dir.path().join("api.yaml");
    fs::write(&spec, DOCUMENT).expect("written");
    let builder = Builder::new(&spec)
        .format("decimal", "rust_decimal::Decimal")
        .dependency("rust_decimal", "1")
        .name("stock");
    let head = |builder: Builder, path: &str| {
        let plan = builder.plan().expect("a plan");
        let file = plan.files.iter().find(|file| file.path == path);
        let text = &file.expect("the file").text;
        let lines: Vec<&str> = text
            .lines()
            .take_while(|line| line.starts_with("//"))
            .collect();
        lines[1..].join("\n")
    };
    let all = "//\n// Dependencies:\n\
        // - `bothends-runtime` with the features `client`, `jiff`, `pattern`, `server`, `uuid`\n\
        //   (also `rustls` or `native-tls` for `Client::new`; without https, `hyper` is sufficient)\n\
        // - `rust_decimal`";
    assert_eq!(head(builder.clone().module(true), "mod.rs"), all);
    assert_eq!(head(builder.clone(), "src/lib.rs"), all);
    let none = Parts {
        client: false,
        server: false,
        webhooks: false,
    };
    let types = "//\n// Dependencies:\n\
        // - `bothends-runtime` with the features `jiff`, `pattern`, `uuid`\n\
        // - `rust_decimal`";
    assert_eq!(head(builder.parts(none).module(true), "mod.rs"), types);
}

#[test]
fn a_crate_has_the_crates_of_its_formats() {
    let dir = tempfile::tempdir().expect("a folder");
    let spec = dir.path().join("api.yaml");
    fs::write(&spec, DOCUMENT).expect("written");
    let builder = Builder::new(&spec)
        .name("stock-api")
        .runtime_path(root().join("runtime"))
        .out_dir(dir.path().join("stock"))
        .format("decimal", "rust_decimal::Decimal");
    let failure = builder.plan().expect_err("no dependency");
    assert_eq!(
        failure.to_string(),
        "`[formats]` takes `decimal` as `rust_decimal::Decimal`, but `[dependencies]` does not list \
         `rust_decimal`; add it to the configuration, in the version that you use:\n\n\
         [dependencies]\nrust_decimal = { version = \"…\", features = [\"serde\"] }"
    );
    // Where the code becomes part of a crate, that crate has the dependency.
    assert!(builder.clone().module(true).plan().is_ok());

    let own = builder.clone().format("decimal", "Vec<crate::Price>");
    let failure = own.plan().expect_err("no such type").to_string();
    assert!(
        failure.contains("a generated crate has no `crate::` of yours"),
        "{failure}"
    );

    let builder = builder.dependency("rust_decimal", "1");
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    let stock = dir.path().join("stock");
    for file in &plan.files {
        let path = stock.join(&file.path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, &file.text).expect("written");
    }
    let test = r##"
#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn a_price_is_a_decimal() {
    let text = r#"{"code":"ABC","price":"1.50","since":"2024-01-02"}"#;
    let item: stock_api::types::Item = bothends_runtime::serde_json::from_str(text).unwrap();
    assert_eq!(item.price, rust_decimal::Decimal::new(150, 2));
    assert_eq!(bothends_runtime::serde_json::to_string(&item).unwrap(), text);
}
"##;
    fs::create_dir_all(stock.join("tests")).expect("a folder");
    fs::write(stock.join("tests/price.rs"), test).expect("written");
    let command = [
        "test",
        "--no-default-features",
        "--features",
        "client,server",
    ];
    let tested = run(&stock, &command).expect("cargo runs");
    assert!(tested.clean, "{}", tested.output);
}
