//! The generated code says what the document says.

use super::facts::{codes, facts, texts};
use bothends_runtime::Operation;
use financial_data::operations::*;
use financial_data::types::*;
use financial_data::webhooks::{DELIVERY, SIGNING, SUBSCRIPTION, WebhookKind};
use serde_json::Value;

#[test]
fn codes_are_variants() {
    let facts = facts();
    let mut expected = codes(&facts);
    expected.push("unknown");
    let mut values = CodeId::VALUES.to_vec();
    values.sort_unstable();
    expected.sort_unstable();
    assert_eq!(values, expected);
    // `unknown` is a code, and what is not known is none.
    assert_eq!(CodeId::from("unknown"), CodeId::Unknown);
    assert!(matches!(CodeId::from("new"), CodeId::Unrecognized(_)));
}

#[test]
fn kinds_and_products() {
    let facts = facts();
    let kinds = facts["kinds"].as_array().expect("kinds");
    let names: Vec<&str> = kinds
        .iter()
        .filter_map(|kind| kind["kind"].as_str())
        .collect();
    assert_eq!(WebhookKind::VALUES, names);
    assert_eq!(SUBSCRIPTION.kinds, names);
    for kind in kinds {
        let name = kind["kind"].as_str().expect("a name");
        assert_eq!(
            SUBSCRIPTION.product_of(name),
            kind["product"].as_str(),
            "{name}"
        );
    }
}

#[test]
fn limits() {
    let facts = facts();
    let delivery = &facts["delivery"];
    assert_eq!(delivery["timeout_seconds"], DELIVERY.timeout.as_secs());
    assert_eq!(delivery["retries"], DELIVERY.retries);
    assert_eq!(
        delivery["retry_statuses"],
        Value::from(DELIVERY.retry_statuses)
    );
    let retried = (DELIVERY.retry_on_timeout, DELIVERY.retry_on_disconnect);
    assert_eq!(retried, (true, true));
    // The document does not say; a sender has its own.
    assert_eq!(DELIVERY.success_statuses, None);
    assert_eq!((DELIVERY.backoff_base, DELIVERY.backoff_cap), (None, None));
    let length = facts["signing_token_longer_than"]
        .as_u64()
        .expect("a number");
    let length = usize::try_from(length).ok();
    assert_eq!(SIGNING.token.expect("a token").longer_than, length);
    assert_eq!(SUBSCRIPTION.token_longer_than, length);
}

#[test]
fn headers_of_signatures() {
    let headers = &facts()["headers"];
    let (token, key) = (SIGNING.token.expect("a token"), SIGNING.key.expect("a key"));
    assert_eq!(headers["token_signature"], token.header);
    assert_eq!(headers["signature"], key.header);
    assert_eq!(headers["signing_id"], key.key_id_header);
    assert_eq!((key.algorithm, key.public_keys), (None, None));
}

#[test]
fn subscriptions() {
    let facts = &facts()["subscription"];
    assert_eq!(SUBSCRIPTION.required, texts(&facts["required"]));
    let all = [SUBSCRIPTION.required, SUBSCRIPTION.optional].concat();
    assert_eq!(all, texts(&facts["attributes"]));
    assert_eq!(
        facts["active_by_default"],
        SUBSCRIPTION.active.expect("it is said")
    );
    assert_eq!(facts["public_url"], SUBSCRIPTION.public_url);
    let transitions = facts["transitions"].as_array().expect("a list");
    for transition in transitions {
        let next = SUBSCRIPTION.next(
            transition[0].as_str(),
            transition[1].as_str().expect("a trigger"),
        );
        assert_eq!(next, transition[2].as_str(), "{transition}");
    }
    assert_eq!(SUBSCRIPTION.transitions.len(), transitions.len());
    assert_eq!(SUBSCRIPTION.next(Some("inactive"), "deactivate"), None);
    assert_eq!(SUBSCRIPTION.next(None, "activate"), None);
}

#[test]
fn paths_and_the_credentials_of_grants() {
    let facts = facts();
    let stated = [
        CreateTokenRequest::META,
        StartOpenBankingRefreshRequest::META,
        GetOpenBankingRefreshStatusRequest::META,
    ];
    for (meta, fact) in stated
        .iter()
        .zip(facts["operations"].as_array().expect("a list"))
    {
        assert_eq!(fact["method"], meta.method);
        assert_eq!(fact["path"], meta.path);
    }
    let schemes = |grant: TokenRequest| {
        let security = CreateTokenRequest::new(grant).security();
        let all: Vec<&str> = security
            .concat()
            .iter()
            .map(|requirement| requirement.scheme)
            .collect();
        all
    };
    let obtain = TokenRequest::ClientCredentialsGrant(ClientCredentialsGrant::new());
    assert_eq!(schemes(obtain), ["clientBasic"]);
    let refresh = TokenRequest::RefreshTokenGrant(RefreshTokenGrant::new("r".to_owned()));
    assert_eq!(schemes(refresh), ["clientId"]);
}

/// Every payload of the document reads and writes as it is, `Failed` tasks and unknown values too.
#[test]
fn payloads_come_back_as_they_were() {
    for kind in facts()["kinds"].as_array().expect("kinds") {
        for payload in kind["payloads"].as_array().expect("payloads") {
            let back = match kind["shape"].as_str() {
                Some("aggregation") => through::<AggregationWebhook>(payload),
                Some("customer management") => through::<CustomerManagementWebhook>(payload),
                Some("payment") => through::<PaymentWebhook>(payload),
                Some("ingestion") => through::<IngestionWebhook>(payload),
                other => panic!("no such shape: {other:?}"),
            };
            assert_eq!(back, *payload);
        }
    }
}

fn through<T: serde::Serialize + serde::de::DeserializeOwned>(payload: &Value) -> Value {
    let typed: T = serde_json::from_value(payload.clone()).expect("it reads");
    serde_json::to_value(typed).expect("it writes")
}
