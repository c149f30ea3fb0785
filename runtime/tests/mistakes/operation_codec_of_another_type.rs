//~ cannot be written as `bothends_runtime::private::codec::lines`
//~ take `Streamed`
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
    -> GetPetResponse { 200 => lines String }, GetPetError = bothends_runtime::NoError
}
