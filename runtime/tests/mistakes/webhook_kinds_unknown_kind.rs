//~ Pong
use bothends_runtime::server::{Context, Error};
use bothends_runtime::NoError;
#[derive(Debug, Clone, PartialEq)]
pub struct PingRequest {}
bothends_runtime::operation! {
    "ping": "POST" "/ping"
    PingRequest() {}
    -> PingResponse { 204 }, PingError = NoError
}
pub trait Handler: Clone + Send + Sync + 'static {
    fn ping(&self, _: Context, _: PingRequest) -> impl Future<Output = Result<PingResponse, Error<NoError>>> + Send;
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Ping,
}
bothends_runtime::webhook_kinds! { kinds<H: Handler, Kind> { Pong "POST" "/ping" => ping } }
pub fn used<H: Handler>() -> usize { kinds::<H>().len() }
