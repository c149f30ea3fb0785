//! Both grants, and what happens to tokens.

use super::support::{Client, FORM, JSON, REFRESH, TOKEN, another, change, start};
use financial_data_sandbox::app::App;
use financial_data_sandbox::ids;
use financial_data_sandbox::model::{AccessTokens, Credential, TokenFamily};
use financial_data_sandbox::store::{Changes, Page};

/// The bodies of the 401 responses, as they are documented.
pub(crate) const EXPIRED: &str = r#"{"operation_id":"unknown","code_id":"token_expired","message":"The provided token is expired or is not valid.","errors":{}}"#;
pub(crate) const INVALID: &str = r#"{"operation_id":"unknown","code_id":"token_invalid","message":"An invalid token was provided.","errors":{}}"#;
pub(crate) const UNKNOWN: &str = r#"{"operation_id":"unknown","code_id":"unknown","message":"Unauthorised request","errors":{}}"#;

#[tokio::test]
async fn both_grants_issue_tokens_that_are_stored_as_hashes() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let reply = client.token().await;
    assert_eq!(reply.header("cache-control"), Some("no-store"));
    assert_eq!(reply.header("content-type"), Some("application/json"));
    let body = reply.json();
    assert_eq!(body["operation_id"], "oauth_token_post");
    assert_eq!(body["data"]["token_type"], "bearer");
    assert_eq!(body["data"]["expires_in"], 3600);
    assert_eq!(body["data"].as_object().unwrap().len(), 4);

    let first = (client.access.clone(), client.refresh.clone());
    let refreshed = client.exchange(&first.1).await;
    assert_eq!(refreshed.status, 200, "{refreshed:?}");
    assert_eq!(refreshed.header("cache-control"), Some("no-store"));
    client.take(&refreshed);
    assert_ne!((client.access.clone(), client.refresh.clone()), first);
    // The older access token is still valid.
    assert_eq!(client.status("x").await.status, 404);
    client.access.clone_from(&first.0);
    assert_eq!(client.status("x").await.status, 404);

    let families = sandbox
        .app()
        .store
        .list::<TokenFamily>(&seeded.project.id, Page::first(10));
    let families = families.await.unwrap();
    assert_eq!(families.len(), 2);
    let stored: Vec<String> = families
        .iter()
        .map(|family| serde_json::to_string(&family.value).unwrap())
        .collect();
    let stored = stored.concat();
    for token in [&first.0, &first.1, &client.refresh] {
        // After the word, the family and the number.
        let secret = token.splitn(4, '_').nth(3).unwrap();
        for part in [secret, &secret[..43], &secret[secret.len() - 43..]] {
            assert!(!stored.contains(part), "{part}");
        }
    }
    for token in [&first.0, &client.refresh] {
        assert!(stored.contains(&ids::hash(token)), "{token}");
    }
    sandbox.stop().await;
}

#[tokio::test]
async fn each_grant_accepts_its_own_credentials_only() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let (id, basic) = (client.client_id.clone(), client.basic.clone());
    let by_id = ("X-Client-Id", id.as_str());
    let by_secret = ("Authorization", basic.as_str());
    let obtain = "grant_type=client_credentials";
    let renew = format!("grant_type=refresh_token&refresh_token={}", client.refresh);
    let wrong = format!("{basic}x");
    for (headers, body) in [
        (vec![by_id], obtain),
        (vec![by_secret], renew.as_str()),
        (vec![], obtain),
        (vec![], renew.as_str()),
        (vec![("Authorization", "Basic eDp5")], obtain),
        (vec![("Authorization", wrong.as_str())], obtain),
        (vec![("Authorization", "Basic eDp5"), by_id], obtain),
        (vec![("X-Client-Id", "x")], renew.as_str()),
    ] {
        let headers = [headers, vec![FORM]].concat();
        let reply = client.connection.send("POST", TOKEN, &headers, body).await;
        assert_eq!(
            (reply.status, reply.body.as_str()),
            (401, UNKNOWN),
            "{headers:?} {body}"
        );
        assert!(
            reply.header("www-authenticate").is_some(),
            "{headers:?} {body}"
        );
    }
    // Both together are valid for either grant.
    for body in [obtain, renew.as_str()] {
        let headers = [by_id, by_secret, FORM];
        let reply = client.connection.send("POST", TOKEN, &headers, body).await;
        assert_eq!(reply.status, 200, "{body}: {reply:?}");
    }
    sandbox.stop().await;
}

