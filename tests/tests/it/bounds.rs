//! Documents that are small and mean something large: each ends, in code or in a diagnostic. Steps that
//! are a power of the document's size would not end in a lifetime; where they end, how they grow is for
//! `work.rs` to say. A document gets 8 MiB of the stack that the generator takes for itself: this build is not optimised,
//! as build scripts are by default.

use std::fmt::Write as _;

use bothends::Builder;
use bothends::source::FileLoader;
use tempfile::TempDir;

/// The stack of a thread; an overflow ends the process.
const STACK: usize = 8 << 20;

/// What comes of a document with these schemas: nothing, or the codes of its errors.
fn codes(name: &str, schemas: impl Iterator<Item = (String, String)>) -> Vec<&'static str> {
    codes_of(name, &document(schemas))
}

/// A document of schemas.
fn document(schemas: impl Iterator<Item = (String, String)>) -> String {
    let mut text = String::from(
        r#"{"openapi":"3.1.0","info":{"title":"T","version":"1"},"paths":{},"components":{"schemas":{"#,
    );
    for (index, (name, schema)) in schemas.enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}\"{name}\":{schema}");
    }
    text.push_str("}}}");
    text
}

/// What comes of a document: nothing, or the codes of its errors.
fn codes_of(name: &str, text: &str) -> Vec<&'static str> {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("api.json");
    std::fs::write(&path, text).expect("written");
    let thread = std::thread::Builder::new().stack_size(STACK);
    let work = move || {
        let plan = Builder::new(&path).module(true);
        let plan = plan.plan_of(&FileLoader).expect("the document is read");
        let report = plan.report().len();
        assert!(report < 1 << 20, "a report of {report} bytes");
        let errors = plan.diagnostics.iter();
        let errors = errors.filter(|diagnostic| diagnostic.severity == bothends::Severity::Error);
        let mut codes: Vec<&'static str> = errors.map(|error| error.code.id).collect();
        codes.dedup();
        codes
    };
    println!("{name}");
    let ended = thread.spawn(work).expect("a thread").join();
    let codes = ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    println!("{name}: {codes:?}");
    codes
}

fn reference(index: usize) -> String {
    format!(r##"{{"$ref":"#/components/schemas/S{index}"}}"##)
}

/// `count` schemas, each made of the next one; the last is a string.
fn chain(
    count: usize,
    schema_of: impl Fn(usize, String) -> String,
) -> impl Iterator<Item = (String, String)> {
    (0..=count).map(move |index| {
        let schema = if index == count {
            r#"{"type":"string"}"#.to_owned()
        } else {
            schema_of(index, reference(index + 1))
        };
        (format!("S{index}"), schema)
    })
}

/// Makes a schema of its number and a reference to the next one.
type Made = dyn Fn(usize, String) -> String;

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
    let reported = codes("allOf of allOf", square);
    assert!(reported.contains(&"E0111"), "{reported:?}");
}

