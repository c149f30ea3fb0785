//~ duplicate query parameter `tag` in a table
#[derive(Debug, Clone, PartialEq)]
pub struct GetPetRequest {
    pub id: i64,
    pub tag: Option<String>,
    pub age: Option<i64>,
}
bothends_runtime::operation! {
    "getPet": "GET" "/pets/{id}"
    GetPetRequest(id: i64) from [i64] {
        path "id" => id,
        query "tag": String => tag?,
        query "tag": i64 => age?,
    }
    -> GetPetResponse { 200 => json String }, GetPetError = bothends_runtime::NoError
}
