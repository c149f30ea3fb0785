//! Documents that are small and mean something large: each ends in bounded time, in code or in a
//! diagnostic. A document gets a thread of its own, and a minute that it is not expected to need: in a
//! debug build on one slow core the slowest takes a few seconds.

use std::fmt::Write as _;
use std::sync::mpsc;
use std::time::{Duration, Instant};

use bothends::Builder;
use tempfile::TempDir;

const PATIENCE: Duration = Duration::from_secs(60);

/// What comes of a document with these schemas: nothing, or the codes of its errors.
fn codes(name: &str, schemas: impl Iterator<Item = (String, String)>) -> Vec<&'static str> {
    let mut text = String::from(
        r#"{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"#,
    );
    for (index, (name, schema)) in schemas.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\"{name}\":{schema}");
    }
    text.push_str("}}}");
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("api.json");
    std::fs::write(&path, text).expect("written");
    let began = Instant::now();
    let (tell, told) = mpsc::channel();
    std::thread::spawn(move || {
        let plan = Builder::new(&path).module(true).plan();
        let _ = tell.send(plan.map(|plan| {
            let errors = plan.diagnostics.iter();
            let errors = errors.filter(|of| of.severity == bothends::diagnostic::Severity::Error);
            let mut codes: Vec<&'static str> = errors.map(|of| of.code.id).collect();
            codes.dedup();
            codes
        }));
    });
    let codes = told
        .recv_timeout(PATIENCE)
        .unwrap_or_else(|_| unreachable!("{name} is not done after a minute"))
        .expect("the document is read");
    println!(
        "{name}: {codes:?} after {:.1} s",
        began.elapsed().as_secs_f64()
    );
    codes
}

fn reference(index: usize) -> String {
    format!(r##"{{"$ref":"#/components/schemas/S{index}"}}"##)
}

/// `count` schemas, each made of the next one; the last is a string.
fn chain(
    count: usize,
    of: impl Fn(usize, String) -> String,
) -> impl Iterator<Item = (String, String)> {
    (0..=count).map(move |index| {
        let schema = if index == count {
            r#"{"type":"string"}"#.to_owned()
        } else {
            of(index, reference(index + 1))
        };
        (format!("S{index}"), schema)
    })
}

const NONE: [&str; 0] = [];

#[test]
fn choices_of_the_same_two_a_hundred_deep() {
    for word in ["oneOf", "anyOf"] {
        let schemas = chain(100, |_, next| format!(r#"{{"{word}":[{next},{next}]}}"#));
        assert_eq!(codes(word, schemas), NONE);
        let wrapped = chain(100, |_, next| {
            format!(r#"{{"{word}":[{{"allOf":[{next}]}},{{"allOf":[{next},{{"type":"null"}}]}}]}}"#)
        });
        assert_eq!(codes("choices of wrapped schemas", wrapped), NONE);
    }
}

#[test]
fn parts_of_parts() {
    let diamond = chain(100, |_, next| format!(r#"{{"allOf":[{next},{next}]}}"#));
    assert_eq!(codes("allOf diamonds", diamond), NONE);
    // Each has all properties of those after it: a document of 300 kB would be millions of fields.
    let square = chain(3000, |index, next| {
        format!(r#"{{"allOf":[{next},{{"properties":{{"p{index}":{{"type":"string"}}}}}}]}}"#)
    });
    let told = codes("allOf of allOf", square);
    assert!(told.contains(&"E0111"), "{told:?}");
}

#[test]
fn long_chains() {
    let items = chain(2000, |_, next| {
        format!(r#"{{"type":"array","items":{next}}}"#)
    });
    assert_eq!(codes("lists of lists", items), NONE);
    let properties = chain(2000, |_, next| {
        format!(r#"{{"type":"object","properties":{{"next":{next}}}}}"#)
    });
    assert_eq!(codes("objects of objects", properties), NONE);
}

#[test]
fn long_lists() {
    let values = |count: usize| {
        let values: Vec<String> = (0..count).map(|index| format!(r#""v{index}""#)).collect();
        format!(r#"{{"type":"string","enum":[{}]}}"#, values.join(","))
    };
    let many = std::iter::once(("Many".to_owned(), values(20_000)));
    assert_eq!(codes("20,000 values", many), NONE);
    let constants: Vec<String> = (0..5000)
        .map(|index| format!(r#"{{"const":"v{index}","title":"Number {index}"}}"#))
        .collect();
    let choice = format!(r#"{{"oneOf":[{}]}}"#, constants.join(","));
    let choice = std::iter::once(("Choice".to_owned(), choice));
    assert_eq!(codes("5,000 constants", choice), NONE);
    let properties: Vec<String> = (0..10_000)
        .map(|index| format!(r#""p{index}":{{"type":"integer"}}"#))
        .collect();
    let object = format!(
        r#"{{"type":"object","properties":{{{}}}}}"#,
        properties.join(",")
    );
    let object = std::iter::once(("Object".to_owned(), object));
    assert_eq!(codes("10,000 properties", object), NONE);
}
