//! Encoding and decoding of requests.

use super::OperationMeta;
use super::body::{BodyDecoder, BodyEncoder};
use crate::message::wire::Place;
use crate::message::wire::{Encoded, Expanded, Sources, header, query, template};
use crate::values::BODY;
use crate::values::FieldError;
use crate::values::check::Checker;
use crate::values::short;
use crate::values::short::Budget;
use crate::values::{DecodeError, EncodeError};
use crate::values::{Rule, Validate};
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue};

/// An encoder of a request.
#[derive(Debug)]
pub struct RequestEncoder {
    meta: &'static OperationMeta,
    path: Vec<(&'static str, String)>,
    query: String,
    cookies: String,
    headers: HeaderMap,
    body: BodyEncoder,
    error: Option<EncodeError>,
}

/// An encoded request, without its server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct EncodedRequest {
    /// The path.
    pub path: String,
    /// The query, without its `?`.
    pub query: String,
    /// The value of the header `Cookie`.
    pub cookies: String,
    /// The other header parameters.
    pub headers: HeaderMap,
    /// The media type and the body.
    pub body: Option<(HeaderValue, Bytes)>,
}

impl RequestEncoder {
    /// Creates an encoder for an operation.
    pub fn new(meta: &'static OperationMeta) -> Self {
        Self {
            meta,
            path: Vec::new(),
            query: String::new(),
            cookies: String::new(),
            headers: HeaderMap::new(),
            body: BodyEncoder::default(),
            error: None,
        }
    }

    pub(crate) const fn template(&self) -> &'static str {
        self.meta.path
    }

    pub(crate) const fn body(&mut self) -> &mut BodyEncoder {
        &mut self.body
    }

    pub(crate) fn fail(&mut self, error: EncodeError) {
        self.error.get_or_insert(error);
    }

    pub(crate) fn add(&mut self, place: Place, key: &'static str, value: Expanded) {
        match (place, value) {
            (Place::Path, value) => self.path.push((key, value.into_text())),
            (Place::Header, value) => {
                let value = header::value(key, &value.into_text());
                let name = HeaderName::from_bytes(key.as_bytes())
                    .map_err(|_| EncodeError::new(key, "this cannot be the name of a header"));
                match name.and_then(|name| Ok((name, value?))) {
                    Ok((name, value)) => drop(self.headers.append(name, value)),
                    Err(error) => self.fail(error),
                }
            }
            (Place::Query, Expanded::Pairs(pairs)) => join(&mut self.query, "&", &pairs),
            (Place::Cookie, Expanded::Pairs(pairs)) => join(&mut self.cookies, "; ", &pairs),
            (Place::QueryString, value) => self.query = value.into_text(),
            (Place::Query | Place::Cookie, Expanded::Text(_)) => {}
        }
    }

    /// Returns the encoded variables of the path.
    #[cfg(any(feature = "tasks", feature = "server"))]
    pub(crate) fn variables(&self) -> &[(&'static str, String)] {
        &self.path
    }

    #[cfg(feature = "client")]
    pub(crate) const fn take_stream(
        &mut self,
    ) -> Option<(HeaderValue, crate::message::payload::Body)> {
        self.body.take_stream()
    }

    /// Returns the encoded request.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter or the body cannot be encoded.
    pub fn finish(self) -> Result<EncodedRequest, EncodeError> {
        if let Some(error) = self.error {
            return Err(error);
        }
        let value = |name: &str| {
            self.path
                .iter()
                .find(|(key, _)| *key == name)
                .map(|variable| variable.1.as_str())
        };
        let missing = |name| EncodeError::new(name, "the path has no value for it");
        let (path, query) = template::parts(self.meta.path);
        let path = template::fill(path, value).map_err(missing)?;
        let mut query = template::fill_query(query, value).map_err(missing)?;
        if !query.is_empty() && !self.query.is_empty() {
            query.push('&');
        }
        query.push_str(&self.query);
        // Intermediaries remove such a segment, and the one before it.
        let dots = |segment: &str| matches!(segment, "." | "..");
        if path.split('/').any(dots) && !self.meta.path.split('/').any(dots) {
            return Err(EncodeError::new(
                "path",
                "a segment of the path cannot be `.` or `..`",
            ));
        }
        if !self.cookies.is_empty() {
            header::value("cookie", &self.cookies)?;
        }
        check_framing(&self.headers, self.body.length())?;
        let body = self.body.finish()?;
        Ok(EncodedRequest {
            path,
            query,
            cookies: self.cookies,
            headers: self.headers,
            body,
        })
    }
}

/// Checks that the headers which delimit an HTTP message agree with the body: two peers that
/// interpret them differently read different messages (RFC 9112, section 11.2).
fn check_framing(headers: &HeaderMap, length: Option<u64>) -> Result<(), EncodeError> {
    if headers.contains_key(TRANSFER_ENCODING) {
        return Err(EncodeError::new(
            TRANSFER_ENCODING.as_str(),
            "only the transport can say this",
        ));
    }
    let length = length.map_or_else(|| "an unknown number of".to_owned(), |of| of.to_string());
    let is_length = |value: &HeaderValue| value.as_bytes() == length.as_bytes();
    if headers.get_all(CONTENT_LENGTH).iter().all(is_length) {
        Ok(())
    } else {
        Err(EncodeError::new(
            CONTENT_LENGTH.as_str(),
            format!("the body has {length} bytes"),
        ))
    }
}

