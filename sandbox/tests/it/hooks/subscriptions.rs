//! The rules of subscriptions.

use super::support::{Receiver, TOKEN, change, project, start, subscribe, trigger};
use financial_data_sandbox::RequestError;
use financial_data_sandbox::config::WebhookDestinations;
use financial_data_sandbox::model::{Product, SigningVariant};
use financial_data_sandbox::subscriptions::{
    SubscriptionInput, create, get, list, remove, replace, set_active, sync,
};
use financial_data_sandbox::{Config, Sandbox};
use std::collections::BTreeMap;

fn input(url: &str) -> SubscriptionInput {
    SubscriptionInput {
        url: Some(url.to_owned()),
        ..SubscriptionInput::default()
    }
}

const URL: &str = "http://127.0.0.1:9/hook";

#[tokio::test]
async fn every_documented_rule_is_kept() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    change(app, &id, |project| {
        project.products = vec![Product::Payments]
    })
    .await;
    let strings = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect();
    let header = |name: &str| vec![(name.to_owned(), "x".to_owned())];
    let wrong = [
        ("url", SubscriptionInput::default()),
        ("url", input("ftp://127.0.0.1/")),
        ("url", input("no URL")),
        ("url", input("http://user:password@127.0.0.1/")),
        ("url", input("http://10.0.0.1/")),
        ("url", input("http://169.254.169.254/latest")),
        (
            "signing_token",
            SubscriptionInput {
                signing_token: Some("x".repeat(32)),
                ..input(URL)
            },
        ),
        (
            "headers",
            SubscriptionInput {
                headers: header("X-Signature"),
                ..input(URL)
            },
        ),
        (
            "headers",
            SubscriptionInput {
                headers: header("not a name"),
                ..input(URL)
            },
        ),
        (
            "events",
            SubscriptionInput {
                events: strings(&["unknown"]),
                ..input(URL)
            },
        ),
        (
            "events",
            SubscriptionInput {
                events: strings(&["refreshCompleted"]),
                ..input(URL)
            },
        ),
        (
            "url",
            SubscriptionInput {
                events: strings(&["customersDeleted"]),
                ..SubscriptionInput::default()
            },
        ),
    ];
    for (field, input) in wrong {
        let error = create(app, &id, input.clone()).await.unwrap_err();
        let RequestError::Invalid {
            field: named,
            message,
        } = error
        else {
            panic!("{input:?}: {error}");
        };
        assert_eq!(named, field, "{message}");
    }
    assert!(list(app, &id).await.unwrap().is_empty());
    let right = SubscriptionInput {
        signing_token: Some("x".repeat(33)),
        headers: header("X-Own"),
        events: strings(&["customersDeleted", "singlePaymentStatusUpdated"]),
        ..input(URL)
    };
    let created = create(app, &id, right).await.unwrap();
    assert!(created.active, "the default of the document");
    let view = get(app, &id, &created.id)
        .await
        .unwrap()
        .view(&project(app, &id).await);
    assert_eq!((view.signing, view.has_signing_token), ("token", true));
    assert_eq!(view.transitions, [("deactivate", "inactive")]);
    assert!(!format!("{:?}", serde_json::to_string(&view)).contains("xxxxxxx"));
}

#[tokio::test]
async fn only_public_addresses_without_permission() {
    let config = Config {
        webhook_destinations: Some(WebhookDestinations::Public),
        listen: Some(([127, 0, 0, 1], 0).into()),
        console_listen: Some(([127, 0, 0, 1], 0).into()),
        ..Config::default()
    };
    let sandbox = Sandbox::start_with(config).await.unwrap();
    let id = sandbox.first().unwrap().project.id.clone();
    for url in [
        URL,
        "http://localhost:9/",
        "http://[::1]/",
        "http://[::ffff:127.0.0.1]/",
    ] {
        let error = create(sandbox.app(), &id, input(url)).await.unwrap_err();
        assert!(error.to_string().contains("publicly reachable"), "{error}");
    }
    create(sandbox.app(), &id, input("https://1.1.1.1/hook"))
        .await
        .unwrap();
}

