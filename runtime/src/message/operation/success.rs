//! The successful responses of an operation: one, or several alternatives.

use super::body::row::{Row, RowCodec};
use super::typed::Response;
use super::{OperationMeta, ResponseDecoder, ResponseEncoder, ResponseSet};
use crate::values::DecodeError;
use bytes::Bytes;
use std::marker::PhantomData;

/// The encoding and decoding of an operation's successful responses.
pub trait SuccessSet<R> {
    /// Returns the rows of the responses.
    fn rows(meta: &'static OperationMeta) -> &'static [Row];

    /// Encodes a response.
    fn encode(meta: &'static OperationMeta, response: &R, encoder: &mut ResponseEncoder);

    /// Decodes a response; `None` if no row contains its status. The headers of the decoder are moved to the response.
    fn decode(
        meta: &'static OperationMeta,
        decoder: &mut ResponseDecoder,
    ) -> Option<Result<R, DecodeError>>;
}

/// The documented headers of a successful response, or of an error response.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not a type of documented response headers",
    label = "needs a table: `bothends_runtime::response_headers!`"
)]
pub trait ResponseHeaders: Sized {
    /// Encodes the headers.
    fn encode(&self, encoder: &mut ResponseEncoder);

    /// Decodes the headers.
    ///
    /// # Errors
    ///
    /// Returns an error if a required header is missing or invalid.
    fn decode(decoder: &ResponseDecoder) -> Result<Self, DecodeError>;
}

impl ResponseHeaders for () {
    fn encode(&self, _: &mut ResponseEncoder) {}

    fn decode(_: &ResponseDecoder) -> Result<Self, DecodeError> {
        Ok(())
    }
}

/// One documented success, whose body is encoded as `C`.
#[derive(Debug)]
pub struct One<C>(PhantomData<C>);

/// One documented success without a body.
#[derive(Debug)]
pub enum Empty {}

/// Several documented successes: the body is an enum with a variant for each.
#[derive(Debug)]
pub enum Several {}

impl<C: RowCodec<T>, T, H: ResponseHeaders> SuccessSet<Response<T, H>> for One<C> {
    fn rows(meta: &'static OperationMeta) -> &'static [Row] {
        meta.success
    }

    fn encode(
        meta: &'static OperationMeta,
        response: &Response<T, H>,
        encoder: &mut ResponseEncoder,
    ) {
        let Some(row) = head(meta, response, encoder) else {
            return;
        };
        C::write(row, &response.body, encoder.body());
    }

    fn decode(
        meta: &'static OperationMeta,
        decoder: &mut ResponseDecoder,
    ) -> Option<Result<Response<T, H>, DecodeError>> {
        let row = Row::find(meta.success, decoder.status())?;
        let (body, headers) = (C::read(row, decoder.body()), H::decode(decoder));
        Some(body.and_then(|body| received(row, decoder, headers, body)))
    }
}

impl<H: ResponseHeaders> SuccessSet<Response<(), H>> for Empty {
    fn rows(meta: &'static OperationMeta) -> &'static [Row] {
        meta.success
    }

    fn encode(
        meta: &'static OperationMeta,
        response: &Response<(), H>,
        encoder: &mut ResponseEncoder,
    ) {
        head(meta, response, encoder);
    }

    fn decode(
        meta: &'static OperationMeta,
        decoder: &mut ResponseDecoder,
    ) -> Option<Result<Response<(), H>, DecodeError>> {
        let row = Row::find(meta.success, decoder.status())?;
        let headers = H::decode(decoder);
        Some(received(row, decoder, headers, ()))
    }
}

impl<T: ResponseSet, H: ResponseHeaders> SuccessSet<Response<T, H>> for Several {
    fn rows(_: &'static OperationMeta) -> &'static [Row] {
        T::ROWS
    }

    fn encode(_: &'static OperationMeta, response: &Response<T, H>, encoder: &mut ResponseEncoder) {
        begin(response, encoder);
        response.body.encode(encoder);
        encoder.belongs_to(T::ROWS);
    }

    fn decode(
        _: &'static OperationMeta,
        decoder: &mut ResponseDecoder,
    ) -> Option<Result<Response<T, H>, DecodeError>> {
        let body = T::read(decoder).transpose()?;
        let row = Row::find(T::ROWS, decoder.status())?;
        let headers = H::decode(decoder);
        Some(body.and_then(|body| received(row, decoder, headers, body)))
    }
}

/// Encodes the status and headers that do not depend on the row.
fn begin<T, H: ResponseHeaders>(response: &Response<T, H>, encoder: &mut ResponseEncoder) {
    if response.is_received {
        // The undocumented headers of a received response describe that message, so they are not
        // sent.
        encoder.pass_on(response.status);
    } else {
        encoder.choose(response.status);
        encoder.add_headers(&response.headers);
    }
    response.documented.encode(encoder);
}

/// Encodes the status and the headers, and returns the row of the body.
fn head<T, H: ResponseHeaders>(
    meta: &'static OperationMeta,
    response: &Response<T, H>,
    encoder: &mut ResponseEncoder,
) -> Option<&'static Row> {
    begin(response, encoder);
    let row = meta.success.first()?;
    encoder.status_of(row.statuses);
    Some(row)
}

/// Creates a received response from a decoded body.
fn received<T, H>(
    row: &Row,
    decoder: &mut ResponseDecoder,
    headers: Result<H, DecodeError>,
    body: T,
) -> Result<Response<T, H>, DecodeError> {
    Ok(Response {
        documented: headers?,
        status: Some(decoder.status_code()),
        is_received: true,
        headers: decoder.take_headers(),
        body,
        undocumented: match row.media {
            [] => decoder.body().raw().clone(),
            _ => Bytes::new(),
        },
    })
}
