//! What tests know of an operation of a router.

use crate::ends::client::CallOf;
use crate::message::operation::checked::{self, CheckOf};
use crate::message::operation::{EncodedRequest, RequestPart, SampledRequest};
use crate::message::{Operation, OperationMeta, RequestDecoder};
use crate::values::sample::{Random, SampleError, Sampler};
use crate::values::{FieldError, Leniencies};
use http::HeaderMap;
use http::header::{CONTENT_TYPE, COOKIE};

/// The facts of an operation's tables, independent of its types.
#[derive(Clone, Copy)]
pub(in crate::ends) struct Probe {
    pub(in crate::ends) call: CallOf,
    parts: &'static [RequestPart],
    pub(in crate::ends) check: CheckOf,
    errors: fn(&EncodedRequest) -> Option<Vec<FieldError>>,
}

impl Probe {
    pub(in crate::ends) fn new<O: Operation>() -> Self {
        Self {
            call: CallOf::new::<O>(),
            parts: O::PARTS,
            check: checked::check::<O>,
            errors: errors::<O>,
        }
    }

    pub(in crate::ends) const fn meta(&self) -> &'static OperationMeta {
        self.call.meta()
    }

    /// Returns the parts of a request.
    pub(in crate::ends) const fn parts(&self) -> &'static [RequestPart] {
        self.parts
    }

    /// Returns whether a server accepts a request.
    pub(in crate::ends) fn is_valid(&self, request: &SampledRequest) -> bool {
        self.errors(request).is_some_and(|errors| errors.is_empty())
    }

    /// Draws a valid request.
    pub(in crate::ends) fn draw(
        &self,
        random: &mut dyn Random,
    ) -> Result<SampledRequest, SampleError> {
        Sampler::new().request_of(self.meta(), self.parts, random)
    }

    /// Returns the errors that a server reports for a request; `None` for a request that cannot be written, or that
    /// does not reach the operation.
    pub(in crate::ends) fn errors(&self, request: &SampledRequest) -> Option<Vec<FieldError>> {
        (self.errors)(&request.encode().ok()?)
    }
}

/// Reads a request as a server does, and returns its errors.
fn errors<O: Operation>(request: &EncodedRequest) -> Option<Vec<FieldError>> {
    let (request, errors) = read::<O>(request)?;
    (request.is_some() || !errors.is_empty()).then_some(errors)
}

/// Reads a request as a server does, and returns it with its errors; `None` if it does not reach the operation.
pub(in crate::ends) fn read<O: Operation>(
    request: &EncodedRequest,
) -> Option<(Option<O>, Vec<FieldError>)> {
    let mut headers: HeaderMap = request.headers.clone();
    if !request.cookies.is_empty() {
        headers.insert(COOKIE, request.cookies.parse().ok()?);
    }
    let mut bytes = bytes::Bytes::new();
    if let Some((media, body)) = &request.body {
        headers.insert(CONTENT_TYPE, media.clone());
        bytes = body.clone();
    }
    let decoder = RequestDecoder::new(
        O::META,
        &request.path,
        Some(&request.query),
        &headers,
        bytes,
    )?;
    let mut decoder = decoder.strict(Leniencies::default());
    let read = O::decode(&mut decoder);
    Some((read, decoder.take_field_errors()))
}
