//! One request on its way to its handler, and the answer on its way back.

use super::router::Settings;
use super::{Body, CollectError, Context, Error, Fault, FaultKind, Response};
use crate::wire::template::{self, Variables};
use crate::{NoError, Operation, OperationMeta, Outcome, RequestDecoder, ResponseEncoder};
use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::request::Parts;
use std::sync::Arc;

/// A request on its way to its handler.
pub struct Call<A> {
    pub(super) api: Arc<A>,
    pub(super) settings: Arc<Settings>,
    pub(super) parts: Parts,
    pub(super) body: Body,
    /// The path without what the router stands under.
    pub(super) path: String,
}

/// A request that is read, and what it takes to answer it.
pub struct Begun<A, O> {
    /// What has the handler.
    pub api: Arc<A>,
    /// What is known beside the parameters.
    pub context: Context,
    /// The parameters.
    pub request: O,
    /// Makes the response.
    pub finish: Finish,
}

/// Makes the response.
pub struct Finish(Arc<Settings>);

impl<A> Call<A> {
    /// Lets the request in and reads it, or answers it right away.
    pub async fn begin<O: Operation>(self) -> Result<Begun<A, O>, Response> {
        let (api, settings) = (Arc::clone(&self.api), Arc::clone(&self.settings));
        let (context, variables, body) = match self.open(O::META).await {
            Ok(open) => open,
            Err(error) => return Err(Finish(settings).error(error)),
        };
        let mut decoder = RequestDecoder::with_variables(
            O::META,
            variables,
            context.uri().query(),
            context.headers(),
            body,
        );
        let request = O::decode(&mut decoder);
        match (request, outcome(decoder)) {
            (Some(request), None) => Ok(Begun {
                api,
                context,
                request,
                finish: Finish(settings),
            }),
            (_, fault) => {
                let fault = fault.unwrap_or_else(Fault::internal);
                Err(settings.faults.response(&fault))
            }
        }
    }

    /// What does not depend on the type of the request.
    async fn open(
        self,
        meta: &'static OperationMeta,
    ) -> Result<(Context, Variables, Bytes), Error<NoError>> {
        // A variable is never empty, which the matcher of segments does not look at.
        let variables = template::variables(&self.path, meta.path).ok_or_else(Fault::not_found)?;
        let mut context = Context::new(self.parts, meta);
        if let Some(authenticator) = &self.settings.authenticator {
            authenticator.authenticate(&mut context).await?;
        }
        match self.body.collect(self.settings.body_limit).await {
            Ok(body) => Ok((context, variables, body)),
            Err(CollectError::TooLarge { .. }) => Err(Fault::new(FaultKind::TooLarge).into()),
            Err(CollectError::Broken(_)) => Err(Fault::field("body", "broke off").into()),
        }
    }
}

/// What the decoder found to be wrong.
fn outcome(decoder: RequestDecoder<'_>) -> Option<Fault> {
    if decoder.wrong_media() {
        return Some(Fault::new(FaultKind::UnsupportedMediaType));
    }
    let faults = decoder.into_faults();
    (!faults.is_empty()).then(|| Fault::validation(faults))
}

impl Finish {
    /// The response to what the handler says.
    pub fn response<R: Outcome, E: Outcome>(self, result: Result<R, Error<E>>) -> Response {
        match result {
            Ok(response) => self.outcome(&response),
            Err(error) => self.error(error),
        }
    }

    fn error<E: Outcome>(&self, error: Error<E>) -> Response {
        match error {
            Error::Api(error) => self.outcome(&error),
            Error::Fault(fault) => self.0.faults.response(&fault),
            Error::Raw(response) => *response,
        }
    }

    fn outcome<R: Outcome>(&self, outcome: &R) -> Response {
        let mut encoder = ResponseEncoder::default();
        outcome.encode(&mut encoder);
        self.written(encoder)
    }

    fn written(&self, encoder: ResponseEncoder) -> Response {
        let Ok(written) = encoder.finish() else {
            return self.0.faults.response(&Fault::internal());
        };
        let mut response = Response::default();
        *response.status_mut() = written.status;
        *response.headers_mut() = written.headers;
        if let Some((content_type, bytes)) = written.body {
            response.headers_mut().insert(CONTENT_TYPE, content_type);
            *response.body_mut() = Body::from(bytes);
        }
        response
    }
}
