//! The formats of a `body` row.

use super::codec::{Body, BodyEncoder};
use super::{BodyDecoder, RawBody};
use crate::message::media;
use crate::message::operation::{RequestDecoder, RequestEncoder};
use crate::message::stream::{ByteStream, Event, Streamed};
use crate::message::wire::Part;
use crate::values::BODY;
use crate::values::DecodeError;
use crate::values::read::{BySchema, Own, Plain, ReadAs, Schema, Value};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::marker::PhantomData;

/// A body whose format is not yet chosen.
#[derive(Debug, Clone, Copy)]
pub struct BodyStyle;

/// The encoding and decoding of a type as a body.
pub trait BodyCodec<T> {
    /// Encodes a value.
    fn write(&self, media: &'static str, value: &T, body: &mut BodyEncoder);

    /// Decodes a value; `None` if the body has another media type.
    fn read(&self, media: &'static str, body: &BodyDecoder) -> Option<Result<T, DecodeError>>;

    /// Returns whether an empty body is a value: the empty text, no bytes, a form without fields,
    /// no items. In JSON and in multipart bodies it is not.
    fn takes_nothing(&self, _: &BodyDecoder) -> bool {
        false
    }
}

/// An optional body.
#[derive(Debug, Clone, Copy)]
pub struct Optional<C>(C);

macro_rules! styles {
    ($($(#[$doc:meta])* $word:ident $Style:ident;)*) => {
        impl BodyStyle {
            $($(#[$doc])*
            pub const fn $word(self) -> $Style {
                $Style
            }
            )*
        }

        $($(#[$doc])*
        #[derive(Debug, Clone, Copy)]
        pub struct $Style;

        usable!($Style);
        )*
    };
}

/// The methods of every format.
macro_rules! usable {
    ($Style:ty $(, $C:ident)*) => {
        impl<$($C),*> $Style {
            /// Reads the body by serde's traits alone, for a type that no table describes.
            pub const fn unchecked(self) -> UncheckedBody<Self>
            where
                Self: Copy,
            {
                UncheckedBody(self)
            }

            /// Makes the body optional.
            pub const fn optional(self) -> Optional<Self>
            where
                Self: Copy,
            {
                Optional(self)
            }

            /// Encodes the body.
            pub fn encode<T>(self, media: &'static str, value: &T, request: &mut RequestEncoder)
            where
                Self: BodyCodec<T>,
            {
                self.write(media, value, request.body());
            }

            /// Decodes the body; field errors are recorded in the request's decoder.
            pub fn decode<T>(
                self,
                media: &'static str,
                request: &mut RequestDecoder<'_>,
            ) -> Option<T>
            where
                Self: BodyCodec<T>,
            {
                let body = request.body();
                // A request declares a body by its length, or else by its media type.
                let is_there = body.is_present() || request.announces_body();
                if body.is_empty() && !(is_there && self.takes_nothing(body)) {
                    let why = match body.is_present() {
                        true => "is empty",
                        false => "is required",
                    };
                    request.field_error(BODY, BODY.to_owned(), why.to_owned());
                    return None;
                }
                let read = self.read(media, request.body());
                request.take_body(read)
            }
        }
    };
}

styles! {
    /// JSON.
    json JsonBody;
    /// `application/x-www-form-urlencoded`.
    form FormBody;
    /// `application/x-www-form-urlencoded`, with names in brackets.
    deep_form DeepFormBody;
    /// `multipart/form-data`.
    multipart MultipartBody;
    /// Text.
    text TextBody;
    /// Raw bytes.
    bytes BytesBody;
    /// Lines of JSON, one per item.
    lines LinesBody;
    /// A sequence of JSON texts (RFC 7464).
    sequence SequenceBody;
    /// Server-sent events.
    events EventsBody;
    /// Bytes, buffered or streamed.
    chunks ChunksBody;
    /// One of several media types, determined by the type: see [`Body`](crate::Body).
    any AnyBody;
}

impl<C> Optional<C> {
    /// Encodes the body, if there is one.
    pub fn encode<T>(self, media: &'static str, value: &Option<T>, request: &mut RequestEncoder)
    where
        C: BodyCodec<T>,
    {
        if let Some(value) = value {
            self.0.write(media, value, request.body());
        }
    }

    /// Decodes the body, if there is one; field errors are recorded in the request's decoder.
    pub fn decode<T>(
        self,
        media: &'static str,
        request: &mut RequestDecoder<'_>,
    ) -> Option<Option<T>>
    where
        C: BodyCodec<T>,
    {
        let body = request.body();
        // Many clients send a length of zero, or the media type, with every request.
        if body.is_empty() && !(body.is_present() && self.0.takes_nothing(body)) {
            return Some(None);
        }
        let read = self.0.read(media, request.body());
        request.take_body(read).map(Some)
    }
}

/// A form or a multipart body, with the encodings of some properties.
#[derive(Debug, Clone, Copy)]
pub struct PartsBody {
    parts: &'static [Part],
    multipart: bool,
}

usable!(PartsBody);

impl MultipartBody {
    /// Sets the encodings of some properties.
    #[must_use]
    pub const fn with(self, parts: &'static [Part]) -> PartsBody {
        PartsBody {
            parts,
            multipart: true,
        }
    }
}

impl FormBody {
    /// Sets the encodings of some properties.
    #[must_use]
    pub const fn with(self, parts: &'static [Part]) -> PartsBody {
        PartsBody {
            parts,
            multipart: false,
        }
    }

    /// Encodes the members of objects as names in brackets (`style: deepObject`).
    #[must_use]
    pub const fn deep(self) -> DeepFormBody {
        DeepFormBody
    }
}

/// A format that serde encodes and decodes.
pub trait TextCodec: Copy {
    /// Encodes a value.
    fn put<T: Serialize>(self, media: &'static str, value: &T, body: &mut BodyEncoder);

    /// Decodes a value.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is not of the type.
    fn take<T, R: ReadAs<T>>(self, body: &BodyDecoder) -> Result<T, DecodeError>;

    /// Returns whether an empty body is a value.
    fn takes_empty(self) -> bool;
}

impl TextCodec for JsonBody {
    fn put<T: Serialize>(self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        body.json(media, value);
    }

    fn take<T, R: ReadAs<T>>(self, body: &BodyDecoder) -> Result<T, DecodeError> {
        body.json_as::<T, R>(&[])
    }

    fn takes_empty(self) -> bool {
        false
    }
}

impl TextCodec for FormBody {
    fn put<T: Serialize>(self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        body.form(media, value);
    }

    fn take<T, R: ReadAs<T>>(self, body: &BodyDecoder) -> Result<T, DecodeError> {
        body.form_as::<T, R>(&[], &[])
    }

    fn takes_empty(self) -> bool {
        true
    }
}

impl TextCodec for DeepFormBody {
    fn put<T: Serialize>(self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        body.deep_form(media, value);
    }

    fn take<T, R: ReadAs<T>>(self, body: &BodyDecoder) -> Result<T, DecodeError> {
        body.deep_form_as::<T, R>()
    }

    fn takes_empty(self) -> bool {
        true
    }
}

impl TextCodec for MultipartBody {
    fn put<T: Serialize>(self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        body.multipart(media, value);
    }

    fn take<T, R: ReadAs<T>>(self, body: &BodyDecoder) -> Result<T, DecodeError> {
        body.multipart_as::<T, R>(&[], &[])
    }

    fn takes_empty(self) -> bool {
        false
    }
}

impl TextCodec for TextBody {
    fn put<T: Serialize>(self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        body.text(media, value);
    }

    fn take<T, R: ReadAs<T>>(self, body: &BodyDecoder) -> Result<T, DecodeError> {
        body.text_as::<T, R>(&[])
    }

    fn takes_empty(self) -> bool {
        true
    }
}

impl TextCodec for PartsBody {
    fn put<T: Serialize>(self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        match self.multipart {
            true => body.multipart_with(media, value, self.parts),
            false => body.form_with(media, value, self.parts),
        }
    }

    fn take<T, R: ReadAs<T>>(self, body: &BodyDecoder) -> Result<T, DecodeError> {
        match self.multipart {
            true => body.multipart_as::<T, R>(self.parts, &[]),
            false => body.form_as::<T, R>(self.parts, &[]),
        }
    }

    fn takes_empty(self) -> bool {
        !self.multipart
    }
}

impl<T: Serialize + Value, C: TextCodec> BodyCodec<T> for C {
    fn write(&self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        self.put(media, value, body);
    }

    fn read(&self, media: &'static str, body: &BodyDecoder) -> Option<Result<T, DecodeError>> {
        body.is_read_as(media).then(|| self.take::<T, Own>(body))
    }

    fn takes_nothing(&self, _: &BodyDecoder) -> bool {
        self.takes_empty()
    }
}

/// A body of a type that has only serde's traits.
#[derive(Debug, Clone, Copy)]
pub struct UncheckedBody<C>(C);

usable!(UncheckedBody<C>, C);

impl<T: Serialize + DeserializeOwned, C: TextCodec> BodyCodec<T> for UncheckedBody<C> {
    fn write(&self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        self.0.put(media, value, body);
    }

    fn read(&self, media: &'static str, body: &BodyDecoder) -> Option<Result<T, DecodeError>> {
        body.is_read_as(media)
            .then(|| self.0.take::<T, Plain>(body))
    }

    fn takes_nothing(&self, _: &BodyDecoder) -> bool {
        self.0.takes_empty()
    }
}

impl<C> UncheckedBody<C> {
    /// Adds the schema by which a server checks the value.
    pub fn schema<S: Schema>(self, _: S) -> CheckedBody<C, S> {
        CheckedBody(self.0, PhantomData)
    }
}

/// A body of a type that has only serde's traits, whose value a server checks by a schema.
#[derive(Debug)]
pub struct CheckedBody<C, S>(C, PhantomData<S>);

impl<C: Copy, S> Copy for CheckedBody<C, S> {}

impl<C: Copy, S> Clone for CheckedBody<C, S> {
    fn clone(&self) -> Self {
        *self
    }
}

usable!(CheckedBody<C, S>, C, S);

impl<T: Serialize + DeserializeOwned, C: TextCodec, S: Schema> BodyCodec<T> for CheckedBody<C, S> {
    fn write(&self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        self.0.put(media, value, body);
    }

    fn read(&self, media: &'static str, body: &BodyDecoder) -> Option<Result<T, DecodeError>> {
        body.is_read_as(media)
            .then(|| self.0.take::<T, BySchema<S>>(body))
    }

    fn takes_nothing(&self, _: &BodyDecoder) -> bool {
        self.0.takes_empty()
    }
}

impl<T: RawBody> BodyCodec<T> for BytesBody {
    fn write(&self, media: &'static str, value: &T, body: &mut BodyEncoder) {
        body.bytes(media, value);
    }

    fn read(&self, media: &'static str, body: &BodyDecoder) -> Option<Result<T, DecodeError>> {
        body.is_read_as(media).then(|| body.bytes())
    }

    fn takes_nothing(&self, _: &BodyDecoder) -> bool {
        true
    }
}

macro_rules! streams {
    ($($Style:ident: $method:ident $($Item:ident)?;)*) => {
        $(
            streams!(@impl [Value] $Style, Own, $method, $($Item)?);
            streams!(@impl [DeserializeOwned] UncheckedBody<$Style>, Plain, $method, $($Item)?);
            streams!(@impl [DeserializeOwned] CheckedBody<$Style, S>, BySchema<S>, $method, $($Item)?; S);
        )*
    };
    (@impl [$($Read:tt)*] $Style:ty, $R:ty, $method:ident, $($Item:ident)? $(; $S:ident)?) => {
        impl<T: Serialize + $($Read)* + 'static $(, $S: Schema)?> BodyCodec<streams!(@$($Item)?)>
            for $Style
        {
            fn write(
                &self,
                media: &'static str,
                value: &streams!(@$($Item)?),
                body: &mut BodyEncoder,
            ) {
                body.$method::<T, $R>(media, value);
            }

            fn read(
                &self,
                media: &'static str,
                body: &BodyDecoder,
            ) -> Option<Result<streams!(@$($Item)?), DecodeError>> {
                body.is_read_as(media).then(|| body.$method::<T, $R>())
            }

            fn takes_nothing(&self, _: &BodyDecoder) -> bool {
                true
            }
        }
    };
    (@) => { Streamed<T> };
    (@$Item:ident) => { Streamed<$Item<T>> };
}

streams! {
    LinesBody: lines_as;
    SequenceBody: sequence_as;
    EventsBody: events_as Event;
}

impl BodyCodec<ByteStream> for ChunksBody {
    fn write(&self, media: &'static str, value: &ByteStream, body: &mut BodyEncoder) {
        body.chunks(media, value);
    }

    fn read(
        &self,
        media: &'static str,
        body: &BodyDecoder,
    ) -> Option<Result<ByteStream, DecodeError>> {
        body.is_read_as(media).then(|| body.chunks())
    }

    fn takes_nothing(&self, _: &BodyDecoder) -> bool {
        true
    }
}

impl<T: Body> BodyCodec<T> for AnyBody {
    fn write(&self, _: &'static str, value: &T, body: &mut BodyEncoder) {
        value.encode(body);
    }

    fn read(&self, _: &'static str, body: &BodyDecoder) -> Option<Result<T, DecodeError>> {
        T::decode(body)
    }

    fn takes_nothing(&self, body: &BodyDecoder) -> bool {
        let media = body.content_type();
        media.is_some_and(|media| !media::is_json(media) && !media::matches("multipart/*", media))
    }
}
