//! The facts of the interface document.

use bothends_tests::root;
use serde_json::Value;

/// All of them.
pub(crate) fn facts() -> Value {
    let path = root().join("tests/interface/financial-data.json");
    let text = std::fs::read_to_string(path).expect("the facts");
    serde_json::from_str(&text).expect("JSON")
}

/// A list of texts.
pub(crate) fn texts(list: &Value) -> Vec<&str> {
    let items = list.as_array().expect("a list").iter();
    items.map(|item| item.as_str().expect("a text")).collect()
}

/// The 29 codes of the document.
pub(crate) fn codes(facts: &Value) -> Vec<&str> {
    let codes = facts["codes"].as_object().expect("codes").keys();
    codes.map(String::as_str).collect()
}

#[test]
fn the_facts_are_as_many_as_the_document_has() {
    let facts = facts();
    assert_eq!(codes(&facts).len(), 29);
    let count = |key: &str| match &facts[key] {
        Value::Array(items) => items.len(),
        Value::Object(entries) => entries.len(),
        _ => 0,
    };
    assert_eq!(count("generic_responses"), 9);
    assert_eq!(count("shapes"), 4);
    assert_eq!(count("kinds"), 8);
    assert_eq!(count("headers"), 7);
    assert_eq!(count("operations"), 3);
}
