//! Decoding of bodies.

use super::RawBody;
use super::row::{Row, RowCodec};
use crate::message::media;
use crate::message::media::{Reading, Syntax};
#[cfg(feature = "check-responses")]
use crate::message::operation::findings::{Findings, ResponsePart};
use crate::message::payload;
use crate::message::stream;
use crate::message::stream::{ByteStream, Event, Framing, Reopen, Streamed};
use crate::message::wire::{Part, form, multipart};
use crate::values::BODY;
#[cfg(feature = "server")]
use crate::values::Leniencies;
use crate::values::read::{FieldErrors, Own, ReadAs, Value};
use crate::values::{DecodeError, Node, Rule, Strictness, WireError, read};
use bytes::Bytes;
use serde::Serialize;
use std::borrow::Cow;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

fn lock(live: &Mutex<Live>) -> MutexGuard<'_, Live> {
    live.lock().unwrap_or_else(PoisonError::into_inner)
}

fn unreadable(field_errors: FieldErrors) -> DecodeError {
    DecodeError::from_fields(field_errors, BODY)
}

/// A decoder of a body.
#[derive(Debug, Clone, Default)]
pub struct BodyDecoder {
    content_type: Option<Cow<'static, str>>,
    reading: Reading,
    bytes: Bytes,
    strictness: Strictness,
    live: Option<Arc<Mutex<Live>>>,
    /// Where the mismatches of a checked response are recorded.
    #[cfg(feature = "check-responses")]
    findings: Option<Arc<Findings>>,
}

/// A streamed body.
#[derive(Default)]
struct Live {
    /// What has not been read.
    rest: payload::Body,
    /// What opens a stream of events again.
    reopen: Option<Box<dyn Reopen>>,
}

impl fmt::Debug for Live {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Live").field(&self.rest).finish()
    }
}

impl BodyDecoder {
    pub(crate) const fn new(content_type: Option<Cow<'static, str>>, bytes: Bytes) -> Self {
        Self {
            content_type,
            reading: Reading::Strict,
            bytes,
            strictness: Strictness::Lenient,
            live: None,
            #[cfg(feature = "check-responses")]
            findings: None,
        }
    }

    /// Reads a response by the document, and records its mismatches.
    #[cfg(feature = "check-responses")]
    pub(crate) fn checked(self, findings: Arc<Findings>) -> Self {
        Self {
            strictness: Strictness::Response,
            findings: Some(findings),
            ..self
        }
    }

    /// Returns where the mismatches of a checked response are recorded.
    #[cfg(feature = "check-responses")]
    pub(crate) fn findings(&self) -> Option<&Findings> {
        self.findings.as_deref()
    }

    /// Enforces the document, except for the leniencies that a server enables.
    #[cfg(feature = "server")]
    pub(crate) fn strict(self, enabled: Leniencies) -> Self {
        Self {
            reading: Reading::new(enabled),
            strictness: Strictness::Strict(enabled),
            ..self
        }
    }

    /// Decodes leniently, as is done for a response.
    pub(crate) fn lenient(self) -> Self {
        Self {
            reading: Reading::Lenient,
            ..self
        }
    }

    /// Creates a decoder of a body that is still being received.
    #[cfg(any(feature = "client", feature = "server"))]
    pub(crate) fn live(content_type: Option<Cow<'static, str>>, body: payload::Body) -> Self {
        Self {
            content_type,
            reading: Reading::Strict,
            bytes: Bytes::new(),
            strictness: Strictness::Lenient,
            live: Some(Arc::new(Mutex::new(Live {
                rest: body,
                reopen: None,
            }))),
            #[cfg(feature = "check-responses")]
            findings: None,
        }
    }

    /// Sets what opens a streamed body again.
    #[cfg(feature = "retries")]
    pub(crate) fn reopened_by(&self, reopen: Box<dyn Reopen>) {
        if let Some(live) = &self.live {
            lock(live).reopen = Some(reopen);
        }
    }

    /// Takes the body of a stream of events.
    ///
    /// # Errors
    ///
    /// Returns an error if the body has another media type.
    #[cfg(feature = "retries")]
    pub(crate) fn take_events(&self) -> Result<payload::Body, DecodeError> {
        self.expect(Syntax::Events)?;
        Ok(self.body())
    }

    /// Returns whether the body is still being received.
    #[cfg(all(feature = "client", feature = "check-responses"))]
    pub(crate) const fn is_live(&self) -> bool {
        self.live.is_some()
    }

    /// Takes the unread rest of a streamed body.
    #[cfg(feature = "client")]
    pub(crate) fn take_live(&self) -> Option<payload::Body> {
        self.live.as_ref()?;
        let body = self.body();
        (!http_body::Body::is_end_stream(&body)).then_some(body)
    }

    fn body(&self) -> payload::Body {
        match &self.live {
            None => payload::Body::from(self.bytes.clone()),
            Some(live) => std::mem::take(&mut lock(live).rest),
        }
    }

