//! Tests of reference resolution.

use std::path::Path;

use super::Resolver;
use crate::diagnostic::Diagnostics;
use crate::source::{Limits, MemoryLoader, Sources, load_with};

/// Follows the `$ref` in entry `start` of the first file. Returns its target or the diagnostics.
fn follow(files: &[(&str, &str)], start: &str) -> String {
    let mut loader = MemoryLoader::new();
    for (path, text) in files {
        loader.add(path, *text);
    }
    let (mut sources, mut diagnostics) = (Sources::new(), Diagnostics::new());
    let root = Path::new(files[0].0);
    let tree = load_with(
        &loader,
        root,
        &Limits::default(),
        &mut sources,
        &mut diagnostics,
    )
    .unwrap();
    let resolver = Resolver::new(&tree);
    let node = resolver.root().get(start).unwrap();
    let end = resolver.follow(&node, &mut diagnostics);
    let reported = diagnostics.iter().map(|it| {
        let origin = it.origin.as_ref().unwrap();
        let help = it
            .help
            .as_ref()
            .map_or(String::new(), |help| format!(" ({help})"));
        let path = sources.get(origin.file).unwrap().path.display();
        format!(
            "{} {path}{}: {}{help}",
            it.code.id,
            origin.pointer(),
            it.message
        )
    });
    let reported: Vec<_> = reported.collect();
    match end {
        Some(node) => {
            let path = sources.get(node.file).unwrap().path.display();
            [
                reported,
                vec![format!("{path}{} {}", node.pointer, node.value.to_json())],
            ]
            .concat()
            .join("\n")
        }
        None => reported.join("\n"),
    }
}

fn follow_one(text: &str) -> String {
    follow(&[("a.yaml", text)], "x")
}

#[test]
fn pointers_are_unescaped_in_every_way_people_escape_them() {
    let target = "paths: {'/a{b}/c~d e%': {get: 1}}\n";
    for spelling in [
        "#/paths/~1a%7Bb%7D~1c~0d%20e%25/get",
        "#/paths/~1a{b}~1c~0d e%/get",
        "#/paths/%2Fa{b}%2Fc~0d%20e%25/get",
    ] {
        let text = format!("{target}x: {{$ref: '{spelling}'}}");
        assert_eq!(
            follow_one(&text),
            "a.yaml#/paths/~1a{b}~1c~0d e%/get 1",
            "{spelling}"
        );
    }
}

#[test]
fn references_lead_on_through_references_and_files() {
    let files = [
        ("a.yaml", "x: {$ref: 'b.yaml#/p/q/1'}"),
        ("b.yaml", "p: {$ref: 'c/d.json'}"),
        (
            "c/d.json",
            "{\"q\": [0, {\"$ref\": \"../b.yaml#/p/z\"}], \"z\": {\"ok\": true}}",
        ),
    ];
    assert_eq!(follow(&files, "x"), "c/d.json#/z {\"ok\":true}");
}

#[test]
fn a_whole_file_is_a_target() {
    let files = [("a.yaml", "x: {$ref: 'b.yaml#'}"), ("b.yaml", "just text")];
    assert_eq!(follow(&files, "x"), "b.yaml# \"just text\"");
}

#[test]
fn an_entry_named_ref_is_not_a_reference() {
    assert_eq!(
        follow_one("x: {$ref: {type: string}}"),
        "a.yaml#/x {\"$ref\":{\"type\":\"string\"}}"
    );
}

#[test]
fn dangling_references_suggest_what_is_near() {
    let text =
        "x: {$ref: '#/components/schemas/pets'}\ncomponents: {schemas: {Pet: {}, Other: {}}}";
    assert_eq!(
        follow_one(text),
        "E0201 a.yaml#/x/$ref: unresolved reference `#/components/schemas/pets` (`#/components/schemas` has an entry `Pet`)"
    );
    assert_eq!(
        follow_one("x: {$ref: '#components/y'}"),
        "E0201 a.yaml#/x/$ref: unresolved reference `#components/y` (a pointer begins with a slash: `#/components/y`)"
    );
    assert_eq!(
        follow_one("x: {$ref: 'b.yaml#/y'}"),
        "E0201 a.yaml#/x/$ref: file `b.yaml` does not exist (add the target, or correct the `$ref`)"
    );
    assert_eq!(
        follow_one("x: {$ref: '#/y/0'}\ny: [{$ref: '#/y/7'}]"),
        "E0201 a.yaml#/y/0/$ref: unresolved reference `#/y/7` (add the target, or correct the `$ref`)"
    );
}

