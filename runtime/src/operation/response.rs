//! Responses as they are written and read.

use super::body::{Body, BodyDecoder, BodyEncoder, RawBody};
#[cfg(any(feature = "client", feature = "server"))]
use crate::payload;
use crate::stream::{ByteStream, Event, Streamed};
use crate::wire::{
    DecodeError, EncodeError, Encoded, Param, Part, Sources, Style, header, read_header,
    write_header,
};
use bytes::Bytes;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// Where a response is written.
#[derive(Debug, Default)]
pub struct ResponseEncoder {
    status: u16,
    headers: HeaderMap,
    body: BodyEncoder,
    error: Option<EncodeError>,
    /// Nothing but the status is asked for.
    status_only: bool,
}

/// A response that is ready.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedResponse {
    /// The status.
    pub status: StatusCode,
    /// The headers.
    pub headers: HeaderMap,
    /// The media type and the body.
    pub body: Option<(HeaderValue, Bytes)>,
}

impl ResponseEncoder {
    /// With nothing in it.
    pub fn new() -> Self {
        Self::default()
    }

    /// One that finds out the status, and writes nothing.
    pub(crate) fn status_only() -> Self {
        Self {
            status_only: true,
            ..Self::default()
        }
    }

    pub(crate) const fn written_status(&self) -> u16 {
        self.status
    }

    /// With this status.
    pub const fn status(&mut self, status: u16) -> &mut Self {
        self.status = status;
        self
    }

    /// With this header; `None` is not sent.
    pub fn header<T: Serialize>(&mut self, name: &'static str, value: &T) -> &mut Self {
        self.header_as(Style::header(), name, value)
    }

    /// With this header, which is written in another style; `None` is not sent.
    pub fn header_as<T: Serialize>(
        &mut self,
        style: Param,
        name: &'static str,
        value: &T,
    ) -> &mut Self {
        if self.status_only {
            return self;
        }
        let written = write_header(style, name, value).and_then(|lines| {
            let key = HeaderName::from_bytes(name.as_bytes())
                .map_err(|_| EncodeError::new(name, "this cannot be the name of a header"))?;
            for line in lines {
                self.headers
                    .append(key.clone(), header::value(name, &line)?);
            }
            Ok(())
        });
        if let Err(error) = written {
            self.error.get_or_insert(error);
        }
        self
    }

    /// Without a body.
    pub const fn empty(&mut self) {}

    /// With a body of JSON.
    pub fn json<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        if !self.status_only {
            self.body.json(media, value);
        }
    }

    /// With a form.
    pub fn form<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        if !self.status_only {
            self.body.form(media, value);
        }
    }

    /// With a form of which some properties are written otherwise than all are.
    pub fn form_with<T: Serialize + ?Sized>(&mut self, media: &str, value: &T, parts: &[Part]) {
        if !self.status_only {
            self.body.form_with(media, value, parts);
        }
    }

    /// With a text.
    pub fn text<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        if !self.status_only {
            self.body.text(media, value);
        }
    }

    /// With bytes.
    pub fn bytes<T: RawBody>(&mut self, media: &str, value: &T) {
        if !self.status_only {
            self.body.bytes(media, value);
        }
    }

    /// With parts.
    pub fn multipart<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        if !self.status_only {
            self.body.multipart(media, value);
        }
    }

    /// With parts of which some properties are written otherwise than all are.
    pub fn multipart_with<T: Serialize + ?Sized>(
        &mut self,
        media: &str,
        value: &T,
        parts: &[Part],
    ) {
        if !self.status_only {
            self.body.multipart_with(media, value, parts);
        }
    }

    /// With lines of JSON.
    pub fn lines<T>(&mut self, media: &str, items: &Streamed<T>)
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        if !self.status_only {
            self.body.lines(media, items);
        }
    }

    /// With a sequence of JSON texts.
    pub fn sequence<T>(&mut self, media: &str, items: &Streamed<T>)
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        if !self.status_only {
            self.body.sequence(media, items);
        }
    }

    /// With events.
    pub fn events<T>(&mut self, media: &str, items: &Streamed<Event<T>>)
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        if !self.status_only {
            self.body.events(media, items);
        }
    }

    /// With events, and behind the last of them one whose data is `end`; an empty `end` sends none.
    pub fn events_until<T>(&mut self, media: &str, items: &Streamed<Event<T>>, end: &'static str)
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        if !self.status_only {
            self.body.events_until(media, items, end);
        }
    }

    /// With bytes, whole or in pieces.
    pub fn chunks(&mut self, media: &str, value: &ByteStream) {
        if !self.status_only {
            self.body.chunks(media, value);
        }
    }

    #[cfg(feature = "server")]
    pub(crate) const fn take_stream(&mut self) -> Option<(HeaderValue, payload::Body)> {
        self.body.take_stream()
    }

    /// With one of several bodies.
    pub fn any<T: Body>(&mut self, value: &T) {
        if !self.status_only {
            value.encode(&mut self.body);
        }
    }

    /// The parts of the response, or why it cannot be sent.
    pub fn finish(self) -> Result<EncodedResponse, EncodeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let status = StatusCode::from_u16(self.status)
            .map_err(|_| EncodeError::new("status", format!("{} is none", self.status)))?;
        Ok(EncodedResponse {
            status,
            headers: self.headers,
            body: self.body.finish()?,
        })
    }
}

