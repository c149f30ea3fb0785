use bothends_runtime::Response;
use callback::client::Client;
use callback::types::{Export, ExportOptions};

pub async fn call(client: &Client, options: ExportOptions) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    let _: Response<Export> = export;
    Ok(())
}
