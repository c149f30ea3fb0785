//! Encoding and decoding of responses.

use super::body::row::{Row, RowCodec, Statuses};
use super::body::{BodyDecoder, BodyEncoder};
#[cfg(feature = "check-responses")]
use super::findings::{Findings, ResponsePart};
#[cfg(feature = "check-responses")]
use super::response_header::check_header;
use super::response_header::{HeaderStyle, HeaderStyleOf, read_header, write_header};
use super::style::ParameterStyle;
use crate::message::media;
#[cfg(any(feature = "client", feature = "server"))]
use crate::message::payload;
use crate::message::wire::{Encoded, Sources, header};
use crate::values::read::Value;
use crate::values::{DecodeError, EncodeError, Rule, Strictness};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use serde::Serialize;
#[cfg(feature = "check-responses")]
use std::sync::Arc;

/// An encoder of a response.
#[derive(Debug, Default)]
pub struct ResponseEncoder {
    status: u16,
    headers: HeaderMap,
    body: BodyEncoder,
    error: Option<EncodeError>,
    /// The status that a handler has chosen.
    chosen: Option<StatusCode>,
    /// The status of a received response that is passed on.
    received: Option<StatusCode>,
    /// The statuses of the encoded row.
    row: Option<Statuses>,
}

/// An encoded response.
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
    /// Creates an empty encoder.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the status.
    pub const fn status(&mut self, status: u16) -> &mut Self {
        self.status = status;
        self
    }

    /// Adds a header; `None` is not sent.
    pub fn header<T: Serialize>(&mut self, name: &'static str, value: &T) -> &mut Self {
        self.header_as(ParameterStyle::header(), name, value)
    }

    /// Adds a header in another style; `None` is not sent.
    pub fn header_as<T: Serialize>(
        &mut self,
        style: impl HeaderStyle,
        name: &'static str,
        value: &T,
    ) -> &mut Self {
        let written = write_header(style.param(), name, value).and_then(|lines| {
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

    /// Sets the status that a handler has chosen, for a range of statuses.
    pub(crate) const fn choose(&mut self, status: Option<StatusCode>) {
        self.chosen = status;
    }

    /// Sets the status of a received response, which is used if the row contains it.
    pub(crate) const fn pass_on(&mut self, status: Option<StatusCode>) {
        self.received = status;
    }

    /// Sets the status of a row: the chosen one, which must be among `statuses`, or the default of
    /// the row.
    pub fn status_of(&mut self, statuses: Statuses) -> &mut Self {
        self.row = Some(statuses);
        self.status = match self.chosen {
            None => (self.received.map(|received| received.as_u16()))
                .filter(|received| statuses.contains(*received))
                .unwrap_or(statuses.usual()),
            Some(chosen) if statuses.contains(chosen.as_u16()) => chosen.as_u16(),
            Some(chosen) => {
                let why = format!("{chosen} is not a documented status of this response");
                self.error.get_or_insert(EncodeError::new("status", why));
                chosen.as_u16()
            }
        };
        self
    }

    /// Records an error if the status belongs to another row of the table: a client would decode
    /// the body by that row.
    pub(crate) fn belongs_to(&mut self, rows: &'static [Row]) {
        let found = Row::find(rows, self.status).map(|row| row.statuses);
        if found.is_some() && found != self.row {
            let why = format!(
                "{} is the status of another response: `Response::with_status` chooses one of the range",
                self.status
            );
            self.error.get_or_insert(EncodeError::new("status", why));
        }
    }

    /// Adds the undocumented headers of a handler.
    pub(crate) fn add_headers(&mut self, headers: &HeaderMap) {
        for (name, value) in headers {
            self.headers.append(name.clone(), value.clone());
        }
        if let Some(media) = headers.get(CONTENT_TYPE) {
            self.body.state(Some(media.clone()));
        }
    }

    /// Returns the encoder of the body.
    pub const fn body(&mut self) -> &mut BodyEncoder {
        &mut self.body
    }

    /// Encodes the body of a row.
    pub fn write<C: RowCodec<T>, T>(&mut self, row: &Row, value: &T) {
        C::write(row, value, &mut self.body);
    }

    /// Writes the encoded response. A streamed body is wrapped by a function.
    ///
    /// # Errors
    ///
    /// Returns an error as [`Self::finish`] does.
    #[cfg(feature = "server")]
    pub(crate) fn write_to(
        &mut self,
        response: &mut http::Response<payload::Body>,
        watch: impl FnOnce(payload::Body) -> payload::Body,
    ) -> Result<(), EncodeError> {
        *response.status_mut() = self.checked_status()?;
        let stream = self.body.take_stream();
        let content = self.body.take()?;
        *response.headers_mut() = std::mem::take(&mut self.headers);
        let (content_type, body) = match (stream, content) {
            (Some((content_type, body)), _) => (content_type, watch(body)),
            (None, Some((content_type, bytes))) => (content_type, bytes.into()),
            (None, None) => return Ok(()),
        };
        response.headers_mut().insert(CONTENT_TYPE, content_type);
        *response.body_mut() = body;
        Ok(())
    }

    fn checked_status(&mut self) -> Result<StatusCode, EncodeError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        StatusCode::from_u16(self.status).map_err(|_| {
            EncodeError::new("status", format!("{} is not a valid status", self.status))
        })
    }

    /// Returns the encoded response.
    ///
    /// # Errors
    ///
    /// Returns an error if the status is invalid, or if a header or the body cannot be encoded.
    pub fn finish(mut self) -> Result<EncodedResponse, EncodeError> {
        Ok(EncodedResponse {
            status: self.checked_status()?,
            headers: self.headers,
            body: self.body.take()?,
        })
    }
}

/// A decoder of a response.
#[derive(Debug)]
pub struct ResponseDecoder {
    status: StatusCode,
    headers: HeaderMap,
    body: BodyDecoder,
}

impl ResponseDecoder {
    /// Creates a decoder from the parts of a response.
    pub fn new(status: StatusCode, headers: HeaderMap, body: Bytes) -> Self {
        let content_type = header::text(&headers, CONTENT_TYPE).map(media::owned);
        Self {
            status,
            headers,
            body: BodyDecoder::new(content_type, body).lenient(),
        }
    }

    /// Creates a decoder of a response that is checked, and returns where its mismatches are recorded.
    #[cfg(feature = "check-responses")]
    pub(crate) fn checked(
        status: StatusCode,
        headers: HeaderMap,
        body: Bytes,
    ) -> (Self, Arc<Findings>) {
        let findings = Arc::default();
        let mut decoder = Self::new(status, headers, body);
        decoder.body = decoder.body.checked(Arc::clone(&findings));
        (decoder, findings)
    }

    /// Creates a decoder of a response whose body is still being received.
    #[cfg(feature = "client")]
    pub(crate) fn live(status: StatusCode, headers: HeaderMap, body: payload::Body) -> Self {
        let content_type = header::text(&headers, CONTENT_TYPE).map(media::owned);
        Self {
            status,
            headers,
            body: BodyDecoder::live(content_type, body).lenient(),
        }
    }

    /// Returns the status as a number.
    pub fn status(&self) -> u16 {
        self.status.as_u16()
    }

    /// Returns the status.
    pub const fn status_code(&self) -> StatusCode {
        self.status
    }

    /// Returns all headers.
    pub const fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    pub(super) fn take_headers(&mut self) -> HeaderMap {
        std::mem::take(&mut self.headers)
    }

    /// Decodes a header.
    ///
    /// An absent or invalid header is `None` if the type is an `Option`.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is absent or invalid, and the type is not an `Option`.
    pub fn header<T: Value>(&self, name: &'static str) -> Result<T, DecodeError> {
        self.header_as(ParameterStyle::header(), name)
    }

    /// Decodes a header in another style.
    ///
    /// An absent or invalid header is `None` if the type is an `Option`.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is absent or invalid, and the type is not an `Option`.
    pub fn header_as<T, S: HeaderStyleOf<T>>(
        &self,
        style: S,
        name: &'static str,
    ) -> Result<T, DecodeError> {
        self.under(&[]).header_as(style, name)
    }

    /// Returns a decoder of a header that has rules.
    pub const fn under<'d>(&'d self, rules: &'d [Rule]) -> RuledHeader<'d> {
        RuledHeader {
            response: self,
            rules,
        }
    }

    /// Returns the body.
    pub const fn body(&self) -> &BodyDecoder {
        &self.body
    }

    /// Decodes the body of a row.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is not of the type `T`.
    pub fn read<C: RowCodec<T>, T>(&self, row: &Row) -> Result<T, DecodeError> {
        C::read(row, &self.body)
    }

    /// Returns the bytes of a body that is not streamed.
    #[cfg(all(feature = "client", feature = "check-responses"))]
    pub(crate) fn buffered(&self) -> Option<&Bytes> {
        (!self.body.is_live()).then(|| self.raw())
    }

    /// Takes the rest of a streamed body that was not read.
    #[cfg(feature = "client")]
    pub(crate) fn take_live(&self) -> Option<payload::Body> {
        self.body.take_live()
    }

    /// Returns the bytes of the body.
    pub const fn raw(&self) -> &Bytes {
        self.body.raw()
    }

    #[cfg(feature = "client")]
    pub(crate) fn into_parts(self) -> (StatusCode, HeaderMap, Bytes) {
        (self.status, self.headers, self.body.raw().clone())
    }
}

/// A decoder of a header of a response, with the rules of its value.
#[derive(Debug, Clone, Copy)]
pub struct RuledHeader<'d> {
    response: &'d ResponseDecoder,
    #[cfg_attr(not(feature = "check-responses"), allow(dead_code))]
    rules: &'d [Rule],
}

impl RuledHeader<'_> {
    /// Decodes the header: see [`ResponseDecoder::header_as`]. The rules are evaluated if the response is checked.
    ///
    /// # Errors
    ///
    /// Returns an error if the header is absent or invalid, and the type is not an `Option`.
    pub fn header_as<T, S: HeaderStyleOf<T>>(
        self,
        style: S,
        name: &'static str,
    ) -> Result<T, DecodeError> {
        let query = Vec::new();
        let sources = Sources {
            path: &[],
            query: &query,
            whole_query: "",
            headers: &self.response.headers,
            declared: &[],
            encoded: Encoded::Split,
            strictness: Strictness::Lenient,
        };
        let param = style.param();
        #[cfg(feature = "check-responses")]
        if let Some(findings) = self.response.body.findings() {
            let sources = Sources {
                strictness: Strictness::Response,
                ..sources
            };
            check_header::<T, S::Way>(param, name, &sources, |read| {
                findings.part::<T, S::Way>(ResponsePart::Header(name), read, self.rules);
            });
        }
        read_header::<T, S::Way>(param, name, &sources)
    }
}
