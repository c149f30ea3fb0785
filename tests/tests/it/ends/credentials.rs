//! Calls without the credentials that the document asks for, and keys of the query.

use bothends_runtime::client::{CallOptions, Error as CallError, HyperTransport};

use super::generated;
use super::wire::answers;
use security::client::{Client, Credentials};

generated!(security "security");

/// The head of the request that a call sends.
async fn sent(
    call: impl AsyncFnOnce(Client<HyperTransport>) -> bool,
    credentials: Credentials,
    options: CallOptions,
) -> String {
    let (url, received) = answers("204 No Content", "").await;
    let client = Client::new(&url).expect("a client");
    let client = client.with_credentials(credentials).with(options);
    assert!(call(client).await);
    received.await.expect("a request").to_ascii_lowercase()
}

async fn both(client: Client<HyperTransport>) -> bool {
    client.both().await.is_ok()
}

async fn inherited(client: Client<HyperTransport>) -> bool {
    client.inherited().await.is_ok()
}

fn some() -> Credentials {
    Credentials {
        header_key: Some("h".into()),
        bearer: Some("b".into()),
        ..Credentials::default()
    }
}

#[tokio::test]
async fn a_missing_credential_is_an_error_unless_it_is_optional() {
    let client = Client::new("http://127.0.0.1:1").expect("a client");
    let error = client.inherited().await;
    assert!(matches!(error, Err(CallError::MissingCredentials(_))));

    let optional = CallOptions::new().optional_credentials();
    let head = sent(inherited, Credentials::default(), optional.clone()).await;
    assert!(head.starts_with("get /inherited http/1.1\r\n"), "{head}");
    assert!(!head.contains("authorization"), "{head}");
    // What there is, is sent: of two keys that are both asked for, the one.
    let head = sent(both, some(), optional.clone()).await;
    assert!(head.starts_with("get /both http/1.1\r\n"), "{head}");
    assert!(head.contains("x-api-key: h\r\n"), "{head}");
    let head = sent(inherited, some(), optional).await;
    assert!(head.contains("authorization: bearer b\r\n"), "{head}");
}

#[tokio::test]
async fn a_call_can_be_made_without_credentials() {
    let head = sent(inherited, some(), CallOptions::new().without_credentials()).await;
    assert!(head.starts_with("get /inherited http/1.1\r\n"), "{head}");
    assert!(!head.contains("authorization"), "{head}");
}

#[tokio::test]
async fn a_query_key_is_added_to_a_call() {
    let options = CallOptions::new()
        .query("utm source", "a&b=c")
        .query("api_key", "mine")
        .query("list", "1")
        .query("list", "ä");
    let head = sent(
        both,
        Credentials {
            query_key: Some("q".into()),
            ..some()
        },
        options,
    )
    .await;
    let target = "get /both?api_key=q&utm%20source=a%26b%3dc&list=1&list=%c3%a4 http/1.1\r\n";
    assert!(head.starts_with(target), "{head}");

    let options = CallOptions::new().query("token", "planted");
    assert!(!format!("{options:?}").contains("planted"));
    let head = sent(inherited, some(), options).await;
    assert!(head.starts_with("get /inherited?token=planted "), "{head}");
}
