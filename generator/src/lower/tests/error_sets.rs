//! Errors that operations share.

use super::super::Options;
use super::{document, lower_with};
use crate::ir::ErrorSet;

const COMPONENTS: &str = "schemas:
  E: {type: object, properties: {a: {type: string}}}";

/// An operation with errors: the description of the first, and that of its header.
fn operation(name: &str, text: &str, header: &str) -> String {
    format!(
        "/{name}:
  get:
    operationId: {name}
    responses:
      '204': {{description: d}}
      '404':
        description: {text}
        headers: {{X-A: {{description: {header}, deprecated: true, schema: {{type: string}}}}}}
        content: {{application/json: {{schema: {{$ref: '#/components/schemas/E'}}}}}}
      '500': {{description: failed}}\n"
    )
}

fn sets(operations: &[(&str, &str, &str)]) -> Vec<ErrorSet> {
    let paths: String = operations
        .iter()
        .map(|(name, text, header)| operation(name, text, header))
        .collect();
    let (api, reported) = lower_with(&document(&paths, COMPONENTS), &Options::default());
    assert_eq!(reported, [""; 0]);
    api.error_sets
}

#[test]
fn the_docs_of_shared_errors_do_not_depend_on_the_order() {
    let (a, b, c) = (("a", "one", "h"), ("b", "two", "h"), ("c", "one", "h"));
    let orders = [[a, b, c], [c, b, a], [b, a, c]].map(|order| sets(&order));
    for sets in &orders {
        let [set] = &sets[..] else {
            panic!("{sets:?}");
        };
        let texts = set
            .responses
            .iter()
            .map(|response| response.doc.text.as_deref());
        assert_eq!(texts.collect::<Vec<_>>(), [None, Some("failed")]);
        let doc = &set.headers[0].doc;
        assert_eq!((doc.text.as_deref(), doc.deprecated), (Some("h"), true));
        assert_eq!(doc.pointer, None);
    }
}

#[test]
fn a_header_with_two_texts_has_none() {
    let sets = sets(&[("a", "one", "h"), ("b", "one", "i")]);
    let [set] = &sets[..] else {
        panic!("{sets:?}");
    };
    let doc = &set.headers[0].doc;
    assert_eq!((doc.text.as_deref(), doc.deprecated), (None, true));
}
