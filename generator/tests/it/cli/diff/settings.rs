//! Settings of the comparison in `bothends.toml` and by flags, and the schema of the JSON.

use std::path::Path;

use serde_json::Value;

use super::super::{Folder, PETS};
use super::grown;

/// A folder with a document, and another one with a property that is required.
fn pair() -> Folder {
    let folder = Folder::new();
    folder.put("new.yaml", &grown());
    folder
}

/// Returns the report of the pair as JSON, and the exit code.
fn report(folder: &Folder, args: &[&str]) -> (Value, Option<i32>) {
    let all = [&["diff", "pets.yaml", "new.yaml", "--format", "json"], args].concat();
    let run = folder.run(&all);
    let value = serde_json::from_str(&run.out);
    (value.expect(&run.err), run.code)
}

/// Asserts that a report is valid by the published schema, and that the schema knows every field.
fn valid(report: &Value) {
    let page =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/guide/src/reference/diff.schema.json");
    let text = std::fs::read_to_string(page).expect("the schema");
    let mut schema: Value = serde_json::from_str(&text).expect("JSON");
    close(&mut schema);
    let validator = jsonschema::validator_for(&schema).expect("a schema");
    let errors: Vec<String> = validator
        .iter_errors(report)
        .map(|error| error.to_string())
        .collect();
    assert!(errors.is_empty(), "{errors:#?}");
}

/// Forbids properties that a schema does not list.
fn close(schema: &mut Value) {
    match schema {
        Value::Object(map) => {
            map.values_mut().for_each(close);
            if map.contains_key("required") && map.contains_key("properties") {
                map.insert("unevaluatedProperties".to_owned(), false.into());
            }
        }
        Value::Array(items) => items.iter_mut().for_each(close),
        _ => {}
    }
}

#[test]
fn reports_follow_their_schema() {
    let folder = pair();
    let (plain, _) = report(&folder, &[]);
    valid(&plain);
    let fingerprint = plain["changes"][0]["fingerprint"]
        .as_str()
        .expect("a fingerprint");
    let accepted = format!("[accepted-changes]\n{fingerprint} = \"a\"\n0123456789abcdef = \"b\"\n");
    folder.put("bothends.toml", &accepted);
    let (report, _) = report(&folder, &["--fail-on", "none", "--limit", "0"]);
    assert_eq!(report["expired"].as_array().map(Vec::len), Some(1));
    valid(&report);
    // Changes of all kinds of items.
    let spec = |name: &str| format!("{}/../spec/features/{name}", env!("CARGO_MANIFEST_DIR"));
    let (old, new) = (spec("open-enum.yaml"), spec("closed-enum.yaml"));
    let run = folder.run(&["diff", &old, &new, "--format", "json"]);
    let report: Value = serde_json::from_str(&run.out).expect("JSON");
    assert!(
        report["changes"]
            .as_array()
            .is_some_and(|all| all.len() > 3),
        "{report:#}"
    );
    valid(&report);
}

