//! A task of this API is awaited by asking: its end is `Completed` or `Failed`, and any other status means
//! that it goes on.

use super::service::Service;
use bothends_runtime::client::{Basic, PollOptions};
use bothends_tests::in_process::block_on;
use financial_data::client::{Client, Credentials, START_OPEN_BANKING_REFRESH_TASK};
use financial_data::operations::*;
use financial_data::types::*;
use serde_json::Value;
use std::time::Duration;

#[test]
fn a_task_is_awaited_by_asking() {
    let service = Service::default();
    let url = format!("http://{}", service.serve());
    block_on(async {
        let client = Client::new(&url).expect("a client");
        let tokens = client.clone().with_credentials(Credentials {
            client_basic: Some(Basic::new("client-7", "secret-7")),
            ..Credentials::default()
        });
        let grant = TokenRequest::ClientCredentialsGrant(ClientCredentialsGrant::new());
        let token = tokens.create_token(CreateTokenRequest::new(grant)).await;
        let token = token.expect("a token").into_inner().data.access_token;
        let client = client.with_credentials(Credentials {
            client_credentials: Some(token.as_str().into()),
            client_id: Some("client-7".into()),
            ..Credentials::default()
        });
        let mut wait = PollOptions::default();
        wait.initial_interval = Duration::from_millis(1);
        for (id, end) in [("completes", "Completed"), ("fails", "Failed")] {
            *service.running.lock().expect("no poison") = 3;
            // Where the status is, the document does not say.
            let over = |answer: &GetOpenBankingRefreshStatusResponse| {
                let status = answer.get("status").and_then(Value::as_str);
                status.is_some_and(|status| START_OPEN_BANKING_REFRESH_TASK.is_terminal(status))
            };
            let request = GetOpenBankingRefreshStatusRequest::new(id.to_owned());
            let task = client.core().task(request, over).poll_options(wait);
            let ended = task.await.expect("an end");
            assert_eq!(ended.into_inner()["status"], end);
            assert_eq!(*service.running.lock().expect("no poison"), 0);
        }
    });
}
