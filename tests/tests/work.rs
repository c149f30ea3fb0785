//! The work that a document makes grows as the document does: twice the document, twice the work.
//! Work is what is allocated on the way from the text to the code and the report, which is the same on
//! each run. What takes long without allocating is for `bounds.rs`.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use bothends::report::render_json;
use bothends::source::FileLoader;
use bothends::{Builder, Severity};
use bothends_allocations::{Counting, allocated};
use bothends_tests::parallel::each;
use tempfile::TempDir;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// The stack that a build script's thread may have; an overflow ends the process.
const STACK: usize = 2 << 20;

/// A document of a size.
struct Shape {
    name: &'static str,
    /// The first of three sizes; the others are twice and four times that.
    size: usize,
    /// The code of its errors; empty where it becomes code.
    error: &'static str,
    text: fn(usize) -> String,
}

/// `count` texts made of their numbers, with commas between.
fn list(count: usize, item: impl Fn(usize) -> String) -> String {
    let mut text = String::new();
    for index in 0..count {
        let comma = if index == 0 { "" } else { "," };
        let _ = write!(text, "{comma}{}", item(index));
    }
    text
}

/// A document with these entries under `paths`, and these under `components`.
fn document(paths: &str, components: &str) -> String {
    format!(
        r#"{{"openapi":"3.1.0","info":{{"title":"T","version":"1"}},"paths":{{{paths}}},"components":{{{components}}}}}"#
    )
}

