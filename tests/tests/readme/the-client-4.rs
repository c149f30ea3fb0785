use bothends_runtime::client::{TaskBoard, Wait};
use financial_data::client::Client;
use financial_data::operations::*;

/// What the handlers of webhooks put on the board.
#[derive(Debug, Clone)]
pub struct Event;

fn is_over(_: &GetOpenBankingRefreshStatusResponse) -> bool {
    true
}

pub async fn call(client: &Client, id: String) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    let _: bothends_runtime::client::Ended<_, Event> = ended;
    Ok(())
}
