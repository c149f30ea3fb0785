use financial_data::client::Client;

/// As `client::servers` of a document with variables.
mod client {
    pub mod servers {
        use bothends_runtime::client::{Server, ServerVariable};

        pub const PRODUCTION: Server = Server::new(
            "https://{region}.example.com",
            &[ServerVariable::new("region", "eu", &["eu", "us"])],
        );
    }
}

pub fn connect() -> Result<Client, Box<dyn std::error::Error>> {
    // SNIPPET
    Ok(client)
}
