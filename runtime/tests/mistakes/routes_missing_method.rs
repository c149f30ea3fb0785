//~ no rules expected `ping`
use bothends_runtime::server::{Context, Error};
use bothends_runtime::NoError;
#[derive(Debug, Clone, PartialEq)]
pub struct PingRequest {}
bothends_runtime::operation! {
    "ping": "POST" "/ping"
    PingRequest() {}
    -> PingResponse { 204 }, PingError = NoError
}
#[derive(Clone)]
pub struct Service;
impl Service {
    pub async fn ping(&self, _: Context, _: PingRequest) -> Result<PingResponse, Error<NoError>> {
        Ok(().into())
    }
}
bothends_runtime::routes! { find: Service { ["ping"] => { ping } } }
pub fn used() -> usize { find().len() }
