//! Output that can be reviewed: the same bytes every time, and small changes for small changes.

use std::fs;

use bothends::Builder;
use bothends_tests::root;

fn generate(spec: &str) -> Vec<(String, String)> {
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("api.yaml");
    fs::write(&path, spec).expect("written");
    let plan = Builder::new(&path).name("api").plan().expect("a plan");
    assert!(!plan.has_errors(), "{}", plan.report());
    plan.files
        .into_iter()
        .map(|file| (file.path, file.text))
        .collect()
}

/// Lines of `new` that are not in `old`, and lines of `old` that are not in `new`, by count.
fn changed_lines(old: &str, new: &str) -> usize {
    let count = |text: &str, base: &str| {
        let mut rest: Vec<&str> = base.lines().collect();
        text.lines()
            .filter(|line| match rest.iter().position(|other| other == line) {
                Some(index) => {
                    rest.swap_remove(index);
                    false
                }
                None => true,
            })
            .count()
    };
    count(old, new) + count(new, old)
}

#[test]
fn two_runs_give_the_same_bytes() {
    let spec = fs::read_to_string(root().join("spec/financial-data.yaml")).expect("the spec");
    assert_eq!(generate(&spec), generate(&spec));
}

#[test]
fn an_optional_property_changes_three_lines() {
    let spec = fs::read_to_string(root().join("spec/financial-data.yaml")).expect("the spec");
    let before = "    AggregationEvent:\n";
    let at = spec.find(before).expect("the schema");
    let properties = at
        + spec[at..]
            .find("      properties:\n")
            .expect("its properties");
    let properties = properties + "      properties:\n".len();
    let mut grown = spec.clone();
    grown.insert_str(
        properties,
        "        institution:\n          type: string\n          description: Name of the branch.\n",
    );
    let (old, new) = (generate(&spec), generate(&grown));
    let mut changed = 0;
    for ((path, old), (other, new)) in old.iter().zip(&new) {
        assert_eq!(path, other);
        changed += changed_lines(old, new);
    }
    assert!((1..=3).contains(&changed), "{changed} lines changed");
}