#[tokio::test]
async fn a_url_for_each_webhook() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut payments = Receiver::always(200).await;
    let mut rest = Receiver::always(200).await;
    let kind = "singlePaymentStatusUpdated";
    let urls = BTreeMap::from([
        (kind.to_owned(), format!("{}/payments", payments.url)),
        (
            "customersDeleted".to_owned(),
            format!("{}/deleted", rest.url),
        ),
    ]);
    let each = SubscriptionInput {
        urls,
        ..SubscriptionInput::default()
    };
    create(app, &id, each).await.unwrap();
    assert_eq!(trigger(app, &id, kind).await.receivers, 1);
    assert_eq!(payments.next().await.path, "/payments");
    assert_eq!(trigger(app, &id, "customersDeleted").await.receivers, 1);
    assert_eq!(rest.next().await.path, "/deleted");
    assert_eq!(trigger(app, &id, "refreshCompleted").await.receivers, 0);
}

#[tokio::test]
async fn an_inactive_subscription_is_silent() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut silent = Receiver::always(200).await;
    let mut active = Receiver::always(200).await;
    let subscription = subscribe(app, &id, &silent.url).await;
    subscribe(app, &id, &active.url).await;
    let inactive = set_active(app, &id, &subscription.id, false).await.unwrap();
    let transitions = inactive.view(&project(app, &id).await).transitions;
    assert_eq!(transitions, [("activate", "active")]);
    assert_eq!(trigger(app, &id, "refreshCompleted").await.receivers, 1);
    active.next().await;
    // However much time passes.
    let advance = financial_data_sandbox::clock::advance(app, &id, 86_400_000, true);
    assert_eq!(advance.await.unwrap().settled, Some(true));
    assert!(silent.so_far().is_empty());
    // What was held is sent when the subscription is active again.
    set_active(app, &id, &subscription.id, true).await.unwrap();
    let held = silent.next().await;
    assert_eq!(held.json()["data"]["task_type"], "refresh");
    remove(app, &id, &subscription.id).await.unwrap();
    assert_eq!(trigger(app, &id, "refreshCompleted").await.receivers, 1);
    active.next().await;
    assert!(silent.so_far().is_empty());
    remove(app, &id, &subscription.id).await.unwrap_err();
}

#[tokio::test]
async fn settings_of_the_project_apply_to_existing_subscriptions() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let mut receiver = Receiver::always(200).await;
    let signed = SubscriptionInput {
        signing_token: Some(TOKEN.to_owned()),
        ..input(&receiver.url)
    };
    let subscription = create(app, &id, signed).await.unwrap();
    let set = async |variant| {
        change(app, &id, |project| project.settings.signing = variant).await;
        sync(app, &id).await.unwrap();
        trigger(app, &id, "refreshCompleted").await;
    };
    set(SigningVariant::Key).await;
    let by_key = receiver.next().await;
    assert!(by_key.header("x-signature").is_some() && by_key.header("x-token-signature").is_none());
    // The token was not forgotten.
    set(SigningVariant::Token).await;
    let by_token = receiver.next().await;
    assert!(by_token.header("x-token-signature").is_some());
    // Replacing keeps the token, unless it is removed.
    replace(app, &id, &subscription.id, input(&receiver.url))
        .await
        .unwrap();
    trigger(app, &id, "refreshCompleted").await;
    assert_eq!(
        receiver.next().await.header("x-token-signature"),
        by_token.header("x-token-signature")
    );
    let none = SubscriptionInput {
        signing_token: Some(String::new()),
        ..input(&receiver.url)
    };
    replace(app, &id, &subscription.id, none).await.unwrap();
    trigger(app, &id, "refreshCompleted").await;
    assert_eq!(receiver.next().await.header("x-token-signature"), None);
    // A product that the client no longer uses.
    change(app, &id, |project| project.products = Vec::new()).await;
    sync(app, &id).await.unwrap();
    assert_eq!(trigger(app, &id, "customersDeleted").await.receivers, 1);
    assert!(
        receiver.next().await.json()["data"]
            .get("task_type")
            .is_none()
    );
}

#[tokio::test]
async fn projects_do_not_see_each_other() {
    let (sandbox, id) = start().await;
    let app = sandbox.app();
    let subscription = subscribe(app, &id, URL).await;
    for error in [
        get(app, "other", &subscription.id).await.unwrap_err(),
        set_active(app, "other", &subscription.id, false)
            .await
            .unwrap_err(),
        remove(app, "other", &subscription.id).await.unwrap_err(),
        create(app, "other", input(URL)).await.unwrap_err(),
    ] {
        assert!(matches!(error, RequestError::NotFound { .. }), "{error}");
    }
    assert!(list(app, "other").await.unwrap().is_empty());
    assert!(get(app, &id, &subscription.id).await.unwrap().active);
}