/// A document of these schemas, of which a request and a response have `A`.
fn schemas(entries: &str) -> String {
    let own = if entries.contains("\"A\":") {
        ""
    } else if entries.contains("\"S0\":") {
        r##","A":{"$ref":"#/components/schemas/S0"}"##
    } else {
        r#","A":{"type":"object"}"#
    };
    let content =
        r##""content":{"application/json":{"schema":{"$ref":"#/components/schemas/A"}}}"##;
    let paths = format!(
        r#""/a":{{"post":{{"requestBody":{{{content}}},"responses":{{"200":{{"description":"d",{content}}}}}}}}}"#
    );
    document(&paths, &format!(r#""schemas":{{{entries}{own}}}"#))
}

/// A schema `A` with these properties, and what else it has.
fn object(properties: &str, more: &str) -> String {
    schemas(&format!(
        r#""A":{{"type":"object","properties":{{{properties}}}{more}}}"#
    ))
}

/// Operations with these fields, each at a path of its own.
fn operations(count: usize, fields: impl Fn(usize) -> String) -> String {
    let paths = list(count, |index| {
        format!(
            r#""/p{index}":{{"get":{{"responses":{{"200":{{"description":"d"}}}}{}}}}}"#,
            fields(index)
        )
    });
    document(&paths, "")
}

/// One operation with these fields, at a path.
fn operation(path: &str, fields: &str) -> String {
    let paths =
        format!(r#""{path}":{{"post":{{"responses":{{"200":{{"description":"d"}}}},{fields}}}}}"#);
    document(&paths, "")
}

fn reference(index: usize) -> String {
    format!(r##"{{"$ref":"#/components/schemas/S{index}"}}"##)
}

/// A name that is the same as the others of its kind in Rust.
fn alike(index: usize) -> String {
    format!("a{index:b}b").replace('0', "-").replace('1', "_")
}

const STRING: &str = r#"{"type":"string"}"#;

const SHAPES: &[Shape] = &[
    // Texts that no parser takes.
    Shape {
        name: "brackets",
        size: 20_000,
        error: "E0005",
        text: |n| "[".repeat(n),
    },
    Shape {
        name: "braces",
        size: 20_000,
        error: "E0005",
        text: |n| r#"{"a":"#.repeat(n),
    },
    Shape {
        name: "brackets in YAML",
        size: 20_000,
        error: "E0005",
        text: |n| format!("# YAML\n{}", "[".repeat(n)),
    },
    Shape {
        name: "hidden brackets in YAML",
        size: 5_000,
        error: "E0005",
        text: |n| format!("# YAML\n{}", "{\"}\":".repeat(n)),
    },
    Shape {
        name: "sequences in YAML",
        size: 20_000,
        error: "E0005",
        text: |n| "- ".repeat(n),
    },
    Shape {
        name: "many tags of YAML",
        size: 2_000,
        error: "E0396",
        text: |n| format!("openapi: 3.1.0\nx:\n{}", "- !t 1\n".repeat(n)),
    },
    Shape {
        name: "many directives of YAML",
        size: 2_000,
        error: "E0003",
        text: |n| {
            (0..n).fold(String::new(), |text, index| {
                text + &format!("%TAG !t{index}! tag:x{index}:\n")
            }) + "---\nopenapi: 3.1.0\n"
        },
    },
    Shape {
        name: "an escape after the other",
        size: 2_000,
        error: "E0396",
        text: |n| format!("openapi: 3.1.0\nx: \"{}\"\n", "\\ud83d\\ude00".repeat(n)),
    },
    Shape {
        name: "a number of many digits",
        size: 50_000,
        error: "",
        text: |n| {
            document("", "").replacen("3.1.0\"", &format!("3.1.0\",\"x-a\":{}", "9".repeat(n)), 1)
        },
    },
    Shape {
        name: "an exponent of many digits",
        size: 50_000,
        error: "",
        text: |n| {
            document("", "").replacen(
                "3.1.0\"",
                &format!("3.1.0\",\"x-a\":1e{}", "9".repeat(n)),
                1,
            )
        },
    },
    // Anchors and merge keys.
    Shape {
        name: "aliases",
        size: 1_000,
        error: "",
        text: |n| {
            let aliases = (0..n).fold(String::new(), |text, index| {
                text + &format!("    A{index}: *a\n")
            });
            format!(
                "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\nx-a: &a {{type: object}}\ncomponents:\n  schemas:\n{aliases}"
            )
        },
    },
    Shape {
        name: "merge keys",
        size: 1_000,
        error: "",
        text: |n| {
            let merged = (0..n).fold(String::new(), |text, index| {
                text + &format!("    A{index}: {{<<: *a}}\n")
            });
            format!(
                "openapi: 3.1.0\ninfo: {{title: T, version: '1'}}\nx-a: &a {{type: object, title: a}}\ncomponents:\n  schemas:\n{merged}"
            )
        },
    },
    // Things that are reported.
    Shape {
        name: "one key many times",
        size: 1_000,
        error: "E0007",
        text: |n| {
            schemas(&list(n, |index| {
                format!(r#""A":{{"title":"{index}","type":"object"}}"#)
            }))
        },
    },
    Shape {
        name: "many keys twice",
        size: 1_000,
        error: "E0007",
        text: |n| {
            schemas(&list(n, |index| {
                format!(r#""A{index}":{{}},"A{index}":{{"type":"string"}}"#)
            }))
        },
    },
    Shape {
        name: "keys that are misspelt",
        size: 300,
        error: "",
        text: |n| {
            schemas(&format!(
                r#""A":{{{}}}"#,
                list(n, |index| format!(r#""propertees{index}":1"#))
            ))
        },
    },
    Shape {
        name: "references to nothing",
        size: 1_000,
        error: "E0201",
        text: |n| {
            schemas(&list(n, |index| {
                format!(r##""A{index}":{{"$ref":"#/components/schemas/B{index}"}}"##)
            }))
        },
    },
    Shape {
        name: "chain of references",
        size: 1_000,
        error: "E0201 E0202",
        text: |n| {
            schemas(&list(n, |index| {
                format!(r#""S{index}":{}"#, reference(index + 1))
            }))
        },
    },
    Shape {
        name: "circle of references",
        size: 1_000,
        error: "E0202",
        text: |n| {
            schemas(&list(n, |index| {
                format!(r#""S{index}":{}"#, reference((index + 1) % n))
            }))
        },
    },
    Shape {
        name: "wrong types",
        size: 1_000,
        error: "E0103",
        text: |n| {
            object(
                &list(n, |index| {
                    format!(r#""p{index}":{{"type":"strng","required":1}}"#)
                }),
                "",
            )
        },
    },
    Shape {
        name: "warnings",
        size: 1_000,
        error: "",
        text: |n| {
            object(
                &list(n, |index| {
                    format!(r#""p{index}":{{"type":"string","default":{index}}}"#)
                }),
                "",
            )
        },
    },
    Shape {
        name: "required names without a property",
        size: 1_000,
        error: "",
        text: |n| {
            let required = format!(
                r#","required":[{}]"#,
                list(n, |index| format!(r#""q{index}""#))
            );
            object(
                &list(n, |index| format!(r#""p{index}":{STRING}"#)),
                &required,
            )
        },
    },
    Shape {
        name: "one identity many times",
        size: 1_000,
        error: "",
        text: |n| {
            schemas(&list(n, |index| {
                format!(r#""S{index}":{{"$id":"https://x/y","$anchor":"a","title":"{index}"}}"#)
            }))
        },
    },
    Shape {
        name: "variables that are not declared",
        size: 500,
        error: "",
        text: |n| {
            operation(
                &(0..n).fold(String::new(), |text, index| {
                    text + &format!("/{{v{index}}}")
                }),
                r#""tags":[]"#,
            )
        },
    },
    // Long texts and names.
    Shape {
        name: "long description",
        size: 50_000,
        error: "",
        text: |n| {
            object(
                "",
                &format!(r#","description":"{}""#, "<a> [x] `c\\n".repeat(n / 10)),
            )
        },
    },
    Shape {
        name: "long name",
        size: 20_000,
        error: "",
        text: |n| object(&format!(r#""{}":{STRING}"#, "aB".repeat(n)), ""),
    },
    Shape {
        name: "long name of a schema with many properties",
        size: 500,
        error: "",
        text: |n| {
            let entry = format!(
                r#""{}":{{"properties":{{{}}}}}"#,
                "A".repeat(n * 10),
                list(n, |index| format!(
                    r#""p{index}":{{"type":"object","properties":{{"x":{STRING}}}}}"#
                ))
            );
            schemas(&entry)
        },
    },
    Shape {
        name: "long path of many parameters",
        size: 500,
        error: "",
        text: |n| {
            let parameters = list(n, |index| {
                format!(r#"{{"name":"q{index}","in":"query","schema":{STRING}}}"#)
            });
            operation(
                &format!("/{}", "a".repeat(n * 20)),
                &format!(r#""parameters":[{parameters}]"#),
            )
        },
    },
    Shape {
        name: "long pattern",
        size: 20_000,
        error: "",
        text: |n| {
            object(
                &format!(
                    r#""p":{{"type":"string","pattern":"{}"}}"#,
                    "a[0-9]".repeat(n / 6)
                ),
                "",
            )
        },
    },
    Shape {
        name: "deep pattern",
        size: 20_000,
        error: "",
        text: |n| {
            object(
                &format!(
                    r#""p":{{"type":"string","pattern":"{}{}"}}"#,
                    "(".repeat(n),
                    ")".repeat(n)
                ),
                "",
            )
        },
    },
    Shape {
        name: "many patterns",
        size: 300,
        error: "",
        text: |n| {
            object(
                &list(n, |index| {
                    format!(r#""p{index}":{{"type":"string","pattern":"[a-z]{{9}}{index}"}}"#)
                }),
                "",
            )
        },
    },
    Shape {
        name: "long example",
        size: 50_000,
        error: "",
        text: |n| object("", &format!(r#","example":{{"x":"{}"}}"#, "y".repeat(n))),
    },
    Shape {
        name: "long default",
        size: 20_000,
        error: "",
        text: |n| {
            object(
                &format!(
                    r#""p":{{"type":"string","default":"{}"}}"#,
                    "\\\"".repeat(n)
                ),
                "",
            )
        },
    },
    // Much of one kind.
    Shape {
        name: "values",
        size: 2_000,
        error: "",
        text: |n| {
            object("", "").replacen(
                r#""A":{"type":"object","#,
                &format!(
                    r#""A":{{"enum":[{}]}},"B":{{"#,
                    list(n, |index| format!(r#""v{index}""#))
                ),
                1,
            )
        },
    },
    Shape {
        name: "values that are alike",
        size: 1_000,
        error: "",
        text: |n| {
            schemas(&format!(
                r#""A":{{"enum":[{}]}}"#,
                list(n, |index| format!(r#""{}""#, alike(index)))
            ))
        },
    },
    Shape {
        name: "one value many times",
        size: 2_000,
        error: "",
        text: |n| {
            schemas(&format!(
                r#""A":{{"enum":[{}]}}"#,
                list(n, |_| r#""v""#.to_owned())
            ))
        },
    },
    Shape {
        name: "properties that are alike",
        size: 500,
        error: "",
        text: |n| {
            object(
                &list(n, |index| format!(r#""{}":{STRING}"#, alike(index))),
                "",
            )
        },
    },
    Shape {
        name: "schemas that are alike",
        size: 300,
        error: "",
        text: |n| {
            schemas(&list(n, |index| {
                format!(
                    r#""{}":{{"type":"object","properties":{{"x":{STRING}}}}}"#,
                    alike(index)
                )
            }))
        },
    },
    Shape {
        name: "objects in place",
        size: 500,
        error: "",
        text: |n| {
            object(
                &list(n, |index| {
                    format!(r#""p{index}":{{"type":"object","properties":{{"x":{STRING}}}}}"#)
                }),
                "",
            )
        },
    },
    Shape {
        name: "required properties",
        size: 1_000,
        error: "",
        text: |n| {
            let required = format!(
                r#","required":[{}]"#,
                list(n, |index| format!(r#""p{index}""#))
            );
            object(
                &list(n, |index| format!(r#""p{index}":{STRING}"#)),
                &required,
            )
        },
    },
    Shape {
        name: "dependent properties",
        size: 500,
        error: "",
        text: |n| {
            let dependent = list(n, |index| format!(r#""p{index}":["p0"]"#));
            object(
                &list(n, |index| format!(r#""p{index}":{STRING}"#)),
                &format!(r#","dependentRequired":{{{dependent}}}"#),
            )
        },
    },
    Shape {
        name: "parts",
        size: 500,
        error: "",
        text: |n| {
            schemas(&format!(
                r#""A":{{"allOf":[{}]}}"#,
                list(n, |index| format!(
                    r#"{{"properties":{{"p{index}":{STRING}}},"required":["p{index}"]}}"#
                ))
            ))
        },
    },
    Shape {
        name: "a chain of parts with properties",
        size: 1_000,
        error: "E0111",
        text: |n| {
            schemas(&list(n, |index| {
                let next = reference((index + 1) % n);
                let parts = if index + 1 == n { String::new() } else { next };
                format!(r#""S{index}":{{"allOf":[{parts}],"properties":{{"p{index}":{STRING}}}}}"#)
            }))
        },
    },
    Shape {
        name: "mappings to names that no schema has",
        size: 500,
        error: "",
        text: |n| {
            let mapping = list(n, |index| format!(r#""m{index}":"Absent{index}""#));
            let named = list(n, |index| format!(r#""Present{index}":{STRING}"#));
            schemas(&format!(
                r#""A":{{"type":"object","properties":{{"t":{STRING}}},"discriminator":{{"propertyName":"t","mapping":{{{mapping}}}}}}},{named}"#
            ))
        },
    },
    Shape {
        name: "examples",
        size: 500,
        error: "",
        text: |n| {
            object(
                &list(n, |index| {
                    format!(r#""p{index}":{{"type":"integer","example":{index}}}"#)
                }),
                &format!(
                    r#","example":{{{}}}"#,
                    list(n, |index| format!(r#""p{index}":{index}"#))
                ),
            )
        },
    },
    Shape {
        name: "variants",
        size: 300,
        error: "",
        text: |n| {
            let variants = list(n, |index| {
                format!(
                    r#""S{index}":{{"type":"object","required":["k{index}"],"properties":{{"k{index}":{STRING}}}}}"#
                )
            });
            schemas(&format!(
                r#""A":{{"oneOf":[{}]}},{variants}"#,
                list(n, reference)
            ))
        },
    },
    Shape {
        name: "variants with a discriminator",
        size: 300,
        error: "",
        text: |n| {
            let variants = list(n, |index| {
                format!(
                    r#""S{index}":{{"type":"object","required":["t"],"properties":{{"t":{STRING}}}}}"#
                )
            });
            schemas(&format!(
                r#""A":{{"oneOf":[{}],"discriminator":{{"propertyName":"t"}}}},{variants}"#,
                list(n, reference)
            ))
        },
    },
    Shape {
        name: "defaults that are values",
        size: 500,
        error: "",
        text: |n| {
            let values = list(n, |index| format!(r#""v{index}""#));
            let properties = list(n, |index| {
                format!(
                    r##""p{index}":{{"allOf":[{{"$ref":"#/components/schemas/E"}}],"default":"v{index}"}}"##
                )
            });
            object(&properties, "").replacen(
                r#""schemas":{"#,
                &format!(r#""schemas":{{"E":{{"enum":[{values}]}},"#),
                1,
            )
        },
    },
    Shape {
        name: "schemas in a circle",
        size: 300,
        error: "",
        text: |n| {
            schemas(&list(n, |index| {
                format!(
                    r#""S{index}":{{"type":"object","properties":{{"next":{}}}}}"#,
                    reference((index + 1) % n)
                )
            }))
        },
    },
    Shape {
        name: "parameters",
        size: 500,
        error: "",
        text: |n| {
            operation(
                "/a",
                &format!(
                    r#""parameters":[{}]"#,
                    list(n, |index| format!(
                        r#"{{"name":"p{index}","in":"query","schema":{STRING}}}"#
                    ))
                ),
            )
        },
    },
    Shape {
        name: "one parameter many times",
        size: 500,
        error: "",
        text: |n| {
            operation(
                "/a",
                &format!(
                    r#""parameters":[{}]"#,
                    list(n, |_| format!(
                        r#"{{"name":"p","in":"query","schema":{STRING}}}"#
                    ))
                ),
            )
        },
    },
    Shape {
        name: "variables of a path",
        size: 500,
        error: "",
        text: |n| {
            let path = (0..n).fold(String::new(), |text, index| {
                text + &format!("/{{v{index}}}")
            });
            operation(
                &path,
                &format!(
                    r#""parameters":[{}]"#,
                    list(n, |index| format!(
                        r#"{{"name":"v{index}","in":"path","required":true,"schema":{STRING}}}"#
                    ))
                ),
            )
        },
    },
    Shape {
        name: "operations of one tag",
        size: 100,
        error: "",
        text: |n| {
            operations(n, |index| {
                format!(r#","tags":["t"],"operationId":"o{index}""#)
            })
        },
    },
    Shape {
        name: "operations of one name",
        size: 100,
        error: "",
        text: |n| operations(n, |_| r#","operationId":"o""#.to_owned()),
    },
    Shape {
        name: "operations of a tag each",
        size: 100,
        error: "",
        text: |n| operations(n, |index| format!(r#","tags":["t{index}"]"#)),
    },
    Shape {
        name: "operations with a server each",
        size: 100,
        error: "",
        text: |n| {
            operations(n, |index| {
                format!(r#","servers":[{{"url":"https://{index}.example.com"}}]"#)
            })
        },
    },
    Shape {
        name: "ways to be let in",
        size: 200,
        error: "",
        text: |n| {
            let schemes = list(n, |index| {
                format!(r#""s{index}":{{"type":"apiKey","in":"header","name":"X-{index}"}}"#)
            });
            let security = list(n, |index| format!(r#"{{"s{index}":[]}}"#));
            operation("/a", &format!(r#""security":[{security}]"#)).replacen(
                r#""components":{"#,
                &format!(r#""components":{{"securitySchemes":{{{schemes}}}"#),
                1,
            )
        },
    },
    Shape {
        name: "media types",
        size: 200,
        error: "",
        text: |n| {
            operation(
                "/a",
                &format!(
                    r#""requestBody":{{"content":{{{}}}}}"#,
                    list(n, |index| format!(
                        r#""application/x{index}+json":{{"schema":{STRING}}}"#
                    ))
                ),
            )
        },
    },
    Shape {
        name: "links",
        size: 500,
        error: "",
        text: |n| {
            operation("/a", r#""operationId":"o""#).replacen(
                r#""description":"d""#,
                &format!(
                    r#""description":"d","links":{{{}}}"#,
                    list(n, |index| format!(r#""l{index}":{{"operationId":"o"}}"#))
                ),
                1,
            )
        },
    },
    Shape {
        name: "callbacks",
        size: 100,
        error: "",
        text: |n| {
            operation(
                "/a",
                &format!(
                    r#""callbacks":{{{}}}"#,
                    list(n, |index| format!(
                        r#""c{index}":{{"{{$request.query.u}}":{{"post":{{"responses":{{"200":{{"description":"d"}}}}}}}}}}"#
                    ))
                ),
            )
        },
    },
    Shape {
        name: "variables of a server",
        size: 500,
        error: "",
        text: |n| {
            let url = (0..n).fold(String::from("https://a/"), |text, index| {
                text + &format!("{{v{index}}}")
            });
            let variables = list(n, |index| {
                format!(
                    r#""v{index}":{{"default":"{{v{}}}{{v{}}}"}}"#,
                    index + 1,
                    index + 1
                )
            });
            document("", "").replacen(
                r#""paths""#,
                &format!(r#""servers":[{{"url":"{url}","variables":{{{variables}}}}}],"paths""#),
                1,
            )
        },
    },
];

/// What is allocated from a document to its code, and to the report in both forms.
fn work(shape: &Shape, times: usize) -> (u64, String) {
    let folder = TempDir::new().expect("a folder");
    let path = folder.path().join(if shape.name.contains("YAML") {
        "api.yaml"
    } else {
        "api"
    });
    std::fs::write(&path, (shape.text)(shape.size * times)).expect("written");
    let thread = std::thread::Builder::new().stack_size(STACK);
    let counted = thread.spawn(move || {
        let before = allocated();
        let plan = Builder::new(&path).module(true);
        // On this thread, whose bytes are counted.
        let plan = plan.plan_of(&FileLoader).expect("a plan");
        let report = plan.report().len() + render_json(&plan.diagnostics, &plan.sources).len();
        assert!(report < 4 << 20, "a report of {report} bytes");
        let all = plan.diagnostics.iter();
        let errors = all
            .filter(|diagnostic| diagnostic.severity == Severity::Error)
            .map(|error| error.code.id);
        let errors: BTreeSet<&str> = errors.collect();
        (
            allocated() - before,
            errors.into_iter().collect::<Vec<_>>().join(" "),
        )
    });
    counted.expect("a thread").join().expect("no panic")
}

#[test]
fn twice_the_document_is_twice_the_work() {
    let mut wrong = String::new();
    let measured = each(SHAPES, |shape| [1, 2, 4].map(|times| work(shape, times)));
    for (shape, measured) in SHAPES.iter().zip(measured) {
        if let Some((_, errors)) = measured.iter().find(|(_, errors)| errors != shape.error) {
            let _ = writeln!(wrong, "{}: {errors:?} for {:?}", shape.name, shape.error);
        }
        let [one, two, four] = measured.map(|(bytes, _)| bytes);
        let (first, second) = (two.saturating_sub(one).max(1), four.saturating_sub(two));
        // Twice is linear, four times is quadratic; a table that grows makes a step.
        #[allow(clippy::cast_precision_loss)]
        let growth = second as f64 / first as f64;
        println!(
            "{:45} {one:>12} {two:>12} {four:>12} {growth:>6.2}",
            shape.name
        );
        // What is refused at once is no work at all.
        if growth > 3.0 && second > 1 << 20 {
            let _ = writeln!(wrong, "{}: {one}, {two}, {four} bytes", shape.name);
        }
    }
    assert!(wrong.is_empty(), "grows faster than the document:\n{wrong}");
}
