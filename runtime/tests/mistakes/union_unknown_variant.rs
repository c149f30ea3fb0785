//~ Few
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Text(String),
    Many(Vec<String>),
}
bothends_runtime::union! { Content { Text, Many, Few } }
