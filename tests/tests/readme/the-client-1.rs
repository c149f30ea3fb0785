use bothends_runtime::client::{Backoff, CallOptions};
use financial_data::client::Client;
use financial_data::operations::StartOpenBankingRefreshRequest;
use std::time::Duration;

pub async fn call(
    client: &Client,
    request: StartOpenBankingRefreshRequest,
    key: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    Ok(())
}
