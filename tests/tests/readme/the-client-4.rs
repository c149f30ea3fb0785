use bothends_runtime::client::{TaskNotifier, PollOptions};
use financial_data::client::Client;
use financial_data::operations::*;

/// What the handlers of webhooks put on the notifier.
#[derive(Debug, Clone)]
pub struct Event;

fn is_finished(_: &GetOpenBankingRefreshStatusResponse) -> bool {
    true
}

pub async fn call(client: &Client, id: String) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    let _: bothends_runtime::client::Completion<_, Event> = ended;
    Ok(())
}
