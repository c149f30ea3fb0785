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

/// Runs a module of tests, which fails, and returns the lines of its report.
fn listed(out: &Path, module: &str) -> Vec<String> {
    let command = ["test", "--quiet", "--lib", module, "--", "--nocapture"];
    let run = scratch::run(out, &command).expect("cargo");
    assert!(!run.clean, "{}", run.output);
    let lines = run.output.lines().filter(|line| line.starts_with("#/"));
    lines.map(str::to_owned).collect()
}

#[test]
fn wrong_examples_are_listed_with_their_places_and_rules() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = generate(folder.path(), DOCUMENT, false);
    let listed = listed(&out, "examples::");
    let expected = [
        "#/paths/~1pets/get/responses/200/content/application~1json/examples/two/value/1 as `pets::types::Pet` is \
         invalid: name: has fewer than 1 character",
        "#/components/schemas/Pet/examples/1 as `pets::types::Pet` is invalid: kind: is not one of the listed values",
        "#/components/schemas/Pet/examples/2 as `pets::types::Pet` is refused: missing field `name` at line 1 column 8",
        "#/components/schemas/Pet/examples/3 as `pets::types::Pet` is written as {\"id\":1,\"name\":\"ab\"}",
        "#/components/schemas/Pet/examples/4 as `pets::types::Pet` is invalid: name: does not match `^[a-z]*$`",
    ];
    assert_eq!(listed, expected);

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

#[test]
fn both_ends_compare_what_they_receive_with_the_document() {
    let folder = tempfile::tempdir().expect("a folder");
    let out = generate(folder.path(), DOCUMENT, false);
    let pets = "#/components/schemas/Pet/examples";
    let expected = [
        "#/paths/~1pets/get/responses/200/content/application~1json/examples/two/value/1/name of `listPets` is invalid: \
         it has fewer than 1 character"
            .to_owned(),
        format!("{pets}/1 of `addPet` is invalid: `kind` is not one of the listed values"),
        format!("{pets}/2 of `addPet` is invalid: `name` is required"),
        format!("{pets}/3 of `addPet` is written as {{\"id\":1,\"name\":\"ab\"}}"),
        format!("{pets}/4 of `addPet` is invalid: `name` does not match `^[a-z]*$`"),
    ];
    assert_eq!(listed(&out, "exchange::"), expected);

    // A handler that receives another value, and a client that receives another one.
    let place = out.join("src/exchange.rs");
    let text = std::fs::read_to_string(&place).expect("read");
    let (before, add) = text.split_once("async fn add_pet").expect("the handler");
    let add = add.replacen(
        "self.0.respond(request)",
        "let mut request = request; request.body.name.push('x'); \
         self.0.respond(request).map(|response| response.map(|mut body| { body.id += 1; body }))",
        1,
    );
    std::fs::write(&place, format!("{before}async fn add_pet{add}")).expect("written");
    let found = listed(&out, "exchange::");
    let body = "#/paths/~1pets/post/responses/201/content/application~1json/schema/examples/0";
    let handler =
        format!("{pets}/0 of `addPet` is received by the handler as {{\"id\":1,\"name\":\"ax\"");
    let client = format!("{body} of `addPet` is written as {{\"id\":8}}");
    assert!(
        found.iter().any(|line| line.starts_with(&handler)),
        "{found:#?}"
    );
    assert!(found.contains(&client), "{found:#?}");
}
