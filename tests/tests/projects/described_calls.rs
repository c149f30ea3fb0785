//! The snippets of the guide about calls that a document describes run against a server that is not ours,
//! `tests/python/shop.py`, with its faults.

use std::process::Command;

use bothends_tests::has_python;
use bothends_tests::python::Running;
use bothends_tests::{root, scratch};

use super::book::block::blocks;
use super::book::pages::Page;
use super::book::{in_place, write};
use super::guide::shop_api;

/// The pages with a text of each snippet, and the name of its module.
const SNIPPETS: &[(&str, &str, &str)] = &[
    ("pages", "async fn list<", "list"),
    ("pages", "async fn continued<", "continued"),
    ("links", "async fn add<", "add"),
    ("tasks", "start_export_task().await?;\n    println!", "task"),
    ("tasks", "async fn watch<", "watch"),
    ("tasks", "webhooks::inbox()", "lost_webhook"),
    (
        "streams",
        "let mut events = client.watch_orders().await?",
        "events",
    ),
    (
        "streams",
        "let mut events = client.watch_orders().resumable(",
        "resumed",
    ),
    ("streams", "since.watch_orders()", "stored"),
    ("limits", "no_retry()", "retries"),
    ("limits", "idempotency_key(\"order-4711\");", "keys"),
];

const MANIFEST: &str = r#"
[package]
name = "guide-calls"
version = "0.0.0"
edition = "2024"

[dependencies]
bothends-runtime = { path = "../bothends/runtime", features = ["tasks"] }
shop-api = { path = "shop-api", features = ["tokens"] }
tokio = { version = "1", features = ["macros", "rt"] }

[workspace]
members = ["shop-api"]
"#;

const MAIN: &str = r##"
use bothends_runtime::client::{Backoff, CallOptions};
use shop_api::client::{Client, Credentials};
use shop_api::types::NewProduct;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let url = std::env::args().nth(1).ok_or("no URL")?;
    let credentials = Credentials {
        key: Some("secret".into()),
        machine: Some("token".into()),
        ..Credentials::default()
    };
    let client = Client::new(&url)?.with_credentials(credentials);
    let patient = client.with(CallOptions::new().retry(Backoff::default()));
    list::list(&patient).await?;
    continued::continued(&client).await?;
    add::add(&patient, NewProduct::new(4900, "shelf".to_owned())).await?;
    task::export(&client).await?;
    let id = watch::watch(&client).await?;
    println!("{id}");
    lost_webhook::export(&client, &shop_api::webhooks::inbox()).await?;
    events::example(&client).await?;
    resumed::example(&client).await?;
    stored::example(&client).await?;
    retries::example(&client).await?;
    keys::example(&client).await?;
    Ok(())
}
"##;

#[test]
fn snippets_of_described_calls_run_against_a_server_with_faults() {
    if !has_python("snippets_of_described_calls") {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let dir = dir.path();
    shop_api(dir);
    let mut main = String::from("#![allow(dead_code, unused_imports)]\n");
    for (page, text, module) in SNIPPETS {
        let page = Page::read(&root(), format!("docs/guide/src/client/{page}.md"));
        let all = blocks(&page.text).into_iter();
        let mut found = all.filter(|block| block.language == "rust" && block.text.contains(text));
        let block = found.next().expect(text);
        assert!(found.next().is_none(), "{text} is in two snippets");
        let public = block.rust().replace("async fn ", "pub(crate) async fn ");
        write(dir, &format!("src/{module}.rs"), &public);
        main.push_str(&format!("mod {module};\n"));
    }
    write(dir, "src/main.rs", &(main + MAIN));
    write(dir, "Cargo.toml", &in_place(MANIFEST));
    let built = scratch::run(dir, &["build", "--quiet"]).expect("cargo runs");
    assert!(built.clean, "{}", built.output);

    let mut server = Running::start("shop.py", &[]).expect("python3 runs");
    let port = server.line().expect("a line");
    let program = scratch::target().join("debug/guide-calls");
    let mut run = Command::new(program);
    let run = run.arg(format!("http://127.0.0.1:{port}/v1"));
    let run = run.output().expect("it runs");
    assert!(
        run.status.success(),
        "{}",
        String::from_utf8_lossy(&run.stderr)
    );
    insta::assert_snapshot!(
        "described_calls_printed",
        String::from_utf8_lossy(&run.stdout)
    );
    let mut requests = String::new();
    loop {
        let line = server.line().expect("a line");
        requests.push_str(&line);
        requests.push('\n');
        if line.ends_with("order-4711") && requests.matches("order-4711").count() == 2 {
            break;
        }
    }
    insta::assert_snapshot!("described_calls_sent", requests);
}
