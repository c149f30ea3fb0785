use bothends_runtime::client::{Backoff, CallOptions};
use financial_data::client::Client;
use std::time::Duration;

pub async fn call(client: &Client, key: &str) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    Ok(())
}
