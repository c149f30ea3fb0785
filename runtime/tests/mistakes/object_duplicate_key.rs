//~ duplicate key `id` in a table
#[derive(Debug, Clone, PartialEq)]
pub struct Pet {
    pub id: i64,
    pub tag: Option<String>,
}
bothends_runtime::object! {
    Pet(id: i64) {
        "id" => id,
        "id": String => tag?,
    }
}
