//! The places of diagnostics in documents with overlays.

use super::{Overlaid, overlay};
use crate::position::{FileId, Origin, Pointer};
use crate::source::locate;

const DOCUMENT: &str = "\
paths:
  /pets:
    get:
      parameters:
        - {name: a, in: query}
        - {name: b, in: query}
        - {name: c, in: query}
      tags: [x]
";

/// Returns the file and the line of a node, and the number of the action that wrote it.
fn place(overlaid: &Overlaid, pointer: &str) -> (String, usize, Option<usize>) {
    let node = Origin::new(FileId(0), Pointer::parse(pointer));
    let written = overlaid.sources.written(&node);
    let file = overlaid.sources.get(written.file).expect("a file");
    let position = locate(file, std::slice::from_ref(&written.pointer))[0];
    let action = overlaid.sources.overlay_action(&written);
    (file.path.display().to_string(), position.line, action)
}

#[test]
fn nodes_keep_their_places() {
    let text = overlay(
        "- target: $.paths['/pets'].get.parameters[0]
  remove: true
- target: $.paths['/pets'].get.parameters
  update: {name: d, in: query}
- target: $.paths['/pets'].get.parameters[0]
  update:
    schema:
      type: string
- target: $.paths['/pets']
  update:
    put: {}
- target: $.paths['/pets'].put
  copy: $.paths['/pets'].get
- target: $.paths['/pets'].put.parameters[1]
  remove: true
- target: $.paths['/pets'].get.tags[0]
  update: y
",
    );
    let overlaid = Overlaid::new(&[("api.yaml", DOCUMENT), ("a.overlay.yaml", &text)]);
    assert!(overlaid.diagnostics.is_empty(), "{}", overlaid.report());
    let get = "#/paths/~1pets/get";
    let put = "#/paths/~1pets/put";
    let document = |line| ("api.yaml".to_owned(), line, None);
    let overlay = |line, action| ("a.overlay.yaml".to_owned(), line, Some(action));
    for (pointer, expected) in [
        ("#/paths/~1pets".to_owned(), document(2)),
        // `b`, after `a` was removed, with a schema of the third action.
        (format!("{get}/parameters/0/name"), document(6)),
        (format!("{get}/parameters/0/schema/type"), overlay(11, 3)),
        (format!("{get}/parameters/1/name"), document(7)),
        (format!("{get}/parameters/2/name"), overlay(7, 2)),
        (format!("{get}/tags/0"), overlay(20, 7)),
        (put.to_owned(), overlay(14, 4)),
        // A copy is written where its original is written.
        (format!("{put}/parameters/0/name"), document(6)),
        (format!("{put}/parameters/0/schema/type"), overlay(11, 3)),
        (format!("{put}/parameters/1/name"), overlay(7, 2)),
        (format!("{put}/tags/0"), document(8)),
    ] {
        assert_eq!(place(&overlaid, &pointer), expected, "{pointer}");
    }
}

#[test]
fn diagnostics_of_reading_keep_their_places() {
    let document = "\
paths:
  /a:
    get:
      parameters:
        - {name: p0, in: query}
        - name: p1
          in: query
          description: a
          description: a
        - {name: p2, in: query}
";
    let text = overlay(
        "- target: $.paths['/a'].get.parameters[0]
  remove: true
- target: $.paths['/a'].get.parameters
  update: {name: p3, in: query}
",
    );
    let overlaid = Overlaid::new(&[("api.yaml", document), ("a.overlay.yaml", &text)]);
    insta::assert_snapshot!(overlaid.report(), @r"
    warning[W0001]: duplicate key `description` in this object
     --> api.yaml:9:24
      |
    9 |           description: a
      |                        ^ here
      |
      = note: #/paths/~1a/get/parameters/1/description
      = help: remove one of the two entries
    ");
}
