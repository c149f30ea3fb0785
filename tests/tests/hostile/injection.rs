//! Hostile texts in every string that a document holds, one place after the other. What comes out is
//! of the same shape as with a harmless text in that place, or something is told of it.

use std::collections::BTreeSet;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;

use bothends::Plan;
use bothends::diagnostic::Diagnostics;
use bothends::source::{Object, Sources, Value, load_text};
use bothends_tests::parallel::each;
use bothends_tests::{features, root};

use crate::mutants::{number, plan};
use crate::shape::{shape, strange, unordered};
use crate::texts::TEXTS;

/// A text that means no harm, in the place of one that does.
const HARMLESS: &str = "harmless words";

/// Keys whose strings say what becomes of things: another word there is another API.
const DECIDING: [&str; 15] = [
    "basePath",
    "const",
    "consumes",
    "content",
    "contentType",
    "enum",
    "format",
    "host",
    "in",
    "paths",
    "produces",
    "required",
    "servers",
    "style",
    "type",
];

/// A string of a document: the path to its node, and whether it is the key.
#[derive(Debug, Clone)]
struct Place {
    path: Vec<usize>,
    key: bool,
    pointer: String,
}

fn places(root: &Value) -> Vec<Place> {
    fn visit(value: &Value, path: &[usize], pointer: &str, places: &mut Vec<Place>) {
        let place = |key, path: &[usize], pointer: &str| Place {
            path: path.to_vec(),
            key,
            pointer: pointer.to_owned(),
        };
        match value {
            Value::String(_) => places.push(place(false, path, pointer)),
            Value::Object(object) => {
                for (index, (key, value)) in object.iter().enumerate() {
                    let path = [path, &[index]].concat();
                    let pointer =
                        format!("{pointer}/{}", key.replace('~', "~0").replace('/', "~1"));
                    places.push(place(true, &path, &pointer));
                    visit(value, &path, &pointer, places);
                }
            }
            Value::Array(items) => {
                for (index, value) in items.iter().enumerate() {
                    let pointer = format!("{pointer}/{index}");
                    visit(value, &[path, &[index]].concat(), &pointer, places);
                }
            }
            _ => {}
        }
    }
    let mut places = Vec::new();
    visit(root, &[], "#", &mut places);
    places
}

/// The document with another string at a place, and in all references to it.
fn with(root: &Value, place: &Place, text: &str) -> Value {
    let mut changed = replaced(root, &place.path, place.key, text);
    if let (true, Some((parent, _))) = (place.key, place.pointer.rsplit_once('/')) {
        let name = text.replace('~', "~0").replace('/', "~1");
        refer(&mut changed, &place.pointer, &format!("{parent}/{name}"));
    }
    changed
}

fn replaced(value: &Value, path: &[usize], key: bool, text: &str) -> Value {
    let Some((first, rest)) = path.split_first() else {
        return text.into();
    };
    match value {
        Value::Object(object) => {
            let entries = object.iter().enumerate().map(|(index, (name, value))| {
                if index != *first {
                    (name.clone(), value.clone())
                } else if rest.is_empty() && key {
                    (text.to_owned(), value.clone())
                } else {
                    (name.clone(), replaced(value, rest, key, text))
                }
            });
            Value::Object(entries.collect::<Object>())
        }
        Value::Array(items) => {
            let items = items.iter().enumerate().map(|(index, value)| {
                if index == *first {
                    replaced(value, rest, key, text)
                } else {
                    value.clone()
                }
            });
            Value::Array(items.collect())
        }
        other => other.clone(),
    }
}

/// Whether another entry of the same object has this key.
fn has_sibling(root: &Value, path: &[usize], key: &str) -> bool {
    let parent = path.split_last().map_or(path, |(_, parent)| parent);
    let object = parent.iter().try_fold(root, |value, index| match value {
        Value::Object(object) => object.get_index(*index).map(|(_, value)| value),
        Value::Array(items) => items.get(*index),
        _ => None,
    });
    object.is_some_and(|object| object.get(key).is_some())
}

