//~ no rules expected `displayed`
#[derive(Debug, Clone, PartialEq)]
pub struct TaskId(pub String);
bothends_runtime::newtype! { TaskId(String) displayed }
