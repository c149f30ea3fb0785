//~ `Plain: serde::Serialize` is not satisfied
#[derive(Debug, Clone, PartialEq)]
pub struct GetPetRequest {
    pub id: i64,
    pub tag: Option<String>,
}
#[derive(Debug, Clone, PartialEq)]
pub struct Plain;
bothends_runtime::operation! {
    "getPet": "GET" "/pets/{id}"
    GetPetRequest(id: i64) from [i64] {
        path "id" => id,
        query "tag": String => tag?,
    }
    -> GetPetResponse { 200 => json Plain }, GetPetError = bothends_runtime::NoError
}