/// Lets references to something lead to its new name.
fn refer(value: &mut Value, old: &str, new: &str) {
    match value {
        Value::String(text) => {
            let rest = text.strip_prefix(old);
            if let Some(rest) = rest.filter(|rest| rest.is_empty() || rest.starts_with('/')) {
                *text = format!("{new}{rest}");
            }
        }
        Value::Object(object) => object.values_mut().for_each(|it| refer(it, old, new)),
        Value::Array(items) => items.iter_mut().for_each(|it| refer(it, old, new)),
        _ => {}
    }
}

fn codes(plan: &Plan) -> Vec<&'static str> {
    let mut codes: Vec<_> = plan.diagnostics.iter().map(|it| it.code.id).collect();
    codes.sort_unstable();
    codes
}

/// The shapes of all files of code, whatever they are called.
fn shapes(plan: &Plan) -> Vec<String> {
    let rust = plan.files.iter().filter(|file| file.path.ends_with(".rs"));
    let shape = |file: &bothends::OutputFile| {
        // Shared errors stand in the order of their names.
        let shape = match file.path.as_str() {
            "src/operations/errors.rs" => unordered(&file.text),
            _ => shape(&file.text),
        };
        shape.unwrap_or_else(|error| format!("no Rust: {error}"))
    };
    let mut shapes: Vec<String> = rust.map(shape).collect();
    shapes.sort();
    shapes
}

/// What is wrong with an output, whatever it was made from.
fn wrong(plan: &Plan) -> Vec<String> {
    let mut wrong = Vec::new();
    for file in &plan.files {
        if !is_expected(&file.path) {
            wrong.push(format!("a file {:?}", file.path));
        }
        let unseen = file.text.chars().find(|c| is_unseen(*c));
        wrong.extend(unseen.map(|c| format!("{c:?} in {}", file.path)));
        if file.path.ends_with(".rs") {
            match strange(&file.text) {
                Ok(found) => wrong.extend(found),
                Err(error) => wrong.push(format!("{} does not parse: {error}", file.path)),
            }
        }
        if file.path == "Cargo.toml" {
            wrong.extend(wrong_manifest(&file.text));
        }
    }
    let report = plan.report();
    wrong.extend(
        report
            .chars()
            .find(|c| is_unseen(*c))
            .map(|c| format!("{c:?} in the report")),
    );
    wrong
}

/// Control characters and those that turn the direction of text.
fn is_unseen(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{2028}' | '\u{2029}' | '\u{feff}')
}

fn is_expected(path: &str) -> bool {
    const FIXED: [&str; 10] = [
        "Cargo.toml",
        "README.md",
        "src/lib.rs",
        "src/types.rs",
        "src/operations.rs",
        "src/client.rs",
        "src/client/servers.rs",
        "src/server.rs",
        "src/server/rejections.rs",
        "src/webhooks.rs",
    ];
    let module = path
        .strip_prefix("src/operations/")
        .and_then(|name| name.strip_suffix(".rs"));
    FIXED.contains(&path)
        || module.is_some_and(|name| {
            !name.is_empty() && name.chars().all(|c| c == '_' || c.is_alphanumeric())
        })
}

/// A manifest has the tables that it always has.
fn wrong_manifest(text: &str) -> Option<String> {
    let table: toml::Table = match text.parse() {
        Ok(table) => table,
        Err(error) => return Some(format!("Cargo.toml does not parse: {error}")),
    };
    let keys: BTreeSet<&str> = table.keys().map(String::as_str).collect();
    let known = BTreeSet::from([
        "package",
        "features",
        "dependencies",
        "workspace",
        "lints",
        "lib",
    ]);
    let dependencies = table.get("dependencies").and_then(toml::Value::as_table);
    let foreign = dependencies
        .into_iter()
        .flat_map(toml::Table::keys)
        .find(|name| *name != "bothends-runtime");
    if let Some(name) = foreign {
        return Some(format!("a dependency on {name:?}"));
    }
    let more: Vec<_> = keys.difference(&known).collect();
    (!more.is_empty()).then(|| format!("{more:?} in Cargo.toml"))
}

