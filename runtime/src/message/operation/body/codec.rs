//! Encoding of bodies.

use super::row::{Row, RowCodec};
use super::{BodyDecoder, RawBody};
use crate::message::media;
#[cfg(feature = "server")]
use crate::message::operation::negotiate;
use crate::message::payload;
use crate::message::stream::{ByteStream, Event, Framing, Streamed};
use crate::message::wire::{Part, form, header, multipart};
#[cfg(feature = "client")]
use crate::values::Json;
use crate::values::read::{Own, ReadAs, Value};
use crate::values::{DecodeError, EncodeError, Node, WireError, to_json};
use bytes::Bytes;
use http::HeaderValue;
use serde::Serialize;
use std::borrow::Cow;

use crate::values::BODY;

/// A body of several media types: an enum with a variant for each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a body of several media types",
    label = "needs a table of `bothends_runtime::contents!`"
)]
pub trait Body: Sized {
    /// The media types.
    const MEDIA: &'static [&'static str];
    /// The media types, and whether each of them is streamed; empty if all are buffered.
    const STREAMS: &'static [(&'static str, bool)] = &[];
    /// The media types with their values, for drawing them.
    #[cfg(feature = "sample")]
    #[doc(hidden)]
    const CONTENTS: &'static [crate::message::operation::Content];

    /// Encodes the body, by one method of the encoder.
    fn encode(&self, body: &mut BodyEncoder);

    /// Decodes the body; `None` if its media type is not one of [`MEDIA`](Self::MEDIA).
    fn decode(body: &BodyDecoder) -> Option<Result<Self, DecodeError>>;
}

/// An encoder of a body.
#[derive(Debug, Default)]
pub struct BodyEncoder {
    content: Option<(HeaderValue, Bytes)>,
    stream: Option<(HeaderValue, payload::Body)>,
    error: Option<EncodeError>,
    /// The media type that a handler has set.
    stated: Option<HeaderValue>,
    /// The header `Accept` of the request.
    #[cfg(feature = "server")]
    accept: Option<HeaderValue>,
    /// Whether the media type depends on `Accept`.
    #[cfg(feature = "server")]
    varies: bool,
}

impl BodyEncoder {
    /// Encodes the body of a row.
    pub fn write<C: RowCodec<T>, T>(&mut self, row: &Row, value: &T) {
        C::write(row, value, self);
    }

    /// Sets the media type that a handler has set. It is sent if the document lists it, or a range
    /// that contains it.
    pub(crate) fn state(&mut self, media: Option<HeaderValue>) {
        self.stated = media;
    }

    /// Returns whether the media type depends on the header `Accept`.
    #[cfg(feature = "server")]
    pub(crate) const fn varies(&self) -> bool {
        self.varies
    }

    /// Sets the header `Accept`, by which one of several media types of a row is chosen.
    #[cfg(feature = "server")]
    pub(crate) fn negotiate(&mut self, accept: Option<HeaderValue>) {
        self.accept = accept;
    }

