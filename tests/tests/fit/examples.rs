//! The generated test of the document's examples: compiled in a crate, with features of tags and without.

use std::path::Path;

use bothends::Builder;
use bothends::output::{self, Record};
use bothends_tests::{root, scratch};

const DOCUMENT: &str = include_str!("examples.yaml");

fn generate(folder: &Path, document: &str, tag_features: bool) -> std::path::PathBuf {
    let path = folder.join("api.yaml");
    std::fs::write(&path, document).expect("written");
    let out = folder.join("pets");
    let builder = Builder::new(path)
        .name("pets")
        .out_dir(&out)
        .runtime_path(root().join("runtime"))
        .tag_features(tag_features)
        .examples_test(true);
    let plan = builder.plan().expect("a plan");
    output::write(&out, &plan.files, Record::Kept).expect("written");
    out
}

#[test]
fn wrong_examples_are_listed_with_their_places_and_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = generate(folder.path(), DOCUMENT, false);
    let command = ["test", "--quiet", "--lib", "--", "--nocapture"];
    let run = scratch::run(&out, &command).expect("cargo");
    assert!(!run.clean, "{}", run.output);
    let listed: Vec<&str> = run
        .output
        .lines()
        .filter(|line| line.starts_with("#/"))
        .collect();
    let expected = [
        "#/paths/~1pets/get/responses/200/content/application~1json/examples/two/value/1 as `pets::types::Pet` is \
         invalid: name: has fewer than 1 character",
        "#/components/schemas/Pet/examples/1 as `pets::types::Pet` is invalid: kind: is not one of the listed values",
        "#/components/schemas/Pet/examples/2 as `pets::types::Pet` is refused: missing field `name` at line 1 column 8",
        "#/components/schemas/Pet/examples/3 as `pets::types::Pet` is written as {\"id\":1,\"name\":\"ab\"}",
        "#/components/schemas/Pet/examples/4 as `pets::types::Pet` is invalid: name: does not match `^[a-z]*$`",
    ];
    assert_eq!(listed, expected, "{}", run.output);

    // Without the wrong examples, which an overlay could remove, too.
    let wrong = [
        "- { id: 1, name: a, kind: cow }",
        "- { id: 1 }",
        "- { id: 1, name: ab, tags: [1] }",
    ];
    let mut right = DOCUMENT
        .replace("name: ''", "name: b")
        .replace("- { id: 1, name: '\"#' }", "");
    for line in wrong {
        right = right.replace(line, "");
    }
    let out = generate(folder.path(), &right, true);
    for features in [&["--all-features"][..], &["--no-default-features"]] {
        let command = [&["test", "--quiet", "--lib"], features].concat();
        let run = scratch::run(&out, &command).expect("cargo");
        assert!(run.clean, "{}", run.output);
    }
}
