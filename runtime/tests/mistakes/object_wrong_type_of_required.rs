//~ expected `i64`, found `String`
#[derive(Debug, Clone, PartialEq)]
pub struct Pet {
    pub id: i64,
    pub tag: Option<String>,
}
bothends_runtime::object! {
    Pet(id: String) {
        "id" => id,
        "tag": String => tag?,
    }
}
