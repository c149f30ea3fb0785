//~ duplicate path `["pets", _]` in a table
use bothends_runtime::NoError;
use bothends_runtime::server::{Context, Error};
use std::future::Future;

#[derive(Debug, Clone, PartialEq)]
pub struct GetPetRequest {
    pub id: i64,
}
bothends_runtime::operation! {
    "getPet": "GET" "/pets/{id}"
    GetPetRequest(id: i64) from [i64] {
        path "id" => id,
    }
    -> GetPetResponse { 200 => json String }, GetPetError = NoError
}
pub trait Api: Send + Sync + 'static {
    fn get_pet(
        &self, ctx: Context, request: GetPetRequest,
    ) -> impl Future<Output = Result<GetPetResponse, Error<NoError>>> + Send;
}
bothends_runtime::routes! {
    find<A: Api> {
        ["pets", _] => { "GET" => get_pet },
        ["pets"] => { "GET" => get_pet },
        ["pets", _] => { "POST" => get_pet },
    }
}
