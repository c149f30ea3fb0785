//! Reading bodies.

use super::RawBody;
use super::codec::BODY;
use crate::operation::row::{Row, RowCodec};
use crate::payload;
use crate::stream::{self, ByteStream, Event, Framing, Streamed};
use crate::wire::{
    DecodeError, Node, Part, WireError, form,
    media::{self, Reading, Syntax},
    multipart,
    read::{self, FieldErrors},
};
use bytes::Bytes;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::{Arc, Mutex, PoisonError};

fn read_node<T: DeserializeOwned>(node: Result<Node, WireError>) -> Result<T, DecodeError> {
    let read = node.map_err(FieldErrors::from).and_then(read::read_texts);
    read.map_err(unreadable)
}

fn unreadable(field_errors: FieldErrors) -> DecodeError {
    DecodeError::of(field_errors, BODY)
}

/// A body that is read.
#[derive(Debug, Clone, Default)]
pub struct BodyDecoder {
    content_type: Option<String>,
    reading: Reading,
    bytes: Bytes,
    /// What still comes, of a body that is read item by item.
    live: Option<Arc<Mutex<payload::Body>>>,
}

impl BodyDecoder {
    pub(crate) const fn new(content_type: Option<String>, bytes: Bytes) -> Self {
        Self {
            content_type,
            reading: Reading::Strict,
            bytes,
            live: None,
        }
    }

    /// Of a response, which is read leniently.
    pub(crate) fn lenient(self) -> Self {
        Self {
            reading: Reading::Lenient,
            ..self
        }
    }

    /// A body that is still on its way.
    #[cfg(any(feature = "client", feature = "server"))]
    pub(crate) fn live(content_type: Option<String>, body: payload::Body) -> Self {
        Self {
            content_type,
            reading: Reading::Strict,
            bytes: Bytes::new(),
            live: Some(Arc::new(Mutex::new(body))),
        }
    }

    /// What still comes, where nobody has taken it.
    #[cfg(feature = "client")]
    pub(crate) fn take_live(&self) -> Option<payload::Body> {
        self.live.as_ref()?;
        let body = self.body();
        (!http_body::Body::is_end_stream(&body)).then_some(body)
    }

    fn body(&self) -> payload::Body {
        match &self.live {
            None => payload::Body::from(self.bytes.clone()),
            Some(live) => std::mem::take(&mut *live.lock().unwrap_or_else(PoisonError::into_inner)),
        }
    }

