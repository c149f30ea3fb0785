use financial_data::client::{CLIENT_CREDENTIALS_FLOW, Client};

pub fn client(id: &str, secret: &str) -> Result<Client, Box<dyn std::error::Error>> {
    // SNIPPET
    Ok(client)
}
