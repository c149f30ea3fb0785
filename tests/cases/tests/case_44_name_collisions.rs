//! Names that collide in Rust: each schema and each property has an item, and the names on the wire do
//! not change.

use api::types;
use bothends_test_peers::{answering, response};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "44-name-collisions");

#[test]
fn properties_keep_their_names_on_the_wire() {
    let text = r#"{"abc_abc":"1","abc_Abc":"2","abcAbc":"3","a":"4","A":"5","new":"6","self":"7","type":"8","":"9","$":"10","1st":"11","+1":12,"-1":13,"extra":"14","数量":15,"else":"16"}"#;
    let clash: types::Clash = serde_json::from_str(text).expect("an object");
    assert_eq!(serde_json::to_string(&clash).expect("JSON"), text);
    let built = types::Clash::from(types::ClashInit {
        abc_abc: "a".to_owned(),
        new: "b".to_owned(),
    });
    let built = built.minus_1(1);
    assert_eq!(
        serde_json::to_string(&built).expect("JSON"),
        r#"{"abc_abc":"a","new":"b","-1":1}"#
    );
}

#[test]
fn schemas_that_differ_in_case_or_signs_are_types_of_their_own() {
    let upper = types::Variant::new().a("1");
    let lower = types::Variant2::new().b("1");
    assert_eq!(serde_json::to_string(&upper).expect("JSON"), r#"{"a":"1"}"#);
    assert_eq!(serde_json::to_string(&lower).expect("JSON"), r#"{"b":"1"}"#);
    let page = types::PageU00abUserU00bb::new().content([types::ComAcmeUser::new("n".to_owned())]);
    assert_eq!(
        serde_json::to_string(&page).expect("JSON"),
        r#"{"content":[{"name":"n"}]}"#
    );
    assert_eq!(
        types::SelfSchema::VALUES,
        ["self", "Self", "super", "crate"]
    );
    assert_eq!(types::DefaultSchema::Unrecognized2.as_str(), "Unrecognized");
}

#[test]
fn operations_do_not_hide_the_methods_of_the_client() {
    let (url, peer) = answering(&response(
        "200 OK",
        "Content-Type: application/json\r\n",
        r#"{"client":{"default":"d"}}"#,
    ));
    let client = api::client::Client::new(&url).expect("a client");
    let error = block_on(client.new_()).expect("a response");
    let inner = error.client.as_ref().expect("a client");
    assert_eq!(inner.default.as_deref(), Some("d"));
    let request = peer.join().expect("a request");
    assert!(
        request.starts_with("GET /variants HTTP/1.1\r\n"),
        "{request}"
    );
}
