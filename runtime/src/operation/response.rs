//! Responses as they are written and read.

use super::body::{BodyDecoder, BodyEncoder};
use super::row::{Row, RowCodec, Statuses};
#[cfg(any(feature = "client", feature = "server"))]
use crate::payload;
use crate::wire::{
    DecodeError, EncodeError, Encoded, Param, Sources, Style, header, read_header, write_header,
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
    /// The status that a handler has chosen.
    chosen: Option<StatusCode>,
    /// The status that another server has sent with the response.
    received: Option<StatusCode>,
    /// The statuses of the row that is written.
    row: Option<Statuses>,
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

    /// With the status that a handler has chosen, for a range of statuses.
    pub(crate) const fn choose(&mut self, status: Option<StatusCode>) {
        self.chosen = status;
    }

    /// With the status that another server has sent, where the row has it.
    pub(crate) const fn pass_on(&mut self, status: Option<StatusCode>) {
        self.received = status;
    }

    /// With the status of a row: the one that was chosen, which has to be among these, or the usual one.
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

    /// Refuses a status that the table has for another response: its body would be read as that.
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

    /// With headers that a handler adds to those of the document.
    pub(crate) fn add_headers(&mut self, headers: &HeaderMap) {
        for (name, value) in headers {
            self.headers.append(name.clone(), value.clone());
        }
    }

    /// Where the body is written.
    pub const fn body(&mut self) -> &mut BodyEncoder {
        &mut self.body
    }

    /// Writes the body of a row.
    pub fn write<C: RowCodec<T>, T>(&mut self, row: &Row, value: &T) {
        C::write(row, value, &mut self.body);
    }

    #[cfg(feature = "server")]
    pub(crate) const fn take_stream(&mut self) -> Option<(HeaderValue, payload::Body)> {
        self.body.take_stream()
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

    /// The body.
    pub const fn body(&self) -> &BodyDecoder {
        &self.body
    }

    /// Reads the body of a row.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is not of the type `T`.
    pub fn read<C: RowCodec<T>, T>(&self, row: &Row) -> Result<T, DecodeError> {
        C::read(row, &self.body)
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
