//! Responses that are checked by the document.

use super::{ClientCore, Error, RawResponse};
#[cfg(feature = "tracing")]
use crate::ends::trace;
use crate::message::operation::checked::{self, Check};
use crate::message::{Operation, ResponseDecoder};

impl<T> ClientCore<T> {
    /// Checks a response by the document, and reports or returns a mismatch.
    pub(super) fn checked<O: Operation>(
        check: Check,
        response: ResponseDecoder,
    ) -> Result<ResponseDecoder, Error<O::Error>> {
        let (status, headers) = (response.status_code(), response.headers());
        let Err(source) = checked::check::<O>(status, headers, response.buffered()) else {
            return Ok(response);
        };
        if check == Check::Fail {
            let response = RawResponse::boxed(response, O::META.id);
            return Err(Error::Mismatch { response, source });
        }
        #[cfg(feature = "tracing")]
        trace::mismatched(&source);
        Ok(response)
    }
}
