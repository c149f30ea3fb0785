//~ `&Content::Many(_)` not covered
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Text(String),
    Many(Vec<String>),
}
bothends_runtime::union! { Content { Text } }
