//! `bothends examples` and `bothends lint --examples` for documents with planted wrong examples.

use serde_json::{Value, json};

use super::{Run, bothends, document};

/// The wrong examples of `pets.yaml`: the file, the position, the pointer and the message.
const WRONG: &[(&str, (u64, u64), &str, &str)] = &[
    (
        "pets.yaml",
        (16, 75),
        "#/paths/~1pets~1{kind}/get/responses/200/headers/X-Total/example",
        "an example is invalid: it is not a multiple of 2",
    ),
    (
        "pets.yaml",
        (21, 74),
        "#/paths/~1pets~1{kind}/get/responses/200/content/application~1json/examples/wrong/value/0",
        "an example is invalid: it does not match `^[a-z]+$`",
    ),
    (
        "pets.yaml",
        (8, 107),
        "#/paths/~1pets~1{kind}/get/parameters/0/example",
        "an example is invalid: `kind` does not match `^[a-z]+$`",
    ),
    (
        "pets.yaml",
        (10, 89),
        "#/paths/~1pets~1{kind}/get/parameters/2/example",
        "an example is invalid: `X-Trace` must be a UUID",
    ),
    (
        "pets.yaml",
        (11, 105),
        "#/paths/~1pets~1{kind}/get/parameters/3/example",
        "an example is invalid: `ids` has the same item more than once",
    ),
    (
        "pets.yaml",
        (9, 129),
        "#/paths/~1pets~1{kind}/get/parameters/1/examples/wrong/value",
        "an example is invalid: `limit` is not a multiple of 5",
    ),
    (
        "pets.yaml",
        (37, 126),
        "#/paths/~1pets~1{kind}/post/responses/201/content/application~1json/example/owner/since",
        "an example is invalid: it must be a date",
    ),
    (
        "pets.yaml",
        (43, 16),
        "#/components/examples/Unknown/value",
        r#"an example is written as {"name":"tom"}"#,
    ),
    (
        "pets.yaml",
        (51, 35),
        "#/components/schemas/Pet/examples/1",
        "an example is invalid: name: does not match `^[a-z]+$`",
    ),
    (
        "pets.yaml",
        (51, 7),
        "#/components/schemas/Pet/examples/2",
        "an example is refused: missing field `name` at line 1 column 2",
    ),
    (
        "more.yaml",
        (6, 3),
        "#/Problem/example",
        "an example is invalid: code: is not one of the listed values",
    ),
];

fn run(command: &str, args: &[&str]) -> Run {
    let path = document("pets.yaml");
    let mut all = vec![command, path.to_str().expect("UTF-8")];
    all.extend(args);
    let folder = tempfile::tempdir().expect("a folder");
    let run = bothends(folder.path(), &all, &[]);
    let written = std::fs::read_dir(folder.path())
        .expect("the folder")
        .count();
    assert_eq!(written, 0, "the command wrote into the current folder");
    run
}

/// The diagnostics of a run with `--message-format json`.
fn diagnostics(run: &Run) -> Vec<Value> {
    let lines = run.err.lines();
    let lines = lines.map(|line| serde_json::from_str(line).expect(line));
    lines.collect()
}

#[test]
fn wrong_examples_are_reported_with_their_places_and_rules() {
    let run = run("examples", &["--message-format", "json"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert_eq!(run.out, "19 examples, 11 wrong\n");
    let folder = document("");
    let wrong = WRONG.iter().map(|(file, (line, column), pointer, message)| {
        json!({
            "code": "E0112", "severity": "error", "message": message, "file": folder.join(file), "line": line,
            "column": column, "pointer": pointer,
            "help": "correct the example or the schema, or remove the example by an overlay",
        })
    });
    assert_eq!(diagnostics(&run), wrong.collect::<Vec<Value>>());
}

#[test]
fn lint_reports_them_with_the_problems_of_the_document() {
    let run = run("lint", &["--examples"]);
    assert_eq!(run.code, Some(1), "{}{}", run.out, run.err);
    assert_eq!(run.out, "19 examples, 11 wrong\n");
    assert_eq!(
        run.err.matches("error[E0112]: ").count(),
        WRONG.len(),
        "{}",
        run.err
    );
    let file = document("pets.yaml");
    assert!(
        run.err.contains(&format!("--> {}:16:75\n", file.display())),
        "{}",
        run.err
    );
    assert!(run.err.contains("warning[W0118]: "), "{}", run.err);
    // The static comparison finds one of them, which is reported once.
    assert!(!run.err.contains("W0119"), "{}", run.err);
}

#[test]
fn overlays_leave_examples_out() {
    let overlays = ["pets.overlay.yaml", "more.overlay.yaml"].map(document);
    let overlays = overlays
        .each_ref()
        .map(|path| path.to_str().expect("UTF-8"));
    let run = run(
        "examples",
        &["--overlay", overlays[0], "--overlay", overlays[1]],
    );
    assert_eq!(run.code, Some(0), "{}{}", run.out, run.err);
    assert_eq!(run.out, "8 examples, 0 wrong\n");
}