    /// Decodes the body as lines of JSON.
    pub fn lines<T>(&self) -> Result<Streamed<T>, DecodeError>
    where
        T: Serialize + Value + 'static,
    {
        self.lines_as::<T, Own>()
    }

    pub(crate) fn lines_as<T: Serialize + 'static, R: ReadAs<T>>(
        &self,
    ) -> Result<Streamed<T>, DecodeError> {
        self.expect(Syntax::Lines)?;
        Ok(self.items(Framing::lines::<R>(), None))
    }

    /// Decodes the body as a sequence of JSON texts (RFC 7464).
    pub fn sequence<T>(&self) -> Result<Streamed<T>, DecodeError>
    where
        T: Serialize + Value + 'static,
    {
        self.sequence_as::<T, Own>()
    }

    pub(crate) fn sequence_as<T: Serialize + 'static, R: ReadAs<T>>(
        &self,
    ) -> Result<Streamed<T>, DecodeError> {
        self.expect(Syntax::Sequence)?;
        Ok(self.items(Framing::sequence::<R>(), None))
    }

    /// Decodes the body as server-sent events. The events of a response end at `[DONE]`, the data
    /// that many services send last.
    pub fn events<T>(&self) -> Result<Streamed<Event<T>>, DecodeError>
    where
        T: Serialize + Value + 'static,
    {
        self.events_as::<T, Own>()
    }

    pub(crate) fn events_as<T: Serialize + 'static, R: ReadAs<T>>(
        &self,
    ) -> Result<Streamed<Event<T>>, DecodeError> {
        self.events_up_to::<T, R>(match self.reading {
            Reading::Lenient => stream::DONE,
            Reading::Strict | Reading::StrictButBytes => "",
        })
    }

    /// Decodes the body as server-sent events, up to an event whose data is `end`. If `end` is
    /// empty, events are decoded up to the end of the body.
    pub fn events_until<T>(&self, end: &'static str) -> Result<Streamed<Event<T>>, DecodeError>
    where
        T: Serialize + Value + 'static,
    {
        self.events_up_to::<T, Own>(end)
    }

    pub(crate) fn events_up_to<T: Serialize + 'static, R: ReadAs<T>>(
        &self,
        end: &'static str,
    ) -> Result<Streamed<Event<T>>, DecodeError> {
        self.expect(Syntax::Events)?;
        let reopen = self.live.as_ref().and_then(|live| lock(live).reopen.take());
        Ok(self.items(Framing::events::<R>().until(end), reopen))
    }

    fn items<T: 'static>(
        &self,
        framing: Framing<T>,
        reopen: Option<Box<dyn Reopen>>,
    ) -> Streamed<T> {
        let framing = framing.with_strictness(self.strictness);
        Streamed::read(self.body(), framing, reopen)
    }

    /// Returns an error for a body of another media type. Without this check, some decoders would
    /// return an empty value instead of an error.
    fn expect(&self, syntax: Syntax) -> Result<(), DecodeError> {
        match self.content_type() {
            Some(media) if !syntax.reads(media) => Err(DecodeError::new(
                "content-type",
                format!("{media} is not expected here"),
            )),
            _ => Ok(()),
        }
    }

    /// Returns the body as bytes, which may be streamed.
    pub fn chunks(&self) -> Result<ByteStream, DecodeError> {
        Ok(ByteStream::incoming(self.body(), self.content_type()))
    }

    /// Returns whether the body is that of a response of JSON.
    pub(crate) fn is_json_response(&self) -> bool {
        self.reading == Reading::Lenient && self.content_type().is_some_and(media::is_json)
    }

    /// Returns the media type as it was received.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// Returns whether the media type matches `media`, which may contain several types, separated
    /// by commas, and ranges with `*`. A body without a media type matches any.
    pub fn is(&self, media: &str) -> bool {
        let matches = |received| media::each(media).any(|media| media::matches(media, received));
        self.content_type().is_none_or(matches)
    }

    /// Returns the index of the media type by which the body is decoded; `None` if no entry
    /// matches. Each entry may contain several types, separated by commas.
    ///
    /// A body without a media type is of the first, and JSON under any name is JSON (RFC 6839). A
    /// client also decodes undocumented types, because it cannot ask for the response in another
    /// format: as a documented type of the same kind (`image/webp` as `image/png`), as
    /// `application/octet-stream`, or as the first type that is not a form, a multipart body or a
    /// stream of items.
    pub fn select(&self, documented: &[&str]) -> Option<usize> {
        media::choose(
            documented.iter().copied(),
            self.content_type(),
            self.reading,
        )
    }

    /// Returns whether the body is decoded as this media type, or as one of several that are
    /// separated by commas.
    pub(crate) fn is_read_as(&self, media: &str) -> bool {
        self.select(&[media]).is_some()
    }

    /// Returns whether there is a body: bytes, or a media type without bytes.
    pub fn is_present(&self) -> bool {
        !self.is_empty() || self.content_type.is_some()
    }

    /// Returns whether the body has no bytes.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.live.is_none()
    }

    /// Returns the bytes as they were received.
    pub const fn raw(&self) -> &Bytes {
        &self.bytes
    }

    /// Decodes the body of a row.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is not of the type `T`.
    pub fn read<C: RowCodec<T>, T>(&self, row: &Row) -> Result<T, DecodeError> {
        C::read(row, self)
    }

    /// Decodes the body as JSON.
    pub fn json<T: Value>(&self) -> Result<T, DecodeError> {
        self.json_as::<T, Own>(&[])
    }

    /// Decodes the body as a form.
    pub fn form<T: Value>(&self) -> Result<T, DecodeError> {
        self.form_as::<T, Own>(&[], &[])
    }

    /// Decodes the body as a form, with the encodings of some properties.
    pub fn form_with<T: Value>(&self, parts: &[Part]) -> Result<T, DecodeError> {
        self.form_as::<T, Own>(parts, &[])
    }

    /// Decodes the body as a form, with the members of objects as names in brackets.
    pub fn deep_form<T: Value>(&self) -> Result<T, DecodeError> {
        self.deep_form_as::<T, Own>()
    }

    /// Decodes the body as text.
    pub fn text<T: Value>(&self) -> Result<T, DecodeError> {
        self.text_as::<T, Own>(&[])
    }

    /// Decodes the body as raw bytes.
    pub fn bytes<T: RawBody>(&self) -> Result<T, DecodeError> {
        T::from_bytes(self.bytes.clone(), self.content_type())
    }

    /// Decodes a multipart body.
    pub fn multipart<T: Value>(&self) -> Result<T, DecodeError> {
        self.multipart_as::<T, Own>(&[], &[])
    }

    /// Decodes a multipart body, with the encodings of some parts.
    pub fn multipart_with<T: Value>(&self, parts: &[Part]) -> Result<T, DecodeError> {
        self.multipart_as::<T, Own>(parts, &[])
    }

    pub(crate) fn json_as<T, R: ReadAs<T>>(&self, rules: &[Rule]) -> Result<T, DecodeError> {
        self.read_as::<T, R>(read::json::<T, R>(self.str()?, self.strictness), rules)
    }

    pub(crate) fn form_as<T, R: ReadAs<T>>(
        &self,
        parts: &[Part],
        rules: &[Rule],
    ) -> Result<T, DecodeError> {
        self.expect(Syntax::Form)?;
        self.node_as::<T, R>(form::read(self.str()?, false, parts), rules)
    }

    pub(crate) fn deep_form_as<T, R: ReadAs<T>>(&self) -> Result<T, DecodeError> {
        self.expect(Syntax::Form)?;
        self.node_as::<T, R>(form::read(self.str()?, true, &[]), &[])
    }

    pub(crate) fn text_as<T, R: ReadAs<T>>(&self, rules: &[Rule]) -> Result<T, DecodeError> {
        self.node_as::<T, R>(Ok(Node::Text(self.str()?.to_owned())), rules)
    }

    pub(crate) fn multipart_as<T, R: ReadAs<T>>(
        &self,
        parts: &[Part],
        rules: &[Rule],
    ) -> Result<T, DecodeError> {
        let content_type = self.content_type().unwrap_or_default();
        self.node_as::<T, R>(multipart::read(&self.bytes, content_type, parts), rules)
    }

    fn node_as<T, R: ReadAs<T>>(
        &self,
        node: Result<Node, WireError>,
        rules: &[Rule],
    ) -> Result<T, DecodeError> {
        let node = node.map_err(|error| unreadable(error.into()))?;
        self.read_as::<T, R>(read::texts::<T, R>(&node, self.strictness), rules)
    }

    /// Returns a decoded value. If the response is checked, its mismatches are recorded.
    #[cfg_attr(
        not(feature = "check-responses"),
        allow(unused_variables, clippy::extra_unused_type_parameters)
    )]
    fn read_as<T, R: ReadAs<T>>(
        &self,
        read: Result<T, FieldErrors>,
        rules: &[Rule],
    ) -> Result<T, DecodeError> {
        #[cfg(feature = "check-responses")]
        if let Some(findings) = &self.findings {
            findings.part::<T, R>(ResponsePart::Body, read.as_ref(), rules);
        }
        read.map_err(unreadable)
    }

    /// Returns the same body, whose mismatches are not recorded.
    pub(crate) fn unchecked(&self) -> Self {
        Self {
            #[cfg(feature = "check-responses")]
            findings: None,
            ..self.clone()
        }
    }

    fn str(&self) -> Result<&str, DecodeError> {
        // ASCII is the same in every charset that is in use.
        if !self.bytes.is_ascii()
            && let Some(charset) = self.content_type().and_then(media::other_charset)
        {
            let message = format!("is of the charset {charset}, and only UTF-8 is read");
            return Err(DecodeError::new(BODY, message));
        }
        std::str::from_utf8(&self.bytes).map_err(|_| DecodeError::new(BODY, "is not UTF-8"))
    }
}
