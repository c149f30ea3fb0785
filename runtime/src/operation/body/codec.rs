//! Writing bodies.

use super::{BodyDecoder, RawBody};
use crate::operation::row::{Row, RowCodec};
use crate::payload;
use crate::stream::{ByteStream, Event, Framing, Streamed};
use crate::wire::{
    DecodeError, EncodeError, Node, Part, WireError, form, header, media, multipart, to_json,
};
use bytes::Bytes;
use http::HeaderValue;
use serde::Serialize;
use serde::de::DeserializeOwned;

/// How a error of the body as a whole is called.
pub(crate) const BODY: &str = "body";

/// A body of several media types: an enum with a variant for each.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a body of several media types",
    label = "needs a table of `bothends_runtime::contents!`"
)]
pub trait Body: Sized {
    /// The media types.
    const MEDIA: &'static [&'static str];
    /// The media types, and whether one of them is read as it arrives; empty when all are read whole.
    const STREAMS: &'static [(&'static str, bool)] = &[];

    /// Writes it, with one method of the encoder.
    fn encode(&self, body: &mut BodyEncoder);

    /// Reads it; `None` when its media type is none of those that there are.
    fn decode(body: &BodyDecoder) -> Option<Result<Self, DecodeError>>;
}

/// Where a body is written.
#[derive(Debug, Default)]
pub struct BodyEncoder {
    content: Option<(HeaderValue, Bytes)>,
    stream: Option<(HeaderValue, payload::Body)>,
    error: Option<EncodeError>,
}

impl BodyEncoder {
    /// Writes the body of a row.
    pub fn write<C: RowCodec<T>, T>(&mut self, row: &Row, value: &T) {
        C::write(row, value, self);
    }

    /// As JSON.
    pub fn json<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        self.put(media, to_json(value).map(Bytes::from).map_err(failed));
    }

    /// As a form.
    pub fn form<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        self.form_with(media, value, &[]);
    }

    /// As a form of which some properties are written otherwise than all are.
    pub fn form_with<T: Serialize + ?Sized>(&mut self, media: &str, value: &T, parts: &[Part]) {
        self.write_form(media, value, (false, parts));
    }

    /// As a form whose objects are names in brackets.
    pub fn deep_form<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        self.write_form(media, value, (true, &[]));
    }

    fn write_form<T: Serialize + ?Sized>(
        &mut self,
        media: &str,
        value: &T,
        (deep, parts): (bool, &[Part]),
    ) {
        let text = Node::of(value).and_then(|node| form::write(&node, deep, parts));
        self.put(media, text.map(Bytes::from).map_err(failed));
    }

    /// As a text.
    pub fn text<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        let text = Node::of(value).and_then(|node| node.text());
        self.put(media, text.map(Bytes::from).map_err(failed));
    }

    /// As bytes.
    pub fn bytes<T: RawBody>(&mut self, media: &str, value: &T) {
        self.put(value.content_type().unwrap_or(media), Ok(value.bytes()));
    }

    /// As parts.
    pub fn multipart<T: Serialize + ?Sized>(&mut self, media: &str, value: &T) {
        self.multipart_with(media, value, &[]);
    }

    /// As parts of which some are written otherwise than all are.
    pub fn multipart_with<T: Serialize + ?Sized>(
        &mut self,
        media: &str,
        value: &T,
        parts: &[Part],
    ) {
        match Node::of(value).and_then(|node| multipart::write(&node, parts)) {
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

    /// As lines of JSON.
    pub fn lines<T>(&mut self, media: &str, items: &Streamed<T>)
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.stream(media, items.body(Framing::LINES));
    }

    /// As a sequence of JSON texts.
    pub fn sequence<T>(&mut self, media: &str, items: &Streamed<T>)
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.stream(media, items.body(Framing::SEQUENCE));
    }

    /// As events.
    pub fn events<T>(&mut self, media: &str, items: &Streamed<Event<T>>)
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.stream(media, items.body(Framing::EVENTS));
    }

    /// As events, and behind the last of them one whose data is `end`; an empty `end` sends none.
    pub fn events_until<T>(&mut self, media: &str, items: &Streamed<Event<T>>, end: &'static str)
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.stream(media, items.body(Framing::EVENTS.until(end)));
    }

    /// As bytes, whole or in pieces, of the first of these media types or of the one that the
    /// value has.
    pub fn chunks(&mut self, media: &str, value: &ByteStream) {
        let first = first(media);
        let media = match value.content_type() {
            Some(own) => own,
            None if first.contains('*') && !matches!(first, "*/*" | "application/*") => {
                let why = format!("{first} is a range: say which type it is (`of_type`)");
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

    fn stream(&mut self, media: &str, body: payload::Body) {
        match header::value("content-type", concrete(media)) {
            Ok(media) => self.stream = Some((media, body)),
            Err(error) => self.fail(error),
        }
    }

    /// How many bytes there will be; `None` where that shows only as they come.
    pub(crate) fn length(&self) -> Option<u64> {
        match (&self.stream, &self.content) {
            (Some((_, body)), _) => http_body::Body::size_hint(body).exact(),
            (None, Some((_, bytes))) => u64::try_from(bytes.len()).ok(),
            (None, None) => Some(0),
        }
    }

    /// The body that comes item by item, if it is one.
    #[cfg(any(feature = "client", feature = "server"))]
    pub(crate) const fn take_stream(&mut self) -> Option<(HeaderValue, payload::Body)> {
        self.stream.take()
    }

    fn put(&mut self, media: &str, bytes: Result<Bytes, EncodeError>) {
        let media = header::value("content-type", concrete(media));
        match media.and_then(|media| Ok((media, bytes?))) {
            Ok(content) => self.content = Some(content),
            Err(error) => self.fail(error),
        }
    }

    /// Tells that it cannot be written.
    pub fn fail(&mut self, error: EncodeError) {
        self.error.get_or_insert(error);
    }

    pub(crate) fn finish(self) -> Result<Option<(HeaderValue, Bytes)>, EncodeError> {
        match self.error {
            Some(error) => Err(error),
            None => Ok(self.content),
        }
    }
}

/// The first of media types with commas between.
fn first(media: &str) -> &str {
    media::each(media).next().unwrap_or(media)
}

/// A media type to write for one that the document gives; one with `*` says only what it may be.
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