/// A response that is read.
#[derive(Debug)]
pub struct ResponseDecoder {
    status: StatusCode,
    headers: HeaderMap,
    body: BodyDecoder,
}

impl ResponseDecoder {
    /// From the parts of a response.
    pub fn new(status: StatusCode, headers: HeaderMap, body: Bytes) -> Self {
        let content_type = header::text(&headers, "content-type").map(str::to_owned);
        Self {
            status,
            headers,
            body: BodyDecoder::new(content_type, body).lenient(),
        }
    }

    /// From a response whose body is still on its way.
    #[cfg(feature = "client")]
    pub(crate) fn live(status: StatusCode, headers: HeaderMap, body: payload::Body) -> Self {
        let content_type = header::text(&headers, "content-type").map(str::to_owned);
        Self {
            status,
            headers,
            body: BodyDecoder::live(content_type, body).lenient(),
        }
    }

    /// The status as a number.
    pub fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// The status.
    pub const fn status_code(&self) -> StatusCode {
        self.status
    }

    /// All headers.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// A header; one that is not there, or cannot be read, is `None`, or an error where the type is
    /// not an `Option`.
    pub fn header<T: DeserializeOwned>(&self, name: &'static str) -> Result<T, DecodeError> {
        self.header_as(Style::header(), name)
    }

    /// A header that is written in another style; one that is not there, or cannot be read, is
    /// `None`, or an error where the type is not an `Option`.
    pub fn header_as<T: DeserializeOwned>(
        &self,
        style: Param,
        name: &'static str,
    ) -> Result<T, DecodeError> {
        let query = Vec::new();
        read_header(
            style,
            name,
            &Sources {
                path: &[],
                query: &query,
                whole_query: "",
                headers: &self.headers,
                declared: &[],
                encoded: Encoded::Split,
            },
        )
    }

    /// The body as JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.body.json()
    }

    /// The body as a form.
    pub fn form<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.body.form()
    }

    /// The body as a form of which some properties are written otherwise than all are.
    pub fn form_with<T: DeserializeOwned>(&self, parts: &[Part]) -> Result<T, DecodeError> {
        self.body.form_with(parts)
    }

    /// The body as a text.
    pub fn text<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.body.text()
    }

    /// The body as bytes.
    pub fn bytes<T: RawBody>(&self) -> Result<T, DecodeError> {
        self.body.bytes()
    }

    /// The body as parts.
    pub fn multipart<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.body.multipart()
    }

    /// The body as parts of which some properties are written otherwise than all are.
    pub fn multipart_with<T: DeserializeOwned>(&self, parts: &[Part]) -> Result<T, DecodeError> {
        self.body.multipart_with(parts)
    }

    /// The body as lines of JSON.
    pub fn lines<T>(&self) -> Result<Streamed<T>, DecodeError>
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.body.lines()
    }

    /// The body as a sequence of JSON texts.
    pub fn sequence<T>(&self) -> Result<Streamed<T>, DecodeError>
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.body.sequence()
    }

    /// The body as events up to one whose data is `end`; with an empty `end`, up to the end of the
    /// body.
    pub fn events_until<T>(&self, end: &'static str) -> Result<Streamed<Event<T>>, DecodeError>
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.body.events_until(end)
    }

    /// The body as events, which end at `[DONE]`, the data that many services send last.
    pub fn events<T>(&self) -> Result<Streamed<Event<T>>, DecodeError>
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.body.events()
    }

    /// The body as bytes, which may still be on their way.
    pub fn chunks(&self) -> Result<ByteStream, DecodeError> {
        self.body.chunks()
    }

    /// The body as one of several.
    pub fn any<T: Body>(&self) -> Result<T, DecodeError> {
        let unknown = || {
            let media = self.body.content_type().unwrap_or("nothing");
            DecodeError::new("content-type", format!("{media} is not expected here"))
        };
        T::decode(&self.body).unwrap_or_else(|| Err(unknown()))
    }

    /// What still comes of a body that was to be read item by item, and was not.
    #[cfg(feature = "client")]
    pub(crate) fn take_live(&self) -> Option<payload::Body> {
        self.body.take_live()
    }

    /// The bytes of the body.
    pub const fn raw(&self) -> &Bytes {
        self.body.raw()
    }

    #[cfg(feature = "client")]
    pub(crate) fn into_parts(self) -> (StatusCode, HeaderMap, Bytes) {
        (self.status, self.headers, self.body.raw().clone())
    }
}
