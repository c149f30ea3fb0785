//! Generated code compiles without a warning, and clippy has nothing to say.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use bothends::{Builder, Serde};
use bothends_tests::scratch::{check, manifest};
use bothends_tests::{corpus, features, root, stem};

/// A crate with a module for each feature, with all parts.
fn features_crate(dir: &Path, serde: Serde) {
    let mut lib = String::from("//! Every feature, a module each.\n");
    fs::create_dir_all(dir.join("src")).expect("a folder");
    for path in features().expect("the folder of features") {
        let name = format!("of_{}", stem(&path).replace('-', "_"));
        let plan = Builder::new(&path)
            .module(true)
            .serde(serde)
            .plan()
            .expect("a plan");
        assert!(!plan.has_errors(), "{}", plan.report());
        writeln!(lib, "pub mod {name};").expect("a string");
        fs::write(dir.join(format!("src/{name}.rs")), &plan.files[0].text).expect("written");
    }
    fs::write(dir.join("src/lib.rs"), lib).expect("written");
    let mut manifest = manifest("features");
    if serde == Serde::Derive {
        manifest = manifest.replace("\"client\"", "\"client\", \"derive\"");
    }
    fs::write(dir.join("Cargo.toml"), manifest).expect("written");
}

#[test]
fn features_compile_with_tables_and_clippy_is_content() {
    let dir = tempfile::tempdir().expect("a folder");
    features_crate(dir.path(), Serde::Table);
    for command in ["check", "clippy"] {
        let checked = check(dir.path(), &[command]).expect("cargo runs");
        assert!(checked.clean, "{}", checked.output);
    }
}

#[test]
fn features_compile_with_derives() {
    let dir = tempfile::tempdir().expect("a folder");
    features_crate(dir.path(), Serde::Derive);
    let checked = check(dir.path(), &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}", checked.output);
}

/// Real documents of many kinds: large and small, 3.0 and 3.1, and one without any `paths`.
const REAL: [&str; 8] = [
    "progenitor/sample_openapi.keeper.json",
    "progenitor/sample_openapi.nexus.json",
    "progenitor/sample_openapi.api.github.com.json",
    "Xero-OpenAPI/xero_bankfeeds.yaml",
    "oas-examples/3.0.yaml.petstore.yaml",
    "oas-examples/3.1.yaml.train-travel.yaml",
    "adyen-openapi/json.Webhooks-v1.json",
    "read-write-api-specs/dist.openapi.account-info-openapi.yaml",
];

#[test]
fn real_documents_compile() {
    let Some(corpus) = corpus("real_documents_compile") else {
        return;
    };
    for spec in REAL {
        let dir = tempfile::tempdir().expect("a folder");
        let out = dir.path().join("api");
        Builder::new(corpus.join(spec))
            .out_dir(&out)
            .runtime_path(root().join("runtime"))
            .build()
            .unwrap_or_else(|failure| panic!("{spec}: {failure}"));
        let checked = check(&out, &["check"]).expect("cargo runs");
        assert!(checked.clean, "{spec}:\n{}", checked.output);
    }
}
