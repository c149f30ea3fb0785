//! Names of items of Rust and of generated code, at every place where a document has a name. That the
//! module compiles is the first result.

bothends_case_tests::document!(api, "hostile-names");

#[test]
fn a_variant_does_not_hide_the_list_of_values() {
    use api::types::{Closed, Numbers, Open};
    assert_eq!(Closed::VALUES[0], "VALUES");
    assert_eq!(Open::VALUES[0], "VALUES");
    assert_eq!(Closed::VALUES_.as_str(), "VALUES");
    assert_eq!(Open::from("VALUES"), Open::VALUES_);
    assert_eq!(Numbers::VALUES[0], Numbers::VALUES_);
    assert_eq!(serde_json::to_string(&Numbers::VALUES_).expect("JSON"), "0");
}

#[test]
fn every_property_comes_back_under_its_name() {
    use api::types::{Closed, Items};
    let members = Closed::VALUES
        .iter()
        .map(|name| ((*name).to_owned(), "v".into()));
    let sent = serde_json::Value::Object(members.collect());
    let items: Items = serde_json::from_value(sent.clone()).expect("an object");
    assert_eq!(items.extra_fields.len(), 0);
    assert_eq!(serde_json::to_value(&items).expect("JSON"), sent);
}
