//~ a status is a code such as 200, a range such as 2XX, or `default`
#[derive(Debug, Clone, PartialEq)]
pub struct GetPetRequest {
    pub id: i64,
    pub tag: Option<String>,
}
bothends_runtime::operation! {
    "getPet": "GET" "/pets/{id}"
    GetPetRequest(id: i64) from [i64] {
        path "id" => id,
        query "tag": String => tag?,
    }
    -> GetPetResponse { 20 => json String }, GetPetError = bothends_runtime::NoError
}
