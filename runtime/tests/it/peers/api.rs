//! A few operations, as generated code has them.

use bothends_runtime::client::{self, Basic, Secret};
use bothends_runtime::{ByteStream, Bytes, Event, NoError, StatusCode, Streamed};

#[derive(Debug, Clone, PartialEq)]
pub struct Thing {
    pub id: i64,
    pub name: Option<String>,
    pub tags: Option<Vec<String>>,
    pub inner: Option<Box<Thing>>,
}
bothends_runtime::object! {
    Thing(id: i64) {
        "id" => id,
        "name": String => name?,
        "tags": Vec<String> => tags?,
        "inner": Box<Thing> => inner?,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct GetThingRequest {
    pub note: Option<String>,
}
bothends_runtime::operation! {
    "getThing": "GET" "/thing"
    GetThingRequest() {
        query "note": String => note?,
    }
    -> GetThingResponse = GetThingResponseBody, GetThingError
}

#[derive(Debug, Clone, PartialEq)]
pub enum GetThingResponseBody {
    Ok(Thing),
    NoContent,
}
bothends_runtime::responses! {
    GetThingResponseBody {
        200 => Ok(json Thing),
        204 => NoContent,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum GetThingError {
    NotFound(Thing),
}
bothends_runtime::errors! {
    GetThingError {
        404 => NotFound(json Thing),
    }
}

/// Everything that can be shown, twice, since a request has one `Authorization`.
macro_rules! secured {
    ($Request:ident $Response:ident $Error:ident $id:literal $scheme:literal $(server $server:literal)?) => {
        #[derive(Debug, Clone, PartialEq)]
        pub struct $Request {
            pub password: Option<String>,
        }
        bothends_runtime::operation! {
            $id: "POST" "/secured"
            $Request() {
                header "X-Password": String => password?,
            }
            -> $Response = GetThingResponseBody, $Error = GetThingError
            $(server $server)?
            security {
                [$scheme, "header", "query", "cookie"],
            }
        }
    };
}
secured!(BearerRequest BearerResponse BearerError "bearerThing" "bearer");
secured!(BasicRequest BasicResponse BasicError "basicThing" "basic");
secured!(ElsewhereRequest ElsewhereResponse ElsewhereError "elsewhere" "bearer" server "https://files.example.com:8443/up");
secured!(DowngradeRequest DowngradeResponse DowngradeError "downgrade" "bearer" server "http://api.example.com");

#[derive(Debug, Clone, Default)]
pub struct Credentials {
    pub basic: Option<Basic>,
    pub bearer: Option<Secret>,
    pub header: Option<Secret>,
    pub query: Option<Secret>,
    pub cookie: Option<Secret>,
}
bothends_runtime::credentials! {
    Credentials {
        basic: basic "basic",
        bearer: bearer "bearer",
        header: header "header" "X-Api-Key",
        query: query "query" "api_key",
        cookie: cookie "cookie" "sid",
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct OpenElsewhereRequest {}
bothends_runtime::operation! {
    "openElsewhere": "GET" "/open"
    OpenElsewhereRequest() {}
    -> OpenElsewhereResponse = GetThingResponseBody, OpenElsewhereError = NoError
    server "https://files.example.com:8443/up"
}

#[derive(Debug, Clone, PartialEq)]
pub struct UploadRequest {
    pub body: Bytes,
}
bothends_runtime::operation! {
    "upload": "PUT" "/upload"
    UploadRequest(body: Bytes) from [Bytes] {
        body[bytes] "application/octet-stream" => body,
    }
    -> UploadResponse = GetThingResponseBody, UploadError = NoError
}

#[derive(Debug, Clone, PartialEq)]
pub struct WatchRequest {}
bothends_runtime::operation! {
    "watch": "GET" "/events"
    WatchRequest() {}
    -> WatchResponse { 200 => events Things }, WatchError = NoError
}

pub type Things = Streamed<Event<Thing>>;

#[derive(Debug, Clone, PartialEq)]
pub struct DownloadRequest {}
bothends_runtime::operation! {
    "download": "GET" "/file"
    DownloadRequest() {}
    -> DownloadResponse { 200 => chunks "*/*" ByteStream }, DownloadError = NoError
}

pub fn core(url: &str) -> client::ClientCore<client::HyperTransport> {
    client::ClientCore::new(url, transport()).unwrap()
}

/// What the machine says of proxies is no part of a test.
pub fn transport() -> client::HyperTransport {
    let builder = client::HyperTransport::builder().no_proxy();
    builder.build().unwrap()
}

pub fn over_reqwest(url: &str) -> client::ClientCore<client::ReqwestTransport> {
    let builder = client::ReqwestTransport::builder().no_proxy();
    let transport = client::ReqwestTransport::build(builder).unwrap();
    client::ClientCore::new(url, transport).unwrap()
}

pub fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap()
}
