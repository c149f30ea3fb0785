//! Rows of a table of responses: their statuses and the encoding of their bodies.

use super::{Body, BodyDecoder, BodyEncoder, RawBody};
use crate::message::stream::{ByteStream, Event, Streamed};
use crate::message::wire::Part;
use crate::values::read::{BySchema, Plain, PlainText, ReadAs, Schema};
use crate::values::{DecodeError, Rule};
use serde::Serialize;
use std::marker::PhantomData;

/// The statuses of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Statuses {
    first: u16,
    last: u16,
}

impl Statuses {
    /// Parses a code such as `200`, a range such as `2XX`, or `default`, which is any status.
    ///
    /// # Panics
    ///
    /// Panics if the text has none of the three forms. Tables are constants, so this is an error at
    /// compile time.
    #[expect(clippy::panic, reason = "evaluated at compile time")]
    pub const fn parse(text: &str) -> Self {
        let [first, second, third] = match text.as_bytes() {
            b"default" => {
                return Self {
                    first: 0,
                    last: 999,
                };
            }
            [first @ b'1'..=b'9', second, third] => [*first, *second, *third],
            _ => panic!("a status is a code such as 200, a range such as 2XX, or `default`"),
        };
        let hundreds = (first - b'0') as u16 * 100;
        match [second, third] {
            [b'X', b'X'] => Self {
                first: hundreds,
                last: hundreds + 99,
            },
            [b'0'..=b'9', b'0'..=b'9'] => {
                let code = hundreds + (second - b'0') as u16 * 10 + (third - b'0') as u16;
                Self {
                    first: code,
                    last: code,
                }
            }
            _ => panic!("a status is a code such as 200, a range such as 2XX, or `default`"),
        }
    }

    /// Returns whether the row contains a status.
    pub const fn contains(self, status: u16) -> bool {
        self.first <= status && status <= self.last
    }

    /// Returns the default status: the lowest one, and 200 if every status is documented.
    pub const fn usual(self) -> u16 {
        if self.first == 0 { 200 } else { self.first }
    }
}

/// A row of a table of responses.
#[derive(Debug)]
pub struct Row {
    /// The statuses of the row.
    pub statuses: Statuses,
    /// The media types of the body.
    pub media: &'static [&'static str],
    /// The media types of the body, and whether each of them is streamed; empty if all are
    /// buffered.
    pub streams: &'static [(&'static str, bool)],
    /// The properties of a form or a multipart body that have an encoding of their own.
    pub parts: &'static [Part],
    /// The data of the event that ends a stream; empty if no event does.
    pub end: Option<&'static str>,
    /// The rules of the body.
    pub rules: &'static [Rule],
}

impl Row {
    /// Creates the row of a response without a body.
    pub const fn empty(statuses: Statuses) -> Self {
        Self {
            statuses,
            media: &[],
            streams: &[],
            parts: &[],
            end: None,
            rules: &[],
        }
    }

    /// Creates the row of a response with a body of the type `T`.
    pub const fn of<C: RowCodec<T>, T>(statuses: Statuses, media: &'static [&'static str]) -> Self {
        Self {
            media: if media.is_empty() { C::MEDIA } else { media },
            streams: C::STREAMS,
            ..Self::empty(statuses)
        }
    }

    /// Sets the properties that have an encoding of their own.
    #[must_use]
    pub const fn with(self, parts: &'static [Part]) -> Self {
        Self { parts, ..self }
    }

    /// Sets the data of the event that ends the stream.
    #[must_use]
    pub const fn until(self, end: &'static str) -> Self {
        Self {
            end: Some(end),
            ..self
        }
    }

    /// Sets the rules of the body.
    #[must_use]
    pub const fn under(self, rules: &'static [Rule]) -> Self {
        Self { rules, ..self }
    }

    /// Returns the media type that is sent.
    fn written(&self) -> &'static str {
        self.media
            .first()
            .copied()
            .unwrap_or("application/octet-stream")
    }

    /// Returns whether the document states a range of media types, such as `*/*`.
    fn is_range(&self) -> bool {
        self.media.iter().any(|media| media.contains('*'))
    }

    /// Returns the row of a status.
    pub(crate) fn find(rows: &'static [Self], status: u16) -> Option<&'static Self> {
        rows.iter().find(|row| row.statuses.contains(status))
    }
}

