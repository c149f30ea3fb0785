use financial_data::client::Client;
use financial_data::client::START_OPEN_BANKING_REFRESH_TASK as START_EXPORT_TASK;
use financial_data::operations::*;

pub async fn call(client: &Client) -> Result<(), Box<dyn std::error::Error>> {
    let request = StartOpenBankingRefreshRequest::new();
    let call = client.start_open_banking_refresh_with(request.clone());
    let response = call.await?;
    // SNIPPET
    task.ok_or("no task")?.status().await?;
    Ok(())
}
