//! One request on its way to its handler, and the response on its way back.

use super::router::{Reached, Settings};
use super::unimplemented::NotImplemented;
use super::{Body, CollectError, Context, Error, Rejection, RejectionKind, Response};
use crate::message::operation::body::BodyDecoder;
use crate::message::operation::negotiate;
use crate::message::operation::{Row, SuccessSet};
use crate::message::payload::{Exceeded, coding};
use crate::message::wire::header;
use crate::message::wire::media::Reading;
use crate::message::wire::template;
use crate::message::wire::template::Variables;
use crate::message::{
    NoError, Operation, OperationMeta, RequestDecoder, ResponseEncoder, ResponseSet,
};
use crate::values::BODY;
use http::header::{ACCEPT, ACCEPT_ENCODING, CONTENT_ENCODING, CONTENT_TYPE};
use http::request::Parts;
use http::{HeaderValue, Method};
use http_body::Body as _;
use std::marker::PhantomData;
use std::sync::Arc;

/// A request that is routed to its operation.
pub struct Call<A> {
    pub(super) api: Arc<A>,
    pub(super) settings: Arc<Settings>,
    pub(super) parts: Parts,
    pub(super) body: Body,
    /// Receives the operation, for the report of a panic.
    pub(super) operation: Reached,
    /// The path without the base path of the router.
    pub(super) path: String,
}

/// A decoded request, and what is needed to respond to it.
pub struct Begun<A, O> {
    /// The implementation of the server trait.
    pub api: Arc<A>,
    /// The request without its parameters.
    pub context: Context,
    /// The decoded parameters.
    pub request: O,
    /// Creates the response.
    pub finish: Responder<O>,
}

/// The conversion of a handler's result to the response of the operation `O`.
pub struct Responder<O> {
    finish: Finish,
    operation: PhantomData<fn() -> O>,
}

/// The conversion of a handler's result to a response, independent of the operation's type.
pub struct Finish {
    settings: Arc<Settings>,
    meta: &'static OperationMeta,
    /// Whether a streamed body has exceeded the limit.
    exceeded: Exceeded,
    /// Whether the caller accepts gzip; `None` if responses are not compressed.
    #[cfg(feature = "gzip")]
    gzip: Option<bool>,
}

/// An authenticated request before it is decoded.
struct Open {
    context: Context,
    variables: Variables,
    body: BodyDecoder,
    exceeded: Exceeded,
}

impl<A> Call<A> {
    /// Authenticates and decodes the request.
    ///
    /// # Errors
    ///
    /// Returns the response of a rejected request.
    pub async fn begin<O: Operation>(self) -> Result<Begun<A, O>, Response> {
        #[cfg(feature = "tracing")]
        crate::ends::trace::operation(O::META);
        // A call begins once, so the cell is empty.
        let _ = self.operation.set(O::META);
        let (api, settings) = (Arc::clone(&self.api), Arc::clone(&self.settings));
        let open = match self.open(O::META, O::Success::rows(O::META)).await {
            Ok(open) => open,
            Err(error) => return Err(Finish::of(settings, O::META).error(error)),
        };
        let Open {
            mut context,
            variables,
            body,
            exceeded,
        } = open;
        #[cfg(feature = "gzip")]
        let gzip = settings
            .compressed
            .then(|| coding::takes_gzip(context.headers()));
        let mut decoder = RequestDecoder::with_variables(
            O::META,
            variables,
            context.uri().query(),
            context.headers(),
            body,
        );
        if settings.keep_encoded_commas {
            decoder = decoder.keep_encoded_commas();
        }
        let mut decoder = decoder.strict();
        let request = O::decode(&mut decoder);
        let request = match (request, outcome(decoder)) {
            (Some(request), None) => request,
            (_, rejection) => {
                let rejection =
                    rejection.unwrap_or_else(|| Rejection::internal().with_cause(UNREAD));
                return Err(Finish::of(settings, O::META).rejection(&rejection));
            }
        };
        // The accepted credentials may depend on the decoded request.
        if !context.narrow(request.security())
            && let Err(error) = settings.admission.admit(&mut context).await
        {
            return Err(Finish::of(settings, O::META).error(error));
        }
        Ok(Begun {
            api,
            context,
            request,
            finish: Responder::new(Finish {
                settings,
                meta: O::META,
                exceeded,
                #[cfg(feature = "gzip")]
                gzip,
            }),
        })
    }