#[tokio::test]
async fn a_spent_refresh_token_revokes_its_family() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let other = client.token().await;
    let (access, spent) = (client.access.clone(), client.refresh.clone());
    let refreshed = client.exchange(&spent).await;
    client.take(&refreshed);
    let reused = client.exchange(&spent).await;
    assert_eq!((reused.status, reused.body.as_str()), (401, EXPIRED));
    // Every token of the family is revoked, and no token of another one.
    let latest = client.refresh.clone();
    assert_eq!(client.exchange(&latest).await.body, EXPIRED);
    assert_eq!(client.status("x").await.body, EXPIRED);
    client.access = access;
    assert_eq!(client.status("x").await.body, EXPIRED);
    client.take(&other);
    assert_eq!(client.status("x").await.status, 404);
    let (family, _) = client.refresh.rsplit_once('_').unwrap();
    for unknown in [
        "x",
        "fdrt_x_y",
        &format!("{family}_y"),
        &client.access.clone(),
    ] {
        assert_eq!(client.exchange(unknown).await.body, INVALID, "{unknown}");
    }
    sandbox.stop().await;
}

#[tokio::test]
async fn tokens_of_a_family_that_is_refreshed_often_are_remembered() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    change(&sandbox, id, |project| {
        project.clock.freeze(App::system_now())
    })
    .await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let first = (client.access.clone(), client.refresh.clone());
    let refresh_often = async |client: &mut Client| {
        for _ in 0..300 {
            let refresh = client.refresh.clone();
            let refreshed = client.exchange(&refresh).await;
            assert_eq!(refreshed.status, 200, "{refreshed:?}");
            client.take(&refreshed);
        }
    };
    refresh_often(&mut client).await;
    let last = client.access.clone();
    let status = async |client: &mut Client, access: &String| {
        client.access.clone_from(access);
        client.status("x").await
    };
    // The first of 301 access tokens is valid as long as the others.
    change(&sandbox, id, |project| project.clock.advance(3_599_999)).await;
    assert_eq!(status(&mut client, &first.0).await.status, 404);
    assert_eq!(status(&mut client, &last).await.status, 404);
    change(&sandbox, id, |project| project.clock.advance(1)).await;
    for access in [&first.0, &last] {
        assert_eq!(status(&mut client, access).await.body, EXPIRED);
    }
    // Expired tokens are removed, so that a family does not grow.
    refresh_often(&mut client).await;
    let store = &sandbox.app().store;
    let family = store.list::<TokenFamily>(id, Page::first(2)).await.unwrap();
    assert!(
        family.len() == 1 && family[0].access.len() <= 16,
        "{family:?}"
    );
    let earlier = store.list::<AccessTokens>(id, Page::first(100)).await;
    let earlier = earlier.unwrap();
    assert!(earlier.len() <= 300 / 16 + 1, "{}", earlier.len());
    // Nor does a stranger who knows the id of the family revoke it.
    let family = &family[0].id;
    let made_up = format!("fdrt_{family}_0_{}", "x".repeat(86));
    assert_eq!(client.exchange(&made_up).await.body, INVALID);
    let (valid, latest) = (client.access.clone(), client.refresh.clone());
    assert_eq!(status(&mut client, &valid).await.status, 404);
    // The first of 601 refresh tokens is remembered as spent.
    assert_eq!(client.exchange(&first.1).await.body, EXPIRED);
    assert_eq!(status(&mut client, &valid).await.body, EXPIRED);
    assert_eq!(client.exchange(&latest).await.body, EXPIRED);
    sandbox.stop().await;
}

#[tokio::test]
async fn of_two_uses_of_a_refresh_token_at_the_same_time_one_revokes_the_other() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let mut other = Client::open(&sandbox, &seeded).await;
    let token = client.refresh.clone();
    let replies = tokio::join!(client.exchange(&token), other.exchange(&token));
    let mut statuses = [replies.0.status, replies.1.status];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
    let winner = if replies.0.status == 200 {
        replies.0
    } else {
        replies.1
    };
    client.take(&winner);
    assert_eq!(client.status("x").await.body, EXPIRED);
    sandbox.stop().await;
}

