//~ doesn't implement `std::fmt::Display`
#[derive(Debug, Clone, PartialEq)]
pub struct TaskId(pub Vec<String>);
bothends_runtime::newtype! { TaskId(Vec<String>) display }