    /// Runs the steps that do not depend on the type of the request: not generic, so compiled once.
    async fn open(
        self,
        meta: &'static OperationMeta,
        offered: &[Row],
    ) -> Result<Open, Error<NoError>> {
        // A path variable is never empty, which the matcher of segments does not check.
        let variables =
            template::variables(&self.path, meta.path).ok_or_else(Rejection::not_found)?;
        let mut context = Context::new(self.parts, meta);
        self.settings.admission.admit(&mut context).await?;
        if !self.settings.ignore_accept && !is_acceptable(&context, offered) {
            return Err(Rejection::new(RejectionKind::NotAcceptable).into());
        }
        let content_type = header::text(context.headers(), CONTENT_TYPE.as_str());
        let is_live = negotiate::is_live(meta.streams, content_type, Reading::Strict);
        let content_type = content_type.map(str::to_owned);
        // An operation that declares `Content-Encoding` decodes the body itself.
        let own = |(place, name): &(&str, &str)| {
            *place == "header" && name.eq_ignore_ascii_case(CONTENT_ENCODING.as_str())
        };
        let sent = if meta.parameters.iter().any(own) {
            self.body
        } else {
            match coding::is_wrapped(context.headers()) {
                Ok(true) => coding::unwrapped(self.body, is_live),
                Ok(false) => self.body,
                Err(coding::UnknownCoding) => return Err(unknown_coding().into()),
            }
        };
        let limit = self.settings.body_limit;
        let too_large = || Rejection::new(RejectionKind::TooLarge);
        let (body, exceeded) = if is_live && !sent.is_end_stream() {
            // A declared length above the limit is rejected before the body is received.
            let announced = sent.size_hint().lower();
            if usize::try_from(announced).is_ok_and(|length| length > limit) {
                return Err(too_large().into());
            }
            let (body, exceeded) = sent.limited(limit);
            (BodyDecoder::live(content_type, body), exceeded)
        } else {
            let bytes = match sent.collect(limit).await {
                Ok(bytes) => bytes,
                Err(CollectError::TooLarge { .. }) => return Err(too_large().into()),
                Err(CollectError::Broken(_)) => {
                    return Err(Rejection::field("body", "broke off").into());
                }
            };
            (BodyDecoder::new(content_type, bytes), Exceeded::default())
        };
        Ok(Open {
            context,
            variables,
            body,
            exceeded,
        })
    }
}

/// The cause of a 500 if a decoder fails without a field error.
const UNREAD: &str = "the request was not read, and no reason was given";

/// Returns the rejection of a body in an unknown coding, with the accepted codings (RFC 9110,
/// section 15.5.16).
fn unknown_coding() -> Rejection {
    let taken = HeaderValue::from_static(coding::ACCEPTED);
    Rejection::new(RejectionKind::UnsupportedMediaType).header(ACCEPT_ENCODING, taken)
}

/// Returns the rejection for the errors of a decoder, if there are any.
fn outcome(decoder: RequestDecoder<'_>) -> Option<Rejection> {
    if decoder.wrong_media() {
        // The accepted media types (RFC 9110, section 15.5.16).
        let mut parts = decoder.meta().parameters.iter();
        let taken = parts
            .find(|(place, _)| *place == BODY)
            .map(|(_, media)| *media);
        let rejection = Rejection::new(RejectionKind::UnsupportedMediaType);
        return Some(match taken.map(HeaderValue::from_str) {
            Some(Ok(taken)) => rejection.header(ACCEPT, taken),
            _ => rejection,
        });
    }
    let field_errors = decoder.into_field_errors();
    (!field_errors.is_empty()).then(|| Rejection::validation(field_errors))
}

