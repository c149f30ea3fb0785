//! Generated code compiles without a warning, and clippy has nothing to say.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

use bothends::{Builder, Parts, Serde};
use bothends_tests::scratch::{check, manifest, manifest_with, run};
use bothends_tests::{corpus, features, root, roots, stem};

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
fn whole_crates_compile_with_every_feature_alone() {
    let alone = [
        "",
        "client",
        "server",
        "webhooks",
        "client,reqwest",
        "tokens",
    ];
    checks_with("token-flow.yaml", Serde::Table, &alone);
    checks_with("callbacks.yaml", Serde::Table, &alone);
    checks_with("callbacks.yaml", Serde::Derive, &["", "webhooks"]);
}

/// How much generated code goes into one crate: rustc needs about 400 bytes of memory for each.
const CRATE: usize = 5_000_000;

/// Of how many slices one is compiled, unless `BOTHENDS_SLICE` says otherwise.
const SLICES: usize = 7;

/// `BOTHENDS_SLICE=k/n`: every n-th document, from the k-th on; `1/1` is all of them.
fn slice() -> (usize, usize) {
    let Ok(text) = std::env::var("BOTHENDS_SLICE") else {
        return (1, SLICES);
    };
    text.split_once('/')
        .and_then(|(k, n)| Some((k.parse().ok()?, n.parse().ok()?)))
        .filter(|(k, n)| (1..=*n).contains(k))
        .expect("BOTHENDS_SLICE is k/n with k from 1 to n")
}

/// Code of the documents of a slice, those that generate, by the document's path.
fn generate(corpus: &Path, specs: Vec<PathBuf>, parts: Parts) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for spec in specs {
        let path = spec.strip_prefix(corpus).unwrap_or(&spec);
        let plan = Builder::new(&spec).module(true).parts(parts).plan();
        // Which documents generate is for the corpus test to say.
        let Ok(plan) = plan else { continue };
        if !plan.has_errors() {
            found.push((path.display().to_string(), plan.files[0].text.clone()));
        }
    }
    found
}

/// Crates of modules, each of about [`CRATE`] bytes.
fn crates(mut modules: Vec<(String, String)>) -> Vec<Vec<(String, String)>> {
    modules.sort_by_key(|(_, text)| text.len());
    let (mut crates, mut size) = (vec![Vec::new()], 0);
    for module in modules {
        if size > 0 && size + module.1.len() > CRATE {
            crates.push(Vec::new());
            size = 0;
        }
        size += module.1.len();
        crates.last_mut().expect("one at least").push(module);
    }
    crates
}

/// Compiles the documents of a slice with these parts, and these features of the runtime.
fn slice_compiles(test: &str, name: &str, parts: Parts, features: &[&str]) {
    let Some(corpus) = corpus(test) else {
        return;
    };
    let (first, of) = slice();
    let specs = roots(&corpus).into_iter().skip(first - 1).step_by(of);
    let modules = generate(&corpus, specs.collect(), parts);
    assert!(!modules.is_empty(), "slice {first}/{of} has no document");
    let mut failures = String::new();
    for modules in crates(modules) {
        let dir = tempfile::tempdir().expect("a folder");
        fs::create_dir_all(dir.path().join("src")).expect("a folder");
        let mut lib = String::from("//! A slice of the corpus, a module each.\n");
        for (index, (path, text)) in modules.iter().enumerate() {
            writeln!(lib, "/// {path}\npub mod of_{index};").expect("a string");
            fs::write(dir.path().join(format!("src/of_{index}.rs")), text).expect("written");
        }
        fs::write(dir.path().join("src/lib.rs"), &lib).expect("written");
        fs::write(dir.path().join("Cargo.toml"), manifest_with(name, features)).expect("written");
        let checked = check(dir.path(), &["check"]).expect("cargo runs");
        if !checked.clean {
            writeln!(failures, "{lib}\n{}", checked.output).expect("a string");
        }
    }
    assert!(failures.is_empty(), "slice {first}/{of}:\n{failures}");
}

const NONE: Parts = Parts {
    client: false,
    server: false,
    webhooks: false,
};

#[test]
fn a_slice_of_the_corpus_compiles() {
    let features = ["client", "server", "reqwest"];
    let test = "a_slice_of_the_corpus_compiles";
    slice_compiles(test, "slice", Parts::default(), &features);
}

#[test]
fn a_slice_of_the_corpus_compiles_with_the_client_alone() {
    let parts = Parts {
        client: true,
        ..NONE
    };
    let test = "a_slice_of_the_corpus_compiles_with_the_client_alone";
    slice_compiles(test, "slice-client", parts, &["client", "reqwest"]);
}

#[test]
fn a_slice_of_the_corpus_compiles_with_the_server_alone() {
    let parts = Parts {
        server: true,
        ..NONE
    };
    let test = "a_slice_of_the_corpus_compiles_with_the_server_alone";
    slice_compiles(test, "slice-server", parts, &["server"]);
}
