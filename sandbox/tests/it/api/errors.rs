//! The documented errors, byte by byte, and every code.

use super::support::{Client, JSON, REFRESH, change, start};
use super::tokens::{INVALID, UNKNOWN};
use financial_data_sandbox::model::{Credential, CustomerHeaders};
use financial_data_sandbox::outcome::CODES;
use financial_data_sandbox::store::Changes;

const CUSTOMER: &str = r#"{"operation_id":"unknown","code_id":"customer_not_found","message":"The customer in the request was not found.","errors":{}}"#;
const SCOPE: &str = r#"{"operation_id":"unknown","code_id":"unauthorized_scope","message":"The provided token lacks the required permissions for this endpoint.","errors":{}}"#;

#[tokio::test]
async fn generic_errors_are_those_of_the_document() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    for (method, path, status, body) in [
        (
            "GET",
            "/v1/nothing",
            404,
            r#"{"operation_id":"unknown","code_id":"unknown","message":"Route or resource not found","errors":{}}"#,
        ),
        (
            "GET",
            "/",
            404,
            r#"{"operation_id":"unknown","code_id":"unknown","message":"Route or resource not found","errors":{}}"#,
        ),
        (
            "DELETE",
            REFRESH,
            405,
            r#"{"operation_id":"unknown","code_id":"unknown","message":"Method not allowed","errors":{}}"#,
        ),
    ] {
        let reply = client.call(method, path, &[], "").await;
        assert_eq!(
            (reply.status, reply.body.as_str()),
            (status, body),
            "{method} {path}"
        );
        assert_eq!(reply.header("content-type"), Some("application/json"));
    }
    let (id, token) = (
        client.client_id.clone(),
        format!("Bearer {}", client.access),
    );
    let status = format!("{REFRESH}/x");
    for (headers, body) in [
        (vec![], UNKNOWN),
        (vec![("X-Client-Id", id.as_str())], UNKNOWN),
        (vec![("Authorization", token.as_str())], UNKNOWN),
        (
            vec![("Authorization", token.as_str()), ("X-Client-Id", "")],
            UNKNOWN,
        ),
        (
            vec![("Authorization", "Bearer x"), ("X-Client-Id", &id)],
            INVALID,
        ),
        (
            vec![("Authorization", "Bearer fdat_x_y"), ("X-Client-Id", &id)],
            INVALID,
        ),
    ] {
        let reply = client.connection.send("GET", &status, &headers, "").await;
        assert_eq!(
            (reply.status, reply.body.as_str()),
            (401, body),
            "{headers:?}"
        );
    }
    client.access.clone_from(&client.refresh);
    assert_eq!(client.status("x").await.body, INVALID);
    sandbox.stop().await;
}