/// Returns whether the caller accepts one of the media types of the operation's responses.
///
/// Only safe methods are negotiated: a server may disregard `Accept` (RFC 9110, section 12.4.1),
/// and the effect of another method should not depend on it.
fn is_acceptable(context: &Context, offered: &[Row]) -> bool {
    if !matches!(*context.method(), Method::GET | Method::HEAD) {
        return true;
    }
    let values = context.headers().get_all(ACCEPT).iter();
    let texts: Vec<&str> = values.filter_map(|value| value.to_str().ok()).collect();
    negotiate::is_acceptable(&texts.join(","), offered)
}

impl<O> Responder<O> {
    pub(crate) const fn new(finish: Finish) -> Self {
        Self {
            finish,
            operation: PhantomData,
        }
    }

    pub(crate) const fn settings(&self) -> &Arc<Settings> {
        self.finish.settings()
    }
}

impl<O: Operation> Responder<O> {
    /// Converts the result of a handler to a response.
    pub fn response(self, result: Result<O::Response, Error<O::Error>>) -> Response {
        let finish = self.finish;
        // The handler has seen a truncated body, so its result is discarded.
        if finish.exceeded.is_set() {
            return finish.rejection(&Rejection::new(RejectionKind::TooLarge));
        }
        match result {
            Ok(response) => {
                let mut encoder = ResponseEncoder::default();
                O::Success::encode(O::META, &response, &mut encoder);
                finish.written(encoder)
            }
            Err(error) => finish.error(error),
        }
    }
}

impl Finish {
    const fn settings(&self) -> &Arc<Settings> {
        &self.settings
    }

    pub(crate) fn of(settings: Arc<Settings>, meta: &'static OperationMeta) -> Self {
        Self {
            settings,
            meta,
            exceeded: Exceeded::default(),
            #[cfg(feature = "gzip")]
            gzip: None,
        }
    }

    /// Returns the response to a rejection, and reports a failure of the server.
    fn rejection(&self, rejection: &Rejection) -> Response {
        let on_failure = &self.settings.on_failure;
        match rejection.kind() {
            RejectionKind::Internal => on_failure.report(self.meta, rejection.cause()),
            RejectionKind::NotImplemented => {
                on_failure.report(
                    self.meta,
                    Some(rejection.cause().unwrap_or(&NotImplemented)),
                );
            }
            _ => {}
        }
        self.settings.rejection_of(rejection, Some(self.meta))
    }

    fn error<E: ResponseSet>(&self, error: Error<E>) -> Response {
        match error {
            Error::Api(error) => {
                let mut encoder = ResponseEncoder::default();
                error.encode(&mut encoder);
                self.written(encoder)
            }
            Error::Rejection(rejection) => self.rejection(&rejection),
            Error::Raw(response) => *response,
        }
    }

    fn written(&self, mut encoder: ResponseEncoder) -> Response {
        let stream = encoder.take_stream();
        let written = match encoder.finish() {
            Ok(written) => written,
            Err(error) => return self.rejection(&Rejection::internal().with_cause(error)),
        };
        let mut response = Response::default();
        *response.status_mut() = written.status;
        *response.headers_mut() = written.headers;
        if let Some((content_type, body)) = stream {
            response.headers_mut().insert(CONTENT_TYPE, content_type);
            *response.body_mut() = self.settings.on_failure.watch(self.meta, body);
        } else if let Some((content_type, bytes)) = written.body {
            response.headers_mut().insert(CONTENT_TYPE, content_type);
            *response.body_mut() = Body::from(bytes);
        }
        #[cfg(feature = "gzip")]
        self.wrap(&mut response);
        response
    }

    /// Compresses a response if the caller accepts it. `Vary` is set in either case.
    #[cfg(feature = "gzip")]
    fn wrap(&self, response: &mut Response) {
        let Some(taken) = self.gzip else { return };
        let varies = HeaderValue::from_static("accept-encoding");
        response.headers_mut().append(http::header::VARY, varies);
        if taken {
            let body = std::mem::take(response.body_mut());
            let body = coding::wrapped(response.headers_mut(), body);
            *response.body_mut() = body;
        }
    }
}
