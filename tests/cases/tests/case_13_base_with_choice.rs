//! Properties beside a `oneOf`: each variant has them, with the bounds of both.

use api::types::Payment;
use bothends_test_peers::serve;

use super::posting::{echo, rejects, returns};

bothends_case_tests::document!(api, "13-base-with-choice");

echo! { Echo of api: pay PayRequest PayResponse PayError }

#[test]
fn the_bounds_of_the_base_and_of_the_variant_count() {
    let to = serve(api::server::router(Echo).allow_unauthenticated());
    returns(
        to,
        "/payments",
        &[
            r#"{"amount":1,"method":"card","number":"4"}"#,
            r#"{"amount":1,"method":"card","note":"abc","number":"4"}"#,
            r#"{"amount":1,"method":"iban","note":"abcd","iban":"4"}"#,
        ],
    );
    rejects(
        to,
        "/payments",
        &[
            r#"{"amount":1,"method":"card","number":"4","note":"abcd"}"#,
            r#"{"amount":0,"method":"card","number":"4"}"#,
            r#"{"amount":1,"method":"iban","number":"4"}"#,
        ],
    );
}

#[test]
fn the_properties_of_the_base_are_fields_of_each_variant() {
    let text = r#"{"amount":7,"method":"card","number":"4"}"#;
    let payment: Payment = serde_json::from_str(text).expect("a payment");
    assert!(matches!(payment, Payment::Card(card) if card.amount == 7));
}
