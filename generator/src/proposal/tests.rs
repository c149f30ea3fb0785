#![allow(clippy::unwrap_used)]

use super::entry;
use crate::source::{Sources, load_text};
use crate::{Diagnostics, position::Pointer};

#[test]
fn queries_select_entries_with_any_name() {
    assert_eq!(entry("$.paths", "/pets/{id}"), "$.paths['/pets/{id}']");
    assert_eq!(entry("$", "it's \\ \n"), "$['it\\'s \\\\ \\u000a']");
    assert_eq!(entry("$", ""), "$['']");
    assert_eq!(entry("$", "Größe"), "$['Größe']");
    let text = "openapi: 3.1.0\nresponses: {'0': [a, {b: c}]}\n";
    let (mut sources, mut found) = (Sources::new(), Diagnostics::new());
    let tree = load_text("a.yaml", text, &mut sources, &mut found).unwrap();
    let root = tree.value(tree.root()).unwrap();
    let query =
        |pointer: &str| super::query(root, &Pointer::parse(pointer)).map(|(query, _)| query);
    assert_eq!(query("#/responses/0/1/b").unwrap(), "$.responses['0'][1].b");
    assert_eq!(query("#/responses/0/2"), None);
}