#[test]
fn choices_in_one_all_of_are_counted_before_they_are_merged() {
    let choice = |index: usize| {
        let alternative = |at: usize| {
            format!(r#"{{"type":"object","properties":{{"p{index}_{at}":{{"type":"string"}}}}}}"#)
        };
        let all: Vec<String> = (0..4).map(alternative).collect();
        (
            format!("S{index}"),
            format!(r#"{{"oneOf":[{}]}}"#, all.join(",")),
        )
    };
    let parts: Vec<String> = (0..12).map(reference).collect();
    let all = format!(r#"{{"allOf":[{}]}}"#, parts.join(","));
    let schemas = (0..12).map(choice).chain([("A".to_owned(), all)]);
    assert_eq!(codes("choices in an allOf", schemas), ["E0111"]);
}

#[test]
fn long_chains() {
    const LENGTH: usize = 6000;
    let reported = |name: &str, schema_of: &Made| codes(name, chain(LENGTH, schema_of));
    let fine: [(&str, &Made); 12] = [
        ("lists of lists", &|_, next| {
            format!(r#"{{"type":"array","items":{next}}}"#)
        }),
        ("maps of maps", &|_, next| {
            format!(r#"{{"type":"object","additionalProperties":{next}}}"#)
        }),
        ("tuples of tuples", &|_, next| {
            format!(r#"{{"prefixItems":[{next}],"minItems":1,"maxItems":1}}"#)
        }),
        ("objects of objects", &|_, next| {
            format!(r#"{{"type":"object","properties":{{"next":{next}}}}}"#)
        }),
        ("objects that require objects", &|_, next| {
            format!(r#"{{"type":"object","required":["next"],"properties":{{"next":{next}}}}}"#)
        }),
        ("wrappers", &|_, next| format!(r#"{{"allOf":[{next}]}}"#)),
        ("wrappers with rules", &|index, next| {
            format!(r#"{{"allOf":[{next}],"minLength":{index}}}"#)
        }),
        ("notes beside references", &|_, next| {
            next.replace('}', r#","description":"a note"}"#)
        }),
        ("one choice", &|_, next| format!(r#"{{"oneOf":[{next}]}}"#)),
        ("choices with null", &|_, next| {
            format!(r#"{{"anyOf":[{next},{{"type":"null"}}]}}"#)
        }),
        ("choices of choices", &|_, next| {
            format!(r#"{{"oneOf":[{next},{{"type":"integer"}}]}}"#)
        }),
        ("not not", &|_, next| format!(r#"{{"not":{next}}}"#)),
    ];
    for (name, schema_of) in fine {
        assert_eq!(reported(name, schema_of), NONE, "{name}");
    }
    let large: [(&str, &Made); 2] = [
        ("choices with properties", &|index, next| {
            format!(r#"{{"oneOf":[{next}],"properties":{{"p{index}":{{"type":"string"}}}}}}"#)
        }),
        ("more choices with properties", &|index, next| {
            let own = format!(r#"{{"properties":{{"p{index}":{{"type":"string"}}}}}}"#);
            format!(r#"{{"oneOf":[{next},{own}],"properties":{{"q{index}":{own}}}}}"#)
        }),
    ];
    for (name, schema_of) in large {
        assert_eq!(reported(name, schema_of), ["E0111"], "{name}");
    }
}

#[test]
fn long_circles() {
    let circle = |schema_of: &Made| {
        let schemas = (0..6000).map(|index| {
            let next = reference((index + 1) % 6000);
            (format!("S{index}"), schema_of(index, next))
        });
        schemas.collect::<Vec<_>>().into_iter()
    };
    let parts = circle(&|_, next| format!(r#"{{"allOf":[{next}]}}"#));
    assert_eq!(codes("a circle of allOf", parts), NONE);
    let choices = circle(&|_, next| format!(r#"{{"oneOf":[{next}]}}"#));
    assert_eq!(codes("a circle of oneOf", choices), NONE);
    let choices = circle(&|_, next| format!(r#"{{"oneOf":[{next},{{"type":"string"}}]}}"#));
    assert_eq!(codes("a circle of choices", choices), NONE);
    let both = circle(&|index, next| {
        if index % 2 == 0 {
            format!(r#"{{"oneOf":[{next}]}}"#)
        } else {
            format!(r#"{{"allOf":[{next},{{"required":["p{index}"]}}]}}"#)
        }
    });
    assert_eq!(codes("a circle of both", both), ["E0111"]);
}

#[test]
fn many_parts() {
    let part = |index: usize| format!(r#"{{"properties":{{"p{index}":{{"type":"string"}}}}}}"#);
    let all_of = |parts: Vec<String>| format!(r#"{{"allOf":[{}]}}"#, parts.join(","));
    let written = all_of((0..3000).map(part).collect());
    let referred = all_of((0..3000).map(reference).collect());
    let schemas = [("A".to_owned(), written), ("B".to_owned(), referred)];
    let named = (0..3000).map(|index| (format!("S{index}"), part(index)));
    assert_eq!(codes("3,000 parts", schemas.into_iter().chain(named)), NONE);
    let base = r#"{"type":"object","required":["t"],"properties":{"t":{"type":"string"}},"discriminator":{"propertyName":"t"}}"#;
    let children = (1..3000).map(|index| {
        let parts = all_of(vec![reference(0), part(index)]);
        (format!("S{index}"), parts)
    });
    let family = std::iter::once(("S0".to_owned(), base.to_owned())).chain(children);
    assert_eq!(codes("3,000 children", family), NONE);
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

#[test]
fn what_is_told_of_many_places() {
    let chain = chain(100_000, |_, next| next);
    assert_eq!(codes("a chain of 100,000 references", chain), ["E0202"]);
    let circle = (0..100_000).map(|index| (format!("S{index}"), reference((index + 1) % 100_000)));
    assert_eq!(codes("a circle of 100,000 references", circle), ["E0202"]);
    let warned = |index: usize| {
        (
            format!("S{index}"),
            r#"{"type":"integer","default":"a"}"#.to_owned(),
        )
    };
    assert_eq!(codes("50,000 warnings", (0..50_000).map(warned)), NONE);
    let wrong = (0..50_000).map(|index| (format!("S{index}"), r#"{"properties":1}"#.to_owned()));
    assert_eq!(codes("50,000 errors", wrong), ["E0103"]);
    let twice = (0..100_000).map(|index| {
        (
            format!("S{}", index / 2),
            format!(
                "{{\"title\":\"{index}\",\"type\":\"{}\"}}",
                if index % 2 == 0 { "string" } else { "integer" }
            ),
        )
    });
    assert_eq!(codes("50,000 keys twice", twice), ["E0007"]);
}

#[test]
fn pointers_through_themselves() {
    let encoded = r##"{"$ref":"#/components/schemas/A%41/properties/x"}"##.to_owned();
    let schemas = [("AA".to_owned(), encoded)];
    assert_eq!(
        codes("a pointer through itself", schemas.into_iter()),
        ["E0202"]
    );
    let pairs = (0..1_000).map(|index| {
        let other = (index + 1) % 1_000;
        let entry = format!(
            r##"{{"$id":"http://x/{index}","$ref":"#/components/schemas/%53{other}/%78"}}"##
        );
        (format!("S{index}"), entry)
    });
    assert!(!codes("pointers through each other", pairs).is_empty());
}

#[test]
fn what_is_too_deep() {
    for (name, text) in [
        ("brackets", "[".repeat(5_000_000)),
        ("braces", "{\"a\":".repeat(1_000_000)),
        (
            "brackets in YAML",
            format!("# YAML\n{}", "[".repeat(5_000_000)),
        ),
        (
            "braces in YAML",
            format!("# YAML\n{}", "{a: ".repeat(1_000_000)),
        ),
        (
            "hidden brackets in YAML",
            format!("# YAML\n{}", "{\"}\":".repeat(1_000_000)),
        ),
        ("sequences in YAML", "- ".repeat(1_000_000)),
    ] {
        assert_eq!(codes_of(name, &text), ["E0005"]);
    }
    // As deep as nothing is refused before it is parsed, and long.
    let wide = format!("# YAML\n{}{}", "[".repeat(400), "1,".repeat(1_000_000));
    assert_eq!(codes_of("a long list far inside", &wide), ["E0005"]);
}

#[test]
fn what_is_compared() {
    let names = |letter: char| -> Vec<String> {
        (0..20_000)
            .map(|index| format!("{letter}{index}"))
            .collect()
    };
    let properties: Vec<String> = names('p')
        .iter()
        .map(|name| format!(r#""{name}":{{"type":"string"}}"#))
        .collect();
    let quoted = |letter: char| {
        names(letter)
            .iter()
            .map(|name| format!(r#""{name}""#))
            .collect::<Vec<_>>()
            .join(",")
    };
    let schema = |required: &str| {
        format!(
            r#"{{"type":"object","required":[{required}],"properties":{{{}}}}}"#,
            properties.join(",")
        )
    };
    let schemas = [
        ("A".to_owned(), schema(&quoted('q'))),
        ("B".to_owned(), schema(&quoted('p'))),
    ];
    assert_eq!(codes("20,000 required names", schemas.into_iter()), NONE);
}

#[test]
fn the_stack_of_the_caller_may_be_small() {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join("api.json");
    let array = r#"{"type":"array","items":"#;
    let schema = format!("{}{{}}{}", array.repeat(50), "}".repeat(50));
    std::fs::write(&path, document(std::iter::once(("S".to_owned(), schema)))).expect("written");
    let work = move || {
        let builder = Builder::new(&path).module(true);
        assert!(!builder.plan().expect("settings").has_errors());
        assert!(!builder.compare(&path).expect("settings").has_errors());
        assert!(builder.bundle(true).expect("settings").text.is_some());
    };
    let thread = std::thread::Builder::new().stack_size(128 << 10);
    let ended = thread.spawn(work).expect("a thread").join();
    ended.unwrap_or_else(|panic| std::panic::resume_unwind(panic));
}