#[tokio::test]
async fn tokens_expire_by_the_clock_of_the_project() {
    let (sandbox, seeded) = start().await;
    let id = &seeded.project.id;
    change(&sandbox, id, |project| {
        project.clock.freeze(App::system_now());
        project.settings.token_lifetime = 60;
    })
    .await;
    let mut client = Client::open(&sandbox, &seeded).await;
    assert_eq!(client.token().await.json()["data"]["expires_in"], 60);
    let advance = async |by| change(&sandbox, id, |project| project.clock.advance(by)).await;
    advance(59_999).await;
    assert_eq!(client.status("x").await.status, 404);
    advance(1).await;
    let expired = client.status("x").await;
    assert_eq!((expired.status, expired.body.as_str()), (401, EXPIRED));
    assert!(
        expired
            .header("www-authenticate")
            .unwrap()
            .contains("invalid_token")
    );
    // The refresh token has no end.
    let refresh = client.refresh.clone();
    let refreshed = client.exchange(&refresh).await;
    client.take(&refreshed);
    assert_eq!(client.status("x").await.status, 404);
    sandbox.stop().await;
}

#[tokio::test]
async fn tokens_of_one_client_are_not_those_of_another() {
    let (sandbox, seeded) = start().await;
    let other = another(&sandbox).await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let mut stranger = Client::open(&sandbox, &other).await;
    let started = client.start(&seeded.customer_id, &[]).await;
    let task = started.json()["task_id"].as_str().unwrap().to_owned();
    assert_eq!(client.status(&task).await.status, 200);
    // Another project has neither the task nor the customer.
    assert_eq!(stranger.status(&task).await.code(), "task_not_found");
    let refused = stranger.start(&seeded.customer_id, &[]).await;
    assert_eq!(refused.code(), "customer_not_found");
    // Nor are the tokens valid under another client id.
    stranger.access.clone_from(&client.access);
    assert_eq!(stranger.status(&task).await.body, INVALID);
    let refresh = client.refresh.clone();
    assert_eq!(stranger.exchange(&refresh).await.body, INVALID);
    client.client_id = "x".to_owned();
    assert_eq!(client.status(&task).await.body, INVALID);
    sandbox.stop().await;
}

#[tokio::test]
async fn revoked_and_rotated_credentials() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let store = &sandbox.app().store;
    let edit = async |edit: &dyn Fn(&mut Credential)| {
        let stored = store.find::<Credential>(&seeded.client_id).await;
        let mut stored = stored.unwrap().unwrap();
        edit(&mut stored.value);
        let mut changes = Changes::new();
        changes.update(&stored);
        store.commit(changes).await.unwrap();
    };
    edit(&|credential| credential.secret_hash = ids::hash("new secret")).await;
    assert_eq!(client.token().await.body, UNKNOWN);
    assert_eq!(client.status("x").await.status, 404, "tokens stay valid");
    edit(&|credential| credential.revoked_at = Some(1)).await;
    let refresh = client.refresh.clone();
    for reply in [
        client.token().await,
        client.exchange(&refresh).await,
        client.status("x").await,
    ] {
        assert_eq!((reply.status, reply.body.as_str()), (401, UNKNOWN));
    }
    sandbox.stop().await;
}

#[tokio::test]
async fn token_requests_are_validated() {
    let (sandbox, seeded) = start().await;
    let mut client = Client::open(&sandbox, &seeded).await;
    let (id, basic) = (client.client_id.clone(), client.basic.clone());
    let both = [
        ("X-Client-Id", id.as_str()),
        ("Authorization", basic.as_str()),
    ];
    for (body, field) in [
        ("", "grant_type"),
        ("grant_type=", "grant_type"),
        ("grant_type=password", "grant_type"),
        ("grant_type=refresh_token", "refresh_token"),
    ] {
        let headers = [&both[..], &[FORM]].concat();
        let reply = client.connection.send("POST", TOKEN, &headers, body).await;
        assert_eq!(reply.status, 400, "{body}: {reply:?}");
        let json = reply.json();
        assert_eq!(json["code_id"], "failed_validation", "{body}");
        assert!(
            json["metadata"].is_object() && json["errors"][field].is_string(),
            "{json}"
        );
    }
    let headers = [&both[..], &[JSON]].concat();
    let reply = client.connection.send("POST", TOKEN, &headers, "{}").await;
    assert_eq!(reply.status, 415);
    let reply = client.connection.send("GET", TOKEN, &both, "").await;
    assert_eq!(
        (reply.status, reply.header("allow")),
        (405, Some("POST, OPTIONS"))
    );
    let reply = client.call("POST", REFRESH, &[JSON], "[]").await;
    assert_eq!(
        reply.code(),
        "customer_not_found",
        "customers before bodies"
    );
    sandbox.stop().await;
}