/// Responses, schemas and headers for errors that several operations have.
const COMPONENTS: &str = r##"
components:
  responses:
    Missing: { description: Nothing there., content: { application/json: { schema: { $ref: '#/components/schemas/Error' } } } }
    Failed: { description: It failed., content: { application/json: { schema: { $ref: '#/components/schemas/Failure' } } } }
    Busy:
      description: Later.
      headers: { Retry-After: { schema: { type: integer } } }
      content: { text/plain: { schema: { type: string } } }
    Several: { description: All of them., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Error' } } } } }
    Listed: { description: A list., content: { application/json: { schema: { $ref: '#/components/schemas/ErrorList' } } } }
    Count: { description: How many., content: { application/json: { schema: { type: integer } } } }
    Flag: { description: Whether., content: { application/json: { schema: { type: boolean } } } }
  schemas:
    Error: { type: object, required: [code], properties: { code: { type: string } } }
    ErrorList: { type: object, properties: { errors: { type: array, items: { $ref: '#/components/schemas/Error' } } } }
    Failure: { type: object, properties: { reason: { type: string } } }
"##;

/// A document of operations by their names and errors: `404 Missing, 5XX Failed`.
fn with_errors(operations: &[(&str, &str)]) -> String {
    let mut text = String::from("openapi: 3.1.0\ninfo: { title: Errors, version: '1' }\npaths:\n");
    for (name, errors) in operations {
        text.push_str(&format!(
            "  /{name}:\n    get:\n      operationId: {name}\n      responses:\n        '204': {{ description: Done. }}\n"
        ));
        for error in errors.split(", ") {
            let (status, response) = error.split_once(' ').expect("a status and a response");
            text.push_str(&format!(
                "        '{status}': {{ $ref: '#/components/responses/{response}' }}\n"
            ));
        }
    }
    text + COMPONENTS
}

/// The module of shared errors, and the type of errors of each operation.
fn shared(operations: &[(&str, &str)]) -> (String, Vec<(String, String)>) {
    let files = generate(&with_errors(operations));
    let text = |path: &str| {
        let file = files.iter().find(|(name, _)| name == path);
        file.map(|(_, text)| text.clone()).expect("a module")
    };
    let module = text("src/operations/default.rs");
    let types = operations.iter().map(|(name, _)| {
        let alias = format!("{}{}Error", name[..1].to_uppercase(), &name[1..]);
        let plain = module.split_once(&format!("{alias} = "));
        let with_headers = || module.split_once(&format!("{alias}[{alias}Headers] = "));
        let rest = plain.or_else(with_headers).expect("an alias").1;
        let end = rest.find(|c: char| c.is_whitespace()).expect("its end");
        ((*name).to_owned(), rest[..end].to_owned())
    });
    let mut types: Vec<_> = types.collect();
    types.sort();
    (text("src/operations/errors.rs"), types)
}

const OPERATIONS: [(&str, &str); 8] = [
    ("alpha", "404 Missing, 5XX Failed"),
    ("beta", "404 Missing, 5XX Failed"),
    ("gamma", "503 Busy"),
    ("delta", "404 Several"),
    ("epsilon", "404 Listed"),
    ("zeta", "404 Count"),
    ("eta", "404 Flag"),
    (
        "theta",
        "404 Missing, 4XX Missing, 5XX Failed, default Failed",
    ),
];

#[test]
fn shared_errors_depend_on_neither_order_nor_number_of_operations() {
    let (expected, types) = shared(&OPERATIONS);
    assert_eq!(types[0].1, types[1].1, "alpha and beta have the same");
    let distinct: std::collections::BTreeSet<_> = types.iter().map(|(_, errors)| errors).collect();
    assert_eq!(distinct.len(), 7, "{distinct:?}");

    let mut reordered = OPERATIONS;
    reordered.reverse();
    assert_eq!(shared(&reordered), (expected.clone(), types.clone()));
    reordered.rotate_left(3);
    assert_eq!(shared(&reordered), (expected.clone(), types.clone()));

    // The statuses in another order.
    let mut shuffled = OPERATIONS;
    shuffled[0].1 = "5XX Failed, 404 Missing";
    assert_eq!(shared(&shuffled), (expected.clone(), types.clone()));

    // The first of two that have the same errors is gone.
    let (text, fewer) = shared(&OPERATIONS[1..]);
    assert_eq!(text, expected);
    assert!(fewer.iter().all(|entry| types.contains(entry)), "{fewer:?}");

    // Another one comes before them, with theirs.
    let more = [&[("aleph", OPERATIONS[1].1)], &OPERATIONS[..]].concat();
    let (text, more) = shared(&more);
    assert_eq!(text, expected);
    assert!(types.iter().all(|entry| more.contains(entry)), "{more:?}");
    assert_eq!(
        more.iter()
            .find(|(name, _)| name == "aleph")
            .map(|entry| &entry.1),
        Some(&types[0].1)
    );

    // One with errors of its own leaves the other types as they are.
    let more = [&[("aleph", "404 Failed")], &OPERATIONS[..]].concat();
    let (text, more) = shared(&more);
    assert!(types.iter().all(|entry| more.contains(entry)), "{more:?}");
    let rest: Vec<&str> = text
        .lines()
        .filter(|line| !expected.contains(line))
        .collect();
    assert_eq!(
        changed_lines(&expected, &text),
        text.lines().count() - expected.lines().count()
    );
    assert!(
        rest.iter().any(|line| line.contains("Failure404")),
        "{rest:?}"
    );
}

const PETS: &str = r##"
openapi: 3.1.0
info: { title: Pets, version: '1' }
tags: [{ name: pets, description: Animals. }, { name: owners, description: People. }]
paths:
  /pets:
    parameters: [{ name: sort, in: query, schema: { type: string, enum: [up, down] } }]
    get:
      operationId: listPets
      summary: Lists pets.
      tags: [pets]
      responses: { '200': { description: Pets., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } } } }
    head:
      operationId: countPets
      tags: [pets]
      responses: { '204': { description: Counted. } }
  /owners:
    get:
      operationId: listOwners
      tags: [owners]
      responses: { '204': { description: None. } }
