//! Generated code compiles without a warning, and clippy has nothing to say.

mod corpus;
mod public_corpus;

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use bothends::{Builder, Serde};
use bothends_tests::scratch::{check, manifest, run};
use bothends_tests::{features, root, stem};

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
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn features_compile_with_derives() {
    let dir = tempfile::tempdir().expect("a folder");
    features_crate(dir.path(), Serde::Derive);
    let checked = check(dir.path(), &["check"]).expect("cargo runs");
    assert!(checked.clean, "{}", checked.output);
}

/// Generates a crate of its own for a feature's document and checks it with each of the features.
fn checks_with(document: &str, serde: Serde, features: &[&str]) {
    let dir = tempfile::tempdir().expect("a folder");
    let plan = Builder::new(root().join("spec/features").join(document))
        .name("whole")
        .runtime_path(root().join("runtime"))
        .serde(serde)
        .plan()
        .expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    for file in &plan.files {
        let path = dir.path().join(&file.path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, &file.text).expect("written");
    }
    for features in features {
        let command = ["check", "--no-default-features", "--features", features];
        let checked = run(dir.path(), &command).expect("cargo runs");
        assert!(checked.clean, "{document} [{features}]: {}", checked.output);
    }
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn whole_crates_compile_with_every_feature_alone() {
    let alone = [
        "",
        "client",
        "server",
        "webhooks",
        "client,hyper",
        "client,reqwest",
        "tokens",
    ];
    checks_with("token-flow.yaml", Serde::Table, &alone);
    checks_with("callbacks.yaml", Serde::Table, &alone);
    checks_with("callbacks.yaml", Serde::Derive, &["", "webhooks"]);
}