/// The encoding of the body of a row: the meaning of the word in front of its type.
#[diagnostic::on_unimplemented(
    message = "a response body of the type `{T}` cannot be written as `{Self}`",
    note = "`json`, `form`, `text` and `multipart` take types with serde's traits, `bytes` and `chunks` \
            take bytes, `lines`, `sequence` and `events` take `Streamed`, `any` takes a type of \
            `bothends_runtime::contents!`"
)]
pub trait RowCodec<T> {
    /// The default media types.
    const MEDIA: &'static [&'static str] = &[];
    /// The default of [`Row::streams`].
    const STREAMS: &'static [(&'static str, bool)] = &[];

    /// Encodes a body.
    fn write(row: &Row, value: &T, body: &mut BodyEncoder);

    /// Decodes a body.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is not of the type `T`.
    fn read(row: &Row, body: &BodyDecoder) -> Result<T, DecodeError>;
}

/// Returns whether a body of this type is streamed.
pub const fn is_live<C: RowCodec<T>, T>() -> bool {
    !C::STREAMS.is_empty()
}

/// Returns the media types of a body, if one of them is streamed.
pub const fn streams(all: &'static [(&'static str, bool)]) -> &'static [(&'static str, bool)] {
    let mut rest = all;
    while let [(_, live), after @ ..] = rest {
        if *live {
            return all;
        }
        rest = after;
    }
    &[]
}

/// With only one media type, a body is decoded as that, whatever its `Content-Type`.
const LIVE: &[(&str, bool)] = &[("*/*", true)];

/// The words of body formats, as types.
#[expect(non_camel_case_types, reason = "they are written as words in tables")]
pub mod codec {
    use crate::values::read::{Own, Plain, PlainText};
    use std::marker::PhantomData;

    /// JSON.
    #[derive(Debug)]
    pub struct json<R = Own>(PhantomData<R>);
    /// `application/x-www-form-urlencoded`.
    #[derive(Debug)]
    pub struct form<R = Own>(PhantomData<R>);
    /// `multipart/form-data`.
    #[derive(Debug)]
    pub struct multipart<R = Own>(PhantomData<R>);
    /// Text.
    #[derive(Debug)]
    pub struct text<R = Own>(PhantomData<R>);
    /// JSON of a type that has only serde's traits.
    pub type unchecked_json = json<Plain>;
    /// A form of a type that has only serde's traits.
    pub type unchecked_form = form<Plain>;
    /// A multipart body of a type that has only serde's traits.
    pub type unchecked_multipart = multipart<Plain>;
    /// Text of a type that has only serde's traits.
    pub type unchecked_text = text<Plain>;
    /// Raw bytes.
    #[derive(Debug)]
    pub enum bytes {}
    /// Bytes, buffered or streamed.
    #[derive(Debug)]
    pub enum chunks {}
    /// Lines of JSON.
    #[derive(Debug)]
    pub struct lines<R = Own>(PhantomData<R>);
    /// A sequence of JSON texts (RFC 7464).
    #[derive(Debug)]
    pub struct sequence<R = Own>(PhantomData<R>);
    /// Server-sent events.
    #[derive(Debug)]
    pub struct events<R = Own>(PhantomData<R>);
    /// Lines of JSON of a type that has only serde's traits.
    pub type unchecked_lines = lines<Plain>;
    /// A sequence of a type that has only serde's traits.
    pub type unchecked_sequence = sequence<Plain>;
    /// Server-sent events with data of a type that has only serde's traits.
    pub type unchecked_events = events<Plain>;
    /// Server-sent events with text of a type that has only serde's traits.
    pub type unchecked_text_events = events<PlainText>;
    /// One of several media types, determined by the type.
    #[derive(Debug)]
    pub enum any {}
}