fn join(out: &mut String, mark: &str, pairs: &[(String, String)]) {
    for (name, value) in pairs {
        if !out.is_empty() {
            out.push_str(mark);
        }
        out.push_str(name);
        out.push('=');
        out.push_str(value);
    }
}

/// A decoder of a request.
#[derive(Debug)]
pub struct RequestDecoder<'a> {
    meta: &'static OperationMeta,
    path: template::Variables,
    query: query::Pairs<'a>,
    whole_query: &'a str,
    headers: &'a HeaderMap,
    body: BodyDecoder,
    encoded: Encoded,
    is_strict: bool,
    field_errors: Vec<FieldError>,
    budget: Budget,
    wrong_media: bool,
}

impl<'a> RequestDecoder<'a> {
    /// Creates a decoder from the parts of a request. `path` is matched with the path of the
    /// operation, without a prefix. Returns `None` if it does not match.
    pub fn new(
        meta: &'static OperationMeta,
        path: &str,
        query: Option<&'a str>,
        headers: &'a HeaderMap,
        body: Bytes,
    ) -> Option<Self> {
        let variables = template::variables(path, meta.path)?;
        let content_type = header::text(headers, "content-type").map(str::to_owned);
        let body = BodyDecoder::new(content_type, body);
        Some(Self::with_variables(meta, variables, query, headers, body))
    }

    pub(crate) fn with_variables(
        meta: &'static OperationMeta,
        path: template::Variables,
        query: Option<&'a str>,
        headers: &'a HeaderMap,
        body: BodyDecoder,
    ) -> Self {
        let whole_query = query.unwrap_or_default();
        let query = query::pairs(whole_query);
        let mut path = path;
        template::query_variables(&query, meta.path, &mut path);
        Self {
            meta,
            path,
            query,
            whole_query,
            headers,
            body,
            encoded: Encoded::default(),
            is_strict: false,
            field_errors: Vec::new(),
            budget: Budget::default(),
            wrong_media: false,
        }
    }

    /// Rejects null for optional properties that are not nullable, as a server does.
    #[cfg(feature = "server")]
    pub(crate) fn strict(self) -> Self {
        Self {
            is_strict: true,
            body: self.body.strict(),
            ..self
        }
    }

    /// Keeps an encoded comma (`%2C`) inside the item of a list in one value (`explode: false`)
    /// without other commas. By default it separates items, because most HTTP libraries encode
    /// separators, too.
    #[must_use]
    pub fn keep_encoded_commas(self) -> Self {
        Self {
            encoded: Encoded::Keep,
            ..self
        }
    }

    /// Returns whether the headers declare a body, which may be empty (RFC 9112, section 6).
    pub(crate) fn announces_body(&self) -> bool {
        self.headers.contains_key(CONTENT_LENGTH) || self.headers.contains_key(TRANSFER_ENCODING)
    }

    pub(crate) fn sources(&self) -> Sources<'_> {
        Sources {
            path: &self.path,
            query: &self.query,
            whole_query: self.whole_query,
            headers: self.headers,
            declared: self.meta.parameters,
            encoded: self.encoded,
            is_strict: self.is_strict,
        }
    }

    #[cfg(feature = "server")]
    pub(crate) const fn meta(&self) -> &'static OperationMeta {
        self.meta
    }

    /// Returns the body.
    pub const fn body(&self) -> &BodyDecoder {
        &self.body
    }

    pub(crate) fn take_body<T>(&mut self, read: Option<Result<T, DecodeError>>) -> Option<T> {
        match read {
            Some(Ok(value)) => return Some(value),
            Some(Err(error)) => {
                for (field, message) in error.field_errors() {
                    self.field_error(BODY, field.to_owned(), message.to_owned());
                }
            }
            None => self.wrong_media = true,
        }
        None
    }

    /// Checks a decoded parameter or body.
    pub fn check<T: Validate>(
        &mut self,
        place: &'static str,
        key: &'static str,
        value: &Option<T>,
        rules: &[Rule],
    ) {
        let mut checker = Checker::default();
        checker.part(place, key, value, rules);
        for error in checker.into_field_errors() {
            short::add(&mut self.field_errors, &mut self.budget, error);
        }
    }

    /// Adds a field error. Up to 64 KiB of errors are kept; a last one states that there are more.
    pub fn field_error(&mut self, place: &'static str, field: String, message: String) {
        let error = FieldError::new(field, message).placed(place);
        short::add(&mut self.field_errors, &mut self.budget, error);
    }

    /// Returns the field errors, in the order of the document.
    pub fn field_errors(&self) -> &[FieldError] {
        &self.field_errors
    }

    /// Returns whether the operation does not accept the media type of the body.
    pub const fn wrong_media(&self) -> bool {
        self.wrong_media
    }

    #[cfg(feature = "server")]
    pub(crate) fn into_field_errors(self) -> Vec<FieldError> {
        self.field_errors
    }
}
