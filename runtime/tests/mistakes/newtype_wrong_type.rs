//~ mismatched types
//~ i64
#[derive(Debug, Clone, PartialEq)]
pub struct Id(pub String);
bothends_runtime::newtype! { Id(i64) }