/// A codec of types that have only serde's traits.
pub trait PlainCodec {
    /// The codec with which a server checks a value by a schema first.
    type By<S>;
}

macro_rules! plain {
    ($($codec:ident)*) => {
        $(impl PlainCodec for codec::$codec<Plain> {
            type By<S> = codec::$codec<BySchema<S>>;
        })*
    };
}

plain!(json form multipart text lines sequence events);

impl PlainCodec for codec::events<PlainText> {
    type By<S> = codec::events<BySchema<S>>;
}

/// The decoding of a body of a type with a codec.
#[derive(Debug)]
pub struct Decode<C, T>(PhantomData<(C, T)>);

impl<C, T> Decode<C, T> {
    /// Creates the decoding of a type with a codec.
    pub const fn of_type() -> Self {
        Self(PhantomData)
    }

    /// Adds the schema by which a server checks the value.
    pub fn schema<S: Schema>(self, _: S) -> Decode<C::By<S>, T>
    where
        C: PlainCodec,
    {
        Decode::of_type()
    }

    /// Decodes a body.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is not of the type.
    pub fn read(self, row: &Row, body: &BodyDecoder) -> Result<T, DecodeError>
    where
        C: RowCodec<T>,
    {
        C::read(row, body)
    }
}

impl<T: Serialize, R: ReadAs<T>> RowCodec<T> for codec::json<R> {
    const MEDIA: &'static [&'static str] = &["application/json"];

    fn write(row: &Row, value: &T, body: &mut BodyEncoder) {
        let media = body.negotiated(row);
        body.json(&media, value);
    }

    fn read(row: &Row, body: &BodyDecoder) -> Result<T, DecodeError> {
        body.json_as::<T, R>(row.rules)
    }
}

impl<T: Serialize, R: ReadAs<T>> RowCodec<T> for codec::form<R> {
    const MEDIA: &'static [&'static str] = &["application/x-www-form-urlencoded"];

    fn write(row: &Row, value: &T, body: &mut BodyEncoder) {
        body.form_with(row.written(), value, row.parts);
    }

    fn read(row: &Row, body: &BodyDecoder) -> Result<T, DecodeError> {
        body.form_as::<T, R>(row.parts, row.rules)
    }
}

impl<T: Serialize, R: ReadAs<T>> RowCodec<T> for codec::multipart<R> {
    const MEDIA: &'static [&'static str] = &["multipart/form-data"];

    fn write(row: &Row, value: &T, body: &mut BodyEncoder) {
        body.multipart_with(row.written(), value, row.parts);
    }

    fn read(row: &Row, body: &BodyDecoder) -> Result<T, DecodeError> {
        body.multipart_as::<T, R>(row.parts, row.rules)
    }
}

impl<T: Serialize, R: ReadAs<T>> RowCodec<T> for codec::text<R> {
    const MEDIA: &'static [&'static str] = &["text/plain"];

    fn write(row: &Row, value: &T, body: &mut BodyEncoder) {
        let media = body.stated(row);
        body.text(&media, value);
    }

    fn read(row: &Row, body: &BodyDecoder) -> Result<T, DecodeError> {
        // A service that may answer with any type sends a text as JSON to callers of JSON. Some
        // send the text itself under this name.
        if row.is_range()
            && body.is_json_response()
            && let Ok(value) = body.unchecked().json_as::<T, R>(&[])
        {
            return Ok(value);
        }
        body.text_as::<T, R>(row.rules)
    }
}

