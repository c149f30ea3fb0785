//~ `Other`
#[derive(Debug, Clone, PartialEq)]
pub struct Other;
#[derive(Debug, Clone, PartialEq)]
pub struct Id(pub Other);
bothends_runtime::newtype! { Id(Other) }
