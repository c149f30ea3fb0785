//! What `bothends stubs` prints, and what rust-analyzer adds to an implementation, compiles as it is.

use std::fs;

use bothends::{Builder, Parts, scaffold};
use bothends_test_environment::has_program;
use bothends_tests::root;
use bothends_tests::scratch::{check, manifest};

use crate::rust_analyzer::Editor;

/// Generates a module with the server of a document.
fn server(document: &str) -> bothends::Plan {
    let parts = Parts {
        client: false,
        server: true,
        webhooks: false,
    };
    let builder = Builder::new(root().join(document))
        .module(true)
        .parts(parts);
    let plan = builder.plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    plan
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn stubs_compile_beside_a_generated_module() {
    let documents = [
        "docs/guide/specs/shop.yaml",
        "spec/financial-data.yaml",
        "spec/features/response-headers.yaml",
        "spec/features/security-by-body.yaml",
    ];
    let dir = tempfile::tempdir().expect("a folder");
    let src = dir.path().join("src");
    fs::create_dir_all(&src).expect("a folder");
    let mut lib = String::from("//! Servers.\n");
    for (index, document) in documents.iter().enumerate() {
        let plan = server(document);
        let api = format!("crate::api_{index}");
        let stubs = scaffold::stubs(&plan.api, &api, &[]).expect("no source is read");
        let again = scaffold::stubs(&plan.api, &api, std::slice::from_ref(&stubs));
        assert_eq!(again.as_deref(), Ok("// Every method is implemented.\n"));
        lib.push_str(&format!("pub mod api_{index};\npub mod service_{index};\n"));
        fs::write(src.join(format!("api_{index}.rs")), &plan.files[0].text).expect("written");
        let service = format!("//! A server.\n\n{stubs}");
        fs::write(src.join(format!("service_{index}.rs")), service).expect("written");
    }
    fs::write(src.join("lib.rs"), lib).expect("written");
    fs::write(dir.path().join("Cargo.toml"), manifest("stubs")).expect("written");
    let checked = check(dir.path(), &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}", checked.output);
}

const SERVICE: &str = "//! A server.

use crate::api::operations::*;
use crate::api::server::{ExportsApi, OrdersApi, ProductsApi};
use bothends_runtime::server::{Context, Error};

/// The service.
pub struct Shop;

impl ProductsApi for Shop {}
impl OrdersApi for Shop {}
impl ExportsApi for Shop {}
";

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn the_members_that_rust_analyzer_implements_compile() {
    let test = "the_members_that_rust_analyzer_implements_compile";
    let remedy = "run `rustup component add rust-analyzer rust-src`";
    if !has_program(test, "rust-analyzer", "--version", remedy) {
        return;
    }
    let dir = tempfile::tempdir().expect("a folder");
    let src = dir.path().join("src");
    fs::create_dir_all(&src).expect("a folder");
    let api = &server("docs/guide/specs/shop.yaml").files[0].text;
    let lib = "//! A server.\n#![allow(clippy::todo, unused_variables)]\npub mod api;\npub mod service;\n";
    for (file, text) in [("lib.rs", lib), ("api.rs", api), ("service.rs", SERVICE)] {
        fs::write(src.join(file), text).expect("written");
    }
    fs::write(dir.path().join("Cargo.toml"), manifest("members")).expect("written");
    let file = src.join("service.rs");
    // Copies the lock file and builds the dependencies.
    let incomplete = check(dir.path(), &["check"]).expect("cargo runs");
    assert!(
        incomplete.output.contains("missing: `list_products`"),
        "{}",
        incomplete.output
    );

    let uri = format!("file://{}", file.display());
    let mut editor = Editor::open(dir.path(), &uri, SERVICE);
    let mut edits = Vec::new();
    for name in ["ProductsApi", "OrdersApi", "ExportsApi"] {
        let at = SERVICE
            .find(&format!("{name} for"))
            .expect("an implementation");
        edits.extend(editor.action(&uri, SERVICE, at, "Implement missing members"));
    }
    edits.sort_by_key(|(at, _)| std::cmp::Reverse(*at));
    let mut text = SERVICE.to_owned();
    for (at, inserted) in edits {
        text.insert_str(at, &inserted);
    }
    assert_eq!(
        text.matches("async fn").count(),
        api.matches("async fn").count(),
        "{text}"
    );
    assert!(!text.contains("impl Future"), "{text}");
    fs::write(&file, &text).expect("written");
    let checked = check(dir.path(), &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}\n{text}", checked.output);
}
