//! The rules of GitHub's code scanning for SARIF files that are uploaded:
//! <https://docs.github.com/en/code-security/code-scanning/integrating-with-code-scanning/sarif-support-for-code-scanning>

use std::collections::HashSet;

use serde_json::Value;

use super::super::Folder;

/// The largest number of rules and of results of a run.
const LIMIT: usize = 25_000;

/// Old and new documents: a type changes, an operation goes, a module and a server come. The last
/// three have no position of their own in the new document.
const OLD: &str = r"
openapi: 3.1.0
info: { title: Pets, version: 1.0.0 }
paths:
  /pets:
    get:
      operationId: listPets
      responses: { '200': { description: All., content: { application/json: { schema: { $ref: '#/components/schemas/Pet' } } } } }
  /cats:
    get: { operationId: listCats, responses: { '204': { description: None. } } }
components:
  schemas:
    Pet: { type: object, required: [id], properties: { id: { type: string } } }
";

fn log(folder: &Folder, old: &str, new: &str, args: &[&str]) -> Value {
    let run = folder.run(&[&["diff", old, new, "--format", "sarif"], args].concat());
    assert!(matches!(run.code, Some(0 | 1)), "{}", run.err);
    serde_json::from_str(&run.out).expect("JSON")
}

fn text<'v>(value: &'v Value, pointer: &str) -> &'v str {
    let text = value.pointer(pointer).and_then(Value::as_str);
    text.expect(pointer)
}

fn list<'v>(value: &'v Value, pointer: &str) -> &'v [Value] {
    let list = value.pointer(pointer).and_then(Value::as_array);
    list.expect(pointer)
}

/// Asserts what an upload must satisfy, and returns the levels of the results.
fn accepted(log: &Value) -> Vec<String> {
    assert!(text(log, "/$schema").contains("sarif-2.1.0"));
    assert_eq!(text(log, "/version"), "2.1.0");
    assert_eq!(list(log, "/runs").len(), 1);
    let run = &log["runs"][0];
    assert_eq!(text(run, "/tool/driver/name"), "bothends");
    let rules = list(run, "/tool/driver/rules");
    let results = list(run, "/results");
    assert!(rules.len() <= LIMIT && results.len() <= LIMIT);
    for rule in rules {
        for text in [
            "/shortDescription/text",
            "/fullDescription/text",
            "/help/text",
        ] {
            let text = self::text(rule, text);
            assert!(
                !text.is_empty() && text.chars().count() <= 1_024,
                "{rule:#}"
            );
        }
    }
    let ids: HashSet<&str> = rules.iter().map(|rule| text(rule, "/id")).collect();
    assert_eq!(ids.len(), rules.len());
    results
        .iter()
        .for_each(|result| accepted_result(result, &ids));
    results
        .iter()
        .map(|result| text(result, "/level").to_owned())
        .collect()
}

fn accepted_result(result: &Value, rules: &HashSet<&str>) {
    assert!(rules.contains(text(result, "/ruleId")), "{result:#}");
    assert!(["error", "warning", "note"].contains(&text(result, "/level")));
    assert!(!text(result, "/message/text").is_empty());
    let hash = text(result, "/partialFingerprints/primaryLocationLineHash");
    assert!(hash.len() > 2, "{hash}");
    let locations = list(result, "/locations");
    assert!(!locations.is_empty() && locations.len() <= 1_000);
    for location in locations.iter().chain(list(result, "/relatedLocations")) {
        let location = &location["physicalLocation"];
        let uri = text(location, "/artifactLocation/uri");
        let plain = |letter: char| letter.is_ascii_graphic() && !"\\\"<>^`{|}".contains(letter);
        assert!(!uri.is_empty() && uri.chars().all(plain), "{uri}");
        assert!(
            !uri.starts_with('/') && !uri.contains(':'),
            "not relative: {uri}"
        );
        for number in ["/region/startLine", "/region/startColumn"] {
            let number = location.pointer(number).and_then(Value::as_u64);
            assert!(number.is_some_and(|number| number >= 1), "{location:#}");
        }
    }
}

#[test]
fn code_scanning_accepts_every_result() {
    let folder = Folder::new();
    let new = OLD.replace("{ id: { type: string } }", "{ id: { type: integer } }");
    let new = new.split("  /cats").next().unwrap_or_default().to_owned()
        + "    post: { operationId: addPet, tags: [dogs], responses: { '204': { description: None. } } }\n"
        + "servers: [{ url: 'https://example.com/v2' }]\ncomponents:"
        + new.split("components:").nth(1).unwrap_or_default();
    folder.put("old.yaml", OLD);
    folder.put("new api.yaml", &new);
    let absolute = folder.path().join("new api.yaml").display().to_string();
    for new in ["new api.yaml", &absolute] {
        let log = log(&folder, "old.yaml", new, &[]);
        let levels = accepted(&log);
        for level in ["error", "note"] {
            assert!(levels.iter().any(|found| found == level), "{log:#}");
        }
        // A change without a position is at the beginning of the document.
        let results = list(&log, "/runs/0/results");
        let codes: HashSet<&str> = results
            .iter()
            .map(|result| text(result, "/ruleId"))
            .collect();
        assert!(codes.contains("D0721"), "{log:#}");
    }
}

#[test]
fn levels_follow_fail_on() {
    let folder = Folder::new();
    let new = OLD.replace("required: [id], ", "");
    folder.put("old.yaml", OLD);
    folder.put("new.yaml", &new);
    let levels = |fail_on: &str| {
        accepted(&log(
            &folder,
            "old.yaml",
            "new.yaml",
            &["--fail-on", fail_on],
        ))
    };
    assert_eq!(levels("wire-clients=breaking")[0], "error");
    assert_eq!(levels("none")[0], "warning");
    assert_eq!(levels("wire-servers=breaking")[0], "warning");
}
