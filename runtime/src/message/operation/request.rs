//! Encoding of requests.

use super::OperationMeta;
use super::body::BodyEncoder;
use crate::message::wire::{Expanded, Place, header, percent, template};
#[cfg(feature = "client")]
use crate::message::wire::{percent::Keep, query};
use crate::values::EncodeError;
#[cfg(feature = "client")]
use crate::values::Json;
use bytes::Bytes;
use http::header::{CONTENT_LENGTH, TRANSFER_ENCODING};
use http::{HeaderMap, HeaderName, HeaderValue};
use std::ops::Range;

/// An encoder of a request.
#[derive(Debug)]
pub struct RequestEncoder {
    meta: &'static OperationMeta,
    /// The variables of the path, each with the range of its encoded value in `values`.
    path: Vec<(&'static str, Range<usize>)>,
    values: String,
    query: String,
    cookies: String,
    headers: HeaderMap,
    body: BodyEncoder,
    error: Option<EncodeError>,
    /// A path and a query in place of those of the operation, its server's path included.
    #[cfg(feature = "client")]
    aim: Option<String>,
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

/// An encoded request whose path and query are one text.
pub(crate) struct RequestParts {
    pub(crate) target: Target,
    pub(crate) cookies: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Option<(HeaderValue, Bytes)>,
}

/// A path and a query in one text.
#[derive(Debug, Default)]
pub(crate) struct Target {
    text: String,
    /// The length of the path.
    path: usize,
}

impl Target {
    /// Returns the query, without its `?`.
    #[cfg(feature = "client")]
    pub(crate) fn query(&self) -> &str {
        self.text.get(self.path + 1..).unwrap_or_default()
    }

    /// Begins the next pair of the query.
    pub(crate) fn begin_pair(&mut self) -> &mut String {
        let mark = if self.text.len() == self.path {
            '?'
        } else {
            '&'
        };
        self.text.push(mark);
        &mut self.text
    }

    #[cfg(feature = "client")]
    pub(crate) fn into_text(self) -> String {
        self.text
    }

    fn split(mut self) -> (String, String) {
        let query = match self.text.get(self.path + 1..) {
            Some(query) => query.to_owned(),
            None => String::new(),
        };
        self.text.truncate(self.path);
        (self.text, query)
    }
}

impl RequestEncoder {
    /// Creates an encoder for an operation.
    pub fn new(meta: &'static OperationMeta) -> Self {
        Self {
            meta,
            path: Vec::new(),
            values: String::new(),
            query: String::new(),
            cookies: String::new(),
            headers: HeaderMap::new(),
            body: BodyEncoder::default(),
            error: None,
            #[cfg(feature = "client")]
            aim: None,
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

    /// Writes a text as a path variable in the style `simple`. Returns `false` if this needs a
    /// closer look, and then writes nothing.
    pub(crate) fn put_in_path(&mut self, key: &'static str, text: &str) -> bool {
        if text.is_empty() || !template::is_segment(self.meta.path, key) {
            return false;
        }
        let start = self.values.len();
        percent::encode_unreserved(&mut self.values, text);
        self.path.push((key, start..self.values.len()));
        true
    }

    /// Writes a text as a pair of the query.
    pub(crate) fn put_in_query(&mut self, key: &'static str, text: &str) -> bool {
        if self.query.is_empty() {
            self.query.reserve(key.len() + text.len() + QUERY);
        } else {
            self.query.push('&');
        }
        percent::encode_unreserved(&mut self.query, key);
        self.query.push('=');
        percent::encode_unreserved(&mut self.query, text);
        true
    }

    /// Writes a text as a header.
    pub(crate) fn put_in_header(&mut self, key: &'static str, text: &str) -> bool {
        let value = header::value(key, text);
        let name = HeaderName::from_bytes(key.as_bytes())
            .map_err(|_| EncodeError::new(key, "this cannot be the name of a header"));
        match name.and_then(|name| Ok((name, value?))) {
            Ok((name, value)) => drop(self.headers.append(name, value)),
            Err(error) => self.fail(error),
        }
        true
    }

    pub(crate) fn add(&mut self, place: Place, key: &'static str, value: Expanded) {
        match (place, value) {
            (Place::Path, value) => {
                let start = self.values.len();
                self.values.push_str(&value.into_text());
                self.path.push((key, start..self.values.len()));
            }
            (Place::Header, value) => drop(self.put_in_header(key, &value.into_text())),
            (Place::Query, Expanded::Pairs(pairs)) => join(&mut self.query, "&", &pairs),
            (Place::Cookie, Expanded::Pairs(pairs)) => join(&mut self.cookies, "; ", &pairs),
            (Place::QueryString, value) => self.query = value.into_text(),
            (Place::Query | Place::Cookie, Expanded::Text(_)) => {}
        }
    }

    /// Returns the encoded variables of the path.
    pub(crate) fn variables(&self) -> impl Iterator<Item = (&'static str, &str)> {
        let value = |range: &Range<usize>| self.values.get(range.clone()).unwrap_or_default();
        self.path
            .iter()
            .map(move |(name, range)| (*name, value(range)))
    }

    fn variable(&self, name: &str) -> Option<&str> {
        let mut variables = self.variables();
        variables.find(|(key, _)| *key == name).map(|found| found.1)
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
        self.finish_at("")
    }

    /// Returns the encoded request, with the path of its server before its own.
    pub(crate) fn finish_at(mut self, base: &str) -> Result<EncodedRequest, EncodeError> {
        let parts = self.take_parts(base)?;
        let (path, query) = parts.target.split();
        Ok(EncodedRequest {
            path,
            query,
            cookies: parts.cookies,
            headers: parts.headers,
            body: parts.body,
        })
    }

    /// Takes the encoded request, with the path of its server before its own.
    ///
    /// # Errors
    ///
    /// Returns an error if a parameter or the body cannot be encoded.
    pub(crate) fn take_parts(&mut self, base: &str) -> Result<RequestParts, EncodeError> {
        if let Some(error) = self.error.take() {
            return Err(error);
        }
        let target = self.target(base)?;
        if !self.cookies.is_empty() {
            header::value("cookie", &self.cookies)?;
        }
        check_framing(&self.headers, &self.body)?;
        Ok(RequestParts {
            target,
            cookies: std::mem::take(&mut self.cookies),
            headers: std::mem::take(&mut self.headers),
            body: self.body.take()?,
        })
    }

    fn target(&self, base: &str) -> Result<Target, EncodeError> {
        #[cfg(feature = "client")]
        if let Some(text) = &self.aim {
            let path = text.find('?').unwrap_or(text.len());
            let text = text.clone();
            return Ok(Target { text, path });
        }
        let value = |name: &str| self.variable(name);
        let missing = |name| EncodeError::new(name, "the path has no value for it");
        let (path, query) = template::parts(self.meta.path);
        let length = base.len() + self.meta.path.len() + self.values.len() + self.query.len();
        let mut text = String::with_capacity(length + QUERY);
        text.push_str(base);
        template::fill(&mut text, path, value).map_err(missing)?;
        let mut target = Target {
            path: text.len(),
            text,
        };
        self.check_dots(target.text.get(base.len()..).unwrap_or_default())?;
        if !query.is_empty() {
            template::fill_query(target.begin_pair(), query, value).map_err(missing)?;
        }
        if !self.query.is_empty() {
            target.begin_pair().push_str(&self.query);
        }
        Ok(target)
    }

    /// Returns an error for a path with a segment `.` or `..` that is not in the document:
    /// intermediaries remove such a segment, and the one before it.
    fn check_dots(&self, path: &str) -> Result<(), EncodeError> {
        // Variables are not empty, so one of them is part of such a segment.
        let dots = |text: &str| matches!(text, "." | "..");
        if self.variables().any(|(_, value)| dots(value))
            && path.split('/').any(dots)
            && !self.meta.path.split('/').any(dots)
        {
            return Err(EncodeError::new(
                "path",
                "a segment of the path cannot be `.` or `..`",
            ));
        }
        Ok(())
    }
}

/// Returns a scalar as the text of a parameter.
#[cfg(feature = "client")]
pub(crate) fn text_of(value: &Json) -> String {
    match value {
        Json::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// Changes of a request that is otherwise that of the caller: the request for another page of a list.
#[cfg(feature = "client")]
impl RequestEncoder {
    /// Sends the request to a path and a query in place of those of the operation.
    pub(crate) fn aim(&mut self, target: String) {
        self.aim = Some(target);
    }

    /// Sets a parameter, or a member of a JSON body, in place of its values.
    pub(crate) fn replace(&mut self, place: &str, name: &'static str, value: &Json) {
        let text = text_of(value);
        match place {
            "query" => {
                self.keep_in_query(|known| known != name);
                self.put_in_query(name, &text);
            }
            "header" => {
                self.headers.remove(name);
                self.put_in_header(name, &text);
            }
            _ => self.body.set(name, value),
        }
    }

    /// Removes a header.
    pub(crate) fn remove_header(&mut self, name: &str) {
        self.headers.remove(name);
    }

    /// Removes the pairs of the query whose names are not to be kept.
    pub(crate) fn keep_in_query(&mut self, is_kept: impl Fn(&str) -> bool) {
        let pairs = query::pairs(&self.query).into_iter();
        let kept = pairs.filter(|(name, _)| is_kept(name));
        let kept: Vec<String> = kept
            .map(|(name, value)| format!("{}={value}", percent::encode(&name, Keep::UNRESERVED)))
            .collect();
        self.query = kept.join("&");
    }
}

/// The room for pairs that are added to a query, so that they rarely need a larger buffer.
const QUERY: usize = 64;

/// Checks that the headers which delimit an HTTP message agree with the body: two peers that
/// interpret them differently read different messages (RFC 9112, section 11.2).
fn check_framing(headers: &HeaderMap, body: &BodyEncoder) -> Result<(), EncodeError> {
    if headers.is_empty() {
        return Ok(());
    }
    if headers.contains_key(TRANSFER_ENCODING) {
        return Err(EncodeError::new(
            TRANSFER_ENCODING.as_str(),
            "only the transport can say this",
        ));
    }
    if !headers.contains_key(CONTENT_LENGTH) {
        return Ok(());
    }
    let length = match body.length() {
        Some(length) => length.to_string(),
        None => "an unknown number of".to_owned(),
    };
    let is_length = |value: &HeaderValue| value.as_bytes() == length.as_bytes();
    if headers.get_all(CONTENT_LENGTH).iter().all(is_length) {
        return Ok(());
    }
    Err(EncodeError::new(
        CONTENT_LENGTH.as_str(),
        format!("the body has {length} bytes"),
    ))
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
