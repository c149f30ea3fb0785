//~ duplicate scheme `basic` in a table
use bothends_runtime::server::{Basic, Secret};

#[derive(Debug, Clone, Default)]
pub struct Credentials {
    pub basic: Option<Basic>,
    pub token: Option<Secret>,
}
bothends_runtime::presented_credentials! {
    Credentials {
        basic: basic "basic",
        token: bearer "basic",
    }
}
