//~ `Other`
#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Text(String),
    Many(Other),
}
#[derive(Debug, Clone, PartialEq)]
pub struct Other;
bothends_runtime::union! { Content { Text, Many } }
