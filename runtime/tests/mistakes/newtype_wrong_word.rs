//~ no rules expected `displayed`
#[derive(Debug, Clone, PartialEq)]
pub struct Id(pub String);
bothends_runtime::newtype! { Id(String) displayed }