#[tokio::test]
async fn customer_headers_are_checked_as_the_settings_say() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let (id, secret) = (seeded.customer_id.as_str(), seeded.customer_secret.as_str());
    let with_id = ("X-Customer-Id", id);
    let refused = [
        vec![],
        vec![("X-Customer-Id", "x")],
        vec![("X-Customer-Secret", secret)],
        vec![with_id, ("X-Customer-Secret", "x")],
        vec![("X-Customer-Id", "\u{e9}")],
    ];
    for headers in &refused {
        let reply = client.call("POST", REFRESH, headers, "").await;
        assert_eq!(
            (reply.status, reply.body.as_str()),
            (401, CUSTOMER),
            "{headers:?}"
        );
    }
    for headers in [vec![with_id], vec![with_id, ("X-Customer-Secret", secret)]] {
        let reply = client.call("POST", REFRESH, &headers, "").await;
        assert_eq!(reply.status, 200, "{headers:?} {reply:?}");
    }
    // The status requires none, but a wrong one is refused as well.
    let path = format!("{REFRESH}/x");
    assert_eq!(client.call("GET", &path, &[], "").await.status, 404);
    for headers in &refused[1..] {
        let reply = client.call("GET", &path, headers, "").await;
        assert_eq!(reply.body, CUSTOMER, "{headers:?}");
    }
    let require = async |headers: CustomerHeaders| {
        change(&sandbox, &seeded.project.id, |project| {
            let operation = "startOpenBankingRefresh".to_owned();
            project.settings.customer_headers.insert(operation, headers);
        })
        .await;
    };
    require(CustomerHeaders::IdAndSecret).await;
    assert_eq!(client.start(id, &[]).await.body, CUSTOMER);
    assert_eq!(
        client
            .start(id, &[("X-Customer-Secret", secret)])
            .await
            .status,
        200
    );
    let reserved = client
        .start("customer-success", &[("X-Customer-Secret", "any")])
        .await;
    assert_eq!(reserved.status, 200);
    require(CustomerHeaders::None).await;
    let without = client.call("POST", REFRESH, &[JSON], "{}").await;
    assert_eq!(
        (without.status, without.code().as_str()),
        (400, "failed_validation")
    );
    assert!(without.json()["errors"]["customer_id"].is_string());
    let body = format!(r#"{{"customer_id":"{id}","anything":[1]}}"#);
    assert_eq!(
        client.call("POST", REFRESH, &[JSON], &body).await.status,
        200
    );
    let unknown = client
        .call("POST", REFRESH, &[JSON], r#"{"customer_id":"x"}"#)
        .await;
    assert_eq!(unknown.body, CUSTOMER);
    sandbox.stop().await;
}

#[tokio::test]
async fn a_missing_scope_is_a_401() {
    let (sandbox, seeded) = start().await;
    let store = &sandbox.app().store;
    let stored = store.find::<Credential>(&seeded.client_id).await;
    let mut stored = stored.unwrap().unwrap();
    stored.value.scopes = vec!["open-banking:read".to_owned()];
    let mut changes = Changes::new();
    changes.update(&stored);
    store.commit(changes).await.unwrap();
    let mut client = Client::open(&sandbox, &seeded).await;
    let refused = client.start(&seeded.customer_id, &[]).await;
    assert_eq!((refused.status, refused.body.as_str()), (401, SCOPE));
    assert_eq!(client.status("x").await.status, 404);
    sandbox.stop().await;
}

#[tokio::test]
async fn the_error_header_reaches_every_code_in_every_operation() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let (id, basic) = (client.client_id.clone(), client.basic.clone());
    for code in &CODES {
        let header = ("X-Sandbox-Error", code.id);
        let token_headers = [
            ("X-Client-Id", id.as_str()),
            ("Authorization", basic.as_str()),
            super::support::FORM,
            header,
        ];
        let body = "grant_type=client_credentials";
        let token = super::support::TOKEN;
        let replies = [
            (
                client
                    .connection
                    .send("POST", token, &token_headers, body)
                    .await,
                "oauth_token_post",
            ),
            (
                client.start(&seeded.customer_id, &[header]).await,
                "open_banking_refresh_post",
            ),
            (
                client
                    .call("GET", &format!("{REFRESH}/x"), &[header], "")
                    .await,
                "open_banking_refresh_get",
            ),
        ];
        let is_generic = [
            "token_expired",
            "token_invalid",
            "customer_not_found",
            "unauthorized_scope",
        ];
        for (reply, operation) in replies {
            assert_eq!(reply.status, code.status, "{}", code.id);
            let json = reply.json();
            assert_eq!(json["code_id"], code.id);
            assert_eq!(json["message"], code.message);
            let expected = if is_generic.contains(&code.id) {
                "unknown"
            } else {
                operation
            };
            assert_eq!(json["operation_id"], expected, "{}", code.id);
            assert!(json["errors"].is_object());
        }
    }
    let wrong = client
        .start(&seeded.customer_id, &[("X-Sandbox-Error", "x")])
        .await;
    assert_eq!(wrong.status, 400);
    assert!(
        wrong.json()["errors"]["X-Sandbox-Error"].is_string(),
        "{wrong:?}"
    );
    change(&sandbox, &seeded.project.id, |project| {
        let statuses = &mut project.settings.code_statuses;
        statuses.insert("provider_failure".to_owned(), 422);
    })
    .await;
    let header = [("X-Sandbox-Error", "provider_failure")];
    assert_eq!(client.start(&seeded.customer_id, &header).await.status, 422);
    sandbox.stop().await;
}