#[test]
fn severities_are_set_by_rule() {
    let folder = pair();
    let levels = |report: &Value| -> Vec<String> {
        let effects = report["changes"][0]["effects"].as_array().expect("effects");
        effects
            .iter()
            .map(|effect| effect["level"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let servers = ["--fail-on", "wire-servers=breaking"];
    let (usual, code) = report(&folder, &servers);
    assert_eq!(levels(&usual), ["safe", "breaking", "breaking", "breaking"]);
    assert_eq!(code, Some(1));
    folder.put("bothends.toml", "[severities]\nD0509 = \"attention\"\n");
    let (set, code) = report(&folder, &servers);
    assert_eq!(levels(&set), ["attention"; 4]);
    assert_eq!(code, Some(0));
    let reason = set["changes"][0]["effects"][1]["reason"]
        .as_str()
        .unwrap_or_default();
    assert!(reason.contains("which is breaking by the rule"), "{reason}");
    // The crate changes as much, and the fingerprint stays.
    assert_eq!(set["version_bump"], usual["version_bump"]);
    assert_eq!(
        set["changes"][0]["fingerprint"],
        usual["changes"][0]["fingerprint"]
    );
    folder.put(
        "bothends.toml",
        "[severities]\nD0509 = { wire-servers = \"safe\" }\n",
    );
    let (set, _) = report(&folder, &servers);
    assert_eq!(levels(&set), ["safe", "safe", "breaking", "breaking"]);
    for (text, error) in [
        ("D9999 = \"safe\"", "unknown rule `D9999` of `diff`"),
        ("D0509 = \"error\"", "unknown level `error`"),
        (
            "D0509 = { clients = \"safe\" }",
            "unknown audience `clients`",
        ),
        ("D0509 = 1", "expected a string for `D0509`"),
    ] {
        folder.put("bothends.toml", &format!("[severities]\n{text}\n"));
        let run = folder.run(&["diff", "pets.yaml", "new.yaml"]);
        assert_eq!(run.code, Some(2), "{text}");
        assert!(run.err.contains(error), "{text}: {}", run.err);
    }
}

#[test]
fn accepted_changes_are_written() {
    let folder = pair();
    let servers = ["--fail-on", "wire-servers=breaking"];
    let (usual, _) = report(&folder, &servers);
    let fingerprint = usual["changes"][0]["fingerprint"]
        .as_str()
        .expect("a fingerprint");
    let before =
        "# Settings.\nout = \"x\" # c\n\n[accepted-changes] # agreed\n0123456789abcdef = \"old\"\n";
    folder.put("bothends.toml", before);
    let accept = ["--accept", fingerprint, "agreed with \"all\"\nclients"];
    let (set, code) = report(&folder, &[&servers[..], &accept].concat());
    assert_eq!((code, &set["failing"]), (Some(0), &0.into()));
    let text = folder.read("bothends.toml");
    let line = format!("\"{fingerprint}\" = ");
    let added = text.lines().position(|row| row.starts_with(&line));
    let rest: Vec<&str> = text.split_inclusive('\n').collect();
    assert_eq!(added, Some(4), "{text}");
    assert!(
        text.starts_with(before.split("0123").next().unwrap_or_default()),
        "{text}"
    );
    assert!(
        rest.last().is_some_and(|last| before.ends_with(last)),
        "{text}"
    );
    // The entry counts in the next run.
    let (set, code) = report(&folder, &servers);
    assert_eq!(code, Some(0));
    assert_eq!(
        set["changes"][0]["accepted"],
        "agreed with \"all\"\nclients"
    );
    for (accept, error) in [
        (
            ["--accept", "0123", "agreed"],
            "no change has the fingerprint `0123`",
        ),
        (["--accept", fingerprint, " "], "needs a reason"),
    ] {
        let run = folder.run(&[&["diff", "pets.yaml", "new.yaml"], &accept[..]].concat());
        assert_eq!(run.code, Some(2));
        assert!(run.err.contains(error), "{}", run.err);
        assert_eq!(folder.read("bothends.toml"), text);
    }
}

#[test]
fn the_bump_counts_rust_or_the_wire() {
    let folder = Folder::new();
    let bump = |new: &str, scope: &str| {
        folder.put("new.yaml", new);
        let (report, _) = report(&folder, &["--bump", scope]);
        report["version_bump"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    };
    let bumps = |new: &str| ["rust", "wire", "both"].map(|scope| bump(new, scope));
    assert_eq!(bumps(PETS), ["none", "none", "none"]);
    assert_eq!(bumps(&grown()), ["major", "major", "major"]);
    let renamed = PETS.replace("operationId: listPets", "operationId: allPets");
    assert_eq!(bumps(&renamed)[0], "major");
    assert_ne!(bumps(&renamed)[1], "major");
    let added = PETS.replace(
        "        name:",
        "        age: { type: integer }\n        name:",
    );
    assert_eq!(bumps(&added), ["minor", "minor", "minor"]);
    let text = PETS.replace("All pets.", "Every pet.");
    assert_eq!(bumps(&text), ["patch", "patch", "patch"]);
}

#[test]
fn answers_for_rust_depend_on_where_the_code_is_used() {
    let document = |more: &str| {
        format!(
            "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\npaths:\n  /a:\n    get:\n      operationId: a\n      \
             responses: {{'200': {{description: d, content: {{application/json: {{schema: {{$ref: '#/components/schemas/A'}}}}}}}}}}\n\
             components:\n  schemas:\n    A: {{type: object, properties: {{a: {{type: string}}{more}}}}}\n"
        )
    };
    let folder = Folder::new();
    folder.put("pets.yaml", &document(""));
    folder.put("new.yaml", &document(", b: {type: string}"));
    let levels = |args: &[&str]| {
        let (report, code) = report(&folder, args);
        let effects = report["changes"][0]["effects"].as_array().cloned();
        let levels = effects
            .into_iter()
            .flatten()
            .map(|effect| effect["level"].clone());
        (levels.collect::<Vec<_>>(), code)
    };
    let fail = ["--fail-on", "rust-callers=breaking"];
    let of_module = [&fail[..], &["--rust", "module"]].concat();
    let of_crate = [&fail[..], &["--rust", "crate"]].concat();
    let (safe, exposed) = (["safe"; 4], ["safe", "safe", "breaking", "breaking"]);
    let (found, code) = levels(&of_module);
    assert_eq!((&found[..], code), (&exposed.map(Value::from)[..], Some(1)));
    let (found, code) = levels(&of_crate);
    assert_eq!((&found[..], code), (&safe.map(Value::from)[..], Some(0)));
    folder.put("bothends.toml", "module = true\n");
    assert_eq!(levels(&fail).0, exposed);
    assert_eq!(levels(&of_crate).0, safe);
}

#[test]
fn the_day_of_a_comparison_is_given() {
    let folder = Folder::new();
    let get = "    get:\n";
    assert_eq!(PETS.matches(get).count(), 1, "{PETS}");
    let sunset = format!("{get}      deprecated: true\n      x-sunset: '2026-06-30'\n");
    folder.put("sunset.yaml", &PETS.replace(get, &sunset));
    let other = "  /other:\n    get:\n      responses: { '204': { description: Done. } }\n";
    folder.put(
        "old.yaml",
        &PETS.replace(
            "paths:\n",
            &format!("paths:\n{}", other.replace(get, &sunset)),
        ),
    );
    for (today, code) in [("2026-06-30", 1), ("2026-07-01", 0), ("9999-01-01", 0)] {
        let run = folder.run(&["diff", "old.yaml", "pets.yaml", "--today", today]);
        assert_eq!(run.code, Some(code), "{today}: {}", run.out);
    }
    let run = folder.run(&["diff", "old.yaml", "pets.yaml", "--today", "2026-02-30"]);
    assert!(run.err.contains("`2026-02-30` is not a day"), "{}", run.err);
    let announced = |days: &str, today: &str| {
        folder.put(
            "bothends.toml",
            &format!("[deprecation-days]\nstable = {days}\n"),
        );
        let run = folder.run(&["diff", "pets.yaml", "sunset.yaml", "--today", today]);
        (run.code, run.out.contains("D0118"))
    };
    assert_eq!(announced("30", "2026-05-31"), (Some(0), false));
    assert_eq!(announced("30", "2026-06-01"), (Some(1), true));
    assert_eq!(announced("0", "2026-06-01"), (Some(0), false));
}
