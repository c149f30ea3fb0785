use bothends_runtime::Response;
use exports::client::Client;
use exports::types::{Export, ExportOptions, ExportOptionsFormat};

pub async fn call(client: &Client, my_url: String) -> Result<(), Box<dyn std::error::Error>> {
    // SNIPPET
    let _: Response<Export> = export;
    Ok(())
}
