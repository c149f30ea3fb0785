//~ no field `token`
use bothends_runtime::client::{Basic, Secret};
#[derive(Debug, Clone, Default)]
pub struct Credentials {
    pub basic: Option<Basic>,
    pub key: Option<Secret>,
}
bothends_runtime::credentials! { Credentials { basic: basic "basic", token: bearer "key" } }
