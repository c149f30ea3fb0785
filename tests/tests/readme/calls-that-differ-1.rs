use bothends_runtime::client::CallOptions;
use financial_data::client::Client;

pub async fn call(client: &Client, id: &str) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    marked.start_open_banking_refresh().await?;
    Ok(())
}
