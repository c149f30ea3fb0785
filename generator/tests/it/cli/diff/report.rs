//! What the reports of `bothends diff` show, and in which order.

use std::fmt::Write as _;

use serde_json::Value;

use super::super::Folder;

/// A document with an operation and a schema for each number below `count`. The parts of a schema are
/// given by its number.
fn wide(count: usize, parts: impl Fn(usize) -> String) -> String {
    let mut text = String::from("openapi: 3.1.0\ninfo: { title: Wide, version: 1.0.0 }\npaths:\n");
    for n in 0..count {
        _ = writeln!(
            text,
            "  /items{n}:\n    get:\n      operationId: getItem{n}\n      responses:\n        '200':\n          \
             description: An item.\n          content: {{ application/json: {{ schema: {{ $ref: \
             '#/components/schemas/Item{n}' }} }} }}"
        );
    }
    text.push_str("components:\n  schemas:\n");
    for n in 0..count {
        _ = writeln!(text, "    Item{n}: {{ type: object, {} }}", parts(n));
    }
    text
}

/// A folder with two documents of 300 schemas. Of the new one, 100 schemas have another type of a
/// property (breaking for all that read it), 60 a new value, and 140 a new property.
fn changed() -> Folder {
    let folder = Folder::new();
    let kinds = |n: usize| match n % 15 {
        0..5 => ("{ type: string }", "{ type: integer }"),
        5..8 => ("{ enum: [a, b] }", "{ enum: [a, b, c] }"),
        _ => (
            "{ type: string }",
            "{ type: string }, added: { type: string }",
        ),
    };
    let old = |n: usize| format!("required: [id], properties: {{ id: {} }}", kinds(n).0);
    let new = |n: usize| format!("required: [id], properties: {{ id: {} }}", kinds(n).1);
    folder.put("old.yaml", &wide(300, old));
    folder.put("new.yaml", &wide(300, new));
    folder
}

/// Returns the report of the changed document.
fn report(folder: &Folder, args: &[&str]) -> String {
    let all = [&["diff", "old.yaml", "new.yaml"], args].concat();
    let run = folder.run(&all);
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.err);
    run.out
}

/// Returns the place of a text in another one.
fn place(text: &str, part: &str) -> usize {
    text.find(part).expect(part)
}

#[test]
fn one_screen_has_the_summary_and_what_fails() {
    let folder = changed();
    let out = report(&folder, &[]);
    let first = out.lines().next().unwrap_or_default();
    assert_eq!(
        first,
        "300 changes; 100 reach `--fail-on wire-clients=breaking`; version bump major"
    );
    assert!(out.lines().count() <= 50, "{out}");
    let parts = [
        "wire-clients ",
        "version bump",
        "\nfails: 100\n",
        "\nattention: 60\n",
    ];
    let places = parts.map(|part| place(&out, part));
    assert!(places[0] < places[2] && places[2] < places[3], "{out}");
    // Equal changes of many types are one line.
    let line = "id: type changed: `string` to `integer (i64)`, in 100 places: type Item0, type Item1, \
                type Item105 and 97 more (breaking: all)";
    assert!(out.contains(line), "{out}");
    let folded = "140 safe changes not listed (";
    assert!(out.contains(folded), "{out}");
    // The order follows the audiences of `--fail-on`.
    let out = report(&folder, &["--fail-on", "wire-clients=attention"]);
    assert!(
        out.contains("160 reach `--fail-on wire-clients=attention`"),
        "{out}"
    );
    assert!(out.contains("\nfails: 160\n"), "{out}");
}

#[test]
fn changes_are_selected() {
    let folder = changed();
    let lines = |args: &[&str]| -> usize {
        let out = report(&folder, &[args, &["--details"]].concat());
        out.matches("\n      fingerprint ").count()
    };
    assert_eq!(lines(&[]), 160);
    assert_eq!(lines(&["--min-severity", "safe"]), 300);
    assert_eq!(lines(&["--min-severity", "breaking"]), 100);
    assert_eq!(lines(&["--limit", "7"]), 7);
    // What fails is listed, whatever is selected.
    let none = ["--audience", "wire-servers", "--min-severity", "breaking"];
    assert_eq!(lines(&none), 100);
    assert_eq!(lines(&[&none[..], &["--fail-on", "none"]].concat()), 100);
    let out = report(&folder, &["--limit", "7"]);
    assert!(
        out.contains("153 changes more; a higher `--limit` lists them"),
        "{out}"
    );
    let run = folder.run(&["diff", "old.yaml", "new.yaml", "--audience", "rust"]);
    assert_eq!(run.code, Some(2));
    assert!(run.err.contains("rust-callers"), "{}", run.err);
    let json = report(&folder, &["--format", "json", "--limit", "10"]);
    let json: Value = serde_json::from_str(&json).expect("JSON");
    assert_eq!(json["changes"].as_array().map(Vec::len), Some(10));
    assert_eq!(
        (&json["not_listed"], &json["failing"]),
        (&290.into(), &100.into())
    );
}

