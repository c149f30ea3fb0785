//~ no rules expected `tag`
#[derive(Debug, Clone, PartialEq)]
pub struct Pet {
    pub id: i64,
    pub tag: Option<String>,
}
bothends_runtime::object! {
    Pet(id: i64) {
        "id" => id,
        tag: String => tag?,
    }
}
