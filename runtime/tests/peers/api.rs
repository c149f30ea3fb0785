//! A few operations, as generated code has them.

use bothends_runtime::client::{self, Basic, Secret};
use bothends_runtime::{
    ByteStream, Bytes, DecodeError, Event, NoError, Outcome, ResponseDecoder, ResponseEncoder,
    StatusCode, Streamed,
};

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
        "name" => name?,
        "tags" => tags?,
        "inner" => inner?,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct GetThingRequest {
    pub note: Option<String>,
}
bothends_runtime::operation! {
    "getThing": "GET" "/thing"
    GetThingRequest() -> GetThingResponse, GetThingError {
        query "note" => note?,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum GetThingResponse {
    Ok(Thing),
    NoContent,
}
impl Outcome for GetThingResponse {
    fn encode(&self, response: &mut ResponseEncoder) {
        match self {
            Self::Ok(thing) => response.status(200).json("application/json", thing),
            Self::NoContent => response.status(204).empty(),
        }
    }

    fn decode(response: &ResponseDecoder) -> Option<Result<Self, DecodeError>> {
        match response.status() {
            200 => Some(response.json().map(Self::Ok)),
            204 => Some(Ok(Self::NoContent)),
            _ => None,
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub enum GetThingError {
    NotFound(Thing),
}
impl Outcome for GetThingError {
    fn encode(&self, response: &mut ResponseEncoder) {
        let Self::NotFound(thing) = self;
        response.status(404).json("application/json", thing);
    }

    fn decode(response: &ResponseDecoder) -> Option<Result<Self, DecodeError>> {
        (response.status() == 404).then(|| response.json().map(Self::NotFound))
    }
}
impl std::fmt::Display for GetThingError {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("there is no such thing")
    }
}
impl std::error::Error for GetThingError {}

/// Everything that can be shown, twice, since a request has one `Authorization`.
macro_rules! secured {
    ($Request:ident $id:literal $scheme:literal $(server $server:literal)?) => {
        #[derive(Debug, Clone, PartialEq)]
        pub struct $Request {
            pub password: Option<String>,
        }
        bothends_runtime::operation! {
            $id: "POST" "/secured"
            $Request() -> GetThingResponse, GetThingError {
                header "X-Password" => password?,
            }
            $(server $server)?
            security {
                [$scheme, "header", "query", "cookie"],
            }
        }
    };
}
secured!(BearerRequest "bearerThing" "bearer");
secured!(BasicRequest "basicThing" "basic");
secured!(ElsewhereRequest "elsewhere" "bearer" server "https://files.example.com:8443/up");
secured!(DowngradeRequest "downgrade" "bearer" server "http://api.example.com");

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
    OpenElsewhereRequest() -> GetThingResponse, NoError {}
    server "https://files.example.com:8443/up"
}

#[derive(Debug, Clone, PartialEq)]
pub struct UploadRequest {
    pub body: Bytes,
}
bothends_runtime::operation! {
    "upload": "PUT" "/upload"
    UploadRequest(body: Bytes) -> GetThingResponse, NoError {
        body[bytes] "application/octet-stream" => body,
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct WatchRequest {}
bothends_runtime::operation! {
    "watch": "GET" "/events"
    WatchRequest() -> WatchResponse, NoError {}
}

pub type Things = Streamed<Event<Thing>>;

#[derive(Debug, Clone, PartialEq)]
pub enum WatchResponse {
    Ok(Things),
}
impl Outcome for WatchResponse {
    const MEDIA: &'static [&'static str] = &["text/event-stream"];

    fn encode(&self, response: &mut ResponseEncoder) {
        let Self::Ok(body) = self;
        response.status(200).events("text/event-stream", body);
    }

    fn decode(response: &ResponseDecoder) -> Option<Result<Self, DecodeError>> {
        (response.status() == 200).then(|| response.events().map(Self::Ok))
    }

    fn streams(status: u16) -> &'static [(&'static str, bool)] {
        match status {
            200 => &[("text/event-stream", true)],
            _ => &[],
        }
    }
}

#[derive(Debug, Clone, PartialEq)]
pub struct DownloadRequest {}
bothends_runtime::operation! {
    "download": "GET" "/file"
    DownloadRequest() -> DownloadResponse, NoError {}
}

#[derive(Debug, Clone, PartialEq)]
pub struct DownloadResponse(pub ByteStream);
impl Outcome for DownloadResponse {
    const MEDIA: &'static [&'static str] = &["*/*"];

    fn encode(&self, response: &mut ResponseEncoder) {
        response.status(200).chunks("*/*", &self.0);
    }

    fn decode(response: &ResponseDecoder) -> Option<Result<Self, DecodeError>> {
        (response.status() == 200).then(|| response.chunks().map(Self))
    }

    fn streams(status: u16) -> &'static [(&'static str, bool)] {
        match status {
            200 => &[("*/*", true)],
            _ => &[],
        }
    }
}

pub fn core(url: &str) -> client::Core<client::Reqwest> {
    // What the machine says of proxies is no part of a test.
    let builder = client::Reqwest::builder().no_proxy();
    let transport = client::Reqwest::build(builder).unwrap();
    client::Core::new(url, transport).unwrap()
}

pub fn status(code: u16) -> StatusCode {
    StatusCode::from_u16(code).unwrap()
}