#[test]
fn markdown_fits_a_comment() {
    let folder = changed();
    let out = report(&folder, &["--format", "markdown"]);
    assert!(
        out.starts_with("**300 changes; 100 reach `--fail-on wire-clients=breaking`.**"),
        "{out}"
    );
    place(&out, "\n## Fails: 100\n\n- `D05");
    assert!(out.len() <= 65_536, "{}", out.len());
    // 3,000 changes that all differ, with long names.
    let old = |n: usize| format!("required: [id{n}], properties: {{ id{n}: {{ type: string }} }}");
    let new = |n: usize| format!("properties: {{ id{n}: {{ enum: [{:x<300}] }} }}", n);
    folder.put("old.yaml", &wide(1_000, old));
    folder.put("new.yaml", &wide(1_000, new));
    let out = report(&folder, &["--format", "markdown"]);
    assert!(out.len() <= 65_536 && out.len() > 60_000, "{}", out.len());
    let cut = out
        .lines()
        .find(|line| line.contains("because a comment has 65536 characters"));
    let cut = cut.expect("the number of changes that were cut");
    let cut: usize = cut
        .split(' ')
        .next()
        .and_then(|n| n.parse().ok())
        .expect("a number");
    let listed = out.lines().filter(|line| line.starts_with("- `D")).count();
    let all = report(
        &folder,
        &["--format", "json", "--min-severity", "attention"],
    );
    let all: Value = serde_json::from_str(&all).expect("JSON");
    assert_eq!(all["changes"].as_array().map(Vec::len), Some(cut + listed));
    assert_eq!(
        out.matches("<details>").count(),
        out.matches("</details>").count()
    );
}

#[test]
fn names_of_a_document_stay_in_their_lines() {
    let folder = Folder::new();
    let name = "\"a\\u001b[31m\\nb|<b>@all\"";
    let parts =
        |kind: &str| format!("required: [{name}], properties: {{ {name}: {{ type: {kind} }} }}");
    folder.put("old.yaml", &wide(1, |_| parts("string")));
    folder.put("new.yaml", &wide(1, |_| parts("boolean")));
    let out = report(&folder, &["--details"]);
    assert!(
        !out.contains('\u{1b}') && out.contains("a [31m b|<b>@all"),
        "{out}"
    );
    let out = report(&folder, &["--format", "markdown"]);
    assert!(
        !out.contains('\u{1b}') && !out.contains("<b>") && !out.contains("@all"),
        "{out}"
    );
    let out = report(&folder, &["--format", "github"]);
    assert_eq!(
        out.lines().count(),
        out.matches("::error ").count(),
        "{out}"
    );
}

/// A library has no command line, so its text has all changes.
#[test]
fn the_library_reports_everything() {
    let folder = changed();
    let path = |name: &str| folder.path().join(name);
    let compared = bothends::Builder::new(path("new.yaml")).compare(path("old.yaml"));
    let text = compared.expect("documents").report();
    assert!(
        text.starts_with("300 changes; version bump major\n"),
        "{text:.200}"
    );
    assert_eq!(text.matches("\n      fingerprint ").count(), 300);
    assert!(!text.contains("`--"), "{text:.200}");
}

#[test]
fn annotations_follow_fail_on() {
    let folder = changed();
    let count = |fail_on: &str| {
        let out = report(&folder, &["--format", "github", "--fail-on", fail_on]);
        ["::error ", "::warning ", "::notice "].map(|kind| out.matches(kind).count())
    };
    assert_eq!(count("wire-clients=breaking"), [100, 0, 60]);
    assert_eq!(count("none"), [0, 100, 60]);
    assert_eq!(count("wire-clients=attention"), [160, 0, 0]);
}
