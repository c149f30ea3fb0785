use bothends_runtime::client::CallOptions;
use financial_data::client::Client;
use financial_data::operations::StartOpenBankingRefreshRequest;

pub async fn call(client: &Client, id: &str) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    let request = StartOpenBankingRefreshRequest::new();
    marked.start_open_banking_refresh(request).await?;
    Ok(())
}
