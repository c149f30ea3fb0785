use bothends_runtime::Response;
use exports::client::Client;
use exports::operations::{ListExportsRequest, ListExportsState};
use exports::types::Export;

pub async fn call(client: &Client) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    let _: Response<Export> = export;
    Ok(())
}
