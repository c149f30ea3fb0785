use financial_data::client::Client;

pub async fn call(client: &Client) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    Ok(())
}
