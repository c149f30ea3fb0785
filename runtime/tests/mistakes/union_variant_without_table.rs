//~ `Point` is not described by a table of `bothends_runtime`
#[derive(Debug, Clone, PartialEq)]
pub struct Point;

#[derive(Debug, Clone, PartialEq)]
pub enum Content {
    Text(String),
    Many(Point),
}
bothends_runtime::union! { Content { Text, Many } }
