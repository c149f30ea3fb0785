//! Case 18 (`tests/cases`) with every feature of serde_json: cargo unifies the features of a build, so any
//! dependency of a program may enable them, for generated code and for the generator in a build script.

use bothends_tests::root;
use bothends_tests::scratch::run;
use std::fs;

const FEATURES: &str =
    "[\"arbitrary_precision\", \"preserve_order\", \"raw_value\", \"unbounded_depth\"]";

/// A crate with the library and the build script of `tests/cases`, and the documents and tests of case 18.
fn manifest() -> String {
    let path = |name: &str| root().join(name).display().to_string();
    format!(
        "[package]\nname = \"bothends-case-tests\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [lib]\ndoctest = false\n\n\
         [dev-dependencies]\n\
         bothends-runtime = {{ path = {:?}, features = [\"client\", \"server\"] }}\n\
         serde_json = {{ version = \"1\", features = {FEATURES} }}\n\n\
         [build-dependencies]\n\
         bothends = {{ path = {:?}, default-features = false }}\n\
         serde_json = {{ version = \"1\", features = {FEATURES} }}\n\n\
         [workspace]\n",
        path("runtime"),
        path("generator"),
    )
}

#[test]
#[ignore = "slow suite `projects`: run with --include-ignored"]
fn numbers_are_the_same_with_every_feature_of_serde_json() {
    let cases = root().join("tests/cases");
    let dir = tempfile::tempdir().expect("a folder");
    let project = dir.path();
    fs::write(project.join("Cargo.toml"), manifest()).expect("written");
    for folder in ["src", "tests", "documents"] {
        fs::create_dir(project.join(folder)).expect("a folder");
    }
    for file in [
        "build.rs",
        "src/lib.rs",
        "src/hostile_names.rs",
        "tests/case_18_arbitrary_precision.rs",
        "documents/18-arbitrary-precision.yaml",
        "documents/18-arbitrary-precision-twin.json",
    ] {
        fs::copy(cases.join(file), project.join(file)).expect("copied");
    }
    let tested = run(project, &["test"]).expect("cargo runs");
    assert!(tested.clean, "{}", tested.output);
}
