//~ no method named `jsn`
#[derive(Debug, Clone, PartialEq)]
pub struct GetPetRequest {
    pub id: i64,
    pub tag: Option<String>,
}
bothends_runtime::operation! {
    "getPet": "GET" "/pets/{id}"
    GetPetRequest(id: i64) from [i64] {
        path "id" => id,
        body[jsn] "application/json": String => tag?,
    }
    -> GetPetResponse { 200 => json String }, GetPetError = bothends_runtime::NoError
}
