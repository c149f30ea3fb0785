//~ missing field `id` in initializer of `Pet`
#[derive(Debug, Clone, PartialEq)]
pub struct Pet {
    pub id: i64,
    pub tag: Option<String>,
}
bothends_runtime::object! {
    Pet() {
        "id" => id,
        "tag": String => tag?,
    }
}