#[test]
fn cycles_are_reported_once_and_at_one_place() {
    let text = "x: {$ref: '#/c'}\na: {$ref: '#/b'}\nb: {$ref: '#/c'}\nc: {$ref: '#/a'}";
    assert_eq!(
        follow_one(text),
        "E0202 a.yaml#/a/$ref: 3 references form a cycle without a target (replace one `$ref` of the cycle by the object itself)"
    );
    assert_eq!(
        follow_one("x: {$ref: '#/x'}"),
        "E0202 a.yaml#/x/$ref: reference to itself (replace one `$ref` of the cycle by the object itself)"
    );
    assert_eq!(
        follow_one("x: {$ref: '#'}"),
        "a.yaml# {\"x\":{\"$ref\":\"#\"}}"
    );
    assert_eq!(
        follow_one("x: {$ref: '#/x/y'}"),
        "E0202 a.yaml#/x/$ref: `#/x/y` leads through itself (replace one `$ref` of the cycle by the object itself)"
    );
    let growing = "x: {$ref: '#/a/b'}\na: {$ref: '#/x/b'}";
    assert!(
        follow_one(growing).starts_with("E0202"),
        "{}",
        follow_one(growing)
    );
}

/// Each passed reference has three spellings and two starting points.
#[test]
fn pointers_through_themselves_are_not_tried_in_every_way() {
    for text in [
        "x: {$ref: '#/%78/y'}",
        "x: {$ref: '#/x/y%41'}",
        "x: {$id: 'http://a/b', $ref: '#/x/%79'}",
        "x: {$ref: '#/a/%62'}\na: {$id: c, $ref: '#/x/%62'}",
    ] {
        let reported = follow_one(text);
        assert!(reported.starts_with("E020"), "{reported}");
    }
}

#[test]
fn the_network_is_not_asked() {
    assert_eq!(
        follow_one("x: {$ref: 'https://example.com/a.yaml#/y'}"),
        "E0203 a.yaml#/x/$ref: `https://example.com/a.yaml` is not fetched from the network \
         (`--allow-remote` fetches it; or save the document beside this one and refer to the file)"
    );
}

#[test]
fn a_broken_file_is_reported_at_its_own_place() {
    let files = [("a.yaml", "x: {$ref: 'b.yaml#/y'}"), ("b.yaml", "y: [")];
    let reported = follow(&files, "x");
    assert!(reported.starts_with("E0003 b.yaml#: "), "{reported}");
}

#[test]
fn documents_are_known_by_the_names_they_give_themselves() {
    let files = [
        (
            "a.yaml",
            "$self: https://example.com/api/a\nx: {$ref: 'b#/y'}\nz: {$ref: b.yaml}",
        ),
        ("b.yaml", "$self: https://example.com/api/b\ny: found"),
    ];
    assert_eq!(follow(&files, "x"), "b.yaml#/y \"found\"");
}

#[test]
fn ids_and_anchors_name_schemas() {
    let text = "x: {$ref: 'https://e.test/s/node'}\ny: {$ref: '#leaf'}\nz: {$ref: '#/d/n/p'}\n\
                d: {n: {$id: 'https://e.test/s/node', k: 1, l: {$anchor: leaf, k: 2}, p: {$ref: '#/l/k'}}}";
    let end = |start: &str| follow(&[("a.yaml", text)], start);
    assert!(end("x").starts_with("a.yaml#/d/n {"), "{}", end("x"));
    assert!(end("y").starts_with("a.yaml#/d/n/l {"), "{}", end("y"));
    // Within a schema with an `$id`, a pointer starts at the schema.
    assert_eq!(end("z"), "a.yaml#/d/n/l/k 2");
    // If there is no target in the schema, the pointer starts at the document.
    let text = "x: {$ref: '#/d/n/p'}\nd: {n: {$id: 'urn:n', p: {$ref: '#/d/m'}}, m: 3}";
    assert_eq!(follow_one(text), "a.yaml#/d/m 3");
}