impl<T: RawBody> RowCodec<T> for codec::bytes {
    const MEDIA: &'static [&'static str] = &["application/octet-stream"];

    fn write(row: &Row, value: &T, body: &mut BodyEncoder) {
        let media = body.stated(row);
        body.bytes(&media, value);
    }

    fn read(_: &Row, body: &BodyDecoder) -> Result<T, DecodeError> {
        body.bytes()
    }
}

impl RowCodec<ByteStream> for codec::chunks {
    const MEDIA: &'static [&'static str] = &["application/octet-stream"];
    const STREAMS: &'static [(&'static str, bool)] = LIVE;

    fn write(row: &Row, value: &ByteStream, body: &mut BodyEncoder) {
        let media = body.stated(row);
        body.chunks(&media, value);
    }

    fn read(_: &Row, body: &BodyDecoder) -> Result<ByteStream, DecodeError> {
        body.chunks()
    }
}

impl<T: Serialize + 'static, R: ReadAs<T>> RowCodec<Streamed<T>> for codec::lines<R> {
    const MEDIA: &'static [&'static str] = &["application/jsonl"];
    const STREAMS: &'static [(&'static str, bool)] = LIVE;

    fn write(row: &Row, value: &Streamed<T>, body: &mut BodyEncoder) {
        body.lines_as::<T, R>(row.written(), value);
    }

    fn read(_: &Row, body: &BodyDecoder) -> Result<Streamed<T>, DecodeError> {
        body.lines_as::<T, R>()
    }
}

impl<T: Serialize + 'static, R: ReadAs<T>> RowCodec<Streamed<T>> for codec::sequence<R> {
    const MEDIA: &'static [&'static str] = &["application/json-seq"];
    const STREAMS: &'static [(&'static str, bool)] = LIVE;

    fn write(row: &Row, value: &Streamed<T>, body: &mut BodyEncoder) {
        body.sequence_as::<T, R>(row.written(), value);
    }

    fn read(_: &Row, body: &BodyDecoder) -> Result<Streamed<T>, DecodeError> {
        body.sequence_as::<T, R>()
    }
}

impl<T: Serialize + 'static, R: ReadAs<T>> RowCodec<Streamed<Event<T>>> for codec::events<R> {
    const MEDIA: &'static [&'static str] = &["text/event-stream"];
    const STREAMS: &'static [(&'static str, bool)] = LIVE;

    fn write(row: &Row, value: &Streamed<Event<T>>, body: &mut BodyEncoder) {
        body.events_up_to::<T, R>(row.written(), value, row.end.unwrap_or_default());
    }

    fn read(row: &Row, body: &BodyDecoder) -> Result<Streamed<Event<T>>, DecodeError> {
        match row.end {
            Some(end) => body.events_up_to::<T, R>(end),
            None => body.events_as::<T, R>(),
        }
    }
}

impl<T: Body> RowCodec<T> for codec::any {
    const MEDIA: &'static [&'static str] = T::MEDIA;
    const STREAMS: &'static [(&'static str, bool)] = T::STREAMS;

    fn write(_: &Row, value: &T, body: &mut BodyEncoder) {
        value.encode(body);
    }

    fn read(_: &Row, body: &BodyDecoder) -> Result<T, DecodeError> {
        let unknown = || {
            let media = body.content_type().unwrap_or("nothing");
            DecodeError::new("content-type", format!("{media} is not expected here"))
        };
        T::decode(body).unwrap_or_else(|| Err(unknown()))
    }
}

#[cfg(test)]
mod tests {
    use super::Statuses;

    #[test]
    fn statuses_are_codes_ranges_or_default() {
        assert!(Statuses::parse("204").contains(204));
        assert!(!Statuses::parse("204").contains(200));
        let range = Statuses::parse("4XX");
        assert!(range.contains(400) && range.contains(499) && !range.contains(500));
        assert_eq!(range.usual(), 400);
        assert!(Statuses::parse("default").contains(302));
    }
}
