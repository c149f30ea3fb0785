//~ duplicate variant `Text` in a table
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Text(String),
    Many(Vec<String>),
}
bothends_runtime::union! { Content { Text, Many, Text } }