    /// Returns the media type as which the body of a row is sent: the one that the handler has set,
    /// or else the first.
    pub(crate) fn stated(&self, row: &Row) -> Cow<'static, str> {
        let stated = self.stated.as_ref().and_then(|media| media.to_str().ok());
        let is_documented = |media: &&str| names(row).any(|range| media::matches(range, media));
        match stated.filter(is_documented) {
            Some(stated) => Cow::Owned(stated.to_owned()),
            None => Cow::Borrowed(names(row).next().unwrap_or("application/octet-stream")),
        }
    }

    /// Returns the media type as which the JSON of a row is sent: the one that the handler has set,
    /// or else the one that the caller prefers. All of them are JSON of the same type.
    pub(crate) fn negotiated(&mut self, row: &Row) -> Cow<'static, str> {
        #[cfg(feature = "server")]
        if self.stated.is_none() && names(row).nth(1).is_some() {
            self.varies = true;
            let accept = self.accept.as_ref().and_then(|accept| accept.to_str().ok());
            let Some(accept) = accept else {
                return self.stated(row);
            };
            let all: Vec<&'static str> = names(row).collect();
            let chosen = negotiate::choose(accept, &all).and_then(|at| all.get(at).copied());
            return Cow::Borrowed(chosen.or_else(|| names(row).next()).unwrap_or(JSON));
        }
        self.stated(row)
    }

    /// Encodes a value as JSON.
    pub fn json<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        self.put(media, to_json(value).map(Bytes::from).map_err(failed));
    }

    /// Encodes a value as a form.
    pub fn form<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        self.form_with(media, value, &[]);
    }

    /// Encodes a value as a form, with the encodings of some properties.
    pub fn form_with<T: Serialize + ?Sized>(&mut self, media: &str, value: &T, parts: &[Part]) {
        self.write_form(media, value, (false, parts));
    }

    /// Encodes a value as a form, with the members of objects as names in brackets.
    pub fn deep_form<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        self.write_form(media, value, (true, &[]));
    }

    fn write_form<T: Serialize + ?Sized>(
        &mut self,
        media: &str,
        value: &T,
        (deep, parts): (bool, &[Part]),
    ) {
        let text = Node::new(value).and_then(|node| form::write(&node, deep, parts));
        self.put(media, text.map(Bytes::from).map_err(failed));
    }

    /// Encodes a value as text.
    pub fn text<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        let text = Node::new(value).and_then(|node| node.text());
        let media = match first(media).contains('*') {
            true => "text/plain",
            false => media,
        };
        self.put(media, text.map(Bytes::from).map_err(failed));
    }

    /// Encodes raw bytes.
    pub fn bytes<T: RawBody>(&mut self, media: &str, value: &T) {
        self.put(value.content_type().unwrap_or(media), Ok(value.bytes()));
    }

    /// Encodes a value as a multipart body.
    pub fn multipart<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        self.multipart_with(media, value, &[]);
    }

    /// Encodes a value as a multipart body, with the encodings of some parts.
    pub fn multipart_with<T: Serialize + ?Sized>(
        &mut self,
        media: &str,
        value: &T,
        parts: &[Part],
    ) {
        match Node::new(value).and_then(|node| multipart::write(&node, parts)) {
            Ok(written) => {
                let media = format!(
                    "{}; boundary={}",
                    media::essence(first(media)),
                    written.boundary
                );
                match written.body {
                    multipart::Whole::Bytes(bytes) => self.put(&media, Ok(bytes)),
                    multipart::Whole::Stream(body) => self.stream(&media, body),
                }
            }
            Err(error) => self.fail(failed(error)),
        }
    }

    /// Encodes items as lines of JSON.
    pub fn lines<T>(&mut self, media: &str, items: &Streamed<T>)
    where
        T: Serialize + Value + 'static,
    {
        self.lines_as::<T, Own>(media, items);
    }

    pub(crate) fn lines_as<T: Serialize + 'static, R: ReadAs<T>>(
        &mut self,
        media: &str,
        items: &Streamed<T>,
    ) {
        self.stream(media, items.body(Framing::lines::<R>()));
    }

    /// Encodes items as a sequence of JSON texts (RFC 7464).
    pub fn sequence<T>(&mut self, media: &str, items: &Streamed<T>)
    where
        T: Serialize + Value + 'static,
    {
        self.sequence_as::<T, Own>(media, items);
    }

    pub(crate) fn sequence_as<T: Serialize + 'static, R: ReadAs<T>>(
        &mut self,
        media: &str,
        items: &Streamed<T>,
    ) {
        self.stream(media, items.body(Framing::sequence::<R>()));
    }

    /// Encodes items as server-sent events.
    pub fn events<T>(&mut self, media: &str, items: &Streamed<Event<T>>)
    where
        T: Serialize + Value + 'static,
    {
        self.events_as::<T, Own>(media, items);
    }

    pub(crate) fn events_as<T: Serialize + 'static, R: ReadAs<T>>(
        &mut self,
        media: &str,
        items: &Streamed<Event<T>>,
    ) {
        self.events_up_to::<T, R>(media, items, "");
    }

    /// Encodes items as server-sent events, followed by an event whose data is `end`. If `end` is
    /// empty, no such event is sent.
    pub fn events_until<T>(&mut self, media: &str, items: &Streamed<Event<T>>, end: &'static str)
    where
        T: Serialize + Value + 'static,
    {
        self.events_up_to::<T, Own>(media, items, end);
    }

    pub(crate) fn events_up_to<T: Serialize + 'static, R: ReadAs<T>>(
        &mut self,
        media: &str,
        items: &Streamed<Event<T>>,
        end: &'static str,
    ) {
        self.stream(media, items.body(Framing::events::<R>().until(end)));
    }

    /// Encodes bytes, buffered or streamed, with the media type of the value, or else the first of
    /// `media`.
    pub fn chunks(&mut self, media: &str, value: &ByteStream) {
        let first = first(media);
        let media = match value.content_type() {
            Some(own) => own,
            None if first.contains('*') && !matches!(first, "*/*" | "application/*" | "text/*") => {
                let why = format!("{first} is a range: set the type by `with_content_type`");
                return self.fail(EncodeError::new("content-type", why));
            }
            None => first,
        };
        match value.outgoing() {
            Ok(Ok(bytes)) => self.put(media, Ok(bytes)),
            Ok(Err(body)) => self.stream(media, body),
            Err(error) => self.fail(error),
        }
    }

    /// Sets a member of a JSON body, by its JSON pointer. A request without a body gets one.
    #[cfg(feature = "client")]
    pub(crate) fn set(&mut self, pointer: &str, value: &Json) {
        let (media, bytes) = match self.content.take() {
            Some((media, bytes)) => (media, bytes),
            None => (HeaderValue::from_static(JSON), Bytes::from_static(b"{}")),
        };
        let mut body: Json = serde_json::from_slice(&bytes).unwrap_or_default();
        let mut target = &mut body;
        for segment in pointer.split('/').skip(1) {
            let segment = segment.replace("~1", "/").replace("~0", "~");
            if !target.is_object() {
                *target = Json::Object(serde_json::Map::new());
            }
            target = &mut target[segment];
        }
        target.clone_from(value);
        self.content = Some((media, Bytes::from(body.to_string())));
    }

    fn stream(&mut self, media: &str, body: payload::Body) {
        match header::value("content-type", concrete(media)) {
            Ok(media) => self.stream = Some((media, body)),
            Err(error) => self.fail(error),
        }
    }

    /// Returns the length of the body in bytes; `None` if it is not known in advance.
    pub(crate) fn length(&self) -> Option<u64> {
        match (&self.stream, &self.content) {
            (Some((_, body)), _) => http_body::Body::size_hint(body).exact(),
            (None, Some((_, bytes))) => u64::try_from(bytes.len()).ok(),
            (None, None) => Some(0),
        }
    }

    /// Takes the streamed body, if there is one.
    #[cfg(any(feature = "client", feature = "server"))]
    pub(crate) const fn take_stream(&mut self) -> Option<(HeaderValue, payload::Body)> {
        self.stream.take()
    }

    fn put(&mut self, media: &str, bytes: Result<Bytes, EncodeError>) {
        let media = match media {
            // The most common type needs neither a check nor a copy.
            JSON => Ok(HeaderValue::from_static(JSON)),
            _ => header::value("content-type", concrete(media)),
        };
        match media.and_then(|media| Ok((media, bytes?))) {
            Ok(content) => self.content = Some(content),
            Err(error) => self.fail(error),
        }
    }

    /// Records that the body cannot be encoded.
    pub fn fail(&mut self, error: EncodeError) {
        self.error.get_or_insert(error);
    }

    /// Takes the encoded body, if there is one.
    pub(crate) fn take(&mut self) -> Result<Option<(HeaderValue, Bytes)>, EncodeError> {
        match self.error.take() {
            Some(error) => Err(error),
            None => Ok(match self.stream.take() {
                Some((media, body)) => body.into_bytes().ok().map(|bytes| (media, bytes)),
                None => self.content.take(),
            }),
        }
    }
}

const JSON: &str = "application/json";

/// Returns the documented media types of a row.
fn names(row: &Row) -> impl Iterator<Item = &'static str> {
    row.media.iter().copied().flat_map(media::each)
}

/// Returns the first of several media types, which are separated by commas.
fn first(media: &str) -> &str {
    media::each(media).next().unwrap_or(media)
}

/// Returns a concrete media type to send for one of the document, which may be a range with `*`.
fn concrete(media: &str) -> &str {
    let media = first(media);
    match media::essence(media) {
        "text/*" => "text/plain",
        essence if essence.contains('*') => "application/octet-stream",
        _ => media,
    }
}

fn failed(error: WireError) -> EncodeError {
    EncodeError::new(
        error.field(if error.path.is_empty() { BODY } else { "" }),
        error.message,
    )
}
