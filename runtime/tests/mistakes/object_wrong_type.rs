//~ Option<std::string::String>: From<i64>` is not satisfied
#[derive(Debug, Clone, PartialEq)]
pub struct Pet {
    pub id: i64,
    pub tag: Option<String>,
}
bothends_runtime::object! {
    Pet(id: i64) {
        "id" => id,
        "tag": i64 => tag?,
    }
}
