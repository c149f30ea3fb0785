//! JupyterHub as the server: it refuses a lifetime with a fraction, and 1e+16.
//!
//! Observed with the package `jupyterhub` 6.1.1 of PyPI, whose Hub API answered on loopback without a proxy:
//! `{"expires_in":3600.0,"note":"a"}` is 400 with `token expires_in must be null or integer, not 3600.0`, and
//! `{"expires_in":3600,"note":"a"}` is 201 with the body below.

use api::client::Client;
use api::operations::{CreateTokenBody, CreateTokenRequest};
use bothends_runtime::Nullable;
use bothends_test_peers::{answering, response};
use bothends_tests::in_process::block_on;

bothends_case_tests::document!(api, "jupyterhub-tokens");

const CREATED: &str = r#"{"user": "ada", "id": "a2", "kind": "api_token", "roles": [], "scopes": ["read:users:name!user=ada", "tokens!user=ada"], "created": "2026-11-25T02:35:30.729606Z", "last_activity": null, "expires_at": "2026-11-25T03:35:30.728191Z", "note": "a", "session_id": null, "oauth_client": "JupyterHub", "token": "455cfc530222428bb263733c031e71ec"}"#;

#[test]
fn jupyterhub_receives_a_lifetime_without_a_fraction() {
    let (url, peer) = answering(&response(
        "201 Created",
        "Server: TornadoServer/6.6.1\r\nContent-Type: application/json\r\n",
        CREATED,
    ));
    let client = Client::new(&url).expect("a client");
    let body = CreateTokenBody::new().expires_in(3600.0).note("a");
    let request = CreateTokenRequest::new("ada".to_owned()).body(body);
    let token = block_on(client.create_token(request)).expect("a token");
    assert_eq!(token.id.as_deref(), Some("a2"));
    assert!(matches!(token.expires_at, Nullable::Value(_)));
    assert_eq!(token.session_id, Nullable::Null);
    let sent = peer.join().expect("a request");
    assert!(
        sent.starts_with("POST /users/ada/tokens HTTP/1.1\r\n"),
        "{sent}"
    );
    assert!(
        sent.ends_with("\r\n\r\n{\"expires_in\":3600,\"note\":\"a\"}"),
        "{sent}"
    );
}
