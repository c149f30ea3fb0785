//~ `std::string::String` is not an enum of documented responses
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
    -> GetPetResponse = String, GetPetError = bothends_runtime::NoError
}
