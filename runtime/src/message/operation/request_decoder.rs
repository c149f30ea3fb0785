//! Decoding of requests.

use super::OperationMeta;
use super::body::BodyDecoder;
use crate::message::media;
use crate::message::wire::{Encoded, Sources, header, query, template};
use crate::values::check::Checker;
use crate::values::short::{self, Budget};
use crate::values::{BODY, DecodeError, FieldError, Leniencies, Rule, Strictness, Validate};
use bytes::Bytes;
use http::HeaderMap;
use http::header::{CONTENT_LENGTH, CONTENT_TYPE, TRANSFER_ENCODING};

/// A decoder of a request.
#[derive(Debug)]
pub struct RequestDecoder<'a> {
    meta: &'static OperationMeta,
    path: template::Variables<'a>,
    query: query::Pairs<'a>,
    whole_query: &'a str,
    headers: &'a HeaderMap,
    body: BodyDecoder,
    encoded: Encoded,
    /// The checker of the rules. It is empty between two parts.
    checker: Checker,
    strictness: Strictness,
    field_errors: Vec<FieldError>,
    /// The leniencies that together accept the request so far; `None` if an error remains.
    leniencies: Option<Leniencies>,
    budget: Budget,
    wrong_media: bool,
}

impl<'a> RequestDecoder<'a> {
    /// Creates a decoder from the parts of a request. `path` is matched with the path of the
    /// operation, without a prefix. Returns `None` if it does not match.
    pub fn new(
        meta: &'static OperationMeta,
        path: &'a str,
        query: Option<&'a str>,
        headers: &'a HeaderMap,
        body: Bytes,
    ) -> Option<Self> {
        let variables = template::variables(path, meta.path)?;
        let content_type = header::text(headers, CONTENT_TYPE).map(media::owned);
        let body = BodyDecoder::new(content_type, body);
        Some(Self::with_variables(meta, variables, query, headers, body))
    }

    pub(crate) fn with_variables(
        meta: &'static OperationMeta,
        path: template::Variables<'a>,
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
            checker: Checker::default(),
            strictness: Strictness::Lenient,
            field_errors: Vec::new(),
            leniencies: Some(Leniencies::default()),
            budget: Budget::default(),
            wrong_media: false,
        }
    }

    /// Enforces the document, except for the leniencies that a server enables.
    #[cfg(feature = "server")]
    pub(crate) fn strict(self, enabled: Leniencies) -> Self {
        Self {
            strictness: Strictness::Strict(enabled),
            body: self.body.strict(enabled),
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
            strictness: self.strictness,
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
                self.accepted_by(error.leniencies());
                for (field, message) in error.field_errors() {
                    self.push_error(BODY, field.to_owned(), message.to_owned());
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
        // A value that cannot be decoded is reported already.
        if let Some(value) = value {
            self.check_part(place, key, value, rules);
        }
    }

    fn check_part(&mut self, place: &'static str, key: &str, value: &dyn Validate, rules: &[Rule]) {
        // The sender of a webhook would send the same message again.
        if !self.strictness.is_strict() {
            return;
        }
        self.checker.part(place, key, value, rules);
        if self.checker.is_empty() {
            return;
        }
        self.leniencies = None;
        for error in std::mem::take(&mut self.checker).into_field_errors() {
            short::add(&mut self.field_errors, &mut self.budget, error);
        }
    }

    /// Adds a field error. Up to 64 KiB of errors are kept; a last one states that there are more.
    pub fn field_error(&mut self, place: &'static str, field: String, message: String) {
        self.leniencies = None;
        self.push_error(place, field, message);
    }

    /// Records the leniencies that accept an invalid part of the request.
    pub(crate) fn accepted_by(&mut self, leniencies: Option<Leniencies>) {
        let both = self.leniencies.zip(leniencies);
        self.leniencies = both.map(|(known, more)| known.and(more));
    }

    /// Adds a field error of a part whose leniencies are recorded.
    pub(crate) fn push_error(&mut self, place: &'static str, field: String, message: String) {
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

    /// Returns the leniencies that together accept the request; empty if there are none.
    #[cfg(feature = "server")]
    pub(crate) fn leniencies(&self) -> Leniencies {
        self.leniencies.unwrap_or_default()
    }

    #[cfg(feature = "server")]
    pub(crate) fn take_field_errors(&mut self) -> Vec<FieldError> {
        std::mem::take(&mut self.field_errors)
    }
}
