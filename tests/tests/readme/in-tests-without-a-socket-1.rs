#![allow(non_snake_case)]
use bothends_runtime::client::InProcess;
use financial_data::client::Client;
use financial_data::server::{OauthApi, OpenBankingApi, router};

pub fn client<Service: OauthApi + OpenBankingApi>(
    Service: Service,
) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    let _ = client;
    Ok(())
}