    /// As lines of JSON.
    pub fn lines<T>(&self) -> Result<Streamed<T>, DecodeError>
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.expect(Syntax::Lines)?;
        Ok(Streamed::read(self.body(), Framing::LINES))
    }

    /// As a sequence of JSON texts.
    pub fn sequence<T>(&self) -> Result<Streamed<T>, DecodeError>
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.expect(Syntax::Sequence)?;
        Ok(Streamed::read(self.body(), Framing::SEQUENCE))
    }

    /// As events. Those of a response end at `[DONE]`, the data that many services send last.
    pub fn events<T>(&self) -> Result<Streamed<Event<T>>, DecodeError>
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.events_until(match self.reading {
            Reading::Lenient => stream::DONE,
            Reading::Strict => "",
        })
    }

    /// As events up to one whose data is `end`; with an empty `end`, up to the end of the body.
    pub fn events_until<T>(&self, end: &'static str) -> Result<Streamed<Event<T>>, DecodeError>
    where
        T: Serialize + DeserializeOwned + 'static,
    {
        self.expect(Syntax::Events)?;
        Ok(Streamed::read(self.body(), Framing::EVENTS.until(end)))
    }

    /// Refuses a body of another media type, for readers that would find nothing in it rather than
    /// notice.
    fn expect(&self, syntax: Syntax) -> Result<(), DecodeError> {
        match self.content_type() {
            Some(media) if !syntax.reads(media) => Err(DecodeError::new(
                "content-type",
                format!("{media} is not expected here"),
            )),
            _ => Ok(()),
        }
    }

    /// As bytes, which may still be on their way.
    pub fn chunks(&self) -> Result<ByteStream, DecodeError> {
        Ok(ByteStream::incoming(self.body(), self.content_type()))
    }

    /// The media type, as it came.
    pub fn content_type(&self) -> Option<&str> {
        self.content_type.as_deref()
    }

    /// Whether the media type falls under this one, or one of these with commas between; they may
    /// have `*` in them. A body without a type falls under any.
    pub fn is(&self, media: &str) -> bool {
        let of = |came| media::each(media).any(|media| media::matches(media, came));
        self.content_type().is_none_or(of)
    }

    /// Which of these media types the body is read as, by its index; `None` when it is none of them.
    /// Each entry may have several with commas between.
    ///
    /// A body without a type is of the first, and JSON under any name is JSON (RFC 6839). A client
    /// also reads types that are not documented, since a response cannot be asked for again in
    /// another way: as a documented one of the same kind (`image/webp` as `image/png`), as
    /// `application/octet-stream`, or as the first that is no form, no parts and no stream of items.
    pub fn select(&self, documented: &[&str]) -> Option<usize> {
        media::choose(
            documented.iter().copied(),
            self.content_type(),
            self.reading,
        )
    }

    /// Whether the body is read as this media type, or as one of these with commas between.
    pub(crate) fn is_read_as(&self, media: &str) -> bool {
        self.select(&[media]).is_some()
    }

    /// Whether there is a body at all: bytes, or a type of no bytes.
    pub fn is_present(&self) -> bool {
        !self.is_empty() || self.content_type.is_some()
    }

    /// Whether it has no bytes.
    pub(crate) fn is_empty(&self) -> bool {
        self.bytes.is_empty() && self.live.is_none()
    }

    /// The bytes as they came.
    pub const fn raw(&self) -> &Bytes {
        &self.bytes
    }

    /// Reads the body of a row.
    ///
    /// # Errors
    ///
    /// Returns an error if the body is not of the type `T`.
    pub fn read<C: RowCodec<T>, T>(&self, row: &Row) -> Result<T, DecodeError> {
        C::read(row, self)
    }

    /// As JSON.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        read::json(self.str()?).map_err(unreadable)
    }

    /// As a form.
    pub fn form<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.form_with(&[])
    }

    /// As a form of which some properties are written otherwise than all are.
    pub fn form_with<T: DeserializeOwned>(&self, parts: &[Part]) -> Result<T, DecodeError> {
        self.expect(Syntax::Form)?;
        let node = form::read(self.str()?, false, parts);
        read_node(node)
    }

    /// As a form whose objects are names in brackets.
    pub fn deep_form<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.expect(Syntax::Form)?;
        let node = form::read(self.str()?, true, &[]);
        read_node(node)
    }

    /// As a text.
    pub fn text<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        read_node(Ok(Node::Text(self.str()?.to_owned())))
    }

    /// As bytes.
    pub fn bytes<T: RawBody>(&self) -> Result<T, DecodeError> {
        T::from_bytes(self.bytes.clone(), self.content_type())
    }

    /// As parts.
    pub fn multipart<T: DeserializeOwned>(&self) -> Result<T, DecodeError> {
        self.multipart_with(&[])
    }

    /// As parts of which some are written otherwise than all are.
    pub fn multipart_with<T: DeserializeOwned>(&self, parts: &[Part]) -> Result<T, DecodeError> {
        let content_type = self.content_type().unwrap_or_default();
        let node = multipart::read(&self.bytes, content_type, parts);
        read_node(node)
    }

    fn str(&self) -> Result<&str, DecodeError> {
        // What is plain ASCII is the same in any charset that is in use.
        if !self.bytes.is_ascii()
            && let Some(charset) = self.content_type().and_then(media::other_charset)
        {
            let message = format!("is of the charset {charset}, and only UTF-8 is read");
            return Err(DecodeError::new(BODY, message));
        }
        std::str::from_utf8(&self.bytes).map_err(|_| DecodeError::new(BODY, "is not UTF-8"))
    }
}
