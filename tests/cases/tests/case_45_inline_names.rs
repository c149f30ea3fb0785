//! Inline types that would have the name of a component: each keeps its own content.

use api::operations::{AddUserOpBodyTier, AddUserOpOkBody};
use api::types;

bothends_case_tests::document!(api, "45-inline-names");

#[test]
fn inline_types_and_components_are_separate() {
    let mut user = types::User::new();
    user.tier = Some(types::UserTier3::new().level(1));
    let body = AddUserOpOkBody::new()
        .user(user)
        .request(types::AddUserRequest::new().a("a"))
        .response(types::AddUserResponse::new().b("b"))
        .error(types::AddUserError::new().c("c"))
        .body(
            types::AddUserBody::new()
                .d("d")
                .tier(types::UserTier::new().name("n")),
        );
    assert_eq!(
        serde_json::to_string(&body).expect("JSON"),
        r#"{"user":{"tier":{"level":1}},"request":{"a":"a"},"response":{"b":"b"},"error":{"c":"c"},"body":{"d":"d","tier":{"name":"n"}}}"#
    );
    let other = types::UserTier2::new().other("o");
    assert_eq!(
        serde_json::to_string(&other).expect("JSON"),
        r#"{"other":"o"}"#
    );
}

#[test]
fn a_request_has_its_inline_types() {
    let inline = AddUserOpBodyTier::new().inline(true);
    let body = api::operations::AddUserOpBody::new().tier(inline);
    let request = api::operations::AddUserOpRequest::new(body);
    assert_eq!(
        serde_json::to_string(&request.body).expect("JSON"),
        r#"{"tier":{"inline":true}}"#
    );
}