components:
  schemas:
    Pet: { type: object, description: An animal., required: [name], properties: { name: { type: string, description: Its name. } } }
"##;

/// The changed lines in all files that either version has, and the paths of those files.
fn changes(old: &str, new: &str) -> (usize, Vec<String>) {
    let (old, new) = (generate(old), generate(new));
    let text = |files: &[(String, String)], path: &str| {
        let file = files.iter().find(|(name, _)| name == path);
        file.map(|(_, text)| text.clone()).unwrap_or_default()
    };
    let paths = old.iter().chain(&new).map(|(path, _)| path.as_str());
    let paths: std::collections::BTreeSet<&str> = paths.collect();
    let mut files = Vec::new();
    let mut lines = 0;
    for path in paths {
        let changed = changed_lines(&text(&old, path), &text(&new, path));
        if changed > 0 {
            files.push(path.to_owned());
            lines += changed;
        }
    }
    (lines, files)
}

#[test]
fn a_description_is_printed_once() {
    let of_type = PETS.replace("An animal.", "A cat or a dog.");
    assert_eq!(
        changes(PETS, &of_type),
        (2, vec!["src/types.rs".to_owned()])
    );
    let of_property = PETS.replace("Its name.", "What it is called.");
    assert_eq!(
        changes(PETS, &of_property),
        (2, vec!["src/types.rs".to_owned()])
    );
}

#[test]
fn the_title_is_not_repeated_in_every_file() {
    let (_, files) = changes(PETS, &PETS.replace("title: Pets", "title: Animals"));
    let code: Vec<_> = files.iter().filter(|path| path.ends_with(".rs")).collect();
    assert_eq!(code, ["src/lib.rs"]);
}

#[test]
fn tags_in_another_order_move_no_types() {
    let [pets, owners] = [
        "{ name: pets, description: Animals. }",
        "{ name: owners, description: People. }",
    ];
    let reordered = PETS.replace(&format!("{pets}, {owners}"), &format!("{owners}, {pets}"));
    assert_ne!(reordered, PETS);
    let (_, files) = changes(PETS, &reordered);
    let moved = |path: &&String| path.contains("operations/") || path.ends_with("types.rs");
    assert_eq!(files.iter().find(moved), None, "{files:?}");
}

#[test]
fn a_removed_operation_changes_nothing_of_the_others() {
    let removed = PETS.replace(
        "    get:\n      operationId: listPets\n      summary: Lists pets.\n      tags: [pets]\n      responses: { '200': { description: Pets., content: { application/json: { schema: { type: array, items: { $ref: '#/components/schemas/Pet' } } } } } }\n",
        "",
    );
    assert_ne!(removed, PETS);
    let (old, new) = (generate(PETS), generate(&removed));
    let text = |files: &[(String, String)], path: &str| {
        let file = files.iter().find(|(name, _)| name == path);
        file.map(|(_, text)| text.clone()).expect("a file")
    };
    // The first user of the path's parameter is gone, and its type stays as and where it was.
    assert!(text(&old, "src/types.rs").contains("enum PetsSortParameter"));
    assert_eq!(text(&old, "src/types.rs"), text(&new, "src/types.rs"));
    let pets = "src/operations/pets.rs";
    let (old, new) = (text(&old, pets), text(&new, pets));
    let added: Vec<_> = new.lines().filter(|line| !old.contains(line)).collect();
    assert!(added.is_empty(), "{added:?}");
}