/// Whether another word in a place is another API.
fn is_deciding(place: &Place) -> bool {
    let mut steps = place.pointer.split('/');
    // The name of a webhook is the path at which it is received.
    let is_path = place.key && steps.clone().count() == 3 && steps.nth(1) == Some("webhooks");
    // A pattern that the matcher writes differently is there in both forms.
    let is_pattern = place.pointer.ends_with("/pattern");
    let mut steps = place.pointer.split('/');
    is_path || is_pattern || steps.any(|step| DECIDING.contains(&step))
}

fn read(path: &Path) -> Value {
    let text = fs::read_to_string(path).expect("a document");
    let tree = load_text(
        "api.yaml",
        &text,
        &mut Sources::new(),
        &mut Diagnostics::new(),
    );
    let tree = tree.expect("a document that can be read");
    tree.value(tree.root()).cloned().unwrap_or_default()
}

/// How much of the attack is done.
#[derive(Clone, Copy)]
struct Share {
    /// One of so many texts, another one in each place.
    texts: usize,
    /// One of so many places, other ones in each document.
    places: usize,
}

/// Puts texts into places; gives what went wrong, and how often something was generated.
fn attack(document: &Path, share: Share, offset: usize) -> (Vec<String>, usize) {
    let step = share.texts;
    let dir = tempfile::tempdir().expect("a folder");
    let path = dir.path().join("api.json");
    let plan_of = |value: &Value| {
        fs::write(&path, value.to_json()).expect("written");
        plan(&path)
    };
    let value = read(document);
    let (mut failures, mut generated) = (Vec::new(), 0);
    for (index, place) in places(&value).iter().enumerate() {
        if !(index + offset).is_multiple_of(share.places) {
            continue;
        }
        let harmless = (!is_deciding(place))
            .then(|| plan_of(&with(&value, place, HARMLESS)))
            .flatten();
        let expected = harmless.as_ref().map(|plan| (codes(plan), shapes(plan)));
        let texts = TEXTS.iter().skip((index + offset) % step).step_by(step);
        for text in texts {
            if place.key && has_sibling(&value, &place.path, text) {
                continue;
            }
            // An empty pattern asks for nothing, so there is no rule of it.
            if text.is_empty() && place.pointer.ends_with("/pattern") {
                continue;
            }
            let hostile = with(&value, place, text);
            let stem = document.file_stem().unwrap_or_default().display();
            let kind = if place.key { "key" } else { "value" };
            let what = format!("{stem} {kind} {} as {text:?}", place.pointer);
            let plan = match catch_unwind(AssertUnwindSafe(|| plan_of(&hostile))) {
                Ok(Some(plan)) => plan,
                Ok(None) => continue,
                Err(_) => {
                    failures.push(format!("{what}: a panic"));
                    continue;
                }
            };
            generated += usize::from(!plan.files.is_empty());
            let mut wrong = wrong(&plan);
            if let Some((reported, shape)) = &expected
                && *reported == codes(&plan)
                && *shape != shapes(&plan)
            {
                wrong.push(format!(
                    "another shape, and nothing reported but {reported:?}"
                ));
            }
            failures.extend(wrong.into_iter().map(|wrong| format!("{what}: {wrong}")));
        }
    }
    (failures, generated)
}

#[test]
fn no_text_becomes_code() {
    // A plain run is a sample; BOTHENDS_TEXTS=1 puts every text into every place.
    let texts = usize::try_from(number("BOTHENDS_TEXTS", 56)).unwrap_or(1);
    let texts = texts.max(1);
    let (of_everything, places) = if texts == 1 { (1, 1) } else { (3, 12) };
    let everything = root().join("tests/hostile/everything.yaml");
    let share = Share {
        texts,
        places: of_everything,
    };
    let features = features().expect("the folder of features");
    let features = features.into_iter().enumerate();
    let mut attacks = vec![(everything, share, 0)];
    attacks.extend(features.map(|(index, path)| (path, Share { texts, places }, index)));
    let (mut failures, mut generated) = (Vec::new(), 0);
    for (more, count) in each(&attacks, |(path, share, index)| {
        attack(path, *share, *index)
    }) {
        failures.extend(more);
        generated += count;
    }
    println!("{generated} documents generated");
    assert!(
        failures.is_empty(),
        "{} failures:\n{}",
        failures.len(),
        failures.join("\n")
    );
    assert!(generated > 200, "only {generated} documents came to code");
}
