//! The cases of yaml-test-suite, in the form of its branch `data`: each has a text in `in.yaml`, and its
//! values in `in.json`, or a file `error` if the text is not valid.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use super::super::Value;
use super::super::read::read;

/// Valid texts that are refused. `docs/yaml.md` lists the constructs.
const REFUSED: &[&str] = &[
    "2LFX", "2SXE", "4MUZ/01", "4MUZ/02", "58MP", "5MUD", "5T43", "6BCT", "6LVF", "6XDY", "8XYN",
    "96NN/00", "96NN/01", "9SA2", "A2M4", "BEC7", "DBG4", "DK3J", "DK95/00", "FP8R", "HM87/00",
    "HWV9", "K3WX", "MUS6/05", "MUS6/06", "NJ66", "QT73", "R4YG", "VJP3/01", "W5VH", "Y79Y/001",
    "Y79Y/010",
];

/// Texts that are not valid and are read.
const ACCEPTED: &[&str] = &[
    "9C9N", "9JBA", "CVW2", "DK95/01", "G5U8", "MUS6/00", "QB6E", "S98Z", "SU5Z", "X4QW",
    "Y79Y/000", "Y79Y/003", "YJV2",
];

/// Valid texts that are read with other values.
const OTHER_VALUES: &[&str] = &["652Z", "HM87/01", "JEF9/02", "L24T/01", "S4JQ", "Y2GN"];

#[test]
fn yaml_test_suite_is_read_but_for_the_listed_cases() {
    let beside = || bothends_test_environment::corpus_folder().join("yaml-test-suite");
    let folder = std::env::var_os("BOTHENDS_YAML_TEST_SUITE").map_or_else(beside, PathBuf::from);
    if !folder.is_dir() {
        bothends_test_environment::skipped(
            "yaml_test_suite_is_read_but_for_the_listed_cases",
            &format!("no yaml-test-suite at {}", folder.display()),
            "check out its branch `data` and set BOTHENDS_YAML_TEST_SUITE to the folder",
        );
        return;
    }
    let mut found = BTreeMap::new();
    let mut cases = 0;
    visit(&folder, &mut |case| {
        cases += 1;
        if let Some(difference) = difference(case) {
            let name = case.strip_prefix(&folder).unwrap_or(case);
            let name = name.to_string_lossy().replace('\\', "/");
            found.insert(name, difference);
        }
    });
    assert!(cases > 300, "{cases} cases in {}", folder.display());
    let listed = [
        (REFUSED, Difference::Refused),
        (ACCEPTED, Difference::Accepted),
        (OTHER_VALUES, Difference::OtherValue),
    ];
    let all = listed.into_iter();
    let all =
        all.flat_map(|(names, what)| names.iter().map(move |name| ((*name).to_owned(), what)));
    let listed: BTreeMap<String, Difference> = all.collect();
    assert_eq!(found, listed, "{cases} cases");
}

/// Visits the folders of cases. The data has further views of them, by name and by tag.
fn visit(folder: &Path, case: &mut impl FnMut(&Path)) {
    let entries = folder
        .read_dir()
        .unwrap()
        .map(|entry| entry.unwrap().path());
    let mut entries: Vec<_> = entries.filter(|path| path.is_dir()).collect();
    entries.sort();
    if folder.join("in.yaml").is_file() {
        case(folder);
    }
    for entry in entries {
        let name = entry
            .file_name()
            .and_then(|name| name.to_str())
            .unwrap_or_default();
        if !matches!(name, "name" | "tags" | ".git") {
            visit(&entry, case);
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Difference {
    Refused,
    Accepted,
    OtherValue,
}

fn difference(case: &Path) -> Option<Difference> {
    let text = std::fs::read_to_string(case.join("in.yaml")).unwrap();
    let found = read(&text, false);
    if case.join("error").is_file() {
        return found.is_ok().then_some(Difference::Accepted);
    }
    // Several documents in one file, and keys that are collections, have no JSON.
    let expected = std::fs::read_to_string(case.join("in.json")).ok()?;
    let expected = read(&expected, true).ok()?.value;
    match found {
        Err(_) => Some(Difference::Refused),
        Ok(found) => (!same(&found.value, &expected)).then_some(Difference::OtherValue),
    }
}

/// Returns whether two values are equal. The suite writes `450.00` as `450`.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len()
                && left
                    .iter()
                    .zip(right)
                    .all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            let equal =
                |key: &String, value| right.get(key).is_some_and(|other| same(value, other));
            left.len() == right.len() && left.iter().all(|(key, value)| equal(key, value))
        }
        (left, right) => left == right,
    }
}
